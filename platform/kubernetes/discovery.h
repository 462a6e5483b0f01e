#pragma once

#include "platform/core/result.h"

#include <QByteArray>
#include <QHash>
#include <QList>
#include <QString>
#include <QStringList>
#include <optional>

namespace tongchi {

struct ApiResource
{
    QString resource; ///< "nodes"
    QString kind;
    bool namespaced = false;
    QStringList verbs;
    QStringList subresources; ///< "status", "log", ...
};

struct ApiVersion
{
    QString version;
    bool stale =
        false; ///< the server behind this group could not be reached: its resources may be old or missing
    QList<ApiResource> resources;

    const ApiResource *find(const QString &resource) const;
};

struct ApiGroup
{
    QString name;               ///< empty: the core group
    QList<ApiVersion> versions; ///< in the server's order of preference

    const ApiVersion *version(const QString &name) const;
};

/// What a server can do: its API groups, versions and resources.
struct Discovery
{
    QList<ApiGroup> groups;
    QList<Error> notes; ///< groups that could not be asked; nothing is known about them
    bool aggregated = false;

    const ApiGroup *group(const QString &name) const;
    /// First version, in the server's order with stale ones last, that has the resource; empty when none has.
    QString versionWith(const QString &group, const QString &resource) const;
};

/// Which engines are there, as far as API groups tell (HAMi has none: it shows in annotations; Prometheus is
/// looked for by findPrometheus()). Versions are those to use.
struct Capabilities
{
    QString draVersion;     ///< of resourceslices in resource.k8s.io, one that we read; empty: no DRA
    QString kueueVersion;   ///< kueue.x-k8s.io, clusterqueues
    QString kedaVersion;    ///< keda.sh, scaledobjects
    QString volcanoVersion; ///< batch.volcano.sh, jobs
    QString kserveVersion;  ///< serving.kserve.io, inferenceservices
    QString prometheusOperatorVersion; ///< monitoring.coreos.com, servicemonitors
    bool metricsServer = false;
    /// Groups whose server did not answer: "not installed" cannot be said of them.
    QStringList unknownGroups;

    bool hasDra() const { return !draVersion.isEmpty(); }
    bool hasKueue() const { return !kueueVersion.isEmpty(); }
    bool hasKeda() const { return !kedaVersion.isEmpty(); }
    bool hasVolcano() const { return !volcanoVersion.isEmpty(); }
    bool hasKserve() const { return !kserveVersion.isEmpty(); }
};

Capabilities capabilitiesOf(const Discovery &discovery);

/// APIGroupDiscoveryList of /api or /apis. NotSupported when the server is too old for it and answered
/// otherwise.
[[nodiscard]] Result<QList<ApiGroup>> parseAggregatedDiscovery(const QByteArray &json);
/// APIGroupList of /apis: groups and versions without resources, the preferred version first.
[[nodiscard]] Result<QList<ApiGroup>> parseApiGroupList(const QByteArray &json);
/// APIResourceList of one group and version.
[[nodiscard]] Result<QList<ApiResource>> parseApiResourceList(const QByteArray &json);

extern const char *const aggregatedDiscoveryAccept;

} // namespace tongchi
