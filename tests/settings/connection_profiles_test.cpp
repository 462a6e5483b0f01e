#include "platform/settings/connection_profiles.h"
#include "platform/settings/exec_consents.h"
#include "platform/settings/saved_filters.h"
#include "platform/settings/settings_store.h"
#include "tests/support/qt_printers.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QTemporaryDir>
#include <gtest/gtest.h>

namespace tongchi {
namespace {

class ConnectionProfilesTest : public ::testing::Test
{
protected:
    ManualClock clock;
    SettingsStore settings{QString(), &clock};
    ConnectionProfiles connections{&settings};
};

TEST_F(ConnectionProfilesTest, KeepsAllThatAConnectionHas)
{
    const StoredConnection connection{
        .id = ConnectionProfiles::newConnectionId(),
        .name = QStringLiteral("北京 production"),
        .kind = ConnectionKind::Kubeconfig,
        .kubeconfigPaths = {QStringLiteral("/home/张伟/.kube/config"), QStringLiteral("b")},
        .context = QStringLiteral("一区"),
        .prometheusUrl = QStringLiteral("https://obs.example/prom-bj"),
        .alertmanagerUrl = QStringLiteral("https://am.example"),
        .lastConnected = clock.now(),
        .connectAtStart = true};
    connections.save(connection);
    connections.save({.id = QStringLiteral("demo"), .kind = ConnectionKind::Embedded});
    ASSERT_EQ(connections.list().size(), 2);
    EXPECT_EQ(connections.list().at(0), connection);
    EXPECT_EQ(connections.list().at(1).kind, ConnectionKind::Embedded);
    StoredConnection renamed = connection;
    renamed.name = QStringLiteral("other");
    connections.save(renamed);
    ASSERT_EQ(connections.list().size(), 2);
    EXPECT_EQ(connections.find(connection.id)->name, QStringLiteral("other"));
    connections.remove(connection.id);
    EXPECT_FALSE(connections.find(connection.id));
    EXPECT_EQ(connections.list().size(), 1);
}

TEST_F(ConnectionProfilesTest, NoSecretOfAUrlIsKept)
{
    EXPECT_EQ(
        ConnectionProfiles::withoutSecrets(QStringLiteral("https://user:pa@ss@host:9090/p?token=abc#x")),
        QStringLiteral("https://host:9090/p"));
    EXPECT_EQ(ConnectionProfiles::withoutSecrets(QStringLiteral("user:secret@host/p@th")),
              QStringLiteral("host/p@th"));
    EXPECT_EQ(ConnectionProfiles::withoutSecrets(QStringLiteral(" https://host/prom-bj/ ")),
              QStringLiteral("https://host/prom-bj/"));
    EXPECT_EQ(ConnectionProfiles::withoutSecrets(QString()), QString());
    connections.save({.id = QStringLiteral("a"),
                      .prometheusUrl = QStringLiteral("https://ops:hunter2@host/?key=hunter3")});
    const QByteArray json = QJsonDocument(settings.json(QStringLiteral("connections")).toArray()).toJson();
    EXPECT_FALSE(json.contains("hunter")) << json.toStdString();
}

TEST_F(ConnectionProfilesTest, OneBadEntryDoesNotThrowAwayTheRest)
{
    settings.setJson(QStringLiteral("connections"), QJsonDocument::fromJson(R"([null, 5, "x", [],
        {"id": "a", "name": 7, "kubeconfig": "no list", "context": "bj", "connect_at_start": "perhaps", "last_connected": {"x": 1}},
        {"id": {"x": 1}, "context": "sh", "kubeconfig": [1, "b"]}, {"id": "a", "context": "twice", "kind": 9}, {}])")
                                                        .array());
    const auto list = connections.list();
    ASSERT_EQ(list.size(), 4);
    EXPECT_EQ(list.at(0).context, QStringLiteral("bj"));
    EXPECT_TRUE(list.at(0).name.isEmpty());
    EXPECT_FALSE(list.at(0).lastConnected);
    EXPECT_EQ(list.at(1).kubeconfigPaths, QStringList{QStringLiteral("b")});
    EXPECT_FALSE(list.at(1).id.isEmpty());
    EXPECT_NE(list.at(2).id, list.at(0).id);
    EXPECT_EQ(connections.list(), list);
    settings.setJson(QStringLiteral("connections"), QJsonObject{{QStringLiteral("x"), 1}});
    EXPECT_TRUE(connections.list().isEmpty());
}

TEST_F(ConnectionProfilesTest, AgreementsAreForExactlyOneCommand)
{
    const QByteArray one(64, 'a'), two(64, 'b');
    {
        ExecConsents consents(&settings);
        EXPECT_FALSE(consents.isAllowed(one));
        consents.allow(one, QStringLiteral("aws eks get-token"), QStringLiteral("/home/x/.kube/config"));
    }
    ExecConsents consents(&settings);
    EXPECT_TRUE(consents.isAllowed(one));
    EXPECT_FALSE(consents.isAllowed(two));
    EXPECT_EQ(consents.list().at(0).commandLine, QStringLiteral("aws eks get-token"));
    consents.revoke(one);
    EXPECT_FALSE(consents.isAllowed(one));
}

TEST_F(ConnectionProfilesTest, WhatCannotBeReadIsNoAgreement)
{
    ExecConsents consents(&settings);
    const QByteArray fingerprint(64, 'a');
    for (const QJsonValue &wrong :
         {QJsonValue(true), QJsonValue(QStringLiteral("x")),
          QJsonValue(QJsonArray{QString::fromLatin1(fingerprint)}),
          QJsonValue(QJsonObject{{QString::fromLatin1(fingerprint), QStringLiteral("perhaps")}})}) {
        settings.setJson(QStringLiteral("exec_consents"), wrong);
        EXPECT_FALSE(consents.isAllowed(fingerprint));
        EXPECT_TRUE(consents.fingerprints().isEmpty());
    }
    consents.allow("", {}, {});
    consents.allow("short", {}, {});
    consents.allow(QByteArray(64, '*'), {}, {});
    EXPECT_FALSE(consents.isAllowed(""));
    EXPECT_TRUE(consents.list().isEmpty());
}

TEST_F(ConnectionProfilesTest, FiltersKeepTheirOrder)
{
    SavedFilters filters(&settings, QStringLiteral("cards"));
    filters.save({QStringLiteral("idle"), QStringLiteral("util<20")});
    filters.save({QStringLiteral("空闲 昇腾"), QStringLiteral("vendor:ascend util<5")});
    filters.save({QStringLiteral("idle"), QStringLiteral("util<10")});
    ASSERT_EQ(filters.list().size(), 2);
    EXPECT_EQ(filters.list().at(0).expression, QStringLiteral("util<10"));
    EXPECT_TRUE(SavedFilters(&settings, QStringLiteral("alerts")).list().isEmpty());
    filters.remove(QStringLiteral("idle"));
    EXPECT_EQ(filters.list().size(), 1);
    settings.setJson(QStringLiteral("filters.cards"),
                     QJsonArray{1, QJsonObject{{QStringLiteral("name"), 5}}});
    EXPECT_TRUE(filters.list().isEmpty());
}

} // namespace
} // namespace tongchi
