#include "tests/kubernetes/reflector_fake.h"
#include "tests/support/qt_printers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tongchi {
namespace {

using namespace std::chrono_literals;
using namespace test;
using testing::HasSubstr;
using testing::IsEmpty;

std::string statusJson(int code, const std::string &reason, const std::string &message = "made up",
                       const std::string &metadata = "{}")
{
    return R"({"kind":"Status","apiVersion":"v1","metadata":)" + metadata +
           R"(,"status":"Failure","message":")" + message + R"(","reason":")" + reason + R"(","code":)" +
           std::to_string(code) + "}";
}

/// Most requests that began within any `window`.
std::size_t mostWithin(const FakeServer &server, std::chrono::milliseconds window)
{
    std::size_t most = 0;
    for (std::size_t i = 0; i < server.requests.size(); ++i) {
        std::size_t count = 0;
        for (std::size_t j = i;
             j < server.requests.size() && server.requests[j]->at - server.requests[i]->at < window; ++j)
            ++count;
        most = std::max(most, count);
    }
    return most;
}

TEST(ReflectorPages, ComeWhenTheWholeListIsTooSlow)
{
    ReflectorBench bench;
    bench.reflector->start();
    bench.settle();
    bench.server.fail(ErrorCode::Timeout);
    bench.settle();
    ASSERT_EQ(bench.server.requests.size(), 2u);
    EXPECT_EQ(bench.server.last().path, "/api/v1/nodes?limit=5000");
    bench.server.answer(
        nodeList("700", {nodeJson("a", "1", "1")}, R"(,"continue":"to=ken&/1","remainingItemCount":2)"));
    EXPECT_EQ(bench.state().expected, 3);
    EXPECT_EQ(bench.state().objects, 1);
    EXPECT_FALSE(bench.state().complete);
    bench.settle();
    EXPECT_EQ(bench.server.last().path, "/api/v1/nodes?limit=5000&continue=to%3Dken%26%2F1");
    bench.server.answer(nodeList("700", {}, R"(,"continue":"token2","remainingItemCount":2)"));
    bench.settle();
    bench.server.answer(nodeList("700", {nodeJson("b", "2", "2"), nodeJson("c", "3", "3")}));
    bench.settle();
    EXPECT_EQ(bench.table.names(), "a b c") << "an empty page is not the end";
    EXPECT_EQ(bench.table.listsStarted, 1);
    EXPECT_EQ(bench.server.last().value("resourceVersion"), QLatin1String("700"));
    EXPECT_FALSE(bench.state().error);
}

TEST(ReflectorPages, ComeWhenNothingHasArrivedByOurOwnClock)
{
    ReflectorBench bench;
    bench.reflector->start();
    bench.pass(20s, 1s);
    EXPECT_EQ(bench.server.last().path, "/api/v1/nodes?limit=5000");
    EXPECT_FALSE(bench.server.requests[0]->open);
}

TEST(ReflectorPages, ComeWhenTheServerSaysThatItIsTooMuch)
{
    for (const int status : {413, 504}) {
        ReflectorBench bench;
        bench.reflector->start();
        bench.settle();
        bench.server.answer(statusJson(status, "Timeout"), status);
        bench.settle();
        EXPECT_EQ(bench.server.last().path, "/api/v1/nodes?limit=5000");
    }
}

TEST(ReflectorPages, ComeAfterTwoListsThatBrokeOff)
{
    ReflectorBench bench;
    bench.reflector->start();
    for (int i = 0; i < 2; ++i) {
        bench.pass(2s);
        EXPECT_FALSE(bench.server.last().has("limit"));
        bench.server.headers();
        bench.server.data(nodeList("1", {nodeJson("a", "1", "1")}).substr(0, 100));
        bench.server.fail(ErrorCode::Network);
        EXPECT_EQ(bench.state().phase, WatchPhase::Waiting);
    }
    bench.pass(3s);
    EXPECT_TRUE(bench.server.last().has("limit"));
}

TEST(ReflectorPages, AreGivenUpForOneWholeListWhenTheirTokenExpires)
{
    ReflectorBench bench({.pages = true});
    bench.reflector->start();
    bench.settle();
    bench.server.answer(
        nodeList("700", {nodeJson("a", "1", "1"), nodeJson("old", "9", "1")}, R"(,"continue":"t1")"));
    bench.settle();
    bench.server.answer(statusJson(410, "Expired", "too old", R"({"continue":"fresh"})"), 410);
    bench.settle();
    EXPECT_EQ(bench.server.last().path, "/api/v1/nodes");
    bench.server.answer(nodeList("800", {nodeJson("a", "1", "1"), nodeJson("b", "2", "2")}));
    bench.settle();
    EXPECT_EQ(bench.table.names(), "a b") << "nothing of the broken list stays";
    EXPECT_EQ(bench.server.last().value("resourceVersion"), QLatin1String("800"));
}

TEST(ReflectorPages, AreFollowedWhenTheServerPagesByItself)
{
    ReflectorBench bench;
    bench.reflector->start();
    bench.settle();
    bench.server.answer(nodeList("700", {nodeJson("a", "1", "1")}, R"(,"continue":"t1")"));
    bench.settle();
    EXPECT_EQ(bench.server.last().value("continue"), QLatin1String("t1"));
    EXPECT_FALSE(bench.server.last().has("resourceVersion"));
}

TEST(ReflectorPages, DoNotCircleOnOneToken)
{
    ReflectorBench bench({.pages = true});
    bench.reflector->start();
    for (int i = 0; i < 2; ++i) {
        bench.settle();
        bench.server.answer(nodeList("700", {}, R"(,"continue":"same")"));
    }
    EXPECT_EQ(bench.state().phase, WatchPhase::Waiting);
    ASSERT_TRUE(bench.state().error);
    EXPECT_EQ(bench.state().error->code, ErrorCode::Protocol);
}

TEST(ReflectorFaults, KeepsTheRowsWhenAFreshListBreaksOff)
{
    ReflectorBench bench;
    bench.startWatching();
    bench.server.data(watchEvent("ERROR", expiredStatus()));
    bench.settle();
    bench.server.headers();
    bench.server.data(nodeList("9000", {nodeJson("gpu-02", "uid-02", "1")}).substr(0, 90));
    bench.server.fail(ErrorCode::Network);
    EXPECT_EQ(bench.table.names(), "gpu-01");
    EXPECT_EQ(bench.table.listsFinished, 1);
    EXPECT_EQ(bench.state().objects, 1);
    EXPECT_TRUE(bench.state().complete);
    bench.pass(2s);
    bench.server.answer(nodeList("9001", {nodeJson("gpu-02", "uid-02", "1")}));
    EXPECT_EQ(bench.table.names(), "gpu-02");
}

TEST(ReflectorFaults, WaitsLongerAndLongerAndSaysUntilWhen)
{
    ReflectorBench bench;
    bench.random = 0.999;
    bench.reflector->start();
    std::vector<std::chrono::milliseconds> pauses;
    for (int i = 0; i < 9; ++i) {
        bench.settle();
        ASSERT_EQ(bench.server.requests.size(), std::size_t(i + 1));
        bench.server.fail(ErrorCode::Network);
        EXPECT_EQ(bench.state().phase, WatchPhase::Waiting);
        ASSERT_TRUE(bench.state().nextTry);
        pauses.push_back(*bench.state().nextTry - bench.clock.now());
        bench.pass(pauses.back() - 1ms, 1s); // in steps: a leap would look like a machine that slept
        EXPECT_EQ(bench.server.requests.size(), std::size_t(i + 1));
        bench.clock.advance(1ms);
    }
    EXPECT_NEAR(double(pauses[0].count()), 800, 2);
    EXPECT_NEAR(double(pauses[1].count()), 1600, 2);
    EXPECT_NEAR(double(pauses[8].count()), 30'000, 100);
    EXPECT_TRUE(std::is_sorted(pauses.begin(), pauses.end()));
}

TEST(ReflectorFaults, ForgetsItsPausesAfterTwoQuietMinutes)
{
    ReflectorBench bench;
    bench.reflector->start();
    for (int i = 0; i < 6; ++i) {
        bench.pass(40s);
        bench.server.fail(ErrorCode::Network);
    }
    bench.pass(40s);
    bench.server.answer(nodeList("1", {}));
    bench.settle();
    bench.server.headers();
    for (int i = 0; i < 130; ++i) {
        bench.pass(1s, 1s);
        bench.server.data(watchEvent("BOOKMARK", R"({"metadata":{"resourceVersion":"2"}})"));
    }
    bench.server.fail(ErrorCode::Network);
    EXPECT_LE(*bench.state().nextTry - bench.clock.now(), 800ms);
}

TEST(ReflectorFaults, ResumesTheWatchAtItsVersionAfterA429AndKeepsRetryAfter)
{
    ReflectorBench bench;
    bench.startWatching();
    bench.clock.advance(2s);
    bench.server.data(watchEvent("MODIFIED", nodeJson("gpu-01", "uid-01", "6007")));
    bench.server.end();
    bench.settle();
    bench.server.answer(statusJson(429, "TooManyRequests"), 429, {{"Retry-After", "7"}});
    EXPECT_EQ(bench.state().phase, WatchPhase::Waiting);
    EXPECT_EQ(bench.state().error->code, ErrorCode::RateLimited);
    bench.reflector->refreshNow();
    bench.pass(6500ms);
    EXPECT_EQ(bench.server.requests.size(), 3u)
        << "not even the operator hurries a server that asked for time";
    bench.pass(2s);
    ASSERT_EQ(bench.server.requests.size(), 4u);
    EXPECT_EQ(bench.server.last().value("resourceVersion"), QLatin1String("6007"));
    EXPECT_EQ(bench.server.count(false), 1u);
}

TEST(ReflectorFaults, StopsAt403UntilAsked)
{
    ReflectorBench bench;
    bench.reflector->start();
    bench.settle();
    bench.server.answer(statusJson(403, "Forbidden", "nodes is forbidden"), 403);
    EXPECT_EQ(bench.state().phase, WatchPhase::Forbidden);
    EXPECT_EQ(bench.state().error->code, ErrorCode::Forbidden);
    EXPECT_FALSE(bench.state().nextTry);
    bench.pass(1h, 10s);
    EXPECT_EQ(bench.server.requests.size(), 1u);
    bench.reflector->refreshNow();
    bench.settle();
    EXPECT_EQ(bench.server.requests.size(), 2u);
    bench.server.answer(nodeList("1", {nodeJson("a", "1", "1")}));
    EXPECT_EQ(bench.state().phase, WatchPhase::Watching);
    EXPECT_FALSE(bench.state().error);
}

TEST(ReflectorFaults, CallsA404AMissingResource)
{
    ReflectorBench bench;
    bench.reflector->start();
    bench.settle();
    bench.server.answer("404 page not found\n", 404);
    EXPECT_EQ(bench.state().phase, WatchPhase::Missing);
    bench.pass(10min, 10s);
    EXPECT_EQ(bench.server.requests.size(), 1u);
}

TEST(ReflectorFaults, ListsWithoutAVersionWhenTheVersionIsTooLarge)
{
    ReflectorBench bench;
    bench.startWatching();
    bench.clock.advance(2s);
    bench.server.end();
    bench.settle();
    if (bench.server.requests.size() < 3)
        bench.pass(2s);
    bench.server.answer(statusJson(504, "Timeout", "Too large resource version: 6000, current: 12"), 504);
    bench.settle();
    EXPECT_EQ(bench.server.last().path, "/api/v1/nodes");
}

TEST(ReflectorFaults, ListsAnewWhenTheWatchRequestIsNotUnderstood)
{
    ReflectorBench bench;
    bench.startWatching();
    bench.clock.advance(2s);
    bench.server.end();
    bench.pass(2s);
    bench.server.answer(statusJson(400, "BadRequest"), 400);
    bench.pass(2s);
    EXPECT_EQ(bench.server.count(false), 2u);
}

TEST(ReflectorFaults, GivesUpAVersionThatTheServerFailsOnAgainAndAgain)
{
    ReflectorBench bench;
    bench.startWatching();
    for (int i = 0; i < 3; ++i) {
        bench.server.data(watchEvent("ERROR", statusJson(500, "InternalError")));
        EXPECT_EQ(bench.server.count(false), 1u);
        bench.pass(6s);
        bench.server.headers();
    }
    EXPECT_EQ(bench.server.count(false), 2u);
}

TEST(ReflectorFaults, TakesASuccessfulStatusObjectForTheErrorThatItIs)
{
    ReflectorBench bench;
    bench.reflector->start();
    bench.settle();
    bench.server.answer(statusJson(403, "Forbidden"));
    EXPECT_EQ(bench.state().phase, WatchPhase::Forbidden);
    EXPECT_EQ(bench.table.listsFinished, 0);
}

TEST(ReflectorFaults, WaitsAtTheLoginPageOfAProxy)
{
    ReflectorBench bench;
    bench.reflector->start();
    bench.settle();
    bench.server.answer("<html><title>Sign in</title></html>", 200, {{"Content-Type", "text/html"}});
    EXPECT_EQ(bench.state().phase, WatchPhase::Waiting);
    EXPECT_EQ(bench.state().error->code, ErrorCode::Protocol);
    EXPECT_THAT(englishText(*bench.state().error).toStdString(), HasSubstr("could not be read"));

    ReflectorBench watching;
    watching.startWatching();
    watching.server.data("<html>Sign in</html>\n");
    EXPECT_EQ(watching.state().phase, WatchPhase::Waiting);
    EXPECT_EQ(watching.state().error->code, ErrorCode::Protocol);
    EXPECT_EQ(watching.table.names(), "gpu-01");
    EXPECT_THAT(watching.table.unreadables, IsEmpty());
}

TEST(ReflectorFaults, DoesNotSpinOnWatchesThatEndAtOnce)
{
    ReflectorBench bench;
    bench.startWatching();
    for (int i = 0; i < 300; ++i) {
        if (bench.server.last().open) {
            if (bench.server.last().isWatch())
                bench.server.answer("");
        }
        bench.pass(100ms);
    }
    EXPECT_LE(bench.server.requests.size(), 10u) << "in half a minute";
}

TEST(ReflectorFaults, NeverAsksMoreThanTenTimesInTenSeconds)
{
    ReflectorBench bench({.backoff = {.first = 1ms, .most = 1ms}});
    bench.reflector->start();
    for (int i = 0; i < 300; ++i) {
        if (!bench.server.requests.empty() && bench.server.last().open)
            bench.server.fail(ErrorCode::Network);
        bench.reflector->refreshNow();
        bench.pass(100ms);
    }
    EXPECT_GE(bench.server.requests.size(), 20u);
    EXPECT_LE(mostWithin(bench.server, 10s), 10u);
}

// DA-05
TEST(ReflectorSleep, RenewsTheLinkAtOnceAfterTheMachineSlept)
{
    for (const bool clockStoodStill : {true, false}) {
        ReflectorBench bench;
        bench.startWatching();
        bench.pass(5s);
        ASSERT_EQ(bench.server.requests.size(), 2u);
        if (clockStoodStill)
            bench.clock.jumpWall(120s); // a real sleep: the monotonic clock of Linux stands still
        else
            bench.clock.advance(120s); // SIGSTOP: it runs on
        bench.settle();
        bench.settle();
        ASSERT_EQ(bench.server.requests.size(), 3u);
        EXPECT_EQ(bench.server.last().value("resourceVersion"), QLatin1String("6000"));
        const Monotonic woke = bench.clock.monotonic();

        // Two tries fail, the version has expired, one list fails, then all is well.
        bench.server.fail(ErrorCode::Network);
        EXPECT_EQ(bench.state().phase, WatchPhase::Waiting);
        bench.pass(1s);
        bench.server.fail(ErrorCode::Network);
        bench.pass(2s);
        bench.server.answer(expiredStatus(), 410);
        bench.settle();
        EXPECT_FALSE(bench.server.last().isWatch());
        bench.server.answer("<html>502</html>", 502);
        EXPECT_EQ(bench.table.names(), "gpu-01") << "what was known stays";
        bench.pass(4s);
        bench.server.answer(
            nodeList("9000", {nodeJson("gpu-01", "uid-01", "8990"), nodeJson("gpu-02", "uid-02", "8991")}));
        bench.settle();
        EXPECT_EQ(bench.server.last().value("resourceVersion"), QLatin1String("9000"));
        EXPECT_EQ(bench.table.names(), "gpu-01 gpu-02");
        EXPECT_LE(bench.clock.monotonic() - woke, 15s);
        EXPECT_LE(mostWithin(bench.server, 10s), 10u);
    }
}

TEST(ReflectorSleep, DoesNotWaitOutALongPauseAfterwards)
{
    ReflectorBench bench;
    bench.reflector->start();
    for (int i = 0; i < 8; ++i) {
        bench.pass(40s);
        if (bench.server.last().open)
            bench.server.fail(ErrorCode::Network);
    }
    const std::size_t before = bench.server.requests.size();
    bench.pass(1s);
    bench.clock.jumpWall(1h);
    bench.settle();
    EXPECT_EQ(bench.server.requests.size(), before + 1);
}

TEST(ReflectorSleep, IgnoresAClockThatIsPutBack)
{
    ReflectorBench bench;
    bench.startWatching();
    bench.pass(5s);
    bench.clock.jumpWall(-1h);
    bench.pass(10s);
    EXPECT_EQ(bench.server.requests.size(), 2u);
}

TEST(ReflectorRefresh, DoesNotPileUpRequests)
{
    ReflectorBench bench;
    bench.reflector->start();
    bench.settle();
    for (int click = 0; click < 10; ++click)
        bench.reflector->refreshNow();
    bench.settle();
    EXPECT_EQ(bench.server.requests.size(), 1u) << "a list is under way";
    bench.server.fail(ErrorCode::Network);
    for (int click = 0; click < 10; ++click)
        bench.reflector->refreshNow();
    bench.settle();
    EXPECT_EQ(bench.server.requests.size(), 2u) << "tried at once, and once";
    bench.server.answer(nodeList("5", {}));
    bench.settle();
    bench.server.headers();
    bench.clock.advance(2s);
    for (int click = 0; click < 10; ++click)
        bench.reflector->refreshNow();
    bench.settle();
    ASSERT_EQ(bench.server.requests.size(), 4u);
    EXPECT_TRUE(bench.server.last().isWatch());
    EXPECT_FALSE(bench.server.requests[2]->open);
    EXPECT_EQ(bench.server.last().value("resourceVersion"), QLatin1String("5"));
}

} // namespace
} // namespace tongchi
