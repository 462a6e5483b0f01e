// What kubectl changes shows in `tongchi inventory --watch` at once, and afterwards the list is what kubectl
// says. Every test leaves the cluster as it found it.

#include "tests/real/support/real_inventory.h"

#include <QElapsedTimer>
#include <QJsonDocument>

namespace tongchi::real {
namespace {

class InventoryChanges : public RealInventory
{
protected:
    void SetUp() override
    {
        watch = std::make_unique<WatchedInventory>(
            bed, QStringList{QStringLiteral("--context"), QStringLiteral("real")});
        ASSERT_TRUE(watch->waitFor([](const Cards &cards) { return !cards.empty(); }, patience))
            << watch->messages().toStdString();
    }
    void TearDown() override
    {
        expectSame(*watch, "at the end");
        expectTruth("at the end");
        EXPECT_TRUE(watch->isRunning());
        EXPECT_EQ(watch->stop(), 0) << "ended as a service manager would end it";
    }
    /// Runs kubectl and waits for what it did. Returns how long after its end that was shown.
    template <typename Shown>
    std::chrono::milliseconds show(std::initializer_list<const char *> kubectl, Shown shown)
    {
        (void)bed.kubectl(kubectl);
        QElapsedTimer timer;
        timer.start();
        EXPECT_TRUE(watch->waitFor(shown, patience)) << (kubectl.begin()[0]);
        return std::chrono::milliseconds(timer.elapsed());
    }
    /// The promise is held by the quickest of some, so that a machine that builds beside us breaks no test.
    static void expectPrompt(const char *what, const std::vector<std::chrono::milliseconds> &delays)
    {
        std::string text;
        for (const auto delay : delays)
            text += ' ' + std::to_string(delay.count());
        std::printf("     %s: shown%s ms after kubectl's end\n", what, text.c_str());
        EXPECT_LE(*std::min_element(delays.begin(), delays.end()), promisedDelay) << what;
    }
    template <typename Condition> static auto every(const char *node, Condition condition)
    {
        return [name = QString::fromUtf8(node), condition](const Cards &cards) {
            const auto some = cardsOfNode(cards, name);
            return !some.empty() && std::all_of(some.begin(), some.end(),
                                                [&](const auto &entry) { return condition(entry.second); });
        };
    }
    static auto none(const char *node)
    {
        return
            [name = QString::fromUtf8(node)](const Cards &cards) { return cardsOfNode(cards, name).empty(); };
    }
    std::unique_ptr<WatchedInventory> watch;
};

REAL_TEST_F(InventoryChanges, ALabelShowsAtOnce,
            "5: after a label the list equals kubectl's truth, within a second")
{
    std::vector<std::chrono::milliseconds> delays;
    for (const char *label : {"training", "inference", "mixed"}) {
        const QByteArray text = QByteArray("tongchi.io/business=") + label;
        delays.push_back(show({"label", "node", "labels-h100", text.constData(), "--overwrite"},
                              every("labels-h100", [label](const QJsonObject &card) {
                                  return card.value(QLatin1String("node_business_label")) ==
                                         QLatin1String(label);
                              })));
    }
    expectTruth("labelled");
    delays.push_back(show({"label", "node", "labels-h100", "tongchi.io/business-"},
                          every("labels-h100", [](const QJsonObject &card) {
                              return card.value(QLatin1String("node_business_label")).isNull();
                          })));
    expectPrompt("label", delays);
}

REAL_TEST_F(InventoryChanges, CordonAndUncordonShowAtOnce,
            "5: after cordon and uncordon the list equals kubectl's truth")
{
    std::vector<std::chrono::milliseconds> delays;
    for (int i = 0; i < 2; ++i) {
        delays.push_back(show({"cordon", "hami-old"}, every("hami-old", [](const QJsonObject &card) {
                                  return !card.value(QLatin1String("schedulable")).toBool();
                              })));
        expectTruth("cordoned");
        delays.push_back(show({"uncordon", "hami-old"}, every("hami-old", [](const QJsonObject &card) {
                                  return card.value(QLatin1String("schedulable")).toBool();
                              })));
    }
    expectPrompt("cordon and uncordon", delays);
}

REAL_TEST_F(InventoryChanges, APodsEndShowsAtOnce,
            "5: after a pod's deletion its cards are free, within a second")
{
    const QJsonObject pod = plainObject(bed.kubectlObject({"-n", "cards", "get", "pod", "npu-job"}));
    const auto isHeld = [](const Cards &cards) {
        return std::any_of(cards.begin(), cards.end(), [](const auto &entry) {
            return entry.second.value(QLatin1String("workloads"))
                .toArray()
                .contains(QStringLiteral("cards/npu-job"));
        });
    };
    std::vector<std::chrono::milliseconds> delays;
    for (int i = 0; i < 2; ++i) {
        delays.push_back(
            show({"-n", "cards", "delete", "pod", "npu-job", "--grace-period=0", "--force", "--wait=true"},
                 [&isHeld](const Cards &cards) { return !isHeld(cards); }));
        expectTruth("without the pod");
        bed.create(QJsonArray{pod});
        ASSERT_TRUE(watch->waitFor(isHeld, patience)) << "its successor is shown";
    }
    expectPrompt("a pod's deletion", delays);
    (void)bed.kubectl({"-n", "cards", "wait", "--for=condition=Ready", "pod/npu-job", "--timeout=30s"});
}

REAL_TEST_F(InventoryChanges, ANodeDeletedAndMadeAgainIsANewOne,
            "5: a node deleted and made again: no duplicate, no ghost, nothing of the old one")
{
    const auto uidOf = [](const QJsonObject &node) {
        return node.value(QLatin1String("metadata")).toObject().value(QLatin1String("uid")).toString();
    };
    const QJsonObject first = bed.kubectlObject({"get", "node", "unknown-vendor"});
    QJsonObject successor = plainObject(first);
    // The same machine as one would register it: fewer cards, and of the old one no label.
    QJsonObject status = successor.value(QLatin1String("status")).toObject();
    for (const char *amounts : {"capacity", "allocatable"}) {
        QJsonObject amount = status.value(QLatin1String(amounts)).toObject();
        amount.insert(QStringLiteral("example.com/npu9"), QStringLiteral("2"));
        status.insert(QLatin1String(amounts), amount);
    }
    status.remove(QStringLiteral("conditions"));
    successor.insert(QStringLiteral("status"), status);
    successor.remove(QStringLiteral("spec"));
    std::vector<std::chrono::milliseconds> delays;
    delays.push_back(show({"delete", "node", "unknown-vendor"}, none("unknown-vendor")));
    expectTruth("without the node");
    bed.create(QJsonArray{successor});
    EXPECT_TRUE(watch->waitFor(
        [](const Cards &cards) { return cardsOfNode(cards, QStringLiteral("unknown-vendor")).size() == 2; },
        patience));
    EXPECT_NE(uidOf(bed.kubectlObject({"get", "node", "unknown-vendor"})), uidOf(first));
    (void)bed.kubectl({"wait", "--for=condition=Ready", "node/unknown-vendor", "--timeout=30s"});
    // Too quick for anybody to see it gone: what comes next is another node all the same.
    delays.push_back(show({"delete", "node", "unknown-vendor"}, none("unknown-vendor")));
    successor = plainObject(first);
    successor.remove(QStringLiteral("spec"));
    bed.create(QJsonArray{successor});
    EXPECT_TRUE(watch->waitFor(
        [](const Cards &cards) { return cardsOfNode(cards, QStringLiteral("unknown-vendor")).size() == 4; },
        patience));
    (void)bed.kubectl({"wait", "--for=condition=Ready", "node/unknown-vendor", "--timeout=30s"});
    expectPrompt("a node's deletion", delays);
}

REAL_TEST_F(InventoryChanges, PodsOfEveryControllerAreCounted,
            "5: pods of Deployments, Jobs, StatefulSets and claims that hold cards come and go")
{
    expectTruth("as it is");
    (void)bed.kubectl({"-n", "cards", "scale", "deployment/chat", "--replicas=1"});
    (void)bed.kubectl({"-n", "cards", "scale", "statefulset/embed", "--replicas=4"});
    (void)bed.kubectl({"-n", "cards", "scale", "deployment/rank", "--replicas=1"});
    (void)bed.kubectl({"-n", "cards", "rollout", "status", "statefulset/embed", "--timeout=60s"});
    const auto held = [this](const char *node) {
        return nodeOf(inventory(), QString::fromUtf8(node)).value(QLatin1String("held")).toInt();
    };
    EXPECT_TRUE(test::waitUntil(
        [&] { return held("labels-a10") == 1 && held("ascend-910b4") == 8 && held("dra-pool") == 1; },
        patience));
    expectTruth("scaled");
    (void)bed.kubectl({"-n", "cards", "scale", "deployment/chat", "deployment/rank", "--replicas=3"});
    (void)bed.kubectl({"-n", "cards", "scale", "statefulset/embed", "--replicas=2"});
    for (const char *workload : {"deployment/chat", "deployment/rank"})
        (void)bed.kubectl({"-n", "cards", "rollout", "status", workload, "--timeout=60s"});
    EXPECT_TRUE(test::waitUntil(
        [&] { return held("labels-a10") == 3 && held("ascend-910b4") == 4 && held("dra-pool") == 3; },
        patience));
}

} // namespace
} // namespace tongchi::real
