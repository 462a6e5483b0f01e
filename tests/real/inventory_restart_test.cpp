// The API server killed, as a crash would, and started again; etcd compacted meanwhile, so that nobody knows
// the versions any more from which the console would go on.

#include "platform/kubernetes/node_parser.h"
#include "platform/kubernetes/reflector.h"
#include "tests/real/support/raw_api.h"
#include "tests/real/support/real_inventory.h"

#include <QElapsedTimer>
#include <QJsonDocument>

namespace tongchi::real {
namespace {

const QString apiserver = QStringLiteral("apiserver");
const QStringList asAdministrator{QStringLiteral("--context"), QStringLiteral("real")};

QByteArray extraNode(const QByteArray &name)
{
    return R"([{"apiVersion": "v1", "kind": "Node",
        "metadata": {"name": ")" +
           name + R"(", "annotations": {"kwok.x-k8s.io/node": "fake"},
                     "labels": {"nvidia.com/gpu.product": "Tesla-T4", "nvidia.com/gpu.count": "2"}},
        "status": {"capacity": {"cpu": "64", "memory": "512Gi", "pods": "110", "nvidia.com/gpu": "2"},
                   "allocatable": {"cpu": "64", "memory": "512Gi", "pods": "110", "nvidia.com/gpu": "2"}}}])";
}

class InventoryRestart : public RealInventory
{
protected:
    void TearDown() override
    {
        (void)bed.kubectl({"delete", "node", "passing", "--ignore-not-found"});
        expectTruth("at the end");
    }
    std::unique_ptr<WatchedInventory> begin()
    {
        auto watch = std::make_unique<WatchedInventory>(bed, asAdministrator);
        EXPECT_TRUE(watch->waitFor([](const Cards &cards) { return !cards.empty(); }, patience))
            << watch->messages().toStdString();
        return watch;
    }
    /// Everything up to now, out of etcd.
    void compact()
    {
        const QJsonObject nodes = askApi(bed, "GET", QStringLiteral("/api/v1/nodes?limit=1")).object();
        const QString version = nodes.value(QLatin1String("metadata"))
                                    .toObject()
                                    .value(QLatin1String("resourceVersion"))
                                    .toString();
        const ApiReply done =
            askApi(bed, "POST", bed.url(QStringLiteral("etcd")) + QStringLiteral("/v3/kv/compaction"),
                   R"({"physical": true, "revision": ")" + version.toUtf8() + R"("})");
        EXPECT_EQ(done.status, 200) << done.body.toStdString();
    }
};

REAL_TEST_F(InventoryRestart, TheWatchGoesOnAfterAKill,
            "5: apiserver killed and restarted: the watch resumes, no duplicate, no ghost")
{
    bed.create(extraNode("passing"));
    const auto watch = begin();
    ASSERT_TRUE(watch->waitFor(
        [](const Cards &cards) { return cardsOfNode(cards, QStringLiteral("passing")).size() == 2; },
        patience));
    LiveInventory live(bed);
    live.open(QStringLiteral("real"));
    ASSERT_TRUE(live.waitUntilComplete());
    const std::size_t before = watch->cards().size();

    bed.kill(apiserver);
    ASSERT_TRUE(
        test::waitUntil([&live] { return live.status().kubernetes.state != SourceState::Live; }, patience));
    ASSERT_TRUE(test::waitUntil(
        [&watch] {
            return !watch->statesOf(QStringLiteral("real")).isEmpty() &&
                   watch->statesOf(QStringLiteral("real")).constLast() != QLatin1String("live");
        },
        patience));
    EXPECT_EQ(live.store().cardCount(), before) << "cards stay listed while the server is away";
    EXPECT_EQ(watch->cards().size(), before);
    WatchedInventory late(bed, asAdministrator);
    ASSERT_TRUE(late.waitFor([](const Cards &) { return true; }, patience))
        << "a start while it is away says so";
    EXPECT_TRUE(late.cards().empty());
    EXPECT_EQ(late.statesOf(QStringLiteral("real")), QStringList{QStringLiteral("failed")});

    bed.start(apiserver);
    QElapsedTimer timer;
    timer.start();
    (void)bed.kubectl({"delete", "node", "passing", "--wait=false"});
    (void)bed.kubectl({"cordon", "mlu-smlu"});
    const auto changesAreShown = [](const Cards &cards) {
        const auto cordoned = cardsOfNode(cards, QStringLiteral("mlu-smlu"));
        return cardsOfNode(cards, QStringLiteral("passing")).empty() && cordoned.size() == 4 &&
               !cordoned.begin()->second.value(QLatin1String("schedulable")).toBool();
    };
    EXPECT_TRUE(watch->waitFor(changesAreShown, patience))
        << "a deletion and a cordon right after the restart";
    std::printf("     shown %lld ms after the server was ready\n", static_cast<long long>(timer.elapsed()));
    EXPECT_TRUE(late.waitFor(changesAreShown, patience)) << "what began without a server is whole by itself";
    EXPECT_TRUE(live.reach(SourceState::Live));
    live.expectTruth("after the restart");
    expectSame(*watch, "after the restart");
    expectSame(late, "begun while the server was away");
    (void)bed.kubectl({"uncordon", "mlu-smlu"});
    EXPECT_TRUE(endedWell(watch->stop()));
    EXPECT_TRUE(endedWell(late.stop()));
}

REAL_TEST_F(InventoryRestart, KilledAgainAndAgainTheModelStaysRight,
            "5: apiserver killed three times while objects change: no duplicate, no ghost")
{
    const auto watch = begin();
    for (int round = 0; round < 3; ++round) {
        bed.create(extraNode("passing"));
        bed.kill(apiserver);
        bed.start(apiserver);
        (void)bed.kubectl({"delete", "node", "passing", "--wait=false"});
    }
    ASSERT_TRUE(watch->waitFor(
        [](const Cards &cards) { return cardsOfNode(cards, QStringLiteral("passing")).empty(); }, patience));
    expectSame(*watch, "after three kills");
}

/// What a list-and-watch of nodes has told.
class NodeNames final : public ResourceSink<NodeRecord>
{
public:
    void listStarted() override { m_listed.clear(); }
    void upsert(const NodeRecord &record) override
    {
        names[record.key.uid] = record.key.name;
        m_listed.insert(record.key.uid);
    }
    void removed(const ObjectKey &key) override { names.erase(key.uid); }
    void unreadable(const UnreadableObject &object) override { ADD_FAILURE() << object.reason; }
    void listFinished() override
    {
        std::erase_if(names, [this](const auto &entry) { return !m_listed.contains(entry.first); });
    }
    void stateChanged(const WatchState &) override {}

    std::map<std::string, std::string> names; ///< by uid

private:
    std::set<std::string> m_listed;
};

std::map<std::string, std::string> nodeNames(const Bed &bed)
{
    std::map<std::string, std::string> names;
    for (const QJsonValue &node :
         bed.kubectlObject({"get", "nodes"}).value(QLatin1String("items")).toArray()) {
        const QJsonObject metadata = node.toObject().value(QLatin1String("metadata")).toObject();
        names[metadata.value(QLatin1String("uid")).toString().toStdString()] =
            metadata.value(QLatin1String("name")).toString().toStdString();
    }
    return names;
}

REAL_TEST_F(InventoryRestart, AnOldVersionIsAnErrorInsideTheWatchAndTheConsoleComesThrough,
            "5: etcd compacted and restarted: an ERROR event inside a 200, 410 with a fresh continue token")
{
    bed.create(extraNode("passing"));
    LiveInventory live(bed);
    live.open(QStringLiteral("real"));
    const auto watch = begin();
    ASSERT_TRUE(live.waitUntilComplete());
    Services services;
    auto connection = services.sessionFor(bed.context(QStringLiteral("real")), {}).connect();
    ASSERT_TRUE(connection);
    StreamClient client(*connection);
    NodeNames sink;
    QString old; // version
    bool aged = false;
    // Bookmarks keep a version young; a console whose machine slept asks for one that is as old as this.
    const auto open = [&](HttpRequest request, StreamSink *receiver, std::chrono::milliseconds idle) {
        const auto version = request.path.indexOf("&resourceVersion=");
        if (!old.isEmpty() && version > 0 && !aged) {
            aged = true;
            request.path = request.path.left(version) + "&resourceVersion=" + old.toUtf8();
        }
        return client.open(request, receiver, idle);
    };
    Reflector<NodeRecord> nodes({.path = "/api/v1/nodes", .subject = QStringLiteral("nodes")}, open,
                                std::make_unique<NodeParser>(), &sink);
    nodes.start();
    ASSERT_TRUE(test::waitUntil([&nodes] { return nodes.state().phase == WatchPhase::Watching; }, patience));
    EXPECT_EQ(sink.names, nodeNames(bed));

    const QJsonObject page = askApi(bed, "GET", QStringLiteral("/api/v1/nodes?limit=2"))
                                 .object()
                                 .value(QLatin1String("metadata"))
                                 .toObject();
    old = page.value(QLatin1String("resourceVersion")).toString();
    const QString token = page.value(QLatin1String("continue")).toString();
    ASSERT_FALSE(token.isEmpty());
    for (const char *label : {"training", "inference"}) {
        const QByteArray text = QByteArray("tongchi.io/business=") + label;
        (void)bed.kubectl({"label", "node", "passing", text.constData(), "--overwrite"});
    }
    const QString watchOld = QStringLiteral("/api/v1/nodes?watch=1&timeoutSeconds=1&resourceVersion=") + old;
    const QString nextPage = QStringLiteral("/api/v1/nodes?limit=2&continue=") + token;
    compact();
    const ApiReply hidden = askApi(bed, "GET", watchOld);
    EXPECT_EQ(hidden.status, 200);
    ASSERT_GE(hidden.events().size(), 2) << "the watch cache hides a compaction alone";
    EXPECT_EQ(hidden.events().first().value(QLatin1String("type")), QStringLiteral("MODIFIED"));

    bed.kill(apiserver);
    bed.start(apiserver);
    const ApiReply expired = askApi(bed, "GET", watchOld);
    EXPECT_EQ(expired.status, 200) << "the error is inside";
    ASSERT_EQ(expired.events().size(), 1) << expired.body.toStdString();
    EXPECT_EQ(expired.events().first().value(QLatin1String("type")), QStringLiteral("ERROR"));
    const QJsonObject why = expired.events().first().value(QLatin1String("object")).toObject();
    EXPECT_EQ(why.value(QLatin1String("code")), 410);
    EXPECT_EQ(why.value(QLatin1String("reason")), QStringLiteral("Expired"));
    const ApiReply gone = askApi(bed, "GET", nextPage);
    EXPECT_EQ(gone.status, 410) << gone.body.toStdString();
    const QString fresh =
        gone.object().value(QLatin1String("metadata")).toObject().value(QLatin1String("continue")).toString();
    EXPECT_FALSE(fresh.isEmpty() || fresh == token) << gone.body.toStdString();

    (void)bed.kubectl({"delete", "node", "passing", "--wait=false"});
    EXPECT_TRUE(test::waitUntil(
        [&] { return nodes.state().relists >= 1 && nodes.state().phase == WatchPhase::Watching; }, patience))
        << "its version was too old: it has listed anew";
    EXPECT_TRUE(aged);
    EXPECT_TRUE(test::waitUntil([&] { return sink.names == nodeNames(bed); }, patience));
    live.expectTruth("after the compaction");
    expectSame(*watch, "after the compaction");
}

REAL_TEST_F(InventoryRestart, PagesThatExpireUnderWayAreReadAnew,
            "5: a continue token expires between two pages: the list is whole, none is stale")
{
    Services services;
    auto connection = services.sessionFor(bed.context(QStringLiteral("real")), {}).connect();
    ASSERT_TRUE(connection);
    StreamClient client(*connection);
    NodeNames sink;
    bool broken = false;
    std::vector<QByteArray> asked;
    // Before the second page, what the first one's token stands for is taken away, and a node of the first
    // page too.
    const auto open = [&](const HttpRequest &request, StreamSink *receiver, std::chrono::milliseconds idle) {
        asked.push_back(request.path);
        if (!broken && request.path.contains("continue=")) {
            broken = true;
            (void)bed.kubectl({"cordon", "ascend-910b3"}); // of the first page
            (void)bed.kubectl({"uncordon", "ascend-910b3"});
            compact();
            bed.kill(apiserver);
            bed.start(apiserver);
        }
        return client.open(request, receiver, idle);
    };
    Reflector<NodeRecord> nodes(
        {.path = "/api/v1/nodes", .subject = QStringLiteral("nodes"), .pageSize = 5, .pages = true}, open,
        std::make_unique<NodeParser>(), &sink);
    nodes.start();
    ASSERT_TRUE(
        test::waitUntil([&nodes] { return nodes.state().phase == WatchPhase::Watching; }, 2 * patience))
        << (nodes.state().error ? englishText(*nodes.state().error).toStdString() : "no error");
    EXPECT_TRUE(broken);
    EXPECT_EQ(sink.names, nodeNames(bed));
    ASSERT_GE(asked.size(), 3u);
    EXPECT_EQ(asked.at(2), "/api/v1/nodes") << "at once, and the newest";
}

} // namespace
} // namespace tongchi::real
