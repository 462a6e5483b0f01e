#include "platform/inventory/card_assembler_private.h"
#include "platform/inventory/node_placement.h"

#include <algorithm>

namespace tongchi {
namespace {

/// The plug-in's ConfigMap speaks of the cards by number; one that it does not call unhealthy is healthy.
void applyDeviceInfo(const AscendNodeHealth &health, std::vector<CardRecord> &cards, StringPool &pool)
{
    const StringId source = pool.intern("mindx-dl-deviceinfo");
    for (CardRecord &card : cards) {
        if (card.vendor != Vendor::Ascend)
            continue;
        card.sources |= CardSource::DeviceInfo;
        const auto found = std::find_if(health.unhealthy.begin(), health.unhealthy.end(),
                                        [&](const auto &entry) { return entry.first == card.slot; });
        if (found != health.unhealthy.end()) {
            if (card.health == CardHealth::Healthy)
                card.flags |= CardFlag::HealthDiffers;
            card.health = CardHealth::Unhealthy;
            card.healthReason = found->second;
            card.healthSource = source;
        } else if (card.health == CardHealth::NotReported) {
            card.health = CardHealth::Healthy;
            card.healthSource = source;
        }
    }
}

PlacedClaim placedClaim(std::size_t card, const DraUse &use, const DraCards::Part *part)
{
    PlacedClaim claim{.card = card, .podNames = use.pods};
    if (part) {
        claim.sliceName = part->device;
        claim.sliceProfile = part->profile;
        claim.sliceMemoryBytes = part->memoryBytes;
    }
    return claim;
}

} // namespace

NodeUpdate CardAssembler::Private::assemble(std::uint32_t index)
{
    const AssembledNode &node = nodes[index];
    NodeUpdate update;
    NodeFacts &facts = update.node;
    facts.name = node.name;
    facts.uid = node.uid;
    facts.region = node.region;
    facts.zone = node.zone;
    facts.usability = node.usability;
    facts.usabilityReason = node.usabilityReason;
    facts.unschedulable = node.unschedulable;
    facts.businessLabel = node.businessLabel;
    facts.note = node.note;
    facts.kubeletVersion = node.kubeletVersion;
    update.cards.reserve(node.cards.size());
    for (const AssembledCard &card : node.cards) {
        update.cards.push_back(recordOf(card));
        if (node.registrationGone && update.cards.back().sources.testFlag(CardSource::Hami))
            update.cards.back().flags |= CardFlag::RegistrationStale;
    }
    if (update.cards.empty())
        return update;
    if (node.health)
        applyDeviceInfo(*node.health, update.cards, pool);

    PlacementInput input{.node = node, .podsKnown = podsKnown};
    for (std::uint32_t at = node.firstPod; at != AssembledNode::none; at = pods[at].next) {
        PlacedPod placed{.name = pods[at].name, .workload = pods[at].workload, .business = pods[at].business};
        for (std::uint32_t h = pods[at].firstHolding; h != AssembledNode::none; h = holdings[h].next)
            placed.holdings.push_back(holdings[h]);
        input.pods.push_back(std::move(placed));
    }
    std::sort(input.pods.begin(), input.pods.end(), [this](const PlacedPod &a, const PlacedPod &b) {
        return pool.utf8(a.name) < pool.utf8(b.name);
    });

    for (const DraDevices::Pool *devices : dra.poolsOf(node.name)) {
        const DraCards found = draCardsOf(*devices, node.name, catalog, pool);
        std::vector<std::size_t> places; // of the pool's cards among the node's
        for (const DraftCard &card : found.cards) {
            std::size_t place = 0;
            while (place < node.cards.size() &&
                   !(card.record.uuid.isEmpty() ? node.cards[place].slot == card.record.slot
                                                : node.cards[place].uuid == card.record.uuid)) {
                ++place;
            }
            places.push_back(place);
        }
        for (const DraCards::Part &part : found.parts) {
            if (part.possible || places[part.card] >= update.cards.size())
                continue;
            CardSlice slice{.name = part.device, .kind = pool.intern("mig"), .profile = part.profile};
            if (part.memoryBytes > 0)
                slice.memoryBytes = part.memoryBytes;
            update.cards[places[part.card]].slices.push_back(slice);
        }
        for (const DraUse &use : dra.usesOf(*devices)) {
            const auto whole = std::find(found.deviceNames.begin(), found.deviceNames.end(), use.device);
            const auto part =
                std::find_if(found.parts.begin(), found.parts.end(),
                             [&](const DraCards::Part &each) { return each.device == use.device; });
            if (whole != found.deviceNames.end())
                input.claims.push_back(
                    placedClaim(places[std::size_t(whole - found.deviceNames.begin())], use, nullptr));
            else if (part != found.parts.end())
                input.claims.push_back(placedClaim(places[part->card], use, &*part));
        }
    }
    std::erase_if(input.claims, [&](const PlacedClaim &claim) { return claim.card >= update.cards.size(); });
    std::sort(input.claims.begin(), input.claims.end(), [this](const PlacedClaim &a, const PlacedClaim &b) {
        return a.card != b.card ? a.card < b.card : pool.utf8(a.sliceName) < pool.utf8(b.sliceName);
    });
    for (PlacedClaim &claim : input.claims) {
        for (const StringId name : claim.podNames) {
            const auto pod = std::find_if(input.pods.begin(), input.pods.end(),
                                          [&](const PlacedPod &each) { return each.name == name; });
            claim.pods.push_back(pod == input.pods.end() ? nullptr : &*pod);
        }
    }

    if (!attachments.empty()) {
        input.attached.resize(update.cards.size());
        for (std::size_t i = 0; i < update.cards.size(); ++i) {
            if (const auto found = attachments.find(update.cards[i].ordinal); found != attachments.end())
                input.attached[i] = found->second;
        }
    }
    placePods(input, update.cards, facts, pool);
    return update;
}

} // namespace tongchi
