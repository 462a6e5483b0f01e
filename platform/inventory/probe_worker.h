#pragma once

#include "platform/inventory/connection_probe.h"
#include "platform/kubernetes/kubernetes_client.h"

#include <memory>

namespace tongchi {

class PrometheusClient;

/// Asks the questions of a ConnectionProbe one after another, in the probe's thread. The first failure of the
/// API server ends the test: what follows would fail alike.
class ProbeWorker : public QObject
{
    Q_OBJECT
public:
    explicit ProbeWorker(SessionOptions options);
    ~ProbeWorker() override;
    void start();

Q_SIGNALS:
    void answered(const tongchi::ProbeAnswer &answer);
    void finished();

private:
    void askVersion();
    void askCards();
    void askSlices(ProbeAnswer answer, Monotonic asked);
    void askEngines();
    void askPermission();
    void askMetrics();
    void askBuild(HttpClient *http, const QByteArray &basePath, const QString &via, Monotonic asked);
    void tell(ProbeAnswer answer, Monotonic asked);

    SessionOptions m_options;
    SystemClock m_clock;
    std::unique_ptr<KubernetesClient> m_client;
    std::unique_ptr<HttpClient> m_metricsHttp;
    std::unique_ptr<PrometheusClient> m_prometheus;
    Discovery m_discovery;
};

} // namespace tongchi
