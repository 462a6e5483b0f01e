// A cluster that grows to a thousand nodes, and pods that come and go faster than anybody reads: once it is
// quiet the model is what kubectl says.

#include "tests/real/support/real_inventory.h"

#include <QElapsedTimer>
#include <QJsonDocument>
#include <cstdlib>

namespace tongchi::real {
namespace {

QJsonObject objectOf(const QByteArray &text)
{
    const QJsonDocument document = QJsonDocument::fromJson(text);
    EXPECT_TRUE(document.isObject()) << text.toStdString();
    return document.object();
}

/// A node that says of itself that it is ready; kwok has no hand in it.
QJsonObject plainNode(const QByteArray &name, const QByteArray &label)
{
    return objectOf(QByteArray(R"({"apiVersion": "v1", "kind": "Node",
        "metadata": {"name": "NAME", "labels": {"LABEL": "yes", "nvidia.com/gpu.product": "NVIDIA-H100-80GB-HBM3",
                     "nvidia.com/gpu.count": "8", "nvidia.com/gpu.memory": "81559"}},
        "status": {"conditions": [{"type": "Ready", "status": "True", "reason": "KubeletReady"}],
                   "capacity": {"cpu": "64", "memory": "512Gi", "pods": "110", "nvidia.com/gpu": "8"},
                   "allocatable": {"cpu": "64", "memory": "512Gi", "pods": "110", "nvidia.com/gpu": "8"}}})")
                        .replace("NAME", name)
                        .replace("LABEL", label));
}

class InventoryGrowth : public RealInventory
{
protected:
    void SetUp() override
    {
        live.open(QStringLiteral("real"));
        watch = std::make_unique<WatchedInventory>(
            bed, QStringList{QStringLiteral("--context"), QStringLiteral("real")});
        ASSERT_TRUE(live.waitUntilComplete());
        ASSERT_TRUE(watch->waitFor([](const Cards &cards) { return !cards.empty(); }, patience))
            << watch->messages().toStdString();
    }
    void TearDown() override
    {
        live.expectTruth("at the end");
        expectSame(*watch, "at the end");
    }
    /// Both consoles list so many cards.
    bool waitForCards(std::size_t count)
    {
        return test::waitUntil(
            [&] { return live.store().cardCount() == count && watch->cards().size() == count; },
            2 * patience);
    }
    /// Several kubectl at once: one alone keeps to fifty requests a second.
    void createInParallel(const QList<QJsonArray> &lists) const
    {
        std::vector<std::unique_ptr<QProcess>> creating;
        for (const QJsonArray &list : lists) {
            creating.push_back(std::make_unique<QProcess>());
            creating.back()->start(bed.fact(QStringLiteral("kubectl")).toString(),
                                   {QStringLiteral("--kubeconfig"), bed.kubeconfigPath(),
                                    QStringLiteral("create"), QStringLiteral("-f"), QStringLiteral("-")});
            creating.back()->write(
                QJsonDocument(QJsonObject{{QStringLiteral("apiVersion"), QStringLiteral("v1")},
                                          {QStringLiteral("kind"), QStringLiteral("List")},
                                          {QStringLiteral("items"), list}})
                    .toJson(QJsonDocument::Compact));
            creating.back()->closeWriteChannel();
        }
        for (const auto &process : creating) {
            EXPECT_TRUE(process->waitForFinished(120'000));
            EXPECT_EQ(process->exitCode(), 0) << process->readAllStandardError().toStdString();
        }
    }

    LiveInventory live{bed};
    std::unique_ptr<WatchedInventory> watch;
};

REAL_TEST_F(InventoryGrowth, AThousandNodesComeAndGo,
            "5: growth to 1,000 nodes: the model equals kubectl's truth")
{
    const std::size_t before = watch->cards().size();
    const auto nodesBefore =
        bed.kubectlObject({"get", "nodes"}).value(QLatin1String("items")).toArray().size();
    QList<QJsonArray> lists(4);
    for (qsizetype number = nodesBefore; number < 1'000; ++number)
        lists[number % lists.size()] << plainNode("grown-" + QByteArray::number(number), "growth");
    const std::size_t grown = before + 8 * std::size_t(1'000 - nodesBefore);
    QElapsedTimer timer;
    timer.start();
    createInParallel(lists);
    const qint64 created = timer.restart();
    EXPECT_TRUE(waitForCards(grown)) << live.store().cardCount() << ", " << watch->cards().size() << " of "
                                     << grown;
    std::printf("     1,000 nodes made in %lld ms, %zu cards shown %lld ms later\n",
                static_cast<long long>(created), grown, static_cast<long long>(timer.elapsed()));
    live.expectTruth("grown");
    expectSame(*watch, "grown");
    // kubectl would delete one after the other.
    (void)bed.kubectl({"delete", "--raw", "/api/v1/nodes?labelSelector=growth%3Dyes"});
    timer.start();
    EXPECT_TRUE(waitForCards(before))
        << live.store().cardCount() << ", " << watch->cards().size() << " of " << before;
    std::printf("     %zu cards shown %lld ms after the nodes' end\n", before,
                static_cast<long long>(timer.elapsed()));
}

REAL_TEST_F(InventoryGrowth, PodsThatChurnAreCountedOnceItIsQuiet,
            "5: pods churning at 100 a second, then quiet: the model equals kubectl's truth")
{
    const QStringList names{QStringLiteral("churn-a"), QStringLiteral("churn-b"), QStringLiteral("churn-c"),
                            QStringLiteral("churn-d")};
    QJsonArray nodes;
    for (const QString &name : names)
        nodes << plainNode(name.toUtf8(), "churning");
    const std::size_t before = watch->cards().size();
    bed.create(nodes);
    ASSERT_TRUE(waitForCards(before + 8 * std::size_t(names.size())));
    double load = 1;
    ASSERT_EQ(getloadavg(&load, 1), 1);
    QProcess churner;
    churner.setWorkingDirectory(QStringLiteral(TONGCHI_SOURCE_DIR "/tests/real"));
    quint64 told = 0;
    QObject::connect(&live.controller(), &InventoryController::cardsChanged, &churner, [&told] { ++told; });
    {
        // Two cores are for the server and the consoles: nobody places these pods, and nobody runs them.
        const Pause kwok(bed, QStringLiteral("kwok")), scheduler(bed, QStringLiteral("scheduler")),
            controllers(bed, QStringLiteral("controller-manager"));
        churner.start(QStringLiteral("python3"),
                      {QStringLiteral("-m"), QStringLiteral("bed.churn"), bed.folder(),
                       names.join(QLatin1Char(',')), QStringLiteral("500"), QStringLiteral("100")});
        ASSERT_TRUE(churner.waitForStarted());
        EXPECT_TRUE(test::waitUntil([&] { return churner.state() == QProcess::NotRunning; }, 2 * patience));
    }
    EXPECT_EQ(churner.exitCode(), 0) << churner.readAllStandardError().toStdString();
    const QJsonObject made = objectOf(churner.readAllStandardOutput());
    const double perSecond = made.value(QLatin1String("per_second")).toDouble();
    std::printf(
        "     %.0f pods came and went a second at a load of %.1f; the models changed %llu times meanwhile\n",
        perSecond, load, static_cast<unsigned long long>(told));
    EXPECT_EQ(made.value(QLatin1String("pods")).toInt(), 500);
    // A hundred a second are asked for; what comes of it is the server's speed on this machine, not ours.
    EXPECT_GE(perSecond, 10);
    EXPECT_GT(told, 10u) << "it followed meanwhile";
    live.expectTruth("quiet again");
    EXPECT_EQ(nodeOf(live.document(), names.first()).value(QLatin1String("held")), 1) << "the last ones stay";
    expectSame(*watch, "quiet again");
    (void)bed.kubectl(
        {"delete", "--raw", "/api/v1/namespaces/cards/pods?labelSelector=churn%3Dyes&gracePeriodSeconds=0"});
    (void)bed.kubectl({"delete", "nodes", "-l", "churning=yes"});
    EXPECT_TRUE(waitForCards(before));
}

} // namespace
} // namespace tongchi::real
