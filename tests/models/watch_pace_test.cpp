#include "models/inventory/watch_pace.h"

#include <gtest/gtest.h>

namespace tongchi {
namespace {

using std::chrono::milliseconds;

class WatchPaceTest : public ::testing::Test
{
protected:
    void compare(milliseconds comparing, milliseconds writing)
    {
        pace.beginComparison();
        clock.advance(comparing);
        pace.endComparison();
        clock.advance(writing);
        pace.written();
    }
    ManualClock clock;
    WatchPace pace{clock};
};

TEST_F(WatchPaceTest, GathersATenthOfASecondAtLeast)
{
    EXPECT_EQ(pace.pause(), milliseconds(100));
    compare(milliseconds(5), milliseconds(1));
    EXPECT_EQ(pace.pause(), milliseconds(100));
}

TEST_F(WatchPaceTest, RestsFourTimesAsLongAsItCompared)
{
    compare(milliseconds(300), milliseconds(20));
    EXPECT_EQ(pace.pause(), milliseconds(1'200));
    clock.advance(milliseconds(1'000));
    EXPECT_EQ(pace.pause(), milliseconds(200));
    clock.advance(milliseconds(1'000));
    EXPECT_EQ(pace.pause(), milliseconds(100));
}

TEST_F(WatchPaceTest, AReaderThatPausesDoesNotSlowItDown)
{
    compare(milliseconds(30), std::chrono::seconds(40));
    EXPECT_EQ(pace.pause(), milliseconds(120));
}

} // namespace
} // namespace tongchi
