#pragma once

#include "platform/core/clock.h"

#include <QList>
#include <QString>
#include <QStringList>
#include <optional>

namespace tongchi {

class SettingsStore;

enum class ConnectionKind : quint8 { Embedded, Kubeconfig };

/// A connection as it is kept. No secret is in it: credentials stay in the kubeconfig.
struct StoredConnection
{
    QString id;   ///< stable, made by newConnectionId()
    QString name; ///< given by the operator; empty: the context's
    ConnectionKind kind = ConnectionKind::Kubeconfig;
    QStringList kubeconfigPaths; ///< in the order of KUBECONFIG; empty: the usual places
    QString context;
    QString prometheusUrl;   ///< empty: through the API server
    QString alertmanagerUrl; ///< empty: through the API server
    std::optional<Instant> lastConnected;
    bool connectAtStart = false;
    bool operator==(const StoredConnection &) const = default;
};

/// The connections of the operator, in the order that he gave them. GUI thread, as the settings.
class ConnectionProfiles
{
public:
    /// `settings` must outlive this.
    explicit ConnectionProfiles(SettingsStore *settings) : m_settings(*settings) {}

    /// A field of the wrong kind falls back alone; entries that are none are left out; ids are made unique.
    QList<StoredConnection> list() const;
    void setList(const QList<StoredConnection> &connections);
    /// Adds, or replaces the one with this id.
    void save(const StoredConnection &connection);
    void remove(const QString &id);
    std::optional<StoredConnection> find(const QString &id) const;

    static QString newConnectionId();
    /// What may be written down of a URL: without user, password and the values of its query. The rest works
    /// for this run only.
    static QString withoutSecrets(const QString &url);

private:
    SettingsStore &m_settings;
};

} // namespace tongchi
