#pragma once

#include "platform/simulator/exporter_values.h"
#include "platform/simulator/promql_labels.h"

namespace tongchi {

/// Labels of the exporters' series, as they stand in a cluster's Prometheus after its scrape configuration.
///
/// The sites differ as real ones do: Beijing and Ulanqab scrape dcgm-exporter without honorLabels (the
/// workload is under exported_pod), Guiyang and Shenzhen with; Shenzhen's is new enough to say hostname
/// instead of Hostname. Ulanqab's scrape configuration adds no node label to npu-exporter's series, only
/// instance = address:8082 tells the node.
class ExporterLabels
{
public:
    using List = std::vector<PromLabel>;
    enum class Site : quint8 { Dcgm, SecondDcgm, Npu, Mlu };

    ExporterLabels(const FleetPlan &plan, PromSymbols &symbols);

    void target(List &list, const SimulatedNode &node, Site site);
    void dcgmCard(List &list, const SimulatedNode &node, int slot, Site site);
    void dcgmPod(List &list, const SimulatedNode &node, quint32 seat, const SeatPod &pod);
    void migInstance(List &list, const SimulatedNode &node, int share);
    void npuCard(List &list, const SimulatedNode &node, int slot);
    void npuPod(List &list, const SimulatedNode &node, quint32 seat, const SeatPod &pod);
    void mluCard(List &list, const SimulatedNode &node, int slot);
    void mluFunction(List &list, const SimulatedNode &node, int slot, int share);
    void mluPod(List &list, const SimulatedNode &node, quint32 seat, const SeatPod &pod);
    void kubeState(List &list, int cluster);
    void kubeNode(List &list, const SimulatedNode &node, bool withLabels);
    void kubePod(List &list, quint32 seat, const SeatPod &pod);
    void add(List &list, std::string_view name, const QByteArray &value)
    {
        list.push_back({m_symbols.intern(name), m_symbols.intern(value)});
    }

    static Site siteOf(const SimulatedNode &node);
    static bool honorsLabels(const SimulatedNode &node);

private:
    void pod(List &list, const char *prefix, quint32 seat, const SeatPod &pod, bool plainNames);
    const FleetPlan &m_plan;
    PromSymbols &m_symbols;
};

} // namespace tongchi
