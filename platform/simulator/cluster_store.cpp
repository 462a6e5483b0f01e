#include "platform/simulator/cluster_store.h"

#include "platform/simulator/object_text.h"

#include <QUuid>

namespace tongchi::simulator {

QByteArray newUid()
{
    return QUuid::createUuid().toByteArray(QUuid::WithoutBraces);
}

QByteArray objectKey(const QByteArray &nameSpace, const QByteArray &name)
{
    return nameSpace.isEmpty() ? name : nameSpace + '/' + name;
}

void mergeChange(const JsonValue &before, const JsonValue &after, JsonValue &onto)
{
    for (std::size_t i = 0; i < after.size(); ++i) {
        const QByteArray &key = after.keys()[i];
        const JsonValue &wanted = after.items()[i];
        const JsonValue *old = before.find(key);
        if (old && *old == wanted)
            continue;
        JsonValue *present = onto.find(key);
        if (wanted.isObject() && present && present->isObject())
            mergeChange(old && old->isObject() ? *old : JsonValue::object(), wanted, *present);
        else
            onto.set(key, wanted);
    }
    for (const QByteArray &key : before.keys()) {
        if (!after.find(key))
            onto.remove(key);
    }
}

ClusterStore::ClusterStore(const SimulatedClock &clock)
    : m_clock(clock), m_collections(resourceTypes().size())
{
}

QByteArray ClusterStore::now() const
{
    return rfc3339(m_clock.now().time_since_epoch().count());
}

QByteArray ClusterStore::touchKey(const ResourceType &type, const QByteArray &key) const
{
    return QByteArray(type.plural) + ':' + key;
}

void ClusterStore::load(FleetSource &fleet, int cluster)
{
    QList<QByteArray> nameSpaces = {"default", "kube-node-lease", "kube-public", "kube-system", "monitoring"};
    QByteArray lastNameSpace;
    fleet.forEachObject(cluster, [&](SimulatedObject &&object) {
        const qsizetype slash = object.apiVersion.indexOf('/');
        const ResourceType *type = findResourceType(
            slash < 0 ? QByteArray() : object.apiVersion.left(slash),
            slash < 0 ? object.apiVersion : object.apiVersion.mid(slash + 1), object.resource);
        if (!type)
            return;
        QByteArray text = storedText(object.json, ++m_version);
        if (text.isEmpty())
            return;
        if (object.nameSpace != lastNameSpace && !object.nameSpace.isEmpty() &&
            !nameSpaces.contains(object.nameSpace))
            nameSpaces.append(object.nameSpace);
        lastNameSpace = object.nameSpace;
        collection(*type).load({objectKey(object.nameSpace, object.name), m_version, std::move(text)});
    });
    loadBuiltIn(std::move(nameSpaces));
    for (ObjectCollection &each : m_collections)
        each.finishLoading(m_version);
}

void ClusterStore::loadBuiltIn(QList<QByteArray> nameSpaces)
{
    const QByteArray created = longAgo();
    const auto add = [&](const char *plural, const QByteArray &nameSpace, const QByteArray &name,
                         const QByteArray &rest, const QByteArray &metadata = {}) {
        const ResourceType &type = *findResourceType("", "v1", plural);
        ObjectCollection &into = collection(type);
        const QByteArray key = objectKey(nameSpace, name);
        if (into.find(key))
            return;
        QByteArray json = "{\"metadata\":{\"name\":\"" + name + '"';
        if (!nameSpace.isEmpty())
            json += ",\"namespace\":\"" + nameSpace + '"';
        json += ",\"uid\":\"" + newUid() + "\",\"creationTimestamp\":\"" + created + '"' + metadata + '}' +
                rest + '}';
        into.load({key, m_version + 1, storedText(json, m_version + 1)});
        ++m_version;
    };
    for (const QByteArray &name : nameSpaces) {
        add("namespaces", {}, name,
            ",\"spec\":{\"finalizers\":[\"kubernetes\"]},\"status\":{\"phase\":\"Active\"}",
            ",\"labels\":{\"kubernetes.io/metadata.name\":\"" + name + "\"}");
    }
    const auto service = [&](const QByteArray &nameSpace, const QByteArray &name, const QByteArray &address,
                             const QByteArray &ports, const QByteArray &selector,
                             const QByteArray &labels = {}) {
        add("services", nameSpace, name,
            ",\"spec\":{\"ports\":[" + ports + "]," + selector + "\"clusterIP\":\"" + address +
                "\",\"clusterIPs\":[\"" + address +
                "\"],\"type\":\"ClusterIP\",\"sessionAffinity\":\"None\",\"ipFamilies\":[\"IPv4\"],"
                "\"ipFamilyPolicy\":\"SingleStack\",\"internalTrafficPolicy\":\"Cluster\"},"
                "\"status\":{\"loadBalancer\":{}}",
            labels);
    };
    service("default", "kubernetes", "10.96.0.1",
            "{\"name\":\"https\",\"protocol\":\"TCP\",\"port\":443,\"targetPort\":6443}", {},
            ",\"labels\":{\"component\":\"apiserver\",\"provider\":\"kubernetes\"}");
    service("monitoring", "prometheus-k8s", "10.96.0.90",
            "{\"name\":\"web\",\"protocol\":\"TCP\",\"port\":9090,\"targetPort\":\"web\"}",
            "\"selector\":{\"app.kubernetes.io/name\":\"prometheus\"},");
}

void ClusterStore::furnish(const QByteArray &authorityPem)
{
    m_authorityPem = authorityPem;
    std::vector<QByteArray> names;
    collection(*findResourceType("", "v1", "namespaces"))
        .snapshot()
        .forEach({}, [&names](const StoredObject &object, QByteArrayView) {
            names.push_back(object.key);
            return true;
        });
    for (const QByteArray &name : names)
        furnishNamespace(name, longAgo());
}

QByteArray ClusterStore::longAgo() const
{
    return rfc3339(m_clock.start().time_since_epoch().count() - 90LL * 24 * 3600 * 1000);
}

void ClusterStore::furnishNamespace(const QByteArray &name, const QByteArray &created)
{
    const auto add = [&](const char *plural, const QByteArray &own, JsonValue object) {
        const ResourceType &type = *findResourceType("", "v1", plural);
        if (contains(type, objectKey(name, own)))
            return;
        JsonValue &metadata = object["metadata"];
        metadata.set("name", JsonValue::string(own));
        metadata.set("namespace", JsonValue::string(name));
        metadata.set("uid", JsonValue::string(newUid()));
        metadata.set("creationTimestamp", JsonValue::string(created));
        ++m_version;
        collection(type).put(objectKey(name, own), storedText(std::move(object), m_version), m_version);
    };
    add("serviceaccounts", "default", JsonValue::object());
    JsonValue certificates = JsonValue::object();
    certificates["metadata"]["annotations"].set(
        "kubernetes.io/description",
        JsonValue::string("Contains a CA bundle that can be used to verify the kube-apiserver when using "
                          "internal endpoints such as the internal service IP or kubernetes.default.svc. No "
                          "other usage is guaranteed across distributions of Kubernetes clusters."));
    certificates["data"].set("ca.crt", JsonValue::string(m_authorityPem));
    add("configmaps", "kube-root-ca.crt", std::move(certificates));
}

void ClusterStore::apply(std::vector<ObjectChange> changes)
{
    for (ObjectChange &change : changes)
        applyOne(change);
}

void ClusterStore::applyOne(ObjectChange &change)
{
    SimulatedObject &object = change.object;
    const qsizetype slash = object.apiVersion.indexOf('/');
    const ResourceType *type =
        findResourceType(slash < 0 ? QByteArray() : object.apiVersion.left(slash),
                         slash < 0 ? object.apiVersion : object.apiVersion.mid(slash + 1), object.resource);
    if (!type)
        return;
    ObjectCollection &into = collection(*type);
    const QByteArray key = objectKey(object.nameSpace, object.name);
    const QByteArray touched = touchKey(*type, key);
    if (change.kind == ObjectChange::Kind::Delete) {
        m_fleetState.remove(touched);
        m_deleted.remove(touched);
        if (into.remove(key, m_version + 1))
            ++m_version;
        return;
    }
    if (!m_deleted.isEmpty()) {
        const auto gone = m_deleted.constFind(touched);
        if (gone != m_deleted.constEnd()) {
            if (rawString(rawMember(object.json, {"metadata", "uid"})) == *gone)
                return;
            m_deleted.erase(gone);
        }
    }
    const auto fleetState = m_fleetState.find(touched);
    if (fleetState == m_fleetState.end()) {
        const QByteArray text = storedText(object.json, m_version + 1);
        if (!text.isEmpty())
            into.put(key, text, ++m_version);
        return;
    }
    JsonValue wanted = JsonValue::parse(object.json, nullptr);
    std::optional<JsonValue> live = this->object(*type, key);
    if (!wanted.isObject() || !live)
        return;
    const JsonValue before = *live;
    mergeChange(*fleetState, wanted, *live);
    *fleetState = std::move(wanted);
    if (before == *live)
        return;
    ++m_version;
    into.put(key, storedText(std::move(*live), m_version), m_version);
}

std::optional<JsonValue> ClusterStore::object(const ResourceType &type, const QByteArray &key)
{
    const std::optional<QByteArray> text = collection(type).find(key);
    if (!text)
        return std::nullopt;
    return JsonValue::parse(completeText(*text, type.kind, type.apiVersion()), nullptr);
}

qint64 ClusterStore::put(const ResourceType &type, const QByteArray &key, JsonValue object)
{
    const QByteArray touched = touchKey(type, key);
    if (!m_fleetState.contains(touched)) {
        // What is stored now is still the fleet's; a new object is the client's alone.
        if (std::optional<JsonValue> before = this->object(type, key)) {
            if (JsonValue *metadata = before->find("metadata"))
                metadata->remove("resourceVersion");
            m_fleetState.insert(touched, std::move(*before));
        }
    }
    m_deleted.remove(touched);
    ++m_version;
    collection(type).put(key, storedText(std::move(object), m_version), m_version);
    return m_version;
}

bool ClusterStore::remove(const ResourceType &type, const QByteArray &key)
{
    ObjectCollection &from = collection(type);
    const std::optional<QByteArray> text = from.find(key);
    if (!text)
        return false;
    const QByteArray touched = touchKey(type, key);
    m_fleetState.remove(touched);
    m_deleted.insert(touched, rawString(rawMember(*text, {"metadata", "uid"})));
    return from.remove(key, ++m_version);
}

void ClusterStore::compact()
{
    ++m_version;
    for (ObjectCollection &each : m_collections)
        each.compact(m_version);
}

} // namespace tongchi::simulator
