// The embedded pool held against the real programs: a real API server takes its nodes, a real Prometheus its
// exporters' pages, and the console sees the same cards.

#include "tests/real/support/raw_api.h"
#include "tests/real/support/real_inventory.h"

#include <QElapsedTimer>
#include <QJsonDocument>
#include <QTemporaryDir>
#include <cmath>

namespace tongchi::real {
namespace {

const QString secondPrometheus = QStringLiteral("prometheus-of-the-pool");

/// `tongchi pool serve` with one cluster, and its kubeconfig.
class ServedPool
{
public:
    ServedPool(const Bed &bed, int cards)
    {
        m_process.setStandardErrorFile(QProcess::nullDevice());
        m_process.start(bed.program(),
                        {QStringLiteral("pool"), QStringLiteral("serve"), QStringLiteral("--cards"),
                         QString::number(cards), QStringLiteral("--clusters"), QStringLiteral("1"),
                         QStringLiteral("--write-kubeconfig"), kubeconfig()});
        EXPECT_TRUE(test::waitUntil([this] { return m_process.canReadLine(); }, patience))
            << "the pool is not ready";
        m_ready = QJsonDocument::fromJson(m_process.readLine()).object();
    }
    ~ServedPool()
    {
        m_process.terminate();
        m_process.waitForFinished();
    }
    QString kubeconfig() const { return m_folder.filePath(QStringLiteral("kubeconfig")); }
    QUrl prometheus() const
    {
        return QUrl(m_ready.value(QLatin1String("endpoints"))
                        .toObject()
                        .begin()
                        ->toObject()
                        .value(QLatin1String("prometheus"))
                        .toString());
    }

private:
    QTemporaryDir m_folder;
    QProcess m_process;
    QJsonObject m_ready;
};

QString nameOf(const QJsonObject &object, const char *part = "name")
{
    return object.value(QLatin1String("metadata")).toObject().value(QLatin1String(part)).toString();
}

class InventoryPool : public RealInventory
{
protected:
    Finished runOver(const ServedPool &pool, const QStringList &more = {}) const
    {
        return bed.tongchi(QStringList{QStringLiteral("inventory"), QStringLiteral("--kubeconfig"),
                                       pool.kubeconfig(), QStringLiteral("--output"),
                                       QStringLiteral("json")} +
                           more);
    }
    QJsonArray objectsOf(const ServedPool &pool) const
    {
        QJsonArray all;
        for (const char *kind : {"nodes", "configmaps", "resourceslices"}) {
            const Finished done =
                runProgram(bed.fact(QStringLiteral("kubectl")).toString(),
                           {QStringLiteral("--kubeconfig"), pool.kubeconfig(), QStringLiteral("get"),
                            QString::fromUtf8(kind), QStringLiteral("-A"), QStringLiteral("-o"),
                            QStringLiteral("json")});
            EXPECT_EQ(done.code, 0) << done.messages.toStdString();
            for (const QJsonValue &item : done.object().value(QLatin1String("items")).toArray()) {
                const QJsonObject object = plainObject(item.toObject());
                // A server makes this one itself, in every namespace.
                if (nameOf(object) != QLatin1String("kube-root-ca.crt"))
                    all << object;
            }
        }
        return all;
    }
    QByteArray kubectlWith(const QJsonArray &objects, const QStringList &arguments) const
    {
        const QJsonObject list{{QStringLiteral("apiVersion"), QStringLiteral("v1")},
                               {QStringLiteral("kind"), QStringLiteral("List")},
                               {QStringLiteral("items"), objects}};
        return bed.kubectl(arguments + QStringList{QStringLiteral("-f"), QStringLiteral("-")},
                           QJsonDocument(list).toJson(QJsonDocument::Compact));
    }
};

/// Pods are not copied, so neither workloads nor what is lent to them; whether a node is ready is not the
/// pool's word there.
std::map<QString, QJsonObject> copiedFacts(const QJsonObject &document, const std::set<QString> &nodes)
{
    std::map<QString, QJsonObject> facts;
    for (const auto &[identity, card] : cardsOf(document)) {
        if (!nodes.contains(card.value(QLatin1String("node")).toString()))
            continue;
        QJsonObject kept;
        for (const char *key : {"vendor", "model", "model_reported", "variant", "uuid", "memory_bytes",
                                "numa_node", "shares", "region"})
            kept.insert(QLatin1String(key), card.value(QLatin1String(key)));
        facts.emplace(identity.section(QLatin1Char(' '), 1), kept);
    }
    return facts;
}

REAL_TEST_F(InventoryPool, ItsNodesAreTakenByARealServerAndShowTheSameCards,
            "5: the pool's nodes copied to the real API server show the same cards")
{
    QJsonArray objects;
    QJsonObject wanted;
    {
        const ServedPool pool(bed, 600);
        objects = objectsOf(pool);
        // The real server has no exporters of these nodes either.
        const Finished done =
            runOver(pool, {QStringLiteral("--prometheus"), QStringLiteral("http://127.0.0.1:9")});
        EXPECT_EQ(done.code, 3) << done.messages.toStdString();
        wanted = done.object();
    }
    std::set<QString> nodes, spaces;
    for (const QJsonValue &object : std::as_const(objects)) {
        if (object.toObject().value(QLatin1String("kind")) == QStringLiteral("Node"))
            nodes.insert(nameOf(object.toObject()));
        spaces.insert(nameOf(object.toObject(), "namespace"));
    }
    spaces.erase(QString()); // of nodes and slices
    for (const QJsonValue &space :
         bed.kubectlObject({"get", "namespaces"}).value(QLatin1String("items")).toArray())
        spaces.erase(nameOf(space.toObject()));
    for (const QString &space : spaces)
        (void)bed.kubectl({QStringLiteral("create"), QStringLiteral("namespace"), space});
    QElapsedTimer timer;
    timer.start();
    (void)kubectlWith(objects, {QStringLiteral("create"), QStringLiteral("--validate=strict")});
    std::printf("     %lld objects of the pool taken in %lld ms\n", static_cast<long long>(objects.size()),
                static_cast<long long>(timer.elapsed()));
    const auto fromPool = copiedFacts(wanted, nodes), fromServer = copiedFacts(inventory(), nodes);
    EXPECT_EQ(fromPool.size(), 600u);
    EXPECT_TRUE(fromPool == fromServer) << differenceOf(fromServer, fromPool);
    (void)kubectlWith(objects, {QStringLiteral("delete"), QStringLiteral("--wait=false")});
    for (const QString &space : spaces)
        (void)bed.kubectl(
            {QStringLiteral("delete"), QStringLiteral("namespace"), space, QStringLiteral("--wait=false")});
    expectTruth("the copies are gone");
}

/// What both Prometheus say of the cards; the load moves between two reads, and with a pod that begins or
/// ends some cards' load jumps. Another unit would be seen in all cards of a vendor, another card's value in
/// all of a node.
void compareTelemetry(const QJsonObject &wanted, const QJsonObject &found)
{
    const Cards real = cardsOf(found);
    QStringList missing, extra, far;
    for (const auto &[identity, card] : cardsOf(wanted)) {
        const auto at = real.find(identity);
        ASSERT_NE(at, real.end()) << identity.toStdString();
        for (const char *key :
             {"utilization_percent", "memory_used_bytes", "temperature_celsius", "power_watts"}) {
            const QJsonValue want = card.value(QLatin1String(key)),
                             have = at->second.value(QLatin1String(key));
            const QString name = identity + QLatin1Char(' ') + QLatin1String(key);
            if (have.isNull() != want.isNull()) {
                (have.isNull() ? missing : extra) << name;
            } else if (!have.isNull()) {
                const double a = have.toDouble(), b = want.toDouble();
                if (std::abs(a - b) > std::max(0.5 * std::max(a, b), a < 1'000 ? 30 : 8e9))
                    far << name;
            }
        }
    }
    EXPECT_TRUE(missing.isEmpty()) << "what the pool's own Prometheus reports, a real one does: "
                                   << missing.mid(0, 3).join(QLatin1String(", ")).toStdString();
    EXPECT_LE(extra.size(), qsizetype(real.size()) / 50)
        << "and nothing else: " << extra.mid(0, 3).join(QLatin1String(", ")).toStdString();
    EXPECT_LE(far.size(), qsizetype(real.size()) / 50)
        << "with the same values: " << far.mid(0, 3).join(QLatin1String(", ")).toStdString();
}

REAL_TEST_F(InventoryPool, ItsExportersPagesGiveTheSameTelemetryOverARealPrometheus,
            "5: the pool's exporter pages scraped by a real Prometheus give the pool's own telemetry")
{
    const ServedPool pool(bed, 400);
    const Finished own = runOver(pool);
    ASSERT_EQ(own.code, 0) << own.messages.toStdString();
    const QUrl pages = pool.prometheus();
    const QString host = pages.host() + QLatin1Char(':') + QString::number(pages.port());
    QJsonArray targets;
    for (const QJsonValue &node : own.object().value(QLatin1String("nodes")).toArray()) {
        const QString path = pages.path() + QStringLiteral("/metrics/") +
                             node.toObject().value(QLatin1String("name")).toString();
        QUrl page = pages;
        page.setPath(path);
        const ApiReply reply = askApi(bed, "GET", page.toString());
        if (reply.status != 200 || reply.body.isEmpty())
            continue; // silent: it has no exporter
        targets << QJsonObject{
            {QStringLiteral("targets"), QJsonArray{host}},
            {QStringLiteral("labels"),
             QJsonObject{{QStringLiteral("__metrics_path__"), path}, {QStringLiteral("page"), path}}}};
    }
    ASSERT_GT(targets.size(), 20);
    const QString url = bed.startPrometheus(
        secondPrometheus, QJsonArray{QJsonObject{{QStringLiteral("job_name"), QStringLiteral("exporters")},
                                                 {QStringLiteral("honor_labels"), true},
                                                 {QStringLiteral("static_configs"), targets}}});
    ASSERT_FALSE(url.isEmpty());
    const Finished real = runOver(pool, {QStringLiteral("--prometheus"), url});
    EXPECT_EQ(real.code, 0) << real.messages.toStdString();
    compareTelemetry(own.object(), real.object());
    const QJsonObject cluster = real.object().value(QLatin1String("clusters")).toArray().first().toObject();
    for (const QJsonValue &note : cluster.value(QLatin1String("notes")).toArray())
        EXPECT_FALSE(note.toString().contains(QLatin1String("could not be read")))
            << note.toString().toStdString();
    std::printf("     %lld targets, the same telemetry after %lld ms\n",
                static_cast<long long>(targets.size()), static_cast<long long>(real.took.count()));

    bed.stop(secondPrometheus);
    const Finished without = runOver(pool, {QStringLiteral("--prometheus"), url});
    EXPECT_EQ(without.code, 3);
    EXPECT_EQ(cardsOf(without.object()).size(), 400u) << "the cards are listed all the same";
    EXPECT_EQ(without.object()
                  .value(QLatin1String("clusters"))
                  .toArray()
                  .first()
                  .toObject()
                  .value(QLatin1String("metrics"))
                  .toObject()
                  .value(QLatin1String("state")),
              QStringLiteral("failed"));
    EXPECT_EQ(without.messages.count('\n'), 1) << without.messages.toStdString();
}

} // namespace
} // namespace tongchi::real
