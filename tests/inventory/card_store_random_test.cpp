// The store against the plainest thing that could do the same: maps of whole records, compared after every
// step.

#include "platform/inventory/card_store.h"

#include <cmath>
#include <gtest/gtest.h>
#include <map>
#include <random>
#include <set>

namespace tongchi {
namespace {

constexpr Instant storeEpoch{std::chrono::milliseconds{1'798'612'920'000}};

struct PlainCard
{
    CardRecord record;
    std::optional<TelemetryRecord> telemetry;
    std::map<std::int64_t, std::vector<float>> utilization; ///< samples by 30 s
};

struct PlainNode
{
    NodeFacts facts;
    std::map<std::uint32_t, PlainCard> cards;
};

struct PlainStore
{
    std::map<quint32, std::map<StringId, PlainNode>> clusters; ///< by uid
    std::set<quint32> forgotten;

    void apply(const InventoryDelta &delta)
    {
        if (forgotten.contains(delta.clusterId))
            return;
        auto &nodes = clusters[delta.clusterId];
        if (delta.restart)
            nodes.clear();
        for (const StringId uid : delta.removedNodes)
            nodes.erase(uid);
        for (const NodeUpdate &update : delta.upserts) {
            std::erase_if(nodes, [&](const auto &entry) {
                return entry.second.facts.name == update.node.name && entry.first != update.node.uid;
            });
            PlainNode &node = nodes[update.node.uid];
            node.facts = update.node;
            std::map<std::uint32_t, PlainCard> cards;
            for (const CardRecord &record : update.cards) {
                PlainCard card;
                if (const auto old = node.cards.find(record.ordinal); old != node.cards.end()) {
                    const bool replaced = !old->second.record.uuid.isEmpty() && !record.uuid.isEmpty() &&
                                          !(old->second.record.uuid == record.uuid);
                    if (!replaced)
                        card = old->second;
                }
                card.record = record;
                cards[record.ordinal] = std::move(card);
            }
            node.cards = std::move(cards);
        }
        for (const TelemetryRecord &telemetry : delta.telemetry) {
            for (auto &[uid, node] : nodes) {
                if (const auto card = node.cards.find(telemetry.ordinal); card != node.cards.end()) {
                    card->second.telemetry = telemetry;
                    card->second.utilization[telemetry.sampledAt.time_since_epoch().count() / 30'000]
                        .push_back(telemetry.utilizationPercent);
                }
            }
        }
    }
};

class RandomStoreTest : public ::testing::TestWithParam<unsigned>
{
protected:
    int below(int n) { return std::uniform_int_distribution<int>(0, n - 1)(random); }
    StringId word(const char *stem, int of) { return pool.intern(stem + std::to_string(below(of))); }

    std::uint32_t takeOrdinal(quint32 cluster)
    {
        auto &pool_ = freeOrdinals[cluster];
        if (!pool_.empty() && below(2)) {
            const std::uint32_t ordinal = *pool_.begin();
            pool_.erase(pool_.begin());
            return ordinal;
        }
        return nextOrdinal[cluster]++;
    }

    CardRecord randomRecord(std::uint32_t ordinal, std::uint16_t slot)
    {
        CardRecord record;
        record.ordinal = ordinal;
        record.slot = slot;
        record.vendor = Vendor(below(4));
        record.model = word("model", 3);
        record.variant = word("variant", 2);
        if (below(4))
            record.uuid = CardUuid::fromText(
                "GPU-a0000001-1111-4222-8333-0000000000" + std::to_string(10 + below(80)), pool);
        if (below(2))
            record.memoryBytes = (1 + below(3)) * 1'000'000'000LL;
        if (below(2))
            record.numaNode = std::int8_t(below(2));
        record.health = CardHealth(below(3));
        record.healthReason = word("reason", 2);
        record.label = BusinessLabel(below(5));
        record.sources = CardSources::fromInt(below(31));
        record.flags.setFlag(CardFlag::Withdrawn, below(5) == 0);
        record.flags.setFlag(CardFlag::LabelDiffers, below(5) == 0);
        record.shares = std::uint16_t(1 + below(3) * 5);
        for (int i = below(8) ? below(2) : 3; i > 0; --i)
            record.pods.push_back(word("ns/pod", 30));
        for (int i = below(3); i > 0; --i)
            record.slices.push_back({.name = word("slice", 9), .kind = pool.intern("mig")});
        record.slices.resize(below(4) ? 0 : record.slices.size());
        std::set<std::string> names;
        for (int i = below(3); i > 0; --i)
            names.insert(std::string(pool.utf8(word("workload", 4))));
        for (const auto &name : names)
            record.workloads.push_back(pool.intern(name));
        record.driver = word("driver", 2);
        return record;
    }

    NodeUpdate randomUpdate(quint32 cluster, int number)
    {
        NodeUpdate update;
        update.node.name = pool.intern("node" + std::to_string(number));
        update.node.uid = pool.intern("uid" + std::to_string(number) + (below(8) ? "" : "-new"));
        update.node.region = word("region", 2);
        update.node.held = std::uint16_t(below(3));
        auto &known = ordinals[{cluster, update.node.uid}];
        for (std::uint16_t slot = 0; slot < 4; ++slot) {
            if (!below(4)) {
                if (known.contains(slot))
                    freeOrdinals[cluster].insert(known[slot]);
                known.erase(slot);
                continue;
            }
            if (!known.contains(slot))
                known[slot] = takeOrdinal(cluster);
            update.cards.push_back(randomRecord(known[slot], slot));
        }
        return update;
    }

    void compare()
    {
        std::uint32_t cards = 0;
        std::uint32_t nodes = 0;
        std::map<std::string, std::set<std::pair<quint32, StringId>>> nodesOfUuid;
        for (const auto &[clusterId, byUid] : plain.clusters) {
            for (const auto &[uid, node] : byUid) {
                for (const auto &[ordinal, card] : node.cards)
                    nodesOfUuid[card.record.uuid.toText(pool)].insert({clusterId, uid});
            }
        }
        for (const auto &[clusterId, byUid] : plain.clusters) {
            for (const auto &[uid, node] : byUid) {
                ++nodes;
                for (const auto &[ordinal, card] : node.cards) {
                    ++cards;
                    compareCard(clusterId, node, card,
                                nodesOfUuid[card.record.uuid.toText(pool)].size() > 1 &&
                                    !card.record.uuid.isEmpty());
                }
            }
        }
        ASSERT_EQ(store.cardCount(), cards);
        ASSERT_EQ(store.nodeCount(), nodes);
        std::uint32_t used = 0;
        for (CardIndex card = 0; card < store.cardSlots(); ++card)
            used += store.isUsed(card) ? 1 : 0;
        ASSERT_EQ(used, cards);
    }

    void compareCard(quint32 clusterId, const PlainNode &node, const PlainCard &card, bool twin)
    {
        const CardRecord &wanted = card.record;
        const CardIndex it = store.find(clusterId, node.facts.name, wanted.vendor, wanted.slot);
        ASSERT_NE(it, noCard);
        ASSERT_TRUE(store.isUsed(it));
        const CardRecord got = store.details(it);
        EXPECT_EQ(store.clusterOf(it), clusterId);
        EXPECT_EQ(store.node(store.nodeIndexOf(it)).facts.uid, node.facts.uid);
        EXPECT_EQ(store.node(store.nodeIndexOf(it)).facts.held, node.facts.held);
        EXPECT_EQ(store.node(store.nodeIndexOf(it)).cards.size(), node.cards.size());
        EXPECT_EQ(got.ordinal, wanted.ordinal);
        EXPECT_EQ(got.model, wanted.model);
        EXPECT_EQ(got.variant, wanted.variant);
        EXPECT_EQ(store.uuidOf(it), wanted.uuid.toText(pool));
        EXPECT_EQ(got.numaNode, wanted.numaNode);
        EXPECT_EQ(got.label, wanted.label);
        EXPECT_EQ(got.shares, wanted.shares);
        EXPECT_EQ(got.pods, wanted.pods);
        EXPECT_EQ(got.workloads, wanted.workloads);
        EXPECT_EQ(got.slices, wanted.slices);
        EXPECT_EQ(got.driver, wanted.driver);
        EXPECT_EQ(got.healthReason, wanted.healthReason);
        EXPECT_EQ(got.flags.testFlag(CardFlag::Withdrawn), wanted.flags.testFlag(CardFlag::Withdrawn));
        EXPECT_EQ(got.flags.testFlag(CardFlag::SameUuidElsewhere), twin);
        const TelemetryRecord telemetry = card.telemetry.value_or(TelemetryRecord{});
        EXPECT_EQ(got.health, std::max(wanted.health, telemetry.health));
        if (wanted.memoryBytes)
            EXPECT_EQ(got.memoryBytes, wanted.memoryBytes);
        else
            EXPECT_EQ(got.memoryBytes.has_value(), telemetry.memoryTotalBytes > 0);
        EXPECT_EQ(store.sampledAt(it), card.telemetry ? std::optional(telemetry.sampledAt) : std::nullopt);
        if (std::isnan(telemetry.utilizationPercent))
            EXPECT_TRUE(std::isnan(store.utilizationOf(it)));
        else
            EXPECT_EQ(store.utilizationOf(it), telemetry.utilizationPercent);
        compareHistory(it, card);
    }

    void compareHistory(CardIndex it, const PlainCard &card)
    {
        int first = 0;
        const auto ring = store.utilizationHistory(it, first);
        if (card.utilization.empty()) {
            EXPECT_TRUE(ring.empty());
            return;
        }
        ASSERT_EQ(ring.size(), 120u);
        const std::int64_t last = card.utilization.rbegin()->first;
        for (int i = 0; i < 120; ++i) {
            int wanted = 255;
            if (const auto found = card.utilization.find(last - 119 + i); found != card.utilization.end()) {
                int sum = 0;
                int count = 0;
                for (const float value : found->second) {
                    if (!std::isnan(value)) {
                        sum += int(value + 0.5f);
                        ++count;
                    }
                }
                wanted = count ? (sum + count / 2) / count : 255;
            }
            ASSERT_EQ(int(ring[std::size_t(first + i) % 120]), wanted) << i;
        }
    }

    StringPool pool;
    CardStore store{pool};
    PlainStore plain;
    std::mt19937 random{GetParam()};
    std::map<std::pair<quint32, StringId>, std::map<std::uint16_t, std::uint32_t>> ordinals;
    std::map<quint32, std::set<std::uint32_t>> freeOrdinals;
    std::map<quint32, std::uint32_t> nextOrdinal;
};

TEST_P(RandomStoreTest, HoldsWhatPlainMapsWouldHold)
{
    Instant now = storeEpoch;
    std::set<CardIndex> known;
    for (int step = 0; step < 400; ++step) {
        now += std::chrono::milliseconds(below(20'000));
        InventoryDelta delta;
        delta.clusterId = quint32(1 + below(3));
        delta.restart = below(60) == 0;
        for (int i = below(3); i > 0; --i)
            delta.removedNodes.push_back(
                pool.intern("uid" + std::to_string(below(6)) + (below(2) ? "" : "-new")));
        std::set<int> numbers;
        for (int i = below(4); i > 0; --i)
            numbers.insert(below(6));
        for (const int number : numbers)
            delta.upserts.push_back(randomUpdate(delta.clusterId, number));
        for (int i = below(20); i > 0; --i) {
            TelemetryRecord record;
            record.ordinal = std::uint32_t(below(30));
            if (below(3))
                record.utilizationPercent = float(below(101));
            if (below(3))
                record.memoryTotalBytes = 2e9f;
            record.health = CardHealth(below(3));
            record.sampledAt = now;
            delta.telemetry.push_back(record);
        }
        StoreChange change;
        if (step > 200 && below(80) == 0 && plain.forgotten.size() < 2) {
            change = store.forgetCluster(delta.clusterId);
            plain.forgotten.insert(delta.clusterId);
            plain.clusters.erase(delta.clusterId);
        } else {
            change = store.apply(delta, now);
            plain.apply(delta);
        }
        for (const CardIndex card : change.removed)
            ASSERT_EQ(known.erase(card), 1u) << "removed what was not there";
        for (const CardIndex card : change.added)
            ASSERT_TRUE(known.insert(card).second) << "added twice";
        for (const CardIndex card : change.identityChanged)
            ASSERT_TRUE(known.contains(card));
        for (const CardIndex card : known)
            ASSERT_TRUE(store.isUsed(card));
        compare();
        if (HasFailure()) {
            FAIL() << "step " << step;
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomStoreTest, ::testing::Range(1u, 13u));

} // namespace
} // namespace tongchi
