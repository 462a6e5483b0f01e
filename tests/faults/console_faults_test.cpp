// The console behind a bad way to one of three clusters: whatever the network does, what was known stays, its
// age is shown, and in the end the cards are exactly those of the cluster.

#include "tests/faults/behind_proxy.h"

#include <QFile>

namespace tongchi {
namespace {

using std::chrono::milliseconds;

class ConsoleFaults : public test::BehindProxy
{
};

TEST_F(ConsoleFaults, ADelayedClusterIsWholeAndOnlyLater)
{
    inject({.fault = PoolFault::Delay, .delay = milliseconds(40)});
    openWhole();
    changeThree();
    EXPECT_TRUE(waitForTheTruth());
    EXPECT_FALSE(kubernetes().error);
}

TEST_F(ConsoleFaults, ADrippingClusterIsReadToItsEnd)
{
    patience = std::chrono::seconds(5);
    inject({.fault = PoolFault::Drip, .bytesPerSecond = 200'000});
    openWhole();
    changeThree();
    EXPECT_TRUE(waitForTheTruth());
}

TEST_F(ConsoleFaults, ListsThatBreakOffAreReadAnew)
{
    for (const PoolFault fault : {PoolFault::Cut, PoolFault::Reset}) {
        inject({.fault = fault, .duration = milliseconds(300), .afterBytes = 6'000});
        addSession(optionsBehindProxy());
        ASSERT_TRUE(eventually([this] { return kubernetes().error.has_value(); }));
        EXPECT_EQ(kubernetes().error->code, ErrorCode::Network);
        EXPECT_TRUE(eventually([this] { return isWhole() && direct->isComplete() && shown() == truth(); }))
            << test::differenceOf(shown(), truth());
        inventory->removeSource(lastId);
    }
}

TEST_F(ConsoleFaults, ConnectionsThatEndLoseAndDoubleNothing)
{
    openWhole();
    for (const PoolFault fault : {PoolFault::Cut, PoolFault::Reset}) {
        const auto before = shown();
        inject({.fault = fault, .duration = milliseconds(200)});
        ASSERT_TRUE(eventually([this] { return kubernetes().error.has_value(); }));
        EXPECT_EQ(shown(), before) << "what was known stays";
        changeThree();
        EXPECT_TRUE(waitForTheTruth());
    }
}

TEST_F(ConsoleFaults, ALinkThatDiedIsRenewed)
{
    openWhole();
    inject({.fault = PoolFault::HalfOpen});
    changeThree();
    EXPECT_TRUE(waitForTheTruth());
}

TEST_F(ConsoleFaults, ASilentClusterIsSaidToBeSoWithItsAge)
{
    openWhole();
    const auto before = shown();
    inject({.fault = PoolFault::HalfOpen, .duration = std::chrono::hours(1)});
    const Instant silentSince = clock.now();
    ASSERT_TRUE(eventually([this] { return kubernetes().state == SourceState::Late; }));
    changeThree();
    ASSERT_TRUE(eventually([this] { return kubernetes().state == SourceState::Lost; }));
    EXPECT_LE(*kubernetes().lastHeard, silentSince + milliseconds(100)) << "nothing has been heard since";
    EXPECT_EQ(kubernetes().error->code, ErrorCode::Timeout);
    EXPECT_EQ(shown(), before) << "what was known stays";
    EXPECT_TRUE(inventory->isPartial());
    EXPECT_TRUE(eventually([this] { return inventory->summary().clustersSilent == 1; }));
    inject({.fault = PoolFault::Alive});
    EXPECT_TRUE(waitForTheTruth());
    EXPECT_FALSE(kubernetes().error);
}

TEST_F(ConsoleFaults, AWayThatClosesAndOpensAgainIsTaken)
{
    openWhole();
    inject({.fault = PoolFault::Dead});
    ASSERT_TRUE(eventually([this] { return kubernetes().state == SourceState::Lost; }));
    changeThree();
    inject({.fault = PoolFault::Alive});
    EXPECT_TRUE(waitForTheTruth());
}

} // namespace
} // namespace tongchi
