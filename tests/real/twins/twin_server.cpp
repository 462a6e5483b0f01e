#include "tests/real/twins/twin_server.h"

#include "platform/simulator/embedded_pool.h"
#include "platform/simulator/pool_sources.h"
#include "tests/support/wait.h"

#include <QFile>
#include <QJsonDocument>
#include <QUrl>

namespace tongchi::twins {

namespace {

constexpr const char *twinsNamespace = "twins";

RawEndpoint endpointOf(const QString &url, const QByteArray &authorityPem)
{
    const QUrl parsed(url);
    return {quint16(parsed.port()), parsed.scheme() == QLatin1String("https"), authorityPem};
}

QMap<QByteArray, QByteArray> sharedVariables()
{
    return {{"ns", twinsNamespace}, {"mebibyte", QByteArray(1024 * 1024, 'x')}};
}

TwinStep step(const QByteArray &method, const QByteArray &target, const QByteArray &body = {})
{
    TwinStep made;
    made.request = {
        method, target, {{"Accept", "application/json"}, {"Content-Type", "application/json"}}, body};
    return made;
}

} // namespace

EmbeddedTwin::EmbeddedTwin(int cards)
{
    PoolOptions options;
    options.cards = cards;
    options.clusters = 1;
    m_pool = std::make_unique<EmbeddedPool>(options, simulatedPoolSources());
    QObject::connect(m_pool.get(), &EmbeddedPool::failed, m_pool.get(),
                     [this](const Error &error) { m_problem = QString::fromUtf8(error.text); });
    m_pool->start();
    if (!test::waitUntil([this] { return m_pool->isRunning() || !m_problem.isEmpty(); },
                         std::chrono::seconds(30)))
        m_problem = QStringLiteral("the embedded pool did not start");
    if (!m_problem.isEmpty())
        return;
    const PoolCluster &cluster = m_pool->info().clusters.first();
    m_server.name = "embedded";
    m_server.endpoints.insert("kubernetes", endpointOf(cluster.server, m_pool->info().authorityPem));
    m_server.endpoints.insert("prometheus", endpointOf(cluster.prometheus, {}));
    m_server.prefixes.insert("prometheus", QUrl(cluster.prometheus).path().toLatin1());
    m_server.tokens = {{"admin", cluster.administratorToken},
                       {"viewer", cluster.viewerToken},
                       {"stranger", cluster.strangerToken},
                       {"expired", cluster.refusedToken}};
    m_server.variables = sharedVariables();
}

EmbeddedTwin::~EmbeddedTwin() = default;

TwinServer realTwin(QString *problem)
{
    TwinServer server;
    server.name = "real";
    const QString folder = qEnvironmentVariable("TONGCHI_REAL_RUN");
    QFile file(folder + QStringLiteral("/run.json"));
    if (folder.isEmpty() || !file.open(QIODevice::ReadOnly)) {
        *problem = QStringLiteral("no real engines: TONGCHI_REAL_RUN names no folder with a run.json");
        return server;
    }
    const QJsonObject run = QJsonDocument::fromJson(file.readAll()).object();
    QFile authority(run[QLatin1String("ca")].toString());
    const QByteArray pem = authority.open(QIODevice::ReadOnly) ? authority.readAll() : QByteArray();
    const QJsonObject urls = run[QLatin1String("urls")].toObject();
    for (auto url = urls.begin(); url != urls.end(); ++url)
        server.endpoints.insert(url.key().toLatin1(), endpointOf(url.value().toString(), pem));
    server.tokens = {{"admin", "admin-token"},
                     {"viewer", "viewer-token"},
                     {"stranger", "stranger-token"},
                     {"expired", "expired-token"}};
    server.variables = sharedVariables();
    return server;
}

void prepare(const TwinServer &server, const QByteArray &engine, QString *problem)
{
    TwinCall call;
    call.engine = engine;
    if (!server.endpoints.contains(engine)) {
        *problem = QString::fromUtf8(server.name + " has no " + engine);
        return;
    }
    if (engine == "kubernetes") {
        call.setup.push_back(step("POST", "/api/v1/namespaces",
                                  R"({"apiVersion":"v1","kind":"Namespace","metadata":{"name":"{ns}"}})"));
        call.setup.back().mayFail = true; // there from an earlier run
        for (const char *made : {"serviceaccounts/default", "configmaps/kube-root-ca.crt"}) {
            call.setup.push_back(step("GET", QByteArray("/api/v1/namespaces/{ns}/") + made));
            call.setup.back().untilAt = "status";
            call.setup.back().untilIs = "200";
        }
    } else {
        // A first scrape: before it there is no series to ask for.
        call.setup.push_back(step("GET", "/api/v1/query?query=count(up)%3Ebool%200"));
        call.setup.back().untilAt = "/data/result/0/value/1";
        call.setup.back().untilIs = "1";
    }
    run(call, server, problem);
}

} // namespace tongchi::twins
