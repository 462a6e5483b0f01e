#pragma once

#include "app/embedded_clusters.h"
#include "app/kubeconfig_watcher.h"
#include "app/services.h"
#include "platform/inventory/connection_probe.h"
#include "ui/connections/connections_view.h"

#include <QMutex>
#include <QSet>
#include <QTimer>
#include <functional>
#include <memory>

namespace tongchi {

/// A connection that the operator keeps. No secret is in it: those stay in the kubeconfig.
struct SavedProfile
{
    QString id, title, kubeconfig, context, prometheus;
    bool connectAtStart = false;
    bool operator==(const SavedProfile &) const = default;
};

/// Where profiles and consents are kept between runs.
class ConnectionMemory
{
public:
    virtual ~ConnectionMemory() = default;
    virtual QList<SavedProfile> profiles() const = 0;
    virtual void setProfiles(const QList<SavedProfile> &profiles) = 0;
    virtual bool isPluginAllowed(const QByteArray &key) const = 0;
    virtual void allowPlugin(const QByteArray &key) = 0;
};

/// What the operator has agreed to; asked from the clusters' threads, so the set is guarded. Remembers what
/// was asked for and refused, so that the dialog can put the question.
class AskedConsent final : public ExecConsent
{
public:
    bool isAllowed(const ExecCommand &command) const override;
    void allow(const QByteArray &key);

private:
    mutable QMutex m_mutex; ///< protects the set
    QSet<QByteArray> m_allowed;
};

/// Profiles, tests and connecting behind the connections dialog. GUI thread; files are read in a pool thread
/// and watched in one of their own, tests run in theirs. When a kubeconfig in use is written, its contexts
/// are read anew and connected clusters take over their new credentials; what the operator typed stays.
class ConnectionsController final : public ConnectionsView
{
    Q_OBJECT
public:
    ConnectionsController(Services &services, InventoryController &inventory, ConnectionMemory &memory,
                          PoolOptions pool, QObject *parent = nullptr);
    ~ConnectionsController() override;

    QList<ConnectionProfile> profiles() const override;
    QString currentProfile() const override { return m_current; }
    void selectProfile(const QString &id) override;
    void attend() override;
    void addProfile() override;
    void removeProfile(const QString &id) override;
    ConnectionForm form() const override;
    void setForm(const ConnectionForm &form) override;
    QList<ConnectionContext> contexts() const override { return m_contexts; }
    QString fileProblem() const override { return m_fileProblem; }
    QList<ConnectionTest> tests() const override;
    QString testedAt() const override { return m_testedAt; }
    bool isTesting() const override { return m_probe != nullptr; }
    void test() override;
    void runTestAction(const QString &testId) override;
    QString connectText() const override;
    QString connectProblem() const override;
    bool currentIsConnected() const override;
    void connectCurrent() override;
    void disconnectCurrent() override;
    void startDemo() override;
    QList<PluginQuestion> questions() const override;
    void answer(const QString &questionId, bool agreed) override;

    /// Connects every profile that was connected when the program ended.
    void reconnect();
    /// Adds profiles for contexts of the command line and connects them, once the files are read.
    void connectContexts(const CommandLine &command);
    /// The demo pool with these of its clusters; none: all.
    void startPool(const QStringList &names);
    void retranslate() { Q_EMIT changed(); }

Q_SIGNALS:
    /// Something that the window should say: an error of the demo pool, of a file.
    void failed(const tongchi::Error &error);
    /// The credential plug-in of a connected cluster wants to tell the operator something: a sentence, and
    /// the name of the place where it can be read again.
    void pluginSaid(const QString &sentence, const QString &place);

private:
    struct Open
    {
        QString profile;
        quint32 clusterId = 0;
        QString kubeconfig;                   ///< as typed when it was connected
        std::shared_ptr<LiveContext> context; ///< null: the demo pool's
    };
    /// What the plug-in of one command line has said so far.
    struct Saying
    {
        QString program, text;
        Monotonic at{};
        bool isTold = false; ///< by pluginSaid()
    };
    const SavedProfile *profile(const QString &id) const;
    bool isConnected(const QString &id) const;
    bool isTroubled(const QString &id) const;
    /// Reads and merges in a pool thread; `then` runs here, unless this object is gone.
    void read(const QString &kubeconfig, std::function<void(const Kubeconfig &)> then);
    enum class Loading { OtherFile, SameFile };
    void loadContexts(Loading loading);
    void contextsLoaded(const Kubeconfig &kubeconfig, Loading loading);
    void watchFiles();
    void filesChanged();
    void renew(const Open &open, const Kubeconfig &kubeconfig);
    std::optional<KubeContext> contextOf(const SavedProfile &profile, const Kubeconfig &kubeconfig) const;
    void open(const SavedProfile &profile, const Kubeconfig &kubeconfig);
    void ask(const QString &profileId, const ExecCommand &command);
    void tellQuestions();
    const ExecCommand *pluginOf(const SavedProfile &profile) const;
    bool isWaiting(quint32 clusterId) const;
    void pluginSpoke(const QByteArray &key, const QString &program, const QString &text);
    void tellSayings();
    QString sayingOf(const SavedProfile &profile) const;
    void save();
    void poolStarted(const PoolInfo &info, const QStringList &names);
    void probeAnswered(const ProbeAnswer &answer);

    Services &m_services;
    InventoryController &m_inventory;
    ConnectionMemory &m_memory;
    PoolOptions m_poolOptions;
    std::shared_ptr<AskedConsent> m_consent;
    QList<SavedProfile> m_profiles;
    QString m_current = QStringLiteral("demo");
    QList<Open> m_open;
    QList<ConnectionContext> m_contexts;
    Kubeconfig m_kubeconfig;
    QString m_fileProblem;
    bool m_testWhenLoaded = false;
    quint64 m_load = 0;
    std::unique_ptr<EmbeddedPool> m_pool;
    bool m_poolStarting = false;
    std::unique_ptr<ConnectionProbe> m_probe;
    QList<ProbeAnswer> m_answers;
    QString m_testedAt;
    QList<ExecCommand> m_asked;
    KubeconfigWatcher m_watcher;
    KubeconfigWatcher::Digests m_digests; ///< of every file read, from before it was read
    QHash<QByteArray, Saying> m_sayings;  ///< by execConsentKey()
    QTimer m_sayingTimer;
};

} // namespace tongchi
