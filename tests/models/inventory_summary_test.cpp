#include "models/inventory/inventory_summary.h"
#include "tests/models/pool_builder.h"

#include <gtest/gtest.h>

namespace tongchi {
namespace {

using test::PoolBuilder;
using namespace std::chrono_literals;

class InventorySummaryTest : public ::testing::Test
{
protected:
    StringPool strings;
    CardStore store{strings};
    PoolBuilder builder{strings, 1};
    const Instant now{1'000'000s};

    InventorySummary whole()
    {
        SummaryPass pass(store, {});
        pass.begin(now);
        EXPECT_TRUE(pass.step(store.cardSlots()));
        return pass.summary();
    }
};

TEST_F(InventorySummaryTest, AddsUpMemoryAsTheCardsShowIt)
{
    store.apply(builder.delta({{.name = "a", .cards = 3, .memoryBytes = 65536LL << 20}}), now);
    InventoryDelta delta;
    delta.clusterId = 1;
    TelemetryRecord record = builder.telemetry(0, 50, now);
    record.memoryUsedBytes = 32.0F * 1024 * 1024 * 1024;
    delta.telemetry.push_back(record);
    store.apply(delta, now);
    const InventorySummary summary = whole();
    EXPECT_DOUBLE_EQ(summary.memoryTotalGigabytes, 192);
    EXPECT_EQ(summary.memoryTotalKnown, 3U);
    EXPECT_DOUBLE_EQ(summary.memoryUsedGigabytes, 32);
    EXPECT_EQ(summary.memoryUsedReported, 1U);
}

TEST_F(InventorySummaryTest, AnOfflineCardIsNotIdle)
{
    store.apply(builder.delta({{.name = "a"},
                               {.name = "b", .usability = NodeUsability::NotReady},
                               {.name = "c", .label = BusinessLabel::Training, .workload = "llm"}}),
                now);
    const InventorySummary summary = whole();
    EXPECT_EQ(summary.cards, 24U);
    EXPECT_EQ(summary.nodes, 3U);
    EXPECT_EQ(summary.offline, 8U);
    EXPECT_EQ(summary.idle, 8U);
    EXPECT_EQ(summary.labelKnown, 16U);
    EXPECT_EQ(summary.available, 16U);
    EXPECT_EQ(summary.workloads, 1U);
}

TEST_F(InventorySummaryTest, APassInStepsSaysTheSameAsOneInOneGo)
{
    std::vector<PoolBuilder::Node> nodes;
    for (int i = 0; i < 50; ++i)
        nodes.push_back({.name = "node-" + std::to_string(i),
                         .region = i % 3 ? "beijing" : "guiyang",
                         .health = i % 7 ? CardHealth::Healthy : CardHealth::Unhealthy,
                         .workload = "work-" + std::to_string(i % 5)});
    store.apply(builder.delta(nodes), now);
    const InventorySummary inOneGo = whole();
    SummaryPass pass(store, {});
    pass.begin(now);
    int steps = 1;
    while (!pass.step(7)) {
        EXPECT_TRUE(pass.isRunning());
        EXPECT_EQ(pass.summary().cards, 0U) << "half a pass was told";
        ++steps;
    }
    EXPECT_FALSE(pass.isRunning());
    EXPECT_EQ(steps, 58); // 400 cards by 7
    EXPECT_EQ(pass.summary().cards, inOneGo.cards);
    EXPECT_EQ(pass.summary().regions, 2U);
    EXPECT_EQ(pass.summary().faulty, inOneGo.faulty);
    EXPECT_EQ(pass.summary().workloads, 5U);
    EXPECT_DOUBLE_EQ(pass.summary().memoryTotalGigabytes, inOneGo.memoryTotalGigabytes);
}

TEST_F(InventorySummaryTest, CardsMayComeAndGoBetweenTheSteps)
{
    store.apply(builder.delta({{.name = "a"}, {.name = "b"}}), now);
    SummaryPass pass(store, {});
    pass.begin(now);
    EXPECT_FALSE(pass.step(10));
    // A node, a region and a workload that the pass has not heard of when it began.
    store.apply(builder.delta({{.name = "late", .region = "shenzhen", .workload = "new"}}), now);
    while (!pass.step(10)) {
    }
    EXPECT_EQ(pass.summary().cards, 24U);
    EXPECT_EQ(pass.summary().regions, 2U);
    EXPECT_EQ(pass.summary().workloads, 1U);

    pass.begin(now);
    EXPECT_FALSE(pass.step(20));
    store.forgetCluster(1);
    EXPECT_TRUE(pass.step(10));
    EXPECT_LE(pass.summary().available, pass.summary().cards);
}

} // namespace
} // namespace tongchi
