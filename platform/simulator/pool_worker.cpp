#include "platform/simulator/pool_worker.h"

#include "platform/simulator/api_server.h"
#include "platform/simulator/certificate_authority.h"
#include "platform/simulator/fault_schedule.h"

#include <QSslCertificate>
#include <QSslKey>
#include <QtCore/qcoreapplication.h>
#include <future>

namespace tongchi::simulator {

namespace {

constexpr std::chrono::seconds fleetInterval{1};
constexpr std::chrono::milliseconds defaultLimitTime{2000};

QSslConfiguration serverConfiguration(const QByteArray &certificatePem, const QByteArray &keyPem)
{
    QSslConfiguration tls = QSslConfiguration::defaultConfiguration();
    tls.setLocalCertificate(QSslCertificate(certificatePem, QSsl::Pem));
    tls.setPrivateKey(QSslKey(keyPem, QSsl::Ec, QSsl::Pem));
    tls.setPeerVerifyMode(QSslSocket::VerifyNone); // clients show tokens
    tls.setProtocol(QSsl::TlsV1_2OrLater);
    tls.setAllowedNextProtocols({QByteArrayLiteral("http/1.1")});
    return tls;
}

} // namespace

PoolWorker::PoolWorker(PoolOptions options, PoolSourceFactory factory)
    : m_options(std::move(options)), m_factory(std::move(factory)), m_clock(m_options.speed), m_timer(this)
{
    m_fleetThread.setMaxThreadCount(1);
}

PoolWorker::~PoolWorker()
{
    m_fleetThread.waitForDone();
    for (Cluster &cluster : m_clusters)
        cluster.http.reset();
}

void PoolWorker::start()
{
    auto identity = std::async(std::launch::async, makeServerIdentity);
    m_sources = m_factory(m_options, m_clock);
    if (!m_sources.fleet || m_sources.fleet->clusters().isEmpty()) {
        Q_EMIT failed({.code = ErrorCode::Invalid,
                       .text = QT_TRANSLATE_NOOP("Error", "The embedded pool has no clusters."),
                       .remedy = QT_TRANSLATE_NOOP("Error", "Ask for at least one cluster and one card.")});
        return;
    }
    Result<std::vector<ScheduledFault>> faults = readFaultSchedule(m_options.faultPlan);
    if (!faults) {
        Q_EMIT failed(faults.error());
        return;
    }
    for (const ScheduledFault &fault : *faults) {
        const QStringList names = m_sources.fleet->clusters();
        if (!fault.cluster.isEmpty() && !names.contains(fault.cluster)) {
            Q_EMIT failed(
                {.code = ErrorCode::Invalid,
                 .text = QT_TRANSLATE_NOOP("Error", "The fault plan names a cluster that the pool does not "
                                                    "have: %1."),
                 .arguments = {fault.cluster, names.join(QStringLiteral(", "))},
                 .remedy = QT_TRANSLATE_NOOP("Error", "Choose one of: %2; or leave cluster out for all."),
                 .subject = m_options.faultPlan});
            return;
        }
    }
    loadClusters();
    const ServerIdentity server = identity.get();
    if (server.keyPem.isEmpty()) {
        Q_EMIT failed(
            {.code = ErrorCode::Tls,
             .text = QT_TRANSLATE_NOOP("Error", "The embedded pool could not make its certificate."),
             .remedy =
                 QT_TRANSLATE_NOOP("Error", "Check that OpenSSL's random generator and P-256 work here.")});
        return;
    }
    m_info.authorityPem = server.authorityPem;
    for (Cluster &cluster : m_clusters)
        cluster.api->store().furnish(server.authorityPem);
    if (Status listening = listen(server.certificatePem, server.keyPem); !listening) {
        Q_EMIT failed(listening.error());
        return;
    }
    connect(&m_timer, &QTimer::timeout, this, &PoolWorker::tick);
    m_timer.start(fleetInterval);
    for (const ScheduledFault &fault : *faults) {
        QTimer::singleShot(fault.at, this, [this, fault] { injectFault(fault.what, fault.cluster); });
    }
    fillInfo();
    Q_EMIT started(m_info);
}

void PoolWorker::loadClusters()
{
    const QStringList names = m_sources.fleet->clusters();
    std::vector<std::future<void>> loading;
    for (int i = 0; i < names.size(); ++i) {
        Cluster cluster;
        cluster.name = names.at(i);
        cluster.api = std::make_unique<ApiServer>(i, m_clock, m_sources.metrics);
        ClusterStore *store = &cluster.api->store();
        m_clusters.push_back(std::move(cluster));
        loading.push_back(
            std::async(std::launch::async, [store, fleet = m_sources.fleet, i] { store->load(*fleet, i); }));
    }
    for (std::future<void> &each : loading)
        each.get();
}

Status PoolWorker::listen(const QByteArray &certificatePem, const QByteArray &keyPem)
{
    const QSslConfiguration tls = serverConfiguration(certificatePem, keyPem);
    quint16 next = m_options.port;
    for (Cluster &cluster : m_clusters) {
        ApiServer *api = cluster.api.get();
        cluster.http = std::make_unique<HttpServer>(
            [api](const HttpExchangePointer &exchange) { api->handle(exchange); });
        cluster.http->setTls(tls);
        cluster.http->setLimits(ApiServer::limits());
        if (Status listening = cluster.http->listen(next); !listening)
            return listening;
        cluster.port = cluster.http->port();
        next = next > 0 ? quint16(next + 1) : quint16(0);
    }
    if (!m_sources.metrics)
        return {};
    m_prometheus = std::make_unique<HttpServer>(
        [this](const HttpExchangePointer &exchange) { handlePrometheus(exchange); });
    return m_prometheus->listen(next);
}

/// "/clusters/NAME/api/v1/query" for a cluster by name, "/api/v1/query" for the first.
void PoolWorker::handlePrometheus(const HttpExchangePointer &exchange)
{
    const QByteArray &path = exchange->request().path;
    if (path.startsWith("/clusters/")) {
        const qsizetype end = path.indexOf('/', 10);
        const QByteArray name = end < 0 ? path.mid(10) : path.mid(10, end - 10);
        for (const Cluster &cluster : m_clusters) {
            if (cluster.name.toUtf8() == QByteArray::fromPercentEncoding(name)) {
                cluster.api->handleMetrics(exchange, end < 0 ? QByteArray("/") : path.mid(end), false);
                return;
            }
        }
        exchange->answer(textAnswer("404 page not found\n", 404));
        return;
    }
    m_clusters.front().api->handleMetrics(exchange, path, false);
}

void PoolWorker::fillInfo()
{
    m_info.clusters.clear();
    const QString plain =
        m_prometheus ? QStringLiteral("http://127.0.0.1:%1").arg(m_prometheus->port()) : QString();
    for (const Cluster &cluster : m_clusters) {
        const ClusterTokens &tokens = cluster.api->access().tokens();
        m_info.clusters.append(
            {cluster.name, QStringLiteral("https://127.0.0.1:%1").arg(cluster.port),
             m_prometheus ? QString(plain + QStringLiteral("/clusters/") + cluster.name) : QString(),
             tokens.administrator, tokens.viewer, tokens.refused, tokens.stranger});
    }
    m_info.prometheus = plain;
}

void PoolWorker::tick()
{
    if (m_advancing)
        return; // a slow fleet skips seconds rather than falling behind
    m_advancing = true;
    m_fleetThread.start([this, fleet = m_sources.fleet, count = m_clusters.size(), now = m_clock.now()] {
        auto changes = std::make_shared<std::vector<std::vector<ObjectChange>>>();
        for (std::size_t i = 0; i < count; ++i)
            changes->push_back(fleet->advance(int(i), now));
        QMetaObject::invokeMethod(
            this,
            [this, changes] {
                m_advancing = false;
                for (std::size_t i = 0; i < changes->size() && i < m_clusters.size(); ++i)
                    m_clusters[i].api->store().apply(std::move((*changes)[i]));
            },
            Qt::QueuedConnection);
    });
}

void PoolWorker::injectFault(const InjectedFault &fault, const QString &cluster)
{
    for (Cluster &each : m_clusters) {
        if (cluster.isEmpty() || each.name == cluster)
            applyFault(fault, each);
    }
}

void PoolWorker::applyFault(const InjectedFault &fault, Cluster &cluster)
{
    const std::chrono::milliseconds duration = fault.duration;
    switch (fault.fault) {
    case PoolFault::Restart:
        cluster.http->dropConnections();
        cluster.api->expireHistory();
        break;
    case PoolFault::Compact:
        cluster.api->expireHistory();
        break;
    case PoolFault::HalfOpen:
    case PoolFault::Delay:
    case PoolFault::Drip:
    case PoolFault::Cut:
    case PoolFault::Reset:
    case PoolFault::CorruptChunk:
        cluster.http->injectFault(fault);
        break;
    case PoolFault::TooManyRequests:
        cluster.api->limitUntil(
            std::chrono::steady_clock::now() + (duration.count() > 0 ? duration : defaultLimitTime), 1);
        break;
    case PoolFault::ExpiredToken:
        if (duration.count() > 0) {
            cluster.api->access().setExpired(true);
            QTimer::singleShot(duration, cluster.api.get(),
                               [api = cluster.api.get()] { api->access().setExpired(false); });
            break;
        }
        cluster.api->access().renewTokens();
        fillInfo();
        Q_EMIT tokensChanged(m_info);
        break;
    case PoolFault::Dead:
        cluster.http->close();
        cluster.http->dropConnections();
        if (duration.count() > 0)
            QTimer::singleShot(duration, this, [this, name = cluster.name] {
                injectFault({.fault = PoolFault::Alive}, name);
            });
        break;
    case PoolFault::Alive:
        cluster.http->injectFault(fault);
        // The port was ours a moment ago; should somebody have taken it, the cluster stays dead.
        if (!cluster.http->isListening() && cluster.http->listen(cluster.port))
            cluster.api->expireHistory();
        break;
    }
}

} // namespace tongchi::simulator
