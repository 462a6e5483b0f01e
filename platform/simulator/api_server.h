#pragma once

#include "platform/simulator/access_control.h"
#include "platform/simulator/api_call.h"
#include "platform/simulator/api_writes.h"
#include "platform/simulator/cluster_store.h"
#include "platform/simulator/http_connection.h"

#include <QObject>
#include <QPointer>
#include <QThreadPool>

namespace tongchi::simulator {

class WatchStream;

/// One cluster's API server: takes requests apart, asks who may, and answers from the store. Lives in the
/// pool's thread.
class ApiServer final : public QObject
{
    Q_OBJECT

public:
    /// `metrics` may be null; it answers behind the Prometheus service's proxy, in a pool thread.
    ApiServer(int cluster, const SimulatedClock &clock, std::shared_ptr<MetricsSource> metrics,
              QObject *parent = nullptr);
    ~ApiServer() override;

    /// What a request to an API server may hold.
    static HttpLimits limits();

    ClusterStore &store() { return m_store; }
    AccessControl &access() { return m_access; }

    void handle(const HttpExchangePointer &exchange);
    /// Answers a request to the cluster's plain Prometheus address.
    void handleMetrics(const HttpExchangePointer &exchange, const QByteArray &path, bool proxied);

    // Faults
    /// Forgets the history; open watches end with an ERROR event of 410.
    void expireHistory();
    /// The next requests are answered with 429, until `until` on the machine's own clock.
    void limitUntil(std::chrono::steady_clock::time_point until, int retryAfterSeconds);

private:
    void route(ApiCall &call);
    void routeObject(ApiCall &call);
    void startWatch(const ApiCall &call);
    void proxyService(const ApiCall &call);
    HttpAnswer healthAnswer(const ApiCall &call) const;
    HttpAnswer openApiAnswer(const ApiCall &call) const;
    ApiResult<HttpAnswer> readLog(const ApiCall &call);
    ApiResult<HttpAnswer> changeObject(const ApiCall &call);

    int m_cluster;
    ClusterStore m_store;
    AccessControl m_access;
    ApiWrites m_writes;
    std::shared_ptr<MetricsSource> m_metrics;
    std::vector<QPointer<WatchStream>> m_watches;
    std::chrono::steady_clock::time_point m_limitedUntil{};
    int m_retryAfter = 1;
    QByteArray m_madeAt;   ///< as HTTP writes it
    QThreadPool m_queries; ///< last: its threads end before anything else here
};

} // namespace tongchi::simulator
