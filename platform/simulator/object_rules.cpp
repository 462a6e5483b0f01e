#include "platform/simulator/object_rules.h"

#include "platform/simulator/name_rules.h"
#include "platform/simulator/quantity_text.h"
#include "platform/simulator/resource_types.h"

#include <algorithm>

namespace tongchi::simulator {

namespace {

/// Collects causes in the server's words.
class Causes
{
public:
    void required(const QByteArray &field, const QByteArray &why = {})
    {
        add("FieldValueRequired", "Required value" + (why.isEmpty() ? QByteArray() : ": " + why), field);
    }
    void invalid(const QByteArray &field, const QByteArray &shown, const QByteArray &why)
    {
        add("FieldValueInvalid", "Invalid value: " + shown + ": " + why, field);
    }
    void invalid(const QByteArray &field, const QByteArray &text, const std::vector<QByteArray> &problems)
    {
        for (const QByteArray &problem : problems)
            invalid(field, quoted(text), problem);
    }
    void forbidden(const QByteArray &field, const QByteArray &why)
    {
        add("FieldValueForbidden", "Forbidden: " + why, field);
    }
    void duplicate(const QByteArray &field, const QByteArray &text)
    {
        add("FieldValueDuplicate", "Duplicate value: " + quoted(text), field);
    }
    /// Required when empty, otherwise one of those; `required`: false where nothing is allowed too.
    void oneOf(const QByteArray &field, const QByteArray &text, const QByteArrayList &supported)
    {
        if (text.isEmpty()) {
            required(field);
        } else if (!supported.contains(text)) {
            QByteArrayList shown;
            for (const QByteArray &word : supported)
                shown.append(quoted(word));
            add("FieldValueNotSupported",
                "Unsupported value: " + quoted(text) + ": supported values: " + shown.join(", "), field);
        }
    }
    std::vector<FieldCause> take() { return std::move(m_causes); }

private:
    void add(const QByteArray &reason, const QByteArray &message, const QByteArray &field)
    {
        m_causes.push_back({reason, message, field});
    }
    std::vector<FieldCause> m_causes;
};

QByteArray indexed(const QByteArray &list, std::size_t index)
{
    return list + '[' + QByteArray::number(qsizetype(index)) + ']';
}

const std::vector<JsonValue> &itemsOf(const JsonValue *list)
{
    static const std::vector<JsonValue> none;
    return list ? list->items() : none;
}

/// Resources beside processors, memory and storage come whole.
bool isExtendedResource(const QByteArray &name)
{
    return name.contains('/') && !name.startsWith("kubernetes.io/");
}

void checkResources(const JsonValue &container, const QByteArray &path, Causes *causes)
{
    for (const char *part : {"limits", "requests"}) {
        const JsonValue *amounts = container.at({"resources", part});
        for (std::size_t i = 0; amounts && i < amounts->size(); ++i) {
            const QByteArray &name = amounts->keys()[i];
            const QByteArray &amount = amounts->items()[i].text();
            const QByteArray field = path + ".resources." + part + '[' + name + ']';
            if (quantitySign(amount) < 0)
                causes->invalid(field, quoted(amount), "must be greater than or equal to 0");
            else if (isExtendedResource(name) && !isWholeQuantity(amount))
                causes->invalid(field, quoted(amount), "must be an integer");
        }
    }
}

void checkContainers(const JsonValue &spec, const char *list, const QByteArray &path, Causes *causes)
{
    QByteArrayList names;
    const std::vector<JsonValue> &containers = itemsOf(spec.find(list));
    for (std::size_t i = 0; i < containers.size(); ++i) {
        const JsonValue &container = containers[i];
        const QByteArray own = indexed(path + '.' + list, i);
        const QByteArray name = container.textAt({"name"});
        if (name.isEmpty())
            causes->required(own + ".name");
        else
            causes->invalid(own + ".name", name, dnsLabelProblems(name));
        if (!name.isEmpty() && names.contains(name))
            causes->duplicate(own + ".name", name);
        names.append(name);
        const QByteArray image = container.textAt({"image"});
        if (image.isEmpty())
            causes->required(own + ".image");
        else if (image.trimmed() != image)
            causes->invalid(own + ".image", quoted(image), "must not have leading or trailing whitespace");
        causes->oneOf(own + ".imagePullPolicy", container.textAt({"imagePullPolicy"}),
                      {"Always", "IfNotPresent", "Never"});
        checkResources(container, own, causes);
    }
}

void checkPodSpec(const JsonValue &spec, const QByteArray &path, Causes *causes)
{
    if (itemsOf(spec.find("containers")).empty())
        causes->required(path + ".containers");
    checkContainers(spec, "initContainers", path, causes);
    checkContainers(spec, "containers", path, causes);
}

void checkPod(const JsonValue &object, Causes *causes)
{
    const JsonValue &spec = *object.find("spec");
    checkPodSpec(spec, "spec", causes);
    causes->oneOf("spec.restartPolicy", spec.textAt({"restartPolicy"}), {"Always", "OnFailure", "Never"});
    causes->oneOf("spec.dnsPolicy", spec.textAt({"dnsPolicy"}),
                  {"ClusterFirstWithHostNet", "ClusterFirst", "Default", "None"});
}

bool labelsMatch(const JsonValue *wanted, const JsonValue *labels)
{
    for (std::size_t i = 0; wanted && i < wanted->size(); ++i) {
        const JsonValue *label = labels ? labels->find(wanted->keys()[i]) : nullptr;
        if (!label || !(*label == wanted->items()[i]))
            return false;
    }
    return true;
}

void checkWorkload(const JsonValue &object, const QByteArray &kind, Causes *causes)
{
    const JsonValue *selector = object.at({"spec", "selector"});
    const JsonValue *labels = object.at({"spec", "template", "metadata", "labels"});
    const JsonValue *wanted = object.at({"spec", "selector", "matchLabels"});
    if (!selector || selector->isNull()) {
        causes->required("spec.selector");
    } else if (selector->size() == 0) {
        causes->invalid("spec.selector", "{}", "empty selector is invalid for " + kind.toLower());
    }
    if (!selector || selector->isNull() || (selector->size() > 0 && !labelsMatch(wanted, labels)))
        causes->invalid("spec.template.metadata.labels", labels ? labels->toJson() : QByteArray("null"),
                        "`selector` does not match template `labels`");
    if (const JsonValue *spec = object.at({"spec", "template", "spec"}))
        checkPodSpec(*spec, "spec.template.spec", causes);
}

void checkJob(const JsonValue &object, Causes *causes)
{
    const JsonValue *spec = object.at({"spec", "template", "spec"});
    if (!spec)
        return;
    checkPodSpec(*spec, "spec.template.spec", causes);
    const QByteArray policy = spec->textAt({"restartPolicy"});
    if (policy != "OnFailure" && policy != "Never")
        causes->required("spec.template.spec.restartPolicy", "valid values: \"OnFailure\", \"Never\"");
}

void checkService(const JsonValue &object, Causes *causes)
{
    const std::vector<JsonValue> &ports = itemsOf(object.at({"spec", "ports"}));
    const QByteArray type = object.textAt({"spec", "type"});
    if (ports.empty() && type != "ExternalName" && object.textAt({"spec", "clusterIP"}) != "None")
        causes->required("spec.ports");
    for (std::size_t i = 0; i < ports.size(); ++i) {
        const QByteArray own = indexed("spec.ports", i);
        if (ports.size() > 1 && ports[i].textAt({"name"}).isEmpty())
            causes->required(own + ".name");
        const qint64 number = ports[i].find("port") ? ports[i].find("port")->toInteger() : 0;
        if (number < 1 || number > 65535)
            causes->invalid(own + ".port", QByteArray::number(number),
                            "must be between 1 and 65535, inclusive");
    }
    causes->oneOf("spec.type", type, {"ClusterIP", "ExternalName", "LoadBalancer", "NodePort"});
}

void checkData(const JsonValue &object, Causes *causes)
{
    for (const char *part : {"data", "binaryData"}) {
        const JsonValue *data = object.find(part);
        for (std::size_t i = 0; data && i < data->size(); ++i) {
            const QByteArray &key = data->keys()[i];
            causes->invalid(QByteArray(part) + '[' + key + ']', key, dataKeyProblems(key));
        }
    }
}

void checkTaints(const JsonValue &object, int times, Causes *causes)
{
    const std::vector<JsonValue> &taints = itemsOf(object.at({"spec", "taints"}));
    for (int time = 0; time < times; ++time) {
        for (std::size_t i = 0; i < taints.size(); ++i) {
            const QByteArray own = indexed("metadata.taints", i);
            const QByteArray key = taints[i].textAt({"key"});
            causes->invalid(own + ".key", key, qualifiedNameProblems(key));
            causes->oneOf(own + ".effect", taints[i].textAt({"effect"}),
                          {"NoSchedule", "PreferNoSchedule", "NoExecute"});
        }
    }
}

void checkNodeAmounts(const JsonValue &object, Causes *causes)
{
    for (const char *part : {"capacity", "allocatable"}) {
        const JsonValue *amounts = object.at({"status", part});
        for (std::size_t i = 0; amounts && i < amounts->size(); ++i) {
            const QByteArray &name = amounts->keys()[i];
            const QByteArray &amount = amounts->items()[i].text();
            const QByteArray field = QByteArray("status.") + part + '.' + name;
            if (quantitySign(amount) < 0)
                causes->invalid(field, quoted(amount), "must be greater than or equal to 0");
            else if (isExtendedResource(name) && !isWholeQuantity(amount))
                causes->invalid(field, quoted(amount), "must be an integer");
        }
    }
}

void checkSlice(const JsonValue &object, Causes *causes)
{
    const QByteArray driver = object.textAt({"spec", "driver"});
    if (driver.isEmpty())
        causes->required("spec.driver");
    else
        causes->invalid("spec.driver", driver, subdomainProblems(driver));
    if (object.textAt({"spec", "pool", "name"}).isEmpty())
        causes->required("spec.pool.name");
    const JsonValue *count = object.at({"spec", "pool", "resourceSliceCount"});
    if (!count || count->toInteger() < 1)
        causes->invalid("spec.pool.resourceSliceCount", count ? count->toJson() : QByteArray("0"),
                        "must be greater than zero");
    const JsonValue &spec = *object.find("spec");
    if (!spec.find("nodeName") && !spec.find("nodeSelector") && !spec.find("allNodes") &&
        !spec.find("perDeviceNodeSelection"))
        causes->required("spec", "exactly one of `nodeName`, `nodeSelector`, `allNodes`, "
                                 "`perDeviceNodeSelection` is required");
}

void checkBudget(const JsonValue &object, Causes *causes)
{
    const JsonValue *minimum = object.at({"spec", "minAvailable"});
    const JsonValue *maximum = object.at({"spec", "maxUnavailable"});
    if (!minimum || !maximum)
        return;
    const JsonValue *selector = object.at({"spec", "selector"});
    causes->invalid("spec",
                    "{\"MinAvailable\":" + minimum->toJson() +
                        ",\"Selector\":" + (selector ? selector->toJson() : QByteArray("null")) +
                        ",\"MaxUnavailable\":" + maximum->toJson() + ",\"UnhealthyPodEvictionPolicy\":null}",
                    "minAvailable and maxUnavailable cannot be both set");
}

bool hasKind(const ResourceType &type, const char *kind)
{
    return QByteArrayView(type.kind) == QByteArrayView(kind);
}

const JsonValue &memberOr(const JsonValue &object, const char *key)
{
    static const JsonValue null;
    const JsonValue *value = object.find(key);
    return value ? *value : null;
}

/// What is marked as immutable stays, with the mark.
void checkImmutable(const JsonValue &live, const JsonValue &object, Causes *causes)
{
    if (!memberOr(live, "immutable").toBool())
        return;
    for (const char *part : {"immutable", "data", "binaryData"}) {
        if (!(memberOr(live, part) == memberOr(object, part)))
            causes->forbidden(part, "field is immutable when `immutable` is set");
    }
}

void checkFinalizers(const JsonValue &live, const JsonValue &object, Causes *causes)
{
    if (live.textAt({"metadata", "deletionTimestamp"}).isEmpty())
        return;
    const std::vector<JsonValue> &before = itemsOf(live.at({"metadata", "finalizers"}));
    QByteArrayList added;
    for (const JsonValue &finalizer : itemsOf(object.at({"metadata", "finalizers"}))) {
        if (std::find(before.begin(), before.end(), finalizer) == before.end())
            added.append(quoted(finalizer.text()));
    }
    for (int i = 0; i < 2 && !added.isEmpty(); ++i) // the server finds it twice
        causes->forbidden("metadata.finalizers",
                          "no new finalizers can be added if the object is being deleted, found new "
                          "finalizers []string{" +
                              added.join(", ") + '}');
}

} // namespace

std::vector<FieldCause> creationCauses(const JsonValue &object, const ResourceType &type)
{
    Causes causes;
    const QByteArrayView group(type.group);
    if (hasKind(type, "Pod")) {
        checkPod(object, &causes);
    } else if (hasKind(type, "Service")) {
        checkService(object, &causes);
    } else if (hasKind(type, "ConfigMap") || hasKind(type, "Secret")) {
        checkData(object, &causes);
    } else if (hasKind(type, "Node")) {
        checkTaints(object, 1, &causes);
        checkNodeAmounts(object, &causes);
    } else if (hasKind(type, "Job")) {
        checkJob(object, &causes);
    } else if (group == QByteArrayView("apps")) {
        checkWorkload(object, type.kind, &causes);
    } else if (hasKind(type, "ResourceSlice")) {
        checkSlice(object, &causes);
    } else if (hasKind(type, "PodDisruptionBudget")) {
        checkBudget(object, &causes);
    } else if (hasKind(type, "Event")) {
        const QByteArray about = object.textAt({"involvedObject", "namespace"});
        const QByteArray own = object.textAt({"metadata", "namespace"});
        if (about.isEmpty() ? own != "default" : about != own)
            causes.invalid("involvedObject.namespace", quoted(about), "does not match event.namespace");
    }
    return causes.take();
}

std::vector<FieldCause> changeCauses(const JsonValue &live, const JsonValue &object, const ResourceType &type)
{
    Causes causes;
    checkFinalizers(live, object, &causes);
    if (hasKind(type, "ConfigMap") || hasKind(type, "Secret")) {
        checkImmutable(live, object, &causes);
        checkData(object, &causes);
    } else if (hasKind(type, "Node")) {
        checkTaints(object, 2, &causes);
    } else if (hasKind(type, "Service")) {
        checkService(object, &causes);
    }
    return causes.take();
}

} // namespace tongchi::simulator
