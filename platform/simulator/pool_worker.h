#pragma once

#include "platform/simulator/embedded_pool.h"
#include "platform/simulator/http_server.h"

#include <QThreadPool>
#include <QTimer>

namespace tongchi::simulator {

class ApiServer;

/// The inside of EmbeddedPool, in its thread.
class PoolWorker final : public QObject
{
    Q_OBJECT

public:
    PoolWorker(PoolOptions options, PoolSourceFactory factory);
    ~PoolWorker() override;

    void start();
    void injectFault(const InjectedFault &fault, const QString &cluster);

Q_SIGNALS:
    void started(const tongchi::PoolInfo &info);
    void failed(const tongchi::Error &error);
    void tokensChanged(const tongchi::PoolInfo &info);

private:
    struct Cluster
    {
        QString name;
        std::unique_ptr<ApiServer> api;
        std::unique_ptr<HttpServer> http;
        quint16 port = 0;
    };
    [[nodiscard]] Status listen(const QByteArray &certificatePem, const QByteArray &keyPem);
    void loadClusters();
    void tick();
    void applyFault(const InjectedFault &fault, Cluster &cluster);
    void handlePrometheus(const HttpExchangePointer &exchange);
    void fillInfo();

    PoolOptions m_options;
    PoolSourceFactory m_factory;
    SimulatedClock m_clock;
    PoolSources m_sources;
    std::vector<Cluster> m_clusters;
    std::unique_ptr<HttpServer> m_prometheus;
    PoolInfo m_info;
    QTimer m_timer;
    QThreadPool m_fleetThread; ///< one thread: the fleet is asked here, so that watches are not kept waiting
    bool m_advancing = false;
};

} // namespace tongchi::simulator
