#include "platform/metrics/prometheus_client.h"

#include "platform/http/http_client.h"
#include "tests/support/locales.h"
#include "tests/support/loopback_server.h"
#include "tests/support/qt_printers.h"
#include "tests/support/wait.h"

#include <QDateTime>
#include <QLocale>
#include <gmock/gmock.h>

namespace tongchi {
namespace {

using namespace std::chrono_literals;
using test::Answer;
using test::LoopbackServer;
using test::waitFor;

constexpr const char *emptyVector = R"({"status":"success","data":{"resultType":"vector","result":[]}})";

class PrometheusClientTest : public ::testing::Test
{
protected:
    void connectTo(const QByteArray &basePath = {}, const QByteArray &prefix = {})
    {
        ConnectionSettings settings;
        settings.server = server.url(prefix);
        http = std::make_unique<HttpClient>(settings);
        client =
            std::make_unique<PrometheusClient>(http.get(), basePath, QStringLiteral("test metrics"), &clock);
    }
    Result<QueryOutcome> ask(const QByteArray &promql)
    {
        values.clear();
        auto future =
            client->query(promql, [this](LabelViews, double value, Instant) { values.push_back(value); });
        EXPECT_FALSE(future.isFinished());
        EXPECT_TRUE(waitFor(future));
        return future.resultCount() > 0 ? future.result()
                                        : Result<QueryOutcome>(failure({.code = ErrorCode::Cancelled}));
    }

    LoopbackServer server;
    ManualClock clock;
    std::unique_ptr<HttpClient> http;
    std::unique_ptr<PrometheusClient> client;
    std::vector<double> values;
};

QByteArray httpDate(Instant instant)
{
    return QLocale::c()
        .toString(QDateTime::fromMSecsSinceEpoch(instant.time_since_epoch().count(), Qt::UTC),
                  QStringLiteral("ddd, dd MMM yyyy HH:mm:ss 'GMT'"))
        .toLatin1();
}

TEST_F(PrometheusClientTest, AsksBelowTheServersPrefixAndTheServiceProxy)
{
    server.on("GET", "/prom-bj/api/v1/query", Answer::json(emptyVector));
    connectTo({}, "/prom-bj/");
    ASSERT_OK(ask("up"));
    const QByteArray proxy = PrometheusClient::serviceProxyPath(
        QStringLiteral("monitoring"), QStringLiteral("prometheus-k8s"), QStringLiteral("9090"));
    EXPECT_EQ(proxy, "/api/v1/namespaces/monitoring/services/http:prometheus-k8s:9090/proxy");
    EXPECT_EQ(PrometheusClient::serviceProxyPath(QStringLiteral("m"), QStringLiteral("p"), {}, true),
              "/api/v1/namespaces/m/services/https:p/proxy");
    server.on("GET", proxy + "/api/v1/query", Answer::json(emptyVector));
    connectTo(proxy);
    ASSERT_OK(ask("up"));
}

TEST_F(PrometheusClientTest, EncodesWhatAServerWouldTakeForSomethingElse)
{
    server.on("GET", "/api/v1/query", Answer::json(emptyVector));
    connectTo();
    ASSERT_OK(ask("a{b=\"c+d &\"} + 1"));
    EXPECT_EQ(server.requests().front().target, "/api/v1/query?query=a%7Bb%3D%22c%2Bd%20%26%22%7D%20%2B%201");
}

TEST_F(PrometheusClientTest, SendsLongQueriesAsAForm)
{
    server.on("POST", "/api/v1/query", Answer::json(emptyVector));
    connectTo();
    const QByteArray longQuery = "{__name__=~\"" + QByteArray("name+|").repeated(500) + "\"}";
    ASSERT_OK(ask(longQuery));
    const auto request = server.requests().front();
    EXPECT_EQ(request.target, "/api/v1/query");
    EXPECT_EQ(request.header("Content-Type"), "application/x-www-form-urlencoded");
    EXPECT_EQ(request.body, "query=" + longQuery.toPercentEncoding());
    EXPECT_FALSE(request.body.contains('+'));
}

TEST_F(PrometheusClientTest, HandsSeriesOverAndKeepsWarnings)
{
    server.onSequence(
        "GET", "/api/v1/query",
        {Answer::json(
             R"({"status":"success","data":{"resultType":"vector","result":[{"metric":{"region":"huadong"},"value":[1,"300"]}]},"warnings":["region xibei: store-3:10901 gave no answer","no store holds <b>x</b>"],"infos":["tokens may not be a counter"]})"),
         Answer::json(
             R"({"status":"success","data":{"resultType":"vector","result":[{"metric":{"region":"huadong"},"value":[1,"300"]},{"metric":{"region":"xibei"},"value":[1,"500"]}]}})")});
    connectTo();
    auto outcome = ask("sum by (region) (x)");
    ASSERT_OK(outcome);
    EXPECT_TRUE(outcome->answer.isIncomplete());
    EXPECT_EQ(outcome->answer.warnings.at(1), QStringLiteral("no store holds <b>x</b>"));
    EXPECT_THAT(values, ::testing::ElementsAre(300));
    outcome = ask("sum by (region) (x)");
    ASSERT_OK(outcome);
    EXPECT_FALSE(outcome->answer.isIncomplete());
    EXPECT_THAT(values, ::testing::ElementsAre(300, 500));
}

TEST_F(PrometheusClientTest, MeasuresHowFarTheClocksAreApart)
{
    for (const auto skew : {-421s, 421s}) {
        server.on("GET", "/api/v1/query",
                  Answer::json(emptyVector).with("Date", httpDate(clock.now() + skew)));
        connectTo();
        EXPECT_FALSE(client->clockSkew());
        EXPECT_EQ(client->serverNow(), clock.now());
        const auto outcome = ask("up");
        ASSERT_OK(outcome);
        ASSERT_TRUE(outcome->clockSkew);
        EXPECT_LE(std::chrono::abs(*outcome->clockSkew - skew), 1s);
        EXPECT_LE(std::chrono::abs(client->serverNow() - (clock.now() + skew)), 1s);
    }
    server.on("GET", "/api/v1/query", Answer::json(emptyVector).with("Date", httpDate(clock.now())));
    connectTo();
    EXPECT_EQ(ask("up")->clockSkew, 0ms);
}

TEST_F(PrometheusClientTest, SendsTimesInTheWireFormUnderEveryLocale)
{
    server.on(
        "GET", "/api/v1/query_range",
        Answer::json(
            R"({"status":"success","data":{"resultType":"matrix","result":[{"metric":{},"values":[[1.5,"0.25"]]}]}})"));
    connectTo();
    for (const char *name : test::everyLocale) {
        test::LocaleScope locale(name);
        double seen = 0;
        auto future = client->queryRange(
            "up", {.start = Instant(1796068345314ms), .end = Instant(1796068405000ms), .step = 1500ms},
            [&seen](LabelViews, std::span<const Sample> points) { seen = points.front().value; });
        ASSERT_TRUE(waitFor(future));
        ASSERT_OK(future.result());
        EXPECT_EQ(seen, 0.25);
        EXPECT_EQ(server.requests().back().target,
                  "/api/v1/query_range?query=up&start=1796068345.314&end=1796068405&step=1.5");
    }
}

TEST_F(PrometheusClientTest, TellsEachKindOfRefusal)
{
    struct Refusal
    {
        Answer answer;
        ErrorCode code;
        const char *words;
    };
    const Refusal refusals[] = {
        {Answer::json(R"({"status":"error","errorType":"bad_data","error":"1:17: parse error"})", 400),
         ErrorCode::Invalid, "parse error"},
        {Answer::json(R"({"status":"error","errorType":"execution","error":"too many samples"})", 422),
         ErrorCode::Invalid, "more samples than the server allows"},
        {Answer::text("404 page not found", 404), ErrorCode::NotFound, "404"},
        {Answer::json(R"({"kind":"Status","status":"Failure","message":"no endpoints available","code":503})",
                      503),
         ErrorCode::Server, "no endpoints"},
        {Answer::json(R"({"kind":"Status","status":"Failure","message":"services is forbidden","code":403})",
                      403),
         ErrorCode::Forbidden, "forbidden"},
        {Answer::text("<html>login</html>"), ErrorCode::Protocol, "not one of Prometheus"},
        {Answer::json(R"({"status":"success","data":{"resultType":"vector","result":[{"metric":{)"),
         ErrorCode::Protocol, "not one of Prometheus"},
        {Answer::text("slow down", 429).with("Retry-After", "7"), ErrorCode::RateLimited, "429"},
    };
    connectTo();
    for (const Refusal &refusal : refusals) {
        server.on("GET", "/api/v1/query", refusal.answer);
        const auto outcome = ask("up");
        ASSERT_FALSE(outcome) << refusal.words;
        EXPECT_EQ(outcome.error().code, refusal.code) << refusal.words;
        EXPECT_TRUE(englishText(outcome.error()).contains(QString::fromUtf8(refusal.words)))
            << englishText(outcome.error()).toStdString();
        EXPECT_EQ(outcome.error().subject, QStringLiteral("test metrics"));
        if (refusal.code == ErrorCode::RateLimited) {
            EXPECT_EQ(outcome.error().retryAfter, 7s);
        }
    }
}

TEST_F(PrometheusClientTest, AsksForVersionAndNames)
{
    server.on("GET", "/api/v1/status/buildinfo",
              Answer::json(R"({"status":"success","data":{"version":"2.42.0+ds"}})"));
    server.on("GET", "/api/v1/label/__name__/values",
              Answer::json(R"({"status":"success","data":["DCGM_FI_DEV_GPU_UTIL",null,5,"up"]})"));
    connectTo();
    auto build = client->buildInfo();
    ASSERT_TRUE(waitFor(build));
    ASSERT_OK(build.result());
    EXPECT_EQ(build.result()->version, QStringLiteral("2.42.0+ds"));
    auto names = client->metricNames("{a=\"b\"}");
    ASSERT_TRUE(waitFor(names));
    ASSERT_OK(names.result());
    EXPECT_THAT(*names.result(), ::testing::ElementsAre("DCGM_FI_DEV_GPU_UTIL", "up"));
    EXPECT_EQ(server.requests().back().target, "/api/v1/label/__name__/values?match%5B%5D=%7Ba%3D%22b%22%7D");
    server.on("GET", "/api/v1/label/__name__/values", Answer::json(emptyVector));
    names = client->metricNames();
    ASSERT_TRUE(waitFor(names));
    ASSERT_FALSE(names.result());
    EXPECT_EQ(names.result().error().code, ErrorCode::Protocol);
}

TEST_F(PrometheusClientTest, CancellingAbortsTheRequest)
{
    server.on("GET", "/api/v1/query", Answer::silence());
    connectTo();
    auto future = client->query("up", [](LabelViews, double, Instant) {});
    ASSERT_TRUE(test::waitUntil([this] { return server.requestCount() == 1; }));
    future.cancel();
    ASSERT_TRUE(waitFor(future));
    EXPECT_TRUE(future.isCanceled());
    ASSERT_TRUE(test::waitUntil([this] { return server.openConnections() == 0; }));
}

TEST_F(PrometheusClientTest, EndsAsCancelledWhenItDiesFirst)
{
    server.on("GET", "/api/v1/query", Answer::silence());
    connectTo();
    auto future = client->query("up", [](LabelViews, double, Instant) { ADD_FAILURE(); });
    client.reset();
    ASSERT_TRUE(waitFor(future));
    EXPECT_TRUE(future.isCanceled());
}

TEST(ClockSkew, IsZeroWithinWhatAHeaderOfWholeSecondsCanTell)
{
    const Instant sent{1'000'000'400ms}, received{1'000'000'900ms};
    EXPECT_EQ(clockSkewOf(Instant(1'000'000'000ms), sent, received), 0ms);
    EXPECT_EQ(clockSkewOf(Instant(1'000'001'000ms) - 1s, sent, received), 0ms);
    EXPECT_EQ(clockSkewOf(Instant(1'000'421'000ms), sent, received), 420'850ms);
    EXPECT_LT(clockSkewOf(Instant(999'579'000ms), sent, received), -419s);
    EXPECT_EQ(clockSkewOf(Instant(1'000'000'000ms), received, sent),
              0ms); // our own clock jumped back meanwhile
}

TEST(AlignedWindow, StaysBelowTheLimitOfTheServerAndDoesNotJitter)
{
    const Instant end{1'796'068'345'314ms};
    const RangeWindow hour = alignedWindow(end, 1h, 240);
    EXPECT_EQ(hour.step, 15s);
    EXPECT_EQ(hour.start.time_since_epoch().count() % 15000, 0);
    EXPECT_EQ(alignedWindow(end + 3s, 1h, 240).start, hour.start);
    const RangeWindow fortnight = alignedWindow(end, 24h * 14, 1'000'000);
    EXPECT_LE((fortnight.end - fortnight.start) / fortnight.step, 11'000);
    EXPECT_EQ(fortnight.step, 110s);
    EXPECT_GE(alignedWindow(end, 0ms, 0).step, 15s);
}

} // namespace
} // namespace tongchi
