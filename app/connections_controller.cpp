#include "app/connections_controller.h"

#include "models/common/error_text.h"
#include "platform/http/proxy_choice.h"

#include <QTime>
#include <QUuid>
#include <algorithm>

namespace tongchi {
namespace {

const QString demoId = QStringLiteral("demo");

} // namespace

bool AskedConsent::isAllowed(const ExecCommand &command) const
{
    const QMutexLocker lock(&m_mutex);
    return m_allowed.contains(execConsentKey(command));
}

void AskedConsent::allow(const QByteArray &key)
{
    const QMutexLocker lock(&m_mutex);
    m_allowed.insert(key);
}

ConnectionsController::ConnectionsController(Services &services, InventoryController &inventory,
                                             ConnectionMemory &memory, PoolOptions pool, QObject *parent)
    : ConnectionsView(), m_services(services), m_inventory(inventory), m_memory(memory), m_poolOptions(pool),
      m_consent(std::make_shared<AskedConsent>()), m_profiles(memory.profiles())
{
    setParent(parent);
    connect(&m_inventory, &InventoryController::sourcesChanged, this, &ConnectionsView::changed);
    connect(&m_watcher, &KubeconfigWatcher::changed, this, &ConnectionsController::filesChanged);
    connect(&services.pluginMessages, &PluginMessages::said, this, &ConnectionsController::pluginSpoke);
    m_sayingTimer.setSingleShot(true);
    connect(&m_sayingTimer, &QTimer::timeout, this, &ConnectionsController::tellSayings);
}

ConnectionsController::~ConnectionsController()
{
    for (const Open &open : std::as_const(m_open))
        m_inventory.removeSource(open.clusterId);
}

const SavedProfile *ConnectionsController::profile(const QString &id) const
{
    const auto at = std::find_if(m_profiles.begin(), m_profiles.end(),
                                 [&id](const SavedProfile &candidate) { return candidate.id == id; });
    return at == m_profiles.end() ? nullptr : &*at;
}

bool ConnectionsController::isConnected(const QString &id) const
{
    return std::any_of(m_open.begin(), m_open.end(), [&id](const Open &open) { return open.profile == id; });
}

bool ConnectionsController::isTroubled(const QString &id) const
{
    return std::any_of(m_open.begin(), m_open.end(), [this, &id](const Open &open) {
        const ClusterStatus *status = m_inventory.store().status(open.clusterId);
        const SourceState state = status ? status->kubernetes.state : SourceState::Connecting;
        return open.profile == id && (state == SourceState::Failed || state == SourceState::Lost ||
                                      state == SourceState::Forbidden);
    });
}

QList<ConnectionProfile> ConnectionsController::profiles() const
{
    QList<ConnectionProfile> list;
    list << ConnectionProfile{demoId, tr("Demo pool"),     tr("runs inside this program"),
                              true,   isConnected(demoId), m_poolStarting};
    for (const SavedProfile &saved : m_profiles) {
        const QString title = saved.title.isEmpty()
                                  ? (saved.context.isEmpty() ? tr("New connection") : saved.context)
                                  : saved.title;
        list << ConnectionProfile{
            saved.id, title, saved.context, false, isConnected(saved.id), false, isTroubled(saved.id)};
    }
    return list;
}

void ConnectionsController::selectProfile(const QString &id)
{
    if (id == m_current)
        return;
    m_current = id;
    m_testWhenLoaded = false;
    m_probe.reset();
    m_answers.clear();
    m_asked.clear();
    m_testedAt.clear();
    loadContexts(Loading::OtherFile);
    Q_EMIT changed();
}

void ConnectionsController::attend()
{
    QString connected;
    for (const Open &open : std::as_const(m_open)) {
        if (open.profile == demoId || !profile(open.profile))
            continue;
        if (isTroubled(open.profile)) {
            const bool loading = m_current != open.profile;
            selectProfile(open.profile);
            m_testWhenLoaded = loading; // its file is being read
            if (!loading && m_answers.isEmpty() && !isTesting())
                test();
            return;
        }
        if (connected.isEmpty())
            connected = open.profile;
    }
    if (m_current == demoId && !isConnected(demoId) && !connected.isEmpty())
        selectProfile(connected);
}

void ConnectionsController::addProfile()
{
    SavedProfile fresh;
    fresh.id = QUuid::createUuid().toString(QUuid::WithoutBraces);
    m_profiles << fresh;
    selectProfile(fresh.id);
}

void ConnectionsController::removeProfile(const QString &id)
{
    if (id == demoId)
        return;
    if (isConnected(id)) {
        m_current = id;
        disconnectCurrent();
    }
    m_profiles.removeIf([&id](const SavedProfile &saved) { return saved.id == id; });
    save();
    m_current.clear();
    selectProfile(demoId);
}

ConnectionForm ConnectionsController::form() const
{
    const SavedProfile *saved = profile(m_current);
    if (!saved)
        return {};
    ConnectionForm form{saved->title, saved->kubeconfig, saved->context, saved->prometheus, {}};
    if (const KubeContext *context = m_kubeconfig.find(saved->context); context && context->parts) {
        const KubeCluster &cluster = context->parts->cluster;
        const auto proxy =
            chooseProxy(cluster.server, cluster.proxyUrl, m_services.connectionEnvironment().variables);
        if (proxy && !proxy->url.isEmpty()) {
            //: %1 is a proxy's address, %2 where the setting came from.
            form.proxy = tr("Proxy %1, from %2").arg(displayUrl(proxy->url), proxy->source);
        }
    }
    return form;
}

void ConnectionsController::setForm(const ConnectionForm &form)
{
    for (SavedProfile &saved : m_profiles) {
        if (saved.id != m_current)
            continue;
        const bool otherFile = saved.kubeconfig != form.kubeconfig;
        saved.title = form.title;
        saved.kubeconfig = form.kubeconfig;
        saved.context = form.context;
        saved.prometheus = form.prometheus;
        m_answers.clear();
        m_probe.reset();
        save();
        if (otherFile)
            loadContexts(Loading::OtherFile);
    }
    Q_EMIT changed();
}

std::optional<KubeContext> ConnectionsController::contextOf(const SavedProfile &saved,
                                                            const Kubeconfig &kubeconfig) const
{
    const KubeContext *context = kubeconfig.find(saved.context);
    return context ? std::optional(*context) : std::nullopt;
}

void ConnectionsController::test()
{
    const SavedProfile *saved = profile(m_current);
    if (!saved)
        return;
    m_probe.reset();
    m_answers.clear();
    m_asked.clear();
    const auto context = contextOf(*saved, m_kubeconfig);
    if (!context) {
        Q_EMIT changed();
        return;
    }
    if (context->parts && context->parts->user.exec && !m_consent->isAllowed(*context->parts->user.exec)) {
        if (m_memory.isPluginAllowed(execConsentKey(*context->parts->user.exec))) {
            m_consent->allow(execConsentKey(*context->parts->user.exec));
        } else {
            ask(saved->id, *context->parts->user.exec);
            return;
        }
    }
    if (context->parts && context->parts->user.exec)
        m_sayings.remove(execConsentKey(*context->parts->user.exec)); // of an earlier run
    const QStringList prometheus =
        saved->prometheus.isEmpty() ? QStringList() : QStringList{saved->prometheus};
    m_probe = std::make_unique<ConnectionProbe>(m_services.sessionFor(*context, m_consent, prometheus));
    connect(m_probe.get(), &ConnectionProbe::answered, this, &ConnectionsController::probeAnswered);
    connect(m_probe.get(), &ConnectionProbe::finished, this, [this] {
        m_testedAt = QTime::currentTime().toString(QStringLiteral("HH:mm:ss"));
        // Not from within its own signal.
        QMetaObject::invokeMethod(
            this,
            [this] {
                m_probe.reset();
                Q_EMIT changed();
            },
            Qt::QueuedConnection);
    });
    m_probe->start();
    Q_EMIT changed();
}

void ConnectionsController::probeAnswered(const ProbeAnswer &answer)
{
    m_answers << answer;
    Q_EMIT changed();
}

QString ConnectionsController::connectText() const
{
    if (isConnected(m_current))
        return tr("Disconnect");
    if (m_current == demoId)
        return tr("Start demo");
    for (const ProbeAnswer &answer : m_answers) {
        if (answer.step == ProbeStep::Metrics && answer.error)
            return tr("Connect without Prometheus");
    }
    return tr("Connect");
}

QString ConnectionsController::connectProblem() const
{
    if (m_current == demoId)
        return m_poolStarting ? tr("The demo pool is starting.") : QString();
    const SavedProfile *saved = profile(m_current);
    if (!saved || saved->context.isEmpty())
        return tr("Choose a context first.");
    const KubeContext *context = m_kubeconfig.find(saved->context);
    if (!context)
        return tr("The kubeconfig has no context of this name.");
    return context->problem ? errorLine(*context->problem) : QString();
}

bool ConnectionsController::currentIsConnected() const
{
    return isConnected(m_current);
}

void ConnectionsController::connectCurrent()
{
    if (isConnected(m_current)) {
        disconnectCurrent();
        return;
    }
    if (m_current == demoId) {
        startDemo();
        return;
    }
    if (const SavedProfile *saved = profile(m_current))
        open(*saved, m_kubeconfig);
}

void ConnectionsController::ask(const QString &profileId, const ExecCommand &command)
{
    if (profileId != m_current)
        selectProfile(profileId);
    if (!m_asked.contains(command))
        m_asked << command;
    Q_EMIT changed();
}

// Nobody has the dialog open at the start; without a word the cluster would just not come.
void ConnectionsController::tellQuestions()
{
    for (const ExecCommand &command : std::as_const(m_asked)) {
        Q_EMIT failed(
            {.code = ErrorCode::NeedsConsent,
             .text = QT_TRANSLATE_NOOP("Error", "The kubeconfig wants to run a program to log in: %1"),
             .arguments = {execCommandLine(command)},
             .remedy = QT_TRANSLATE_NOOP("Error", "Open Connections and say whether it may.")});
    }
}

void ConnectionsController::open(const SavedProfile &saved, const Kubeconfig &kubeconfig)
{
    const auto context = contextOf(saved, kubeconfig);
    if (!context || isConnected(saved.id))
        return;
    if (context->parts && context->parts->user.exec && !m_consent->isAllowed(*context->parts->user.exec)) {
        if (!m_memory.isPluginAllowed(execConsentKey(*context->parts->user.exec))) {
            ask(saved.id, *context->parts->user.exec);
            return;
        }
        m_consent->allow(execConsentKey(*context->parts->user.exec));
    }
    const QStringList prometheus = saved.prometheus.isEmpty() ? QStringList() : QStringList{saved.prometheus};
    const auto live = std::make_shared<LiveContext>(*context);
    SessionOptions options = m_services.sessionFor(live, m_consent, prometheus);
    if (!saved.title.isEmpty())
        options.name = saved.title;
    for (const ClusterStatus &status : m_inventory.statuses()) {
        if (status.name == options.name)
            options.name += QStringLiteral(" (2)"); // names of connected clusters differ
    }
    const quint32 id = m_services.nextClusterId();
    m_open << Open{saved.id, id, saved.kubeconfig, live};
    watchFiles();
    m_inventory.addSource(
        std::make_unique<ClusterSession>(id, std::move(options), m_services.sessionEnvironment()));
    for (SavedProfile &kept : m_profiles) {
        if (kept.id == saved.id)
            kept.connectAtStart = true;
    }
    save();
    Q_EMIT connected(saved.id);
    Q_EMIT changed();
}

void ConnectionsController::disconnectCurrent()
{
    const QString id = m_current;
    const QList<Open> open = m_open;
    m_open.removeIf([&id](const Open &entry) { return entry.profile == id; });
    for (const Open &entry : open) {
        if (entry.profile == id)
            m_inventory.removeSource(entry.clusterId);
    }
    watchFiles();
    if (id == demoId)
        m_pool.reset();
    for (SavedProfile &saved : m_profiles) {
        if (saved.id == id)
            saved.connectAtStart = false;
    }
    save();
    Q_EMIT changed();
}

void ConnectionsController::startDemo()
{
    startPool({});
}

void ConnectionsController::startPool(const QStringList &names)
{
    if (m_pool || m_poolStarting)
        return;
    m_poolStarting = true;
    m_pool = makeEmbeddedPool(m_poolOptions);
    connect(m_pool.get(), &EmbeddedPool::started, this,
            [this, names](const PoolInfo &info) { poolStarted(info, names); });
    connect(m_pool.get(), &EmbeddedPool::failed, this, [this](const Error &error) {
        m_poolStarting = false;
        Q_EMIT failed(error);
        Q_EMIT changed();
    });
    m_pool->start();
    Q_EMIT changed();
}

void ConnectionsController::poolStarted(const PoolInfo &info, const QStringList &names)
{
    m_poolStarting = false;
    if (const Status known = checkPoolContexts(names, info.clusters); !known)
        Q_EMIT failed(known.error());
    for (const PoolCluster &cluster : info.clusters) {
        if (!names.isEmpty() && !names.contains(cluster.name))
            continue;
        const quint32 id = m_services.nextClusterId();
        m_open << Open{demoId, id, {}, nullptr};
        m_inventory.addSource(std::make_unique<ClusterSession>(
            id, sessionForPool(m_pool.get(), cluster, info.authorityPem), m_services.sessionEnvironment()));
    }
    Q_EMIT connected(demoId);
    Q_EMIT changed();
}

QList<PluginQuestion> ConnectionsController::questions() const
{
    QList<PluginQuestion> list;
    for (const ExecCommand &command : m_asked) {
        const SavedProfile *saved = profile(m_current);
        list << PluginQuestion{QString::fromLatin1(execConsentKey(command)),
                               saved ? saved->context : QString(), execCommandLine(command),
                               command.installHint};
    }
    return list;
}

void ConnectionsController::answer(const QString &questionId, bool agreed)
{
    const QByteArray key = questionId.toLatin1();
    m_asked.removeIf([&key](const ExecCommand &command) { return execConsentKey(command) == key; });
    if (agreed) {
        m_consent->allow(key);
        m_memory.allowPlugin(key);
        test();
    }
    Q_EMIT changed();
}

void ConnectionsController::save()
{
    m_memory.setProfiles(m_profiles);
}

void ConnectionsController::reconnect()
{
    for (const SavedProfile &saved : std::as_const(m_profiles)) {
        if (!saved.connectAtStart)
            continue;
        read(saved.kubeconfig, [this, saved](const Kubeconfig &kubeconfig) {
            open(saved, kubeconfig);
            tellQuestions();
        });
    }
}

void ConnectionsController::connectContexts(const CommandLine &command)
{
    const QString files = command.kubeconfigs.join(u':');
    read(files, [this, files, command](const Kubeconfig &kubeconfig) {
        const auto chosen = chosenContexts(kubeconfig, command);
        if (!chosen) {
            Q_EMIT failed(chosen.error());
            return;
        }
        for (const KubeContext &context : *chosen) {
            const auto same =
                std::find_if(m_profiles.begin(), m_profiles.end(), [&](const SavedProfile &saved) {
                    return saved.kubeconfig == files && saved.context == context.name;
                });
            SavedProfile wanted;
            if (same != m_profiles.end()) {
                // What was typed now beats what was kept.
                same->prometheus = prometheusFor(context.name, command.prometheus).value_or(same->prometheus);
                wanted = *same;
            } else {
                wanted.id = QUuid::createUuid().toString(QUuid::WithoutBraces);
                wanted.kubeconfig = files;
                wanted.context = context.name;
                wanted.prometheus = prometheusFor(context.name, command.prometheus).value_or(QString());
                m_profiles << wanted;
            }
            if (command.allowExec && context.parts && context.parts->user.exec)
                m_consent->allow(execConsentKey(*context.parts->user.exec));
            open(wanted, kubeconfig);
        }
        tellQuestions();
    });
}

} // namespace tongchi
