// Lists that are read in another thread, against the same lists read where they arrive.

#include "tests/kubernetes/reflector_fake.h"
#include "tests/support/qt_printers.h"
#include "tests/support/wait.h"

#include <QThreadPool>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <random>

namespace tongchi {
namespace {

using namespace std::chrono_literals;
using namespace test;
using testing::IsEmpty;

/// Everything that a sink hears, as text.
class SaidSink final : public ResourceSink<NodeRecord>
{
public:
    void listStarted() override { said.push_back("started"); }
    void upsert(const NodeRecord &record) override
    {
        std::string text = "upsert " + record.key.name + ' ' + record.key.uid + ' ' + record.resourceVersion;
        for (const auto &[key, value] : record.labels)
            text += ' ' + key + '=' + value;
        for (const ResourceAmount &amount : record.resources)
            text += ' ' + amount.name + ':' + amount.rawCapacity;
        said.push_back(text);
    }
    void removed(const ObjectKey &key) override { said.push_back("removed " + key.name); }
    void unreadable(const UnreadableObject &object) override
    {
        said.push_back("unreadable " + object.key.name + ' ' + object.reason);
    }
    void listFinished() override { said.push_back("finished"); }
    void stateChanged(const WatchState &state) override { last = state; }

    std::vector<std::string> said;
    WatchState last;
};

/// Tasks wait until the test runs them.
struct HeldTasks
{
    ListExecutor executor()
    {
        return [this](std::function<void()> task) { tasks.push_back(std::move(task)); };
    }
    bool runOne()
    {
        if (tasks.empty())
            return false;
        const auto task = std::move(tasks.front());
        tasks.pop_front();
        task();
        return true;
    }
    /// Until nothing is left to read or to apply.
    void runAll()
    {
        do {
            while (runOne())
                ;
            QCoreApplication::sendPostedEvents();
        } while (!tasks.empty());
    }
    std::deque<std::function<void()>> tasks;
};

struct ThreadBench
{
    explicit ThreadBench(ListExecutor executor, std::size_t pieceBytes = 100, std::size_t piecesAhead = 12)
    {
        reflector =
            std::make_unique<Reflector<NodeRecord>>(ReflectorOptions{.path = "/api/v1/nodes",
                                                                     .subject = QStringLiteral("nodes"),
                                                                     .clock = &clock,
                                                                     .random = [] { return 0.0; },
                                                                     .executor = std::move(executor),
                                                                     .pieceBytes = pieceBytes,
                                                                     .piecesAhead = piecesAhead},
                                                    server.opener(), std::make_unique<NodeParser>(), &sink);
        reflector->start();
        reflector->checkTime();
    }
    void cutInto(const std::string &body, std::mt19937 &random)
    {
        for (std::size_t at = 0; at < body.size();) {
            const std::size_t size = std::min<std::size_t>(body.size() - at, 1 + random() % 900);
            server.data(std::string_view(body).substr(at, size));
            at += size;
        }
    }

    ManualClock clock;
    FakeServer server{&clock};
    SaidSink sink;
    std::unique_ptr<Reflector<NodeRecord>> reflector;
};

std::string randomNode(std::mt19937 &random, int number)
{
    const std::string name = "n" + std::to_string(number);
    switch (random() % 12) {
    case 0:
        return R"({"metadata":{"uid":"nameless"}})";
    case 1:
        return R"({"metadata":{"name":")" + name + R"(","labels":7},"spec":{"taints":{}}})";
    case 2:
        return "[1,2]";
    case 3:
        return std::string(200, '[') + std::string(200, ']');
    case 4: { // one byte is spoiled
        std::string json = nodeJson(name, "u" + name, "5");
        json[json.find("capacity") + random() % 20] = char(32 + random() % 90);
        return json;
    }
    default:
        return nodeJson(name, "u" + name, std::to_string(number),
                        R"({"text":")" + std::string(random() % 1500, 'x') + "\"}");
    }
}

std::string randomList(std::mt19937 &random)
{
    std::vector<std::string> items;
    for (int i = 0, count = int(random() % 40); i < count; ++i)
        items.push_back(randomNode(random, i));
    std::string body = nodeList("700", items);
    switch (random() % 8) {
    case 0: // garbage in some place
        body[random() % body.size()] = "{}[],:\"x"[random() % 8];
        break;
    case 1: // cut off, but an orderly end of the connection
        body.resize(random() % body.size());
        break;
    case 2:
        return expiredStatus();
    default:
        break;
    }
    return body;
}

TEST(ReflectorThread, TellsTheSameInTheSameOrder)
{
    int whole = 0, broken = 0;
    for (unsigned seed = 0; seed < 400; ++seed) {
        std::mt19937 random(seed);
        const std::string body = randomList(random);
        HeldTasks held;
        ThreadBench here({});
        ThreadBench there(held.executor(), random() % 3000, 1 + random() % 20);
        here.server.headers();
        here.server.data(body);
        here.server.end();
        there.server.headers();
        for (std::size_t at = 0; at < body.size();) {
            const std::size_t size = std::min<std::size_t>(body.size() - at, 1 + random() % 900);
            there.server.data(std::string_view(body).substr(at, size));
            at += size;
            for (unsigned run = random() % 3; run > 0; --run)
                held.runOne();
            if (random() % 2)
                QCoreApplication::sendPostedEvents();
        }
        there.server.end();
        held.runAll();
        ASSERT_EQ(there.sink.said, here.sink.said) << "seed " << seed;
        const WatchState &expected = here.reflector->state();
        const WatchState &got = there.reflector->state();
        ASSERT_EQ(int(got.phase), int(expected.phase)) << "seed " << seed;
        ASSERT_EQ(got.complete, expected.complete);
        ASSERT_EQ(got.objects, expected.objects);
        ASSERT_EQ(got.error.has_value(), expected.error.has_value());
        if (got.error) {
            EXPECT_EQ(got.error->code, expected.error->code);
            EXPECT_EQ(got.error->detail, expected.error->detail) << "seed " << seed;
        }
        ++(got.complete ? whole : broken);
    }
    EXPECT_GT(whole, 50);
    EXPECT_GT(broken, 50);
}

TEST(ReflectorThread, WatchesOnlyOnceTheLastPieceIsApplied)
{
    HeldTasks held;
    ThreadBench bench(held.executor());
    bench.server.answer(nodeList("700", {nodeJson("a", "1", "1"), nodeJson("b", "2", "2")}));
    bench.clock.advance(60s);
    bench.reflector->checkTime();
    bench.reflector->refreshNow();
    bench.reflector->checkTime();
    EXPECT_EQ(bench.server.requests.size(), 1u) << "the list is neither asked for again nor taken as read";
    EXPECT_FALSE(bench.reflector->state().complete);
    EXPECT_EQ(int(bench.reflector->state().phase), int(WatchPhase::Listing));
    held.runAll();
    EXPECT_TRUE(bench.reflector->state().complete);
    EXPECT_EQ(bench.reflector->state().objects, 2);
    bench.reflector->checkTime();
    ASSERT_EQ(bench.server.requests.size(), 2u);
    EXPECT_EQ(bench.server.last().value("resourceVersion"), QLatin1String("700"));
    bench.server.headers();
    bench.server.data(watchEvent("MODIFIED", nodeJson("a", "1", "701")));
    EXPECT_EQ(bench.sink.said.back().substr(0, 14), "upsert a 1 701")
        << "events do not go through the thread";
}

TEST(ReflectorThread, ReadsPageAfterPage)
{
    HeldTasks held;
    ThreadBench bench(held.executor());
    bench.server.answer(
        nodeList("700", {nodeJson("a", "1", "1")}, R"(,"continue":"more","remainingItemCount":1)"));
    held.runAll();
    EXPECT_EQ(bench.reflector->state().objects, 1);
    EXPECT_EQ(bench.reflector->state().expected, 2);
    bench.reflector->checkTime();
    EXPECT_EQ(bench.server.last().value("continue"), QLatin1String("more"));
    bench.server.answer(nodeList("700", {nodeJson("b", "2", "2")}));
    held.runAll();
    EXPECT_TRUE(bench.reflector->state().complete);
    EXPECT_EQ(bench.reflector->state().objects, 2);
    EXPECT_EQ(std::count(bench.sink.said.begin(), bench.sink.said.end(), "started"), 1);
}

TEST(ReflectorThread, ListThatBreaksOffLeavesNothingForTheNext)
{
    HeldTasks held;
    ThreadBench bench(held.executor());
    bench.server.headers();
    bench.server.data(nodeList("700", {nodeJson("old", "1", "1")}));
    bench.server.fail(ErrorCode::Network);
    EXPECT_EQ(int(bench.reflector->state().phase), int(WatchPhase::Waiting));
    bench.clock.advance(30s);
    bench.reflector->checkTime();
    ASSERT_EQ(bench.server.requests.size(), 2u);
    bench.server.answer(nodeList("800", {nodeJson("new", "2", "2")}));
    held.runAll(); // also what the first list left
    ASSERT_EQ(bench.sink.said.size(), 4u);
    EXPECT_EQ(bench.sink.said[0], "started");
    EXPECT_EQ(bench.sink.said[1], "started");
    EXPECT_EQ(bench.sink.said[2].substr(0, 10), "upsert new");
    EXPECT_EQ(bench.sink.said[3], "finished");
}

TEST(ReflectorThread, MayEndAtAnyTime)
{
    for (const bool destroy : {false, true}) {
        HeldTasks held;
        ThreadBench bench(held.executor());
        bench.server.headers();
        bench.server.data(R"({"items":[{"metadata":{"name":"a"}},{"metadata":{}},)");
        bench.server.data(R"({"metadata":{"name":"b"}},)"); // one more waits for the executor
        held.runOne();                                      // parsed, its event not delivered
        if (destroy)
            bench.reflector.reset();
        else
            bench.reflector->stop();
        held.runAll();
        EXPECT_EQ(bench.sink.said, std::vector<std::string>{"started"});
    }
}

TEST(ReflectorThread, ServerWaitsForASlowReader)
{
    HeldTasks held;
    ThreadBench bench(held.executor(), 10, 4);
    bench.server.headers();
    bench.server.data(R"({"items":[)");
    for (int i = 0; i < 4; ++i)
        bench.server.data(nodeJson("n" + std::to_string(i), std::to_string(i), "1") + ',');
    EXPECT_EQ(bench.server.last().pauses, 1);
    EXPECT_EQ(bench.server.last().resumes, 0);
    bench.clock.advance(120s);
    bench.reflector->checkTime();
    EXPECT_TRUE(bench.server.last().open) << "a silence of ours is not the server's";
    held.runAll();
    EXPECT_EQ(bench.server.last().resumes, 1);
    bench.reflector->checkTime();
    EXPECT_TRUE(bench.server.last().open);
    bench.server.data(nodeJson("z", "z", "1") + R"(],"metadata":{"resourceVersion":"5"}})");
    bench.server.end();
    held.runAll();
    EXPECT_TRUE(bench.reflector->state().complete);
    EXPECT_EQ(bench.reflector->state().objects, 5);
}

TEST(ReflectorThread, WorksWithRealThreads)
{
    std::mt19937 random(7);
    QThreadPool pool;
    pool.setMaxThreadCount(1);
    const ListExecutor executor = [&pool](std::function<void()> task) { pool.start(std::move(task)); };
    std::vector<std::string> items;
    for (int i = 0; i < 400; ++i)
        items.push_back(randomNode(random, i));
    const std::string body = nodeList("700", items);
    ThreadBench here({});
    here.server.answer(body);
    ThreadBench one(executor, 4096), two(executor, 100);
    for (ThreadBench *bench : {&one, &two}) {
        bench->server.headers();
        bench->cutInto(body, random);
        bench->server.end();
    }
    ASSERT_TRUE(
        waitUntil([&] { return one.reflector->state().complete && two.reflector->state().complete; }));
    EXPECT_EQ(one.sink.said, here.sink.said);
    EXPECT_EQ(two.sink.said, here.sink.said);
    for (int round = 0; round < 50; ++round) { // dies while its list is being read
        ThreadBench dying(executor, 100);
        dying.server.headers();
        dying.cutInto(body.substr(0, 2000 + random() % 20'000), random);
    }
    pool.waitForDone();
}

} // namespace
} // namespace tongchi
