#pragma once

#include "platform/inventory/card_assembler.h"
#include "platform/inventory/cluster_session.h"
#include "platform/inventory/telemetry_join.h"
#include "platform/kubernetes/discovery.h"
#include "platform/kubernetes/kubernetes_client.h"

#include <QElapsedTimer>
#include <QObject>
#include <QThreadPool>
#include <QTimer>
#include <deque>
#include <memory>
#include <vector>

namespace tongchi {

class MetricsPoller;
class StreamClient;

/// A list that is there, or of which it is known that it will not come.
bool hasSettled(const WatchState &watch);
/// Trouble that waiting does not mend.
bool isFinal(const Error &error);

/// Everything of one cluster, in its thread.
///
/// Schedule:
/// 1. start(): nodes and pods are listed and watched at once; discovery, version and user run beside them,
/// until
///    they succeed and again after a silence, and add ResourceSlices, ResourceClaims and Ascend's ConfigMaps
///    where the server has them.
/// 2. As soon as nodes and pods are there (or refused) a Prometheus is looked for and polled every
/// metricsInterval.
/// 3. flush() every flushInterval sends what changed, at most deltasAhead ahead of the acknowledgements; what
/// cannot be
///    sent yet is merged by the assembler, and of telemetry only the newest poll is kept.
/// 4. A server that is watched and says nothing is asked for a word (ServerPulse); after a silence the
/// watches are renewed,
///    since whoever answers then may be another process behind the same address.
/// 5. The status travels with a delta when it changed, and once a second while its times move.
class ClusterWorker : public QObject
{
    Q_OBJECT
public:
    ClusterWorker(quint32 clusterId, SessionOptions options, SessionEnvironment environment);
    ~ClusterWorker() override;

    void start();
    void stop();
    void refresh();
    void acknowledge();
    KubernetesClient *kubernetes() { return m_kubernetes.get(); }
    /// See MetricsPoller::readHour().
    void readHour(std::uint32_t ordinal, std::function<void(Result<std::vector<TelemetryRecord>>)> done);

Q_SIGNALS:
    void deltaReady(std::shared_ptr<const tongchi::InventoryDelta> delta);
    void userKnown(const QString &name);

private:
    void connectCluster();
    ListExecutor readingThread();
    void startReflectors();
    void startDiscovery();
    void discovered(const Discovery &discovery);
    void discoveryFailed(const Error &error);
    void discoverAgain();
    void noticeState(std::string_view resource, const WatchState &state);
    void askForAWord();
    bool objectsSettled() const;

    void startMetrics();
    void useMetrics(HttpClient *http, const QByteArray &basePath, const QString &via);
    void metricsMissing(const Error &error);
    void polled(TelemetryResult &result, bool whole);
    SourceStatus metricsStatus() const;

    void flush();
    std::shared_ptr<const ClusterStatus> statusIfChanged();
    SourceStatus kubernetesStatus(const WatchState &watch, std::chrono::milliseconds silence) const;
    void failConnection(const Error &error);

    const quint32 m_clusterId;
    const SessionOptions m_options;
    const SessionEnvironment m_environment;

    QThreadPool
        m_reading; ///< one thread, while there are lists to read; waited for at the end, for one piece
    std::unique_ptr<StreamClient> m_streams;
    std::unique_ptr<KubernetesClient> m_kubernetes;
    std::unique_ptr<CardAssembler> m_assembler;
    ServerPulse m_pulse;
    std::vector<std::unique_ptr<ReflectorBase>> m_reflectors;
    WatchState m_nodes, m_pods, m_slices, m_claims, m_deviceInfo;
    bool m_slicesWatched = false, m_deviceInfoWatched = false;
    bool m_discoverySettled = false; ///< the groups are known, or it is known that they will not be
    bool m_discovering = false;      ///< a question is under way
    bool m_discoveryDue = false;     ///< ask once the server answers again
    int m_discoveryFailures = 0;     ///< in a row
    bool m_restart = true;           ///< the next delta begins anew
    bool m_running = false;
    std::optional<Error> m_connectError;
    Monotonic m_started{};

    int m_metricsFailures = 0; ///< to find a Prometheus, in a row
    std::unique_ptr<HttpClient> m_metricsHttp;
    std::unique_ptr<MetricsPoller> m_poller;  ///< asks over m_metricsHttp or m_kubernetes: dies before them
    std::vector<TelemetryRecord> m_telemetry; ///< of the last poll
    bool m_telemetryUnsent = false;
    std::size_t m_telemetrySent = 0;
    bool m_telemetryComplete = false;
    std::deque<std::vector<TelemetryRecord>> m_past; ///< of the last hour, not sent yet
    bool m_metricsStarted = false;
    Monotonic m_metricsSought{};
    SourceStatus m_metricsStatus; ///< before there is a poller
    QString m_metricsVia;

    QTimer m_flushTimer;
    QTimer m_discoveryTimer;
    int m_ahead = 0;
    quint64 m_generation = 0; ///< answers to an earlier start are dropped
    ClusterStatus m_status;
    bool m_statusDirty = true;
    std::optional<Monotonic> m_statusSent;
    QString m_version;
    std::optional<std::chrono::milliseconds> m_latency;
};

} // namespace tongchi
