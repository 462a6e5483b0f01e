#include "platform/inventory/cluster_worker.h"

#include "platform/core/future_answer.h"
#include "platform/http/http_client.h"
#include "platform/http/stream_client.h"
#include "platform/inventory/metrics_poller.h"
#include "platform/inventory/resolved_pod.h"
#include "platform/kubernetes/ascend_info_parser.h"
#include "platform/kubernetes/node_parser.h"
#include "platform/kubernetes/reflector.h"
#include "platform/kubernetes/resource_claim_parser.h"
#include "platform/kubernetes/resource_slice_parser.h"

#include <QtCore/qcoreapplication.h>
#include <algorithm>

namespace tongchi {
namespace {

/// What is read within so long after the start is only put together once everything is there: a large pool's
/// lists take about a second, and its nodes would be applied without their pods and then again with them.
constexpr std::chrono::milliseconds gatheringTime{1'000};
/// Of a Prometheus, which are some requests each, however often the operator refreshes.
constexpr std::chrono::milliseconds betweenSearches{1'000};

/// What has failed so many times in a row is asked again after 2, 4, 8, ... seconds, a minute at most.
std::chrono::seconds laterAfter(int failures)
{
    return std::min(std::chrono::seconds(60), std::chrono::seconds(1 << std::min(failures, 6)));
}

} // namespace

ClusterWorker::ClusterWorker(quint32 clusterId, SessionOptions options, SessionEnvironment environment)
    : m_clusterId(clusterId), m_options(std::move(options)), m_environment(environment),
      m_pulse(*environment.clock, m_options.pulse, [this] { askForAWord(); }), m_flushTimer(this),
      m_discoveryTimer(this)
{
    m_reading.setObjectName(QStringLiteral("lists ") + m_options.name);
    m_reading.setMaxThreadCount(1);
    m_discoveryTimer.setSingleShot(true);
    connect(&m_discoveryTimer, &QTimer::timeout, this, &ClusterWorker::startDiscovery);
    m_flushTimer.setInterval(m_options.flushInterval);
    connect(&m_flushTimer, &QTimer::timeout, this, &ClusterWorker::flush);
}

ClusterWorker::~ClusterWorker()
{
    stop();
}

void ClusterWorker::start()
{
    if (m_running)
        return;
    m_running = true;
    m_restart = true;
    m_ahead = 0;
    m_started = m_environment.clock->monotonic();
    m_pulse.reset();
    m_status = {};
    m_status.name = m_options.name;
    m_status.simulated = m_options.simulated;
    m_metricsStatus = {.state = SourceState::Connecting};
    m_assembler =
        std::make_unique<CardAssembler>(*m_environment.strings, *m_environment.devices, *m_environment.clock);
    m_assembler->onState(
        [this](std::string_view resource, const WatchState &state) { noticeState(resource, state); });
    m_flushTimer.start();
    connectCluster();
    flush();
}

void ClusterWorker::stop()
{
    ++m_generation;
    m_running = false;
    m_flushTimer.stop();
    m_reflectors.clear();
    m_poller.reset();
    m_metricsHttp.reset();
    m_kubernetes.reset();
    m_streams.reset();
    m_assembler.reset();
    m_nodes = m_pods = m_slices = m_claims = m_deviceInfo = {};
    m_slicesWatched = m_deviceInfoWatched = m_discoverySettled = false;
    m_discovering = m_discoveryDue = false;
    m_discoveryFailures = m_metricsFailures = 0;
    m_discoveryTimer.stop();
    m_metricsStarted = m_telemetryUnsent = m_telemetryComplete = false;
    m_connectError.reset();
    m_past.clear();
}

void ClusterWorker::refresh()
{
    if (!m_running)
        return;
    if (!m_kubernetes) {
        connectCluster();
        return;
    }
    for (const auto &reflector : m_reflectors)
        reflector->refreshNow();
    if (m_poller) {
        m_poller->refresh();
    } else if (m_metricsStarted && m_metricsStatus.state != SourceState::Connecting &&
               m_environment.clock->monotonic() - m_metricsSought >= betweenSearches) {
        m_metricsStarted = false; // looked for again
        startMetrics();
    }
}

void ClusterWorker::acknowledge()
{
    m_ahead = std::max(0, m_ahead - 1);
    // While lists are read only the timer sends: a node whose pods are still coming would be put together and
    // applied again and again.
    if (m_running && m_assembler && objectsSettled() &&
        (m_assembler->hasChanges() || m_telemetryUnsent || !m_past.empty()))
        flush();
}

void ClusterWorker::failConnection(const Error &error)
{
    m_connectError = error;
    m_statusDirty = true;
}

void ClusterWorker::connectCluster()
{
    m_connectError.reset();
    Result<ConnectionSettings> connection = m_options.connect();
    if (!connection) {
        failConnection(connection.error());
        return;
    }
    m_status.server = displayUrl(connection->server);
    m_streams = std::make_unique<StreamClient>(*connection);
    m_kubernetes = std::make_unique<KubernetesClient>(*connection);
    startReflectors();
    startDiscovery();
}

ListExecutor ClusterWorker::readingThread()
{
    return [this](std::function<void()> task) { m_reading.start(std::move(task)); };
}

void ClusterWorker::startReflectors()
{
    const auto options = [this](const char *path, const QString &subject) {
        ReflectorOptions reflector = m_options.reflector;
        reflector.path = path;
        reflector.subject = subject + QStringLiteral(" of ") + m_options.name;
        reflector.clock = m_environment.clock;
        reflector.executor = readingThread();
        return reflector;
    };
    ReflectorOptions nodes = options("/api/v1/nodes", QStringLiteral("nodes"));
    nodes.watchSilence = m_options.nodesSilence;
    m_reflectors.push_back(std::make_unique<Reflector<NodeRecord>>(
        nodes, m_streams.get(), std::make_unique<NodeParser>(), &m_assembler->nodes()));
    m_reflectors.push_back(std::make_unique<Reflector<ResolvedPod>>(
        options("/api/v1/pods", QStringLiteral("pods")), m_streams.get(),
        std::make_unique<ResolvingPodParser>(*m_environment.strings, *m_environment.devices),
        &m_assembler->resolvedPods()));
    for (const auto &reflector : m_reflectors)
        reflector->start();
}

void ClusterWorker::startDiscovery()
{
    m_discoveryTimer.stop();
    m_discoveryDue = false;
    if (m_discovering)
        return;
    m_discovering = true;
    const quint64 generation = m_generation;
    const Monotonic asked = m_environment.clock->monotonic();
    whenAnswered(m_kubernetes->version(), this,
                 [this, generation, asked](const Result<ServerVersion> &version) {
                     if (generation != m_generation)
                         return;
                     m_latency = m_environment.clock->monotonic() - asked;
                     if (version) {
                         m_version = version->gitVersion;
                         m_status.simulated = m_options.simulated || version->simulated;
                     }
                     m_statusDirty = true;
                 });
    whenAnswered(m_kubernetes->whoAmI(), this, [this, generation](const Result<UserIdentity> &user) {
        if (generation == m_generation && user)
            Q_EMIT userKnown(user->name);
    });
    whenAnswered(m_kubernetes->discovery(), this, [this, generation](const Result<Discovery> &discovery) {
        if (generation != m_generation)
            return;
        m_discovering = false;
        if (discovery) {
            m_discoveryFailures = 0;
            discovered(*discovery);
        } else {
            discoveryFailed(discovery.error());
        }
        m_statusDirty = true;
        if (objectsSettled())
            startMetrics();
    });
}

// Without the groups, the cards of resource slices would be missing without a word: asked again until there
// is an answer. A server that has nodes but again and again no groups is taken as it is, so that the rest is
// shown.
void ClusterWorker::discoveryFailed(const Error &error)
{
    constexpr int patient = 3;
    ++m_discoveryFailures;
    m_discoverySettled =
        m_discoverySettled || isFinal(error) || (m_nodes.complete && m_discoveryFailures >= patient);
    m_discoveryTimer.start(laterAfter(m_discoveryFailures));
}

void ClusterWorker::discovered(const Discovery &discovery)
{
    const Capabilities capabilities = capabilitiesOf(discovery);
    m_discoverySettled = true;
    ReflectorOptions options = m_options.reflector;
    options.clock = m_environment.clock;
    options.executor = readingThread();
    const std::size_t first = m_reflectors.size();
    if (capabilities.hasDra() && !m_slicesWatched) {
        m_slicesWatched = true;
        const QByteArray base = "/apis/resource.k8s.io/" + capabilities.draVersion.toUtf8();
        options.path = base + "/resourceslices";
        options.subject = QStringLiteral("resource slices of ") + m_options.name;
        m_reflectors.push_back(std::make_unique<Reflector<ResourceSliceRecord>>(
            options, m_streams.get(), std::make_unique<ResourceSliceParser>(), &m_assembler->slices()));
        options.path = base + "/resourceclaims";
        options.subject = QStringLiteral("resource claims of ") + m_options.name;
        m_reflectors.push_back(std::make_unique<Reflector<ResourceClaimRecord>>(
            options, m_streams.get(), std::make_unique<ResourceClaimParser>(), &m_assembler->claims()));
    }
    if (!m_deviceInfoWatched) {
        // Ascend's device plugin keeps the health of its cards in ConfigMaps of this label.
        m_deviceInfoWatched = true;
        options.path = "/api/v1/configmaps?labelSelector=mx-consumer-cim%3Dtrue";
        options.subject = QStringLiteral("Ascend device information of ") + m_options.name;
        m_reflectors.push_back(std::make_unique<Reflector<AscendDeviceInfoRecord>>(
            options, m_streams.get(), std::make_unique<AscendInfoParser>(), &m_assembler->deviceInfo()));
    }
    for (std::size_t i = first; i < m_reflectors.size(); ++i)
        m_reflectors[i]->start();
}

void ClusterWorker::askForAWord()
{
    HttpRequest request;
    request.path = "/version"; // open to everybody, and costs the server nothing
    request.timeout = m_options.pulse.limit;
    whenAnswered(m_kubernetes->http().send(request), this,
                 [this, generation = m_generation](const Result<HttpResponse> &response) {
                     if (generation != m_generation)
                         return;
                     const bool wasSilent = m_pulse.error().has_value();
                     if (response) {
                         m_pulse.answered(response->status == 401 ? ServerPulse::Answer::Refused
                                                                  : ServerPulse::Answer::Word);
                     } else {
                         const ErrorCode code = response.error().code;
                         const bool none = code == ErrorCode::Timeout || code == ErrorCode::Network;
                         m_pulse.answered(none ? ServerPulse::Answer::None : ServerPulse::Answer::Refused,
                                          response.error());
                     }
                     if (wasSilent == m_pulse.error().has_value())
                         return;
                     m_statusDirty = true;
                     if (!wasSilent)
                         return;
                     for (const auto &reflector : m_reflectors)
                         reflector->refreshNow();
                 });
}

void ClusterWorker::noticeState(std::string_view resource, const WatchState &state)
{
    WatchState &kept = resource == "nodes"            ? m_nodes
                       : resource == "pods"           ? m_pods
                       : resource == "resourceslices" ? m_slices
                       : resource == "resourceclaims" ? m_claims
                                                      : m_deviceInfo;
    if (state.lastHeard && state.lastHeard != kept.lastHeard) {
        // Told a little later; a wall clock that was moved meanwhile says nothing.
        const auto ago = m_environment.clock->now() - *state.lastHeard;
        m_pulse.heard(ago > std::chrono::milliseconds(0) && ago < std::chrono::seconds(10)
                          ? ago
                          : std::chrono::milliseconds(0));
    }
    kept = state;
    m_statusDirty = true;
    if (resource == "nodes") {
        // Whoever comes back after a silence may be another version, with other groups.
        m_discoveryDue = m_discoveryDue || state.phase == WatchPhase::Waiting;
        if (m_discoveryDue && state.phase == WatchPhase::Watching)
            QMetaObject::invokeMethod(this, &ClusterWorker::discoverAgain, Qt::QueuedConnection);
    }
    if (objectsSettled()) { // queued: not from within a sink's call
        if (!m_metricsStarted)
            QMetaObject::invokeMethod(this, &ClusterWorker::startMetrics, Qt::QueuedConnection);
        if (!m_status.complete) // the last of it need not wait for the timer
            QMetaObject::invokeMethod(this, &ClusterWorker::flush, Qt::QueuedConnection);
    }
}

void ClusterWorker::discoverAgain()
{
    if (m_running && m_kubernetes && m_discoveryDue)
        startDiscovery();
}

bool ClusterWorker::objectsSettled() const
{
    return m_running && m_discoverySettled && hasSettled(m_nodes) && hasSettled(m_pods) &&
           (!m_slicesWatched || (hasSettled(m_slices) && hasSettled(m_claims))) &&
           (!m_deviceInfoWatched || hasSettled(m_deviceInfo) || m_deviceInfo.phase == WatchPhase::Waiting);
}

void ClusterWorker::startMetrics()
{
    if (m_metricsStarted || !objectsSettled())
        return;
    m_metricsStarted = true;
    m_metricsSought = m_environment.clock->monotonic();
    m_metricsStatus = {.state = SourceState::Connecting};
    if (m_options.connectMetrics) {
        Result<ConnectionSettings> connection = m_options.connectMetrics();
        if (!connection) {
            metricsMissing(connection.error());
            return;
        }
        m_metricsHttp = std::make_unique<HttpClient>(*connection);
        useMetrics(m_metricsHttp.get(), {}, m_options.metricsAddress);
        return;
    }
    const quint64 generation = m_generation;
    whenAnswered(m_kubernetes->findPrometheus(), this,
                 [this, generation](const Result<PrometheusService> &found) {
                     if (generation != m_generation)
                         return;
                     if (!found) {
                         metricsMissing(found.error());
                         return;
                     }
                     useMetrics(&m_kubernetes->http(), found->pathPrefix(),
                                QStringLiteral("service proxy ") + found->nameSpace + u'/' + found->service);
                 });
}

void ClusterWorker::metricsMissing(const Error &error)
{
    m_metricsStatus.state = error.code == ErrorCode::NotFound    ? SourceState::Missing
                            : error.code == ErrorCode::Forbidden ? SourceState::Forbidden
                                                                 : SourceState::Failed;
    m_metricsStatus.error = error;
    m_statusDirty = true;
    // Looked for again: the way there may have been bad just then, or it comes up while the console runs.
    QTimer::singleShot(laterAfter(++m_metricsFailures), this, [this, generation = m_generation] {
        if (generation == m_generation && !m_poller) {
            m_metricsStarted = false;
            startMetrics();
        }
    });
}

void ClusterWorker::useMetrics(HttpClient *http, const QByteArray &basePath, const QString &via)
{
    m_metricsVia = via;
    m_poller = std::make_unique<MetricsPoller>(
        http, basePath, m_options.name, m_environment, m_assembler.get(),
        MetricsPoller::Options{.interval = m_options.metricsInterval, .timeout = m_options.metricsTimeout},
        MetricsPoller::Callbacks{
            .polled = [this](TelemetryResult &result, bool whole) { polled(result, whole); },
            .past =
                [this](std::vector<TelemetryRecord> records) {
                    m_past.push_back(std::move(records));
                    flush();
                },
            .statusChanged =
                [this] {
                    m_statusDirty = true;
                    flush();
                },
        });
    m_poller->start();
}

void ClusterWorker::readHour(std::uint32_t ordinal,
                             std::function<void(Result<std::vector<TelemetryRecord>>)> done)
{
    if (m_poller)
        m_poller->readHour(ordinal, std::move(done));
    else
        done(failure({.code = ErrorCode::NotFound,
                      .text = QT_TRANSLATE_NOOP("Error", "This cluster has no Prometheus to ask."),
                      .remedy = QT_TRANSLATE_NOOP("Error", "Look at its state in Connections."),
                      .subject = m_options.name}));
}

void ClusterWorker::polled(TelemetryResult &result, bool whole)
{
    m_assembler->beginAttachments();
    for (const PodAttachment &pod : result.pods) {
        const std::string_view name = m_environment.strings->utf8(pod.pod);
        const auto slash = name.find('/');
        if (slash != std::string_view::npos)
            m_assembler->attachFromTelemetry(pod.ordinal, name.substr(0, slash), name.substr(slash + 1));
    }
    if (whole)
        m_assembler->endAttachments(); // a missing answer is no answer: nobody is taken off a card by it
    m_telemetry.swap(result.records);
    m_telemetryUnsent = true;
    m_telemetrySent = 0;
}

void ClusterWorker::flush()
{
    if (!m_running || !m_assembler)
        return;
    if (m_kubernetes && m_nodes.phase == WatchPhase::Watching)
        m_pulse.check();
    const bool gathering = !objectsSettled() && m_environment.clock->monotonic() - m_started < gatheringTime;
    while (m_ahead < m_options.deltasAhead) {
        InventoryDelta delta;
        bool worthwhile = m_restart;
        if (!gathering && m_assembler->hasChanges()) {
            if (auto taken = m_assembler->takeDelta(m_options.nodesPerDelta)) {
                delta = std::move(*taken);
                worthwhile = true;
                m_statusDirty = m_statusDirty || !m_status.complete;
            }
        }
        if (m_telemetryUnsent && !m_assembler->hasChanges()) {
            const std::size_t end = std::min(m_telemetry.size(), m_telemetrySent + m_options.recordsPerDelta);
            delta.telemetry.assign(m_telemetry.begin() + std::ptrdiff_t(m_telemetrySent),
                                   m_telemetry.begin() + std::ptrdiff_t(end));
            m_telemetrySent = end;
            m_telemetryUnsent = end < m_telemetry.size();
            m_statusDirty = m_statusDirty || !m_telemetryUnsent;
            worthwhile = true;
        } else if (!worthwhile && !m_past.empty()) { // what is now goes first
            std::vector<TelemetryRecord> &records = m_past.front();
            const auto from =
                records.end() - std::ptrdiff_t(std::min(records.size(), m_options.recordsPerDelta));
            delta.past.assign(from, records.end());
            records.erase(from, records.end());
            if (records.empty())
                m_past.pop_front();
            worthwhile = true;
        }
        delta.status = statusIfChanged();
        if (!worthwhile && !delta.status)
            return;
        delta.clusterId = m_clusterId;
        delta.restart = m_restart;
        m_restart = false;
        ++m_ahead;
        Q_EMIT deltaReady(std::make_shared<const InventoryDelta>(std::move(delta)));
    }
}

} // namespace tongchi
