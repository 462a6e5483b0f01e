#include "platform/simulator/exporter_labels.h"

#include "platform/simulator/fleet_encoding.h"
#include "platform/simulator/fleet_hash.h"
#include "platform/simulator/fleet_pod_devices.h"
#include "platform/simulator/workload_names.h"

#include <cstring>

namespace tongchi {

namespace {

QByteArray exporterPodName(const FleetPlan &plan, const SimulatedNode &node, const char *name, quint64 salt)
{
    return QByteArray(name) + '-' + fleetSuffix(fleetHash(plan.seed(), 2200 + salt, node.firstCard), 5);
}

const char *containerName(const FleetPlan &plan, quint32 seat)
{
    const WorkloadKind &kind = workloadKind(plan.owners()[plan.seats()[seat].owner].workload);
    return kind.business == Business::Training ? "trainer" : "server";
}

} // namespace

ExporterLabels::ExporterLabels(const FleetPlan &plan, PromSymbols &symbols) : m_plan(plan), m_symbols(symbols)
{
}

ExporterLabels::Site ExporterLabels::siteOf(const SimulatedNode &node)
{
    switch (cardSpec(node.model).vendor) {
    case CardVendor::Nvidia:
        return Site::Dcgm;
    case CardVendor::Ascend:
        return Site::Npu;
    case CardVendor::Cambricon:
        break;
    }
    return Site::Mlu;
}

bool ExporterLabels::honorsLabels(const SimulatedNode &node)
{
    switch (siteOf(node)) {
    case Site::Npu:
        return node.region != FleetRegion::Ulanqab;
    case Site::Mlu:
        return node.region != FleetRegion::Beijing;
    default:
        return node.region == FleetRegion::Guiyang || node.region == FleetRegion::Shenzhen;
    }
}

void ExporterLabels::target(List &list, const SimulatedNode &node, Site site)
{
    const QByteArray address = m_plan.nodeAddress(node);
    add(list, "cluster", m_plan.clusters().at(node.cluster).toUtf8());
    switch (site) {
    case Site::Dcgm:
        add(list, "job", "nvidia-dcgm-exporter");
        add(list, "instance", address + ":9400");
        add(list, "namespace", "gpu-operator");
        add(list, "pod", exporterPodName(m_plan, node, "nvidia-dcgm-exporter", 0));
        add(list, "container", "nvidia-dcgm-exporter");
        add(list, "service", "nvidia-dcgm-exporter");
        add(list, "endpoint", "gpu-metrics");
        break;
    case Site::SecondDcgm:
        add(list, "job", "gpu-operator-dcgm");
        add(list, "instance", address + ":9401");
        add(list, "namespace", "monitoring");
        add(list, "pod", exporterPodName(m_plan, node, "dcgm-exporter", 1));
        break;
    case Site::Npu:
        add(list, "job", "npu-exporter");
        add(list, "instance", address + ":8082");
        add(list, "namespace", "npu-exporter");
        add(list, "pod", exporterPodName(m_plan, node, "npu-exporter", 2));
        if (node.region != FleetRegion::Ulanqab)
            add(list, "node", node.name);
        break;
    case Site::Mlu:
        add(list, "job", "mlu-exporter");
        add(list, "instance", address + ":30108");
        add(list, "namespace", "cambricon");
        add(list, "pod", exporterPodName(m_plan, node, "cambricon-mlu-exporter", 3));
        break;
    }
}

void ExporterLabels::dcgmCard(List &list, const SimulatedNode &node, int slot, Site site)
{
    target(list, node, site);
    const QByteArray index = QByteArray::number(slot);
    add(list, "gpu", index);
    add(list, "UUID", m_plan.cardUuid(node, slot));
    add(list, "pci_bus_id", m_plan.pciBus(node, slot));
    add(list, "device", "nvidia" + index);
    add(list, "modelName", cardSpec(node.model).reportedName);
    // The second exporter was started without the host's name and says its pod's.
    add(list, node.region == FleetRegion::Shenzhen ? "hostname" : "Hostname",
        site == Site::SecondDcgm ? exporterPodName(m_plan, node, "dcgm-exporter", 1) : node.name);
    add(list, "DCGM_FI_DRIVER_VERSION", driverVersion(node));
}

void ExporterLabels::pod(List &list, const char *prefix, quint32 seat, const SeatPod &pod, bool plainNames)
{
    const WorkloadKind &kind = workloadKind(m_plan.owners()[m_plan.seats()[seat].owner].workload);
    const QByteArray before(prefix);
    const auto named = [&](const char *name, const QByteArray &value) {
        const QByteArray full = before + name;
        add(list, std::string_view(full.constData(), std::size_t(full.size())), value);
    };
    named("namespace", kind.nameSpace);
    named(plainNames ? "pod" : "pod_name", m_plan.podName(seat, pod));
    named(plainNames ? "container" : "container_name", containerName(m_plan, seat));
}

void ExporterLabels::dcgmPod(List &list, const SimulatedNode &node, quint32 seatIndex, const SeatPod &seatPod)
{
    const PodSeat &seat = m_plan.seats()[seatIndex];
    pod(list, honorsLabels(node) ? "" : "exported_", seatIndex, seatPod, true);
    if (node.encoding == CardEncoding::TimeSlicing || node.encoding == CardEncoding::TimeSlicingRenamed ||
        node.encoding == CardEncoding::Mps)
        add(list, "vgpu", QByteArray::number(seat.share));
    if (node.encoding == CardEncoding::Dra || node.encoding == CardEncoding::DraMig) {
        add(list, "dra_driver_name", "gpu.nvidia.com");
        add(list, "dra_pool_name", node.name);
        if (seat.cards == 1)
            add(list, "dra_device_name", draDeviceName(node, seat.firstSlot, seat.share));
    }
}

void ExporterLabels::migInstance(List &list, const SimulatedNode &node, int share)
{
    const MigInstance &instance = tongchi::migInstance(node.encoding, share);
    add(list, "GPU_I_PROFILE", instance.profile);
    add(list, "GPU_I_ID", QByteArray::number(instance.gpuInstanceId));
}

void ExporterLabels::npuCard(List &list, const SimulatedNode &node, int slot)
{
    target(list, node, Site::Npu);
    add(list, "id", QByteArray::number(slot));
    add(list, "vdie_id", m_plan.cardUuid(node, slot));
    add(list, "model_name", ascendChip(node) + "-Ascend-V1");
    add(list, "pcie_bus_info", m_plan.pciBus(node, slot).mid(4));
}

void ExporterLabels::npuPod(List &list, const SimulatedNode &node, quint32 seat, const SeatPod &seatPod)
{
    const WorkloadKind &kind = workloadKind(m_plan.owners()[m_plan.seats()[seat].owner].workload);
    // Only namespace clashes with the target's labels: the exporter says pod_name and container_name.
    add(list, honorsLabels(node) ? "namespace" : "exported_namespace", kind.nameSpace);
    add(list, "pod_name", m_plan.podName(seat, seatPod));
    add(list, "container_name", containerName(m_plan, seat));
}

void ExporterLabels::mluCard(List &list, const SimulatedNode &node, int slot)
{
    target(list, node, Site::Mlu);
    add(list, "mlu", QByteArray::number(slot));
    add(list, "model", "MLU370-X8");
    add(list, "type", "mlu370");
    add(list, "sn", "53220" + fleetHex(fleetHash(m_plan.seed(), 2300, node.firstCard + quint64(slot)), 7));
    add(list, "uuid", m_plan.cardUuid(node, slot));
    add(list, "driver", driverVersion(node));
    add(list, "mcu", "v1.1.4");
    add(list, "node", node.name);
    add(list, "node_ip", m_plan.nodeAddress(node));
}

void ExporterLabels::mluFunction(List &list, const SimulatedNode &node, int slot, int share)
{
    // An instance has a UUID of its own.
    add(list, "uuid", "MLU-" + m_plan.migUuid(node, slot, share).mid(4));
    add(list, "type", "mlu370.smlu");
    add(list, "vf", QByteArray::number(share + 1));
}

void ExporterLabels::mluPod(List &list, const SimulatedNode &node, quint32 seat, const SeatPod &seatPod)
{
    pod(list, honorsLabels(node) ? "" : "exported_", seat, seatPod, true);
}

void ExporterLabels::kubeState(List &list, int cluster)
{
    add(list, "cluster", m_plan.clusters().at(cluster).toUtf8());
    add(list, "job", "kube-state-metrics");
    add(list, "instance", "10.128.0.14:8443");
}

void ExporterLabels::kubeNode(List &list, const SimulatedNode &node, bool withLabels)
{
    kubeState(list, node.cluster);
    add(list, "node", node.name);
    if (withLabels) {
        add(list, "label_topology_kubernetes_io_region", regionName(node.region));
        return;
    }
    add(list, "internal_ip", m_plan.nodeAddress(node));
    add(list, "kubelet_version", "v1.36.3");
    add(list, "os_image",
        cardSpec(node.model).vendor == CardVendor::Ascend ? "openEuler 22.03 (LTS-SP4)"
                                                          : "Ubuntu 22.04.5 LTS");
}

void ExporterLabels::kubePod(List &list, quint32 seatIndex, const SeatPod &seatPod)
{
    const PodSeat &seat = m_plan.seats()[seatIndex];
    kubeState(list, m_plan.nodes()[seat.node].cluster);
    const WorkloadKind &kind = workloadKind(m_plan.owners()[seat.owner].workload);
    add(list, "namespace", kind.nameSpace);
    add(list, "pod", m_plan.podName(seatIndex, seatPod));
    add(list, "uid", m_plan.podUid(seatIndex, seatPod));
}

} // namespace tongchi
