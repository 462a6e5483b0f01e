#include "platform/simulator/api_discovery.h"

#include "platform/simulator/resource_types.h"

#include <QCryptographicHash>
#include <algorithm>
#include <iterator>

namespace tongchi::simulator {

namespace {

/// A namespace goes alone, never with others.
QByteArray objectVerbs(const ResourceType &type)
{
    const bool isNamespace = QByteArrayView(type.kind) == QByteArrayView("Namespace");
    return QByteArray("\"create\",\"delete\",") + (isNamespace ? "" : "\"deletecollection\",") +
           "\"get\",\"list\",\"patch\",\"update\",\"watch\"";
}

/// What a migration of stored objects looks at.
QByteArray storageVersionHash(const ResourceType &type)
{
    const QByteArray name = QByteArray(type.group) + '/' + type.version + '/' + type.kind;
    return QCryptographicHash::hash(name, QCryptographicHash::Sha256).left(8).toBase64();
}

/// Groups in the order of the server's list.
constexpr const char *groupOrder[] = {
    "apps",        "events.k8s.io", "authentication.k8s.io", "authorization.k8s.io",
    "autoscaling", "batch",         "certificates.k8s.io",   "networking.k8s.io",
    "policy"};

/// Kinds that only answer questions and are kept nowhere.
struct ReviewType
{
    const char *group;
    const char *plural;
    const char *kind;
};
constexpr ReviewType reviewTypes[] = {
    {"authentication.k8s.io", "selfsubjectreviews", "SelfSubjectReview"},
    {"authorization.k8s.io", "selfsubjectaccessreviews", "SelfSubjectAccessReview"},
    {"authorization.k8s.io", "selfsubjectrulesreviews", "SelfSubjectRulesReview"},
};

QByteArrayList allGroups()
{
    QByteArrayList groups;
    for (const ResourceType &type : resourceTypes()) {
        if (*type.group && !groups.contains(type.group))
            groups.append(type.group);
    }
    for (const ReviewType &type : reviewTypes) {
        if (!groups.contains(type.group))
            groups.append(type.group);
    }
    const auto place = [](const QByteArray &group) {
        const auto found = std::find(std::begin(groupOrder), std::end(groupOrder), group);
        return found - std::begin(groupOrder);
    };
    std::stable_sort(groups.begin(), groups.end(),
                     [&](const QByteArray &a, const QByteArray &b) { return place(a) < place(b); });
    return groups;
}

QByteArray quotedList(const char *text)
{
    QByteArrayList out;
    for (const QByteArray &item : splitList(text))
        out.append('"' + item + '"');
    return out.join(',');
}

QByteArray singularOf(const char *plural)
{
    return QByteArray(plural).chopped(1);
}

QByteArray aggregatedResource(const ResourceType &type)
{
    const QByteArray kind = "{\"group\":\"\",\"version\":\"\",\"kind\":\"" + QByteArray(type.kind) + "\"}";
    QByteArray out = "{\"resource\":\"" + QByteArray(type.plural) + "\",\"responseKind\":" + kind +
                     ",\"scope\":\"" + (type.namespaced ? "Namespaced" : "Cluster") +
                     "\",\"singularResource\":\"" + type.singular + "\",\"verbs\":[" + objectVerbs(type) +
                     ']';
    if (*type.shortNames)
        out += ",\"shortNames\":[" + quotedList(type.shortNames) + ']';
    if (*type.categories)
        out += ",\"categories\":[" + quotedList(type.categories) + ']';
    QByteArrayList parts;
    for (const QByteArray &part : splitList(type.subresources, ';')) {
        const QList<QByteArray> fields = part.split('|');
        parts.append("{\"subresource\":\"" + fields.at(0) + "\",\"responseKind\":{\"group\":\"" +
                     fields.at(2) + "\",\"version\":\"" +
                     (fields.at(2).isEmpty() ? QByteArray() : QByteArray("v1")) + "\",\"kind\":\"" +
                     fields.at(1) + "\"},\"verbs\":[" + quotedList(fields.at(3).constData()) + "]}");
    }
    if (!parts.isEmpty())
        out += ",\"subresources\":[" + parts.join(',') + ']';
    return out + '}';
}

QByteArray aggregatedVersion(const QByteArray &group)
{
    QByteArrayList resources;
    for (const ResourceType &type : resourceTypes()) {
        if (group == type.group)
            resources.append(aggregatedResource(type));
    }
    for (const ReviewType &type : reviewTypes) {
        if (group == type.group)
            resources.append("{\"resource\":\"" + QByteArray(type.plural) +
                             "\",\"responseKind\":{\"group\":\"\",\"version\":\"\",\"kind\":\"" + type.kind +
                             "\"},\"scope\":\"Cluster\",\"singularResource\":\"" + singularOf(type.plural) +
                             "\",\"verbs\":[\"create\"]}");
    }
    return "{\"version\":\"v1\",\"resources\":[" + resources.join(',') + "],\"freshness\":\"Current\"}";
}

QByteArray groupEntry(const QByteArray &group)
{
    const QByteArray version = "{\"groupVersion\":\"" + group + "/v1\",\"version\":\"v1\"}";
    return "\"name\":\"" + group + "\",\"versions\":[" + version + "],\"preferredVersion\":" + version;
}

/// Aggregated or old; 406 for a client that takes neither.
ApiResult<bool> wantsAggregated(const ApiCall &call)
{
    for (const AcceptedForm &form : call.acceptedForms()) {
        if (!form.isJson())
            continue;
        if (form.as.isEmpty())
            return false;
        if (form.as == "APIGroupDiscoveryList" && form.group == "apidiscovery.k8s.io" && form.version == "v2")
            return true;
    }
    return apiFailure(call.notAcceptable());
}

HttpAnswer aggregatedAnswer(const ApiCall &call, bool coreGroup)
{
    const QByteArray body = aggregatedDiscovery(coreGroup);
    const QByteArray tag =
        '"' + QCryptographicHash::hash(body, QCryptographicHash::Sha512).toHex().toUpper() + '"';
    HttpAnswer answer;
    answer.headers = {{QByteArrayLiteral("Cache-Control"), QByteArrayLiteral("public")},
                      {QByteArrayLiteral("Etag"), tag},
                      {QByteArrayLiteral("Vary"), QByteArrayLiteral("Accept")}};
    if (call.http().header("if-none-match") == tag) {
        answer.status = 304;
        return answer;
    }
    answer.contentType =
        QByteArrayLiteral("application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList");
    answer.setBody(body);
    return answer;
}

} // namespace

QByteArray aggregatedDiscovery(bool coreGroup)
{
    QByteArrayList groups;
    if (coreGroup) {
        groups.append("{\"metadata\":{},\"versions\":[" + aggregatedVersion({}) + "]}");
    } else {
        for (const QByteArray &group : allGroups())
            groups.append("{\"metadata\":{\"name\":\"" + group + "\"},\"versions\":[" +
                          aggregatedVersion(group) + "]}");
    }
    return "{\"kind\":\"APIGroupDiscoveryList\",\"apiVersion\":\"apidiscovery.k8s.io/"
           "v2\",\"metadata\":{},\"items\":[" +
           groups.join(',') + "]}\n";
}

QByteArray groupList()
{
    QByteArrayList groups;
    for (const QByteArray &group : allGroups())
        groups.append('{' + groupEntry(group) + '}');
    return "{\"kind\":\"APIGroupList\",\"apiVersion\":\"v1\",\"groups\":[" + groups.join(',') + "]}\n";
}

QByteArray groupDocument(const QByteArray &group)
{
    if (!allGroups().contains(group))
        return {};
    return "{\"kind\":\"APIGroup\",\"apiVersion\":\"v1\"," + groupEntry(group) + "}\n";
}

QByteArray resourceList(const QByteArray &group, const QByteArray &version)
{
    if (!isKnownGroupVersion(group, version))
        return {};
    QByteArrayList resources;
    for (const ResourceType &type : resourceTypes()) {
        if (group != type.group)
            continue;
        const QByteArray scope = type.namespaced ? "true" : "false";
        QByteArray entry = "{\"name\":\"" + QByteArray(type.plural) + "\",\"singularName\":\"" +
                           type.singular + "\",\"namespaced\":" + scope + ",\"kind\":\"" + type.kind +
                           "\",\"verbs\":[" + objectVerbs(type) + ']';
        if (*type.shortNames)
            entry += ",\"shortNames\":[" + quotedList(type.shortNames) + ']';
        if (*type.categories)
            entry += ",\"categories\":[" + quotedList(type.categories) + ']';
        resources.append(entry + ",\"storageVersionHash\":\"" + storageVersionHash(type) + "\"}");
        for (const QByteArray &part : splitList(type.subresources, ';')) {
            const QList<QByteArray> fields = part.split('|');
            entry = "{\"name\":\"" + QByteArray(type.plural) + '/' + fields.at(0) +
                    "\",\"singularName\":\"\",\"namespaced\":" + scope;
            if (!fields.at(2).isEmpty())
                entry += ",\"group\":\"" + fields.at(2) + "\",\"version\":\"v1\"";
            resources.append(entry + ",\"kind\":\"" + fields.at(1) + "\",\"verbs\":[" +
                             quotedList(fields.at(3).constData()) + "]}");
        }
    }
    for (const ReviewType &type : reviewTypes) {
        if (group == type.group)
            resources.append("{\"name\":\"" + QByteArray(type.plural) + "\",\"singularName\":\"" +
                             singularOf(type.plural) + "\",\"namespaced\":false,\"kind\":\"" + type.kind +
                             "\",\"verbs\":[\"create\"]}");
    }
    const QByteArray groupVersion = group.isEmpty() ? version : group + '/' + version;
    // The core group's list is made by an older part of the server and does not say its own version.
    const QByteArray own = group.isEmpty() ? QByteArray() : QByteArray("\"apiVersion\":\"v1\",");
    return "{\"kind\":\"APIResourceList\"," + own + "\"groupVersion\":\"" + groupVersion +
           "\",\"resources\":[" + resources.join(',') + "]}\n";
}

QByteArray versionDocument()
{
    return "{\"major\":\"1\",\"minor\":\"36\",\"emulationMajor\":\"1\",\"emulationMinor\":\"36\","
           "\"minCompatibilityMajor\":"
           "\"1\",\"minCompatibilityMinor\":\"35\",\"gitVersion\":\"v1.36.3\",\"gitCommit\":\"$Format:%H$\","
           "\"gitTreeState\":"
           "\"\",\"buildDate\":\"1970-01-01T00:00:00Z\",\"goVersion\":\"go1.26.8\",\"compiler\":\"gc\","
           "\"platform\":"
           "\"linux/amd64\"}\n";
}

namespace {

/// Every path that answers without a name in it.
QByteArray rootPaths()
{
    QByteArrayList paths = {"/api",   "/api/v1",     "/apis",        "/apis/",  "/healthz",
                            "/livez", "/openapi/v3", "/openapi/v3/", "/readyz", "/version"};
    for (const QByteArray &group : allGroups()) {
        paths.append("/apis/" + group);
        paths.append("/apis/" + group + "/v1");
    }
    std::sort(paths.begin(), paths.end());
    return "{\"paths\":[\"" + paths.join("\",\"") + "\"]}";
}

HttpAnswer documentAnswer(const ApiCall &call, const QByteArray &body)
{
    const auto representation = call.representation();
    if (!representation || *representation != Representation::Json)
        return errorAnswer(representation ? call.notAcceptable() : representation.error());
    return jsonAnswer(body);
}

HttpAnswer rootDiscovery(const ApiCall &call, bool coreGroup)
{
    const ApiResult<bool> aggregated = wantsAggregated(call);
    if (!aggregated)
        return errorAnswer(aggregated.error());
    if (*aggregated)
        return aggregatedAnswer(call, coreGroup);
    return jsonAnswer(coreGroup ? QByteArray("{\"kind\":\"APIVersions\",\"versions\":[\"v1\"],"
                                             "\"serverAddressByClientCIDRs\":[{\"clientCIDR\":\"0.0.0.0/0\","
                                             "\"serverAddress\":\"127.0.0.1:6443\"}]}\n")
                                : groupList());
}

} // namespace

std::optional<HttpAnswer> discoveryAnswer(const ApiCall &call)
{
    const QList<QByteArray> &path = call.segments;
    const QByteArray root = path.value(0);
    if (path.isEmpty())
        return jsonAnswer(rootPaths());
    if (root == "version" && path.size() == 1) {
        HttpAnswer answer = jsonAnswer(versionDocument());
        const std::vector<AcceptedForm> forms = call.acceptedForms();
        if (std::none_of(forms.begin(), forms.end(), [](const AcceptedForm &form) { return form.isJson(); }))
            answer = errorAnswer(call.notAcceptable());
        // The body is a real server's; by this a console tells its operator that the data is made up.
        answer.headers.push_back({QByteArrayLiteral("X-Tongchi-Simulated"), QByteArrayLiteral("true")});
        return answer;
    }
    if (root == "api") {
        if (path.size() == 1)
            return rootDiscovery(call, true);
        if (path.size() == 2 && path.at(1) == "v1")
            return documentAnswer(call, resourceList({}, "v1"));
        return errorAnswer(resourceNotFound());
    }
    if (root != "apis")
        return std::nullopt;
    if (path.size() == 1)
        return rootDiscovery(call, false);
    if (path.size() == 2) {
        const QByteArray body = groupDocument(path.at(1));
        return body.isEmpty() ? std::nullopt : std::optional(documentAnswer(call, body));
    }
    const QByteArray body = resourceList(path.at(1), path.at(2));
    if (!body.isEmpty() && path.size() == 3)
        return documentAnswer(call, body);
    return allGroups().contains(path.at(1)) ? std::optional(errorAnswer(resourceNotFound())) : std::nullopt;
}

} // namespace tongchi::simulator
