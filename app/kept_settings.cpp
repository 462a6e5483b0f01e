#include "app/kept_settings.h"

#include "models/common/error_text.h"
#include "platform/core/clock.h"
#include "platform/settings/audit_log.h"
#include "platform/settings/connection_profiles.h"
#include "platform/settings/exec_consents.h"
#include "platform/settings/settings_store.h"

namespace tongchi {
namespace {

/// Window settings below one key, so that they never meet the connections.
class StoredWindowSettings final : public WindowSettings
{
public:
    explicit StoredWindowSettings(SettingsStore &store) : m_store(store) {}
    QString value(const QString &key, const QString &fallback) const override
    {
        return m_store.value<QString>(QStringLiteral("window.") + key, fallback);
    }
    void setValue(const QString &key, const QString &value) override
    {
        m_store.setValue(QStringLiteral("window.") + key, value);
    }

private:
    SettingsStore &m_store;
};

class StoredConnections final : public ConnectionMemory
{
public:
    explicit StoredConnections(SettingsStore &store) : m_profiles(&store), m_consents(&store) {}

    QList<SavedProfile> profiles() const override
    {
        QList<SavedProfile> list;
        for (const StoredConnection &stored : m_profiles.list()) {
            if (stored.kind == ConnectionKind::Kubeconfig) {
                list << SavedProfile{stored.id,      stored.name,          stored.kubeconfigPaths.join(u':'),
                                     stored.context, stored.prometheusUrl, stored.connectAtStart};
            }
        }
        return list;
    }
    void setProfiles(const QList<SavedProfile> &profiles) override
    {
        QList<StoredConnection> list;
        for (const SavedProfile &profile : profiles) {
            StoredConnection stored = m_profiles.find(profile.id).value_or(StoredConnection{});
            stored.id = profile.id;
            stored.name = profile.title;
            stored.kubeconfigPaths = profile.kubeconfig.split(u':', Qt::SkipEmptyParts);
            stored.context = profile.context;
            stored.prometheusUrl = profile.prometheus;
            stored.connectAtStart = profile.connectAtStart;
            list << stored;
        }
        m_profiles.setList(list);
    }
    bool isPluginAllowed(const QByteArray &key) const override { return m_consents.isAllowed(key); }
    void allowPlugin(const QByteArray &key) override { m_consents.allow(key); }

private:
    ConnectionProfiles m_profiles;
    ExecConsents m_consents;
};

} // namespace

struct KeptSettings::Private
{
    explicit Private(bool throwAway)
        : store(throwAway ? QString() : SettingsStore::defaultPath(), &clock), window(store),
          connections(store)
    {
        if (!throwAway)
            audit = std::make_unique<AuditLog>(AuditLog::defaultFolder(), &clock);
    }

    SystemClock clock;
    SettingsStore store;
    StoredWindowSettings window;
    StoredConnections connections;
    std::unique_ptr<AuditLog> audit;
};

KeptSettings::KeptSettings(bool throwAway) : d(std::make_unique<Private>(throwAway)) {}

KeptSettings::~KeptSettings()
{
    (void)d->store.flush(); // what could not be written was told when it happened
}

WindowSettings &KeptSettings::window()
{
    return d->window;
}

ConnectionMemory &KeptSettings::connections()
{
    return d->connections;
}

AuditWriter KeptSettings::auditWriter()
{
    if (!d->audit)
        return {};
    return [audit = d->audit.get()](const AuditEntry &entry) {
        AuditLine line;
        line.at = entry.at;
        line.cluster = entry.cluster;
        line.clusterUser = entry.clusterUser;
        line.verb = entry.verb;
        line.object = entry.object;
        line.before = entry.before;
        line.after = entry.after;
        line.result = entry.result;
        line.detail = entry.detail;
        line.undoOf = entry.undoOf;
        if (const auto written = audit->append(line); !written)
            qWarning("the audit log could not be written: %s", qUtf8Printable(written.error().detail));
    };
}

QStringList KeptSettings::notes() const
{
    QStringList texts;
    for (const Error &note : d->store.notes())
        texts << errorLine(note);
    return texts;
}

} // namespace tongchi
