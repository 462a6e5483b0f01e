// What ClusterWorker says of itself: the status that travels with the deltas.

#include "platform/inventory/cluster_worker.h"
#include "platform/inventory/metrics_poller.h"

#include <algorithm>

namespace tongchi {

bool hasSettled(const WatchState &watch)
{
    return watch.complete || watch.phase == WatchPhase::Forbidden || watch.phase == WatchPhase::Missing;
}

bool isFinal(const Error &error)
{
    switch (error.code) {
    case ErrorCode::Tls:
    case ErrorCode::Unauthorized:
    case ErrorCode::Forbidden:
    case ErrorCode::NotFound:
    case ErrorCode::Invalid:
    case ErrorCode::NotSupported:
    case ErrorCode::Storage:
    case ErrorCode::NeedsConsent:
        return true;
    case ErrorCode::Network:
    case ErrorCode::Timeout:
    case ErrorCode::Cancelled:
    case ErrorCode::Conflict:
    case ErrorCode::Gone:
    case ErrorCode::RateLimited:
    case ErrorCode::Server:
    case ErrorCode::Protocol: // damaged on its way, perhaps
        return false;
    }
    return false;
}

bool ClusterStatus::isHeldKnown() const
{
    return complete && std::none_of(denied.begin(), denied.end(), [](const DeniedPart &part) {
               return part.resource == QLatin1String("pods");
           });
}

SourceStatus ClusterWorker::metricsStatus() const
{
    if (!m_poller)
        return m_metricsStatus;
    SourceStatus status = m_poller->status();
    if (status.state == SourceState::Live && status.lastHeard &&
        m_environment.clock->now() - *status.lastHeard > 3 * m_options.metricsInterval)
        status.state = SourceState::Late;
    return status;
}

SourceStatus ClusterWorker::kubernetesStatus(const WatchState &watch, std::chrono::milliseconds silence) const
{
    SourceStatus status;
    const Instant now = m_environment.clock->now();
    status.lastHeard = std::max(watch.lastHeard, m_pulse.lastHeard());
    if (status.lastHeard && *status.lastHeard > now) // our wall clock was put back
        status.lastHeard = now - m_pulse.silence();
    status.error = watch.error;
    status.nextTry = watch.nextTry;
    status.objects = watch.objects;
    status.expected = watch.expected;
    switch (watch.phase) {
    case WatchPhase::Idle:
        status.state = SourceState::Connecting;
        break;
    case WatchPhase::Listing:
        status.state = watch.complete ? SourceState::Late : SourceState::Connecting;
        break;
    case WatchPhase::Watching:
        // When it is silent it is begun anew, and the server has had a moment to answer.
        status.state =
            watch.lastHeard && now - *watch.lastHeard > silence + std::min<std::chrono::milliseconds>(
                                                                      std::chrono::seconds(5), silence)
                ? SourceState::Late
                : SourceState::Live;
        if (m_pulse.error()) {
            status.state = m_pulse.silence() < m_options.lostAfter ? SourceState::Late : SourceState::Lost;
            status.error = m_pulse.error();
        }
        break;
    case WatchPhase::Forbidden:
        status.state = SourceState::Forbidden;
        break;
    case WatchPhase::Missing:
        status.state = SourceState::Missing;
        break;
    case WatchPhase::Waiting:
        if (watch.complete) {
            status.state = status.lastHeard && now - *status.lastHeard < m_options.lostAfter
                               ? SourceState::Late
                               : SourceState::Lost;
        } else {
            const bool outOfPatience = m_environment.clock->monotonic() - m_started > m_options.patience;
            status.state = watch.error && (isFinal(*watch.error) || outOfPatience) ? SourceState::Failed
                                                                                   : SourceState::Connecting;
        }
        break;
    }
    return status;
}

std::shared_ptr<const ClusterStatus> ClusterWorker::statusIfChanged()
{
    const Monotonic now = m_environment.clock->monotonic();
    const bool due = !m_statusSent || now - *m_statusSent >= std::chrono::seconds(1);
    if (!m_statusDirty && !due)
        return nullptr;
    ClusterStatus status = m_status;
    status.kubernetesVersion = m_version;
    status.kubernetes = kubernetesStatus(m_nodes, m_options.nodesSilence);
    status.kubernetes.latency = m_latency;
    status.kubernetes.unreadable = m_assembler->unreadableNodes().count;
    if (m_connectError) {
        status.kubernetes.state = SourceState::Failed;
        status.kubernetes.error = m_connectError;
    }
    if (status.kubernetes.state == SourceState::Live && m_slicesWatched &&
        m_slices.phase == WatchPhase::Waiting)
        status.kubernetes.state = SourceState::Late;
    status.pods = kubernetesStatus(m_pods, m_options.reflector.watchSilence);
    status.pods.unreadable = m_assembler->unreadablePods().count;
    const std::pair<const char *, const WatchState &> parts[] = {{"nodes", m_nodes},
                                                                 {"pods", m_pods},
                                                                 {"resourceslices", m_slices},
                                                                 {"resourceclaims", m_claims},
                                                                 {"configmaps", m_deviceInfo}};
    for (const auto &[resource, watch] : parts) {
        if (watch.phase == WatchPhase::Forbidden && watch.error)
            status.denied << DeniedPart{QString::fromLatin1(resource), *watch.error};
    }
    status.metrics = metricsStatus();
    status.metricsVia = m_metricsVia;
    // Whole only once everything that was read is on its way.
    status.complete = m_status.complete || (objectsSettled() && !m_assembler->hasChanges());
    status.telemetryComplete =
        m_telemetryComplete || (status.metrics.lastHeard && !m_telemetryUnsent && status.complete);
    status.historyComplete = m_poller ? m_poller->isHistoryDone() && m_past.empty()
                                      : status.metrics.state != SourceState::Connecting;
    if (!status.complete) {
        QStringList open;
        const auto note = [&open](bool asked, const WatchState &watch, const char *what) {
            if (asked && !hasSettled(watch))
                open << QString::fromLatin1(what);
        };
        if (!m_discoverySettled)
            open << QStringLiteral("API groups");
        note(true, m_nodes, "nodes");
        note(true, m_pods, "pods");
        note(m_slicesWatched, m_slices, "resource slices");
        note(m_slicesWatched, m_claims, "resource claims");
        note(m_deviceInfoWatched, m_deviceInfo, "Ascend device information");
        status.notes << QStringLiteral("still reading: %1")
                            .arg(open.isEmpty() ? QStringLiteral("cards") : open.join(QStringLiteral(", ")));
    }
    for (const UnreadableObject &object : m_assembler->unreadableNodes().objects)
        status.notes << QStringLiteral("node %1 could not be read: %2")
                            .arg(QString::fromStdString(object.key.name),
                                 QString::fromStdString(object.reason));
    for (const UnreadableObject &object : m_assembler->unreadablePods().objects)
        status.notes << QStringLiteral("pod %1/%2 could not be read: %3")
                            .arg(QString::fromStdString(object.key.nameSpace),
                                 QString::fromStdString(object.key.name),
                                 QString::fromStdString(object.reason));
    if (m_poller)
        status.notes << m_poller->notes();
    m_telemetryComplete = status.telemetryComplete;
    m_status.complete = status.complete;
    m_statusDirty = false;
    m_statusSent = now;
    return std::make_shared<const ClusterStatus>(std::move(status));
}

} // namespace tongchi
