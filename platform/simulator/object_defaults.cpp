#include "platform/simulator/object_defaults.h"

#include "platform/simulator/certificate_authority.h"
#include "platform/simulator/resource_types.h"

namespace tongchi::simulator {

namespace {

JsonValue parsedDefault(const char *json)
{
    return JsonValue::parse(json, nullptr);
}

void setIfMissing(JsonValue &object, const char *key, JsonValue value)
{
    if (!object.find(key))
        object.set(key, std::move(value));
}

void fillPodSpec(JsonValue &spec)
{
    if (JsonValue *containers = spec.find("containers")) {
        for (JsonValue &container : containers->items()) {
            const QByteArray image = container.textAt({"image"});
            const bool latest =
                !image.mid(image.lastIndexOf('/') + 1).contains(':') || image.endsWith(":latest");
            setIfMissing(container, "resources", JsonValue::object());
            setIfMissing(container, "terminationMessagePath", JsonValue::string("/dev/termination-log"));
            setIfMissing(container, "terminationMessagePolicy", JsonValue::string("File"));
            setIfMissing(container, "imagePullPolicy", JsonValue::string(latest ? "Always" : "IfNotPresent"));
            if (JsonValue *ports = container.find("ports")) {
                for (JsonValue &port : ports->items())
                    setIfMissing(port, "protocol", JsonValue::string("TCP"));
            }
        }
    }
    setIfMissing(spec, "restartPolicy", JsonValue::string("Always"));
    setIfMissing(spec, "terminationGracePeriodSeconds", JsonValue::number(30));
    setIfMissing(spec, "dnsPolicy", JsonValue::string("ClusterFirst"));
    setIfMissing(spec, "securityContext", JsonValue::object());
    setIfMissing(spec, "schedulerName", JsonValue::string("default-scheduler"));
}

void fillPod(JsonValue &object)
{
    JsonValue &spec = object["spec"];
    fillPodSpec(spec);
    setIfMissing(spec, "serviceAccountName", JsonValue::string("default"));
    setIfMissing(spec, "serviceAccount", JsonValue::string("default"));
    setIfMissing(
        spec, "tolerations",
        parsedDefault(
            R"([{"key":"node.kubernetes.io/not-ready","operator":"Exists","effect":"NoExecute",)"
            R"("tolerationSeconds":300},{"key":"node.kubernetes.io/unreachable","operator":"Exists",)"
            R"("effect":"NoExecute","tolerationSeconds":300}])"));
    setIfMissing(spec, "priority", JsonValue::number(0));
    setIfMissing(spec, "enableServiceLinks", JsonValue::boolean(true));
    setIfMissing(spec, "preemptionPolicy", JsonValue::string("PreemptLowerPriority"));
    object.set("status", parsedDefault(R"({"phase":"Pending","qosClass":"BestEffort"})"));
}

void fillService(JsonValue &object)
{
    JsonValue &spec = object["spec"];
    if (JsonValue *ports = spec.find("ports")) {
        for (JsonValue &port : ports->items()) {
            setIfMissing(port, "protocol", JsonValue::string("TCP"));
            if (const JsonValue *number = port.find("port"); number && !port.find("targetPort"))
                port.set("targetPort", JsonValue::number(number->toInteger()));
        }
    }
    setIfMissing(spec, "type", JsonValue::string("ClusterIP"));
    if (!spec.find("clusterIP")) {
        const QByteArray random = QByteArray::fromHex(randomToken(2));
        const QByteArray address = "10.96." + QByteArray::number(uchar(random.at(0))) + '.' +
                                   QByteArray::number(uchar(random.at(1)));
        spec.set("clusterIP", JsonValue::string(address));
        JsonValue addresses = JsonValue::array();
        addresses.append(JsonValue::string(address));
        spec.set("clusterIPs", std::move(addresses));
    }
    setIfMissing(spec, "sessionAffinity", JsonValue::string("None"));
    setIfMissing(spec, "ipFamilies", parsedDefault(R"(["IPv4"])"));
    setIfMissing(spec, "ipFamilyPolicy", JsonValue::string("SingleStack"));
    setIfMissing(spec, "internalTrafficPolicy", JsonValue::string("Cluster"));
    object.set("status", parsedDefault(R"({"loadBalancer":{}})"));
}

void fillWorkload(JsonValue &object, bool replicas)
{
    JsonValue &spec = object["spec"];
    if (replicas)
        setIfMissing(spec, "replicas", JsonValue::number(1));
    if (JsonValue *podTemplate = spec.find("template")) {
        if (JsonValue *podSpec = podTemplate->find("spec"))
            fillPodSpec(*podSpec);
    }
    setIfMissing(object, "status", JsonValue::object());
}

} // namespace

void fillDefaults(JsonValue &object, const ResourceType &type)
{
    const QByteArrayView kind(type.kind);
    if (kind == QByteArrayView("Pod")) {
        fillPod(object);
    } else if (kind == QByteArrayView("Service")) {
        fillService(object);
    } else if (kind == QByteArrayView("Namespace")) {
        object["metadata"]["labels"].set("kubernetes.io/metadata.name",
                                         JsonValue::string(object.textAt({"metadata", "name"})));
        object.set("spec", parsedDefault(R"({"finalizers":["kubernetes"]})"));
        object.set("status", parsedDefault(R"({"phase":"Active"})"));
    } else if (kind == QByteArrayView("Node")) {
        setIfMissing(object, "spec", JsonValue::object());
        setIfMissing(object, "status", JsonValue::object());
    } else if (QByteArrayView(type.group) == QByteArrayView("apps")) {
        fillWorkload(object, kind != QByteArrayView("DaemonSet"));
    } else if (kind == QByteArrayView("Job")) {
        fillWorkload(object, false);
    } else if (kind == QByteArrayView("PodDisruptionBudget")) {
        object.set("status",
                   parsedDefault(
                       R"({"disruptionsAllowed":0,"currentHealthy":0,"desiredHealthy":0,"expectedPods":0})"));
    } else if (kind == QByteArrayView("Secret")) {
        setIfMissing(object, "type", JsonValue::string("Opaque"));
    }
}

} // namespace tongchi::simulator
