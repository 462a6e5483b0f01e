#include "app/embedded_clusters.h"

#include "platform/simulator/fleet.h"
#include "platform/simulator/simulated_prometheus.h"

#include <QMutex>
#include <QPromise>
#include <QTimer>

namespace tongchi {
namespace {

/// The administrator's token of one cluster. The pool may change it while its sessions run.
struct PoolSecret
{
    QMutex mutex; ///< protects the token
    QByteArray token;
};

/// Asks for the token anew each time, as a login tool's file is read anew.
class PoolToken final : public CredentialProvider
{
public:
    explicit PoolToken(std::shared_ptr<PoolSecret> secret) : m_secret(std::move(secret)) {}
    QFuture<Result<Credential>> credential(bool) override
    {
        auto promise = std::make_shared<QPromise<Result<Credential>>>();
        promise->start();
        QTimer::singleShot(0, [promise, secret = m_secret] {
            const QMutexLocker lock(&secret->mutex);
            promise->addResult(Credential{.authorization = "Bearer " + secret->token});
            promise->finish();
        });
        return promise->future();
    }

private:
    std::shared_ptr<PoolSecret> m_secret;
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
    auto secret = std::make_shared<PoolSecret>();
    secret->token = cluster.administratorToken;
    QObject::connect(pool, &EmbeddedPool::tokensChanged, pool, [pool, name = cluster.name, secret] {
        for (const PoolCluster &known : pool->info().clusters) {
            const QMutexLocker lock(&secret->mutex);
            if (known.name == name)
                secret->token = known.administratorToken;
        }
    });
    SessionOptions options;
    options.name = cluster.name;
    options.simulated = true;
    options.connect = [server = cluster.server, secret, authorityPem]() -> Result<ConnectionSettings> {
        ConnectionSettings settings;
        settings.server = QUrl(server);
        settings.tls.authorityPem = authorityPem;
        settings.proxy.source = QStringLiteral("loopback");
        settings.credentials = std::make_shared<PoolToken>(secret);
        return settings;
    };
    return options;
}

} // namespace tongchi
