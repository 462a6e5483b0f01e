#include "platform/simulator/fleet_node_objects.h"

#include "platform/simulator/fleet_encoding.h"
#include "platform/simulator/fleet_hash.h"
#include "platform/simulator/fleet_json.h"

#include <cstring>

namespace tongchi {

namespace {

using std::chrono::milliseconds;

quint64 nodeHash(const FleetPlan &plan, const SimulatedNode &node, quint64 salt)
{
    return fleetHash(plan.seed(), 900 + salt, node.firstCard);
}

Instant nodeCreated(const FleetPlan &plan, const SimulatedNode &node)
{
    return plan.start() - std::chrono::hours(24 * 60 + nodeHash(plan, node, 1) % (24 * 320));
}

void writeNvidiaLabels(FleetJson &json, const SimulatedNode &node)
{
    const CardSpec &spec = cardSpec(node.model);
    const bool old = node.encoding == CardEncoding::NvidiaLabelsShort;
    QByteArray product = spec.productLabel;
    if (old && product.startsWith("NVIDIA-"))
        product.remove(0, int(std::strlen("NVIDIA-")));
    const bool slicing =
        node.encoding == CardEncoding::TimeSlicing || node.encoding == CardEncoding::TimeSlicingRenamed;
    const bool mps = node.encoding == CardEncoding::Mps;
    const bool single = node.encoding == CardEncoding::MigSingle;
    if (slicing || mps)
        product += "-SHARED";
    int count = node.cards;
    int memory = node.memoryMiB();
    if (single) {
        const MigInstance &instance = migInstance(node.encoding, 0);
        product += QByteArray("-MIG-") + instance.profile;
        count *= migInstanceCount(node.encoding);
        memory = instance.memoryMiB;
    }
    const QByteArray driver = driverVersion(node);
    const QList<QByteArray> parts = driver.split('.');
    json.text("nvidia.com/gpu.present", "true").text("nvidia.com/gpu.product", product);
    json.text("nvidia.com/gpu.memory", QByteArray::number(memory))
        .text("nvidia.com/gpu.count", QByteArray::number(count));
    json.text("nvidia.com/gpu.family", spec.family);
    json.text("nvidia.com/gpu.replicas", QByteArray::number(slicing || mps ? sharesACard(node.encoding) : 1));
    json.text("nvidia.com/gpu.sharing-strategy", slicing ? "time-slicing" : mps ? "mps" : "none");
    json.text("nvidia.com/gpu.mode", node.model == CardModel::Rtx4090 ? "graphics" : "compute");
    if (old) {
        json.text("nvidia.com/cuda.driver.major", parts[0]).text("nvidia.com/cuda.driver.minor", parts[1]);
        json.text("nvidia.com/cuda.driver.rev", parts[2]);
        json.text("nvidia.com/cuda.runtime.major", "12").text("nvidia.com/cuda.runtime.minor", "2");
    } else {
        json.text("nvidia.com/cuda.driver-version.full", driver)
            .text("nvidia.com/cuda.driver-version.major", parts[0]);
        json.text("nvidia.com/cuda.runtime-version.full", "12.8");
    }
    const bool capable = node.model == CardModel::A100 || node.model == CardModel::H100;
    json.text("nvidia.com/mig.capable", capable ? "true" : "false");
    json.text("nvidia.com/mps.capable", mps ? "true" : "false");
    if (capable)
        json.text("nvidia.com/mig.strategy", single                                    ? "single"
                                             : node.encoding == CardEncoding::MigMixed ? "mixed"
                                                                                       : "none");
    if (single) {
        json.text("nvidia.com/mig.config", "all-1g.10gb").text("nvidia.com/mig.config.state", "success");
        json.text("nvidia.com/gpu.slices.gi", "1").text("nvidia.com/gpu.slices.ci", "1");
        json.text("nvidia.com/gpu.multiprocessors", "14");
    } else if (node.encoding == CardEncoding::MigMixed) {
        json.text("nvidia.com/mig.config", "all-balanced").text("nvidia.com/mig.config.state", "success");
        for (const int share : {0, 1, 2}) {
            const MigInstance &instance = migInstance(node.encoding, share);
            const QByteArray key = QByteArray("nvidia.com/mig-") + instance.profile;
            json.text(key + ".count", QByteArray::number(node.cards * (share == 2 ? 2 : 1)));
            json.text(key + ".memory", QByteArray::number(instance.memoryMiB));
            json.text(key + ".slices.gi", QByteArray::number(instance.slices));
        }
    }
}

void writeLabels(FleetJson &json, const SimulatedNode &node)
{
    json.object("labels");
    const bool arm = cardSpec(node.model).vendor == CardVendor::Ascend;
    json.text("kubernetes.io/arch", arm ? "arm64" : "amd64").text("kubernetes.io/hostname", node.name);
    json.text("kubernetes.io/os", "linux").text("topology.kubernetes.io/region", regionName(node.region));
    json.text("topology.kubernetes.io/zone",
              QByteArray(regionName(node.region)) + "-" + char('a' + node.number % 3));
    // Kept-for labels are set by hand, so not every node has one; on a mixed node it tells what it was meant
    // for.
    if (node.business == Business::Training || (node.business == Business::Inference && node.number % 2 == 0))
        json.text("tongchi.io/business", businessName(node.business));
    else if (node.business == Business::Mixed && node.number % 3 == 0)
        json.text("tongchi.io/business", "inference");
    else if (node.business == Business::Idle && node.number % 2 == 0)
        json.text("tongchi.io/business", "training");
    switch (node.encoding) {
    case CardEncoding::HamiText7:
    case CardEncoding::HamiJson:
        json.text("gpu", "on");
        break;
    case CardEncoding::HamiText9:
        json.text("gpu", "on");
        writeNvidiaLabels(json, node);
        break;
    case CardEncoding::Dra:
    case CardEncoding::DraMig:
        json.text("nvidia.com/gpu.present", "true").text("nvidia.com/dra-kubelet-plugin", "true");
        break;
    case CardEncoding::AscendPlugin:
    case CardEncoding::AscendStaticVnpu:
        json.text("accelerator", "huawei-Ascend910").text("accelerator-type", "module-910b-8");
        json.text("host-arch", "huawei-arm")
            .text("servertype", "Ascend910-20")
            .text("workerselector", "dls-worker-node");
        json.text("nodeDEnable", "on").text("node.kubernetes.io/npu.chip.name", ascendChip(node));
        json.text("mind-cluster/npu-chip-memory", node.smallMemory ? "32G" : "64G");
        json.text("huawei.com/driver.version", driverVersion(node));
        break;
    case CardEncoding::HamiAscend:
    case CardEncoding::HamiAscendOld:
    case CardEncoding::HamiAscendTemplates:
        json.text("ascend", "on");
        break;
    case CardEncoding::MluDefault:
    case CardEncoding::MluTyped:
    case CardEncoding::MluDynamic:
        json.text("Model", "MLU370-X8")
            .text("DriverVersion", driverVersion(node))
            .text("MCUVersion", "v1.1.4");
        json.text("CPUType", "Intel-Xeon-Gold-6330");
        break;
    default:
        writeNvidiaLabels(json, node);
    }
    json.endObject();
}

QByteArray hamiRegister(const FleetPlan &plan, const SimulatedNode &node)
{
    const QByteArray memory = QByteArray::number(hamiMemoryMiB(node));
    if (node.encoding == CardEncoding::HamiText7 || node.encoding == CardEncoding::HamiText9) {
        QByteArray text;
        for (int slot = 0; slot < node.cards; ++slot) {
            text += plan.cardUuid(node, slot) + ",10," + memory + ",100," + hamiType(node) + ',' +
                    (slot < node.cards / 2 ? "0," : "1,") + (slot == node.faultySlot ? "false" : "true");
            if (node.encoding == CardEncoding::HamiText9)
                text += ',' + QByteArray::number(slot) + ",hami-core";
            text += ':';
        }
        return text;
    }
    // Go's omitempty: no key at all for index 0, NUMA 0 and health false.
    const bool ascend = isHamiAscend(node.encoding);
    FleetJson json(2048);
    json.array();
    for (int slot = 0; slot < node.cards; ++slot) {
        json.object().text("id", plan.cardUuid(node, slot));
        if (slot > 0)
            json.number("index", slot);
        json.number("count", sharesACard(node.encoding)).number("devmem", hamiMemoryMiB(node));
        json.number("devcore", ascend ? 20 : 100).text("type", hamiType(node));
        if (!ascend && slot >= node.cards / 2)
            json.number("numa", 1);
        if (!ascend)
            json.text("mode", "hami-core");
        if (slot != node.faultySlot)
            json.boolean("health", true);
        if (ascend)
            json.object("custominfo").number("NetworkID", slot / 4).endObject();
        json.endObject();
    }
    json.endArray();
    return json.take();
}

QByteArray handshakeKey(const SimulatedNode &node)
{
    return isHamiAscend(node.encoding) ? "hami.io/node-handshake-" + ascendWord(node)
                                       : QByteArray("hami.io/node-handshake");
}

QByteArray handshakeValue(const FleetPlan &plan, const SimulatedNode &node, Instant now)
{
    const qint64 period = handshakePeriodMs(node);
    if (period == 0) {
        // 2.8 and later: the scheduler asked once and nobody ever answers.
        QByteArray stamp = fleetTime(nodeCreated(plan, node));
        return "Requesting_" + stamp.left(19).replace('T', ' ');
    }
    const qint64 nowMs = now.time_since_epoch().count();
    const qint64 turn = (nowMs + qint64(nodeHash(plan, node, 2) % quint64(period))) / period;
    const qint64 phase = qint64(nodeHash(plan, node, 2) % quint64(period));
    // The stamps are the node's local time, without a zone.
    const Instant at{milliseconds(turn * period - phase + 8 * 3'600'000)};
    QByteArray stamp = fleetTime(at).left(19).replace('T', ' ');
    if (turn % 2 == 0) {
        if (node.encoding == CardEncoding::HamiText7)
            stamp.replace('-', '.');
        return "Requesting_" + stamp;
    }
    if (isHamiAscend(node.encoding))
        return "Reported_" + stamp.replace('-', '.');
    return "Reported " + stamp + ".318250411 +0800 CST m=+86412.318250411";
}

void writeAnnotations(FleetJson &json, const FleetPlan &plan, const SimulatedNode &node, Instant now)
{
    json.object("annotations");
    json.text("node.alpha.kubernetes.io/ttl", "0");
    json.text("volumes.kubernetes.io/controller-managed-attach-detach", "true");
    if (isHamiNvidia(node.encoding)) {
        json.text(handshakeKey(node), handshakeValue(plan, node, now));
        json.text("hami.io/node-nvidia-register", hamiRegister(plan, node));
    } else if (isHamiAscend(node.encoding)) {
        json.text(handshakeKey(node), handshakeValue(plan, node, now));
        json.text("hami.io/node-register-" + ascendWord(node), hamiRegister(plan, node));
    } else if (cardSpec(node.model).vendor == CardVendor::Ascend) {
        FleetJson devices(600);
        devices.object();
        for (int slot = 0; slot < node.cards; ++slot) {
            devices.key("Ascend910-" + QByteArray::number(slot)).object();
            devices.text("IP", "172.16." + QByteArray::number(node.number % 250) + '.' +
                                   QByteArray::number(slot + 10));
            devices.text("SuperDeviceID", "4294967295").endObject();
        }
        devices.endObject();
        json.text("baseDeviceInfos", devices.bytes());
        json.text("product-serial-number", "2102" + fleetHex(nodeHash(plan, node, 3), 12).toUpper());
    }
    json.endObject();
}

void writeResources(FleetJson &json, const char *name, const SimulatedNode &node, bool allocatable)
{
    json.object(name);
    json.text("cpu", allocatable ? "126" : "128");
    // A tebibyte less what the firmware keeps: a round number would be shown as "1Ti".
    json.text("memory", allocatable ? "1039790092Ki" : "1056567308Ki").text("pods", "110");
    for (const auto &[resource, number] : cardResources(node, allocatable))
        json.text(resource, QByteArray::number(number));
    json.endObject();
}

void writeCondition(FleetJson &json, const char *type, const char *status, const char *reason,
                    const char *message, const QByteArray &heartbeat, const QByteArray &transition)
{
    json.object().text("type", type).text("status", status).text("lastHeartbeatTime", heartbeat);
    json.text("lastTransitionTime", transition).text("reason", reason).text("message", message).endObject();
}

} // namespace

qint64 handshakePeriodMs(const SimulatedNode &node)
{
    if (node.offline)
        return 0;
    if (isHamiAscend(node.encoding))
        return 60'000;
    return node.encoding == CardEncoding::HamiText7 || node.encoding == CardEncoding::HamiText9 ? 120'000 : 0;
}

qint64 nextHandshakeMs(const FleetPlan &plan, const SimulatedNode &node, qint64 unixMs)
{
    const qint64 period = handshakePeriodMs(node);
    const qint64 phase = qint64(nodeHash(plan, node, 2) % quint64(period));
    return ((unixMs + phase) / period + 1) * period - phase;
}

SimulatedObject nodeObject(const FleetPlan &plan, const SimulatedNode &node, Instant now)
{
    const Instant created = nodeCreated(plan, node);
    FleetJson json(4096);
    json.object().text("kind", "Node").text("apiVersion", "v1").object("metadata");
    json.text("name", node.name)
        .text("uid", fleetUuid(nodeHash(plan, node, 0)))
        .text("creationTimestamp", fleetTime(created));
    writeLabels(json, node);
    writeAnnotations(json, plan, node, now);
    json.endObject();

    json.object("spec");
    const QByteArray addresses = "10." + QByteArray::number(128 + (node.firstCard >> 11) % 100) + '.' +
                                 QByteArray::number((node.firstCard >> 3) & 255) + ".0/24";
    json.text("podCIDR", addresses).array("podCIDRs").value(addresses).endArray();
    const Instant since = plan.silentSince(node);
    if (node.cordoned || node.offline) {
        json.array("taints");
        if (node.cordoned) {
            json.object().text("key", "node.kubernetes.io/unschedulable").text("effect", "NoSchedule");
            json.text("timeAdded", fleetTime(plan.start() - std::chrono::hours(5))).endObject();
        }
        if (node.offline) {
            for (const char *effect : {"NoSchedule", "NoExecute"}) {
                json.object().text("key", "node.kubernetes.io/unreachable").text("effect", effect);
                json.text("timeAdded", fleetTime(since + std::chrono::seconds(40))).endObject();
            }
        }
        json.endArray();
        if (node.cordoned)
            json.boolean("unschedulable", true);
    }
    json.endObject();

    json.object("status");
    writeResources(json, "capacity", node, false);
    writeResources(json, "allocatable", node, true);
    const QByteArray heartbeat = fleetTime(node.offline ? since : now);
    const QByteArray transition =
        fleetTime(node.offline ? since + std::chrono::seconds(40) : created + std::chrono::minutes(2));
    json.array("conditions");
    if (node.offline) {
        constexpr const char *silence = "Kubelet stopped posting node status.";
        for (const char *type : {"MemoryPressure", "DiskPressure", "PIDPressure", "Ready"})
            writeCondition(json, type, "Unknown", "NodeStatusUnknown", silence, heartbeat, transition);
    } else {
        writeCondition(json, "MemoryPressure", "False", "KubeletHasSufficientMemory",
                       "kubelet has sufficient memory available", heartbeat, transition);
        writeCondition(json, "DiskPressure", "False", "KubeletHasNoDiskPressure",
                       "kubelet has no disk pressure", heartbeat, transition);
        writeCondition(json, "PIDPressure", "False", "KubeletHasSufficientPID",
                       "kubelet has sufficient PID available", heartbeat, transition);
        writeCondition(json, "Ready", "True", "KubeletReady", "kubelet is posting ready status", heartbeat,
                       transition);
    }
    json.endArray();
    json.array("addresses")
        .object()
        .text("type", "InternalIP")
        .text("address", plan.nodeAddress(node))
        .endObject();
    json.object().text("type", "Hostname").text("address", node.name).endObject().endArray();
    json.object("daemonEndpoints").object("kubeletEndpoint").number("Port", 10250).endObject().endObject();
    const bool arm = cardSpec(node.model).vendor == CardVendor::Ascend;
    json.object("nodeInfo").text("machineID", fleetHex(nodeHash(plan, node, 4), 32));
    json.text("systemUUID", fleetUuid(nodeHash(plan, node, 5)))
        .text("bootID", fleetUuid(nodeHash(plan, node, 6)));
    json.text("kernelVersion", arm ? "5.10.0-216.0.0.115.oe2203sp4.aarch64" : "5.15.0-124-generic");
    json.text("osImage", arm ? "openEuler 22.03 (LTS-SP4)" : "Ubuntu 22.04.5 LTS");
    json.text("containerRuntimeVersion", "containerd://1.7.24").text("kubeletVersion", "v1.36.3");
    json.text("kubeProxyVersion", "")
        .text("operatingSystem", "linux")
        .text("architecture", arm ? "arm64" : "amd64");
    json.endObject().endObject().endObject();
    return {"v1", "nodes", {}, node.name, json.take()};
}

SimulatedObject deviceInfoObject(const FleetPlan &plan, const SimulatedNode &node)
{
    QByteArray good;
    QByteArray bad;
    QByteArray virtuals;
    for (int slot = 0; slot < node.cards; ++slot) {
        const QByteArray card = "Ascend910-" + QByteArray::number(slot);
        QByteArray &list = slot == node.faultySlot ? bad : good;
        list += (list.isEmpty() ? "" : ",") + card;
        for (int share = 0; share < 2; ++share) {
            virtuals += (virtuals.isEmpty() ? "" : ",") + QByteArray("Ascend910-") +
                        ascendStaticTemplate(node) + '-' + QByteArray::number(100 + slot * 2 + share) + '-' +
                        QByteArray::number(slot);
        }
    }
    const bool split = node.encoding == CardEncoding::AscendStaticVnpu;
    FleetJson fault(400);
    fault.array();
    if (node.faultySlot >= 0) {
        fault.object().text("fault_type", "CardUnhealthy").text("npu_name", bad);
        for (const char *key : {"large_model_fault_level", "fault_level", "fault_handling"})
            fault.text(key, "SeparateNPU");
        fault.text("fault_code", "80E18005").object("fault_time_and_level_map").object("80E18005");
        fault.number("fault_time", (plan.start() - std::chrono::hours(7)).time_since_epoch().count());
        fault.text("fault_level", "SeparateNPU").endObject().endObject().endObject();
    }
    fault.endArray();
    FleetJson info(1024);
    info.object().object("DeviceInfo").object("DeviceList");
    info.text("huawei.com/Ascend910", split ? QByteArray() : good);
    if (split)
        info.text(countedResource(node), virtuals);
    info.text("huawei.com/Ascend910-Unhealthy", bad).text("huawei.com/Ascend910-NetworkUnhealthy", "");
    info.text("huawei.com/Ascend910-Recovering", "").text("huawei.com/Ascend910-Fault", fault.bytes());
    info.endObject().number("UpdateTime", plan.start().time_since_epoch().count() / 1000).endObject();
    info.number("SuperPodID", -2)
        .number("ServerIndex", -2)
        .text("CheckCode", fleetHex(nodeHash(plan, node, 7), 64))
        .endObject();

    const QByteArray name = "mindx-dl-deviceinfo-" + node.name;
    FleetJson json(2048);
    json.object().text("kind", "ConfigMap").text("apiVersion", "v1").object("metadata");
    json.text("name", name).text("namespace", "kube-system").text("uid", fleetUuid(nodeHash(plan, node, 8)));
    json.text("creationTimestamp", fleetTime(nodeCreated(plan, node)));
    json.object("labels").text("mx-consumer-cim", "true").endObject().endObject();
    json.object("data")
        .text("DeviceInfoCfg", info.bytes())
        .text("SwitchInfoCfg", "")
        .text("ManuallySeparateNPU", "");
    json.endObject().endObject();
    return {"v1", "configmaps", "kube-system", name, json.take()};
}

} // namespace tongchi
