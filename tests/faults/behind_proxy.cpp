#include "tests/faults/behind_proxy.h"

#include "tests/faults/impatient_session.h"

namespace tongchi::test {

using std::chrono::milliseconds;

void BehindProxy::SetUp()
{
    RunningPool::SetUp();
    const PoolCluster &cluster = pool->info().clusters.first();
    ASSERT_EQ(cluster.name, faulty());
    FaultProxy::Options options{.upstream = QUrl(cluster.server), .cluster = faulty()};
    if (endsTls) {
        options.identity = authority.issue();
        options.upstreamAuthorityPem = pool->info().authorityPem;
    }
    options.others = [this](const InjectedFault &fault) { pool->injectFault(fault, faulty()); };
    proxy = std::make_unique<FaultProxy>(std::move(options));
    direct = std::make_unique<InventoryController>(
        strings, clock,
        InventoryController::Options{.applyInterval = milliseconds(10), .tickInterval = milliseconds(50)});
    direct->addSource(std::make_unique<ClusterSession>(
        ++lastId, calmOptionsOf(cluster), SessionEnvironment{&strings, &clock, &devices, &metrics}));
    QObject::connect(inventory.get(), &InventoryController::statusChanged, inventory.get(),
                     [this] { lookAround(); });
    QObject::connect(inventory.get(), &InventoryController::cardsChanged, inventory.get(),
                     [this] { lookForDamage(); });
}

void BehindProxy::TearDown()
{
    EXPECT_EQ(m_disturbed, QStringList());
    EXPECT_EQ(m_spoiled, QByteArrayList());
    direct.reset();
    inventory.reset();
    proxy.reset(); // its thread may still tell the pool
    RunningPool::TearDown();
}

void BehindProxy::lookAround()
{
    for (const ClusterStatus &status : inventory->statuses()) {
        const bool fine = !status.complete || (status.kubernetes.state == SourceState::Live &&
                                               status.pods.state == SourceState::Live);
        if (status.name != faulty() && !fine)
            m_disturbed << status.name;
    }
}

void BehindProxy::lookForDamage()
{
    static const QByteArray damaged = QStringLiteral("\uFFFD").toUtf8();
    for (const CardIndex card : inventory->table().rows()) {
        const QByteArray json = cardJson(inventory->store(), card);
        if (json.contains(damaged) || json.contains('\xFF'))
            m_spoiled << json;
    }
}

// A busy machine is no fault of these clusters, and their measurements are not what is looked at.
SessionOptions BehindProxy::calmOptionsOf(const PoolCluster &cluster)
{
    SessionOptions options = optionsOf(cluster);
    options.reflector.watchShortest = options.reflector.watchLongest = std::chrono::seconds(60);
    options.metricsInterval = std::chrono::seconds(1);
    return options;
}

SessionOptions BehindProxy::optionsBehindProxy()
{
    return behind(*proxy, optionsOf(pool->info().clusters.first()), endsTls ? authority.pem() : QByteArray(),
                  patience, compressed);
}

void BehindProxy::addAll()
{
    addSession(optionsBehindProxy());
    for (int i = 1; i < pool->info().clusters.size(); ++i)
        addSession(calmOptionsOf(pool->info().clusters.at(i)));
}

void BehindProxy::openWhole()
{
    addAll();
    ASSERT_TRUE(waitForTheTruth());
    ASSERT_EQ(rows().size(), 400u);
}

void BehindProxy::inject(const InjectedFault &fault)
{
    ASSERT_OK(proxy->inject(fault));
}

bool BehindProxy::waitForTheTruth()
{
    const bool found = waitUntil([this] { return isWhole() && isTheTruth(); }, std::chrono::seconds(10));
    EXPECT_TRUE(found) << differenceOf(shown(), truth());
    return found;
}

void BehindProxy::change(const QByteArray &node, const QByteArray &mergePatch)
{
    const PoolCluster &cluster = pool->info().clusters.first();
    ConnectionSettings settings;
    settings.server = QUrl(cluster.server);
    settings.tls.authorityPem = pool->info().authorityPem;
    HttpClient client(settings);
    HttpRequest request{.method = "PATCH", .path = "/api/v1/nodes/" + node, .body = mergePatch};
    request.headers = {{"Authorization", "Bearer " + cluster.administratorToken},
                       {"Content-Type", "application/merge-patch+json"}};
    const auto future = client.send(request);
    ASSERT_TRUE(waitFor(future));
    ASSERT_OK(future.result());
    ASSERT_EQ(future.result()->status, 200);
}

QByteArray BehindProxy::nodeOf(std::size_t number) const
{
    std::set<QByteArray> names;
    for (const CardIndex card : direct->table().rows()) {
        const std::string_view name =
            strings.utf8(direct->store().node(direct->store().nodeIndexOf(card)).facts.name);
        names.insert(QByteArray(name.data(), qsizetype(name.size())));
    }
    return *std::next(names.begin(), std::ptrdiff_t(number));
}

void BehindProxy::changeThree()
{
    const QByteArray gone = nodeOf(0), labelled = nodeOf(1), cordoned = nodeOf(2);
    EXPECT_EQ(ask("DELETE", "/api/v1/nodes/" + gone).status, 200);
    change(labelled, R"({"metadata":{"labels":{"tongchi.io/business":"mixed"}}})");
    change(cordoned, R"({"spec":{"unschedulable":true}})");
    const auto has = [this](const QByteArray &node, const QByteArray &fact) {
        for (const auto &[identity, facts] : truth()) {
            if (facts.contains(QByteArray("\"node\":\"" + node + '"')))
                return !fact.isEmpty() && facts.contains(fact);
        }
        return fact.isEmpty(); // a node that is gone
    };
    ASSERT_TRUE(eventually([&] {
        return has(gone, "") && has(labelled, "\"node_business_label\":\"mixed\"") &&
               has(cordoned, "\"schedulable\":false");
    }));
}

} // namespace tongchi::test
