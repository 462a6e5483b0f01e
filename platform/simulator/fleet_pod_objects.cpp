#include "platform/simulator/fleet_pod_objects.h"

#include "platform/simulator/fleet_encoding.h"
#include "platform/simulator/fleet_hash.h"
#include "platform/simulator/fleet_json.h"
#include "platform/simulator/fleet_pod_devices.h"
#include "platform/simulator/workload_names.h"

#include <array>

namespace tongchi {

namespace {

using std::chrono::milliseconds;
using Owner = WorkloadKind::Owner;

QByteArray podTime(qint64 unixMs)
{
    return fleetTime(Instant{milliseconds(unixMs)});
}

QByteArray claimName(const FleetPlan &plan, quint32 seat, const SeatPod &pod)
{
    return plan.podName(seat, pod) + "-card-" +
           fleetSuffix(fleetHash(plan.seed(), 1000 + seat, quint64(pod.generation)), 5);
}

struct PodWriter
{
    const FleetPlan &plan;
    quint32 seatIndex;
    const SeatPod &pod;
    const PodSeat &seat = plan.seats()[seatIndex];
    const SimulatedNode &node = plan.nodes()[seat.node];
    const PodOwner &owner = plan.owners()[seat.owner];
    const WorkloadKind &kind = workloadKind(owner.workload);

    void metadata(FleetJson &json) const;
    void spec(FleetJson &json) const;
    void status(FleetJson &json, PodStage stage) const;
    QByteArray address() const;
};

QByteArray PodWriter::address() const
{
    return "10." + QByteArray::number(128 + (node.firstCard >> 11) % 100) + '.' +
           QByteArray::number((node.firstCard >> 3) & 255) + '.' +
           QByteArray::number(10 + ((seatIndex - node.firstSeat) * 8 + quint32(pod.generation & 7)) % 240);
}

void PodWriter::metadata(FleetJson &json) const
{
    const QByteArray name = plan.podName(seatIndex, pod);
    const QByteArray hash = plan.ownerHash(owner, pod);
    json.object("metadata").text("name", name);
    if (kind.owner == Owner::Deployment)
        json.text("generateName", owner.name + '-' + hash + '-');
    json.text("namespace", kind.nameSpace)
        .text("uid", plan.podUid(seatIndex, pod))
        .text("creationTimestamp", podTime(pod.startMs));
    json.object("labels").text("app", kind.name).text("app.kubernetes.io/name", kind.name);
    json.text("app.kubernetes.io/instance", owner.name)
        .text("tongchi.io/business", businessName(kind.business));
    json.text("tongchi.io/team", kind.team);
    const bool run = kind.owner == Owner::Job;
    const quint64 ownerKey = fleetHash(plan.seed(), 1100 + seat.owner,
                                       run || kind.owner == Owner::Deployment ? quint64(pod.generation) : 0);
    const QByteArray ownerUid = fleetUuid(ownerKey);
    QByteArray ownerName = owner.name;
    const char *ownerKind = "StatefulSet";
    const char *ownerVersion = "apps/v1";
    switch (kind.owner) {
    case Owner::Deployment:
        json.text("pod-template-hash", hash);
        ownerName += '-' + hash;
        ownerKind = "ReplicaSet";
        break;
    case Owner::StatefulSet:
        json.text("apps.kubernetes.io/pod-index", QByteArray::number(seat.replica));
        json.text("controller-revision-hash", owner.name + '-' + hash)
            .text("statefulset.kubernetes.io/pod-name", name);
        break;
    case Owner::Job:
        ownerName += "-r" + QByteArray::number(pod.generation % 10'000);
        ownerKind = "Job";
        ownerVersion = "batch/v1";
        json.text("batch.kubernetes.io/controller-uid", ownerUid);
        json.text("batch.kubernetes.io/job-completion-index", QByteArray::number(seat.replica));
        json.text("batch.kubernetes.io/job-name", ownerName);
        json.text("controller-uid", ownerUid).text("job-name", ownerName);
        break;
    }
    if (node.encoding == CardEncoding::AscendPlugin)
        json.text("ring-controller.atlas", "ascend-910b");
    json.endObject();
    json.object("annotations");
    json.text("prometheus.io/scrape", kind.business == Business::Inference ? "true" : "false");
    json.text("prometheus.io/port", "8000");
    writeDeviceAnnotations(json, plan, node, seat, pod);
    json.endObject();
    json.array("ownerReferences")
        .object()
        .text("apiVersion", ownerVersion)
        .text("kind", ownerKind)
        .text("name", ownerName);
    json.text("uid", ownerUid)
        .boolean("controller", true)
        .boolean("blockOwnerDeletion", true)
        .endObject()
        .endArray();
    json.endObject();
}

void PodWriter::spec(FleetJson &json) const
{
    const bool claim = usesClaim(plan, seat);
    json.object("spec").array("volumes");
    json.object()
        .text("name", "models")
        .object("persistentVolumeClaim")
        .text("claimName", "models-rwx")
        .boolean("readOnly", true);
    json.endObject().endObject();
    json.object()
        .text("name", "shm")
        .object("emptyDir")
        .text("medium", "Memory")
        .text("sizeLimit", "64Gi")
        .endObject()
        .endObject();
    json.endArray();
    json.array("containers")
        .object()
        .text("name", kind.business == Business::Training ? "trainer" : "server");
    json.text("image", kind.image).array("args");
    if (kind.business == Business::Training) {
        json.value("--config")
            .value(QByteArray("/workspace/configs/") + kind.name + ".yaml")
            .value("--nproc-per-node");
        json.value(QByteArray::number(seat.cards)).value("--resume").value("latest");
    } else {
        json.value("--model")
            .value(QByteArray("/models/") + kind.name)
            .value("--served-model-name")
            .value(kind.name);
        json.value("--tensor-parallel-size").value(QByteArray::number(seat.cards));
    }
    json.endArray();
    if (kind.business == Business::Inference) {
        json.array("ports")
            .object()
            .text("name", "http")
            .number("containerPort", 8000)
            .text("protocol", "TCP")
            .endObject()
            .endArray();
    }
    json.array("env").object().text("name", "HF_HUB_OFFLINE").text("value", "1").endObject().endArray();
    json.object("resources");
    for (const char *part : {"limits", "requests"}) {
        json.object(part)
            .text("cpu", QByteArray::number(12 * seat.cards))
            .text("memory", QByteArray::number(96 * seat.cards) + "Gi");
        writeDeviceRequests(json, node, seat);
        json.endObject();
    }
    if (claim)
        json.array("claims").object().text("name", "card").endObject().endArray();
    json.endObject();
    json.array("volumeMounts")
        .object()
        .text("name", "models")
        .boolean("readOnly", true)
        .text("mountPath", "/models")
        .endObject();
    json.object().text("name", "shm").text("mountPath", "/dev/shm").endObject().endArray();
    json.text("imagePullPolicy", "IfNotPresent").endObject().endArray();
    json.text("restartPolicy", kind.owner == Owner::Job ? "Never" : "Always");
    json.number("terminationGracePeriodSeconds", 60)
        .text("dnsPolicy", "ClusterFirst")
        .text("serviceAccountName", "default")
        .text("serviceAccount", "default")
        .boolean("automountServiceAccountToken", false);
    json.text("nodeName", node.name).object("securityContext").endObject();
    json.text("schedulerName", isHamiNvidia(node.encoding) || isHamiAscend(node.encoding)
                                   ? "hami-scheduler"
                                   : "default-scheduler");
    json.array("tolerations");
    for (const char *key : {"node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable"}) {
        json.object().text("key", key).text("operator", "Exists").text("effect", "NoExecute");
        // Long jobs and stateful replicas are told to sit out a lost node.
        if (!node.offline)
            json.number("tolerationSeconds", 300);
        json.endObject();
    }
    json.endArray()
        .number("priority", kind.business == Business::Training ? 0 : 1000)
        .boolean("enableServiceLinks", true);
    if (claim)
        json.array("resourceClaims")
            .object()
            .text("name", "card")
            .text("resourceClaimTemplateName", owner.name + "-card")
            .endObject()
            .endArray();
    json.endObject();
}

void PodWriter::status(FleetJson &json, PodStage stage) const
{
    const bool running = stage == PodStage::Running;
    const bool done = stage == PodStage::Succeeded;
    const QByteArray begun = podTime(pod.startMs);
    const QByteArray ready = podTime(pod.runningMs);
    json.object("status")
        .text("phase", running ? "Running"
                       : done  ? "Succeeded"
                               : "Pending")
        .array("conditions");
    const auto condition = [&json](const char *type, bool on, const char *reason, const QByteArray &since) {
        json.object()
            .text("type", type)
            .text("status", on ? "True" : "False")
            .key("lastProbeTime")
            .raw("null");
        json.text("lastTransitionTime", since);
        if (reason != nullptr)
            json.text("reason", reason);
        json.endObject();
    };
    const bool up = running && !node.offline;
    const char *why = done ? "PodCompleted" : up ? nullptr : "ContainersNotReady";
    condition("PodReadyToStartContainers", running, nullptr, ready);
    condition("Initialized", true, done ? "PodCompleted" : nullptr, begun);
    condition("Ready", up, why, ready);
    condition("ContainersReady", up, why, ready);
    condition("PodScheduled", true, nullptr, begun);
    json.endArray().text("hostIP", plan.nodeAddress(node));
    if (running)
        json.text("podIP", address()).array("podIPs").object().text("ip", address()).endObject().endArray();
    json.text("startTime", begun);
    json.array("containerStatuses")
        .object()
        .text("name", kind.business == Business::Training ? "trainer" : "server")
        .object("state");
    const quint64 id = fleetHash(plan.seed(), 1300 + seatIndex, quint64(pod.generation));
    if (running) {
        json.object("running").text("startedAt", ready).endObject();
    } else if (done) {
        json.object("terminated").number("exitCode", 0).text("reason", "Completed").text("startedAt", ready);
        json.text("finishedAt", podTime(pod.runningMs + 3'600'000))
            .text("containerID", "containerd://" + fleetHex(id, 64))
            .endObject();
    } else {
        json.object("waiting").text("reason", "ContainerCreating").endObject();
    }
    json.endObject()
        .object("lastState")
        .endObject()
        .boolean("ready", up)
        .number("restartCount", 0)
        .text("image", kind.image);
    json.text("imageID", running || done ? QByteArray(kind.image).split(':').first() +
                                               "@sha256:" + fleetHex(fleetHash(1, owner.workload), 64)
                                         : QByteArray());
    if (running || done)
        json.text("containerID", "containerd://" + fleetHex(id, 64));
    json.boolean("started", running).endObject().endArray();
    if (usesClaim(plan, seat)) {
        json.array("resourceClaimStatuses").object().text("name", "card");
        json.text("resourceClaimName", claimName(plan, seatIndex, pod)).endObject().endArray();
    }
    json.text("qosClass", "Guaranteed").endObject();
}

} // namespace

bool usesClaim(const FleetPlan &plan, const PodSeat &seat)
{
    const CardEncoding encoding = plan.nodes()[seat.node].encoding;
    return encoding == CardEncoding::Dra || encoding == CardEncoding::DraMig;
}

PodStage podStage(const FleetPlan &plan, const PodSeat &seat, const SeatPod &pod, qint64 unixMs)
{
    if (plan.nodes()[seat.node].business == Business::Idle)
        return PodStage::Succeeded;
    return unixMs < pod.runningMs ? PodStage::Starting : PodStage::Running;
}

SimulatedObject podObject(const FleetPlan &plan, quint32 seat, const SeatPod &pod, PodStage stage)
{
    const PodWriter writer{plan, seat, pod};
    FleetJson json(4096);
    json.object().text("kind", "Pod").text("apiVersion", "v1");
    writer.metadata(json);
    writer.spec(json);
    writer.status(json, stage);
    json.endObject();
    SimulatedObject object = podAddress(plan, seat, pod);
    object.json = json.take();
    return object;
}

SimulatedObject podAddress(const FleetPlan &plan, quint32 seat, const SeatPod &pod)
{
    return {"v1",
            "pods",
            workloadKind(plan.owners()[plan.seats()[seat].owner].workload).nameSpace,
            plan.podName(seat, pod),
            {}};
}

SimulatedObject claimObject(const FleetPlan &plan, quint32 seatIndex, const SeatPod &pod)
{
    const PodWriter writer{plan, seatIndex, pod};
    const QByteArray name = claimName(plan, seatIndex, pod);
    const QByteArray podName = plan.podName(seatIndex, pod);
    const bool mig = writer.node.encoding == CardEncoding::DraMig;
    FleetJson json(1500);
    json.object()
        .text("kind", "ResourceClaim")
        .text("apiVersion", "resource.k8s.io/v1")
        .object("metadata")
        .text("name", name);
    json.text("generateName", podName + "-card-").text("namespace", writer.kind.nameSpace);
    json.text("uid", fleetUuid(fleetHash(plan.seed(), 1400 + seatIndex, quint64(pod.generation))));
    json.text("creationTimestamp", podTime(pod.startMs))
        .object("annotations")
        .text("resource.kubernetes.io/pod-claim-name", "card");
    json.endObject()
        .array("ownerReferences")
        .object()
        .text("apiVersion", "v1")
        .text("kind", "Pod")
        .text("name", podName);
    json.text("uid", plan.podUid(seatIndex, pod))
        .boolean("controller", true)
        .boolean("blockOwnerDeletion", true)
        .endObject()
        .endArray();
    json.array("finalizers").value("resource.kubernetes.io/delete-protection").endArray().endObject();
    json.object("spec").object("devices").array("requests").object().text("name", "card").object("exactly");
    json.text("deviceClassName", mig ? "mig.nvidia.com" : "gpu.nvidia.com")
        .text("allocationMode", "ExactCount");
    json.number("count", writer.seat.cards);
    if (mig) {
        json.array("selectors").object().object("cel");
        json.text("expression", "device.attributes['gpu.nvidia.com'].profile == '3g.40gb'")
            .endObject()
            .endObject()
            .endArray();
    }
    json.endObject().endObject().endArray().endObject().endObject();
    json.object("status").object("allocation").object("devices").array("results");
    for (int i = 0; i < writer.seat.cards; ++i) {
        json.object().text("request", "card").text("driver", "gpu.nvidia.com").text("pool", writer.node.name);
        json.text("device", draDeviceName(writer.node, writer.seat.firstSlot + i, writer.seat.share))
            .endObject();
    }
    json.endArray()
        .endObject()
        .object("nodeSelector")
        .array("nodeSelectorTerms")
        .object()
        .array("matchFields")
        .object();
    json.text("key", "metadata.name")
        .text("operator", "In")
        .array("values")
        .value(writer.node.name)
        .endArray();
    json.endObject()
        .endArray()
        .endObject()
        .endArray()
        .endObject()
        .text("allocationTimestamp", podTime(pod.startMs))
        .endObject();
    json.array("reservedFor")
        .object()
        .text("resource", "pods")
        .text("name", podName)
        .text("uid", plan.podUid(seatIndex, pod));
    json.endObject().endArray().endObject().endObject();
    return {"resource.k8s.io/v1", "resourceclaims", writer.kind.nameSpace, name, json.take()};
}

std::vector<SimulatedObject> strayPodObjects(const FleetPlan &plan, int cluster)
{
    struct Stray
    {
        const char *name;
        const char *nameSpace;
        const char *phase;
        const char *resource;
        int count;
        int hoursAgo;
    };
    static constexpr std::array<Stray, 6> strays{{
        {"lora-legal-7b-draft-0-7kq2x", "training", "Pending", "nvidia.com/gpu", 8, 2},
        {"sft-kefu-13b-wide-0-p4zdn", "training", "Pending", "huawei.com/Ascend910", 8, 5},
        {"eval-ceval-nightly-28941-x8rtm", "training", "Succeeded", "nvidia.com/gpu", 1, 9},
        {"eval-ceval-nightly-28940-vw6fb", "training", "Succeeded", "nvidia.com/gpu", 1, 33},
        {"convert-glm-4-9b-0-bq9kd", "training", "Failed", "nvidia.com/gpu", 1, 26},
        {"bench-qwen-0-dx42h", "inference", "Failed", "cambricon.com/mlu", 1, 50},
    }};
    const SimulatedNode *home = nullptr;
    for (const SimulatedNode &node : plan.nodes()) {
        if (node.cluster == cluster && !node.offline && !node.cordoned &&
            node.encoding == CardEncoding::NvidiaLabels) {
            home = &node;
            break;
        }
    }
    std::vector<SimulatedObject> result;
    for (std::size_t i = 0; i < strays.size(); ++i) {
        const Stray &stray = strays[i];
        const bool pending = QByteArray(stray.phase) == "Pending";
        const bool failed = QByteArray(stray.phase) == "Failed";
        if (!pending && home == nullptr)
            continue;
        const Instant at = plan.start() - std::chrono::hours(stray.hoursAgo);
        FleetJson json(1500);
        json.object()
            .text("kind", "Pod")
            .text("apiVersion", "v1")
            .object("metadata")
            .text("name", stray.name);
        json.text("namespace", stray.nameSpace)
            .text("uid", fleetUuid(fleetHash(plan.seed(), 1500 + quint64(cluster), i)));
        json.text("creationTimestamp", fleetTime(at))
            .object("labels")
            .text("app", QByteArray(stray.name).split('-').first());
        json.text("tongchi.io/business",
                  businessName(QByteArray(stray.nameSpace) == "training" ? Business::Training
                                                                         : Business::Inference));
        json.endObject().endObject().object("spec").array("containers").object().text("name", "main");
        json.text("image", "registry.tongchi.local/train/megatron:25.10").object("resources");
        for (const char *part : {"limits", "requests"})
            json.object(part)
                .text("cpu", "8")
                .text(stray.resource, QByteArray::number(stray.count))
                .endObject();
        json.endObject()
            .endObject()
            .endArray()
            .text("restartPolicy", "Never")
            .text("schedulerName", "default-scheduler");
        if (!pending)
            json.text("nodeName", home->name);
        json.endObject()
            .object("status")
            .text("phase", stray.phase)
            .array("conditions")
            .object()
            .text("type", "PodScheduled");
        json.text("status", pending ? "False" : "True").text("lastTransitionTime", fleetTime(at));
        if (pending) {
            json.text("reason", "Unschedulable");
            json.text("message", "0/" + QByteArray::number(qlonglong(plan.nodes().size())) +
                                     " nodes are available: Insufficient " + stray.resource +
                                     ". preemption: no victims found.");
        }
        json.endObject().endArray();
        if (!pending) {
            json.array("containerStatuses")
                .object()
                .text("name", "main")
                .object("state")
                .object("terminated");
            json.number("exitCode", failed ? 137 : 0).text("reason", failed ? "OOMKilled" : "Completed");
            json.text("finishedAt", fleetTime(at + std::chrono::minutes(40))).endObject().endObject();
            json.boolean("ready", false)
                .number("restartCount", 0)
                .text("image", "")
                .text("imageID", "")
                .endObject()
                .endArray();
            json.text("startTime", fleetTime(at));
        }
        json.text("qosClass", pending ? "Burstable" : "Guaranteed").endObject().endObject();
        result.push_back({"v1", "pods", stray.nameSpace, stray.name, json.take()});
    }
    return result;
}

} // namespace tongchi
