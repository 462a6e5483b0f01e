#include "platform/inventory/connection_probe.h"

#include "platform/core/future_answer.h"
#include "platform/inventory/probe_worker.h"
#include "platform/metrics/prometheus_client.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

namespace tongchi {
namespace {

/// Number of objects of a collection from its first page; only metadata is asked for.
std::optional<qint64> countOf(const QByteArray &body)
{
    const QJsonObject list = QJsonDocument::fromJson(body).object();
    const QJsonObject metadata = list.value(QStringLiteral("metadata")).toObject();
    if (!list.contains(QStringLiteral("items")))
        return std::nullopt;
    const auto shown = qint64(list.value(QStringLiteral("items")).toArray().size());
    return shown + qint64(metadata.value(QStringLiteral("remainingItemCount")).toDouble(0));
}

constexpr const char *metadataOnly =
    "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json";

} // namespace

ConnectionProbe::ConnectionProbe(SessionOptions options, QObject *parent)
    : QObject(parent), m_worker(new ProbeWorker(std::move(options)))
{
    qRegisterMetaType<ProbeAnswer>();
    m_thread.setObjectName(QStringLiteral("connection test"));
    m_worker->moveToThread(&m_thread);
    connect(&m_thread, &QThread::finished, m_worker, &QObject::deleteLater);
    connect(m_worker, &ProbeWorker::answered, this, &ConnectionProbe::answered);
    connect(m_worker, &ProbeWorker::finished, this, &ConnectionProbe::finished);
    m_thread.start();
}

ConnectionProbe::~ConnectionProbe()
{
    m_thread.quit();
    m_thread.wait();
}

void ConnectionProbe::start()
{
    QMetaObject::invokeMethod(m_worker, &ProbeWorker::start);
}

ProbeWorker::ProbeWorker(SessionOptions options) : m_options(std::move(options)) {}

ProbeWorker::~ProbeWorker() = default;

void ProbeWorker::tell(ProbeAnswer answer, Monotonic asked)
{
    answer.elapsed = m_clock.monotonic() - asked;
    Q_EMIT answered(answer);
}

void ProbeWorker::start()
{
    Result<ConnectionSettings> connection = m_options.connect();
    if (!connection) {
        tell({.step = ProbeStep::Kubernetes, .error = connection.error()}, m_clock.monotonic());
        Q_EMIT finished();
        return;
    }
    m_client = std::make_unique<KubernetesClient>(*connection);
    askVersion();
}

void ProbeWorker::askVersion()
{
    const Monotonic asked = m_clock.monotonic();
    whenAnswered(m_client->version(), this, [this, asked](const Result<ServerVersion> &version) {
        ProbeAnswer answer{.step = ProbeStep::Kubernetes};
        if (!version) {
            answer.error = version.error();
            tell(answer, asked);
            Q_EMIT finished();
            return;
        }
        answer.version = version->gitVersion;
        tell(answer, asked);
        askCards();
    });
}

void ProbeWorker::askCards()
{
    const Monotonic asked = m_clock.monotonic();
    whenAnswered(m_client->getRaw("/api/v1/nodes?limit=1", metadataOnly), this,
                 [this, asked](const Result<ApiAnswer> &nodes) {
                     ProbeAnswer answer{.step = ProbeStep::Cards};
                     if (nodes)
                         answer.nodes = countOf(nodes->body);
                     else
                         answer.error = nodes.error();
                     whenAnswered(m_client->discovery(), this,
                                  [this, answer, asked](const Result<Discovery> &discovery) {
                                      if (discovery)
                                          m_discovery = *discovery;
                                      askSlices(answer, asked);
                                  });
                 });
}

void ProbeWorker::askSlices(ProbeAnswer answer, Monotonic asked)
{
    const Capabilities capabilities = capabilitiesOf(m_discovery);
    if (!capabilities.hasDra()) {
        tell(std::move(answer), asked);
        askEngines();
        return;
    }
    whenAnswered(m_client->getRaw("/apis/resource.k8s.io/" + capabilities.draVersion.toUtf8() +
                                      "/resourceslices?limit=1",
                                  metadataOnly),
                 this, [this, answer, asked](const Result<ApiAnswer> &slices) mutable {
                     if (slices)
                         answer.slices = countOf(slices->body);
                     tell(std::move(answer), asked);
                     askEngines();
                 });
}

void ProbeWorker::askEngines()
{
    const Capabilities capabilities = capabilitiesOf(m_discovery);
    ProbeAnswer answer{.step = ProbeStep::Engines};
    const auto note = [&answer](const char *name, const QString &version) {
        if (!version.isEmpty())
            answer.engines << QString::fromLatin1(name) + u' ' + version;
    };
    note("DRA", capabilities.draVersion);
    note("Kueue", capabilities.kueueVersion);
    note("KEDA", capabilities.kedaVersion);
    note("Volcano", capabilities.volcanoVersion);
    note("KServe", capabilities.kserveVersion);
    answer.unknownEngines = capabilities.unknownGroups;
    tell(answer, m_clock.monotonic());
    askPermission();
}

void ProbeWorker::askPermission()
{
    const Monotonic asked = m_clock.monotonic();
    const QList<AccessQuestion> questions{
        {.verb = QStringLiteral("list"), .group = {}, .resource = QStringLiteral("nodes")},
        {.verb = QStringLiteral("list"), .group = {}, .resource = QStringLiteral("pods")},
        {.verb = QStringLiteral("patch"), .group = {}, .resource = QStringLiteral("nodes")},
    };
    whenAnswered(
        m_client->accessReview(questions), this, [this, asked](const Result<QList<AccessAnswer>> &answers) {
            ProbeAnswer answer{.step = ProbeStep::Permission};
            if (!answers) {
                answer.error = answers.error();
            } else {
                for (const AccessAnswer &one : *answers) {
                    if (one.error) {
                        answer.error = one.error;
                        continue;
                    }
                    const bool nodes = one.question.resource == QLatin1String("nodes");
                    bool &right = !nodes                                       ? answer.mayListPods
                                  : one.question.verb == QLatin1String("list") ? answer.mayListNodes
                                                                               : answer.mayChangeNodes;
                    right = one.allowed;
                    if (!one.allowed)
                        answer.missingRights << one.question.verb + u' ' + one.question.resource;
                }
            }
            whenAnswered(m_client->whoAmI(), this,
                         [this, answer, asked](const Result<UserIdentity> &user) mutable {
                             if (user)
                                 answer.user = user->name;
                             tell(std::move(answer), asked);
                             askMetrics();
                         });
        });
}

void ProbeWorker::askMetrics()
{
    const Monotonic asked = m_clock.monotonic();
    if (m_options.connectMetrics) {
        Result<ConnectionSettings> connection = m_options.connectMetrics();
        if (!connection) {
            tell({.step = ProbeStep::Metrics, .error = connection.error()}, asked);
            Q_EMIT finished();
            return;
        }
        m_metricsHttp = std::make_unique<HttpClient>(*connection);
        askBuild(m_metricsHttp.get(), {}, m_options.metricsAddress, asked);
        return;
    }
    whenAnswered(m_client->findPrometheus(), this, [this, asked](const Result<PrometheusService> &found) {
        if (!found) {
            tell({.step = ProbeStep::Metrics, .error = found.error()}, asked);
            Q_EMIT finished();
            return;
        }
        askBuild(&m_client->http(), found->pathPrefix(), found->nameSpace + u'/' + found->service, asked);
    });
}

void ProbeWorker::askBuild(HttpClient *http, const QByteArray &basePath, const QString &via, Monotonic asked)
{
    m_prometheus = std::make_unique<PrometheusClient>(http, basePath, QStringLiteral("Prometheus"), &m_clock);
    whenAnswered(m_prometheus->buildInfo(), this, [this, via, asked](const Result<PrometheusBuild> &build) {
        ProbeAnswer answer{.step = ProbeStep::Metrics, .via = via};
        if (build)
            answer.version = build->version;
        else
            answer.error = build.error();
        answer.clockSkew = m_prometheus->clockSkew();
        tell(std::move(answer), asked);
        Q_EMIT finished();
    });
}

} // namespace tongchi
