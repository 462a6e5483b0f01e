// What `tongchi inventory` says of nodes in every encoding in which cards appear, on a real API server with a
// real Prometheus, and how it ends.

#include "tests/real/support/real_inventory.h"

namespace tongchi::real {
namespace {

class InventoryList : public RealInventory
{
protected:
    /// Contexts and further arguments, with the exit code that they have to give.
    Finished runFor(int code, const QStringList &contexts, const QStringList &more = {}) const
    {
        QStringList arguments = more;
        for (const QString &context : contexts)
            arguments << QStringLiteral("--context") << context;
        const Finished done = run(arguments);
        EXPECT_EQ(done.code, code) << contexts.join(QLatin1Char(' ')).toStdString() << ": "
                                   << done.messages.toStdString();
        return done;
    }
};

/// Of the keys that are expected; of slices only the number is.
void expectCard(const QJsonObject &card, const QJsonObject &expected, const std::string &name)
{
    for (auto it = expected.begin(); it != expected.end(); ++it) {
        const QJsonValue shown = it.key() == QLatin1String("slices")
                                     ? QJsonValue(card.value(it.key()).toArray().size())
                                     : card.value(it.key());
        EXPECT_EQ(shown, it.value()) << name << ": " << it.key().toStdString();
    }
}

void expectNode(const Cards &cards, const QJsonObject &node)
{
    const QString name = node.value(QLatin1String("name")).toString();
    const auto shown = cardsOfNode(cards, name);
    const QJsonArray expected = node.value(QLatin1String("cards")).toArray();
    EXPECT_EQ(qsizetype(shown.size()), expected.size()) << name.toStdString();
    for (qsizetype slot = 0; slot < expected.size(); ++slot) {
        const auto card = shown.find(int(slot));
        if (card == shown.end()) {
            ADD_FAILURE() << name.toStdString() << " has no card " << slot;
            continue;
        }
        QJsonObject wanted = expected.at(slot).toObject();
        wanted.insert(QStringLiteral("region"), QStringLiteral("beijing"));
        if (!wanted.contains(QLatin1String("schedulable")))
            wanted.insert(QStringLiteral("schedulable"), node.value(QLatin1String("schedulable")));
        expectCard(card->second, wanted, name.toStdString() + ' ' + std::to_string(slot));
    }
}

REAL_TEST_F(InventoryList, EveryNodesCardsWithTelemetry,
            "5: cards in every encoding with values from the real Prometheus")
{
    const QJsonObject expected = expectedCards(bed);
    const Finished done = runFor(0, {QStringLiteral("real")},
                                 {QStringLiteral("--prometheus"), bed.url(QStringLiteral("prometheus"))});
    const QJsonObject document = done.object();
    const QJsonObject cluster = clusterOf(document, QStringLiteral("real"));
    EXPECT_EQ(cluster.value(QLatin1String("state")), QStringLiteral("live"));
    EXPECT_EQ(cluster.value(QLatin1String("kubernetes_version")), QStringLiteral("v1.36.3"));
    EXPECT_EQ(cluster.value(QLatin1String("unreadable_objects")), 0);
    EXPECT_EQ(cluster.value(QLatin1String("notes")).toArray(), QJsonArray());
    const Cards cards = cardsOf(document);
    qsizetype all = 0;
    for (const QJsonValue &node : expected.value(QLatin1String("nodes")).toArray()) {
        expectNode(cards, node.toObject());
        all += node.toObject().value(QLatin1String("cards")).toArray().size();
    }
    EXPECT_EQ(qsizetype(cards.size()), all);
    EXPECT_EQ(document.value(QLatin1String("totals")).toObject().value(QLatin1String("cards")), all);
    std::printf("     %zu cards after %lld ms\n", cards.size(), static_cast<long long>(done.took.count()));
}

REAL_TEST_F(InventoryList, EachPodOnItsCards, "5: pods, claims and held counts by card")
{
    const QJsonObject expected = expectedCards(bed), document = inventory();
    const QString space = expected.value(QLatin1String("namespace")).toString();
    const QJsonObject workloads = expected.value(QLatin1String("workloads")).toObject();
    const Cards cards = cardsOf(document);
    for (auto pod = workloads.begin(); pod != workloads.end(); ++pod) {
        QJsonArray slots;
        for (const auto &[identity, card] : cards) {
            QJsonArray holders = card.value(QLatin1String("workloads")).toArray();
            for (const QJsonValue &slice : card.value(QLatin1String("slices")).toArray())
                holders << slice.toObject().value(QLatin1String("workload"));
            if (!holders.contains(QString(space + QLatin1Char('/') + pod.key())))
                continue;
            slots << card.value(QLatin1String("slot"));
            EXPECT_EQ(card.value(QLatin1String("node")), pod->toObject().value(QLatin1String("node")))
                << pod.key().toStdString();
        }
        EXPECT_EQ(slots, pod->toObject().value(QLatin1String("slots")).toArray()) << pod.key().toStdString();
    }
    const QJsonObject held = expected.value(QLatin1String("held")).toObject();
    for (auto count = held.begin(); count != held.end(); ++count)
        EXPECT_EQ(nodeOf(document, count.key()).value(QLatin1String("held")), count.value())
            << count.key().toStdString();
    expectTruth("at rest");
}

REAL_TEST_F(InventoryList, WithoutAPrometheusNothingIsMeasured, "5: what nobody reports is null")
{
    const QJsonObject document = inventory();
    EXPECT_EQ(clusterOf(document, QStringLiteral("real"))
                  .value(QLatin1String("metrics"))
                  .toObject()
                  .value(QLatin1String("state")),
              QStringLiteral("missing"));
    for (const auto &[identity, card] : cardsOf(document)) {
        for (const char *key :
             {"utilization_percent", "memory_used_bytes", "temperature_celsius", "power_watts"})
            EXPECT_TRUE(card.contains(QLatin1String(key)) && card.value(QLatin1String(key)).isNull())
                << identity.toStdString() << ' ' << key;
    }
}

REAL_TEST_F(InventoryList, ExitCodesSayHowItWent, "5: exit codes 0, 1, 2 and 3")
{
    const Finished viewer = runFor(0, {QStringLiteral("viewer")});
    const auto count = cardsOf(viewer.object()).size();
    EXPECT_EQ(count, cardsOf(inventory()).size()) << "a viewer sees all cards";
    const Finished huawei =
        runFor(0, {QStringLiteral("real")}, {QStringLiteral("--filter"), QStringLiteral("vendor:huawei")});
    EXPECT_EQ(cardsOf(huawei.object()).size(), 22u);
    const Finished partial = runFor(3, {QStringLiteral("real"), QStringLiteral("dead")});
    EXPECT_EQ(clusterOf(partial.object(), QStringLiteral("real")).value(QLatin1String("state")),
              QStringLiteral("live"));
    EXPECT_EQ(clusterOf(partial.object(), QStringLiteral("dead")).value(QLatin1String("state")),
              QStringLiteral("failed"));
    EXPECT_EQ(cardsOf(partial.object()).size(), count) << "the living one is listed whole";
    (void)runFor(3, {QStringLiteral("real")},
                 {QStringLiteral("--prometheus"), QStringLiteral("http://127.0.0.1:9")});
    const Finished nowhere = runFor(1, {QStringLiteral("nowhere")});
    EXPECT_TRUE(nowhere.messages.contains("nowhere")) << nowhere.messages.toStdString();
    (void)runFor(2, {QStringLiteral("real")}, {QStringLiteral("--no-such-option")});
}

REAL_TEST_F(InventoryList, NoOutputHoldsAToken, "5: a token is in no output")
{
    const std::pair<const char *, const char *> contexts[] = {{"token", "admin-token"},
                                                              {"viewer", "viewer-token"},
                                                              {"stranger", "stranger-token"},
                                                              {"expired", "expired-token"}};
    for (const auto &[context, token] : contexts) {
        for (const char *output : {"json", "yaml", "csv", "table"}) {
            const Finished done =
                bed.tongchi({QStringLiteral("inventory"), QStringLiteral("--kubeconfig"),
                             bed.kubeconfigPath(), QStringLiteral("--context"), QString::fromUtf8(context),
                             QStringLiteral("--output"), QString::fromUtf8(output)});
            EXPECT_FALSE(done.output.isEmpty()) << context << ' ' << output;
            EXPECT_FALSE(done.output.contains(token)) << context << ' ' << output;
            EXPECT_FALSE(done.messages.contains(token)) << context << ' ' << output;
        }
    }
}

} // namespace
} // namespace tongchi::real
