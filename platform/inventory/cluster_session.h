#pragma once

#include "platform/http/connection_settings.h"
#include "platform/inventory/inventory_source.h"
#include "platform/inventory/server_pulse.h"
#include "platform/kubernetes/reflector_base.h"

#include <QThread>
#include <functional>
#include <memory>

namespace tongchi {

class ClusterWorker;
class DeviceCatalog;
class MetricCatalog;
class StringPool;

/// What all sessions of the process share; the pointees outlive every session.
struct SessionEnvironment
{
    StringPool *strings = nullptr;
    const Clock *clock = nullptr;
    const DeviceCatalog *devices = nullptr;
    const MetricCatalog *metrics = nullptr;
};

struct SessionOptions
{
    QString name; ///< unique among connected clusters
    bool simulated = false;
    /// Makes the connection; called in the cluster's thread at every start and refresh, since it reads
    /// certificate files that may have been renewed.
    std::function<Result<ConnectionSettings>()> connect;
    /// A Prometheus outside the cluster; unset: one is looked for behind the API server's service proxy.
    std::function<Result<ConnectionSettings>()> connectMetrics;
    QString metricsAddress; ///< for showing, with connectMetrics
    std::chrono::milliseconds metricsInterval{15'000};
    std::chrono::milliseconds metricsTimeout{30'000}; ///< of one question
    std::chrono::milliseconds flushInterval{100};
    std::chrono::milliseconds patience{
        4'000}; ///< so long a first try may fail before the cluster counts as failed
    std::chrono::milliseconds lostAfter{15'000}; ///< without a word, while it is tried again: late, then lost
    ServerPulse::Options pulse;                  ///< of a server that says nothing while it is watched
    /// The nodes' watch is begun anew after so long a silence of its own: the server may answer while the way
    /// of this one connection is dead. Until it speaks again the cluster is late.
    std::chrono::milliseconds nodesSilence{30'000};
    int deltasAhead = 8; ///< sent before the first is acknowledged
    // One delta is one handler of the GUI thread: these two keep it at a millisecond or two.
    std::size_t nodesPerDelta = 100;
    std::size_t recordsPerDelta = 4'000;
    ReflectorOptions reflector; ///< intervals; path and subject are filled in
};

/// One connected cluster: its own thread with the HTTP clients, the reflectors, the assembler and the
/// telemetry poll. This object stays on the GUI thread and hands deltas over. See ClusterWorker for what
/// happens when.
class ClusterSession final : public InventorySource
{
    Q_OBJECT
public:
    ClusterSession(quint32 clusterId, SessionOptions options, SessionEnvironment environment,
                   QObject *parent = nullptr);
    /// Ends the thread; waits for the handler that is running in it (tens of milliseconds as a rule).
    ~ClusterSession() override;

    quint32 clusterId() const override { return m_clusterId; }
    QString clusterName() const override { return m_name; }
    void start() override;
    void stop() override;
    void refresh() override;
    void acknowledge() override;
    [[nodiscard]] QFuture<Result<NodeChangeResult>>
    changeNode(const QString &node, const QString &uid, const NodeChange &change, bool dryRun,
               const std::optional<NodeChange> &guard) override;
    [[nodiscard]] QFuture<Result<Permission>> mayChangeNodes() override;
    [[nodiscard]] QFuture<Result<std::vector<TelemetryRecord>>> lastHour(std::uint32_t ordinal) override;
    QString userName() const override { return m_userName; }

private:
    quint32 m_clusterId;
    QString m_name;
    QString m_userName;
    QThread m_thread;
    ClusterWorker *m_worker; ///< lives in m_thread, deleted when it finishes
};

} // namespace tongchi
