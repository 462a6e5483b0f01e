#include "platform/simulator/api_discovery.h"

#include "platform/simulator/resource_types.h"

#include <QCryptographicHash>
#include <cstring>

namespace tongchi::simulator {

namespace {

constexpr const char *objectVerbs =
    "\"create\",\"delete\",\"deletecollection\",\"get\",\"list\",\"patch\",\"update\",\"watch\"";

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
                     "\",\"singularResource\":\"" + type.singular + "\",\"verbs\":[" + objectVerbs + ']';
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

bool wantsAggregated(const ApiCall &call)
{
    for (const QByteArray &alternative : call.http().header("accept").split(',')) {
        if (alternative.contains("application/json") && alternative.contains("as=APIGroupDiscoveryList"))
            return alternative.contains("v=v2") && !alternative.contains("v2beta1");
        if (alternative.trimmed() == "application/json")
            return false;
    }
    return false;
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
                           "\",\"verbs\":[" + objectVerbs + ']';
        if (*type.shortNames)
            entry += ",\"shortNames\":[" + quotedList(type.shortNames) + ']';
        if (*type.categories)
            entry += ",\"categories\":[" + quotedList(type.categories) + ']';
        resources.append(entry + '}');
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
    return "{\"kind\":\"APIResourceList\",\"apiVersion\":\"v1\",\"groupVersion\":\"" + groupVersion +
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

std::optional<HttpAnswer> discoveryAnswer(const ApiCall &call)
{
    const QList<QByteArray> &path = call.segments;
    if (path.value(0) == "version" && path.size() == 1) {
        HttpAnswer answer = jsonAnswer(versionDocument());
        // The body is a real server's; by this a console tells its operator that the data is made up.
        answer.headers.push_back({QByteArrayLiteral("X-Tongchi-Simulated"), QByteArrayLiteral("true")});
        return answer;
    }
    if (path.value(0) == "api") {
        if (path.size() == 1) {
            if (wantsAggregated(call))
                return aggregatedAnswer(call, true);
            return jsonAnswer(
                "{\"kind\":\"APIVersions\",\"versions\":[\"v1\"],\"serverAddressByClientCIDRs\":"
                "[{\"clientCIDR\":\"0.0.0.0/0\",\"serverAddress\":\"127.0.0.1:6443\"}]}\n");
        }
        if (path.size() == 2 && path.at(1) == "v1")
            return jsonAnswer(resourceList({}, "v1"));
        return std::nullopt;
    }
    if (path.value(0) != "apis")
        return std::nullopt;
    if (path.size() == 1)
        return wantsAggregated(call) ? aggregatedAnswer(call, false) : jsonAnswer(groupList());
    const QByteArray body =
        path.size() == 2 ? groupDocument(path.at(1)) : resourceList(path.at(1), path.at(2));
    if (body.isEmpty() || path.size() > 3)
        return std::nullopt;
    return jsonAnswer(body);
}

} // namespace tongchi::simulator
