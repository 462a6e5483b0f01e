#include "platform/kubernetes/service_proxy.h"

#include "platform/kubernetes/api_document.h"

#include <QStringList>
#include <QUrl>
#include <QtCore/qcoreapplication.h>
#include <algorithm>

namespace tongchi {

QByteArray servicePath(const QString &nameSpace, const QString &service, const QByteArray &path)
{
    return "/api/v1/namespaces/" + QUrl::toPercentEncoding(nameSpace) + "/services/" +
           QUrl::toPercentEncoding(service, ":") + "/proxy" + path;
}

QList<QByteArray> prometheusServiceQueries()
{
    QList<QByteArray> queries;
    for (const char *selector :
         {"app.kubernetes.io/name in "
          "(prometheus,kube-prometheus-stack-prometheus,prometheus-server,vmsingle,vmselect,thanos-query)",
          "operated-prometheus=true",
          "app in (prometheus,prometheus-server,kube-prometheus-stack-prometheus)"})
        queries << "/api/v1/services?limit=100&labelSelector=" +
                       QUrl::toPercentEncoding(QString::fromLatin1(selector));
    for (const char *name : {"prometheus-k8s", "prometheus-server", "prometheus", "prometheus-operated"})
        queries << "/api/v1/services?limit=100&fieldSelector=" +
                       QUrl::toPercentEncoding(QStringLiteral("metadata.name=") + QString::fromLatin1(name));
    return queries;
}

QList<ServiceCandidate> usualPrometheusPlaces()
{
    return {{QStringLiteral("monitoring"), QStringLiteral("http:prometheus-k8s:9090"), 0},
            {QStringLiteral("monitoring"), QStringLiteral("http:prometheus-operated:9090"), 1},
            {QStringLiteral("monitoring"), QStringLiteral("http:kube-prometheus-stack-prometheus:9090"), 2},
            {QStringLiteral("monitoring"), QStringLiteral("http:prometheus-server:80"), 3},
            {QStringLiteral("monitoring"), QStringLiteral("http:prometheus:9090"), 4},
            {QStringLiteral("prometheus"), QStringLiteral("http:prometheus-server:80"), 5},
            {QStringLiteral("kubesphere-monitoring-system"), QStringLiteral("http:prometheus-k8s:9090"), 6},
            {QStringLiteral("kube-system"), QStringLiteral("http:prometheus:9090"), 7}};
}

namespace {

/// Exporters, adapters and the operator carry Prometheus in their names as well.
int prometheusNameRank(const QString &name, bool operated)
{
    for (const char *part : {"operator", "node-exporter", "adapter", "pushgateway", "alertmanager",
                             "blackbox", "kube-state", "webhook", "grafana", "config"}) {
        if (name.contains(QLatin1String(part)))
            return 100;
    }
    if (name == QLatin1String("prometheus-k8s") || name == QLatin1String("prometheus-server") ||
        name == QLatin1String("prometheus"))
        return 0;
    if (name.endsWith(QLatin1String("prometheus")))
        return 10;
    return operated || name == QLatin1String("prometheus-operated") ? 20 : 30;
}

} // namespace

Result<QList<ServiceCandidate>> prometheusCandidates(const QByteArray &json)
{
    const ApiDocument document(json, QStringLiteral("ServiceList"));
    if (!document.isValid())
        return failure(document.error());
    QList<ServiceCandidate> candidates;
    document.root().at("items").forEach([&candidates](const ApiNode &item) {
        const ApiNode metadata = item.at("metadata");
        const QString name = metadata.at("name").text();
        const bool operated = metadata.at("labels").at("operated-prometheus").isThere();
        int bestRank = 1000;
        QString bestPort;
        QString scheme;
        item.at("spec").at("ports").forEach([&](const ApiNode &port) {
            const QString portName = port.at("name").text();
            const std::int64_t number = port.at("port").integer().value_or(0);
            if (number < 1 || number > 65535 || portName == QLatin1String("grpc") ||
                portName.contains(QLatin1String("reloader")))
                return;
            const bool usualName = portName == QLatin1String("web") ||
                                   portName == QLatin1String("http-web") || portName == QLatin1String("http");
            const int rank = number == 9090 ? 0 : usualName ? 1 : number == 80 ? 2 : 5;
            if (rank >= bestRank)
                return;
            bestRank = rank;
            bestPort = QString::number(number);
            scheme = portName.startsWith(QLatin1String("https")) || number == 443 ? QStringLiteral("https")
                                                                                  : QStringLiteral("http");
        });
        const int nameRank = prometheusNameRank(name, operated);
        if (!name.isEmpty() && bestRank < 1000 && nameRank < 100)
            candidates << ServiceCandidate{metadata.at("namespace").text(),
                                           scheme + u':' + name + u':' + bestPort, nameRank + bestRank};
    });
    std::stable_sort(candidates.begin(), candidates.end(),
                     [](const ServiceCandidate &a, const ServiceCandidate &b) { return a.rank < b.rank; });
    return candidates;
}

Result<QString> parsePrometheusBuildInfo(const QByteArray &json)
{
    const ApiDocument document(json, QString());
    const ApiNode root = document.root();
    if (!document.isValid() || root.at("status").text() != QLatin1String("success") ||
        !root.at("data").isObject()) {
        return failure({.code = ErrorCode::Protocol,
                        .text = QT_TRANSLATE_NOOP("Error", "What answers there is no Prometheus."),
                        .remedy = QT_TRANSLATE_NOOP(
                            "Error", "Give the address of your Prometheus in the connection's settings.")});
    }
    return root.at("data").at("version").text();
}

} // namespace tongchi
