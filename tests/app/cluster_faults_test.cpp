// Faults of a cluster, from the socket to the table: what was known stays, visibly aged, and everything is
// right again by itself, with no row twice and none of a node that is gone.

#include "platform/kubernetes/kubeconfig_connection.h"
#include "platform/kubernetes/kubeconfig_loader.h"
#include "tests/app/running_pool.h"

#include <QFile>
#include <cmath>

namespace tongchi {
namespace {

using std::chrono::milliseconds;

const QString beijing = QStringLiteral("bj-prod");
const QString south = QStringLiteral("south-prod");

class ClusterFaults : public test::RunningPool
{
protected:
    /// All clusters are read; the rows of that moment.
    std::multiset<QByteArray> wholeRows()
    {
        addSessions();
        EXPECT_TRUE(waitUntilWhole());
        auto all = rows();
        EXPECT_EQ(all.size(), 400u);
        return all;
    }
    bool waitForRows(const std::multiset<QByteArray> &wanted)
    {
        return test::waitUntil([this, &wanted] { return isWhole() && rows() == wanted; },
                               std::chrono::seconds(10));
    }
    bool isOf(CardIndex card, const QString &cluster) const
    {
        const CardStore &store = inventory->store();
        const ClusterStatus *of = store.status(store.node(store.nodeIndexOf(card)).clusterId);
        return of && of->name == cluster;
    }
    /// Cards of the southern cluster, or of the others, whose last reading is old.
    std::vector<CardIndex> aged(bool southern) const
    {
        std::vector<CardIndex> cards;
        for (const CardIndex card : inventory->table().rows()) {
            const auto at = inventory->store().sampledAt(card);
            if (isOf(card, south) == southern && !std::isnan(inventory->store().utilizationOf(card)) &&
                freshnessOf(at, clock.now()) == Freshness::LastKnown)
                cards.push_back(card);
        }
        return cards;
    }
    std::uint32_t withUtilization(bool southern) const
    {
        std::uint32_t count = 0;
        for (const CardIndex card : inventory->table().rows())
            count += isOf(card, south) == southern && !std::isnan(inventory->store().utilizationOf(card));
        return count;
    }
};

TEST_F(ClusterFaults, ARestartLosesAndDoublesNothing)
{
    auto wanted = wholeRows();
    pool->injectFault(PoolFault::Restart);
    // Told by nothing but the new watch: the old one is gone before the server hears of the deletion.
    test::RunningPool::forget(wanted, deleteNode(beijing));
    EXPECT_TRUE(waitForRows(wanted));
}

TEST_F(ClusterFaults, AnExpiredHistoryIsReadAnew)
{
    auto wanted = wholeRows();
    pool->injectFault(PoolFault::Compact);
    forget(wanted, deleteNode(beijing));
    EXPECT_TRUE(waitForRows(wanted));
}

TEST_F(ClusterFaults, ADeadLinkLeavesNoGhostOfWhatWasDeletedMeanwhile)
{
    auto wanted = wholeRows();
    // The link is up and says nothing; the deletion is forgotten before anybody asks again.
    pool->injectFault(PoolFault::HalfOpen);
    forget(wanted, deleteNode(beijing));
    pool->injectFault(PoolFault::Compact);
    EXPECT_TRUE(waitForRows(wanted));
}

TEST_F(ClusterFaults, ABusyServerIsLeftAloneForAsLongAsItAsks)
{
    auto wanted = wholeRows();
    pool->injectFault(PoolFault::TooManyRequests, beijing, milliseconds(500));
    pool->injectFault(PoolFault::Restart, beijing);
    ASSERT_TRUE(test::waitUntil([this] {
        const auto error = status(beijing).kubernetes.error;
        return error && error->code == ErrorCode::RateLimited;
    }));
    const auto nextTry = status(beijing).kubernetes.nextTry;
    ASSERT_TRUE(nextTry);
    EXPECT_GE(*nextTry - clock.now(), milliseconds(500)) << "Retry-After was a second";
    EXPECT_EQ(rows(), wanted) << "what was known stays";
    EXPECT_TRUE(waitForRows(wanted));
    EXPECT_FALSE(status(beijing).kubernetes.error);
}

TEST_F(ClusterFaults, AnExpiredTokenIsSaidAndOverOnceItIsGoodAgain)
{
    const auto wanted = wholeRows();
    pool->injectFault(PoolFault::ExpiredToken, beijing, milliseconds(400));
    pool->injectFault(PoolFault::Restart, beijing);
    ASSERT_TRUE(test::waitUntil([this] {
        const auto error = status(beijing).kubernetes.error;
        return error && error->code == ErrorCode::Unauthorized;
    }));
    EXPECT_TRUE(test::waitUntil([this] { return inventory->isPartial(); }));
    EXPECT_EQ(rows(), wanted);
    EXPECT_EQ(status(south).kubernetes.state, SourceState::Live) << "nobody else is disturbed";
    EXPECT_TRUE(waitForRows(wanted));
}

TEST_F(ClusterFaults, TheDemoPoolsNewTokensAreTaken)
{
    auto wanted = wholeRows();
    pool->injectFault(PoolFault::ExpiredToken);
    pool->injectFault(PoolFault::Restart);
    const QByteArray old = pool->info().clusters.first().administratorToken;
    ASSERT_TRUE(
        test::waitUntil([this, &old] { return pool->info().clusters.first().administratorToken != old; }));
    forget(wanted, deleteNode(beijing));
    EXPECT_TRUE(waitForRows(wanted));
}

TEST_F(ClusterFaults, ATokenThatALoginToolWritesAnewIsTaken)
{
    QTemporaryDir folder;
    const PoolCluster cluster = pool->info().clusters.first();
    const auto write = [&folder](const QString &name, const QByteArray &text) {
        QFile file(folder.filePath(name));
        ASSERT_TRUE(file.open(QIODevice::WriteOnly));
        file.write(text);
    };
    write(QStringLiteral("token"), cluster.administratorToken);
    write(QStringLiteral("ca.crt"), pool->info().authorityPem);
    write(QStringLiteral("config"),
          "apiVersion: v1\nkind: Config\ncurrent-context: c\n"
          "clusters: [{name: c, cluster: {certificate-authority: ca.crt, server: \"" +
              cluster.server.toUtf8() +
              "\"}}]\n"
              "users: [{name: u, user: {tokenFile: token}}]\n"
              "contexts: [{name: c, context: {cluster: c, user: u}}]\n");
    const Kubeconfig kubeconfig =
        loadKubeconfig({.explicitFiles = {QFile::encodeName(folder.filePath(QStringLiteral("config")))}});
    const KubeContext *context = kubeconfig.find(QStringLiteral("c"));
    ASSERT_TRUE(context && context->parts);
    ConnectionEnvironment environment;
    environment.clock = &clock;
    environment.variables = {};
    SessionOptions options;
    options.name = QStringLiteral("c");
    options.connect = [context = *context, environment] { return makeConnection(context, environment, {}); };
    addSession(hurried(std::move(options)));
    ASSERT_TRUE(waitUntilWhole());
    const auto wanted = rows();
    const QByteArray old = cluster.administratorToken;
    pool->injectFault(PoolFault::ExpiredToken);
    pool->injectFault(PoolFault::Restart);
    ASSERT_TRUE(test::waitUntil([this] {
        const auto error = status(QStringLiteral("c")).kubernetes.error;
        return error && error->code == ErrorCode::Unauthorized;
    }));
    ASSERT_NE(pool->info().clusters.first().administratorToken, old);
    write(QStringLiteral("token"), pool->info().clusters.first().administratorToken);
    EXPECT_TRUE(waitForRows(wanted));
}

TEST_F(ClusterFaults, OneOfThreeDeadKeepsItsAgeingRowsAndComesBack)
{
    const auto wanted = wholeRows();
    const auto southern = rowsOf(south);
    const std::uint32_t reported = inventory->summary().utilizationReported;
    ASSERT_GT(reported, 300u);
    pool->injectFault(PoolFault::Dead, south);
    ASSERT_TRUE(test::waitUntil([this] { return status(south).kubernetes.state == SourceState::Lost; }));
    EXPECT_TRUE(inventory->isPartial());
    EXPECT_EQ(status(south).kubernetes.error->code, ErrorCode::Network);
    EXPECT_EQ(rows(), wanted) << "what was known stays";
    ASSERT_TRUE(test::waitUntil([this] { return inventory->summary().clustersSilent == 1; }));
    EXPECT_EQ(inventory->summary().clusters, 3u);
    EXPECT_FALSE(inventory->summary().complete);
    EXPECT_EQ(inventory->summary().cards, 400u);

    // Three minutes later by the clock its numbers are last known ones, and look like it; those of the others
    // are new.
    clock.shift(std::chrono::minutes(3));
    ASSERT_TRUE(test::waitUntil([this] { return aged(false).empty(); }));
    const auto old = aged(true);
    ASSERT_GT(old.size(), 100u);
    for (const CardIndex card : old) {
        const CardCell cell =
            inventory->table().cell(inventory->table().rowOf(card), CardColumn::Utilization);
        EXPECT_TRUE(cell.dimmed || cell.struck);
        EXPECT_FALSE(cell.text.isEmpty()) << "the last known value stays";
    }
    EXPECT_TRUE(test::waitUntil([this, &old] {
        const std::uint32_t stale = inventory->summary().stale;
        return stale > 0 && stale <= old.size();
    }));
    // After twenty they count no more, and the figure says on how many cards it rests.
    clock.shift(std::chrono::minutes(17));
    ASSERT_TRUE(test::waitUntil([this] {
        return aged(false).empty() && inventory->summary().utilizationReported == withUtilization(false);
    }));
    EXPECT_LT(inventory->summary().utilizationReported, reported);
    EXPECT_GT(withUtilization(true), 0u) << "the last known values are still there";

    pool->injectFault(PoolFault::Alive, south);
    EXPECT_TRUE(waitForRows(wanted));
    EXPECT_EQ(rowsOf(south), southern);
    EXPECT_TRUE(test::waitUntil([this, reported] {
        return aged(true).empty() && inventory->summary().clustersSilent == 0 &&
               inventory->summary().utilizationReported >= reported * 9 / 10;
    }));
    EXPECT_TRUE(inventory->summary().complete);
}

TEST_F(ClusterFaults, AClusterThatIsDeadFromTheStartIsReadInFullLater)
{
    addSessions();
    ASSERT_TRUE(waitUntilWhole());
    const auto wanted = rows();
    inventory->removeSource(3);
    ASSERT_TRUE(rowsOf(south).empty());
    pool->injectFault(PoolFault::Dead, south);
    addSession(optionsOf(pool->info().clusters.at(2)));
    ASSERT_TRUE(test::waitUntil([this] { return status(south).kubernetes.state == SourceState::Failed; }));
    EXPECT_TRUE(inventory->isPartial());
    EXPECT_TRUE(inventory->isComplete()) << "it has said why nothing comes";
    pool->injectFault(PoolFault::Alive, south);
    EXPECT_TRUE(waitForRows(wanted)) << "the cards of resource slices too";
    EXPECT_FALSE(status(south).kubernetesVersion.isEmpty());
}

} // namespace
} // namespace tongchi
