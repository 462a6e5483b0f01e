#include "platform/simulator/fleet_cluster_objects.h"

#include "platform/simulator/fleet_hash.h"
#include "platform/simulator/fleet_json.h"
#include "platform/simulator/workload_names.h"

#include <array>

namespace tongchi {

namespace {

using Owner = WorkloadKind::Owner;

void writeHead(FleetJson &json, const char *kind, const char *version, const QByteArray &nameSpace,
               const QByteArray &name, quint64 uid, Instant created)
{
    json.object().text("kind", kind).text("apiVersion", version).object("metadata").text("name", name);
    if (!nameSpace.isEmpty())
        json.text("namespace", nameSpace);
    json.text("uid", fleetUuid(uid)).text("creationTimestamp", fleetTime(created));
}

} // namespace

std::vector<SimulatedObject> namespaceObjects(const FleetPlan &plan, int cluster)
{
    static constexpr std::array<const char *, 13> names{
        "cambricon",       "default",     "gpu-operator", "hami-system", "inference",
        "kube-node-lease", "kube-public", "kube-system",  "monitoring",  "npu-exporter",
        "search",          "speech",      "training"};
    std::vector<SimulatedObject> result;
    for (std::size_t i = 0; i < names.size(); ++i) {
        FleetJson json(400);
        writeHead(json, "Namespace", "v1", {}, names[i], fleetHash(plan.seed(), 1800 + quint64(cluster), i),
                  plan.start() - std::chrono::hours(24 * 400));
        json.object("labels").text("kubernetes.io/metadata.name", names[i]).endObject().endObject();
        json.object("spec").array("finalizers").value("kubernetes").endArray().endObject();
        json.object("status").text("phase", "Active").endObject().endObject();
        result.push_back({"v1", "namespaces", {}, names[i], json.take()});
    }
    return result;
}

std::vector<SimulatedObject> serviceObjects(const FleetPlan &plan, int cluster)
{
    struct Port
    {
        const char *nameSpace;
        const char *name;
        const char *port;
        int number;
        const char *address;
    };
    static constexpr std::array<Port, 7> ports{{
        {"default", "kubernetes", "https", 443, "10.96.0.1"},
        {"gpu-operator", "nvidia-dcgm-exporter", "gpu-metrics", 9400, "10.96.14.7"},
        {"hami-system", "hami-scheduler", "monitor", 31993, "10.96.20.9"},
        {"kube-system", "kube-dns", "dns-tcp", 53, "10.96.0.10"},
        {"monitoring", "kube-state-metrics", "https-main", 8443, "10.96.31.4"},
        {"monitoring", "prometheus-k8s", "web", 9090, "10.96.31.11"},
        {"npu-exporter", "npu-exporter", "http", 8082, "10.96.40.2"},
    }};
    std::vector<SimulatedObject> result;
    for (std::size_t i = 0; i < ports.size(); ++i) {
        const Port &port = ports[i];
        FleetJson json(800);
        writeHead(json, "Service", "v1", port.nameSpace, port.name,
                  fleetHash(plan.seed(), 1900 + quint64(cluster), i),
                  plan.start() - std::chrono::hours(24 * 380));
        const bool isApi = QByteArray(port.name) == "kubernetes";
        json.object("labels");
        if (isApi)
            json.text("component", "apiserver").text("provider", "kubernetes");
        else
            json.text("app.kubernetes.io/name",
                      QByteArray(port.name) == "prometheus-k8s" ? "prometheus" : port.name);
        json.endObject()
            .endObject()
            .object("spec")
            .array("ports")
            .object()
            .text("name", port.port)
            .text("protocol", "TCP");
        json.number("port", port.number).number("targetPort", port.number).endObject().endArray();
        if (!isApi)
            json.object("selector").text("app.kubernetes.io/name", port.name).endObject();
        json.text("clusterIP", port.address);
        json.array("clusterIPs")
            .value(port.address)
            .endArray()
            .text("type", "ClusterIP")
            .text("sessionAffinity", "None");
        json.array("ipFamilies")
            .value("IPv4")
            .endArray()
            .text("ipFamilyPolicy", "SingleStack")
            .text("internalTrafficPolicy", "Cluster");
        json.endObject().object("status").object("loadBalancer").endObject().endObject().endObject();
        result.push_back({"v1", "services", port.nameSpace, port.name, json.take()});
    }
    return result;
}

std::vector<SimulatedObject> eventObjects(const FleetPlan &plan, int cluster)
{
    std::vector<SimulatedObject> result;
    const auto add = [&](const SimulatedNode &node, const char *type, const char *reason,
                         const QByteArray &message, const char *component, Instant at, int count) {
        const quint64 hash = fleetHash(plan.seed(), 2000 + quint64(cluster), result.size());
        const QByteArray name = node.name + '.' + fleetHex(hash, 16);
        FleetJson json(900);
        writeHead(json, "Event", "v1", "default", name, hash, at);
        json.endObject().object("involvedObject").text("kind", "Node").text("name", node.name);
        json.text("uid", fleetUuid(fleetHash(plan.seed(), 900, node.firstCard)))
            .text("apiVersion", "v1")
            .endObject();
        json.text("reason", reason)
            .text("message", message)
            .object("source")
            .text("component", component)
            .endObject();
        json.text("firstTimestamp", fleetTime(at))
            .text("lastTimestamp", fleetTime(at))
            .number("count", count)
            .text("type", type);
        json.key("eventTime")
            .raw("null")
            .text("reportingComponent", component)
            .text("reportingInstance", "")
            .endObject();
        result.push_back({"v1", "events", "default", name, json.take()});
    };
    for (const SimulatedNode &node : plan.nodes()) {
        if (node.cluster != cluster || result.size() >= 200)
            continue;
        if (node.offline)
            add(node, "Normal", "NodeNotReady", "Node " + node.name + " status is now: NodeNotReady",
                "node-controller", plan.silentSince(node) + std::chrono::seconds(40), 1);
        if (node.cordoned)
            add(node, "Normal", "NodeNotSchedulable",
                "Node " + node.name + " status is now: NodeNotSchedulable", "kubelet",
                plan.start() - std::chrono::hours(5), 1);
        if (node.faultySlot >= 0 && cardSpec(node.model).vendor == CardVendor::Ascend)
            add(node, "Warning", "Occur",
                "device fault, nodeName:" + node.name + ", assertion:Occur, cardID:" +
                    QByteArray::number(node.faultySlot) + ", faultCodes:80E18005",
                "ascend-device-plugin", plan.start() - std::chrono::hours(7), 1);
    }
    return result;
}

SimulatedObject ownerAddress(const FleetPlan &plan, quint32 ownerIndex, const SeatPod &pod)
{
    const PodOwner &owner = plan.owners()[ownerIndex];
    const WorkloadKind &kind = workloadKind(owner.workload);
    if (kind.owner == Owner::Job)
        return {"batch/v1",
                "jobs",
                kind.nameSpace,
                owner.name + "-r" + QByteArray::number(pod.generation % 10'000),
                {}};
    return {"apps/v1",
            kind.owner == Owner::Deployment ? "deployments" : "statefulsets",
            kind.nameSpace,
            owner.name,
            {}};
}

SimulatedObject ownerObject(const FleetPlan &plan, quint32 ownerIndex, const SeatPod &pod)
{
    const PodOwner &owner = plan.owners()[ownerIndex];
    const WorkloadKind &kind = workloadKind(owner.workload);
    SimulatedObject object = ownerAddress(plan, ownerIndex, pod);
    const bool job = kind.owner == Owner::Job;
    const char *kindName = job ? "Job" : kind.owner == Owner::Deployment ? "Deployment" : "StatefulSet";
    const Instant created =
        job ? Instant{std::chrono::milliseconds(pod.startMs)} : plan.start() - std::chrono::hours(24 * 45);
    const quint64 uid = fleetHash(plan.seed(), 1100 + ownerIndex, job ? quint64(pod.generation) : 0);
    FleetJson json(1500);
    writeHead(json, kindName, job ? "batch/v1" : "apps/v1", kind.nameSpace, object.name, uid, created);
    json.number("generation", 1).object("labels").text("app", kind.name);
    json.text("app.kubernetes.io/name", kind.name);
    const auto writeJobLabels = [&] { // by which a job knows its pods
        if (job)
            json.text("batch.kubernetes.io/controller-uid", fleetUuid(uid))
                .text("batch.kubernetes.io/job-name", object.name)
                .text("controller-uid", fleetUuid(uid))
                .text("job-name", object.name);
    };
    writeJobLabels();
    json.text("tongchi.io/team", kind.team).endObject().endObject().object("spec");
    if (job) {
        json.number("parallelism", owner.replicas)
            .number("completions", owner.replicas)
            .number("backoffLimit", 6);
        json.text("completionMode", "Indexed").boolean("suspend", false);
    } else {
        json.number("replicas", owner.replicas).number("revisionHistoryLimit", 10);
        if (kind.owner == Owner::StatefulSet)
            json.text("serviceName", owner.name);
    }
    json.object("selector").object("matchLabels");
    if (job)
        json.text("batch.kubernetes.io/controller-uid", fleetUuid(uid));
    else
        json.text("app.kubernetes.io/instance", owner.name);
    json.endObject().endObject();
    json.object("template")
        .object("metadata")
        .object("labels")
        .text("app", kind.name)
        .text("app.kubernetes.io/instance", owner.name);
    writeJobLabels();
    json.text("tongchi.io/business", businessName(kind.business))
        .endObject()
        .endObject()
        .object("spec")
        .array("containers")
        .object();
    json.text("name", kind.business == Business::Training ? "trainer" : "server")
        .text("image", kind.image)
        .endObject()
        .endArray();
    if (job)
        json.text("restartPolicy", "Never");
    json.endObject().endObject().endObject().object("status");
    if (job) {
        json.number("active", owner.replicas)
            .number("ready", owner.replicas)
            .text("startTime", fleetTime(created));
    } else {
        json.number("observedGeneration", 1)
            .number("replicas", owner.replicas)
            .number("readyReplicas", owner.replicas);
        json.number("availableReplicas", owner.replicas).number("updatedReplicas", owner.replicas);
    }
    json.endObject().endObject();
    object.json = json.take();
    return object;
}

SimulatedObject claimTemplateObject(const FleetPlan &plan, quint32 ownerIndex)
{
    const PodOwner &owner = plan.owners()[ownerIndex];
    const WorkloadKind &kind = workloadKind(owner.workload);
    const QByteArray name = owner.name + "-card";
    FleetJson json(700);
    writeHead(json, "ResourceClaimTemplate", "resource.k8s.io/v1", kind.nameSpace, name,
              fleetHash(plan.seed(), 2100, ownerIndex), plan.start() - std::chrono::hours(24 * 45));
    json.endObject()
        .object("spec")
        .object("spec")
        .object("devices")
        .array("requests")
        .object()
        .text("name", "card");
    json.object("exactly").text("deviceClassName",
                                owner.encoding == CardEncoding::DraMig ? "mig.nvidia.com" : "gpu.nvidia.com");
    json.text("allocationMode", "ExactCount")
        .number("count", owner.cards)
        .endObject()
        .endObject()
        .endArray()
        .endObject();
    json.endObject().endObject().endObject();
    return {"resource.k8s.io/v1", "resourceclaimtemplates", kind.nameSpace, name, json.take()};
}

} // namespace tongchi
