#include "platform/inventory/dra_devices.h"

#include <algorithm>
#include <cstdlib>

namespace tongchi {
namespace {

DraftCard draCard(const DraDevice &device, const DraDevices::Pool &pool, const DeviceCatalog &catalog,
                  StringPool &strings)
{
    DraftCard card;
    CardRecord &record = card.record;
    record.vendor = pool.owner.vendor;
    record.vendorName = strings.intern(pool.owner.vendorName);
    record.sources = CardSource::Dra;
    std::string_view product = strings.utf8(device.product);
    if (product.empty())
        product = pool.owner.model.empty() ? strings.utf8(pool.driver) : std::string_view(pool.owner.model);
    const CardModelName name = catalog.modelName(record.vendor, pool.owner.vendorName, product);
    record.model = strings.intern(name.model);
    record.variant = strings.intern(name.variant);
    record.modelReported = strings.intern(name.reported);
    record.modelSource = strings.intern("ResourceSlice productName");
    if (device.memoryBytes > 0) {
        record.memoryBytes = device.memoryBytes;
        record.memorySource = strings.intern("ResourceSlice capacity memory");
    }
    if (device.numa >= 0)
        record.numaNode = std::int8_t(device.numa);
    record.driver = device.driverVersion;
    record.uuid = device.uuid;
    record.slot = device.number;
    record.health = device.faulty ? CardHealth::Unhealthy : CardHealth::Healthy;
    record.healthSource = strings.intern("ResourceSlice taints");
    if (device.faulty)
        record.healthReason = device.taint;
    if (device.tainted)
        record.flags |= CardFlag::DeviceTaint;
    if (device.tainted && !device.faulty)
        record.healthReason = device.taint;
    return card;
}

bool sameFigure(std::int64_t a, std::int64_t b)
{
    return std::llabs(a - b) <= std::max(a, b) / 10;
}

} // namespace

DraCards draCardsOf(const DraDevices::Pool &pool, StringId node, const DeviceCatalog &catalog,
                    StringPool &strings)
{
    DraCards result;
    for (const DraDevice &device : pool.devices) {
        if (device.node != node || !device.card)
            continue;
        result.cards.push_back(draCard(device, pool, catalog, strings));
        result.deviceNames.push_back(device.name);
    }
    for (const DraDevice &device : pool.devices) {
        if (device.node != node || device.card)
            continue;
        std::size_t card = 0;
        while (card < result.cards.size() && !(result.cards[card].record.uuid == device.parent))
            ++card;
        if (card == result.cards.size()) {
            // Only the instances of a card in MIG mode are listed: the card is what they have in common.
            DraDevice whole = device;
            whole.uuid = device.parent;
            whole.memoryBytes = -1;
            result.cards.push_back(draCard(whole, pool, catalog, strings));
            result.deviceNames.push_back(0);
        }
        result.parts.push_back({.uuid = device.uuid,
                                .device = device.name,
                                .profile = device.profile,
                                .memoryBytes = device.memoryBytes,
                                .card = card,
                                .possible = device.possible});
    }
    // A number stands for one card; names without one, or two of the same, are counted.
    std::vector<std::uint16_t> slots;
    for (const DraftCard &card : result.cards)
        slots.push_back(card.record.slot);
    std::sort(slots.begin(), slots.end());
    const bool usable = std::adjacent_find(slots.begin(), slots.end()) == slots.end() &&
                        (slots.empty() || slots.back() != 0xFFFF);
    for (std::size_t i = 0; i < result.cards.size() && !usable; ++i)
        result.cards[i].record.slot = std::uint16_t(i);
    return result;
}

void mergeDraCards(std::vector<DraftCard> &dra, const std::vector<DraftCard> &own)
{
    const std::size_t known = dra.size();
    const auto ledByDra = [&](const DraftCard &card) {
        return std::any_of(dra.begin(), dra.begin() + std::ptrdiff_t(known), [&](const DraftCard &other) {
            return other.record.vendor == card.record.vendor &&
                   other.record.vendorName == card.record.vendorName;
        });
    };
    for (const DraftCard &card : own) {
        const CardRecord &mine = card.record;
        if (!ledByDra(card)) {
            dra.push_back(card);
            continue;
        }
        auto match = dra.begin() + std::ptrdiff_t(known);
        for (auto it = dra.begin(); it != dra.begin() + std::ptrdiff_t(known); ++it) {
            const CardRecord &theirs = it->record;
            if (theirs.vendor != mine.vendor || theirs.vendorName != mine.vendorName)
                continue;
            const bool identified = !theirs.uuid.isEmpty() && !mine.uuid.isEmpty();
            if (identified ? theirs.uuid == mine.uuid : theirs.slot == mine.slot) {
                match = it;
                break;
            }
        }
        if (match == dra.begin() + std::ptrdiff_t(known)) {
            // A register that names further cards adds them; a mere count says nothing of which.
            if (!mine.uuid.isEmpty()) {
                dra.push_back(card);
                std::uint16_t slot = 0;
                for (std::size_t i = 0; i + 1 < dra.size(); ++i) {
                    if (dra[i].record.vendor == mine.vendor && dra[i].record.slot >= slot)
                        slot = std::uint16_t(dra[i].record.slot + 1);
                }
                dra.back().record.slot = slot;
            }
            continue;
        }
        CardRecord &theirs = match->record;
        theirs.sources |= mine.sources;
        theirs.flags |= mine.flags & ~CardFlags(CardFlag::MemoryScaled);
        theirs.shares = std::max(theirs.shares, mine.shares);
        match->shareMemoryMiB = card.shareMemoryMiB;
        match->parts = card.parts;
        if (theirs.uuid.isEmpty())
            theirs.uuid = mine.uuid;
        if (!theirs.numaNode)
            theirs.numaNode = mine.numaNode;
        if (theirs.linkDomain == 0)
            theirs.linkDomain = mine.linkDomain;
        if (theirs.driver == 0)
            theirs.driver = mine.driver;
        if (theirs.resource == 0)
            theirs.resource = mine.resource;
        if (theirs.memoryBytes && mine.memoryBytes && !sameFigure(*theirs.memoryBytes, *mine.memoryBytes))
            theirs.flags |= CardFlag::MemoryDiffers;
        if (!theirs.memoryBytes) {
            theirs.memoryBytes = mine.memoryBytes;
            theirs.memorySource = mine.memorySource;
        }
        if (theirs.model == 0) {
            theirs.model = mine.model;
            theirs.variant = mine.variant;
            theirs.modelReported = mine.modelReported;
            theirs.modelSource = mine.modelSource;
        } else if (mine.model != 0 && mine.model != theirs.model) {
            theirs.flags |= CardFlag::ModelsDiffer;
        }
        if (mine.health == CardHealth::Unhealthy && theirs.health != CardHealth::Unhealthy) {
            theirs.flags |= CardFlag::HealthDiffers;
            theirs.health = mine.health;
            theirs.healthReason = mine.healthReason;
            theirs.healthSource = mine.healthSource;
        }
    }
}

} // namespace tongchi
