#include "platform/inventory/node_draft.h"

#include <algorithm>
#include <charconv>

namespace tongchi {
namespace {

std::string_view valueOf(const StringPairs &pairs, std::string_view key)
{
    for (const auto &[name, value] : pairs) {
        if (name == key)
            return value;
    }
    return {};
}

std::uint32_t unitsOf(const std::optional<Quantity> &amount)
{
    if (!amount || amount->isNegative())
        return 0;
    return std::uint32_t(std::clamp<std::int64_t>(amount->units(), 0, mostUnitsOfAResource));
}

NodeReading::Resource readResource(const ResourceAmount &amount, ResourceMeaning meaning)
{
    NodeReading::Resource resource{.amount = &amount, .meaning = std::move(meaning)};
    const bool capacityUnreadable = !amount.rawCapacity.empty() && !amount.capacity;
    resource.allocatableUnreadable = !amount.rawAllocatable.empty() && !amount.allocatable;
    resource.readable = !capacityUnreadable && (amount.capacity || amount.allocatable);
    if (!resource.readable)
        return resource;
    const std::uint32_t capacity = unitsOf(amount.capacity);
    resource.allocatable = amount.allocatable ? unitsOf(amount.allocatable) : capacity;
    resource.capacity = std::max(capacity, resource.allocatable);
    return resource;
}

/// What the node lends, for the arithmetic of cards, withdrawn, held and free.
void addResources(const NodeReading &node, NodeDraft &draft)
{
    for (const auto &resource : node.resources()) {
        const ResourceMeaning &meaning = resource.meaning;
        const bool lends = meaning.kind != ResourceKind::Ignored && meaning.kind != ResourceKind::Count;
        if (!lends || !resource.readable)
            continue;
        const StringId vendorName = node.intern(meaning.vendorName);
        std::uint32_t cards = 0;
        for (const DraftCard &card : draft.cards)
            cards += card.record.vendor == meaning.vendor && card.record.vendorName == vendorName ? 1 : 0;
        NodeResource entry{.name = node.intern(resource.amount->name),
                           .vendor = meaning.vendor,
                           .kind = meaning.kind,
                           .vendorName = vendorName,
                           .capacity = resource.capacity,
                           .allocatable = resource.allocatable,
                           .profile = node.intern(meaning.profile)};
        const std::uint32_t rounded = cards ? std::max(1u, (resource.capacity + cards / 2) / cards) : 1;
        switch (meaning.kind) {
        case ResourceKind::Hundredths:
            entry.perCard = 100;
            break;
        case ResourceKind::Slices: {
            entry.sliceMemoryMiB = profileMemoryMiB(meaning.profile);
            if (meaning.vendor == Vendor::Nvidia) {
                const std::string key = resource.amount->name + ".memory";
                entry.sliceMemoryMiB = std::uint32_t(node.numberLabel(key).value_or(entry.sliceMemoryMiB));
            }
            const std::uint32_t fitting = migInstancesPerCard(meaning.profile, 0);
            entry.perCard = cards && resource.capacity % cards == 0 ? rounded : std::max(1u, fitting);
            break;
        }
        default:
            entry.perCard = cards && resource.capacity >= 2 * cards ? rounded : 1;
            entry.single = entry.perCard == 1 && meaning.kind != ResourceKind::Shares;
        }
        const std::string_view product = node.label("nvidia.com/gpu.product");
        if (const std::size_t mig = product.find("-MIG-"); meaning.vendor == Vendor::Nvidia &&
                                                           meaning.kind == ResourceKind::Cards &&
                                                           mig != std::string_view::npos) {
            entry.kind = ResourceKind::Slices; // strategy "single": instances under the name of whole cards
            entry.single = false;
            entry.profile = node.intern(product.substr(mig + 5));
            entry.sliceMemoryMiB = std::uint32_t(node.numberLabel("nvidia.com/gpu.memory").value_or(0));
        }
        draft.resources.push_back(entry);
    }
}

void noteAmounts(const NodeReading &node, NodeDraft &draft)
{
    for (const auto &resource : node.resources()) {
        if (resource.meaning.kind == ResourceKind::Ignored)
            continue;
        const std::string &name = resource.amount->name;
        if (!resource.readable && !resource.amount->rawCapacity.empty()) {
            draft.notes.push_back(name + ": the amount \"" + resource.amount->rawCapacity +
                                  "\" cannot be read");
        } else if (resource.allocatableUnreadable) {
            draft.notes.push_back(name + ": the allocatable amount \"" + resource.amount->rawAllocatable +
                                  "\" cannot be read");
            for (DraftCard &card : draft.cards) {
                if (card.record.vendor == resource.meaning.vendor)
                    card.record.flags |= CardFlag::AmountUnreadable;
            }
        }
    }
}

} // namespace

NodeReading::NodeReading(const NodeRecord &record, const DeviceCatalog &catalog, StringPool &pool)
    : m_record(record), m_catalog(catalog), m_pool(pool)
{
    for (const ResourceAmount &amount : record.resources)
        m_resources.push_back(readResource(amount, catalog.meaningOf(amount.name)));
}

std::string_view NodeReading::label(std::string_view key) const
{
    return valueOf(m_record.labels, key);
}

std::string_view NodeReading::annotation(std::string_view key) const
{
    return valueOf(m_record.annotations, key);
}

std::optional<std::int64_t> NodeReading::numberLabel(std::string_view key) const
{
    const auto number = wholeNumberOf(label(key));
    return number && *number >= 0 && *number < (1 << 30) ? number : std::nullopt;
}

std::uint32_t NodeReading::units(Vendor vendor, ResourceKind kind) const
{
    std::uint32_t sum = 0;
    for (const Resource &resource : m_resources) {
        if (resource.readable && resource.meaning.kind == kind && resource.meaning.vendor == vendor)
            sum += resource.capacity;
    }
    return sum;
}

const NodeReading::Resource *NodeReading::first(Vendor vendor, ResourceKind kind) const
{
    for (const Resource &resource : m_resources) {
        if (resource.meaning.kind == kind && resource.meaning.vendor == vendor)
            return &resource;
    }
    return nullptr;
}

CardModelName NodeReading::nameModel(CardRecord &record, std::string_view reported,
                                     std::string_view source) const
{
    CardModelName name = m_catalog.modelName(record.vendor, m_pool.utf8(record.vendorName), reported);
    record.model = m_pool.intern(name.model);
    record.variant = m_pool.intern(name.variant);
    record.modelReported = m_pool.intern(name.reported);
    record.modelSource = name.model.empty() ? 0 : m_pool.intern(source);
    return name;
}

NodeDraft draftNode(const NodeReading &node)
{
    NodeDraft draft;
    addHamiCards(node, draft);
    addNvidiaCards(node, draft);
    addAscendCards(node, draft);
    addCambriconCards(node, draft);
    addOtherCards(node, draft);
    if (draft.cards.size() > mostCardsOfANode) {
        draft.notes.push_back("only " + std::to_string(mostCardsOfANode) + " of " +
                              std::to_string(draft.cards.size()) + " cards are shown");
        draft.cards.resize(mostCardsOfANode);
    }
    addResources(node, draft);
    noteAmounts(node, draft);
    return draft;
}

void addAlikeCards(NodeDraft &draft, const CardRecord &pattern, std::uint32_t count, std::uint8_t parts)
{
    std::uint16_t slot = 0;
    for (const DraftCard &card : draft.cards) {
        if (card.record.vendor == pattern.vendor && card.record.slot >= slot)
            slot = std::uint16_t(card.record.slot +
                                 1); // two resources of one vendor number their cards in one row
    }
    for (std::uint32_t i = 0; i < std::min(count, mostCardsOfANode + 1); ++i) {
        draft.cards.push_back({.record = pattern, .parts = parts});
        draft.cards.back().record.slot = slot++;
    }
}

bool hasCardsOf(const NodeDraft &draft, Vendor vendor, StringId vendorName)
{
    return std::any_of(draft.cards.begin(), draft.cards.end(), [&](const DraftCard &card) {
        return card.record.vendor == vendor && (vendorName == 0 || card.record.vendorName == vendorName);
    });
}

std::uint32_t migInstancesPerCard(std::string_view profile, std::int64_t cardMemoryMiB)
{
    const std::size_t g = profile.find('g');
    const auto slices = wholeNumberOf(profile.substr(0, std::min(g, profile.size())));
    if (!slices || *slices < 1 || *slices > 7)
        return 0;
    std::uint32_t fitting = std::uint32_t(7 / *slices);
    const std::uint32_t memory = profileMemoryMiB(profile);
    if (memory > 0 && cardMemoryMiB > 0) // "1g.20gb" takes one slice of compute but two of memory
        fitting = std::min(fitting, std::max(1u, std::uint32_t((cardMemoryMiB + memory / 4) / memory)));
    return std::max(1u, fitting);
}

std::uint32_t profileMemoryMiB(std::string_view profile)
{
    std::size_t end = profile.size();
    if (end >= 2 && profile.substr(end - 2) == "gb")
        end -= 2;
    else if (end >= 1 && profile[end - 1] == 'g')
        end -= 1;
    else
        return 0;
    std::size_t from = end;
    while (from > 0 && profile[from - 1] >= '0' && profile[from - 1] <= '9')
        --from;
    const auto gigabytes = wholeNumberOf(profile.substr(from, end - from));
    return gigabytes && *gigabytes > 0 && *gigabytes < 4096 ? std::uint32_t(*gigabytes * 1024) : 0;
}

std::optional<std::int64_t> wholeNumberOf(std::string_view text)
{
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (text.empty() || error != std::errc() || end != text.data() + text.size())
        return std::nullopt;
    return value;
}

} // namespace tongchi
