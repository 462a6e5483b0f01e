// A join that has polled before takes a short way for the series it knows: it must say the same as a new one.

#include "platform/inventory/telemetry_join.h"
#include "platform/metrics/metric_catalog.h"
#include "tests/inventory/telemetry_fakes.h"
#include "tests/support/qt_printers.h"

#include <array>
#include <gtest/gtest.h>
#include <random>
#include <sstream>

namespace tongchi {
namespace {

using namespace std::chrono_literals;
using test::dcgm;
using test::FakeIdentities;
using test::SeriesLine;

TEST(TelemetryKnownSeries, AJoinThatKnowsTheSeriesSaysTheSameAsAFreshOne)
{
    const MetricCatalog catalog = MetricCatalog::builtIn();
    StringPool pool;
    FakeIdentities cards;
    Instant now{1'796'068'345'000ms};
    TelemetryJoin join{&catalog, &pool};
    TelemetryResult result;
    for (int node = 0; node < 6; ++node) {
        for (int slot = 0; slot < 4; ++slot)
            cards.addCard("n" + std::to_string(node), Vendor::Nvidia, std::uint16_t(slot),
                          "GPU-0000000" + std::to_string(node) + "-aaaa-4bbb-8ccc-00000000000" +
                              std::to_string(slot));
    }
    std::mt19937 random(20261201);
    const auto below = [&random](int limit) { return int(random() % unsigned(limit)); };
    constexpr std::array metrics{"DCGM_FI_DEV_GPU_UTIL",    "DCGM_FI_DEV_FB_USED",    "DCGM_FI_DEV_GPU_TEMP",
                                 "DCGM_FI_DEV_POWER_USAGE", "DCGM_FI_DEV_XID_ERRORS", "no_such_metric"};
    const auto texts = [&pool](const TelemetryResult &of) {
        std::vector<std::string> lines;
        for (const TelemetryRecord &each : of.records) {
            std::ostringstream line;
            line << each.ordinal << ' ' << each.utilizationPercent << ' ' << each.memoryUsedBytes << ' '
                 << each.temperatureCelsius << ' ' << each.powerWatts << ' ' << int(each.health) << ' '
                 << int(each.source) << each.severalExporters << each.errorReported << ' '
                 << each.sampledAt.time_since_epoch().count();
            lines.push_back(line.str());
        }
        for (const PodAttachment &each : of.pods)
            lines.push_back(std::to_string(each.ordinal) + ' ' + std::string(pool.utf8(each.pod)));
        lines.push_back(std::to_string(of.series) + ' ' + std::to_string(of.unassignedSeries) + ' ' +
                        std::to_string(of.unassignedCards) + (of.incomplete ? " incomplete" : ""));
        for (const QString &note : of.notes)
            lines.push_back(note.toStdString());
        return lines;
    };
    for (int poll = 0; poll < 60; ++poll) {
        now += 15s;
        TelemetryJoin fresh{&catalog, &pool};
        TelemetryResult expected;
        join.begin();
        fresh.begin();
        const auto dcgmSource = *catalog.indexOf("dcgm");
        const auto mluSource = *catalog.indexOf("mlu");
        const auto give = [&](std::size_t source, bool times, const SeriesLine &line) {
            for (TelemetryJoin *each : {&join, &fresh})
                line.handTo(times ? each->collectSampleTimes(source) : each->collectValues(source), now);
        };
        const bool manyPods = poll == 30;
        for (int node = 0; node < 6; ++node) {
            if (below(8) == 0) // an exporter that is silent this time
                continue;
            for (int slot = 0; slot < 4; ++slot) {
                std::vector<std::pair<std::string, std::string>> labels{
                    {"UUID", "GPU-0000000" + std::to_string(node) + "-aaaa-4bbb-8ccc-00000000000" +
                                 std::to_string(slot)},
                    {"Hostname", "n" + std::to_string(node)},
                    {"gpu", std::to_string(slot)}};
                if (below(3) == 0 || manyPods)
                    labels.insert(labels.end(),
                                  {{"exported_pod", "pod-" + std::to_string(below(manyPods ? 10'000 : 3))},
                                   {"exported_namespace", "prod"}});
                for (const char *name : metrics) {
                    if (below(10) != 0)
                        give(dcgmSource, false, dcgm(name, below(10) ? below(100) : 9.2e18, labels));
                }
                if (below(4) != 0)
                    give(dcgmSource, true,
                         {labels,
                          below(10) ? double(now.time_since_epoch().count()) / 1000 - below(120) : -1});
                give(mluSource, false,
                     dcgm("mlu_container", below(2),
                          {{"uuid", labels[0].second}, {"pod", "p"}, {"namespace", "q"}}));
            }
        }
        if (below(10) == 0) {
            join.failed(dcgmSource);
            fresh.failed(dcgmSource);
        }
        join.finish(cards, now, result);
        fresh.finish(cards, now, expected);
        ASSERT_EQ(texts(result), texts(expected)) << "poll " << poll;
    }
    EXPECT_LT(join.bytes(), 1'000'000u);
}

} // namespace
} // namespace tongchi
