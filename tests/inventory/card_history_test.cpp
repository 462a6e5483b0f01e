#include "platform/inventory/card_history.h"

#include <gtest/gtest.h>

namespace tongchi {
namespace {

using namespace std::chrono_literals;

constexpr Instant begun{std::chrono::milliseconds{1'798'612'920'000}}; // a whole 30 s

std::vector<int> oldestFirst(const CardHistory &history, std::uint32_t card)
{
    int first = 0;
    const auto ring = history.utilization(card, first);
    std::vector<int> values;
    for (std::size_t i = 0; i < ring.size(); ++i)
        values.push_back(ring[(std::size_t(first) + i) % ring.size()]);
    return values;
}

TEST(CardHistory, IsEmptyBeforeTheFirstSample)
{
    CardHistory history;
    EXPECT_TRUE(oldestFirst(history, 7).empty());
    EXPECT_EQ(history.bytes(), 0u);
    history.record(7, begun, 40, 10);
    EXPECT_EQ(oldestFirst(history, 7).size(), 120u);
    EXPECT_TRUE(oldestFirst(history, 8).empty()) << "a neighbour in the same block has no samples";
}

TEST(CardHistory, KeepsTheMeanOfEachThirtySecondsAndTheGapsBetween)
{
    CardHistory history;
    history.record(0, begun, 40, 10);
    history.record(0, begun + 10s, 50, 10);
    history.record(0, begun + 20s, 60, 10);
    history.record(0, begun + 95s, 80, 10);
    const auto values = oldestFirst(history, 0);
    EXPECT_EQ((std::vector<int>(values.end() - 5, values.end())), (std::vector<int>{255, 50, 255, 255, 80}));
    EXPECT_EQ(history.end(0), begun + 120s);
}

TEST(CardHistory, LetsALateSampleFillAGapButReplaceNothing)
{
    CardHistory history;
    history.record(0, begun, 40, 10);
    history.record(0, begun + 90s, 80, 10);
    history.record(0, begun + 31s, 55, 10);
    history.record(0, begun + 1s, 99, 10);
    const auto values = oldestFirst(history, 0);
    EXPECT_EQ((std::vector<int>(values.end() - 4, values.end())), (std::vector<int>{40, 55, 255, 80}));
}

TEST(CardHistory, HoldsExactlyTheLastHour)
{
    CardHistory history;
    for (int i = 0; i < 300; ++i)
        history.record(0, begun + i * 30s, float(i % 100), 0);
    const auto values = oldestFirst(history, 0);
    for (int i = 0; i < 120; ++i)
        EXPECT_EQ(values[std::size_t(i)], (180 + i) % 100);
    history.record(0, begun + 10h, 5, 0);
    const auto later = oldestFirst(history, 0);
    EXPECT_EQ(std::count(later.begin(), later.end(), 255), 119);
    EXPECT_EQ(later.back(), 5);
}

TEST(CardHistory, TakesNoValueForWhatIsNotReported)
{
    CardHistory history;
    const float nan = std::numeric_limits<float>::quiet_NaN();
    history.record(0, begun, nan, 30);
    int first = 0;
    EXPECT_EQ(history.utilization(0, first)[std::size_t(first + 119) % 120], 255);
    EXPECT_EQ(history.memory(0, first)[std::size_t(first + 119) % 120], 30);
    history.record(0, begun + 5s, 0, nan);
    EXPECT_EQ(history.utilization(0, first)[std::size_t(first + 119) % 120], 0) << "zero is a value";
    history.record(0, begun + 31s, 400, nan);
    EXPECT_EQ(history.utilization(0, first)[std::size_t(first + 119) % 120], 100);
}

TEST(CardHistory, StartsAnewWhenTheClockWentBackByMoreThanItShows)
{
    CardHistory history;
    history.record(0, begun + 48h, 40, 10);
    history.record(0, begun, 20, 10);
    EXPECT_EQ(history.end(0), begun + 30s);
    EXPECT_EQ(oldestFirst(history, 0).back(), 20);
}

TEST(CardHistory, ForgetsACardThatIsGone)
{
    CardHistory history;
    history.record(0, begun, 40, 10);
    history.forget(0);
    EXPECT_TRUE(oldestFirst(history, 0).empty());
    history.record(0, begun + 60s, 1, 1);
    const auto values = oldestFirst(history, 0);
    EXPECT_EQ(std::count(values.begin(), values.end(), 255), 119);
}

} // namespace
} // namespace tongchi
