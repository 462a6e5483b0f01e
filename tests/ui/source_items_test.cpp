#include "tests/support/qt_printers.h"
#include "ui/shell/status_line.h"

#include <gtest/gtest.h>

namespace tongchi {
namespace {

using namespace std::chrono_literals;

ClusterStatus clusterHeard(const QString &name, SourceState state, Instant heard)
{
    ClusterStatus cluster;
    cluster.name = name;
    cluster.kubernetes = {.state = state, .lastHeard = heard, .latency = 18ms};
    cluster.metrics = {.state = SourceState::Live, .lastHeard = heard};
    return cluster;
}

// A latency was measured when all was well; when nothing comes any more, for how long is what counts.
TEST(SourceItems, ShowTheAgeOfASilentClusterInPlaceOfItsLatency)
{
    const Instant now = Instant(std::chrono::sys_days(std::chrono::year(2026) / 12 / 1));
    const Formatting formatting(QLocale::c());
    const auto behindTheDot = [&formatting, now](const QList<ClusterStatus> &all) {
        return sourceItems(all, now, formatting).at(0).detail.section(QStringLiteral(" · "), 1);
    };
    QList<ClusterStatus> clusters{clusterHeard(QStringLiteral("a"), SourceState::Live, now - 2s),
                                  clusterHeard(QStringLiteral("b"), SourceState::Live, now - 1s)};
    EXPECT_EQ(behindTheDot(clusters), QStringLiteral("18 ms"));
    clusters[1].kubernetes.state = SourceState::Late;
    clusters[1].kubernetes.lastHeard = now - 40s;
    const SourceItem late = sourceItems(clusters, now, formatting).at(0);
    EXPECT_EQ(behindTheDot(clusters), formatting.age(40s));
    EXPECT_EQ(late.tone, Tone::Warn);
    EXPECT_TRUE(late.toolTip.contains(QStringLiteral("b: late")));
}

} // namespace
} // namespace tongchi
