#include "app/connections_controller.h"

#include "models/common/error_text.h"
#include "platform/kubernetes/kubeconfig_loader.h"

#include <QClipboard>
#include <QDir>
#include <QFile>
#include <QGuiApplication>
#include <QPointer>
#include <QThreadPool>
#include <QTime>
#include <QUuid>
#include <algorithm>

namespace tongchi {
namespace {

const QString demoId = QStringLiteral("demo");

QList<FilePath> filesOf(const QString &typed)
{
    QList<FilePath> files;
    for (QString part : typed.split(u':', Qt::SkipEmptyParts)) {
        part = part.trimmed();
        if (part == QLatin1String("~") || part.startsWith(QLatin1String("~/")))
            part.replace(0, 1, QDir::homePath());
        files << QFile::encodeName(part);
    }
    return files;
}

QString milliseconds(std::chrono::milliseconds elapsed)
{
    return QString::number(elapsed.count()) + QStringLiteral(" ms");
}

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

QList<ConnectionProfile> ConnectionsController::profiles() const
{
    QList<ConnectionProfile> list;
    list << ConnectionProfile{demoId, tr("Demo pool"),     tr("runs inside this program"),
                              true,   isConnected(demoId), m_poolStarting};
    for (const SavedProfile &saved : m_profiles) {
        const QString title = saved.title.isEmpty()
                                  ? (saved.context.isEmpty() ? tr("New connection") : saved.context)
                                  : saved.title;
        list << ConnectionProfile{saved.id, title, saved.context, false, isConnected(saved.id), false};
    }
    return list;
}

void ConnectionsController::selectProfile(const QString &id)
{
    if (id == m_current)
        return;
    m_current = id;
    m_probe.reset();
    m_answers.clear();
    m_asked.clear();
    m_testedAt.clear();
    loadContexts();
    Q_EMIT changed();
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
        auto options = makeConnection(*context, m_services.connectionEnvironment(), m_consent);
        if (options && !options->proxy.url.isEmpty()) {
            //: %1 is a proxy's address, %2 where the setting came from.
            form.proxy = tr("Proxy %1, from %2").arg(displayUrl(options->proxy.url), options->proxy.source);
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
            loadContexts();
    }
    Q_EMIT changed();
}

void ConnectionsController::loadContexts()
{
    const SavedProfile *saved = profile(m_current);
    m_contexts.clear();
    m_fileProblem.clear();
    m_kubeconfig = {};
    if (!saved)
        return;
    // Files may be large or on a slow disk: a pool thread reads them, the newest request wins.
    const quint64 load = ++m_load;
    const KubeconfigSearch search = kubeconfigSearch(filesOf(saved->kubeconfig));
    QThreadPool::globalInstance()->start([this, guard = QPointer<ConnectionsController>(this), load, search] {
        const Kubeconfig kubeconfig = loadKubeconfig(search);
        if (guard) {
            QMetaObject::invokeMethod(
                guard,
                [this, load, kubeconfig] {
                    if (load == m_load)
                        contextsLoaded(kubeconfig);
                },
                Qt::QueuedConnection);
        }
    });
}

void ConnectionsController::contextsLoaded(const Kubeconfig &kubeconfig)
{
    m_kubeconfig = kubeconfig;
    m_contexts.clear();
    for (const KubeContext &context : kubeconfig.contexts) {
        const QString server = context.parts ? displayUrl(context.parts->cluster.server) : QString();
        m_contexts << ConnectionContext{context.name, server,
                                        context.problem ? errorLine(*context.problem) : QString()};
    }
    if (!kubeconfig.notes.isEmpty())
        m_fileProblem = errorLine(kubeconfig.notes.first());
    else if (kubeconfig.contexts.isEmpty())
        m_fileProblem = tr("No kubeconfig found. Choose a file, or start the demo pool.");
    for (SavedProfile &saved : m_profiles) {
        if (saved.id == m_current && saved.context.isEmpty() && kubeconfig.find(kubeconfig.currentContext)) {
            saved.context = kubeconfig.currentContext;
            save();
        }
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
            m_asked << *context->parts->user.exec;
            Q_EMIT changed();
            return;
        }
    }
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

QList<ConnectionTest> ConnectionsController::tests() const
{
    using State = ConnectionTest::State;
    struct Row
    {
        ProbeStep step;
        const char *id;
        QString title;
    };
    const QList<Row> rows{
        {ProbeStep::Kubernetes, "kubernetes", tr("Kubernetes API")},
        {ProbeStep::Cards, "cards", tr("Nodes")},
        {ProbeStep::Engines, "engines", tr("Engines")},
        {ProbeStep::Permission, "permission", tr("Permission")},
        {ProbeStep::Metrics, "metrics", tr("Prometheus")},
    };
    QList<ConnectionTest> list;
    if (m_current == demoId || (m_answers.isEmpty() && !m_probe))
        return list;
    const Formatting &format = m_inventory.table().formatting();
    bool earlierFailed = false;
    for (const Row &row : rows) {
        ConnectionTest test{QString::fromLatin1(row.id), row.title};
        const auto at = std::find_if(m_answers.begin(), m_answers.end(),
                                     [&row](const ProbeAnswer &answer) { return answer.step == row.step; });
        if (at == m_answers.end()) {
            if (earlierFailed || !m_probe)
                continue;
            test.state =
                list.isEmpty() || list.last().state != State::Running ? State::Running : State::Waiting;
            list << test;
            continue;
        }
        const ProbeAnswer &answer = *at;
        test.latency = milliseconds(answer.elapsed);
        test.state = State::Passed;
        QStringList facts;
        if (answer.error) {
            const ErrorText text = errorText(*answer.error);
            test.state = row.step == ProbeStep::Metrics ? State::Warning : State::Failed;
            test.fact = text.sentence;
            test.remedy = text.remedy;
            earlierFailed = earlierFailed || row.step == ProbeStep::Kubernetes;
            list << test;
            continue;
        }
        switch (row.step) {
        case ProbeStep::Kubernetes:
            facts << answer.version;
            break;
        case ProbeStep::Cards:
            if (answer.nodes)
                facts << tr("%n node(s)", nullptr, int(*answer.nodes));
            if (answer.slices)
                facts << tr("%n ResourceSlice(s)", nullptr, int(*answer.slices));
            break;
        case ProbeStep::Engines:
            facts << (answer.engines.isEmpty() ? tr("No Kueue, KEDA, Volcano or DRA")
                                               : answer.engines.join(QStringLiteral(" · ")));
            if (!answer.unknownEngines.isEmpty()) {
                test.state = State::Warning;
                facts << tr("did not answer: %1").arg(answer.unknownEngines.join(QStringLiteral(", ")));
            }
            break;
        case ProbeStep::Permission:
            if (!answer.user.isEmpty())
                facts << tr("You are %1.").arg(answer.user);
            if (answer.missingRights.isEmpty()) {
                facts << tr("May read, label and cordon.");
            } else {
                test.state = answer.mayListNodes ? State::Warning : State::Failed;
                facts << tr("May not: %1.").arg(answer.missingRights.join(QStringLiteral(", ")));
                test.action = tr("Copy the RBAC rule");
            }
            break;
        case ProbeStep::Metrics:
            facts << answer.version << answer.via;
            if (answer.clockSkew && std::abs(answer.clockSkew->count()) >= 30'000) {
                test.state = State::Warning;
                const auto seconds = int(std::abs(answer.clockSkew->count()) / 1000);
                facts << (answer.clockSkew->count() > 0
                              ? tr("Its clock is %n s ahead of this machine's.", nullptr, seconds)
                              : tr("Its clock is %n s behind this machine's.", nullptr, seconds));
            }
            break;
        }
        facts.removeAll(QString());
        test.fact = facts.join(QStringLiteral(" · "));
        list << test;
    }
    Q_UNUSED(format)
    return list;
}

void ConnectionsController::runTestAction(const QString &testId)
{
    if (testId != QLatin1String("permission"))
        return;
    const QString rule = QStringLiteral(
        "apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata:\n  name: "
        "tongchi-operator\nrules:\n"
        "- apiGroups: [\"\"]\n  resources: [nodes, pods, services, configmaps]\n  verbs: [get, list, watch]\n"
        "- apiGroups: [\"\"]\n  resources: [nodes]\n  verbs: [patch]\n"
        "- apiGroups: [\"\"]\n  resources: [services/proxy]\n  verbs: [get, create]\n"
        "- apiGroups: [resource.k8s.io]\n  resources: [resourceslices, resourceclaims, deviceclasses]\n  "
        "verbs: [get, list, watch]\n");
    QGuiApplication::clipboard()->setText(rule);
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
        open(*saved);
}

void ConnectionsController::open(const SavedProfile &saved)
{
    const auto context = contextOf(saved, m_kubeconfig);
    if (!context || isConnected(saved.id))
        return;
    if (context->parts && context->parts->user.exec && !m_consent->isAllowed(*context->parts->user.exec)) {
        if (!m_memory.isPluginAllowed(execConsentKey(*context->parts->user.exec))) {
            if (!m_asked.contains(*context->parts->user.exec))
                m_asked << *context->parts->user.exec;
            Q_EMIT changed();
            return;
        }
        m_consent->allow(execConsentKey(*context->parts->user.exec));
    }
    const QStringList prometheus = saved.prometheus.isEmpty() ? QStringList() : QStringList{saved.prometheus};
    SessionOptions options = m_services.sessionFor(*context, m_consent, prometheus);
    if (!saved.title.isEmpty())
        options.name = saved.title;
    for (const ClusterStatus &status : m_inventory.statuses()) {
        if (status.name == options.name)
            options.name += QStringLiteral(" (2)"); // names of connected clusters differ
    }
    const quint32 id = m_services.nextClusterId();
    m_open << Open{saved.id, id};
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
    if (m_pool || m_poolStarting)
        return;
    m_poolStarting = true;
    m_pool = makeEmbeddedPool(m_poolOptions);
    connect(m_pool.get(), &EmbeddedPool::started, this, &ConnectionsController::poolStarted);
    connect(m_pool.get(), &EmbeddedPool::failed, this, [this](const Error &error) {
        m_poolStarting = false;
        Q_EMIT failed(error);
        Q_EMIT changed();
    });
    m_pool->start();
    Q_EMIT changed();
}

void ConnectionsController::poolStarted(const PoolInfo &info)
{
    m_poolStarting = false;
    for (const PoolCluster &cluster : info.clusters) {
        const quint32 id = m_services.nextClusterId();
        m_open << Open{demoId, id};
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
        QThreadPool::globalInstance()->start([this, guard = QPointer<ConnectionsController>(this), saved,
                                              search = kubeconfigSearch(filesOf(saved.kubeconfig))] {
            const Kubeconfig kubeconfig = loadKubeconfig(search);
            if (guard) {
                QMetaObject::invokeMethod(
                    guard,
                    [this, saved, kubeconfig] {
                        const Kubeconfig shown = m_kubeconfig;
                        m_kubeconfig = kubeconfig;
                        open(saved);
                        m_kubeconfig = shown;
                    },
                    Qt::QueuedConnection);
            }
        });
    }
}

void ConnectionsController::connectContexts(const QStringList &kubeconfigs, const QStringList &contexts,
                                            const QStringList &prometheus)
{
    const Kubeconfig kubeconfig = loadKubeconfig(kubeconfigSearch(filesOf(kubeconfigs.join(u':'))));
    CommandLine command;
    command.contexts = contexts;
    const auto chosen = chosenContexts(kubeconfig, command);
    if (!chosen) {
        Q_EMIT failed(chosen.error());
        return;
    }
    m_kubeconfig = kubeconfig;
    for (const KubeContext &context : *chosen) {
        SavedProfile fresh;
        fresh.id = QUuid::createUuid().toString(QUuid::WithoutBraces);
        fresh.kubeconfig = kubeconfigs.join(u':');
        fresh.context = context.name;
        fresh.prometheus = prometheus.value(0);
        const auto same =
            std::find_if(m_profiles.begin(), m_profiles.end(), [&fresh](const SavedProfile &saved) {
                return saved.kubeconfig == fresh.kubeconfig && saved.context == fresh.context;
            });
        if (same != m_profiles.end()) {
            open(*same);
        } else {
            m_profiles << fresh;
            open(fresh);
        }
    }
}

} // namespace tongchi
