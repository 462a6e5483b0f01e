#pragma once

#include "platform/simulator/exporter_labels.h"
#include "platform/simulator/series_source.h"

#include <memory>

namespace tongchi {

/// All series of one cluster's Prometheus, computed when asked: nothing is stored, so the past is there from
/// the start.
class ExporterSeries final : public SeriesSource
{
public:
    static constexpr qint64 scrapeMs = 10'000;
    static constexpr qint64 retentionMs = 15LL * 86'400'000;

    ExporterSeries(std::shared_ptr<const FleetPlan> plan, PromSymbols &symbols, int cluster);
    ~ExporterSeries() override;

    std::vector<PromSeries> select(const std::vector<PromMatcher> &matchers, qint64 fromMs,
                                   qint64 toMs) const override;
    /// Indices of the metrics (exporterMetrics()) that have such a series, without making all of them.
    std::vector<quint16> metricsOf(const std::vector<PromMatcher> &matchers, qint64 fromMs,
                                   qint64 toMs) const;
    bool newestAt(const PromSeries &series, qint64 atMs, qint64 lookbackMs, PromPoint &point) const override;
    bool newestIn(const PromSeries &series, qint64 fromMs, qint64 toMs, PromPoint &point) const override;
    void samplesIn(const PromSeries &series, qint64 fromMs, qint64 toMs,
                   std::vector<PromPoint> &points) const override;
    double valueAt(const PromSeries &series, qint64 unixMs) const;
    int cluster() const { return m_cluster; }

private:
    std::shared_ptr<const FleetPlan> m_plan;
    PromSymbols &m_symbols;
    int m_cluster;
    ExporterValues m_values;
    std::vector<quint32> m_nodes; ///< of this cluster
    std::vector<quint32> m_nodeOfCard;
    std::vector<StringId> m_metricNames; ///< by index of exporterMetrics()
};

} // namespace tongchi
