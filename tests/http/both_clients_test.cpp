// What both HTTP clients promise about plain requests, time and life, and bodies.

#include "tests/http/both_clients.h"

namespace tongchi::test {

TEST_P(BothClientsTest, GetsAnAnswer)
{
    LoopbackServer server;
    server.on("GET", "/api",
              Answer::json("{\"kind\":\"APIVersions\"}").with("Date", "Sun, 06 Nov 1994 08:49:37 GMT"));
    const auto result = get(settingsFor(server.url()), "/api?limit=500&labelSelector=a%3Db%2Cc");
    ASSERT_OK(result);
    EXPECT_EQ(result->status, 200);
    EXPECT_EQ(result->body, "{\"kind\":\"APIVersions\"}");
    EXPECT_EQ(headerValue(result->headers, "content-type"), "application/json");
    ASSERT_EQ(server.requestCount(), 1);
    EXPECT_EQ(server.requests().front().target, "/api?limit=500&labelSelector=a%3Db%2Cc");
    EXPECT_EQ(server.requests().front().header("Authorization"), "");
}

TEST_P(BothClientsTest, EveryStatusIsAnAnswer)
{
    for (const int status :
         {201, 204, 304, 400, 401, 403, 404, 405, 409, 410, 418, 422, 429, 500, 503, 504}) {
        LoopbackServer server;
        server.on("GET", "/x",
                  Answer::text(status == 204 || status == 304 ? "" : "reason", status)
                      .with("WWW-Authenticate", "Basic realm=\"x\"")
                      .with("Retry-After", "7"));
        const auto result = get(settingsFor(server.url()), "/x");
        ASSERT_OK(result);
        EXPECT_EQ(result->status, status);
        EXPECT_EQ(result->body, status == 204 || status == 304 ? "" : "reason") << status;
        EXPECT_EQ(headerValue(result->headers, "Retry-After"), "7");
        EXPECT_EQ(server.requestCount(), 1) << status;
    }
}

TEST_P(BothClientsTest, KeepsTheServersPathPrefix)
{
    LoopbackServer server;
    server.on("GET", "/k8s/clusters/c-9f/version", Answer::json("{}"));
    ASSERT_OK(get(settingsFor(server.url("/k8s/clusters/c-9f/?ignored=1#too")), "/version"));
    EXPECT_EQ(server.requests().front().target, "/k8s/clusters/c-9f/version");
}

TEST_P(BothClientsTest, SendsTheBodyAndTheHeadersOfTheConnection)
{
    LoopbackServer server;
    server.on("PATCH", "/node", Answer::json("{}"));
    ConnectionSettings settings = settingsFor(server.url());
    settings.headers = {
        {"Impersonate-User", "zhang"}, {"Impersonate-Group", "ops"}, {"Impersonate-Group", "gpu"}};
    const QByteArray body(300'000, 'b');
    ASSERT_OK(send(settings, {.method = "PATCH",
                              .path = "/node",
                              .headers = {{"Content-Type", "application/merge-patch+json"}},
                              .body = body}));
    const ReceivedRequest request = server.requests().front();
    EXPECT_EQ(request.body, body);
    EXPECT_EQ(request.header("Content-Type"), "application/merge-patch+json");
    EXPECT_EQ(request.header("Impersonate-User"), "zhang");
    EXPECT_EQ(request.headerValues("Impersonate-Group"), (QList<QByteArray>{"ops", "gpu"}));
}

TEST_P(BothClientsTest, RefusesHeadersThatSmuggleOthersIn)
{
    LoopbackServer server;
    const auto result =
        send(settingsFor(server.url()), {.path = "/x", .headers = {{"Accept", "a\r\nX-Evil: 1"}}});
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, ErrorCode::Invalid);
    EXPECT_EQ(server.requestCount(), 0);
}

TEST_P(BothClientsTest, ReachesIpv6AndKeepsTheBracketsInHost)
{
    LoopbackServer server({.family = LoopbackListener::Family::V6});
    if (!server.isListening())
        GTEST_SKIP() << "no ::1 on this machine";
    server.on("GET", "/api", Answer::json("{}"));
    for (const char *host : {"[::1]", "[0:0:0:0:0:0:0:0001]"}) {
        ASSERT_OK(get(settingsFor(server.urlAs(host)), "/api"));
        const QByteArray sent = server.requests().back().header("Host");
        EXPECT_EQ(sent, "[::1]:" + QByteArray::number(server.port()));
    }
}

TEST_P(BothClientsTest, ReachesIpv6OverTls)
{
    LoopbackServer server({.family = LoopbackListener::Family::V6, .tls = TestAuthority::shared().issue()});
    if (!server.isListening())
        GTEST_SKIP() << "no ::1 on this machine";
    server.on("GET", "/api", Answer::json("{}"));
    ASSERT_OK(get(tlsSettingsFor(server.url()), "/api"));
}

TEST_P(BothClientsTest, RefusesAServerThatIsNoAddress)
{
    for (const char *text :
         {"ftp://127.0.0.1/", "", "127.0.0.1:6443", "https://2001:db8::10:6443", "http://"}) {
        const auto result = get(settingsFor(QUrl(QString::fromLatin1(text))), "/api");
        ASSERT_FALSE(result) << text;
        EXPECT_EQ(result.error().code, ErrorCode::Invalid) << text;
    }
}

TEST_P(BothClientsTest, SaysThatNothingListens)
{
    int port = 0;
    {
        const LoopbackServer closed;
        port = closed.port();
    }
    const auto result =
        get(settingsFor(QUrl(QStringLiteral("http://127.0.0.1:%1/p?token=abc").arg(port))), "/api");
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, ErrorCode::Network);
    EXPECT_THAT(englishText(result.error()).toStdString(), HasSubstr("refused"));
}

// ---- time and life

TEST_P(BothClientsTest, AServerThatDoesNotAnswerIsATimeout)
{
    LoopbackServer server;
    server.on("GET", "/slow", Answer::silence());
    const auto result = send(settingsFor(server.url()), {.path = "/slow", .timeout = 60ms});
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, ErrorCode::Timeout);
}

TEST_P(BothClientsTest, AServerThatDoesNotShakeHandsIsATimeout)
{
    LoopbackListener mute(LoopbackListener::Family::V4, [](int socket) { waitUntilPeerLeaves(socket); });
    ConnectionSettings settings = settingsFor(QUrl(QStringLiteral("https://127.0.0.1:%1").arg(mute.port())));
    settings.connectTimeout = 60ms;
    const auto result = get(settings, "/api");
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, ErrorCode::Timeout);
    EXPECT_THAT(englishText(result.error()).toStdString(), HasSubstr("No connection"));
}

TEST_P(BothClientsTest, ABodyThatStopsIsATimeout)
{
    LoopbackServer server;
    server.on("GET", "/half", Answer::json(QByteArray(1000, 'x')).cut(500, Answer::Then::Stall));
    const auto result = send(settingsFor(server.url()), {.path = "/half", .timeout = 80ms});
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, ErrorCode::Timeout);
}

TEST_P(BothClientsTest, CancellingAborts)
{
    LoopbackServer server;
    server.on("GET", "/slow", Answer::silence());
    const auto client = AnyClient::make(GetParam(), settingsFor(server.url()));
    QFuture<Result<HttpResponse>> future = client->send({.path = "/slow"});
    ASSERT_TRUE(waitUntil([&] { return server.requestCount() == 1; }));
    future.cancel();
    ASSERT_TRUE(waitFor(future));
    EXPECT_TRUE(future.isCanceled());
    EXPECT_EQ(future.resultCount(), 0);
    EXPECT_TRUE(waitUntil([&] { return server.openConnections() == 0; })); // the server sees it
}

TEST_P(BothClientsTest, ADestroyedOwnerEndsItsFuturesAsCancelled)
{
    LoopbackServer server;
    server.on("GET", "/slow", Answer::silence());
    auto client = AnyClient::make(GetParam(), settingsFor(server.url()));
    const QFuture<Result<HttpResponse>> running = client->send({.path = "/slow"});
    ASSERT_TRUE(waitUntil([&] { return server.requestCount() == 1; }));
    const QFuture<Result<HttpResponse>> fresh = client->send({.path = "/never-sent"});
    client.reset();
    EXPECT_TRUE(running.isFinished() && running.isCanceled());
    EXPECT_TRUE(fresh.isFinished() && fresh.isCanceled());
    EXPECT_TRUE(waitUntil([&] { return server.openConnections() == 0; }));
}

// ---- bodies

TEST_P(BothClientsTest, ACutBodyIsAnError)
{
    const QByteArray body(5000, 'x');
    for (const Answer::Then then : {Answer::Then::Close, Answer::Then::Reset}) {
        LoopbackServer server;
        server.on("GET", "/length", Answer::json(body).cut(4000, then));
        server.on("GET", "/chunked", Answer::json(body).chunked().cut(4000, then));
        server.on("GET", "/gzip", Answer::json(body).gzipped().cut(20, then));
        for (const char *path : {"/length", "/chunked", "/gzip"}) {
            const auto result = get(settingsFor(server.url()), path);
            ASSERT_FALSE(result) << path;
            EXPECT_EQ(result.error().code, ErrorCode::Network) << path;
            EXPECT_THAT(englishText(result.error()).toStdString(), HasSubstr("cut short")) << path;
        }
    }
}

TEST_P(BothClientsTest, ACompressedBodyWithoutItsEndIsAnError)
{
    LoopbackServer server;
    Answer answer = Answer::json(QByteArray(5000, 'x')).gzipped();
    answer.body.chop(12);
    server.on("GET", "/gzip", answer);
    const auto result = get(settingsFor(server.url()), "/gzip");
    ASSERT_FALSE(result);
}

TEST_P(BothClientsTest, ADamagedCompressedBodyIsAnError)
{
    LoopbackServer server;
    Answer answer = Answer::json("{\"items\":[]}");
    answer.headers.emplace_back("Content-Encoding", "gzip");
    server.on("GET", "/gzip", answer);
    const auto result = get(settingsFor(server.url()), "/gzip");
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, ErrorCode::Protocol);
    EXPECT_THAT(englishText(result.error()).toStdString(), HasSubstr("damaged on its way"));
}

TEST_P(BothClientsTest, AConnectionClosedWithoutAnAnswerIsAnError)
{
    LoopbackServer server;
    Answer answer;
    answer.silent = true;
    answer.then = Answer::Then::Close;
    server.on("GET", "/api", answer);
    const auto result = get(settingsFor(server.url()), "/api");
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, ErrorCode::Network);
}

TEST_P(BothClientsTest, SomethingElseThanHttpIsAnError)
{
    LoopbackServer server;
    server.on("GET", "/api", Answer::raw("SSH-2.0-OpenSSH_9.2p1\r\n\r\n"));
    const auto result = get(settingsFor(server.url()), "/api");
    ASSERT_FALSE(result);
}

TEST_P(BothClientsTest, UndoesCompression)
{
    QByteArray body;
    for (int i = 0; i < 40'000; ++i)
        body += "{\"name\":\"bj-a100-" + QByteArray::number(i) + "\"},\n";
    LoopbackServer server;
    server.on("GET", "/plain", Answer::json(body).gzipped());
    server.on("GET", "/chunked", Answer::json(body).gzipped().chunked());
    server.on("GET", "/zeros", Answer::json(QByteArray(30'000'000, '0')).gzipped()); // shrinks a thousandfold
    for (const char *path : {"/plain", "/chunked"}) {
        const auto result = get(settingsFor(server.url()), path);
        ASSERT_OK(result);
        EXPECT_TRUE(result->body == body) << path;
    }
    const auto zeros = get(settingsFor(server.url()), "/zeros");
    ASSERT_OK(zeros);
    EXPECT_EQ(zeros->body.size(), 30'000'000);
    EXPECT_THAT(server.requests().front().header("Accept-Encoding").toStdString(), HasSubstr("gzip"));
}

TEST_P(BothClientsTest, AsksForNoCompressionWhenItIsOff)
{
    LoopbackServer server;
    server.on("GET", "/api", Answer::json("{}"));
    ConnectionSettings settings = settingsFor(server.url());
    settings.compression = false;
    ASSERT_OK(get(settings, "/api"));
    EXPECT_EQ(server.requests().front().header("Accept-Encoding"), "identity");
}

TEST_P(BothClientsTest, BytesMayArriveOneByOne)
{
    const QByteArray body = "{\"kind\":\"NodeList\",\"items\":[{\"metadata\":{\"name\":\"节点\"}}]}";
    LoopbackServer server(tlsOptions());
    server.on("GET", "/length", Answer::json(body).inPieces(1));
    server.on("GET", "/chunked", Answer::json(body).chunked().inPieces(1));
    server.on("GET", "/gzip", Answer::json(body).gzipped().chunked().inPieces(1));
    for (const char *path : {"/length", "/chunked", "/gzip"}) {
        const auto result = get(tlsSettingsFor(server.url()), path);
        ASSERT_OK(result);
        EXPECT_EQ(result->body, body) << path;
    }
}

TEST_P(BothClientsTest, AnInterimAnswerIsSkippedAndABodyMayEndWithTheConnection)
{
    LoopbackServer server;
    server.on("GET", "/api", Answer::raw("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.0 200 OK\r\n\r\nto the end"));
    const auto result = get(settingsFor(server.url()), "/api");
    ASSERT_OK(result);
    EXPECT_EQ(result->status, 200);
    EXPECT_EQ(result->body, "to the end");
}

TEST_P(BothClientsTest, AConnectionThatTheServerClosedMeanwhileIsReplaced)
{
    LoopbackServer server;
    server.on("GET", "/api", Answer::json("{}"));
    const auto client = AnyClient::make(GetParam(), settingsFor(server.url()));
    for (int i = 0; i < 5; ++i) {
        const auto future = client->send({.path = "/api"});
        ASSERT_TRUE(waitFor(future));
        ASSERT_OK(future.result());
        server.dropConnections();
    }
    EXPECT_EQ(server.requestCount(), 5);
}

// They go the same way as the one on which nothing came: each would cost its own wait.
TEST_P(BothClientsTest, AfterATimeoutKeptConnectionsAreTrustedNoMore)
{
    LoopbackServer server;
    server.on("GET", "/", Answer::text("yes"));
    server.on("GET", "/silence", Answer::silence());
    const auto client = AnyClient::make(GetParam(), settingsFor(server.url()));
    const auto first = client->send({.path = "/"}), second = client->send({.path = "/"});
    ASSERT_TRUE(waitFor(first) && waitFor(second));
    ASSERT_EQ(server.connectionCount(), 2);
    const auto silent = client->send({.path = "/silence", .timeout = 50ms});
    ASSERT_TRUE(waitFor(silent));
    ASSERT_EQ(silent.result().error().code, ErrorCode::Timeout);
    const auto later = client->send({.path = "/"});
    ASSERT_TRUE(waitFor(later));
    ASSERT_OK(later.result());
    EXPECT_EQ(server.requests().back().connection, 3);
}

TEST_P(BothClientsTest, ARequestThatMustNotBeRepeatedIsSentOnce)
{
    LoopbackServer server;
    Answer gone;
    gone.silent = true;
    gone.then = Answer::Then::Close;
    server.on("POST", "/jobs", gone);
    server.on("GET", "/api", Answer::json("{}"));
    const auto client = AnyClient::make(GetParam(), settingsFor(server.url()));
    ASSERT_TRUE(waitFor(client->send({.path = "/api", .repeatable = false})));
    const auto future = client->send({.method = "POST", .path = "/jobs", .body = "{}", .repeatable = false});
    ASSERT_TRUE(waitFor(future));
    EXPECT_FALSE(future.result());
    EXPECT_EQ(server.requests("/jobs").size(), 1u);
}

TEST_P(BothClientsTest, AHeadRequestHasNoBody)
{
    LoopbackServer server;
    server.on("HEAD", "/api", Answer::json("{\"a\":1}"));
    const auto result = send(settingsFor(server.url()), {.method = "HEAD", .path = "/api"});
    ASSERT_OK(result);
    EXPECT_EQ(result->body, "");
    EXPECT_EQ(headerValue(result->headers, "Content-Length"), "7");
}

INSTANTIATE_TEST_SUITE_P(, BothClientsTest, ::testing::Values(ClientKind::Answers, ClientKind::Stream),
                         [](const auto &tested) {
                             return tested.param == ClientKind::Answers ? "Answers" : "Stream";
                         });

} // namespace tongchi::test
