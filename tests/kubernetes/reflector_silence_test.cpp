// Links that say nothing: quiet and dead look the same until something is asked.

#include "tests/kubernetes/reflector_fake.h"
#include "tests/support/qt_printers.h"

#include <gtest/gtest.h>

namespace tongchi {
namespace {

using namespace std::chrono_literals;
using namespace test;

TEST(ReflectorSilence, RenewsAWatchThatSaysLessThanItsBookmarks)
{
    ReflectorBench bench;
    bench.startWatching();
    bench.server.data(watchEvent("MODIFIED", nodeJson("gpu-01", "uid-01", "6005")));
    bench.pass(74s, 1s);
    EXPECT_EQ(bench.server.requests.size(), 2u);
    const auto heard = bench.state().lastHeard;
    bench.pass(2s, 1s);
    ASSERT_EQ(bench.server.requests.size(), 3u);
    EXPECT_FALSE(bench.server.requests[1]->open);
    EXPECT_EQ(bench.server.last().value("resourceVersion"), QLatin1String("6005"));
    EXPECT_EQ(bench.state().phase, WatchPhase::Watching) << "it may just be quiet";
    EXPECT_FALSE(bench.state().error);
    EXPECT_EQ(bench.state().lastHeard, heard);
    bench.server.headers();
    bench.pass(1s);
    EXPECT_GT(bench.state().lastHeard, heard) << "the server is there";
    EXPECT_EQ(bench.table.states.back().lastHeard, bench.state().lastHeard) << "and it is said";
    EXPECT_EQ(bench.table.names(), "gpu-01");
}

TEST(ReflectorSilence, IsSaidWhenTheRenewedWatchIsNotAnsweredEither)
{
    ReflectorBench bench({.watchFirstByte = 10s, .watchSilence = 30s});
    bench.startWatching();
    const auto heard = bench.state().lastHeard;
    bench.pass(30s, 1s);
    ASSERT_EQ(bench.server.requests.size(), 3u);
    bench.pass(12s, 1s);
    EXPECT_EQ(bench.state().phase, WatchPhase::Waiting);
    ASSERT_TRUE(bench.state().error);
    EXPECT_EQ(bench.state().error->code, ErrorCode::Timeout);
    EXPECT_EQ(bench.state().lastHeard, heard);
    EXPECT_EQ(bench.table.names(), "gpu-01");
}

} // namespace
} // namespace tongchi
