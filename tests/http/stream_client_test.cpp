#include "platform/http/stream_client.h"

#include "tests/http/any_client.h"
#include "tests/support/loopback_proxy.h"
#include "tests/support/loopback_server.h"
#include "tests/support/qt_printers.h"
#include "tests/support/wait.h"

#include <QPromise>
#include <QThread>
#include <functional>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tongchi::test {

namespace {

using namespace std::chrono_literals;

/// Records what it is told and runs a hook at each call.
struct RecordingSink final : StreamSink
{
    void onHeaders(int code, const HeaderList &) override
    {
        status = code;
        if (headHook)
            headHook();
    }
    void onData(std::string_view bytes, Monotonic receivedAt) override
    {
        body.append(bytes.data(), qsizetype(bytes.size()));
        lastAt = receivedAt;
        ++pieces;
        if (dataHook)
            dataHook();
    }
    void onFinished(const Status &result) override
    {
        ++finishes;
        ended = result;
        if (finishHook)
            finishHook();
    }

    int status = 0;
    QByteArray body;
    Monotonic lastAt{};
    int pieces = 0;
    int finishes = 0;
    Status ended;
    std::function<void()> headHook;
    std::function<void()> dataHook;
    std::function<void()> finishHook;
};

ConnectionSettings settingsOf(const LoopbackServer &server)
{
    ConnectionSettings settings;
    settings.server = server.url();
    settings.tls.authorityPem = TestAuthority::shared().pem();
    return settings;
}

LoopbackServer::Options encrypted()
{
    return {.tls = TestAuthority::shared().issue()};
}

} // namespace

TEST(StreamClientTest, HandsPiecesOverAsTheyCome)
{
    LoopbackServer server(encrypted());
    const auto live = std::make_shared<LiveBody>();
    server.on("GET", "/watch", Answer::stream(live));
    StreamClient client(settingsOf(server));
    RecordingSink sink;
    const auto handle = client.open({.path = "/watch"}, &sink);
    ASSERT_TRUE(waitUntil([&] { return sink.status == 200; }));
    for (const QByteArray line : {"{\"type\":\"ADDED\"}\n", "{\"type\":\"BOOKMARK\"}\n"}) {
        const qsizetype before = sink.body.size();
        live->push(line);
        ASSERT_TRUE(waitUntil([&] { return sink.body.size() == before + line.size(); }));
        EXPECT_EQ(sink.lastAt, handle->lastByteAt());
    }
    EXPECT_EQ(sink.finishes, 0);
    live->end();
    ASSERT_TRUE(waitUntil([&] { return sink.finishes == 1; }));
    EXPECT_OK(sink.ended);
    EXPECT_GT(client.bytesReceived(), sink.body.size());
}

TEST(StreamClientTest, TellsAnOrderlyEndFromACut)
{
    for (const bool reset : {false, true}) {
        LoopbackServer server(encrypted());
        const auto live = std::make_shared<LiveBody>();
        server.on("GET", "/watch", Answer::stream(live));
        StreamClient client(settingsOf(server));
        RecordingSink sink;
        const auto handle = client.open({.path = "/watch"}, &sink);
        live->push("half an ev");
        ASSERT_TRUE(waitUntil([&] { return sink.body.size() == 10; }));
        reset ? live->reset() : live->cut();
        ASSERT_TRUE(waitUntil([&] { return sink.finishes == 1; }));
        ASSERT_FALSE(sink.ended);
        EXPECT_EQ(sink.ended.error().code, ErrorCode::Network);
    }
}

TEST(StreamClientTest, ASilentStreamEndsWithATimeout)
{
    LoopbackServer server;
    const auto live = std::make_shared<LiveBody>();
    server.on("GET", "/watch", Answer::stream(live));
    StreamClient client(settingsOf(server));
    RecordingSink sink;
    const auto handle = client.open({.path = "/watch"}, &sink, 80ms);
    live->push("one");
    ASSERT_TRUE(waitUntil([&] { return sink.finishes == 1; }));
    ASSERT_FALSE(sink.ended);
    EXPECT_EQ(sink.ended.error().code, ErrorCode::Timeout);
    EXPECT_EQ(sink.body, "one");
    EXPECT_TRUE(waitUntil([&] { return live->clientLeft(); }));
}

TEST(StreamClientTest, AStreamThatIsNeverSilentLivesOn)
{
    LoopbackServer server;
    const auto live = std::make_shared<LiveBody>();
    server.on("GET", "/watch", Answer::stream(live));
    StreamClient client(settingsOf(server));
    RecordingSink sink;
    const auto handle = client.open({.path = "/watch", .timeout = 2s}, &sink, 2s);
    int pushed = 0;
    sink.dataHook = [&] {
        if (++pushed < 20)
            live->push("x");
    };
    live->push("x");
    ASSERT_TRUE(waitUntil([&] { return sink.body.size() == 20; }));
    EXPECT_EQ(sink.finishes, 0);
}

TEST(StreamClientTest, PausingMakesTheServerWait)
{
    const QByteArray body(64 * 1024 * 1024, 'x');
    for (const bool tls : {false, true}) {
        LoopbackServer server(tls ? encrypted() : LoopbackServer::Options{});
        server.on("GET", "/big", Answer::json(body));
        StreamClient client(settingsOf(server));
        RecordingSink sink;
        std::unique_ptr<StreamHandle> handle = client.open({.path = "/big"}, &sink, 50ms);
        bool paused = false;
        sink.dataHook = [&] {
            if (!paused) {
                paused = true;
                handle->pause();
            }
        };
        ASSERT_TRUE(waitUntil([&] { return paused; }));
        const qsizetype atPause = sink.body.size();
        // While other requests come and go only the kernel's buffers fill up, and the idle clock stands
        // still.
        server.on("GET", "/small", Answer::json("{}"));
        for (int i = 0; i < 50; ++i) {
            RecordingSink small;
            const auto other = client.open({.path = "/small"}, &small);
            ASSERT_TRUE(waitUntil([&] { return small.finishes == 1; }));
        }
        EXPECT_EQ(sink.body.size(), atPause);
        EXPECT_LT(server.bytesWritten(), body.size() / 2);
        EXPECT_EQ(sink.finishes, 0);
        handle->resume();
        ASSERT_TRUE(waitUntil([&] { return sink.finishes == 1; }, 20s));
        EXPECT_OK(sink.ended);
        EXPECT_EQ(sink.body.size(), body.size());
    }
}

TEST(StreamClientTest, PausingStopsACompressedBodyBetweenPieces)
{
    LoopbackServer server(encrypted());
    const QByteArray body(20'000'000, 'z'); // arrives in one read
    server.on("GET", "/big", Answer::json(body).gzipped());
    StreamClient client(settingsOf(server));
    RecordingSink sink;
    std::unique_ptr<StreamHandle> handle;
    int pauses = 0;
    sink.dataHook = [&] {
        ++pauses;
        handle->pause();
        EXPECT_EQ(pauses, sink.pieces);
        QMetaObject::invokeMethod(
            &client, [&] { handle->resume(); }, Qt::QueuedConnection);
    };
    handle = client.open({.path = "/big"}, &sink);
    ASSERT_TRUE(waitUntil([&] { return sink.finishes == 1; }, 20s));
    EXPECT_OK(sink.ended);
    EXPECT_TRUE(sink.body == body);
    EXPECT_GT(pauses, 50);
}

TEST(StreamClientTest, NothingIsCalledAfterTheHandleIsGone)
{
    LoopbackServer server(encrypted());
    server.on("GET", "/big", Answer::json(QByteArray(4'000'000, 'x')));
    StreamClient client(settingsOf(server));
    // From within each of the calls, and before the first.
    for (const int where : {0, 1, 2, 3}) {
        RecordingSink sink;
        std::unique_ptr<StreamHandle> handle = client.open({.path = "/big"}, &sink);
        int calls = 0;
        const auto drop = [&] {
            ++calls;
            handle.reset();
        };
        if (where == 0)
            handle.reset();
        if (where == 1)
            sink.headHook = drop;
        if (where == 2)
            sink.dataHook = drop;
        if (where == 3)
            sink.finishHook = drop;
        EXPECT_TRUE(waitUntil([&] { return where == 0 || calls > 0; }));
        RecordingSink next; // a whole further request passes without a call to the old sink
        const auto other = client.open({.path = "/big"}, &next);
        ASSERT_TRUE(waitUntil([&] { return next.finishes == 1; }));
        EXPECT_EQ(calls, where == 0 ? 0 : 1);
        EXPECT_EQ(sink.finishes, where == 3 ? 1 : 0);
    }
}

TEST(StreamClientTest, TheClientMayBeDestroyedFromWithinItsSink)
{
    LoopbackServer server(encrypted());
    server.on("GET", "/big", Answer::json(QByteArray(4'000'000, 'x')));
    for (const int where : {1, 2, 3}) {
        auto client = std::make_unique<StreamClient>(settingsOf(server));
        RecordingSink sink;
        const auto handle = client->open({.path = "/big"}, &sink);
        RecordingSink bystander;
        const auto second = client->open({.path = "/big"}, &bystander);
        const auto destroy = [&] { client.reset(); };
        (where == 1 ? sink.headHook : where == 2 ? sink.dataHook : sink.finishHook) = destroy;
        EXPECT_TRUE(waitUntil([&] { return client == nullptr; }));
        const int pieces = bystander.pieces;
        handle->pause();
        handle->resume();
        EXPECT_TRUE(waitUntil([&] { return server.openConnections() == 0; }));
        EXPECT_EQ(bystander.pieces, pieces);
    }
}

TEST(StreamClientTest, AThousandStreamsShareOneThread)
{
    LoopbackServer server;
    std::mutex mutex;
    std::vector<std::shared_ptr<LiveBody>> bodies;
    server.on("GET", "/watch", [&](const ReceivedRequest &) {
        const std::lock_guard lock(mutex);
        bodies.push_back(std::make_shared<LiveBody>());
        return Answer::stream(bodies.back());
    });
    constexpr size_t count = 300; // each is a thread in the scripted server
    StreamClient client(settingsOf(server));
    std::vector<RecordingSink> sinks(count);
    std::vector<std::unique_ptr<StreamHandle>> handles;
    for (RecordingSink &sink : sinks)
        handles.push_back(client.open({.path = "/watch"}, &sink));
    ASSERT_TRUE(waitUntil(
        [&] {
            return std::all_of(sinks.begin(), sinks.end(), [](const auto &s) { return s.status == 200; });
        },
        20s));
    for (const auto &body : bodies)
        body->push("event\n");
    EXPECT_TRUE(waitUntil(
        [&] {
            return std::all_of(sinks.begin(), sinks.end(), [](const auto &s) { return s.body == "event\n"; });
        },
        20s));
    handles.clear();
    EXPECT_TRUE(waitUntil([&] { return server.openConnections() == 0; }, 20s));
}

TEST(StreamClientTest, ConnectionsAreKeptAndUsedAgain)
{
    LoopbackServer server(encrypted());
    server.on("GET", "/list", Answer::json("{}"));
    server.on("GET", "/closing", Answer::json("{}").with("Connection", "close"));
    StreamClient client(settingsOf(server));
    const auto read = [&](const QByteArray &path) {
        RecordingSink sink;
        const auto handle = client.open({.path = path}, &sink);
        EXPECT_TRUE(waitUntil([&] { return sink.finishes == 1; }));
        EXPECT_OK(sink.ended);
    };
    for (int i = 0; i < 5; ++i)
        read("/list");
    EXPECT_EQ(server.connectionCount(), 1);
    read("/closing");
    read("/list");
    EXPECT_EQ(server.connectionCount(), 2);
}

TEST(StreamClientTest, AnAnswerThatTalksOnIsNotUsedAgain)
{
    LoopbackServer server;
    server.on("GET", "/list",
              Answer{.body = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nokHTTP/1.1 200 "
                             "OK\r\nContent-Length: 5\r\n\r\nfalse",
                     .framing = Answer::Framing::Raw});
    StreamClient client(settingsOf(server));
    for (int i = 0; i < 2; ++i) {
        RecordingSink sink;
        const auto handle = client.open({.path = "/list"}, &sink);
        ASSERT_TRUE(waitUntil([&] { return sink.finishes == 1; }));
        EXPECT_EQ(sink.body, "ok");
    }
    EXPECT_EQ(server.connectionCount(), 2);
}

TEST(StreamClientTest, LivesInAnyThread)
{
    LoopbackServer server(encrypted());
    server.on("GET", "/list", Answer::json("{}").gzipped());
    QThread thread;
    thread.setObjectName(QStringLiteral("cluster"));
    auto *client = new StreamClient(settingsOf(server));
    client->moveToThread(&thread);
    QObject::connect(&thread, &QThread::finished, client, &QObject::deleteLater);
    thread.start();
    RecordingSink sink;
    std::unique_ptr<StreamHandle> handle;
    std::atomic<bool> finished{false};
    sink.finishHook = [&] {
        EXPECT_EQ(QThread::currentThread(), &thread);
        handle.reset();
        finished = true;
    };
    QMetaObject::invokeMethod(client, [&] { handle = client->open({.path = "/list"}, &sink); });
    EXPECT_TRUE(waitUntil([&] { return finished.load(); }));
    EXPECT_EQ(sink.body, "{}");
    thread.quit();
    thread.wait();
}

TEST(StreamClientTest, TellsTheSinkWhileACredentialIsAwaited)
{
    struct WaitingSink final : StreamSink
    {
        void onWaitingForCredential(bool waiting) override { order += waiting ? 'w' : 's'; }
        void onHeaders(int, const HeaderList &) override { order += 'h'; }
        void onData(std::string_view, Monotonic) override { order += 'd'; }
        void onFinished(const Status &) override { order += 'f'; }
        std::string order;
    };
    LoopbackServer server(encrypted());
    server.on("GET", "/api", [](const ReceivedRequest &request) {
        return request.header("Authorization") == "Bearer new" ? Answer::json("{}") : Answer::json("no", 401);
    });
    ConnectionSettings settings = settingsOf(server);
    settings.credentials = ScriptedCredentials::tokens({"old", "new"});
    StreamClient client(settings);
    WaitingSink sink;
    const auto handle = client.open({.path = "/api"}, &sink);
    EXPECT_TRUE(waitUntil([&] { return sink.order.ends_with('f'); }));
    EXPECT_EQ(sink.order, "wswshdf");
}

} // namespace tongchi::test
