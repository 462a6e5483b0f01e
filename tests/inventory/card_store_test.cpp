#include "platform/inventory/card_store.h"

#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tongchi {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

constexpr Instant noon{std::chrono::milliseconds{1'798'612'928'000}};

class CardStoreTest : public ::testing::Test
{
protected:
    CardRecord card(std::uint32_t ordinal, std::uint16_t slot, std::string_view uuid = {})
    {
        CardRecord record;
        record.ordinal = ordinal;
        record.slot = slot;
        record.vendor = Vendor::Nvidia;
        record.model = pool.intern("H100");
        record.uuid = CardUuid::fromText(uuid, pool);
        return record;
    }
    NodeUpdate node(std::string_view name, std::vector<CardRecord> cards, std::string_view uid = {})
    {
        NodeUpdate update;
        update.node.name = pool.intern(name);
        update.node.uid =
            pool.intern(uid.empty() ? std::string("uid-") + std::string(name) : std::string(uid));
        update.cards = std::move(cards);
        return update;
    }
    StoreChange upsert(std::vector<NodeUpdate> updates, quint32 cluster = 1)
    {
        InventoryDelta delta;
        delta.clusterId = cluster;
        delta.upserts = std::move(updates);
        return store.apply(delta, noon);
    }
    StoreChange sample(TelemetryRecord record, quint32 cluster = 1)
    {
        InventoryDelta delta;
        delta.clusterId = cluster;
        if (record.sampledAt == Instant{})
            record.sampledAt = noon;
        delta.telemetry.push_back(record);
        return store.apply(delta, noon);
    }
    CardIndex at(std::string_view name, std::uint16_t slot = 0, quint32 cluster = 1)
    {
        return store.find(cluster, pool.find(name), Vendor::Nvidia, slot);
    }

    StringPool pool;
    CardStore store{pool};
    static constexpr const char *gpuUuid = "GPU-a000001e-1111-4222-8333-000000000001";
};

TEST_F(CardStoreTest, MarksTheSameUuidOnTwoNodesAndUnmarksItAgain)
{
    upsert({node("vm-a", {card(0, 0, gpuUuid)})});
    EXPECT_FALSE(store.flagsOf(at("vm-a")).testFlag(CardFlag::SameUuidElsewhere));
    const auto change = upsert({node("vm-b", {card(0, 0, gpuUuid)})}, 2);
    EXPECT_THAT(change.identityChanged, ElementsAre(at("vm-a")));
    EXPECT_TRUE(store.flagsOf(at("vm-a")).testFlag(CardFlag::SameUuidElsewhere));
    EXPECT_TRUE(store.flagsOf(at("vm-b", 0, 2)).testFlag(CardFlag::SameUuidElsewhere));
    EXPECT_EQ(store.cardCount(), 2u);

    const auto gone = store.forgetCluster(2);
    EXPECT_EQ(gone.removed.size(), 1u);
    EXPECT_THAT(gone.identityChanged, ElementsAre(at("vm-a")));
    EXPECT_FALSE(store.flagsOf(at("vm-a")).testFlag(CardFlag::SameUuidElsewhere));
}

TEST_F(CardStoreTest, DoesNotMarkTheSameUuidTwiceOnOneNode)
{
    upsert({node("vm-a", {card(0, 0, gpuUuid), card(1, 1, gpuUuid)})});
    EXPECT_FALSE(store.flagsOf(at("vm-a", 0)).testFlag(CardFlag::SameUuidElsewhere));
    upsert({node("vm-b", {card(2, 0, gpuUuid)})});
    EXPECT_TRUE(store.flagsOf(at("vm-a", 0)).testFlag(CardFlag::SameUuidElsewhere));
    EXPECT_TRUE(store.flagsOf(at("vm-a", 1)).testFlag(CardFlag::SameUuidElsewhere));
    upsert({node("vm-b", {card(2, 0, "GPU-a000001e-1111-4222-8333-000000000002")})});
    EXPECT_FALSE(store.flagsOf(at("vm-a", 1)).testFlag(CardFlag::SameUuidElsewhere));
}

TEST_F(CardStoreTest, ReplacesANodeOfTheSameNameByUid)
{
    upsert({node("gpu-07", {card(0, 0), card(1, 1)}, "A")});
    const auto change = upsert({node("gpu-07", {card(2, 0)}, "B")});
    EXPECT_EQ(change.removed.size(), 2u);
    EXPECT_EQ(change.added.size(), 1u);
    EXPECT_EQ(store.cardCount(), 1u);
    EXPECT_EQ(store.nodeCount(), 1u);
    InventoryDelta late{.clusterId = 1, .removedNodes = {pool.intern("A")}};
    EXPECT_THAT(store.apply(late, noon).removed, IsEmpty());
    EXPECT_EQ(store.cardCount(), 1u);
}

TEST_F(CardStoreTest, IgnoresWhatComesLateForAForgottenCluster)
{
    upsert({node("a", {card(0, 0)})});
    store.forgetCluster(1);
    EXPECT_THAT(upsert({node("a", {card(0, 0)})}).added, IsEmpty());
    EXPECT_EQ(store.cardCount(), 0u);
    EXPECT_EQ(store.nodeCount(), 0u);
    EXPECT_THAT(store.clusters(), IsEmpty());
}

TEST_F(CardStoreTest, ForgetsEverythingOfTheClusterOnRestart)
{
    upsert({node("a", {card(0, 0)}), node("b", {card(1, 0)})});
    upsert({node("a", {card(0, 0)})}, 2);
    InventoryDelta again{.clusterId = 1, .restart = true, .upserts = {node("a", {card(0, 0)})}};
    const auto change = store.apply(again, noon);
    EXPECT_EQ(change.removed.size(), 2u);
    EXPECT_EQ(change.added.size(), 1u);
    EXPECT_EQ(store.cardCount(), 2u);
    EXPECT_EQ(at("b"), noCard);
}

TEST_F(CardStoreTest, ReusesANumberOnlyInALaterApply)
{
    upsert({node("a", {card(0, 0)})});
    const CardIndex old = at("a");
    const auto change = upsert({node("a", {}), node("b", {card(1, 0)})});
    EXPECT_THAT(change.removed, ElementsAre(old));
    EXPECT_NE(at("b"), old);
    upsert({node("c", {card(2, 0)})});
    EXPECT_EQ(at("c"), old);
}

TEST_F(CardStoreTest, LetsAnOrdinalPassToAnotherCardWithinOneDelta)
{
    upsert({node("a", {card(5, 0)})});
    upsert({node("b", {card(5, 0)}), node("a", {})});
    sample({.ordinal = 5, .utilizationPercent = 42});
    EXPECT_EQ(store.utilizationOf(at("b")), 42.0f);
    EXPECT_EQ(store.cardCount(), 1u);
}

TEST_F(CardStoreTest, KeepsZeroAndNotReportedApart)
{
    upsert({node("a", {card(0, 0)})});
    const CardIndex it = at("a");
    EXPECT_FALSE(store.sampledAt(it).has_value());
    EXPECT_TRUE(std::isnan(store.utilizationOf(it)));
    sample({.ordinal = 0, .utilizationPercent = 0, .powerWatts = 158.4f});
    EXPECT_EQ(store.utilizationOf(it), 0.0f);
    EXPECT_TRUE(std::isnan(store.temperatureOf(it)));
    EXPECT_EQ(store.powerOf(it), 158.4f);
    EXPECT_EQ(store.memoryUsedBytesOf(it), std::nullopt);
    EXPECT_EQ(store.memoryBytesOf(it), std::nullopt);
    EXPECT_EQ(store.sampledAt(it), noon);
    EXPECT_TRUE(store.sourcesOf(it).testFlag(CardSource::Exporter));
    sample({.ordinal = 0, .temperatureCelsius = -12.25f});
    EXPECT_TRUE(std::isnan(store.utilizationOf(it)));
    EXPECT_EQ(store.temperatureOf(it), -12.25f);
}

TEST_F(CardStoreTest, TakesTheExportersMemoryOnlyWhereKubernetesNamesNone)
{
    auto record = card(0, 0);
    upsert({node("a", {record})});
    sample({.ordinal = 0, .memoryTotalBytes = 1024.0f * 1024 * 1024});
    EXPECT_EQ(store.memoryBytesOf(at("a")), 1024LL * 1024 * 1024);
    EXPECT_EQ(pool.utf8(store.details(at("a")).memorySource), "exporter");
    record.memoryBytes = 85520809984;
    upsert({node("a", {record})});
    EXPECT_EQ(store.memoryBytesOf(at("a")), 85520809984);
    EXPECT_TRUE(store.flagsOf(at("a")).testFlag(CardFlag::MemoryDiffers));
    sample({.ordinal = 0, .memoryTotalBytes = 85899345920.0f});
    EXPECT_FALSE(store.flagsOf(at("a")).testFlag(CardFlag::MemoryDiffers));
}

TEST_F(CardStoreTest, TakesTheWorseHealthAndSaysWhenSourcesContradict)
{
    auto record = card(0, 0);
    record.health = CardHealth::Healthy;
    upsert({node("a", {record})});
    EXPECT_EQ(store.healthOf(at("a")), CardHealth::Healthy);
    auto change = sample({.ordinal = 0, .health = CardHealth::Unhealthy});
    EXPECT_THAT(change.identityChanged, ElementsAre(at("a")));
    EXPECT_EQ(store.healthOf(at("a")), CardHealth::Unhealthy);
    EXPECT_TRUE(store.flagsOf(at("a")).testFlag(CardFlag::HealthDiffers));
    change = sample({.ordinal = 0, .health = CardHealth::Unhealthy});
    EXPECT_THAT(change.identityChanged, IsEmpty());
    EXPECT_FALSE(change.measured.empty());
    record.health = CardHealth::NotReported;
    upsert({node("a", {record})});
    EXPECT_EQ(store.healthOf(at("a")), CardHealth::Unhealthy);
    EXPECT_FALSE(store.flagsOf(at("a")).testFlag(CardFlag::HealthDiffers));
}

TEST_F(CardStoreTest, ForgetsMeasurementsWhenAnotherCardSitsInThePlace)
{
    upsert({node("a", {card(0, 0, gpuUuid)})});
    sample({.ordinal = 0, .utilizationPercent = 42});
    upsert({node("a", {card(0, 0, "GPU-a000001e-1111-4222-8333-000000000002")})});
    EXPECT_FALSE(store.sampledAt(at("a")).has_value());
    int first = 0;
    EXPECT_TRUE(store.utilizationHistory(at("a"), first).empty());
    EXPECT_FALSE(store.historyEnd(at("a")).has_value());
}

TEST_F(CardStoreTest, NamesWorkloadsInOneOrder)
{
    auto record = card(0, 0);
    record.workloads = {pool.intern("qwen"), pool.intern("bert")};
    auto other = card(1, 1);
    other.workloads = {pool.intern("bert"), pool.intern("qwen"), pool.intern("bert")};
    auto single = card(2, 2);
    single.workloads = {pool.intern("bert + qwen")};
    upsert({node("a", {record, other, single})});
    EXPECT_EQ(pool.utf8(store.workloadText(at("a", 0))), "bert + qwen");
    EXPECT_EQ(store.workloadText(at("a", 0)), store.workloadText(at("a", 1)));
    EXPECT_EQ(store.workloadsOf(at("a", 1)).size(), 2u);
    EXPECT_EQ(store.workloadsOf(at("a", 2)).size(), 1u);
}

TEST_F(CardStoreTest, FindsCardsByPartOfTheirUuid)
{
    upsert({node("a", {card(0, 0, gpuUuid), card(1, 1, "GPU-b0000000-1111-4222-8333-00000000ABCD"),
                       card(2, 2, "D1A5D7A2-0A20A0B0-6B3C4D5E"), card(3, 3)})});
    const auto found = [&](std::string_view needle) {
        std::vector<int> slots;
        store.forEachUuidContaining(needle, [&](CardIndex it) { slots.push_back(store.slotOf(it)); });
        return slots;
    };
    EXPECT_THAT(found("1111-4222"), UnorderedElementsAre(0, 1));
    EXPECT_THAT(found("gpu-B"), UnorderedElementsAre(1));
    EXPECT_THAT(found("u-a0000"), UnorderedElementsAre(0));
    EXPECT_THAT(found("abcd"), UnorderedElementsAre(1));
    EXPECT_THAT(found("d7a2-0A"), UnorderedElementsAre(2));
    EXPECT_THAT(found("qwen"), IsEmpty());
    EXPECT_THAT(found("guu"), IsEmpty());
}

TEST_F(CardStoreTest, TellsWhenNothingChanged)
{
    upsert({node("a", {card(0, 0, gpuUuid)})});
    const auto change = upsert({node("a", {card(0, 0, gpuUuid)})});
    EXPECT_THAT(change.added, IsEmpty());
    EXPECT_THAT(change.identityChanged, IsEmpty());
    EXPECT_FALSE(change.valuesChanged);
}

TEST_F(CardStoreTest, MarksMeasuredCardsOfAClusterWhoseMetricsClockIsWrong)
{
    upsert({node("a", {card(0, 0), card(1, 1)})});
    sample({.ordinal = 0, .utilizationPercent = 1});
    auto status = std::make_shared<ClusterStatus>();
    status->metrics.clockSkew = -31s;
    InventoryDelta delta{.clusterId = 1, .status = status};
    const auto change = store.apply(delta, noon);
    EXPECT_TRUE(change.statusChanged);
    EXPECT_THAT(change.identityChanged, ElementsAre(at("a", 0)));
    EXPECT_TRUE(store.flagsOf(at("a", 0)).testFlag(CardFlag::ClockSkewed));
    EXPECT_FALSE(store.flagsOf(at("a", 1)).testFlag(CardFlag::ClockSkewed));
    EXPECT_EQ(store.status(1), status.get());
    EXPECT_EQ(store.status(2), nullptr);
}

TEST_F(CardStoreTest, SurvivesModelNamesMadeAnewForEachCard)
{
    std::vector<NodeUpdate> updates;
    for (std::uint32_t i = 0; i < 70'000; ++i) {
        auto record = card(i, 0);
        record.model = pool.intern("model-" + std::to_string(i));
        updates.push_back(node("n" + std::to_string(i), {record}));
    }
    upsert(std::move(updates));
    EXPECT_EQ(store.cardCount(), 70'000u);
    EXPECT_EQ(pool.utf8(store.model(store.modelIndexOf(at("n10"))).model), "model-10");
    EXPECT_EQ(store.model(store.modelIndexOf(at("n69999"))).vendor, Vendor::Nvidia);
}

TEST_F(CardStoreTest, TakesAtMost150BytesACard)
{
    constexpr std::uint32_t cards = 100'000;
    pool.intern("warm");
    std::uint32_t ordinal = 0;
    std::vector<NodeUpdate> updates;
    char text[80];
    for (std::uint32_t n = 0; n < cards / 8; ++n) {
        std::snprintf(text, sizeof text, "node-uid-%08x-0000-4000-8000-%012x", n * 2654435761u, n);
        std::string uid(text + 9);
        NodeUpdate update;
        for (std::uint16_t slot = 0; slot < 8; ++slot, ++ordinal) {
            std::snprintf(text, sizeof text, "GPU-%08x-1111-4222-8333-%012x", ordinal * 2654435761u, ordinal);
            auto record = card(ordinal, slot, text);
            record.memoryBytes = 85520809984;
            record.driver = pool.intern("550.54.15");
            record.numaNode = slot < 4 ? 0 : 1;
            const std::string workload = "qwen2-72b-" + std::to_string(ordinal % 400);
            record.workloads = {pool.intern(workload)};
            std::snprintf(text, sizeof text, "-%08x-%05x", ordinal % 977 * 2654435761u, ordinal);
            record.pods = {pool.intern("inference/" + workload + text)};
            update.cards.push_back(record);
        }
        update.node.name = pool.intern("bj-h100-" + std::to_string(n));
        update.node.uid = pool.intern(uid);
        update.node.resourceVersion = pool.intern(std::to_string(81'000'000 + n));
        updates.push_back(std::move(update));
    }
    upsert(std::move(updates));
    const double store_ = double(store.bytes()) / cards;
    const double strings = double(pool.bytes()) / cards;
    RecordProperty("store_bytes", std::to_string(store_));
    std::printf("store %.1f bytes a card, strings %.1f, together %.1f\n", store_, strings, store_ + strings);
    EXPECT_LE(store_ + strings, 150.0);
}

} // namespace
} // namespace tongchi
