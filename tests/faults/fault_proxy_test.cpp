// The proxy that the tests of faults put between the console and a server: against a scripted server, over
// every kind of way.

#include "tests/support/fault_proxy.h"

#include "platform/http/http_client.h"
#include "platform/http/stream_client.h"
#include "tests/support/loopback_server.h"
#include "tests/support/qt_printers.h"
#include "tests/support/wait.h"

#include <QElapsedTimer>
#include <QTemporaryDir>
#include <cerrno>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

namespace tongchi::test {
namespace {

using std::chrono::milliseconds;

enum class WayKind { Plain, PassesThrough, EndsTls };
void PrintTo(WayKind kind, std::ostream *out)
{
    *out << (kind == WayKind::Plain ? "plain" : kind == WayKind::EndsTls ? "ends TLS" : "passes through");
}

LoopbackServer::Options serverOptions(WayKind kind)
{
    if (kind == WayKind::Plain)
        return {};
    LoopbackServer::Options options{.tls = TestAuthority::shared().issue()};
    if (kind == WayKind::PassesThrough)
        options.clientAuthorityPem = TestAuthority::shared().pem();
    return options;
}

/// What has come of one answer so far.
class Received final : public StreamSink
{
public:
    void onHeaders(int, const HeaderList &) override {}
    void onData(std::string_view bytes, Monotonic) override
    {
        body.append(bytes.data(), qsizetype(bytes.size()));
        ++pieces;
    }
    void onFinished(const Status &status) override { end = status; }

    QByteArray body;
    int pieces = 0;
    std::optional<Status> end;
};

class FaultProxyWays : public ::testing::TestWithParam<WayKind>
{
protected:
    FaultProxyWays() : server(serverOptions(GetParam())), proxy(proxyOptions())
    {
        settings.server = proxy.url();
        if (GetParam() != WayKind::Plain) {
            settings.tls.authorityPem =
                GetParam() == WayKind::EndsTls ? ownAuthority.pem() : TestAuthority::shared().pem();
            const TestIdentity operatorIdentity = TestAuthority::shared().issueClient("operator");
            settings.tls.certificatePem = operatorIdentity.certificatePem;
            settings.tls.keyPem = operatorIdentity.keyPem;
        }
        client = std::make_unique<StreamClient>(settings);
        answers = std::make_unique<HttpClient>(settings);
    }
    FaultProxy::Options proxyOptions() const
    {
        FaultProxy::Options options{.upstream = server.url()};
        if (GetParam() == WayKind::EndsTls) {
            options.identity = ownAuthority.issue();
            options.upstreamAuthorityPem = TestAuthority::shared().pem();
        }
        return options;
    }
    std::unique_ptr<StreamHandle> open(const QByteArray &path, Received *into)
    {
        return client->open({.path = path}, into);
    }
    /// Over a connection of its own or a kept one: whatever works.
    QByteArray bodyOf(const QByteArray &path)
    {
        const auto future = answers->send({.path = path});
        EXPECT_TRUE(waitFor(future));
        if (!future.isFinished() || !future.result())
            return "no answer";
        return future.result()->body;
    }
    void inject(const InjectedFault &fault) { ASSERT_OK(proxy.inject(fault)); }
    /// A stream that has got its first word.
    void openLive(std::unique_ptr<StreamHandle> *handle)
    {
        live = std::make_shared<LiveBody>();
        server.on("GET", "/live", Answer::stream(live));
        server.on("GET", "/short", Answer::text("short"));
        *handle = open("/live", &received);
        live->push("before");
        ASSERT_TRUE(waitUntil([this] { return received.body == "before"; }));
    }

    TestAuthority ownAuthority;
    LoopbackServer server;
    FaultProxy proxy;
    ConnectionSettings settings;
    std::unique_ptr<StreamClient> client;
    std::unique_ptr<HttpClient> answers;
    std::shared_ptr<LiveBody> live;
    Received received;
};

TEST_P(FaultProxyWays, CarriesBothWaysUntouched)
{
    QByteArray large(3'000'000, '\0');
    for (qsizetype i = 0; i < large.size(); ++i)
        large[i] = char(i * 7 % 251);
    server.on("POST", "/echo", [](const ReceivedRequest &request) { return Answer::text(request.body); });
    for (int i = 0; i < 2; ++i) {
        const auto future = answers->send({.method = "POST", .path = "/echo", .body = large});
        ASSERT_TRUE(waitFor(future));
        ASSERT_OK(future.result());
        EXPECT_EQ(future.result()->body, large);
    }
    const auto requests = server.requests();
    ASSERT_EQ(requests.size(), 2u);
    EXPECT_EQ(requests[0].clientName, GetParam() == WayKind::PassesThrough ? "operator" : "");
    EXPECT_EQ(requests[1].connection, 1) << "a connection is kept as long as both sides keep it";
    EXPECT_GE(proxy.bytesCarried(), 2 * large.size());
    if (GetParam() != WayKind::PassesThrough) {
        EXPECT_EQ(proxy.requests().at(1), "POST /echo");
    }
}

TEST_P(FaultProxyWays, PassesOnThatASideLeaves)
{
    std::unique_ptr<StreamHandle> handle;
    openLive(&handle);
    handle.reset();
    EXPECT_TRUE(waitUntil([this] { return live->clientLeft(); }));
    EXPECT_TRUE(waitUntil([this] { return proxy.openConnections() == 0; }));
    openLive(&handle);
    live->cut();
    EXPECT_TRUE(waitUntil([this] { return received.end.has_value(); }));
    EXPECT_FALSE(*received.end);
    EXPECT_TRUE(waitUntil([this] { return proxy.openConnections() == 0; }));
}

TEST_P(FaultProxyWays, DelayLetsEveryAnswerComeLater)
{
    server.on("GET", "/short", Answer::text("short"));
    ASSERT_EQ(bodyOf("/short"), "short"); // the connection is there
    inject({.fault = PoolFault::Delay, .duration = milliseconds(10'000), .delay = milliseconds(150)});
    QElapsedTimer timer;
    timer.start();
    EXPECT_EQ(bodyOf("/short"), "short");
    EXPECT_GE(timer.elapsed(), 150);
    inject({.fault = PoolFault::Delay, .delay = std::chrono::hours(1)});
    const auto future = answers->send({.path = "/short"});
    ASSERT_TRUE(waitUntil([this] { return server.requestCount() == 3; }));
    EXPECT_FALSE(future.isFinished());
    inject({.fault = PoolFault::Alive});
    EXPECT_TRUE(waitFor(future)) << "what waited comes when the fault ends";
    EXPECT_EQ(bodyOf("/short"), "short");
}

TEST_P(FaultProxyWays, DripLetsFewBytesThroughAtATime)
{
    server.on("GET", "/long", Answer::text(QByteArray(4'000, 'x')));
    server.on("GET", "/short", Answer::text("short"));
    std::unique_ptr<StreamHandle> handle = open("/short", &received);
    ASSERT_TRUE(waitUntil([this] { return received.end.has_value(); }));
    inject({.fault = PoolFault::Drip, .bytesPerSecond = 20'000});
    Received slow;
    QElapsedTimer timer;
    timer.start();
    handle = open("/long", &slow);
    ASSERT_TRUE(waitUntil([&slow] { return slow.end.has_value(); }));
    EXPECT_EQ(slow.body, QByteArray(4'000, 'x'));
    EXPECT_GE(timer.elapsed(), 100);
    if (GetParam() == WayKind::PassesThrough) // one record of TLS, which is one piece for the client
        EXPECT_GE(slow.pieces, 1);
    else
        EXPECT_GT(slow.pieces, 5);
    inject({.fault = PoolFault::Drip, .bytesPerSecond = 1});
    Received never;
    handle = open("/long", &never);
    ASSERT_TRUE(waitUntil([this] { return server.requests("/long").size() == 2; }));
    inject({.fault = PoolFault::Alive});
    EXPECT_TRUE(waitUntil([&never] { return never.end.has_value(); })) << "the rest comes when it ends";
    EXPECT_EQ(never.body.size(), 4'000);
}

TEST_P(FaultProxyWays, CutAndResetEndWhatIsOpenAndNothingElse)
{
    for (const PoolFault fault : {PoolFault::Cut, PoolFault::Reset}) {
        std::unique_ptr<StreamHandle> handle;
        received = {};
        openLive(&handle);
        inject({.fault = fault});
        ASSERT_TRUE(waitUntil([this] { return received.end.has_value(); }));
        ASSERT_FALSE(*received.end);
        EXPECT_EQ(received.end->error().code, ErrorCode::Network);
        EXPECT_TRUE(waitUntil([this] { return live->clientLeft(); })) << "the server is told too";
        EXPECT_EQ(bodyOf("/short"), "short");
    }
}

TEST_P(FaultProxyWays, WhoComesWhileConnectionsAreCutIsCutToo)
{
    server.on("GET", "/short", Answer::text("short"));
    inject({.fault = PoolFault::Cut, .duration = std::chrono::hours(1)});
    for (int i = 0; i < 3; ++i)
        EXPECT_EQ(bodyOf("/short"), "no answer");
    EXPECT_EQ(proxy.acceptedConnections(), 3);
    inject({.fault = PoolFault::Alive});
    EXPECT_EQ(bodyOf("/short"), "short");
}

TEST_P(FaultProxyWays, HalfOpenLeavesConnectionsThatNeverSayAnythingAgain)
{
    std::unique_ptr<StreamHandle> handle;
    openLive(&handle);
    inject({.fault = PoolFault::HalfOpen});
    live->push("after");
    EXPECT_EQ(bodyOf("/short"), "short") << "who connects later is not concerned";
    EXPECT_EQ(received.body, "before");
    EXPECT_FALSE(received.end);
    handle.reset(); // nor does the server hear that the client left
    EXPECT_EQ(bodyOf("/short"), "short");
    EXPECT_FALSE(live->clientLeft());
    EXPECT_EQ(proxy.openConnections(), 2);
}

TEST_P(FaultProxyWays, HalfOpenForAWhileTakesWhoComesInThatTime)
{
    server.on("GET", "/short", Answer::text("short"));
    inject({.fault = PoolFault::HalfOpen, .duration = std::chrono::hours(1)});
    const auto future = answers->send({.path = "/short"});
    ASSERT_TRUE(waitUntil([this] { return proxy.acceptedConnections() == 1; }));
    inject({.fault = PoolFault::Alive});
    auto fresh = std::make_unique<HttpClient>(settings);
    answers.swap(fresh);
    EXPECT_EQ(bodyOf("/short"), "short");
    EXPECT_FALSE(future.isFinished()) << "what has died stays dead";
    EXPECT_EQ(server.requestCount(), 1);
}

TEST_P(FaultProxyWays, DeadAndAliveAreOnePort)
{
    std::unique_ptr<StreamHandle> handle;
    openLive(&handle);
    inject({.fault = PoolFault::Dead});
    EXPECT_TRUE(waitUntil([this] { return received.end.has_value(); }));
    EXPECT_EQ(proxy.openConnections(), 0);
    EXPECT_EQ(bodyOf("/short"), "no answer");
    inject({.fault = PoolFault::Alive});
    EXPECT_EQ(bodyOf("/short"), "short");
    inject({.fault = PoolFault::Dead, .duration = milliseconds(20)});
    EXPECT_TRUE(waitUntil([this] { return bodyOf("/short") == "short"; }));
}

INSTANTIATE_TEST_SUITE_P(Ways, FaultProxyWays,
                         ::testing::Values(WayKind::Plain, WayKind::PassesThrough, WayKind::EndsTls),
                         [](const auto &way) {
                             return std::string(way.param == WayKind::Plain     ? "Plain"
                                                : way.param == WayKind::EndsTls ? "EndsTls"
                                                                                : "PassesThrough");
                         });

class FaultProxyDamage : public FaultProxyWays
{
};

TEST_P(FaultProxyDamage, IsOfOneChunkInItsMiddle)
{
    const QByteArray text(100, 'x');
    server.on("GET", "/chunks", Answer::text(text + text).chunked().inPieces(100));
    server.on("GET", "/whole", Answer::text(text));
    inject({.fault = PoolFault::CorruptChunk});
    const QByteArray damaged = QByteArray(42, 'x') + QByteArray(16, '\xFF') + QByteArray(42, 'x');
    EXPECT_EQ(bodyOf("/chunks"), QByteArray(damaged + text));
    EXPECT_EQ(bodyOf("/whole"), text);
    EXPECT_EQ(proxy.damagedPieces(), 1);
    inject({.fault = PoolFault::CorruptChunk, .duration = std::chrono::hours(1)});
    EXPECT_EQ(bodyOf("/chunks"), QByteArray(damaged + damaged));
    EXPECT_EQ(bodyOf("/whole"), damaged);
    inject({.fault = PoolFault::Alive});
    EXPECT_EQ(bodyOf("/whole"), text);
    EXPECT_EQ(proxy.damagedPieces(), 4);
}

TEST_P(FaultProxyDamage, IsOfTheAnswerThatIsNamed)
{
    server.on("GET", "/a", Answer::text("aaa"));
    server.on("GET", "/b*", Answer::text("bbb"));
    proxy.damageNext("/b");
    EXPECT_EQ(bodyOf("/a"), "aaa");
    EXPECT_EQ(bodyOf("/b?watch=1"), "\xFF\xFF\xFF");
    EXPECT_EQ(bodyOf("/b?watch=1"), "bbb");
}

TEST_P(FaultProxyDamage, IsFoundInWhatIsCompressed)
{
    server.on("GET", "/gzip", Answer::text(QByteArray(5'000, 'x')).gzipped().chunked());
    proxy.damageNext("/gzip");
    EXPECT_EQ(bodyOf("/gzip"), "no answer");
    EXPECT_EQ(bodyOf("/gzip"), QByteArray(5'000, 'x'));
}

INSTANTIATE_TEST_SUITE_P(Ways, FaultProxyDamage, ::testing::Values(WayKind::Plain, WayKind::EndsTls));

/// All bytes until the connection ends, and how it ended: 0 or errno.
std::pair<QByteArray, int> everythingFrom(int port, const QByteArray &request)
{
    const int socket = connectTo("127.0.0.1", port);
    EXPECT_TRUE(sendAll(socket, request.constData(), size_t(request.size())));
    QByteArray bytes;
    char buffer[4096];
    ssize_t count = 0;
    while ((count = ::recv(socket, buffer, sizeof buffer, 0)) > 0)
        bytes.append(buffer, count);
    const int end = count < 0 ? errno : 0;
    ::close(socket);
    return {bytes, end};
}

TEST(FaultProxy, CutsAndResetsAfterExactlySoManyBytes)
{
    LoopbackServer server;
    server.on("GET", "/", Answer::text(QByteArray(50'000, 'x')));
    FaultProxy proxy({.upstream = server.url()});
    const QByteArray request = "GET / HTTP/1.1\r\nHost: x\r\n\r\n";
    for (const qint64 after : {qint64(0), qint64(1), qint64(700), qint64(40'000)}) {
        ASSERT_OK(
            proxy.inject({.fault = PoolFault::Cut, .duration = std::chrono::hours(1), .afterBytes = after}));
        EXPECT_EQ(everythingFrom(proxy.port(), request).first.size(), after);
    }
    ASSERT_OK(
        proxy.inject({.fault = PoolFault::Reset, .duration = std::chrono::hours(1), .afterBytes = 700}));
    const auto [bytes, end] = everythingFrom(proxy.port(), request);
    EXPECT_LE(bytes.size(), 700);
    EXPECT_EQ(end, ECONNRESET);
}

class FaultProxyPlan : public ::testing::Test
{
protected:
    std::vector<simulator::ScheduledFault> plan(const QByteArray &json)
    {
        QFile file(folder.filePath(QStringLiteral("plan")));
        EXPECT_TRUE(file.open(QIODevice::WriteOnly));
        file.write(json);
        file.close();
        auto faults = simulator::readFaultSchedule(file.fileName());
        EXPECT_OK(faults);
        return faults ? *faults : std::vector<simulator::ScheduledFault>();
    }

    QTemporaryDir folder;
    LoopbackServer server;
};

TEST_F(FaultProxyPlan, IsTheFileOfTheEmbeddedPool)
{
    std::atomic<int> restarts{0};
    FaultProxy proxy({.upstream = server.url(),
                      .cluster = QStringLiteral("bj-prod"),
                      .others = [&restarts](const InjectedFault &fault) {
                          restarts += fault.fault == PoolFault::Restart ? 1 : 0;
                      }});
    QElapsedTimer timer;
    timer.start();
    ASSERT_OK(proxy.follow(plan(R"([{"at_seconds": 0.1, "fault": "alive", "cluster": "bj-prod"},
                                    {"at_seconds": 0, "fault": "dead"},
                                    {"at_seconds": 0, "fault": "reset", "cluster": "south-prod"},
                                    {"at_seconds": 0.05, "fault": "restart"}])")));
    ASSERT_TRUE(waitUntil([&] { return proxy.faultsDone() == 3; }));
    EXPECT_GE(timer.elapsed(), 100);
    EXPECT_EQ(restarts, 1);
    server.on("GET", "/", Answer::raw("HTTP/1.1 200 OK\r\n\r\nx"));
    EXPECT_TRUE(everythingFrom(proxy.port(), "GET / HTTP/1.1\r\n\r\n").first.endsWith("\nx"));
}

TEST_F(FaultProxyPlan, IsRefusedForWhatAWayCannotDo)
{
    FaultProxy proxy({.upstream = server.url()});
    const Status refused = proxy.follow(plan(R"([{"at_seconds": 0, "fault": "dead"},
                                                 {"at_seconds": 9, "fault": "compact"}])"));
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::NotSupported);
    EXPECT_EQ(refused.error().arguments, QStringList{QStringLiteral("compact")});
    EXPECT_EQ(proxy.faultsDone(), 0);

    FaultProxy encrypted({.upstream = QUrl(QStringLiteral("https://127.0.0.1:1"))});
    EXPECT_FALSE(encrypted.inject({.fault = PoolFault::CorruptChunk}));
    EXPECT_OK(encrypted.inject({.fault = PoolFault::Delay}));
}

} // namespace
} // namespace tongchi::test
