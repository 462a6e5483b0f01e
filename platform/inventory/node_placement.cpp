#include "platform/inventory/node_placement.h"

#include <algorithm>
#include <cmath>

namespace tongchi {
namespace {

struct PlacedCard
{
    std::vector<const PlacedPod *> pods; ///< known ones, each once
    std::vector<StringId> otherPods;     ///< named by a claim or exporter, not known as pods
    std::vector<CardSlice> uses;         ///< shares and instances with their pods
    BusinessLabel guess =
        BusinessLabel::Unknown; ///< label of whoever has it, where that is certain without knowing who
    bool busy = false;          ///< somebody has it
    bool certain = false;       ///< nobody else can have it
};

void addPodTo(PlacedCard &card, const PlacedPod &pod)
{
    card.busy = true;
    if (std::find(card.pods.begin(), card.pods.end(), &pod) == card.pods.end())
        card.pods.push_back(&pod);
}

std::uint32_t cardsFor(std::uint32_t units, std::uint32_t perCard)
{
    return perCard > 1 ? (units + perCard - 1) / perCard : units;
}

BusinessLabel joinedLabel(BusinessLabel one, BusinessLabel other)
{
    if (one == BusinessLabel::Unknown || one == other)
        return other;
    return other == BusinessLabel::Unknown ? one : BusinessLabel::Mixed;
}

class NodePlacement
{
public:
    NodePlacement(const PlacementInput &input, std::vector<CardRecord> &cards, StringPool &pool)
        : m_input(input), m_cards(cards), m_pool(pool), m_placed(cards.size())
    {
    }

    void run(NodeFacts &facts)
    {
        placeClaims();
        placeDevices();
        for (std::size_t i = 0; i < m_cards.size(); ++i)
            placeAttached(i);
        for (std::size_t i = 0; i < m_cards.size(); ++i) {
            const CardRecord &card = m_cards[i];
            const bool first = std::none_of(
                m_cards.begin(), m_cards.begin() + std::ptrdiff_t(i), [&](const CardRecord &other) {
                    return other.vendor == card.vendor && other.vendorName == card.vendorName;
                });
            if (first)
                placeVendor(card.vendor, card.vendorName, facts);
        }
        for (std::size_t i = 0; i < m_cards.size(); ++i)
            finishCard(i, facts);
    }

private:
    CardRecord *cardByUuid(const CardUuid &uuid, std::size_t &index)
    {
        for (index = 0; index < m_cards.size(); ++index) {
            if (m_cards[index].uuid == uuid)
                return &m_cards[index];
        }
        return nullptr;
    }

    CardRecord *cardBySlot(Vendor vendor, std::uint32_t slot, std::size_t &index)
    {
        for (index = 0; index < m_cards.size(); ++index) {
            const std::uint32_t parts =
                index < m_input.node.cards.size() ? m_input.node.cards[index].parts : 1;
            const std::uint32_t first = m_cards[index].slot * parts;
            if (m_cards[index].vendor == vendor && slot >= first && slot < first + parts)
                return &m_cards[index];
        }
        return nullptr;
    }

    void placeClaims()
    {
        for (const PlacedClaim &claim : m_input.claims) {
            PlacedCard &placed = m_placed[claim.card];
            placed.busy = true; // allocated, even where no pod is named: not free
            placed.certain = true;
            for (std::size_t p = 0; p < claim.podNames.size(); ++p) {
                if (claim.pods[p])
                    addPodTo(placed, *claim.pods[p]);
                else
                    placed.otherPods.push_back(claim.podNames[p]);
            }
            if (!claim.sliceName)
                continue;
            CardSlice slice{
                .name = claim.sliceName, .kind = m_pool.intern("mig"), .profile = claim.sliceProfile};
            if (claim.sliceMemoryBytes > 0)
                slice.memoryBytes = claim.sliceMemoryBytes;
            if (!claim.podNames.empty())
                slice.workload = claim.podNames.front();
            auto &slices = m_cards[claim.card].slices;
            const auto known = std::find_if(slices.begin(), slices.end(),
                                            [&](const CardSlice &each) { return each.name == slice.name; });
            if (known == slices.end())
                slices.push_back(slice);
            else
                known->workload = slice.workload;
        }
    }

    void placeDevices()
    {
        for (const PlacedPod &pod : m_input.pods) {
            for (const Holding &holding : pod.holdings) {
                std::size_t index = 0;
                CardRecord *card = nullptr;
                if (holding.kind == Holding::Uuid || holding.kind == Holding::UnhealthyUuid)
                    card = holding.uuid.isEmpty() ? nullptr : cardByUuid(holding.uuid, index);
                else if (holding.kind == Holding::Slot)
                    card = cardBySlot(holding.vendor, holding.amount, index);
                if (!card)
                    continue;
                if (holding.kind == Holding::UnhealthyUuid) {
                    card->health = CardHealth::Unhealthy;
                    card->healthReason = m_pool.intern("the kubelet reports the device unhealthy");
                    card->healthSource = m_pool.intern("pod allocatedResourcesStatus");
                    continue;
                }
                addPodTo(m_placed[index], pod);
                m_placed[index].certain = true;
                addUse(index, pod, holding);
            }
        }
    }

    void addUse(std::size_t index, const PlacedPod &pod, const Holding &holding)
    {
        const CardRecord &card = m_cards[index];
        const std::uint32_t whole = m_input.node.cards[index].shareMemoryMiB;
        const bool part = holding.profile != 0 || (card.shares > 1 && holding.memoryMiB > 0 && whole > 0 &&
                                                   holding.memoryMiB < whole);
        if (!part)
            return;
        CardSlice use{.profile = holding.profile, .workload = pod.name};
        use.kind = m_pool.intern(!holding.profile                   ? "share"
                                 : card.vendor == Vendor::Ascend    ? "vnpu"
                                 : card.vendor == Vendor::Cambricon ? "smlu"
                                                                    : "mig");
        if (holding.instance)
            use.name = m_pool.intern(std::to_string(holding.instance - 1));
        if (holding.memoryMiB > 0)
            use.memoryBytes = std::int64_t(holding.memoryMiB) * bytesPerMiB;
        m_placed[index].uses.push_back(use);
    }

    void placeAttached(std::size_t index)
    {
        if (index >= m_input.attached.size())
            return;
        PlacedCard &placed = m_placed[index];
        for (const StringId name : m_input.attached[index]) {
            const auto pod = std::find_if(m_input.pods.begin(), m_input.pods.end(),
                                          [&](const PlacedPod &each) { return each.name == name; });
            if (pod != m_input.pods.end()) {
                addPodTo(placed, *pod);
                placed.certain = true;
                m_cards[index].sources |= CardSource::Exporter;
            } else if (!m_input.podsKnown) {
                placed.busy = true;
                placed.otherPods.push_back(name);
                m_cards[index].sources |= CardSource::Exporter;
            }
            // A pod that is gone by the API server's word holds nothing, whatever an exporter still says.
        }
    }

    struct Claimant
    {
        const PlacedPod *pod;
        std::uint32_t cards; ///< that no source has named yet
        std::uint32_t units;
    };

    /// What a vendor's resources lend and what pods hold of them by amount, in cards unless it says units.
    struct Lending
    {
        std::vector<Claimant> claimants;
        std::uint32_t usable = 0, held = 0;
        std::uint32_t freeUnits = 0;
        bool listed = false;     ///< there is such a resource
        bool shared = false;     ///< it lends parts of cards
        bool overbooked = false; ///< more units are held than are allocatable
    };

    Lending readLending(Vendor vendor, StringId vendorName, const std::vector<std::size_t> &mine) const
    {
        Lending lending;
        std::uint32_t usableSlices = 0, heldSlices = 0;
        const NodeResource *only = nullptr;
        std::uint32_t onlyUnits = 0;
        std::size_t lenders = 0;
        for (const NodeResource &resource : m_input.node.resources) {
            if (resource.vendor != vendor || resource.vendorName != vendorName)
                continue;
            lending.listed = true;
            std::uint32_t units = 0;
            for (const PlacedPod &pod : m_input.pods) {
                for (const Holding &holding : pod.holdings) {
                    if (holding.kind == Holding::Units && holding.resource == resource.name &&
                        !hasCardByName(pod, mine, true)) {
                        units += holding.amount;
                        addClaimant(lending.claimants, pod, holding, resource, mine);
                    }
                }
            }
            const std::uint32_t lendable = cardsFor(resource.allocatable, resource.perCard);
            if (resource.kind == ResourceKind::Slices) {
                // Instances of several profiles lie on the same cards: the most of one is the least of all.
                usableSlices = std::max(usableSlices, lendable);
                heldSlices = std::max(heldSlices, cardsFor(units, resource.perCard));
            } else {
                lending.usable += lendable;
                lending.held += cardsFor(units, resource.perCard);
            }
            lending.shared = lending.shared || (!resource.single && resource.capacity > 0);
            lending.freeUnits += resource.capacity > units ? resource.capacity - units : 0;
            lending.overbooked = lending.overbooked || units > resource.allocatable;
            if (resource.capacity > 0) {
                only = &resource;
                onlyUnits = units;
                ++lenders;
            }
        }
        lending.usable += usableSlices;
        lending.held += heldSlices;
        // Pods whose cards are named hold a unit a card, where one resource lends them all.
        if (lenders == 1 && only->kind != ResourceKind::Hundredths &&
            onlyUnits + namedHoldings(vendor) > only->allocatable) {
            lending.overbooked = true;
        }
        return lending;
    }

    /// Pods of which only the amount is known, and the counts of cards withdrawn, held and free.
    void placeVendor(Vendor vendor, StringId vendorName, NodeFacts &facts)
    {
        std::vector<std::size_t> mine;
        for (std::size_t i = 0; i < m_cards.size(); ++i) {
            if (m_cards[i].vendor == vendor && m_cards[i].vendorName == vendorName)
                mine.push_back(i);
        }
        const Lending lending = readLending(vendor, vendorName, mine);
        std::uint32_t named = 0;
        std::uint32_t attached = 0;
        for (const std::size_t i : mine) {
            if (m_placed[i].busy)
                ++(m_placed[i].certain && !onlyAttached(i) ? named : attached);
        }
        const auto cards = std::uint32_t(mine.size());
        const std::uint32_t held = named + std::max(lending.held, attached);
        const std::uint32_t withdrawn = lending.listed ? cards - std::min(cards, lending.usable) : 0;
        const auto add = [](std::uint16_t &sum, std::uint32_t count) {
            sum = std::uint16_t(std::min<std::uint32_t>(sum + count, 65535));
        };
        add(facts.cards, cards);
        add(facts.withdrawn, withdrawn);
        add(facts.held, held);
        add(facts.free, cards - withdrawn > held ? cards - withdrawn - held : 0);
        for (const std::size_t i : mine) {
            CardRecord &card = m_cards[i];
            if (withdrawn > 0)
                card.flags |= CardFlag::Withdrawn;
            if (lending.overbooked)
                card.flags |= CardFlag::MoreHeldThanAllocatable;
            // What the kubelet lends in full is healthy by its plug-in's word.
            const bool lent = lending.listed && withdrawn == 0 && m_input.node.ready;
            if (lent && card.health == CardHealth::NotReported && !card.sources.testFlag(CardSource::Hami) &&
                !card.flags.testFlag(CardFlag::AmountUnreadable)) {
                card.health = CardHealth::Healthy;
                card.healthSource = m_pool.intern("allocatable");
            }
        }
        settle(mine, lending.claimants, lending.shared, lending.freeUnits);
    }

    std::uint32_t namedHoldings(Vendor vendor) const
    {
        std::uint32_t count = 0;
        for (const PlacedPod &pod : m_input.pods) {
            for (const Holding &holding : pod.holdings) {
                const bool device = holding.kind == Holding::Uuid || holding.kind == Holding::Slot;
                count += device && holding.vendor == vendor ? 1 : 0;
            }
        }
        return count;
    }

    bool onlyAttached(std::size_t index) const
    {
        for (const PlacedPod *pod : m_placed[index].pods) {
            for (const Holding &holding : pod->holdings) {
                if (holding.kind == Holding::Uuid || holding.kind == Holding::Slot)
                    return false;
            }
        }
        return std::none_of(m_input.claims.begin(), m_input.claims.end(),
                            [&](const PlacedClaim &claim) { return claim.card == index; });
    }

    /// Whether a source names a card of these for the pod; an exporter's word counts only where asked.
    bool hasCardByName(const PlacedPod &pod, const std::vector<std::size_t> &mine, bool withoutExporter) const
    {
        return std::any_of(mine.begin(), mine.end(), [&](std::size_t i) {
            const auto &pods = m_placed[i].pods;
            return std::find(pods.begin(), pods.end(), &pod) != pods.end() &&
                   !(withoutExporter && onlyAttached(i));
        });
    }

    void addClaimant(std::vector<Claimant> &claimants, const PlacedPod &pod, const Holding &holding,
                     const NodeResource &resource, const std::vector<std::size_t> &mine) const
    {
        std::uint32_t named = 0;
        for (const std::size_t i : mine) {
            const auto &pods = m_placed[i].pods;
            named += std::find(pods.begin(), pods.end(), &pod) != pods.end() ? 1 : 0;
        }
        const std::uint32_t wanted =
            resource.single ? holding.amount : cardsFor(holding.amount, resource.perCard);
        if (named < wanted || (named == 0 && holding.amount > 0))
            claimants.push_back({&pod, wanted > named ? wanted - named : 1, holding.amount});
    }

    /// Labels of the cards that no source has named a pod for.
    void settle(const std::vector<std::size_t> &mine, const std::vector<Claimant> &claimants, bool shared,
                std::uint32_t freeUnits)
    {
        std::vector<std::size_t> open;
        for (const std::size_t i : mine) {
            if (shared ? !m_placed[i].certain || !claimants.empty() : !m_placed[i].busy)
                open.push_back(i);
        }
        if (!m_input.podsKnown || open.empty())
            return;
        if (claimants.empty()) {
            for (const std::size_t i : open)
                m_placed[i].certain = true; // nobody is left who could have it
            return;
        }
        std::uint32_t wanted = 0;
        BusinessLabel label = claimants.front().pod->business;
        bool alike = true;
        for (const Claimant &claimant : claimants) {
            wanted += claimant.cards;
            alike = alike && claimant.pod->business == label;
        }
        const bool all = open.size() == 1 || (shared ? freeUnits == 0 : wanted >= open.size());
        for (const std::size_t i : open) {
            PlacedCard &placed = m_placed[i];
            placed.certain = all;
            if (!all)
                continue;
            if (claimants.size() == 1 || mine.size() == 1) {
                for (const Claimant &claimant : claimants)
                    addPodTo(placed, *claimant.pod);
            } else {
                placed.busy = true;
                placed.guess = alike ? label : BusinessLabel::Unknown;
            }
        }
    }

    void finishCard(std::size_t index, const NodeFacts &facts)
    {
        CardRecord &card = m_cards[index];
        PlacedCard &placed = m_placed[index];
        BusinessLabel label = placed.guess;
        for (const PlacedPod *pod : placed.pods) {
            card.pods.push_back(pod->name);
            if (pod->workload && std::find(card.workloads.begin(), card.workloads.end(), pod->workload) ==
                                     card.workloads.end())
                card.workloads.push_back(pod->workload);
            label = joinedLabel(label, pod->business);
        }
        for (const StringId other : placed.otherPods) {
            if (std::find(card.pods.begin(), card.pods.end(), other) == card.pods.end())
                card.pods.push_back(other);
        }
        const auto byText = [this](StringId a, StringId b) { return m_pool.utf8(a) < m_pool.utf8(b); };
        std::sort(card.pods.begin(), card.pods.end(), byText);
        std::sort(card.workloads.begin(), card.workloads.end(), byText);
        if (!placed.busy)
            label = placed.certain && m_input.podsKnown ? BusinessLabel::Idle : BusinessLabel::Unknown;
        card.label = label;
        const bool works = label == BusinessLabel::Inference || label == BusinessLabel::Training ||
                           label == BusinessLabel::Mixed;
        if (works && facts.businessLabel != BusinessLabel::Unknown &&
            facts.businessLabel != BusinessLabel::Mixed && label != facts.businessLabel) {
            card.flags |= CardFlag::LabelDiffers;
        }
        listSlices(index);
    }

    /// Fixed instances of the card with whoever is known to have them, then shares that exist while they are
    /// used.
    void listSlices(std::size_t index)
    {
        CardRecord &card = m_cards[index];
        std::vector<CardSlice> uses = std::move(m_placed[index].uses);
        std::sort(uses.begin(), uses.end(), [this](const CardSlice &a, const CardSlice &b) {
            return a.workload != b.workload ? m_pool.utf8(a.workload) < m_pool.utf8(b.workload)
                                            : m_pool.utf8(a.name) < m_pool.utf8(b.name);
        });
        std::size_t place = 0;
        std::size_t cards = 0;
        for (std::size_t i = 0; i < m_cards.size(); ++i) {
            if (m_cards[i].vendor == card.vendor && m_cards[i].vendorName == card.vendorName) {
                place += i < index ? 1 : 0;
                ++cards;
            }
        }
        for (const NodeResource &resource : m_input.node.resources) {
            if (resource.kind != ResourceKind::Slices || resource.vendor != card.vendor ||
                resource.vendorName != card.vendorName || card.sources.testFlag(CardSource::Dra)) {
                continue;
            }
            const std::size_t total = std::min<std::size_t>(resource.capacity, cards * 64);
            const std::size_t mine = total * (place + 1) / cards - total * place / cards;
            for (std::size_t k = 0; k < mine; ++k) {
                CardSlice slice{.profile = resource.profile};
                slice.kind = m_pool.intern(card.vendor == Vendor::Nvidia   ? "mig"
                                           : card.vendor == Vendor::Ascend ? "vnpu"
                                                                           : "smlu");
                slice.name =
                    m_pool.intern(std::string(m_pool.utf8(resource.profile)) + '-' + std::to_string(k));
                if (resource.sliceMemoryMiB > 0)
                    slice.memoryBytes = std::int64_t(resource.sliceMemoryMiB) * bytesPerMiB;
                const auto use = std::find_if(uses.begin(), uses.end(), [&](const CardSlice &each) {
                    return each.profile == slice.profile;
                });
                if (use != uses.end()) {
                    slice.workload = use->workload;
                    uses.erase(use);
                }
                card.slices.push_back(slice);
            }
        }
        std::size_t number = 0;
        for (CardSlice &use : uses) {
            if (use.name == 0)
                use.name = m_pool.intern(std::to_string(number));
            ++number;
            card.slices.push_back(use);
        }
        const std::uint8_t parts = m_input.node.cards[index].parts;
        for (std::uint8_t part = 0; parts > 1 && part < parts; ++part) {
            CardSlice chip{.name = m_pool.intern("chip " + std::to_string(card.slot * parts + part)),
                           .kind = m_pool.intern("chip")};
            card.slices.push_back(chip);
        }
    }

    const PlacementInput &m_input;
    std::vector<CardRecord> &m_cards;
    StringPool &m_pool;
    std::vector<PlacedCard> m_placed;
};

} // namespace

void placePods(const PlacementInput &input, std::vector<CardRecord> &cards, NodeFacts &facts,
               StringPool &pool)
{
    NodePlacement(input, cards, pool).run(facts);
}

} // namespace tongchi
