#include "tests/kubernetes/reflector_fake.h"
#include "tests/support/qt_printers.h"
#include "tests/support/wait.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tongchi {
namespace {

using namespace std::chrono_literals;
using namespace test;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

TEST(Reflector, ListsOnceFromTheCacheThenWatchesFromItsVersion)
{
    ReflectorBench bench;
    bench.reflector->start();
    bench.settle();
    ASSERT_EQ(bench.server.requests.size(), 1u);
    EXPECT_EQ(bench.server.last().path, "/api/v1/nodes?resourceVersion=0");
    EXPECT_EQ(bench.state().phase, WatchPhase::Listing);
    EXPECT_FALSE(bench.state().complete);

    bench.server.answer(nodeList("6000", {nodeJson("a", "1", "1"), nodeJson("b", "2", "2")}));
    EXPECT_EQ(bench.table.names(), "a b");
    EXPECT_TRUE(bench.state().complete);
    EXPECT_EQ(bench.state().objects, 2);
    bench.settle();
    ASSERT_EQ(bench.server.requests.size(), 2u);
    EXPECT_TRUE(bench.server.last().isWatch());
    EXPECT_EQ(bench.server.last().value("resourceVersion"), QLatin1String("6000"));
    EXPECT_EQ(bench.server.last().value("allowWatchBookmarks"), QLatin1String("true"));
    EXPECT_EQ(bench.state().phase, WatchPhase::Watching);
}

TEST(Reflector, DrawsTheLengthOfAWatchBetweenFiveAndTenMinutes)
{
    for (const double random : {0.0, 0.5, 0.999}) {
        ReflectorBench bench;
        bench.random = random;
        bench.startWatching();
        const int seconds = bench.server.last().value("timeoutSeconds").toInt();
        EXPECT_GE(seconds, 300);
        EXPECT_LE(seconds, 600);
        EXPECT_GT(bench.server.last().idle, std::chrono::seconds(seconds));
        EXPECT_LE(bench.server.last().idle, std::chrono::seconds(seconds + 30));
    }
}

TEST(Reflector, KeepsTheSelectorsOfItsPath)
{
    ManualClock clock;
    FakeServer server(&clock);
    NodeTable table;
    Reflector<NodeRecord> reflector({.path = "/api/v1/configmaps?labelSelector=mx%3Dtrue", .clock = &clock},
                                    server.opener(), std::make_unique<NodeParser>(), &table);
    reflector.start();
    reflector.checkTime();
    EXPECT_EQ(server.last().path, "/api/v1/configmaps?labelSelector=mx%3Dtrue&resourceVersion=0");
}

// WT-01
TEST(Reflector, ListsExactlyOnceAfterAnExpiryInsideTheStream)
{
    for (const char *reason : {"Expired", "Gone"}) {
        ReflectorBench bench;
        bench.reflector->start();
        bench.settle();
        bench.server.answer(nodeList("5000", {nodeJson("gpu-01", "uid-01", "4901", R"({"zone":"a"})"),
                                              nodeJson("gpu-02", "uid-02", "4902")}));
        bench.settle();
        bench.server.headers();
        bench.server.data(watchEvent("MODIFIED", nodeJson("gpu-01", "uid-01", "5003", R"({"zone":"b"})")));
        EXPECT_EQ(bench.table.named("gpu-01")->labels[0].second, "b");
        bench.table.sizes.clear();
        bench.server.data(watchEvent("ERROR", expiredStatus(reason)));
        bench.server.data(watchEvent("ERROR", expiredStatus(reason)));
        bench.server.end();
        bench.settle();
        ASSERT_EQ(bench.server.count(false), 2u);
        EXPECT_EQ(bench.server.last().path, "/api/v1/nodes") << "the newest state, not the cache's";
        bench.server.answer(nodeList("9000", {nodeJson("gpu-01", "uid-01", "8999", R"({"zone":"c"})"),
                                              nodeJson("gpu-03", "uid-03", "8000")}));
        bench.settle();
        EXPECT_EQ(bench.server.last().value("resourceVersion"), QLatin1String("9000"));
        EXPECT_EQ(bench.table.names(), "gpu-01 gpu-03");
        EXPECT_EQ(bench.table.named("gpu-01")->labels[0].second, "c");
        EXPECT_THAT(bench.table.sizes, testing::Each(testing::Ge(2u))) << "no blank table in between";
        EXPECT_THAT(bench.table.unreadables, IsEmpty());
        EXPECT_EQ(bench.state().relists, 1);
        bench.pass(10s);
        EXPECT_EQ(bench.server.count(false), 2u);
    }
}

TEST(Reflector, ListsOnceAfterA410OnConnecting)
{
    ReflectorBench bench;
    bench.startWatching();
    bench.server.end();
    bench.pass(2s);
    bench.server.answer(expiredStatus(), 410);
    bench.settle();
    EXPECT_EQ(bench.server.count(false), 2u);
    EXPECT_EQ(bench.server.last().path, "/api/v1/nodes");
    EXPECT_EQ(bench.table.names(), "gpu-01");
}

TEST(Reflector, DoesNotCircleWhenEveryVersionExpiresAtOnce)
{
    ReflectorBench bench;
    bench.reflector->start();
    for (int i = 0; i < 600; ++i) {
        bench.pass(100ms);
        if (!bench.server.last().open)
            continue;
        if (bench.server.last().isWatch())
            bench.server.answer(expiredStatus(), 410);
        else
            bench.server.answer(nodeList("1", {}));
    }
    EXPECT_LE(bench.server.count(false), 12u) << "in a minute";
}

// WT-03
TEST(Reflector, TakesABookmarkOnlyAsAResumePoint)
{
    ReflectorBench bench;
    bench.startWatching();
    bench.server.data(watchEvent("MODIFIED", nodeJson("gpu-01", "uid-01", "6001")));
    bench.server.data(watchEvent(
        "BOOKMARK",
        R"({"kind":"Node","apiVersion":"v1","metadata":{"resourceVersion":"6100","creationTimestamp":null},"spec":{},"status":{"capacity":null,"conditions":null}})"));
    bench.clock.advance(2s);
    bench.server.end();
    bench.settle();
    EXPECT_EQ(bench.server.last().value("resourceVersion"), QLatin1String("6100"));
    EXPECT_EQ(bench.server.count(false), 1u);
    EXPECT_EQ(bench.table.nodes.size(), 1u);
    EXPECT_EQ(bench.state().objects, 1);
    EXPECT_EQ(bench.state().phase, WatchPhase::Watching) << "an orderly end is no error";
    EXPECT_FALSE(bench.state().error);
}

// WT-05
TEST(Reflector, DropsALinkThatIsSilentForTooLongAndResumes)
{
    ReflectorBench bench({.watchShortest = 60s, .watchLongest = 60s, .watchSilence = 1h});
    bench.startWatching();
    bench.server.data(watchEvent("MODIFIED", nodeJson("gpu-01", "uid-01", "6005")));
    const auto heard = bench.state().lastHeard;
    bench.pass(75s, 1s);
    EXPECT_EQ(bench.server.requests.size(), 2u);
    EXPECT_EQ(bench.state().lastHeard, heard) << "the age of the data grows";
    bench.pass(16s, 1s);
    ASSERT_EQ(bench.server.requests.size(), 3u);
    EXPECT_EQ(bench.server.last().value("resourceVersion"), QLatin1String("6005"));
    EXPECT_FALSE(bench.server.requests[1]->open);
    EXPECT_EQ(bench.table.names(), "gpu-01");
    bench.server.headers();
    EXPECT_EQ(bench.state().phase, WatchPhase::Watching);
}

TEST(Reflector, LetsBookmarksKeepAQuietLinkAlive)
{
    ReflectorBench bench({.watchShortest = 60s, .watchLongest = 60s});
    bench.startWatching();
    for (int minute = 0; minute < 5; ++minute) {
        bench.pass(60s, 1s);
        bench.server.data(watchEvent("BOOKMARK", R"({"metadata":{"resourceVersion":"6100"}})"));
    }
    EXPECT_EQ(bench.server.requests.size(), 2u);
}

// WT-07
TEST(Reflector, CountsWhatItCannotReadAndShowsTheRest)
{
    ReflectorBench bench;
    bench.reflector->start();
    bench.settle();
    bench.server.answer(
        nodeList("6000", {nodeJson("a", "1", "1"),
                          R"({"metadata":{"name":"gpu-04","labels":["no"]},"status":{"capacity":"eight"}})",
                          "null", nodeJson("b", "2", "2")}));
    EXPECT_EQ(bench.table.names(), "a b");
    ASSERT_EQ(bench.table.unreadables.size(), 2u);
    EXPECT_THAT(bench.table.unreadables[0], HasSubstr("gpu-04"));
    EXPECT_EQ(bench.state().phase, WatchPhase::Watching);
}

TEST(Reflector, GoesOnBehindAnEventThatItCannotRead)
{
    ReflectorBench bench;
    bench.startWatching();
    bench.server.data(watchEvent(
        "MODIFIED", R"({"metadata":{"name":"gpu-01","uid":"uid-01","resourceVersion":"6007"},"spec":"no"})"));
    bench.server.data("{\"type\":\"SOMETHING\",\"object\":{}}\n");
    EXPECT_EQ(bench.table.unreadables.size(), 2u);
    bench.server.data(watchEvent("ADDED", nodeJson("gpu-02", "uid-02", "6008")));
    EXPECT_EQ(bench.table.names(), "gpu-01 gpu-02");
    EXPECT_EQ(bench.server.requests.size(), 2u);
}

// WT-09
TEST(Reflector, PassesTheUidAlongWhenAnOldObjectIsRemovedLate)
{
    ReflectorBench bench;
    bench.startWatching();
    bench.server.data(watchEvent("ADDED", nodeJson("gpu-07", "uid-07-A", "6001")));
    bench.server.data(watchEvent("DELETED", nodeJson("gpu-07", "uid-07-A", "6002")));
    bench.server.data(watchEvent("ADDED", nodeJson("gpu-07", "uid-07-B", "6003")));
    bench.server.data(watchEvent("DELETED", nodeJson("gpu-07", "uid-07-A", "6002")));
    EXPECT_EQ(bench.table.names(), "gpu-01 gpu-07");
    EXPECT_EQ(bench.table.named("gpu-07")->key.uid, "uid-07-B");
    EXPECT_EQ(bench.state().objects, 2);
}

TEST(Reflector, ReplacesAnObjectWhoseRemovalWasMissed)
{
    ReflectorBench bench;
    bench.startWatching();
    bench.server.data(watchEvent("ERROR", expiredStatus()));
    bench.settle();
    bench.server.answer(nodeList("9000", {nodeJson("gpu-01", "uid-01-B", "8000")}));
    ASSERT_EQ(bench.table.nodes.size(), 1u);
    EXPECT_EQ(bench.table.named("gpu-01")->key.uid, "uid-01-B");
    EXPECT_EQ(bench.state().objects, 1);
}

TEST(Reflector, SplitsItsAnswersAtAnyByte)
{
    const std::string list = nodeList("6000", {nodeJson("a", "1", "1"), nodeJson("b", "2", "2")});
    const std::string events =
        watchEvent("DELETED", nodeJson("a", "1", "3")) + watchEvent("ADDED", nodeJson("c", "3", "4"));
    ReflectorBench bench;
    bench.reflector->start();
    bench.settle();
    bench.server.headers();
    for (const char c : list)
        bench.server.data({&c, 1});
    bench.server.end();
    bench.settle();
    bench.server.headers();
    for (const char c : events)
        bench.server.data({&c, 1});
    EXPECT_EQ(bench.table.names(), "b c");
}

TEST(Reflector, StopsAndStartsAnew)
{
    ReflectorBench bench;
    bench.startWatching();
    bench.reflector->stop();
    bench.settle();
    EXPECT_FALSE(bench.server.last().open);
    EXPECT_EQ(bench.state().phase, WatchPhase::Idle);
    bench.pass(60s);
    EXPECT_EQ(bench.server.requests.size(), 2u);
    bench.reflector->refreshNow();
    bench.settle();
    EXPECT_EQ(bench.server.requests.size(), 2u);
    bench.reflector->start();
    bench.settle();
    EXPECT_EQ(bench.server.count(false), 2u);
}

TEST(Reflector, DrivesItselfByItsOwnTimer)
{
    SystemClock clock;
    FakeServer server(&clock);
    NodeTable table;
    Reflector<NodeRecord> reflector({.path = "/api/v1/nodes", .heartbeat = 20ms}, server.opener(),
                                    std::make_unique<NodeParser>(), &table);
    reflector.start();
    ASSERT_TRUE(waitUntil([&] { return server.requests.size() == 1; }));
    server.answer(nodeList("1", {}));
    ASSERT_TRUE(waitUntil([&] { return server.requests.size() == 2; }));
    EXPECT_TRUE(server.last().isWatch());
}

} // namespace
} // namespace tongchi
