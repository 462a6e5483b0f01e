#include "tests/app/running_pool.h"

#include "models/inventory/inventory_watch.h"

namespace tongchi::test {

using std::chrono::milliseconds;

void RunningPool::SetUp()
{
    // As few cards as give every cluster several encodings, ResourceSlices among them.
    pool = makeEmbeddedPool({.cards = 400, .clusters = 3});
    pool->start();
    ASSERT_TRUE(waitUntil([this] { return pool->isRunning(); }, std::chrono::seconds(20)));
    inventory = std::make_unique<InventoryController>(
        strings, clock,
        InventoryController::Options{.applyInterval = milliseconds(10), .tickInterval = milliseconds(50)});
}

void RunningPool::TearDown()
{
    inventory.reset();
    pool.reset();
}

SessionOptions RunningPool::hurried(SessionOptions options)
{
    options.metricsInterval = milliseconds(150);
    options.flushInterval = milliseconds(20);
    options.patience = milliseconds(300);
    options.lostAfter = milliseconds(400);
    options.reflector.watchShortest = options.reflector.watchLongest = std::chrono::seconds(1);
    options.reflector.watchMargin = milliseconds(300);
    options.reflector.backoff.first = milliseconds(20);
    options.reflector.backoff.most = milliseconds(200);
    options.reflector.burst = 1'000;
    options.reflector.heartbeat = milliseconds(200);
    return options;
}

SessionOptions RunningPool::optionsOf(const PoolCluster &cluster)
{
    return hurried(sessionForPool(pool.get(), cluster, pool->info().authorityPem));
}

void RunningPool::addSession(SessionOptions options)
{
    inventory->addSource(std::make_unique<ClusterSession>(
        ++lastId, std::move(options), SessionEnvironment{&strings, &clock, &devices, &metrics}));
}

void RunningPool::addSessions()
{
    for (const PoolCluster &cluster : pool->info().clusters)
        addSession(optionsOf(cluster));
}

bool RunningPool::isWhole() const
{
    const auto statuses = inventory->statuses();
    return inventory->isComplete() && !inventory->isPartial() &&
           std::all_of(statuses.begin(), statuses.end(), [](const ClusterStatus &status) {
               return status.complete && status.kubernetes.state == SourceState::Live &&
                      status.pods.state == SourceState::Live && status.metrics.state == SourceState::Live;
           });
}

bool RunningPool::waitUntilWhole()
{
    return waitUntil([this] { return isWhole(); }, std::chrono::seconds(10));
}

std::multiset<QByteArray> RunningPool::rows() const
{
    std::multiset<QByteArray> all;
    for (const CardIndex card : inventory->table().rows())
        all.insert(InventoryWatch::identity(inventory->store(), card));
    for (const QByteArray &row : all)
        EXPECT_EQ(all.count(row), 1u) << "twice: " << row.constData();
    EXPECT_EQ(all.size(), inventory->store().cardCount());
    return all;
}

std::multiset<QByteArray> RunningPool::rowsOf(const QString &cluster) const
{
    const QByteArray start = "{\"cluster\":\"" + cluster.toUtf8() + "\",";
    std::multiset<QByteArray> some;
    for (const QByteArray &row : rows()) {
        if (row.startsWith(start))
            some.insert(row);
    }
    return some;
}

ClusterStatus RunningPool::status(const QString &cluster) const
{
    for (const ClusterStatus &status : inventory->statuses()) {
        if (status.name == cluster)
            return status;
    }
    ADD_FAILURE() << "no cluster " << cluster.toStdString();
    return {};
}

HttpResponse RunningPool::ask(const QByteArray &method, const QByteArray &path, int cluster)
{
    const PoolCluster &asked = pool->info().clusters.at(cluster);
    ConnectionSettings settings;
    settings.server = QUrl(asked.server);
    settings.tls.authorityPem = pool->info().authorityPem;
    HttpClient client(settings);
    HttpRequest request{.method = method, .path = path};
    request.headers = {{"Authorization", "Bearer " + asked.administratorToken}};
    const auto future = client.send(request);
    EXPECT_TRUE(waitFor(future));
    if (!future.isFinished() || !future.result()) {
        ADD_FAILURE() << "no answer to " << method.constData() << ' ' << path.constData();
        return {};
    }
    return *future.result();
}

QByteArray RunningPool::deleteNode(const QString &cluster)
{
    const CardStore &store = inventory->store();
    const auto clusters = pool->info().clusters;
    for (const CardIndex card : inventory->table().rows()) {
        const StoredNode &node = store.node(store.nodeIndexOf(card));
        const ClusterStatus *of = store.status(node.clusterId);
        if (!of || of->name != cluster)
            continue;
        const QByteArray name(strings.utf8(node.facts.name).data(),
                              qsizetype(strings.utf8(node.facts.name).size()));
        const auto at = std::find_if(clusters.begin(), clusters.end(),
                                     [&cluster](const PoolCluster &one) { return one.name == cluster; });
        EXPECT_EQ(ask("DELETE", "/api/v1/nodes/" + name, int(at - clusters.begin())).status, 200);
        return name;
    }
    ADD_FAILURE() << "no node in " << cluster.toStdString();
    return {};
}

void RunningPool::forget(std::multiset<QByteArray> &rows, const QByteArray &node)
{
    const auto before = rows.size();
    const QByteArray part = "\"node\":\"" + node + "\",";
    std::erase_if(rows, [&part](const QByteArray &row) { return row.contains(part); });
    EXPECT_LT(rows.size(), before);
}

} // namespace tongchi::test
