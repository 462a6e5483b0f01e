#pragma once

#include "platform/core/result.h"
#include "platform/simulator/pool_fault.h"
#include "platform/simulator/simulated_object.h"

#include <QList>
#include <QObject>
#include <QThread>
#include <functional>
#include <memory>

namespace tongchi {

namespace simulator {
class PoolWorker;
}

/// How to reach one cluster of the embedded pool. Tokens are secrets: they go into requests and kubeconfigs,
/// nowhere else.
struct PoolCluster
{
    QString name;
    QString server;     ///< https://127.0.0.1:PORT
    QString prometheus; ///< http://127.0.0.1:PORT/clusters/NAME, without TLS and without a token
    QByteArray administratorToken;
    QByteArray viewerToken;   ///< may read
    QByteArray refusedToken;  ///< every request with it is answered 401
    QByteArray strangerToken; ///< known, and may nothing
};

struct PoolInfo
{
    QList<PoolCluster> clusters;
    QByteArray authorityPem; ///< what clients have to trust
    QString prometheus;      ///< of the first cluster, http://127.0.0.1:PORT
};

/// What a pool is made of.
struct PoolSources
{
    std::shared_ptr<FleetSource> fleet;
    std::shared_ptr<MetricsSource> metrics; ///< may be null: no Prometheus
};
/// Called in the pool's thread; the clock outlives what is made.
using PoolSourceFactory = std::function<PoolSources(const PoolOptions &, const SimulatedClock &)>;

/// The embedded pool: API servers of several simulated clusters and their Prometheus on loopback, in a thread
/// of its own. Belongs to the thread that made it; every method may be called from there, faults from any
/// thread.
class EmbeddedPool final : public QObject
{
    Q_OBJECT

public:
    EmbeddedPool(PoolOptions options, PoolSourceFactory factory, QObject *parent = nullptr);
    /// Stops and waits for the thread.
    ~EmbeddedPool() override;

    /// Answers with started() or failed(). Once only.
    void start();
    /// Answers with stopped().
    void stop();
    bool isRunning() const { return m_running; }
    /// Valid after started().
    const PoolInfo &info() const { return m_info; }

    /// One context a cluster, named like it; the first is current; the user is the administrator. Replaces
    /// the file as a whole, readable by the owner alone from its first byte. Fails with Storage.
    [[nodiscard]] Status writeKubeconfig(const QString &path) const;
    /// The same as text; holds tokens.
    QByteArray kubeconfig() const;

    /// `cluster`: a name, or empty for all.
    void injectFault(const InjectedFault &fault, const QString &cluster = {});
    void injectFault(PoolFault fault, const QString &cluster = {}, std::chrono::milliseconds duration = {});

Q_SIGNALS:
    void started(const tongchi::PoolInfo &info);
    void failed(const tongchi::Error &error);
    void stopped();
    /// The tokens changed (ExpiredToken); info() has the new ones.
    void tokensChanged();

private:
    PoolOptions m_options;
    PoolSourceFactory m_factory;
    QThread m_thread;
    simulator::PoolWorker *m_worker = nullptr;
    PoolInfo m_info;
    bool m_running = false;
};

} // namespace tongchi
