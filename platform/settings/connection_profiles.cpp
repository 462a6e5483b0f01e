#include "platform/settings/connection_profiles.h"

#include "platform/settings/settings_store.h"

#include <QDateTime>
#include <QJsonArray>
#include <QJsonObject>
#include <QRegularExpression>
#include <QSet>
#include <QUuid>

namespace tongchi {

namespace {

const QString connectionsKey = QStringLiteral("connections");

QString timeText(Instant instant)
{
    return QDateTime::fromMSecsSinceEpoch(instant.time_since_epoch().count(), Qt::UTC)
        .toString(Qt::ISODateWithMs);
}

std::optional<Instant> timeOfText(const QJsonValue &json)
{
    const QDateTime time = QDateTime::fromString(json.toString(), Qt::ISODateWithMs);
    return time.isValid() ? std::optional(Instant(std::chrono::milliseconds(time.toMSecsSinceEpoch())))
                          : std::nullopt;
}

QJsonObject connectionObject(const StoredConnection &connection)
{
    QJsonObject object{
        {QStringLiteral("id"), connection.id},
        {QStringLiteral("name"), connection.name},
        {QStringLiteral("kind"), connection.kind == ConnectionKind::Embedded ? QStringLiteral("embedded")
                                                                             : QStringLiteral("kubeconfig")},
        {QStringLiteral("kubeconfig"), QJsonArray::fromStringList(connection.kubeconfigPaths)},
        {QStringLiteral("context"), connection.context},
        {QStringLiteral("prometheus_url"), ConnectionProfiles::withoutSecrets(connection.prometheusUrl)},
        {QStringLiteral("alertmanager_url"), ConnectionProfiles::withoutSecrets(connection.alertmanagerUrl)},
        {QStringLiteral("connect_at_start"), connection.connectAtStart}};
    if (connection.lastConnected)
        object.insert(QStringLiteral("last_connected"), timeText(*connection.lastConnected));
    return object;
}

StoredConnection connectionOf(const QJsonObject &object)
{
    StoredConnection connection;
    connection.id = object.value(QLatin1String("id")).toString();
    connection.name = object.value(QLatin1String("name")).toString();
    if (object.value(QLatin1String("kind")) == QLatin1String("embedded"))
        connection.kind = ConnectionKind::Embedded;
    connection.kubeconfigPaths =
        SettingsValue<QStringList>::read(object.value(QLatin1String("kubeconfig"))).value_or(QStringList());
    connection.context = object.value(QLatin1String("context")).toString();
    connection.prometheusUrl = object.value(QLatin1String("prometheus_url")).toString();
    connection.alertmanagerUrl = object.value(QLatin1String("alertmanager_url")).toString();
    connection.connectAtStart = object.value(QLatin1String("connect_at_start")).toBool();
    connection.lastConnected = timeOfText(object.value(QLatin1String("last_connected")));
    return connection;
}

} // namespace

QList<StoredConnection> ConnectionProfiles::list() const
{
    QList<StoredConnection> connections;
    QSet<QString> ids;
    for (const auto &item : m_settings.json(connectionsKey).toArray()) {
        if (!item.isObject())
            continue;
        StoredConnection connection = connectionOf(item.toObject());
        // An id that got lost is made from what else is known, so that it is the same at every reading.
        if (connection.id.isEmpty())
            connection.id = QStringLiteral("lost-") + QString::number(connections.size());
        while (ids.contains(connection.id))
            connection.id += QStringLiteral("-again");
        ids.insert(connection.id);
        connections << connection;
    }
    return connections;
}

void ConnectionProfiles::setList(const QList<StoredConnection> &connections)
{
    QJsonArray array;
    for (const StoredConnection &connection : connections)
        array << connectionObject(connection);
    m_settings.setJson(connectionsKey, array);
}

void ConnectionProfiles::save(const StoredConnection &connection)
{
    QList<StoredConnection> connections = list();
    for (StoredConnection &each : connections) {
        if (each.id == connection.id) {
            each = connection;
            setList(connections);
            return;
        }
    }
    connections << connection;
    setList(connections);
}

void ConnectionProfiles::remove(const QString &id)
{
    QList<StoredConnection> connections = list();
    connections.removeIf([&id](const StoredConnection &each) { return each.id == id; });
    setList(connections);
}

std::optional<StoredConnection> ConnectionProfiles::find(const QString &id) const
{
    for (const StoredConnection &each : list()) {
        if (each.id == id)
            return each;
    }
    return std::nullopt;
}

QString ConnectionProfiles::newConnectionId()
{
    return QUuid::createUuid().toString(QUuid::WithoutBraces);
}

QString ConnectionProfiles::withoutSecrets(const QString &url)
{
    // As a text, not by QUrl's parser: what that refuses may hold a password too.
    QString kept = url.trimmed();
    const qsizetype query = kept.indexOf(QRegularExpression(QStringLiteral("[?#]")));
    if (query >= 0)
        kept.truncate(query);
    const qsizetype scheme = kept.indexOf(QStringLiteral("://"));
    const qsizetype start = scheme < 0 ? 0 : scheme + 3;
    const qsizetype slash = kept.indexOf(u'/', start);
    const qsizetype at = kept.lastIndexOf(u'@', slash < 0 ? -1 : slash);
    if (at >= start)
        kept.remove(start, at + 1 - start);
    return kept;
}

} // namespace tongchi
