#include "platform/inventory/hami_text.h"
#include "platform/inventory/node_draft.h"

#include <algorithm>

namespace tongchi {
namespace {

/// hami.io/node-nvidia-register -> hami.io/node-handshake, the one that breaks the rule;
/// hami.io/node-register-X -> hami.io/node-handshake-X; hami.io/node-X-register -> hami.io/node-handshake-X.
std::string handshakeKeyOf(std::string_view registerKey)
{
    if (registerKey == "hami.io/node-nvidia-register")
        return "hami.io/node-handshake";
    constexpr std::string_view front = "hami.io/node-register-";
    constexpr std::string_view begin = "hami.io/node-";
    constexpr std::string_view end = "-register";
    if (registerKey.starts_with(front))
        return "hami.io/node-handshake-" + std::string(registerKey.substr(front.size()));
    if (registerKey.starts_with(begin) && registerKey.ends_with(end) &&
        registerKey.size() > begin.size() + end.size())
        return "hami.io/node-handshake-" +
               std::string(registerKey.substr(begin.size(), registerKey.size() - begin.size() - end.size()));
    return {};
}

/// devmem is scaled by the plug-in's deviceMemoryScaling, which nobody publishes: it is the card's own memory
/// only when it is near a size the model is sold with. Unknown models are believed.
void takeMemory(const NodeReading &node, const HamiDevice &device, CardRecord &record,
                std::string_view registerKey)
{
    if (!device.memoryMiB || *device.memoryMiB <= 0)
        return;
    const auto sizes = node.catalog().memoryMiB(node.pool().utf8(record.model));
    const bool plausible =
        sizes.empty() || std::any_of(sizes.begin(), sizes.end(), [&](std::int64_t size) {
            return *device.memoryMiB >= size * 9 / 10 && *device.memoryMiB <= size * 102 / 100;
        });
    if (!plausible) {
        record.flags |= CardFlag::MemoryScaled;
        return;
    }
    record.memoryBytes = *device.memoryMiB * bytesPerMiB;
    record.memorySource = node.intern(std::string(registerKey) + " devmem");
}

void nameAscend(const NodeReading &node, const HamiDevice &device, CardRecord &record,
                std::string_view source)
{
    std::string_view chip = node.label("node.kubernetes.io/npu.chip.name");
    std::string_view type = device.type;
    if (type == "Ascend910B" && device.memoryMiB == 65536)
        type = "Ascend910B3"; // the word of HAMi 2.4 to 2.6 for this chip alone
    if (!chip.empty() && type.find(chip) == std::string_view::npos && device.type == "Ascend910B")
        type = chip;
    const CardModelName name = node.nameModel(record, type, source);
    // Allocatable memory is what HAMi registers; the chip has more on some variants.
    if (const auto memory = node.catalog().ascendMemoryMiB(name.variant.empty() ? type : name.variant)) {
        const bool scaled = device.memoryMiB && *device.memoryMiB > *memory * 102 / 100;
        record.memoryBytes = *memory * bytesPerMiB;
        record.memorySource = node.intern("model of the chip");
        if (scaled)
            record.flags |= CardFlag::MemoryScaled;
    } else {
        takeMemory(node, device, record, source);
    }
}

DraftCard hamiCard(const NodeReading &node, const HamiDevice &device, const DeviceCatalog::Owner &owner,
                   std::string_view registerKey)
{
    DraftCard card;
    CardRecord &record = card.record;
    record.vendor = owner.vendor;
    record.vendorName = node.intern(owner.vendorName);
    record.slot = std::uint16_t(device.index);
    record.uuid = CardUuid::fromText(device.id, node.pool());
    record.sources = CardSource::Hami;
    record.shares = std::uint16_t(std::clamp<std::int64_t>(device.count, 1, 65535));
    record.health = device.healthy ? CardHealth::Healthy : CardHealth::Unhealthy;
    record.healthSource = node.intern(registerKey);
    if (!device.healthy)
        record.healthReason = node.intern("HAMi reports the card unhealthy");
    if (owner.vendor == Vendor::Ascend) {
        nameAscend(node, device, record, registerKey);
    } else {
        node.nameModel(record, device.type.empty() ? std::string_view(owner.model) : device.type,
                       registerKey);
        takeMemory(node, device, record, registerKey);
        if (device.numa)
            record.numaNode = std::int8_t(*device.numa); // Ascend's is always 0 and means nothing
    }
    if (device.networkId)
        record.linkDomain = node.intern("network " + std::to_string(*device.networkId));
    if (device.memoryMiB && *device.memoryMiB > 0)
        card.shareMemoryMiB = std::uint32_t(std::min<std::int64_t>(*device.memoryMiB, UINT32_MAX));
    return card;
}

DraftCard unreadableCard(const NodeReading &node, const DeviceCatalog::Owner &owner, std::uint16_t slot,
                         std::string_view registerKey)
{
    DraftCard card;
    card.record.vendor = owner.vendor;
    card.record.vendorName = node.intern(owner.vendorName);
    card.record.slot = slot;
    card.record.sources = CardSource::Hami;
    card.record.flags = CardFlag::RegistrationUnreadable;
    card.record.modelSource = node.intern(registerKey);
    return card;
}

void readHandshake(const NodeReading &node, const DeviceCatalog::Owner &owner, std::string_view registerKey,
                   std::size_t firstCard, NodeDraft &draft)
{
    const std::string key = handshakeKeyOf(registerKey);
    const std::string_view value = key.empty() ? std::string_view() : node.annotation(key);
    std::uint32_t allocatable = 0;
    bool listed = false;
    for (const auto &resource : node.resources()) {
        if (resource.meaning.vendor == owner.vendor && resource.meaning.vendorName == owner.vendorName &&
            resource.meaning.kind != ResourceKind::Ignored) {
            allocatable += resource.allocatable;
            listed = true;
        }
    }
    const HamiHandshake handshake = parseHamiHandshake(value);
    if (handshake == HamiHandshake::Deleted) {
        for (std::size_t i = firstCard; i < draft.cards.size(); ++i)
            draft.cards[i].record.flags |= CardFlag::RegistrationStale;
    } else if (handshake == HamiHandshake::Requesting && (!listed || allocatable == 0)) {
        draft.openRequest =
            value; // gone when it stays so for a minute; current plug-ins never answer while they work
    }
}

bool cordonsDevice(std::string_view list, std::string_view uuid)
{
    const std::size_t at = uuid.empty() ? std::string_view::npos : list.find(uuid);
    if (at == std::string_view::npos)
        return false;
    const std::size_t end = at + uuid.size();
    const auto belongsToId = [](char c) { return std::isalnum(std::uint8_t(c)) || c == '-'; };
    return (at == 0 || !belongsToId(list[at - 1])) && (end == list.size() || !belongsToId(list[end]));
}

} // namespace

void addHamiCards(const NodeReading &node, NodeDraft &draft)
{
    for (const auto &[key, value] : node.record().annotations) {
        const DeviceCatalog::Owner *owner = node.catalog().registerOwner(key);
        if (!owner || value.empty())
            continue;
        HamiRegister parsed = parseHamiRegister(value);
        const std::size_t first = draft.cards.size();
        // One node may carry several registers of a vendor; each numbers its own cards from 0.
        std::uint32_t base = 0;
        for (const DraftCard &card : draft.cards) {
            if (card.record.vendor == owner->vendor)
                base = std::max(base, card.record.slot + 1u);
        }
        for (HamiDevice &device : parsed.devices) {
            device.index += base;
            if (device.index <= 65535)
                draft.cards.push_back(hamiCard(node, device, *owner, key));
        }
        if (!parsed.unreadable.empty()) {
            draft.notes.push_back("registration could not be read: " + std::string(key) + ": " +
                                  parsed.unreadable.front());
            // Some of it could be read: the rest are cards of which nothing is known. None of it: nothing is
            // known at all.
            for (std::size_t i = 0; i < parsed.unreadable.size() && first < draft.cards.size(); ++i) {
                std::uint32_t slot = base;
                for (std::size_t c = first; c < draft.cards.size(); ++c)
                    slot = std::max(slot, draft.cards[c].record.slot + 1u);
                draft.cards.push_back(
                    unreadableCard(node, *owner, std::uint16_t(std::min(slot, 65535u)), key));
            }
        }
        readHandshake(node, *owner, key, first, draft);
    }
    const std::string_view cordoned = node.annotation("hami.io/device-cordon");
    for (DraftCard &card : draft.cards) {
        if (!cordoned.empty() && cordonsDevice(cordoned, card.record.uuid.toText(node.pool())))
            card.record.flags |= CardFlag::OutOfService;
    }
}

} // namespace tongchi
