#include "platform/simulator/exporter_series.h"

#include "platform/simulator/exporter_selection.h"

#include <algorithm>

namespace tongchi {

ExporterSeries::ExporterSeries(std::shared_ptr<const FleetPlan> plan, PromSymbols &symbols, int cluster)
    : m_plan(std::move(plan)), m_symbols(symbols), m_cluster(cluster), m_values(*m_plan)
{
    m_nodeOfCard.resize(m_plan->cardCount());
    for (quint32 i = 0; i < m_plan->nodes().size(); ++i) {
        const SimulatedNode &node = m_plan->nodes()[i];
        for (quint32 card = node.firstCard; card < node.firstCard + node.cards; ++card)
            m_nodeOfCard[card] = i;
        if (node.cluster == cluster)
            m_nodes.push_back(i);
    }
    for (const ExporterMetric &metric : exporterMetrics())
        m_metricNames.push_back(symbols.intern(metric.name));
}

ExporterSeries::~ExporterSeries() = default;

std::vector<PromSeries> ExporterSeries::select(const std::vector<PromMatcher> &matchers, qint64 fromMs,
                                               qint64 toMs) const
{
    ExporterSelection selection(*m_plan, m_symbols, m_values, matchers, fromMs, toMs);
    selection.chooseMetrics(m_metricNames);
    if (!selection.hasMetrics())
        return {};
    for (const quint32 node : m_nodes)
        selection.addNode(node);
    selection.addCluster(m_cluster);
    return selection.take();
}

std::vector<quint16> ExporterSeries::metricsOf(const std::vector<PromMatcher> &matchers, qint64 fromMs,
                                               qint64 toMs) const
{
    ExporterSelection selection(*m_plan, m_symbols, m_values, matchers, fromMs, toMs);
    selection.chooseMetrics(m_metricNames);
    std::vector<quint16> metrics;
    const auto note = [&] {
        for (const PromSeries &one : selection.take()) {
            if (one.fromMs > toMs || one.toMs <= fromMs ||
                std::find(metrics.begin(), metrics.end(), one.metric) != metrics.end())
                continue;
            metrics.push_back(one.metric);
            selection.leaveOut(one.metric);
        }
    };
    for (auto node = m_nodes.begin(); node != m_nodes.end() && selection.hasMetrics(); ++node) {
        selection.addNode(*node);
        note();
    }
    if (selection.hasMetrics()) {
        selection.addCluster(m_cluster);
        note();
    }
    return metrics;
}

double ExporterSeries::valueAt(const PromSeries &series, qint64 unixMs) const
{
    const ExporterMetric &metric = exporterMetrics()[series.metric];
    switch (metric.family) {
    case ExporterFamily::Dcgm:
    case ExporterFamily::DcgmProfile:
    case ExporterFamily::Npu:
    case ExporterFamily::NpuError:
    case ExporterFamily::Mlu:
    case ExporterFamily::MluCard: {
        const SimulatedNode &node = m_plan->nodes()[m_nodeOfCard[series.entity]];
        return m_values.ofCard(metric.value, node, int(series.entity - node.firstCard), series.part, unixMs);
    }
    case ExporterFamily::MluContainer:
        return series.part;
    case ExporterFamily::Target: {
        if (metric.value == ExporterValue::Up && series.part == ExporterSelection::kubeStateTarget)
            return 1;
        const SimulatedNode &node = m_plan->nodes()[series.entity];
        const bool down = unixMs >= m_plan->silentSince(node).time_since_epoch().count() &&
                          !ExporterSelection::isStuck(node);
        return metric.value == ExporterValue::Up ? (down ? 0 : 1)
               : down                            ? 10
                                                 : m_values.ofNode(metric.value, node, 0);
    }
    case ExporterFamily::KubeNodeResource:
        return ExporterSelection::resourceOf(m_plan->nodes()[series.entity], series.part,
                                             metric.value == ExporterValue::Allocatable)
            .amount;
    case ExporterFamily::KubePodPhase: {
        const PodSeat &seat = m_plan->seats()[series.entity];
        const bool starting = unixMs < m_plan->podAt(seat, unixMs).runningMs;
        const int phase = m_plan->nodes()[seat.node].business == Business::Idle ? 2 : starting ? 0 : 1;
        return series.part == phase ? 1 : 0;
    }
    case ExporterFamily::KubePodRequest:
        return ExporterSelection::requestOf(*m_plan, series.entity, series.part).amount;
    case ExporterFamily::KubePod:
        return metric.value == ExporterValue::One ? 1 : 0;
    case ExporterFamily::NpuNode:
    case ExporterFamily::MluNode:
    case ExporterFamily::KubeNode:
    case ExporterFamily::KubeNodeCondition:
        break;
    }
    return m_values.ofNode(metric.value, m_plan->nodes()[series.entity], series.part);
}

bool ExporterSeries::newestAt(const PromSeries &series, qint64 atMs, qint64 lookbackMs,
                              PromPoint &point) const
{
    qint64 ms = 0;
    if (series.stuck) {
        constexpr qint64 cacheMs = 120'000;
        ms = (atMs - 130'000) / cacheMs * cacheMs;
    } else {
        ms = (atMs - series.phaseMs) / scrapeMs * scrapeMs + series.phaseMs;
    }
    if (ms >= series.toMs) {
        if (!series.lingers)
            return false;
        ms = (series.toMs - 1 - series.phaseMs) / scrapeMs * scrapeMs + series.phaseMs;
    }
    if (ms < series.fromMs || ms <= atMs - lookbackMs)
        return false;
    point = {ms, valueAt(series, ms)};
    return true;
}

void ExporterSeries::samplesIn(const PromSeries &series, qint64 fromMs, qint64 toMs,
                               std::vector<PromPoint> &points) const
{
    const qint64 from = std::max(fromMs, series.fromMs);
    const qint64 to = std::min(toMs, series.toMs - 1);
    const qint64 step = series.stuck ? 120'000 : scrapeMs;
    const qint64 phase = series.stuck ? 0 : series.phaseMs;
    qint64 ms = (from - phase) / step * step + phase;
    if (ms < from)
        ms += step;
    for (; ms <= to; ms += step)
        points.push_back({ms, valueAt(series, ms)});
}

bool ExporterSeries::newestIn(const PromSeries &series, qint64 fromMs, qint64 toMs, PromPoint &point) const
{
    const qint64 to = std::min(toMs, series.toMs - 1);
    const qint64 step = series.stuck ? 120'000 : scrapeMs;
    const qint64 phase = series.stuck ? 0 : series.phaseMs;
    const qint64 ms = (to - phase) / step * step + phase;
    if (to < phase || ms < std::max(fromMs, series.fromMs))
        return false;
    point = {ms, valueAt(series, ms)};
    return true;
}

} // namespace tongchi
