#include "platform/simulator/resource_types.h"

#include <algorithm>
#include <iterator>

namespace tongchi::simulator {

namespace {

constexpr const char *podFields = "spec.nodeName,spec.restartPolicy,spec.schedulerName,spec."
                                  "serviceAccountName,spec.hostNetwork,status.phase,"
                                  "status.podIP,status.podIPs,status.nominatedNodeName";
constexpr const char *eventFields =
    "involvedObject.kind,involvedObject.namespace,involvedObject.name,involvedObject.uid,involvedObject."
    "apiVersion,"
    "involvedObject.resourceVersion,involvedObject.fieldPath,reason,reportingComponent,source,type";
constexpr const char *nodeParts =
    ",\"spec\":{},\"status\":{\"daemonEndpoints\":{\"kubeletEndpoint\":{\"Port\":0}},\"nodeInfo\":{"
    "\"machineID\":\"\","
    "\"systemUUID\":\"\",\"bootID\":\"\",\"kernelVersion\":\"\",\"osImage\":\"\",\"containerRuntimeVersion\":"
    "\"\","
    "\"kubeletVersion\":\"\",\"kubeProxyVersion\":\"\",\"operatingSystem\":\"\",\"architecture\":\"\"}}";
constexpr const char *eventParts =
    ",\"involvedObject\":{},\"source\":{},\"firstTimestamp\":null,\"lastTimestamp\":null,\"eventTime\":null,"
    "\"reportingComponent\":\"\",\"reportingInstance\":\"\"";
constexpr const char *specAndStatus = ",\"spec\":{},\"status\":{}";
constexpr const char *podSubresources =
    "eviction|Eviction|policy|create;log|Pod||get;status|Pod||get,patch,update";
constexpr const char *serviceSubresources =
    "proxy|ServiceProxyOptions||create,delete,get,patch,update;status|Service||get,patch,update";

// The part of every workload that its empty object repeats.
#define EMPTY_POD_TEMPLATE "\"template\":{\"metadata\":{},\"spec\":{\"containers\":null}}"

const std::vector<ResourceType> allTypes = {
    {"", "v1", "configmaps", "configmap", "ConfigMap", true, "cm", "", "ConfigMap", "", "", ""},
    {"", "v1", "endpoints", "endpoints", "Endpoints", true, "ep", "", "Endpoints", "", "", ""},
    {"", "v1", "events", "event", "Event", true, "ev", "", "Event", eventFields, "", eventParts},
    {"", "v1", "limitranges", "limitrange", "LimitRange", true, "limits", "", "LimitRange", "", "",
     ",\"spec\":{\"limits\":null}"},
    {"", "v1", "namespaces", "namespace", "Namespace", false, "ns", "", "Namespace", "status.phase",
     "finalize|Namespace||update;status|Namespace||get,patch,update", specAndStatus},
    {"", "v1", "nodes", "node", "Node", false, "no", "", "Node", "spec.unschedulable",
     "status|Node||get,patch,update", nodeParts},
    {"", "v1", "persistentvolumeclaims", "persistentvolumeclaim", "PersistentVolumeClaim", true, "pvc", "",
     "PersistentVolumeClaim", "", "status|PersistentVolumeClaim||get,patch,update",
     ",\"spec\":{\"resources\":{}},\"status\":{}"},
    {"", "v1", "persistentvolumes", "persistentvolume", "PersistentVolume", false, "pv", "",
     "PersistentVolume", "", "status|PersistentVolume||get,patch,update", specAndStatus},
    {"", "v1", "pods", "pod", "Pod", true, "po", "all", "Pod", podFields, podSubresources,
     ",\"spec\":{\"containers\":null},\"status\":{}"},
    {"", "v1", "resourcequotas", "resourcequota", "ResourceQuota", true, "quota", "", "ResourceQuota", "",
     "status|ResourceQuota||get,patch,update", specAndStatus},
    {"", "v1", "secrets", "secret", "Secret", true, "", "", "Secret", "type", "", ""},
    {"", "v1", "serviceaccounts", "serviceaccount", "ServiceAccount", true, "sa", "", "ServiceAccount", "",
     "", ""},
    {"", "v1", "services", "service", "Service", true, "svc", "all", "Service", "spec.clusterIP,spec.type",
     serviceSubresources, ",\"spec\":{},\"status\":{\"loadBalancer\":{}}"},
    {"apps", "v1", "daemonsets", "daemonset", "DaemonSet", true, "ds", "all", "DaemonSet", "",
     "status|DaemonSet||get,patch,update",
     ",\"spec\":{\"selector\":null," EMPTY_POD_TEMPLATE
     ",\"updateStrategy\":{}},\"status\":{\"currentNumberScheduled\":0,"
     "\"numberMisscheduled\":0,\"desiredNumberScheduled\":0,\"numberReady\":0}"},
    {"apps", "v1", "deployments", "deployment", "Deployment", true, "deploy", "all", "Deployment", "",
     "status|Deployment||get,patch,update",
     ",\"spec\":{\"replicas\":0,\"selector\":null," EMPTY_POD_TEMPLATE ",\"strategy\":{}},\"status\":{}"},
    {"apps", "v1", "replicasets", "replicaset", "ReplicaSet", true, "rs", "all", "ReplicaSet",
     "status.replicas", "status|ReplicaSet||get,patch,update",
     ",\"spec\":{\"replicas\":0,\"selector\":null," EMPTY_POD_TEMPLATE "},\"status\":{\"replicas\":0}"},
    {"apps", "v1", "statefulsets", "statefulset", "StatefulSet", true, "sts", "all", "StatefulSet", "",
     "status|StatefulSet||get,patch,update",
     ",\"spec\":{\"replicas\":0,\"selector\":null," EMPTY_POD_TEMPLATE
     ",\"serviceName\":\"\",\"updateStrategy\":{}},"
     "\"status\":{\"replicas\":0,\"availableReplicas\":0}"},
    {"batch", "v1", "cronjobs", "cronjob", "CronJob", true, "cj", "all", "CronJob", "",
     "status|CronJob||get,patch,update",
     ",\"spec\":{\"schedule\":\"\",\"jobTemplate\":{\"metadata\":{},\"spec\":{" EMPTY_POD_TEMPLATE
     "}}},\"status\":{}"},
    {"batch", "v1", "jobs", "job", "Job", true, "", "all", "Job", "status.successful",
     "status|Job||get,patch,update", ",\"spec\":{" EMPTY_POD_TEMPLATE "},\"status\":{}"},
    {"coordination.k8s.io", "v1", "leases", "lease", "Lease", true, "", "", "Lease", "", "", ",\"spec\":{}"},
    {"discovery.k8s.io", "v1", "endpointslices", "endpointslice", "EndpointSlice", true, "", "",
     "EndpointSlice", "", "", ",\"addressType\":\"\",\"endpoints\":null,\"ports\":null"},
    {"policy", "v1", "poddisruptionbudgets", "poddisruptionbudget", "PodDisruptionBudget", true, "pdb", "",
     "PodDisruptionBudget", "", "status|PodDisruptionBudget||get,patch,update",
     ",\"spec\":{},\"status\":{\"disruptionsAllowed\":0,\"currentHealthy\":0,\"desiredHealthy\":0,"
     "\"expectedPods\":0}"},
    {"resource.k8s.io", "v1", "deviceclasses", "deviceclass", "DeviceClass", false, "", "", "DeviceClass", "",
     "", ",\"spec\":{}"},
    {"resource.k8s.io", "v1", "resourceclaims", "resourceclaim", "ResourceClaim", true, "", "",
     "resource.ResourceClaim", "", "status|ResourceClaim||get,patch,update",
     ",\"spec\":{\"devices\":{\"requests\":null}},\"status\":{}"},
    {"resource.k8s.io", "v1", "resourceclaimtemplates", "resourceclaimtemplate", "ResourceClaimTemplate",
     true, "", "", "ResourceClaimTemplate", "", "",
     ",\"spec\":{\"metadata\":{},\"spec\":{\"devices\":{\"requests\":null}}}"},
    {"resource.k8s.io", "v1", "resourceslices", "resourceslice", "ResourceSlice", false, "", "",
     "ResourceSlice", "spec.nodeName,spec.driver,spec.pool.name", "",
     ",\"spec\":{\"driver\":\"\",\"pool\":{\"name\":\"\",\"generation\":0,\"resourceSliceCount\":0}}"},
};
#undef EMPTY_POD_TEMPLATE

} // namespace

QByteArray ResourceType::apiVersion() const
{
    return *group ? QByteArray(group) + '/' + version : QByteArray(version);
}

QByteArray ResourceType::qualifiedPlural() const
{
    return *group ? QByteArray(plural) + '.' + group : QByteArray(plural);
}

bool ResourceType::deletionAnswersObject() const
{
    constexpr const char *kinds[] = {"Pod",           "Service",          "ServiceAccount",       "Namespace",
                                     "ResourceQuota", "PersistentVolume", "PersistentVolumeClaim"};
    return QByteArrayView(group) == QByteArrayView("resource.k8s.io") ||
           std::any_of(std::begin(kinds), std::end(kinds),
                       [this](const char *each) { return QByteArrayView(each) == QByteArrayView(kind); });
}

bool ResourceType::isMadeByUpdate() const
{
    constexpr const char *kinds[] = {"Lease", "Event", "Service", "Endpoints", "LimitRange"};
    return std::any_of(std::begin(kinds), std::end(kinds),
                       [this](const char *each) { return QByteArrayView(each) == QByteArrayView(kind); });
}

bool ResourceType::hasGeneration() const
{
    const QByteArrayView name(kind);
    return *group ? name != QByteArrayView("Lease") && !name.startsWith(QByteArrayView("ResourceClaim"))
                  : name == QByteArrayView("Pod");
}

const std::vector<ResourceType> &resourceTypes()
{
    return allTypes;
}

const ResourceType *findResourceType(QByteArrayView group, QByteArrayView version, QByteArrayView plural)
{
    for (const ResourceType &type : allTypes) {
        if (plural == QByteArrayView(type.plural) && group == QByteArrayView(type.group) &&
            version == QByteArrayView(type.version))
            return &type;
    }
    return nullptr;
}

const ResourceType *findResourceKind(QByteArrayView apiVersion, QByteArrayView kind)
{
    for (const ResourceType &type : allTypes) {
        if (kind == QByteArrayView(type.kind) && apiVersion == QByteArrayView(type.apiVersion()))
            return &type;
    }
    return nullptr;
}

int indexOf(const ResourceType *type)
{
    return int(type - allTypes.data());
}

bool isKnownGroupVersion(QByteArrayView group, QByteArrayView version)
{
    for (const ResourceType &type : allTypes) {
        if (group == QByteArrayView(type.group) && version == QByteArrayView(type.version))
            return true;
    }
    return version == QByteArrayView("v1") && (group == QByteArrayView("authorization.k8s.io") ||
                                               group == QByteArrayView("authentication.k8s.io"));
}

QList<QByteArray> splitList(const char *text, char separator)
{
    return *text ? QByteArray(text).split(separator) : QList<QByteArray>();
}

} // namespace tongchi::simulator
