#include "platform/simulator/object_defaults.h"

#include "platform/simulator/certificate_authority.h"
#include "platform/simulator/quantity_text.h"
#include "platform/simulator/resource_types.h"

#include <algorithm>

namespace tongchi::simulator {

namespace {

JsonValue parsedDefault(const QByteArray &json)
{
    return JsonValue::parse(json, nullptr);
}

void setIfMissing(JsonValue &object, const char *key, JsonValue value)
{
    if (!object.find(key))
        object.set(key, std::move(value));
}

/// Members of `parts` that the object does not have, at every level.
void addMissing(JsonValue &object, const JsonValue &parts)
{
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const QByteArray &key = parts.keys()[i];
        const JsonValue &part = parts.items()[i];
        JsonValue *present = object.find(key);
        if (!present)
            object.set(key, part);
        else if (present->isObject() && part.isObject())
            addMissing(*present, part);
    }
}

void fillContainer(JsonValue &container)
{
    const QByteArray image = container.textAt({"image"});
    const bool latest = !image.mid(image.lastIndexOf('/') + 1).contains(':') || image.endsWith(":latest");
    setIfMissing(container, "resources", JsonValue::object());
    setIfMissing(container, "terminationMessagePath", JsonValue::string("/dev/termination-log"));
    setIfMissing(container, "terminationMessagePolicy", JsonValue::string("File"));
    setIfMissing(container, "imagePullPolicy", JsonValue::string(latest ? "Always" : "IfNotPresent"));
    if (JsonValue *ports = container.find("ports")) {
        for (JsonValue &port : ports->items())
            setIfMissing(port, "protocol", JsonValue::string("TCP"));
    }
}

template <typename Take> void forEachContainer(JsonValue &spec, Take take)
{
    for (const char *list : {"initContainers", "containers"}) {
        if (JsonValue *containers = spec.find(list)) {
            for (JsonValue &container : containers->items())
                take(container);
        }
    }
}

void fillPodSpec(JsonValue &spec)
{
    forEachContainer(spec, fillContainer);
    setIfMissing(spec, "restartPolicy", JsonValue::string("Always"));
    setIfMissing(spec, "terminationGracePeriodSeconds", JsonValue::number(30));
    setIfMissing(spec, "dnsPolicy", JsonValue::string("ClusterFirst"));
    setIfMissing(spec, "securityContext", JsonValue::object());
    setIfMissing(spec, "schedulerName", JsonValue::string("default-scheduler"));
}

/// What is limited and not asked for is asked for up to the limit.
void fillRequests(JsonValue &container)
{
    const JsonValue *limits = container.at({"resources", "limits"});
    if (!limits || limits->size() == 0)
        return;
    const JsonValue known = *limits;
    addMissing(container["resources"]["requests"], known);
}

/// BestEffort, Burstable or Guaranteed, from the processors and memory of all containers.
QByteArray qualityOf(JsonValue &spec)
{
    bool any = false;
    bool guaranteed = true;
    forEachContainer(spec, [&](const JsonValue &container) {
        for (const char *resource : {"cpu", "memory"}) {
            const QByteArray limit = container.textAt({"resources", "limits", resource});
            const QByteArray request = container.textAt({"resources", "requests", resource});
            any = any || !limit.isEmpty() || !request.isEmpty();
            guaranteed = guaranteed && !limit.isEmpty() && limit == request;
        }
    });
    return !any ? "BestEffort" : guaranteed ? "Guaranteed" : "Burstable";
}

bool tolerates(const JsonValue &spec, const QByteArray &key)
{
    const JsonValue *list = spec.find("tolerations");
    return list && std::any_of(list->items().begin(), list->items().end(), [&key](const JsonValue &entry) {
               const QByteArray effect = entry.textAt({"effect"});
               const QByteArray own = entry.textAt({"key"});
               return (effect.isEmpty() || effect == "NoExecute") && (own.isEmpty() || own == key);
           });
}

void addTolerations(JsonValue &spec)
{
    for (const char *key : {"node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable"}) {
        if (tolerates(spec, key))
            continue;
        JsonValue &list = spec["tolerations"];
        if (!list.isArray())
            list = JsonValue::array();
        list.append(parsedDefault("{\"key\":\"" + QByteArray(key) +
                                  R"(","operator":"Exists","effect":"NoExecute","tolerationSeconds":300})"));
    }
}

void mountToken(JsonValue &spec)
{
    const JsonValue *wanted = spec.find("automountServiceAccountToken");
    if (wanted && !wanted->toBool())
        return;
    const QByteArray name = "kube-api-access-" + randomToken(3).left(5);
    JsonValue &volumes = spec["volumes"];
    if (!volumes.isArray())
        volumes = JsonValue::array();
    volumes.append(parsedDefault(
        "{\"name\":\"" + name +
        R"(","projected":{"sources":[{"serviceAccountToken":{"expirationSeconds":3607,"path":"token"}},)"
        R"({"configMap":{"name":"kube-root-ca.crt","items":[{"key":"ca.crt","path":"ca.crt"}]}},)"
        R"({"downwardAPI":{"items":[{"path":"namespace","fieldRef":{"apiVersion":"v1",)"
        R"("fieldPath":"metadata.namespace"}}]}}],"defaultMode":420}})"));
    forEachContainer(spec, [&name](JsonValue &container) {
        JsonValue &mounts = container["volumeMounts"];
        if (!mounts.isArray())
            mounts = JsonValue::array();
        mounts.append(parsedDefault(
            "{\"name\":\"" + name +
            R"(","readOnly":true,"mountPath":"/var/run/secrets/kubernetes.io/serviceaccount"})"));
    });
}

void finishPod(JsonValue &object)
{
    JsonValue &spec = object["spec"];
    setIfMissing(spec, "serviceAccountName", JsonValue::string("default"));
    setIfMissing(spec, "serviceAccount", JsonValue::string(spec.textAt({"serviceAccountName"})));
    addTolerations(spec);
    setIfMissing(spec, "priority", JsonValue::number(0));
    setIfMissing(spec, "preemptionPolicy", JsonValue::string("PreemptLowerPriority"));
    mountToken(spec);
    object.set("status", parsedDefault("{\"phase\":\"Pending\",\"qosClass\":\"" + qualityOf(spec) + "\"}"));
}

void fillService(JsonValue &spec)
{
    if (JsonValue *ports = spec.find("ports")) {
        for (JsonValue &port : ports->items()) {
            setIfMissing(port, "protocol", JsonValue::string("TCP"));
            if (const JsonValue *number = port.find("port"); number && !port.find("targetPort"))
                port.set("targetPort", JsonValue::number(number->toInteger()));
        }
    }
    setIfMissing(spec, "sessionAffinity", JsonValue::string("None"));
    setIfMissing(spec, "type", JsonValue::string("ClusterIP"));
    setIfMissing(spec, "internalTrafficPolicy", JsonValue::string("Cluster"));
}

void finishService(JsonValue &spec)
{
    if (!spec.find("clusterIP")) {
        const QByteArray random = QByteArray::fromHex(randomToken(2));
        spec.set("clusterIP", JsonValue::string("10.96." + QByteArray::number(uchar(random.at(0))) + '.' +
                                                QByteArray::number(uchar(random.at(1)))));
    }
    JsonValue addresses = JsonValue::array();
    addresses.append(*spec.find("clusterIP"));
    setIfMissing(spec, "clusterIPs", std::move(addresses));
    setIfMissing(spec, "ipFamilies", parsedDefault(R"(["IPv4"])"));
    setIfMissing(spec, "ipFamilyPolicy", JsonValue::string("SingleStack"));
}

/// What a workload of the kind has when nothing else is said.
const char *workloadDefaults(QByteArrayView kind)
{
    if (kind == QByteArrayView("Deployment"))
        return R"({"replicas":1,"strategy":{"type":"RollingUpdate","rollingUpdate":{"maxUnavailable":"25%",)"
               R"("maxSurge":"25%"}},"revisionHistoryLimit":10,"progressDeadlineSeconds":600})";
    if (kind == QByteArrayView("StatefulSet"))
        return R"({"replicas":1,"podManagementPolicy":"OrderedReady","updateStrategy":{"type":"RollingUpdate",)"
               R"("rollingUpdate":{"partition":0}},"revisionHistoryLimit":10,)"
               R"("persistentVolumeClaimRetentionPolicy":{"whenDeleted":"Retain","whenScaled":"Retain"}})";
    if (kind == QByteArrayView("DaemonSet"))
        return R"({"updateStrategy":{"type":"RollingUpdate","rollingUpdate":{"maxUnavailable":1,"maxSurge":0}},)"
               R"("revisionHistoryLimit":10})";
    if (kind == QByteArrayView("ReplicaSet"))
        return R"({"replicas":1})";
    if (kind == QByteArrayView("Job"))
        return R"({"parallelism":1,"completions":1,"backoffLimit":6,"manualSelector":false,)"
               R"("completionMode":"NonIndexed","suspend":false,"podReplacementPolicy":"TerminatingOrFailed"})";
    if (kind == QByteArrayView("CronJob"))
        return R"({"concurrencyPolicy":"Allow","suspend":false,"successfulJobsHistoryLimit":3,)"
               R"("failedJobsHistoryLimit":1})";
    return nullptr;
}

/// A job finds its pods by its own uid.
void finishJob(JsonValue &object)
{
    const QByteArray uid = object.textAt({"metadata", "uid"});
    const QByteArray name = object.textAt({"metadata", "name"});
    JsonValue &spec = object["spec"];
    if (const JsonValue *manual = spec.find("manualSelector"); manual && manual->toBool())
        return;
    for (const bool own : {true, false}) {
        JsonValue &labels = (own ? object["metadata"] : object["spec"]["template"]["metadata"])["labels"];
        for (const char *prefix : {"batch.kubernetes.io/", ""}) {
            labels.set(QByteArray(prefix + QByteArray("controller-uid")), JsonValue::string(uid));
            labels.set(QByteArray(prefix + QByteArray("job-name")), JsonValue::string(name));
        }
    }
    object["spec"]["selector"]["matchLabels"].set("batch.kubernetes.io/controller-uid",
                                                  JsonValue::string(uid));
}

void finishNode(JsonValue &object)
{
    // The controllers take the taint off a node that is ready; the pool has none, so it goes on only where it
    // would stay.
    if (const JsonValue *conditions = object.at({"status", "conditions"})) {
        for (const JsonValue &condition : conditions->items()) {
            if (condition.textAt({"type"}) == "Ready" && condition.textAt({"status"}) == "True")
                return;
        }
    }
    JsonValue &taints = object["spec"]["taints"];
    if (!taints.isArray())
        taints = JsonValue::array();
    taints.append(parsedDefault(R"({"key":"node.kubernetes.io/not-ready","effect":"NoSchedule"})"));
}

} // namespace

JsonValue emptyObject(const ResourceType &type)
{
    return parsedDefault("{\"metadata\":{}" + QByteArray(type.emptyParts) + '}');
}

void fillDecodedDefaults(JsonValue &object, const ResourceType &type)
{
    const QByteArrayView kind(type.kind);
    if (kind == QByteArrayView("Pod")) {
        JsonValue &spec = object["spec"];
        fillPodSpec(spec);
        setIfMissing(spec, "enableServiceLinks", JsonValue::boolean(true));
        forEachContainer(spec, fillRequests);
    } else if (kind == QByteArrayView("Service")) {
        fillService(object["spec"]);
    } else if (kind == QByteArrayView("Namespace")) {
        object["metadata"]["labels"].set("kubernetes.io/metadata.name",
                                         JsonValue::string(object.textAt({"metadata", "name"})));
    } else if (kind == QByteArrayView("Secret")) {
        setIfMissing(object, "type", JsonValue::string("Opaque"));
    } else if (const char *defaults = workloadDefaults(kind)) {
        JsonValue &spec = object["spec"];
        addMissing(spec, parsedDefault(defaults));
        JsonValue &around = kind == QByteArrayView("CronJob") ? spec["jobTemplate"]["spec"] : spec;
        fillPodSpec(around["template"]["spec"]);
    }
    addMissing(object, emptyObject(type));
}

void fillServerParts(JsonValue &object, const ResourceType &type)
{
    const QByteArrayView kind(type.kind);
    const JsonValue empty = emptyObject(type);
    if (kind == QByteArrayView("Node")) {
        finishNode(object);
        return;
    }
    if (const JsonValue *status = empty.find("status"))
        object.set("status", *status); // is nobody's to make
    if (kind == QByteArrayView("Pod"))
        finishPod(object);
    else if (kind == QByteArrayView("Service"))
        finishService(object["spec"]);
    else if (kind == QByteArrayView("Job"))
        finishJob(object);
    else if (kind == QByteArrayView("Namespace")) {
        object.set("spec", parsedDefault(R"({"finalizers":["kubernetes"]})"));
        object.set("status", parsedDefault(R"({"phase":"Active"})"));
    }
}

} // namespace tongchi::simulator
