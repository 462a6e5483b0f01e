#include "platform/inventory/metrics_poller.h"

#include "platform/core/string_pool.h"
#include "platform/http/http_client.h"
#include "platform/inventory/card_history.h"
#include "platform/metrics/metric_catalog.h"
#include "tests/inventory/telemetry_fakes.h"
#include "tests/support/loopback_server.h"
#include "tests/support/qt_printers.h"
#include "tests/support/wait.h"

#include <QUrl>
#include <QUrlQuery>
#include <atomic>
#include <gmock/gmock.h>

namespace tongchi {
namespace {

using namespace std::chrono_literals;
using test::Answer;
using test::LoopbackServer;
using test::ReceivedRequest;
using test::waitUntil;

constexpr std::int64_t pollerNow = 1'798'612'920; // seconds; a multiple of 30

QByteArray parameter(const ReceivedRequest &request, const char *name)
{
    const QByteArray form =
        request.method == "POST" ? request.body : request.target.mid(request.target.indexOf('?') + 1);
    return QUrlQuery(QString::fromLatin1(form))
        .queryItemValue(QLatin1String(name), QUrl::FullyDecoded)
        .toUtf8();
}

QByteArray gpuSeries(const QByteArray &name, int card, const QByteArray &rest)
{
    return R"({"metric":{"__name__":")" + name + R"(","UUID":"GPU-)" + QByteArray::number(card) +
           R"(","Hostname":"n1","gpu":")" + QByteArray::number(card) + R"("},)" + rest + '}';
}

QByteArray success(const QByteArray &type, const QList<QByteArray> &series)
{
    return R"({"status":"success","data":{"resultType":")" + type + R"(","result":[)" + series.join(',') +
           "]}}";
}

class MetricsPollerTest : public ::testing::Test
{
protected:
    void SetUp() override
    {
        clock.advance(std::chrono::seconds(pollerNow) -
                      std::chrono::floor<std::chrono::seconds>(clock.now().time_since_epoch()));
        for (int i = 0; i < 2; ++i)
            cards.addCard("n1", Vendor::Nvidia, std::uint16_t(i), "GPU-" + std::to_string(i));
        server.on(
            "GET", "/api/v1/label/__name__/values",
            Answer::json(R"({"status":"success","data":["DCGM_FI_DEV_GPU_UTIL","DCGM_FI_DEV_FB_USED"]})"));
        server.on("GET", "/api/v1/query", [](const ReceivedRequest &request) {
            const QByteArray query = parameter(request, "query");
            const QByteArray at = QByteArray::number(qint64(pollerNow));
            if (query.startsWith("timestamp"))
                return Answer::json(success("vector", {}));
            if (query.startsWith("DCGM_FI_DEV_POWER_USAGE"))
                return Answer::text("out of memory", 503);
            QList<QByteArray> series;
            if (query.contains("DCGM_FI_DEV_GPU_UTIL")) {
                series << gpuSeries("DCGM_FI_DEV_GPU_UTIL", 0, R"("value":[)" + at + R"(,"71"])")
                       << gpuSeries("DCGM_FI_DEV_GPU_UTIL", 1, R"("value":[)" + at + R"(,"5"])");
            }
            return Answer::json(success("vector", series));
        });
    }

    void run(MetricsPoller::Options options)
    {
        ConnectionSettings settings;
        settings.server = server.url();
        http = std::make_unique<HttpClient>(settings);
        poller = std::make_unique<MetricsPoller>(
            http.get(), QByteArray(), QStringLiteral("bj"),
            SessionEnvironment{&strings, &clock, nullptr, &catalog}, &cards, options,
            MetricsPoller::Callbacks{
                .polled =
                    [this](TelemetryResult &result, bool all) {
                        records = result.records;
                        whole = all;
                        ++polls;
                    },
                .past =
                    [this](std::vector<TelemetryRecord> more) {
                        past.insert(past.end(), more.begin(), more.end());
                    },
                .statusChanged = [this] { ++statusChanges; },
            });
        poller->start();
    }

    /// The answer of a server whose cards have reported 40 + card per cent at every point but the last ten
    /// minutes.
    void serveHistory()
    {
        server.on("GET", "/api/v1/query_range", [this](const ReceivedRequest &request) {
            ++rangeQueries;
            const qint64 start = parameter(request, "start").toLongLong();
            const qint64 end = parameter(request, "end").toLongLong();
            EXPECT_EQ(parameter(request, "step"), "30");
            EXPECT_FALSE(parameter(request, "query").contains("TEMP"));
            QList<QByteArray> series;
            for (int card = 0; card < 2; ++card) {
                QList<QByteArray> points;
                for (qint64 at = start; at <= end; at += 30) {
                    if (at <= pollerNow - 600)
                        points << '[' + QByteArray::number(at) + ",\"" + QByteArray::number(40 + card) +
                                      "\"]";
                }
                if (!points.isEmpty())
                    series << gpuSeries("DCGM_FI_DEV_GPU_UTIL", card,
                                        R"("values":[)" + points.join(',') + ']');
            }
            return Answer::json(success("matrix", series));
        });
    }

    LoopbackServer server;
    StringPool strings;
    ManualClock clock;
    MetricCatalog catalog = MetricCatalog::builtIn();
    test::FakeIdentities cards;
    std::atomic<int> rangeQueries{0};
    std::unique_ptr<HttpClient> http;
    std::unique_ptr<MetricsPoller> poller;
    std::vector<TelemetryRecord> records, past;
    bool whole = false;
    int polls = 0, statusChanges = 0;
};

TEST_F(MetricsPollerTest, PollsAndFillsTheLastHourOnce)
{
    serveHistory();
    run({});
    ASSERT_TRUE(waitUntil([this] { return past.size() >= 2 * 101; }));
    ASSERT_EQ(records.size(), 2U);
    EXPECT_TRUE(whole);
    EXPECT_FLOAT_EQ(records[0].utilizationPercent, 71);
    EXPECT_EQ(poller->status().state, SourceState::Live);
    // Points at -60 min ... -10 min, each once a card; nothing was invented for the ten minutes without.
    EXPECT_EQ(past.size(), 2U * 101);
    for (const TelemetryRecord &record : past) {
        EXPECT_FLOAT_EQ(record.utilizationPercent, 40 + float(record.ordinal));
        EXPECT_LE(record.sampledAt, Instant(std::chrono::seconds(pollerNow - 600)));
        EXPECT_GE(record.sampledAt, Instant(std::chrono::seconds(pollerNow - 3600)));
    }
    ASSERT_TRUE(waitUntil([this] { return rangeQueries >= 7; })); // 121 points in pieces of 20
    const int before = polls;
    poller->refresh();
    ASSERT_TRUE(waitUntil([this, before] { return polls > before; }));
    EXPECT_EQ(rangeQueries, 7);
}

TEST_F(MetricsPollerTest, FillsTheStoresGapsAndReplacesNothing)
{
    serveHistory();
    run({});
    ASSERT_TRUE(waitUntil([this] { return past.size() == 2 * 101; }));
    EXPECT_EQ(records[0].sampledAt.time_since_epoch().count() / 1000, pollerNow);
    CardHistory history;
    history.record(0, records[0].sampledAt, records[0].utilizationPercent, 50);
    history.record(0, Instant(std::chrono::seconds(pollerNow - 1200)), 99, 50);
    for (const TelemetryRecord &record : past) {
        if (record.ordinal == 0)
            history.recordPast(0, record.sampledAt, record.utilizationPercent, notReported);
    }
    int first = 0;
    const auto values = history.utilization(0, first);
    const auto back = [&](int steps) {
        return values[std::size_t(first + CardHistory::values - 1 - steps) % CardHistory::values];
    };
    EXPECT_EQ(back(0), 71);
    EXPECT_EQ(back(10), CardHistory::noValue);
    EXPECT_EQ(back(20), 40);
    EXPECT_EQ(back(40), 99);
    EXPECT_EQ(back(119), 40);
}

TEST_F(MetricsPollerTest, ARefusedHistoryIsANoteAndNothingElse)
{
    server.on("GET", "/api/v1/query_range",
              Answer::json(
                  R"({"status":"error","errorType":"bad_data","error":"exceeded maximum resolution"})", 400));
    run({});
    ASSERT_TRUE(waitUntil([this] { return !poller->notes().isEmpty(); }));
    EXPECT_TRUE(poller->notes().constLast().contains(QStringLiteral("last hour")));
    EXPECT_EQ(poller->status().state, SourceState::Live);
    EXPECT_TRUE(poller->status().warnings.isEmpty());
    EXPECT_TRUE(past.empty());
}

TEST_F(MetricsPollerTest, AsksALargePoolMetricByMetricAndOneThatFailsCostsAWarning)
{
    run({.largestAnswer = 1, .fillHistory = false});
    ASSERT_TRUE(waitUntil([this] { return polls == 1; }));
    const auto asked = server.requests("/api/v1/query");
    EXPECT_GT(asked.size(), 5U);
    for (const ReceivedRequest &request : asked)
        EXPECT_FALSE(parameter(request, "query").startsWith("{__name__=~"));
    ASSERT_EQ(records.size(), 2U);
    EXPECT_FLOAT_EQ(records[0].utilizationPercent, 71);
    EXPECT_FALSE(whole);
    EXPECT_EQ(poller->status().state, SourceState::Live);
    ASSERT_EQ(poller->status().warnings.size(), 1);
    EXPECT_TRUE(poller->status().warnings.constFirst().contains(QStringLiteral("DCGM_FI_DEV_POWER_USAGE")));
}

// A value without its time would pass for one of this moment, however long the exporter has been silent.
TEST_F(MetricsPollerTest, ValuesWhoseSampleTimesAreLostAreNotTaken)
{
    std::atomic<bool> lost{false};
    server.on("GET", "/api/v1/query", [&lost](const ReceivedRequest &request) {
        const QByteArray at = QByteArray::number(qint64(pollerNow));
        if (!parameter(request, "query").startsWith("timestamp"))
            return Answer::json(
                success("vector", {gpuSeries("DCGM_FI_DEV_GPU_UTIL", 0, R"("value":[)" + at + R"(,"71"])")}));
        QByteArray sampled = gpuSeries(
            "", 0, R"("value":[)" + at + R"(,")" + QByteArray::number(qint64(pollerNow - 100)) + R"("])");
        sampled.replace(R"("__name__":"",)", ""); // timestamp() drops it
        Answer answer = Answer::json(success("vector", {sampled}));
        return lost ? std::move(answer).cut(30) : answer;
    });
    run({.interval = 20ms, .fillHistory = false});
    ASSERT_TRUE(waitUntil([this] { return polls == 1; }));
    ASSERT_EQ(records.size(), 1U);
    EXPECT_EQ(records[0].sampledAt, Instant(std::chrono::seconds(pollerNow - 100)));
    EXPECT_TRUE(whole);
    lost = true;
    const int before = polls;
    ASSERT_TRUE(waitUntil([this, before] { return polls >= before + 2; }));
    EXPECT_TRUE(records.empty()) << "what was known before keeps its age";
    EXPECT_FALSE(whole);
    EXPECT_EQ(poller->status().state, SourceState::Lost);
    ASSERT_TRUE(poller->status().error);
    EXPECT_EQ(poller->status().error->code, ErrorCode::Network);
    lost = false;
    EXPECT_TRUE(waitUntil([this] { return poller->status().state == SourceState::Live; }));
}

// Each question would wait as long as the one before: the operator would learn of it after minutes.
TEST_F(MetricsPollerTest, AServerThatIsSilentIsNotAskedOnAndOn)
{
    QByteArray names;
    for (const TelemetrySource &source : catalog.sources())
        names +=
            (names.isEmpty() ? "\"" : ",\"") + QByteArray::fromStdString(source.metrics.front().name) + '"';
    server.on("GET", "/api/v1/label/__name__/values",
              Answer::json(R"({"status":"success","data":[)" + names + "]}"));
    server.on("GET", "/api/v1/query", Answer::silence());
    run({.timeout = 100ms, .fillHistory = false});
    ASSERT_TRUE(waitUntil([this] { return polls == 1; }));
    EXPECT_LE(server.requests("/api/v1/query").size(), 6U) << "those that were under way at once";
    EXPECT_EQ(poller->status().state, SourceState::Failed);
    EXPECT_EQ(poller->status().error->code, ErrorCode::Timeout);
    EXPECT_FALSE(whole);
}

TEST_F(MetricsPollerTest, DiesWithQuestionsOpen)
{
    server.on("GET", "/api/v1/query", Answer::silence());
    run({});
    ASSERT_TRUE(waitUntil([this] { return server.requests("/api/v1/query").size() >= 1; }));
    poller.reset();
    http.reset();
    EXPECT_EQ(polls, 0);
}

} // namespace
} // namespace tongchi
