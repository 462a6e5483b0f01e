#include "platform/kubernetes/discovery.h"

#include "platform/kubernetes/api_document.h"

#include <QtCore/qcoreapplication.h>

namespace tongchi {

const char *const aggregatedDiscoveryAccept =
    "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json";

namespace {

template <typename T, typename Match> const T *firstMatch(const QList<T> &list, Match match)
{
    for (const T &item : list) {
        if (match(item))
            return &item;
    }
    return nullptr;
}

QStringList textList(const ApiNode &node)
{
    QStringList result;
    node.forEach([&result](const ApiNode &item) { result << item.text(); });
    return result;
}

} // namespace

const ApiResource *ApiVersion::find(const QString &name) const
{
    return firstMatch(resources, [&name](const ApiResource &item) { return item.resource == name; });
}

const ApiVersion *ApiGroup::version(const QString &wanted) const
{
    return firstMatch(versions, [&wanted](const ApiVersion &item) { return item.version == wanted; });
}

const ApiGroup *Discovery::group(const QString &name) const
{
    return firstMatch(groups, [&name](const ApiGroup &item) { return item.name == name; });
}

QString Discovery::versionWith(const QString &name, const QString &resource) const
{
    const ApiGroup *found = group(name);
    if (!found)
        return {};
    for (const bool stale : {false, true}) {
        for (const ApiVersion &version : found->versions) {
            if (version.stale == stale && version.find(resource))
                return version.version;
        }
    }
    return {};
}

Result<QList<ApiGroup>> parseAggregatedDiscovery(const QByteArray &json)
{
    const ApiDocument document(json, QString());
    if (!document.isValid())
        return failure(document.error());
    if (document.kind() != QLatin1String("APIGroupDiscoveryList")) {
        return failure({.code = ErrorCode::NotSupported,
                        .text = QT_TRANSLATE_NOOP("Error", "The server does not know aggregated discovery."),
                        .remedy = QT_TRANSLATE_NOOP("Error", "Its groups are asked one by one instead.")});
    }
    QList<ApiGroup> groups;
    document.root().at("items").forEach([&groups](const ApiNode &item) {
        ApiGroup group{.name = item.at("metadata").at("name").text()};
        item.at("versions").forEach([&group](const ApiNode &versionNode) {
            ApiVersion version{.version = versionNode.at("version").text(),
                               .stale = versionNode.at("freshness").text() == QLatin1String("Stale")};
            versionNode.at("resources").forEach([&version](const ApiNode &node) {
                ApiResource resource{.resource = node.at("resource").text(),
                                     .kind = node.at("responseKind").at("kind").text(),
                                     .namespaced = node.at("scope").text() == QLatin1String("Namespaced"),
                                     .verbs = textList(node.at("verbs"))};
                node.at("subresources").forEach([&resource](const ApiNode &sub) {
                    resource.subresources << sub.at("subresource").text();
                });
                version.resources << resource;
            });
            group.versions << version;
        });
        groups << group;
    });
    return groups;
}

Result<QList<ApiGroup>> parseApiGroupList(const QByteArray &json)
{
    const ApiDocument document(json, QStringLiteral("APIGroupList"));
    if (!document.isValid())
        return failure(document.error());
    QList<ApiGroup> groups;
    document.root().at("groups").forEach([&groups](const ApiNode &node) {
        ApiGroup group{.name = node.at("name").text()};
        const QString preferred = node.at("preferredVersion").at("version").text();
        node.at("versions").forEach([&](const ApiNode &versionNode) {
            const ApiVersion version{.version = versionNode.at("version").text()};
            if (version.version == preferred)
                group.versions.prepend(version);
            else
                group.versions.append(version);
        });
        groups << group;
    });
    return groups;
}

Result<QList<ApiResource>> parseApiResourceList(const QByteArray &json)
{
    const ApiDocument document(json, QStringLiteral("APIResourceList"));
    if (!document.isValid())
        return failure(document.error());
    QList<ApiResource> resources;
    QHash<QString, qsizetype> places;
    document.root().at("resources").forEach([&](const ApiNode &node) {
        const QString name = node.at("name").text();
        const qsizetype slash = name.indexOf(u'/'); // "pods/log"
        if (slash > 0) {
            if (const auto place = places.constFind(name.left(slash)); place != places.constEnd())
                resources[*place].subresources << name.mid(slash + 1);
            return;
        }
        places.insert(name, resources.size());
        resources << ApiResource{.resource = name,
                                 .kind = node.at("kind").text(),
                                 .namespaced = node.at("namespaced").boolean(),
                                 .verbs = textList(node.at("verbs"))};
    });
    return resources;
}

Capabilities capabilitiesOf(const Discovery &discovery)
{
    Capabilities result;
    const auto version = [&discovery](const char *group, const char *resource) {
        return discovery.versionWith(QString::fromLatin1(group), QString::fromLatin1(resource));
    };
    // Of the forms we can read, the newest: servers go on offering the old ones as well.
    if (const ApiGroup *dra = discovery.group(QStringLiteral("resource.k8s.io"))) {
        for (const char *known : {"v1", "v1beta2", "v1beta1"}) {
            const ApiVersion *found = dra->version(QString::fromLatin1(known));
            if (found && found->find(QStringLiteral("resourceslices"))) {
                result.draVersion = found->version;
                break;
            }
        }
    }
    result.kueueVersion = version("kueue.x-k8s.io", "clusterqueues");
    result.kedaVersion = version("keda.sh", "scaledobjects");
    result.volcanoVersion = version("batch.volcano.sh", "jobs");
    result.kserveVersion = version("serving.kserve.io", "inferenceservices");
    result.prometheusOperatorVersion = version("monitoring.coreos.com", "servicemonitors");
    result.metricsServer = !version("metrics.k8s.io", "nodes").isEmpty();
    for (const ApiGroup &group : discovery.groups) {
        bool unknown = !group.versions.isEmpty();
        for (const ApiVersion &item : group.versions)
            unknown = unknown && item.resources.isEmpty() && item.stale;
        if (unknown)
            result.unknownGroups << group.name;
    }
    return result;
}

} // namespace tongchi
