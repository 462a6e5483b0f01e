#pragma once

#include "platform/simulator/exporter_labels.h"
#include "platform/simulator/series_source.h"

#include <array>
#include <unordered_map>
#include <utility>

namespace tongchi {

/// One look-up of series: which metrics are wanted at all, then node by node what matches.
class ExporterSelection
{
public:
    static constexpr quint16 kubeStateTarget = 0x200;

    struct Amount
    {
        QByteArray resource; ///< sanitised: nvidia_com_gpu; empty: no more
        const char *unit;
        double amount;
    };
    static Amount resourceOf(const SimulatedNode &node, int index, bool allocatable);
    static Amount requestOf(const FleetPlan &plan, quint32 seat, int index);
    /// A silent npu-exporter goes on serving its old cache; a silent dcgm-exporter does not answer.
    static bool isStuck(const SimulatedNode &node);

    ExporterSelection(const FleetPlan &plan, PromSymbols &symbols, const ExporterValues &values,
                      const std::vector<PromMatcher> &matchers, qint64 fromMs, qint64 toMs);

    void chooseMetrics(const std::vector<StringId> &names);
    bool hasMetrics() const { return m_some; }
    void addNode(quint32 nodeIndex);
    void addCluster(int cluster);
    std::vector<PromSeries> take() { return std::exchange(m_series, {}); }
    /// No further series of this metric.
    void leaveOut(quint16 metric);

private:
    using List = ExporterLabels::List;
    struct Metric
    {
        quint16 index;
        StringId name;
    };
    struct Span
    {
        qint64 fromMs;
        qint64 toMs;
    };

    const std::vector<Metric> &of(ExporterFamily family) const { return m_metrics[std::size_t(family)]; }
    bool matches(const List &list);
    /// One series for each wanted metric of the family under these labels.
    void addFamily(ExporterFamily family, List &list, quint32 entity, quint16 part, Span span);
    void addSeries(const Metric &metric, const PromLabels &labels, quint32 entity, quint16 part, Span span);
    template <typename Take> void forEachPod(quint32 seat, Span span, Take take) const;
    void addDcgm(const SimulatedNode &node);
    void addDcgmCard(const SimulatedNode &node, int slot, ExporterLabels::Site site, quint16 part,
                     int instance);
    void addNpu(const SimulatedNode &node);
    void addMlu(const SimulatedNode &node);
    void addMluCard(const SimulatedNode &node, int slot);
    void addKube(quint32 nodeIndex);
    void addPods(const SimulatedNode &node);
    Span nodeSpan(const SimulatedNode &node) const;

    const FleetPlan &m_plan;
    PromSymbols &m_symbols;
    const ExporterValues &m_values;
    ExporterLabels m_labels;
    qint64 m_fromMs;
    qint64 m_toMs;
    qint64 m_oldestMs;
    struct Filter
    {
        PromMatcher matcher;
        StringId name;
        std::unordered_map<StringId, bool> known;
    };
    std::vector<PromMatcher> m_nameFilters;
    std::vector<Filter> m_filters;
    std::array<std::vector<Metric>, 16> m_metrics;
    std::vector<PromSeries> m_series;
    bool m_some = false;
    const SimulatedNode *m_node = nullptr; ///< the one being added
};

} // namespace tongchi
