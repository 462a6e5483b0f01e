#include "app/embedded_clusters.h"

#include "platform/simulator/fleet.h"
#include "platform/simulator/simulated_prometheus.h"

#include <QPromise>
#include <QTimer>

namespace tongchi {
namespace {

/// A bearer token that never expires by itself.
class PoolToken final : public CredentialProvider
{
public:
    explicit PoolToken(QByteArray token) : m_token(std::move(token)) {}
    QFuture<Result<Credential>> credential(bool) override
    {
        auto promise = std::make_shared<QPromise<Result<Credential>>>();
        promise->start();
        QTimer::singleShot(0, [promise, token = m_token] {
            promise->addResult(Credential{.authorization = "Bearer " + token});
            promise->finish();
        });
        return promise->future();
    }

private:
    QByteArray m_token;
};

} // namespace

PoolOptions poolOptionsOf(const CommandLine &command)
{
    return {.cards = command.cards,
            .clusters = command.clusters,
            .seed = command.seed,
            .speed = command.speed,
            .port = command.port,
            .faultPlan = command.faultPlan};
}

std::unique_ptr<EmbeddedPool> makeEmbeddedPool(const PoolOptions &options)
{
    return std::make_unique<EmbeddedPool>(
        options, [](const PoolOptions &wanted, const SimulatedClock &clock) {
            auto fleet = std::make_shared<Fleet>(wanted, clock);
            auto prometheus = std::make_shared<SimulatedPrometheus>(*fleet, clock);
            return PoolSources{fleet, prometheus};
        });
}

SessionOptions sessionForPool(EmbeddedPool *pool, const PoolCluster &cluster, const QByteArray &authorityPem)
{
    Q_UNUSED(pool)
    SessionOptions options;
    options.name = cluster.name;
    options.simulated = true;
    options.connect = [server = cluster.server, token = cluster.administratorToken,
                       authorityPem]() -> Result<ConnectionSettings> {
        ConnectionSettings settings;
        settings.server = QUrl(server);
        settings.tls.authorityPem = authorityPem;
        settings.proxy.source = QStringLiteral("loopback");
        settings.credentials = std::make_shared<PoolToken>(token);
        return settings;
    };
    return options;
}

} // namespace tongchi
