// Bytes that changed on their way: they never become data, and what they hid is asked for again.

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

/// As a bad proxy leaves it: the text's middle overwritten with bytes that are no text.
std::string damagedAt(std::string text, std::string_view part)
{
    const std::size_t at = text.find(part);
    EXPECT_NE(at, std::string::npos) << part;
    text.replace(at, part.size(), part.size(), '\xFF');
    return text;
}

struct DamagedEvent
{
    const char *what;
    std::string wire;
};

std::vector<DamagedEvent> damagedEvents()
{
    const std::string gone = watchEvent("DELETED", nodeJson("gpu-01", "uid-01", "6002"));
    const std::string changed =
        watchEvent("MODIFIED", nodeJson("gpu-01", "uid-01", "6002", R"({"zone":"before"})"));
    return {
        {"the name of what is gone", damagedAt(gone, "gpu-01")},
        {"the uid of what is gone", damagedAt(gone, "uid-01")},
        {"the kind of event", damagedAt(gone, "DELETED")},
        {"a label", damagedAt(changed, "before")},
        {"a field that nobody reads", damagedAt(changed, "apiVersion")},
        {"the version", damagedAt(changed, "6002")},
        {"the structure", damagedAt(changed, R"("metadata":{)")},
        {"the end of the line", gone.substr(0, gone.size() - 1) + changed},
        {"a control character in a text",
         [&] {
             std::string text = changed;
             text[text.find("before")] = '\x01';
             return text;
         }()},
        {"a bookmark",
         damagedAt(watchEvent("BOOKMARK", R"({"metadata":{"resourceVersion":"6002"}})"), "6002")},
        {"everything", "spoiled\n"},
    };
}

TEST(ReflectorDamage, AnEventIsAskedForAgainAtTheVersionBeforeIt)
{
    for (const DamagedEvent &damaged : damagedEvents()) {
        SCOPED_TRACE(damaged.what);
        ReflectorBench bench;
        bench.startWatching();
        bench.server.data(watchEvent("MODIFIED", nodeJson("gpu-01", "uid-01", "6001", R"({"zone":"a"})")) +
                          damaged.wire + watchEvent("ADDED", nodeJson("gpu-02", "uid-02", "6003")));
        bench.server.data(watchEvent("ADDED", nodeJson("gpu-03", "uid-03", "6004")));
        ASSERT_EQ(bench.table.names(), "gpu-01") << "what stands behind the damage has to wait for it";
        EXPECT_EQ(bench.table.named("gpu-01")->labels.at(0).second, "a");
        EXPECT_THAT(bench.table.unreadables, IsEmpty()) << "the object itself is fine";
        EXPECT_EQ(bench.state().phase, WatchPhase::Waiting);
        ASSERT_TRUE(bench.state().error);
        EXPECT_EQ(bench.state().error->code, ErrorCode::Protocol);
        bench.pass(2s);
        ASSERT_EQ(bench.server.requests.size(), 3u);
        EXPECT_FALSE(bench.server.requests[1]->open);
        EXPECT_TRUE(bench.server.last().isWatch());
        EXPECT_EQ(bench.server.last().value("resourceVersion"), QLatin1String("6001"));
        bench.server.headers();
        bench.server.data(watchEvent("DELETED", nodeJson("gpu-01", "uid-01", "6002")) +
                          watchEvent("ADDED", nodeJson("gpu-02", "uid-02", "6003")));
        EXPECT_EQ(bench.table.names(), "gpu-02");
        EXPECT_EQ(bench.state().phase, WatchPhase::Watching);
        EXPECT_FALSE(bench.state().error);
    }
}

TEST(ReflectorDamage, OfTheSameEventAgainAndAgainIsPassedByWithAList)
{
    ReflectorBench bench;
    bench.startWatching();
    for (int i = 0; i < 40 && bench.server.count(false) == 1; ++i) {
        if (bench.server.last().open && bench.server.last().isWatch()) {
            bench.server.headers();
            bench.server.data(damagedAt(watchEvent("DELETED", nodeJson("gpu-01", "uid-01", "6002")), "uid"));
        }
        bench.pass(1s);
    }
    ASSERT_EQ(bench.server.count(false), 2u);
    EXPECT_LE(bench.server.count(true), 5u);
    bench.server.answer(nodeList("6002", {}));
    EXPECT_EQ(bench.table.names(), "");
}

TEST(ReflectorDamage, AListIsAskedForAgain)
{
    const std::vector<std::string> items{nodeJson("a", "1", "1", R"({"zone":"x"})"), nodeJson("b", "2", "2"),
                                         nodeJson("c", "3", "3")};
    for (const char *part :
         {"gpu\":\"8", "zone", "\"uid\":\"2\"", "},{", "NodeList", "\"6000\"", "apiVersion", "]}"}) {
        SCOPED_TRACE(part);
        ReflectorBench bench;
        bench.reflector->start();
        bench.settle();
        bench.server.answer(damagedAt(nodeList("6000", items), part));
        EXPECT_EQ(bench.state().phase, WatchPhase::Waiting);
        EXPECT_FALSE(bench.state().complete);
        ASSERT_TRUE(bench.state().error);
        EXPECT_EQ(bench.state().error->code, ErrorCode::Protocol);
        bench.pass(2s);
        ASSERT_EQ(bench.server.requests.size(), 2u);
        EXPECT_FALSE(bench.server.last().isWatch());
        bench.server.answer(nodeList("6000", items));
        EXPECT_EQ(bench.table.names(), "a b c");
        EXPECT_TRUE(bench.state().complete);
        EXPECT_FALSE(bench.state().error);
        EXPECT_EQ(bench.server.last().path, "/api/v1/nodes?resourceVersion=0");
    }
}

TEST(ReflectorDamage, OfAFreshListTakesNothingAway)
{
    ReflectorBench bench;
    bench.startWatching();
    bench.server.data(watchEvent("ERROR", expiredStatus()));
    bench.settle();
    bench.server.answer(damagedAt(
        nodeList("9000", {nodeJson("gpu-01", "uid-01", "1"), nodeJson("gpu-02", "uid-02", "1")}), "gpu-01"));
    EXPECT_THAT(bench.table.names(), HasSubstr("gpu-01"));
    EXPECT_EQ(bench.table.listsFinished, 1);
    bench.pass(2s);
    bench.server.answer(nodeList("9000", {nodeJson("gpu-02", "uid-02", "1")}));
    EXPECT_EQ(bench.table.names(), "gpu-02");
}

// Which object it was is not known, so that whatever is missing from the list may be there all the same.
TEST(ReflectorDamage, OfAnIdentityNeverEndsAList)
{
    for (const char *part : {"uid-01", "gpu-01", "\"metadata\":{\"name\":\"gpu-01"}) {
        SCOPED_TRACE(part);
        ReflectorBench bench;
        bench.startWatching();
        bench.server.data(watchEvent("ERROR", expiredStatus()));
        for (int i = 0; i < 60; ++i) {
            bench.pass(1s);
            if (bench.server.last().open)
                bench.server.answer(damagedAt(nodeList("9000", {nodeJson("gpu-01", "uid-01", "1")}), part));
        }
        EXPECT_EQ(bench.table.names(), "gpu-01");
        EXPECT_EQ(bench.table.listsFinished, 1);
        EXPECT_EQ(bench.state().phase, WatchPhase::Waiting);
    }
}

// Should a server itself write something that is no text, the rest is worth more than a clean list.
TEST(ReflectorDamage, ThatStaysIsShownAsWhatCannotBeRead)
{
    ReflectorBench bench;
    bench.reflector->start();
    int answered = 0;
    for (int i = 0; i < 60 && !bench.state().complete; ++i) {
        bench.pass(500ms);
        if (bench.server.last().open && ++answered > 0)
            bench.server.answer(damagedAt(
                nodeList("6000", {nodeJson("a", "1", "1"), nodeJson("b", "2", "2", R"({"zone":"x"})")}),
                "zone"));
    }
    EXPECT_TRUE(bench.state().complete);
    EXPECT_EQ(answered, 3);
    EXPECT_EQ(bench.table.names(), "a");
    ASSERT_FALSE(bench.table.unreadables.empty());
    EXPECT_THAT(bench.table.unreadables.back(), HasSubstr("b: "));
}

} // namespace
} // namespace tongchi
