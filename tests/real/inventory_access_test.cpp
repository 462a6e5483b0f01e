// Users and servers that are not as they should be: what the console shows of them and says, one clear error
// each, while other clusters go on.

#include "platform/kubernetes/kubeconfig_loader.h"
#include "tests/real/support/real_inventory.h"

#include <QFile>
#include <QJsonDocument>
#include <QTemporaryDir>

namespace tongchi::real {
namespace {

struct Trouble
{
    const char *context;
    const char *state;
    const char *words; ///< in its error
};

constexpr Trouble troubles[] = {
    {"stranger", "forbidden", "The user stranger has no right to list nodes."},
    {"expired", "failed", "The server refuses the token of expired: it is wrong or has expired."},
    {"wrong-ca", "failed", "was issued by \"test authority\", which is not trusted here."},
    {"wrong-name", "failed", "is not for \"elsewhere.example\" but for: 127.0.0.1"},
    {"dead", "failed", "the connection was refused."},
};

class InventoryAccess : public RealInventory
{
};

int linesAbout(const QByteArray &messages, const QByteArray &cluster)
{
    int count = 0;
    for (const QByteArray &line : messages.split('\n'))
        count += line.startsWith(QByteArray("tongchi: " + cluster + ": "));
    return count;
}

REAL_TEST_F(InventoryAccess, OneClearErrorEachAndTheOthersGoOn,
            "5: no rights, an expired token, a wrong CA, a certificate of another name")
{
    const auto whole = cardsOf(inventory());
    QStringList contexts{QStringLiteral("--context"), QStringLiteral("real")};
    for (const Trouble &trouble : troubles) {
        const QStringList alone{QStringLiteral("--context"), QString::fromUtf8(trouble.context)};
        contexts += alone;
        const Finished done = run(alone);
        EXPECT_EQ(done.code, 3) << trouble.context;
        EXPECT_EQ(linesAbout(done.messages, trouble.context), 1) << done.messages.toStdString();
        EXPECT_EQ(done.messages.count('\n'), 1) << done.messages.toStdString();
        const QJsonObject cluster = clusterOf(done.object(), QString::fromUtf8(trouble.context));
        EXPECT_EQ(cluster.value(QLatin1String("state")), QString::fromUtf8(trouble.state)) << trouble.context;
        EXPECT_TRUE(
            cluster.value(QLatin1String("error")).toString().contains(QString::fromUtf8(trouble.words)))
            << cluster.value(QLatin1String("error")).toString().toStdString();
        EXPECT_TRUE(cardsOf(done.object()).empty()) << trouble.context;
    }
    const Finished all = run(contexts);
    EXPECT_EQ(all.code, 3);
    for (const Trouble &trouble : troubles)
        EXPECT_EQ(linesAbout(all.messages, trouble.context), 1) << all.messages.toStdString();
    EXPECT_EQ(all.messages.count('\n'), qsizetype(std::size(troubles))) << all.messages.toStdString();
    EXPECT_EQ(clusterOf(all.object(), QStringLiteral("real")).value(QLatin1String("state")),
              QStringLiteral("live"));
    EXPECT_TRUE(cardsOf(all.object()) == whole) << differenceOf(cardsOf(all.object()), whole);
}

/// A user who may read some of what the inventory reads.
struct Reader
{
    const char *name;
    QStringList resources; ///< of his role
    QStringList forbidden; ///< what he has to be told of
    bool sees(const char *resource) const { return resources.contains(QLatin1String(resource)); }
};

QList<Reader> readers()
{
    const QStringList all{QStringLiteral("nodes"), QStringLiteral("pods"), QStringLiteral("resourceslices"),
                          QStringLiteral("resourceclaims"), QStringLiteral("configmaps")};
    const auto without = [&all](const char *name, const QStringList &left) {
        Reader reader{name, all, left};
        for (const QString &resource : left)
            reader.resources.removeAll(resource);
        return reader;
    };
    return {without("nodes-only", all.mid(1)), without("no-pods", {all.at(1)}),
            without("no-slices", {all.at(2)}), without("no-claims", {all.at(3)}),
            without("no-configmaps", {all.at(4)})};
}

class InventoryRights : public RealInventory
{
protected:
    void TearDown() override
    {
        for (const Reader &reader : std::as_const(admitted)) {
            QStringList arguments{QStringLiteral("-n"), QStringLiteral("default"), QStringLiteral("delete")};
            for (const char *kind : {"serviceaccount/", "clusterrole/", "clusterrolebinding/"})
                arguments << QString::fromUtf8(kind) + QString::fromUtf8(reader.name);
            (void)bed.kubectl(arguments);
        }
    }
    /// A service account with a role of its own, and a kubeconfig that has its token.
    void admit(const Reader &reader)
    {
        const QString name = QString::fromUtf8(reader.name);
        bed.create(
            QByteArray(R"([
            {"apiVersion": "v1", "kind": "ServiceAccount", "metadata": {"name": "NAME", "namespace": "default"}},
            {"apiVersion": "rbac.authorization.k8s.io/v1", "kind": "ClusterRole", "metadata": {"name": "NAME"},
             "rules": [{"apiGroups": ["", "resource.k8s.io"], "verbs": ["get", "list", "watch"], "resources": RESOURCES}]},
            {"apiVersion": "rbac.authorization.k8s.io/v1", "kind": "ClusterRoleBinding", "metadata": {"name": "NAME"},
             "subjects": [{"kind": "ServiceAccount", "name": "NAME", "namespace": "default"}],
             "roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": "NAME"}}])")
                .replace("NAME", reader.name)
                .replace("RESOURCES", QJsonDocument(QJsonArray::fromStringList(reader.resources)).toJson()));
        admitted << reader;
        const QByteArray token = bed.kubectl({"-n", "default", "create", "token", reader.name}).trimmed();
        const QJsonObject cluster{{QStringLiteral("server"), bed.url(QStringLiteral("kubernetes"))},
                                  {QStringLiteral("certificate-authority"), bed.fact(QStringLiteral("ca"))}};
        const auto entry = [&name](const char *key, const QJsonObject &value) {
            return QJsonArray{QJsonObject{{QStringLiteral("name"), name}, {QLatin1String(key), value}}};
        };
        const QJsonObject kubeconfig{
            {QStringLiteral("apiVersion"), QStringLiteral("v1")},
            {QStringLiteral("kind"), QStringLiteral("Config")},
            {QStringLiteral("current-context"), name},
            {QStringLiteral("clusters"), entry("cluster", cluster)},
            {QStringLiteral("users"), entry("user", {{QStringLiteral("token"), QString::fromUtf8(token)}})},
            {QStringLiteral("contexts"),
             entry("context", {{QStringLiteral("cluster"), name}, {QStringLiteral("user"), name}})},
        };
        QFile file(folder.filePath(name));
        ASSERT_TRUE(file.open(QIODevice::WriteOnly));
        file.write(QJsonDocument(kubeconfig).toJson());
        tokens << token;
        // The server's authorizer hears of the new role a moment later.
        const QByteArray question =
            QByteArray(R"({"apiVersion": "authorization.k8s.io/v1", "kind": "SubjectAccessReview", "spec": {
                "user": "system:serviceaccount:default:NAME", "resourceAttributes": {"verb": "list", "resource": "nodes"}}})")
                .replace("NAME", reader.name);
        EXPECT_TRUE(test::waitUntil(
            [&] {
                return bed
                    .kubectl({QStringLiteral("create"), QStringLiteral("--raw"),
                              QStringLiteral("/apis/authorization.k8s.io/v1/subjectaccessreviews"),
                              QStringLiteral("-f"), QStringLiteral("-")},
                             question)
                    .contains("\"allowed\":true");
            },
            patience));
    }
    Finished runAs(const Reader &reader) const
    {
        return bed.tongchi({QStringLiteral("inventory"), QStringLiteral("--kubeconfig"),
                            folder.filePath(QString::fromUtf8(reader.name)), QStringLiteral("--output"),
                            QStringLiteral("json")});
    }

    QTemporaryDir folder;
    QList<QByteArray> tokens;
    QList<Reader> admitted;
};

REAL_TEST_F(InventoryRights, WhatMayNotBeReadIsNamed, "5: 403 by resource: partial, with the resource named")
{
    const Cards whole = cardsOf(inventory());
    for (const Reader &reader : readers()) {
        admit(reader);
        const Finished done = runAs(reader);
        const QJsonObject document = done.object();
        const QJsonObject cluster = clusterOf(document, QString::fromUtf8(reader.name));
        EXPECT_EQ(done.code, 3) << reader.name << ": a part is missing";
        EXPECT_EQ(cluster.value(QLatin1String("state")), QStringLiteral("live")) << reader.name;
        EXPECT_EQ(cluster.value(QLatin1String("forbidden")).toArray(),
                  QJsonArray::fromStringList(reader.forbidden))
            << reader.name;
        EXPECT_EQ(done.messages.count('\n'), reader.forbidden.size()) << done.messages.toStdString();
        for (const QString &resource : reader.forbidden) {
            const QByteArray words = " has no right to list " + resource.toUtf8() + '.';
            EXPECT_TRUE(done.messages.contains(words)) << reader.name << ": " << done.messages.toStdString();
        }
        for (const QByteArray &token : std::as_const(tokens))
            EXPECT_FALSE(done.output.contains(token) || done.messages.contains(token)) << reader.name;

        std::size_t claimed = 0;
        for (const auto &[identity, card] : whole)
            claimed += card.value(QLatin1String("sources")).toArray().contains(QStringLiteral("dra"));
        EXPECT_EQ(claimed, 6u);
        EXPECT_EQ(cardsOf(document).size(), whole.size() - (reader.sees("resourceslices") ? 0 : claimed))
            << reader.name;
        const QJsonObject node = nodeOf(document, QStringLiteral("ascend-910b3"));
        if (reader.sees("pods"))
            EXPECT_EQ(node.value(QLatin1String("held")), 2) << reader.name;
        else
            EXPECT_TRUE(node.value(QLatin1String("held")).isNull() &&
                        node.value(QLatin1String("free")).isNull())
                << reader.name << ": without pods nobody knows";
    }
}

REAL_TEST_F(InventoryRights, RightsThatAreGrantedLaterAreTakenWhenAsked,
            "5: 403 ends when the rights are given")
{
    const Reader reader = readers().at(1);
    admit(reader);
    LiveInventory live(bed);
    const Kubeconfig kubeconfig = loadKubeconfig(
        {.explicitFiles = {QFile::encodeName(folder.filePath(QString::fromUtf8(reader.name)))}});
    live.openContext(*kubeconfig.find(QString::fromUtf8(reader.name)));
    ASSERT_TRUE(live.waitUntilComplete());
    ASSERT_EQ(live.status().denied.size(), 1);
    EXPECT_EQ(live.status().denied.first().resource, QStringLiteral("pods"));
    EXPECT_TRUE(live.controller().isPartial());
    (void)bed.kubectl({"create", "clusterrolebinding", "rights-later", "--clusterrole=tongchi-viewers",
                       "--serviceaccount=default:no-pods"});
    // The server takes a moment to know of the grant, and the console keeps a second between two tries.
    EXPECT_TRUE(test::waitUntil(
        [&live] {
            live.controller().refreshAll();
            return live.status().denied.isEmpty() && !live.controller().isPartial();
        },
        patience));
    live.expectTruth("after the grant");
    (void)bed.kubectl({"delete", "clusterrolebinding", "rights-later"});
}

} // namespace
} // namespace tongchi::real
