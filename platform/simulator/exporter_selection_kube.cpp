#include "platform/simulator/exporter_selection.h"

#include "platform/simulator/fleet_encoding.h"
#include "platform/simulator/workload_names.h"

#include <array>
#include <limits>

namespace tongchi {

namespace {

QByteArray kubeStateName(QByteArray resource)
{
    for (char &c : resource) {
        if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9')))
            c = '_';
    }
    return resource;
}

} // namespace

ExporterSelection::Amount ExporterSelection::resourceOf(const SimulatedNode &node, int index,
                                                        bool allocatable)
{
    switch (index) {
    case 0:
        return {"cpu", "core", allocatable ? 126.0 : 128.0};
    case 1:
        return {"memory", "byte", (allocatable ? 1032192.0 : 1048576.0) * 1048576};
    case 2:
        return {"pods", "integer", 110};
    default:
        break;
    }
    const auto cards = cardResources(node, allocatable);
    if (std::size_t(index - 3) >= cards.size())
        return {{}, "", 0};
    return {kubeStateName(cards[std::size_t(index - 3)].first), "integer",
            double(cards[std::size_t(index - 3)].second)};
}

ExporterSelection::Amount ExporterSelection::requestOf(const FleetPlan &plan, quint32 seatIndex, int index)
{
    const PodSeat &seat = plan.seats()[seatIndex];
    switch (index) {
    case 0:
        return {"cpu", "core", 12.0 * seat.cards};
    case 1:
        return {"memory", "byte", 96.0 * seat.cards * 1024 * 1024 * 1024};
    case 2: {
        const SimulatedNode &node = plan.nodes()[seat.node];
        const QByteArray resource = countedResource(node, seat.share);
        // kube-state-metrics knows nothing of claims.
        return {kubeStateName(resource), "integer", double(countedRequest(node, seat.cards))};
    }
    default:
        return {{}, "", 0};
    }
}

void ExporterSelection::addPods(const SimulatedNode &node)
{
    const bool some = !of(ExporterFamily::KubePod).empty() || !of(ExporterFamily::KubePodPhase).empty() ||
                      !of(ExporterFamily::KubePodRequest).empty();
    if (!some)
        return;
    const qint64 lost = node.offline ? m_plan.silentSince(node).time_since_epoch().count()
                                     : std::numeric_limits<qint64>::max();
    static constexpr std::array<const char *, 5> phases{"Pending", "Running", "Succeeded", "Failed",
                                                        "Unknown"};
    for (quint32 i = node.firstSeat; i < node.firstSeat + node.seats; ++i) {
        const PodSeat &seat = m_plan.seats()[i];
        for (qint64 ms = std::max(m_fromMs, m_oldestMs); ms <= m_toMs;) {
            SeatPod pod = m_plan.podAt(seat, std::min(ms, lost));
            if (ms >= lost || pod.endMs > lost)
                pod.endMs = std::numeric_limits<qint64>::max(); // nobody replaces the pods of a lost node
            const Span span{std::max(m_oldestMs, pod.startMs), pod.endMs};
            List base;
            m_labels.kubePod(base, i, pod);
            List info = base;
            m_labels.add(info, "node", node.name);
            m_labels.add(info, "host_ip", m_plan.nodeAddress(node));
            const WorkloadKind &kind = workloadKind(m_plan.owners()[seat.owner].workload);
            m_labels.add(info, "label_app", kind.name);
            m_labels.add(info, "label_tongchi_io_business", businessName(kind.business));
            addFamily(ExporterFamily::KubePod, info, i, 0, span);
            for (quint16 phase = 0; !of(ExporterFamily::KubePodPhase).empty() && phase < phases.size();
                 ++phase) {
                List list = base;
                m_labels.add(list, "phase", phases[phase]);
                addFamily(ExporterFamily::KubePodPhase, list, i, phase, span);
            }
            for (quint16 part = 0; !of(ExporterFamily::KubePodRequest).empty(); ++part) {
                const Amount amount = requestOf(m_plan, i, part);
                if (amount.resource.isEmpty())
                    break;
                List list = base;
                m_labels.add(list, "node", node.name);
                m_labels.add(list, "container", kind.business == Business::Training ? "trainer" : "server");
                m_labels.add(list, "resource", amount.resource);
                m_labels.add(list, "unit", amount.unit);
                addFamily(ExporterFamily::KubePodRequest, list, i, part, span);
            }
            if (pod.endMs > m_toMs)
                break;
            ms = pod.endMs;
        }
    }
}

void ExporterSelection::addKube(quint32 nodeIndex)
{
    const SimulatedNode &node = m_plan.nodes()[nodeIndex];
    const Span span{m_oldestMs, std::numeric_limits<qint64>::max()};
    for (const Metric &metric : of(ExporterFamily::KubeNode)) {
        List list;
        m_labels.kubeNode(list, node, exporterMetrics()[metric.index].name == "kube_node_labels");
        if (matches(list))
            addSeries(metric, m_symbols.make(list), nodeIndex, 0, span);
    }
    for (quint16 part = 0; !of(ExporterFamily::KubeNodeResource).empty(); ++part) {
        const Amount amount = resourceOf(node, part, false);
        if (amount.resource.isEmpty())
            break;
        List list;
        m_labels.kubeState(list, node.cluster);
        m_labels.add(list, "node", node.name);
        m_labels.add(list, "resource", amount.resource);
        m_labels.add(list, "unit", amount.unit);
        addFamily(ExporterFamily::KubeNodeResource, list, nodeIndex, part, span);
    }
    static constexpr std::array<const char *, 3> states{"true", "false", "unknown"};
    for (quint16 part = 0; !of(ExporterFamily::KubeNodeCondition).empty() && part < states.size(); ++part) {
        List list;
        m_labels.kubeState(list, node.cluster);
        m_labels.add(list, "node", node.name);
        m_labels.add(list, "condition", "Ready");
        m_labels.add(list, "status", states[part]);
        addFamily(ExporterFamily::KubeNodeCondition, list, nodeIndex, part, span);
    }
    addPods(node);
}

void ExporterSelection::addCluster(int cluster)
{
    if (of(ExporterFamily::Target).empty() || m_plan.nodes().empty())
        return;
    m_node = nullptr;
    List list;
    m_labels.kubeState(list, cluster);
    addFamily(ExporterFamily::Target, list, 0, kubeStateTarget,
              {m_oldestMs, std::numeric_limits<qint64>::max()});
}

} // namespace tongchi
