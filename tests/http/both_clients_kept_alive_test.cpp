// What both HTTP clients promise about connections that were kept and that the server has left.

#include "tests/http/both_clients.h"

namespace tongchi::test {

namespace {

Answer leaving(Answer::Then how)
{
    Answer answer;
    answer.silent = true;
    answer.then = how;
    return answer;
}

/// A good answer to the first request of a client; `next` decides from the number of requests so far.
void keepThen(LoopbackServer &server, std::function<Answer(int)> next)
{
    auto count = std::make_shared<std::atomic<int>>(0);
    for (const char *method : {"GET", "POST", "PATCH"})
        server.on(method, "/api", [count, next](const ReceivedRequest &) { return next(++*count); });
}

} // namespace

TEST_P(BothClientsTest, ARequestWhoseKeptConnectionDiesIsSentOnceMoreOnAFreshOne)
{
    for (const Answer::Then how : {Answer::Then::Close, Answer::Then::Reset}) {
        LoopbackServer server;
        keepThen(server, [how](int count) { return count == 2 ? leaving(how) : Answer::json("{}"); });
        const auto client = AnyClient::make(GetParam(), settingsFor(server.url()));
        for (int i = 0; i < 2; ++i) {
            const auto future = client->send({.method = "POST", .path = "/api", .body = "a=b"});
            ASSERT_TRUE(waitFor(future));
            ASSERT_OK(future.result());
        }
        const auto requests = server.requests();
        ASSERT_EQ(requests.size(), 3u);
        EXPECT_EQ(requests[1].connection, 1);
        EXPECT_EQ(requests[2].connection, 2);
        EXPECT_EQ(requests[2].body, "a=b");
    }
}

TEST_P(BothClientsTest, ARequestIsNotSentAThirdTime)
{
    LoopbackServer server;
    keepThen(server,
             [](int count) { return count == 1 ? Answer::json("{}") : leaving(Answer::Then::Close); });
    const auto client = AnyClient::make(GetParam(), settingsFor(server.url()));
    ASSERT_TRUE(waitFor(client->send({.path = "/api"})));
    const auto future = client->send({.path = "/api"});
    ASSERT_TRUE(waitFor(future));
    ASSERT_FALSE(future.result());
    EXPECT_EQ(future.result().error().code, ErrorCode::Network);
    EXPECT_EQ(server.requestCount(), 3);
}

TEST_P(BothClientsTest, ARequestOnAFreshConnectionIsNotSentAgain)
{
    LoopbackServer server;
    keepThen(server, [](int) { return leaving(Answer::Then::Close); });
    const auto result = get(settingsFor(server.url()), "/api");
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, ErrorCode::Network);
    EXPECT_EQ(server.requestCount(), 1);
}

TEST_P(BothClientsTest, ARequestWhoseAnswerHasBegunIsNotSentAgain)
{
    LoopbackServer server;
    keepThen(server, [](int count) {
        return count == 1 ? Answer::json("{}") : Answer::json("{\"whole\":true}").cut(5);
    });
    const auto client = AnyClient::make(GetParam(), settingsFor(server.url()));
    ASSERT_TRUE(waitFor(client->send({.path = "/api"})));
    const auto future = client->send({.path = "/api"});
    ASSERT_TRUE(waitFor(future));
    ASSERT_FALSE(future.result());
    EXPECT_EQ(server.requestCount(), 2);
}

TEST_P(BothClientsTest, AWriteWhoseConnectionDiesIsNotSentAgainAndMayHaveBeenDone)
{
    for (const Answer::Then how : {Answer::Then::Close, Answer::Then::Reset}) {
        LoopbackServer server;
        keepThen(server, [how](int count) { return count == 1 ? Answer::json("{}") : leaving(how); });
        const auto client = AnyClient::make(GetParam(), settingsFor(server.url()));
        ASSERT_TRUE(waitFor(client->send({.path = "/api"})));
        const auto future =
            client->send({.method = "PATCH", .path = "/api", .body = "{}", .repeatable = false});
        ASSERT_TRUE(waitFor(future));
        ASSERT_FALSE(future.result());
        EXPECT_THAT(future.result().error().remedy, HasSubstr("whether it was done"));
        EXPECT_EQ(server.requestCount(), 2);
    }
}

TEST_P(BothClientsTest, AWriteWithoutAnswerMayHaveBeenDone)
{
    LoopbackServer server;
    server.on("PATCH", "/api", Answer::silence());
    const auto result =
        send(settingsFor(server.url()),
             {.method = "PATCH", .path = "/api", .body = "{}", .timeout = 200ms, .repeatable = false});
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, ErrorCode::Timeout);
    EXPECT_THAT(result.error().remedy, HasSubstr("whether it was done"));
}

TEST_P(BothClientsTest, AWriteThatWasNeverSentWasNotDone)
{
    const auto result = send(settingsFor(QUrl(QStringLiteral("http://127.0.0.1:9"))),
                             {.method = "PATCH", .path = "/api", .body = "{}", .repeatable = false});
    ASSERT_FALSE(result);
    EXPECT_THAT(result.error().remedy, Not(HasSubstr("whether it was done")));
}

TEST_P(BothClientsTest, AWriteGoesOutOnAFreshConnectionWhenTheServerHasLeftTheKeptOne)
{
    for (const bool tls : {false, true}) {
        LoopbackServer server(tls ? tlsOptions() : LoopbackServer::Options());
        keepThen(server, [](int) { return Answer::json("{}"); });
        const auto client =
            AnyClient::make(GetParam(), tls ? tlsSettingsFor(server.url()) : settingsFor(server.url()));
        for (int i = 0; i < 5; ++i) {
            const auto future =
                client->send({.method = "PATCH", .path = "/api", .body = "{}", .repeatable = false});
            ASSERT_TRUE(waitFor(future));
            ASSERT_OK(future.result());
            server.dropConnections(); // and no event loop runs before the next is sent
        }
        EXPECT_EQ(server.requestCount(), 5);
        EXPECT_EQ(server.connectionCount(), 5);
    }
}

} // namespace tongchi::test
