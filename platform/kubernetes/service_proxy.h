#pragma once

#include "platform/core/result.h"

#include <QByteArray>
#include <QList>
#include <QString>

namespace tongchi {

/// A path through the API server's service proxy; `service` is "[scheme:]name[:port]", `path` is absolute,
/// encoded, and may have a query.
QByteArray servicePath(const QString &nameSpace, const QString &service, const QByteArray &path);

/// A service that may be a Prometheus.
struct ServiceCandidate
{
    QString nameSpace;
    QString service; ///< "http:prometheus-k8s:9090"
    int rank = 0;    ///< lower is more likely

    bool operator==(const ServiceCandidate &) const = default;
};

/// From a ServiceList, the likely ones first.
[[nodiscard]] Result<QList<ServiceCandidate>> prometheusCandidates(const QByteArray &json);

/// Where people's charts put it, for users who may not list services.
QList<ServiceCandidate> usualPrometheusPlaces();

/// The requests that find services of the usual labels and names, below /api/v1/services.
QList<QByteArray> prometheusServiceQueries();

/// The version from /api/v1/status/buildinfo; Protocol when the answer is none of a Prometheus.
[[nodiscard]] Result<QString> parsePrometheusBuildInfo(const QByteArray &json);

/// A Prometheus inside the cluster that answered.
struct PrometheusService
{
    QString nameSpace;
    QString service;
    QString version;

    /// For requests through the cluster's own connection: this in front of "/api/v1/query".
    QByteArray pathPrefix() const { return servicePath(nameSpace, service, {}); }
};

} // namespace tongchi
