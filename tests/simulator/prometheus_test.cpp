#include "platform/simulator/simulated_prometheus.h"

#include <gtest/gtest.h>
#include <map>
#include <set>
#include <simdjson.h>

namespace tongchi {
namespace {

class SimulatedPrometheusTest : public testing::Test
{
protected:
    static void SetUpTestSuite()
    {
        clock = new SimulatedClock;
        fleet = new Fleet(PoolOptions{}, *clock);
        prometheus = new SimulatedPrometheus(*fleet, *clock);
    }
    static void TearDownTestSuite()
    {
        delete prometheus;
        delete fleet;
        delete clock;
    }

    static MetricsSource::Answer get(const QByteArray &path, const QByteArray &queryString = {},
                                     int cluster = 0)
    {
        return prometheus->handle(cluster, "GET", path, queryString, {});
    }
    static MetricsSource::Answer query(const QByteArray &promql, int cluster = 0)
    {
        return get("/api/v1/query", "query=" + promql.toPercentEncoding(), cluster);
    }
    /// The only value of a query.
    static double number(const QByteArray &promql, int cluster = 0)
    {
        const auto answer = query(promql, cluster);
        simdjson::dom::parser parser;
        const std::string body = answer.body.toStdString();
        const auto json = parser.parse(body);
        std::string_view text;
        if (json.at_pointer("/data/result/0/value/1").get(text) != simdjson::SUCCESS) {
            ADD_FAILURE() << promql.toStdString() << ": " << body.substr(0, 300);
            return -1;
        }
        return std::atof(std::string(text).c_str());
    }
    /// Values by one label.
    static std::map<std::string, double> by(const char *label, const QByteArray &promql, int cluster = 0)
    {
        const std::string body = query(promql, cluster).body.toStdString();
        simdjson::dom::parser parser;
        std::map<std::string, double> found;
        for (const auto series : parser.parse(body).at_pointer("/data/result").get_array()) {
            std::string_view key;
            if (series["metric"][label].get(key) != simdjson::SUCCESS)
                key = {};
            found[std::string(key)] =
                std::atof(std::string(series.at_pointer("/value/1").get_string().value()).c_str());
        }
        return found;
    }

    static SimulatedClock *clock;
    static Fleet *fleet;
    static SimulatedPrometheus *prometheus;
};

SimulatedClock *SimulatedPrometheusTest::clock = nullptr;
Fleet *SimulatedPrometheusTest::fleet = nullptr;
SimulatedPrometheus *SimulatedPrometheusTest::prometheus = nullptr;

TEST_F(SimulatedPrometheusTest, AnswersInTheShapesOfARealServer)
{
    EXPECT_EQ(get("/-/ready").body, QByteArray("Prometheus Server is Ready.\n"));
    EXPECT_EQ(get("/-/healthy").body, QByteArray("Prometheus Server is Healthy.\n"));
    EXPECT_TRUE(query("\"x\"").body.startsWith(
        "{\"status\":\"success\",\"data\":{\"resultType\":\"string\",\"result\":[1"));
    EXPECT_TRUE(query("1/0").body.endsWith(",\"+Inf\"]}}"));
    EXPECT_EQ(query("nosuchmetric").body,
              QByteArray("{\"status\":\"success\",\"data\":{\"resultType\":\"vector\",\"result\":[]}}"));
    EXPECT_EQ(get("/api/v1/rules").body, QByteArray("{\"status\":\"success\",\"data\":{\"groups\":[]}}"));
    EXPECT_TRUE(get("/api/v1/status/buildinfo").body.contains("\"version\":\"2.42.0"));
    EXPECT_TRUE(get("/api/v1/status/runtimeinfo").body.contains("\"storageRetention\":\"15d\""));
    EXPECT_TRUE(get("/api/v1/status/flags").body.contains("\"query.max-samples\":\"50000000\""));
}

TEST_F(SimulatedPrometheusTest, RefusesInTheWordsOfARealServer)
{
    struct Case
    {
        const char *path;
        const char *queryString;
        int status;
        const char *body;
    };
    // Bodies as recorded from Prometheus 2.42.
    static const Case cases[] = {
        {"query", "query=sum%28rate%28up%5B5m%5D%29", 400,
         R"~({"status":"error","errorType":"bad_data","error":"invalid parameter \"query\": 1:17: parse error: unclosed left parenthesis"})~"},
        {"query", "", 400,
         R"~({"status":"error","errorType":"bad_data","error":"invalid parameter \"query\": 1:1: parse error: no expression found in input"})~"},
        {"query", "query=up&time=abc", 400,
         R"~({"status":"error","errorType":"bad_data","error":"invalid parameter \"time\": Invalid time value for 'time': cannot parse \"abc\" to a valid timestamp"})~"},
        {"query", "query=up&timeout=1ns", 400,
         R"~({"status":"error","errorType":"bad_data","error":"invalid parameter \"timeout\": cannot parse \"1ns\" to a valid duration"})~"},
        {"query_range", "query=up&start=1796048345&end=1796068345&step=1", 400,
         R"~({"status":"error","errorType":"bad_data","error":"exceeded maximum resolution of 11,000 points per timeseries. Try decreasing the query resolution (?step=XX)"})~"},
        {"query_range", "query=up&start=1796057344&end=1796068345&step=1", 400,
         R"~({"status":"error","errorType":"bad_data","error":"exceeded maximum resolution of 11,000 points per timeseries. Try decreasing the query resolution (?step=XX)"})~"},
        {"query_range", "query=up&start=1796068345&end=1796068340&step=1", 400,
         R"~({"status":"error","errorType":"bad_data","error":"invalid parameter \"end\": end timestamp must not be before start time"})~"},
        {"query_range", "query=up&start=1796068340&end=1796068345&step=0", 400,
         R"~({"status":"error","errorType":"bad_data","error":"invalid parameter \"step\": zero or negative query resolution step widths are not accepted. Try a positive integer"})~"},
        {"nosuch", "", 404, "404 page not found\n"},
    };
    for (const Case &one : cases) {
        const auto answer = get(QByteArray("/api/v1/") + one.path, one.queryString);
        EXPECT_EQ(answer.status, one.status) << one.path << '?' << one.queryString;
        EXPECT_EQ(answer.body, QByteArray(one.body));
        EXPECT_EQ(answer.contentType,
                  QByteArray(one.status == 404 ? "text/plain; charset=utf-8" : "application/json"));
    }
    EXPECT_EQ(get("/api/v1/query_range", "query=vector(1)&start=1796057345&end=1796068345&step=1").status,
              200);
    EXPECT_EQ(query("up * on() up").status, 422);
}

TEST_F(SimulatedPrometheusTest, TakesAFormInTheBodyOfAPost)
{
    const auto answer = prometheus->handle(0, "POST", "/api/v1/query", {}, "query=1%2B1&time=1796068345.25");
    EXPECT_EQ(answer.body, QByteArray("{\"status\":\"success\",\"data\":{\"resultType\":\"scalar\","
                                      "\"result\":[1796068345.250,\"2\"]}}"));
}

TEST_F(SimulatedPrometheusTest, ShowsEveryCardThatReportsOnceByItsIdentity)
{
    const int offlineAndSilent[] = {
        24 + 8, 0, 16}; // Beijing, Ulanqab, Guiyang and Shenzhen; a stuck npu-exporter still answers
    const int cards[] = {2608, 2176, 2716};
    for (int cluster = 0; cluster < 3; ++cluster) {
        const double found = number("count(count by (UUID) (DCGM_FI_DEV_GPU_TEMP))", cluster) +
                             number("count(count by (vdie_id) (npu_chip_info_temperature))", cluster) +
                             (cluster == 1 ? 0 : number("count(mlu_chip_temperature)", cluster));
        EXPECT_EQ(found, cards[cluster] - offlineAndSilent[cluster]) << cluster;
    }
}

TEST_F(SimulatedPrometheusTest, TellsWhichPodHasACardWhereKubernetesDoesNot)
{
    // Without honorLabels in Beijing, with it in Guiyang and Shenzhen.
    EXPECT_GT(number("count(DCGM_FI_DEV_GPU_UTIL{exported_pod!=\"\"})", 0), 500);
    EXPECT_TRUE(query("DCGM_FI_DEV_GPU_UTIL{exported_pod!=\"\"}", 2).body.endsWith("\"result\":[]}}"));
    EXPECT_GT(number("count(DCGM_FI_DEV_GPU_UTIL{pod!~\"nvidia-dcgm-exporter-.*\"})", 2), 300);
    EXPECT_GT(number("count(npu_chip_info_power{pod_name!=\"\",exported_namespace!=\"\"})", 1), 100);
    EXPECT_GT(number("count(mlu_container{exported_pod!=\"\"})", 0), 50);
    EXPECT_EQ(number("count(DCGM_FI_DEV_GPU_UTIL{Hostname=~\"sz-.*\"}) or vector(0)", 2), 0);
    EXPECT_GT(number("count(DCGM_FI_DEV_GPU_UTIL{hostname=~\"sz-.*\"})", 2), 100);
}

TEST_F(SimulatedPrometheusTest, HasTheQuirksOfRealExporters)
{
    EXPECT_GT(number("count(DCGM_FI_DEV_FB_USED unless on(UUID) DCGM_FI_DEV_FB_RESERVED)"), 50);
    EXPECT_EQ(number("max(DCGM_FI_DEV_MEMORY_TEMP{modelName=\"Tesla T4\"})"), 9223372036854775808.0);
    EXPECT_EQ(number("count(DCGM_FI_DEV_GPU_UTIL{GPU_I_ID!=\"\"}) or vector(0)"), 0);
    EXPECT_GT(number("count(DCGM_FI_PROF_GR_ENGINE_ACTIVE{GPU_I_ID!=\"\"})"), 100);
    EXPECT_LE(number("max(DCGM_FI_PROF_GR_ENGINE_ACTIVE)"), 1);
    EXPECT_GT(number("count(count by (UUID) (DCGM_FI_DEV_GPU_UTIL) > 1)", 1), 7);
    EXPECT_EQ(number("count(DCGM_FI_DEV_POWER_USAGE == 0)", 2), 8);
    EXPECT_EQ(number("count(npu_chip_info_error_code)", 1), 1);
    EXPECT_EQ(number("sum(machine_unhealthy_npu_nums)", 1), 1);
    EXPECT_EQ(number("count(mlu_health == 0)", 2), 1);
    EXPECT_GT(number("count(mlu_utilization{vf!=\"\"})"), 16);
    const auto xid = by("modelName", "count by (modelName) (DCGM_FI_DEV_XID_ERRORS == 79)");
    EXPECT_EQ(xid.size(), 1u);
    // The cache of the silent npu-exporter is between two and five minutes old.
    const auto ages = by("node", "min by (node) (time() - timestamp(npu_chip_info_power)) > 60", 2);
    ASSERT_EQ(ages.size(), 1u);
    EXPECT_GE(ages.begin()->second, 120);
    EXPECT_LT(ages.begin()->second, 300);
}

TEST_F(SimulatedPrometheusTest, HasAHistoryFromTheStart)
{
    const QByteArray end = QByteArray::number(clock->now().time_since_epoch().count() / 1000);
    const QByteArray start = QByteArray::number(clock->now().time_since_epoch().count() / 1000 - 86'400);
    const auto answer =
        get("/api/v1/query_range", "query=avg(DCGM_FI_DEV_GPU_UTIL)&step=1h&start=" + start + "&end=" + end);
    simdjson::dom::parser parser;
    const std::string body = answer.body.toStdString();
    double low = 100;
    double high = 0;
    int points = 0;
    for (const auto point : parser.parse(body).at_pointer("/data/result/0/values").get_array()) {
        const double value = std::atof(std::string(point.at(1).get_string().value()).c_str());
        low = std::min(low, value);
        high = std::max(high, value);
        ++points;
    }
    EXPECT_EQ(points, 25);
    EXPECT_GT(high, low * 1.6);
    EXPECT_GT(number("min(increase(DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION[5m]))"), 0);
}

TEST_F(SimulatedPrometheusTest, ListsSeriesLabelsAndTargets)
{
    EXPECT_EQ(get("/api/v1/label/cluster/values").body,
              QByteArray("{\"status\":\"success\",\"data\":[\"bj-prod\"]}"));
    EXPECT_TRUE(get("/api/v1/label/__name__/values").body.contains("\"npu_chip_info_hbm_used_memory\""));
    EXPECT_TRUE(get("/api/v1/labels", "match[]=mlu_health").body.contains("\"node_ip\""));
    EXPECT_TRUE(get("/api/v1/series", "match[]=up%7Bjob%3D%22kube-state-metrics%22%7D")
                    .body.contains("10.128.0.14:8443"));
    EXPECT_EQ(get("/api/v1/series").status, 400);
    EXPECT_TRUE(get("/api/v1/metadata", "metric=mlu_health").body.contains("\"type\":\"gauge\""));
    const auto targets = get("/api/v1/targets", "state=active").body;
    EXPECT_EQ(targets.count("\"health\":\"down\""), 4);
    EXPECT_EQ(number("count(up == 0)"), 4);
    EXPECT_TRUE(get("/metrics/bj-910b-001").body.contains("npu_chip_info_hbm_total_memory{"));
    EXPECT_EQ(number("sum(kube_pod_status_phase{phase=\"Running\"}) > 2000 or vector(0)") > 2000, true);
}

// Pods come back under their names at any hour; a query must never meet a series twice for that.
TEST(SimulatedPrometheusDay, HasNoSeriesTwiceAtAnyTime)
{
    SimulatedClock clock;
    PoolOptions options;
    options.cards = 2000;
    options.clusters = 1;
    Fleet fleet(options, clock);
    SimulatedPrometheus prometheus(fleet, clock);
    const qint64 now = clock.now().time_since_epoch().count() / 1000;
    for (int step = 0; step < 70; ++step) {
        for (const char *selector :
             {"DCGM_FI_DEV_GPU_UTIL", "npu_chip_info_utilization", "mlu_utilization", "mlu_container"}) {
            const auto answer = prometheus.handle(
                0, "GET", "/api/v1/query",
                "query=" + QByteArray(selector) + "&time=" + QByteArray::number(now - step * 1231), {});
            ASSERT_TRUE(answer.body.startsWith("{\"status\":\"success\""))
                << selector << " at " << now - step * 1231 << ": " << answer.body.left(200).constData();
        }
    }
}

} // namespace
} // namespace tongchi
