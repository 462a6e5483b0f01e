#include "platform/http/http_client.h"

#include "tests/http/any_client.h"
#include "tests/support/loopback_server.h"
#include "tests/support/qt_printers.h"
#include "tests/support/wait.h"

#include <QPromise>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tongchi::test {

namespace {

using namespace std::chrono_literals;

/// Answers when the test says so: an operator who thinks before agreeing.
class HeldCredentials final : public CredentialProvider
{
public:
    QFuture<Result<Credential>> credential(bool) override
    {
        promises.emplace_back().start();
        return promises.back().future();
    }
    void answerAll()
    {
        for (auto &promise : promises) {
            promise.addResult(Credential{.authorization = "Bearer late"});
            promise.finish();
        }
        promises.clear();
    }
    std::vector<QPromise<Result<Credential>>> promises;
};

ConnectionSettings plainSettings(const LoopbackServer &server)
{
    ConnectionSettings settings;
    settings.server = server.url();
    return settings;
}

} // namespace

TEST(HttpClientTest, ABodyOverTheLimitIsAnErrorAndNotReadToItsEnd)
{
    LoopbackServer server;
    const QByteArray body(40'000'000, 'x');
    server.on("GET", "/length", Answer::json(body));
    server.on("GET", "/chunked", Answer::json(body).chunked());
    server.on("GET", "/gzip", Answer::json(body).gzipped());
    HttpClient client(plainSettings(server));
    for (const char *path : {"/length", "/chunked", "/gzip"}) {
        const auto future = client.send({.path = path, .bodyLimit = 1'000'000});
        ASSERT_TRUE(waitFor(future));
        ASSERT_FALSE(future.result()) << path;
        EXPECT_EQ(future.result().error().code, ErrorCode::Protocol);
        EXPECT_THAT(englishText(future.result().error()).toStdString(),
                    ::testing::HasSubstr("1000000 bytes"));
    }
    EXPECT_LT(server.bytesWritten(), 40'000'000);
    const auto fits = client.send({.path = "/gzip", .bodyLimit = body.size()});
    ASSERT_TRUE(waitFor(fits));
    ASSERT_OK(fits.result());
    EXPECT_EQ(fits.result()->body.size(), body.size());
}

TEST(HttpClientTest, TellsTheServersTimeAndHowLongItTook)
{
    LoopbackServer server;
    server.on("GET", "/api", Answer::json("{}").with("Date", "Sun, 06 Nov 1994 08:49:37 GMT"));
    server.on("GET", "/undated", Answer::json("{}").with("Date", "yesterday"));
    HttpClient client(plainSettings(server));
    const auto dated = client.send({.path = "/api"});
    ASSERT_TRUE(waitFor(dated));
    EXPECT_EQ(dated.result()->serverTime, Instant{784'111'777s});
    EXPECT_GT(dated.result()->elapsed.count(), 0);
    const auto undated = client.send({.path = "/undated"});
    ASSERT_TRUE(waitFor(undated));
    EXPECT_FALSE(undated.result()->serverTime);
}

TEST(HttpClientTest, SixRequestsRunAtOnceAndTheOthersFollow)
{
    LoopbackServer server;
    std::atomic<int> running{0};
    std::atomic<int> most{0};
    server.on("GET", "/api", [&](const ReceivedRequest &) {
        most = std::max(most.load(), ++running);
        std::this_thread::yield();
        --running;
        return Answer::json("{}");
    });
    HttpClient client(plainSettings(server));
    std::vector<QFuture<Result<HttpResponse>>> futures;
    for (int i = 0; i < 100; ++i)
        futures.push_back(client.send({.path = "/api"}));
    futures[50].cancel(); // one that still waits
    EXPECT_TRUE(waitUntil([&] {
        return std::all_of(futures.begin(), futures.end(), [](const auto &f) { return f.isFinished(); });
    }));
    EXPECT_LE(most, 6);
    EXPECT_LE(server.connectionCount(), 6);
    EXPECT_EQ(server.requestCount(), 99);
}

TEST(HttpClientTest, TheWaitForAConsentIsNotTheServersTime)
{
    LoopbackServer server;
    server.on("GET", "/api", Answer::json("{}"));
    ConnectionSettings settings = plainSettings(server);
    const auto held = std::make_shared<HeldCredentials>();
    settings.credentials = held;
    HttpClient client(settings);
    const auto patient = client.send({.path = "/api", .timeout = 300ms});
    ASSERT_TRUE(waitUntil([&] { return held->promises.size() == 1; }));
    EXPECT_FALSE(waitFor(patient, 400ms)); // longer than the request may take
    held->answerAll();
    ASSERT_TRUE(waitFor(patient));
    ASSERT_OK(patient.result());
}

TEST(HttpClientTest, AProviderThatGivesUpIsAnError)
{
    LoopbackServer server;
    ConnectionSettings settings = plainSettings(server);
    const auto held = std::make_shared<HeldCredentials>();
    settings.credentials = held;
    HttpClient client(settings);
    const auto future = client.send({.path = "/api"});
    ASSERT_TRUE(waitUntil([&] { return held->promises.size() == 1; }));
    held->promises.clear(); // the promise dies unanswered
    ASSERT_TRUE(waitFor(future));
    ASSERT_EQ(future.resultCount(), 1);
    EXPECT_EQ(future.result().error().code, ErrorCode::Unauthorized);
}

TEST(HttpClientTest, AContinuationMayDestroyTheClient)
{
    LoopbackServer server;
    server.on("GET", "/api", Answer::json("{}"));
    auto client = std::make_unique<HttpClient>(plainSettings(server));
    QObject context;
    client->send({.path = "/api"}).then(&context, [&](const Result<HttpResponse> &) { client.reset(); });
    const auto other = client->send({.path = "/api"});
    EXPECT_TRUE(waitUntil([&] { return client == nullptr; }));
    EXPECT_TRUE(other.isFinished());
}

} // namespace tongchi::test
