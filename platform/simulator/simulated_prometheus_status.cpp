#include "platform/simulator/exporter_labels.h"
#include "platform/simulator/exporter_series.h"
#include "platform/simulator/fleet_encoding.h"
#include "platform/simulator/fleet_json.h"
#include "platform/simulator/simulated_prometheus.h"
#include "platform/simulator/simulated_prometheus_answer.h"
#include "platform/simulator/simulated_prometheus_form.h"

#include <array>
#include <utility>

namespace tongchi {

namespace {

constexpr const char *scrapeConfig = R"(global:
  scrape_interval: 10s
  scrape_timeout: 10s
  evaluation_interval: 1m
scrape_configs:
- job_name: nvidia-dcgm-exporter
- job_name: gpu-operator-dcgm
- job_name: npu-exporter
- job_name: mlu-exporter
- job_name: kube-state-metrics
)";

constexpr std::array<std::pair<const char *, const char *>, 9> serverFlags{{
    {"enable-feature", ""},
    {"log.level", "info"},
    {"query.lookback-delta", "5m"},
    {"query.max-concurrency", "20"},
    {"query.max-samples", "50000000"},
    {"query.timeout", "2m"},
    {"storage.tsdb.retention.time", "15d"},
    {"web.enable-remote-write-receiver", "false"},
    {"web.max-connections", "512"},
}};

} // namespace

MetricsSource::Answer SimulatedPrometheus::status(const QByteArray &what) const
{
    FleetJson json(1024);
    json.object();
    if (what == "buildinfo") {
        json.text("version", "2.42.0+ds")
            .text("revision", "2.42.0+ds-5+deb12u1")
            .text("branch", "debian/sid");
        json.text("buildUser", "simulated@tongchi.invalid")
            .text("buildDate", "20260604-00:58:54")
            .text("goVersion", "go1.19.8");
    } else if (what == "runtimeinfo") {
        json.text("startTime", fleetTime(m_plan->start() - std::chrono::hours(24 * 20)))
            .text("CWD", "/prometheus");
        json.boolean("reloadConfigSuccess", true)
            .text("lastConfigTime", fleetTime(m_plan->start() - std::chrono::hours(24 * 20)));
        json.number("corruptionCount", 0)
            .number("goroutineCount", 214)
            .number("GOMAXPROCS", 16)
            .text("GOGC", "")
            .text("GODEBUG", "");
        json.text("storageRetention", "15d");
    } else if (what == "config") {
        json.text("yaml", scrapeConfig);
    } else if (what == "flags") {
        for (const auto &[name, content] : serverFlags)
            json.text(name, content);
    } else if (what == "tsdb") {
        json.object("headStats")
            .number("numSeries", qint64(m_plan->cardCount()) * 22)
            .number("chunkCount", qint64(m_plan->cardCount()) * 44);
        json.number("minTime", nowMs() - 7'200'000).number("maxTime", nowMs()).endObject();
        for (const char *part : {"seriesCountByMetricName", "labelValueCountByLabelName",
                                 "memoryInBytesByLabelName", "seriesCountByLabelValuePair"})
            json.array(part).endArray();
    } else if (what == "walreplay") {
        json.number("min", 0).number("max", 0).number("current", 0);
    } else {
        return prometheusText(404, "404 page not found\n");
    }
    json.endObject();
    return prometheusSuccess(json.bytes());
}

MetricsSource::Answer SimulatedPrometheus::targets(int cluster, const PrometheusForm &form) const
{
    const QByteArray state = form.value("state");
    FleetJson json(1 << 16);
    json.object().array("activeTargets");
    const qint64 now = nowMs();
    for (const SimulatedNode &node : m_plan->nodes()) {
        if (node.cluster != cluster || state == "dropped")
            continue;
        static constexpr std::array<std::pair<const char *, int>, 4> sites{{
            {"nvidia-dcgm-exporter", 9400},
            {"gpu-operator-dcgm", 9401},
            {"npu-exporter", 8082},
            {"mlu-exporter", 30108},
        }};
        const auto &[job, port] = sites[std::size_t(ExporterLabels::siteOf(node))];
        const QByteArray address = m_plan->nodeAddress(node) + ':' + QByteArray::number(port);
        const bool stuck = node.silent && cardSpec(node.model).vendor == CardVendor::Ascend;
        const bool down = !stuck && now >= m_plan->silentSince(node).time_since_epoch().count();
        json.object()
            .object("discoveredLabels")
            .text("__address__", address)
            .text("__metrics_path__", "/metrics");
        json.text("__scheme__", "http")
            .text("__scrape_interval__", "10s")
            .text("__scrape_timeout__", "10s")
            .text("job", job)
            .endObject();
        json.object("labels").text("instance", address).text("job", job).endObject();
        json.text("scrapePool", job)
            .text("scrapeUrl", "http://" + address + "/metrics")
            .text("globalUrl", "http://" + address + "/metrics");
        json.text("lastError",
                  down ? "Get \"http://" + address + "/metrics\": context deadline exceeded" : QByteArray());
        json.text("lastScrape", fleetTime(Instant{std::chrono::milliseconds(now / ExporterSeries::scrapeMs *
                                                                            ExporterSeries::scrapeMs)}));
        json.key("lastScrapeDuration")
            .raw(down ? "10.000412" : "0.013207")
            .text("health", down ? "down" : "up");
        json.text("scrapeInterval", "10s").text("scrapeTimeout", "10s").endObject();
    }
    json.endArray().array("droppedTargets").endArray().endObject();
    return prometheusSuccess(json.bytes());
}

} // namespace tongchi
