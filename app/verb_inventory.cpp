#include "app/verb_inventory.h"

#include "app/embedded_clusters.h"
#include "app/kubeconfig_watcher.h"
#include "app/languages.h"
#include "app/live_context.h"
#include "app/terminal.h"
#include "app/unix_signals.h"
#include "models/common/error_text.h"
#include "models/common/formatting.h"
#include "models/common/json_text.h"
#include "models/inventory/inventory_export.h"
#include "models/inventory/inventory_watch.h"
#include "models/inventory/watch_pace.h"
#include "platform/kubernetes/kubeconfig_loader.h"

#include <QCoreApplication>
#include <QFile>
#include <QMap>
#include <QTimer>
#include <algorithm>

namespace tongchi {
namespace {

QString inventoryText(const char *text)
{
    return QCoreApplication::translate("Terminal", text);
}

/// A sentence about one cluster.
void tellOf(const QString &cluster, const QString &sentence)
{
    //: %1 is a cluster, %2 the sentence about it.
    tell(substituteArguments(inventoryText(QT_TRANSLATE_NOOP("Terminal", "%1: %2")), {cluster, sentence}));
}

/// "lost" as people read it.
QString stateWord(SourceState state)
{
    switch (state) {
    case SourceState::Missing:
        return inventoryText(QT_TRANSLATE_NOOP("Terminal", "not there"));
    case SourceState::Idle:
        return inventoryText(QT_TRANSLATE_NOOP("Terminal", "not asked"));
    case SourceState::Connecting:
        return inventoryText(QT_TRANSLATE_NOOP("Terminal", "connecting"));
    case SourceState::Live:
        return inventoryText(QT_TRANSLATE_NOOP("Terminal", "live"));
    case SourceState::Late:
        return inventoryText(QT_TRANSLATE_NOOP("Terminal", "late"));
    case SourceState::Lost:
        return inventoryText(QT_TRANSLATE_NOOP("Terminal", "lost"));
    case SourceState::Forbidden:
        return inventoryText(QT_TRANSLATE_NOOP("Terminal", "not permitted"));
    case SourceState::Failed:
        return inventoryText(QT_TRANSLATE_NOOP("Terminal", "failed"));
    }
    return {};
}

/// One run of the verb. Ends the event loop through exit().
class InventoryRun : public QObject
{
public:
    InventoryRun(const CommandLine &command, const Languages &languages)
        : m_command(command), m_languages(languages),
          m_inventory(m_services.strings, m_services.clock, {.applyInterval = std::chrono::milliseconds(20)})
    {
        m_inventory.setFormatting(languages.formatting());
        connect(&m_services.pluginMessages, &PluginMessages::said, this,
                [](const QByteArray &, const QString &program, const QString &text) {
                    //: %1 is the name of a program, %2 what it wrote for the operator.
                    tell(substituteArguments(inventoryText(QT_TRANSLATE_NOOP("Terminal", "%1 says: %2")),
                                             {program, text}));
                });
        m_inventory.setFilterText(command.filter);
        for (const FilterToken &token : m_inventory.filterTokens()) {
            if (token.error) {
                tell(*token.error);
                m_badFilter = true;
            }
        }
        connect(&m_inventory, &InventoryController::completed, this, &InventoryRun::finish);
        m_timeout.setSingleShot(true);
        connect(&m_timeout, &QTimer::timeout, this, [this] {
            m_timedOut = true;
            finish();
        });
        connect(&m_inventory, &InventoryController::cardsChanged, this, &InventoryRun::printSoon);
        m_watchTimer.setSingleShot(true);
        connect(&m_watchTimer, &QTimer::timeout, this, &InventoryRun::printChanges);
    }

    int start()
    {
        if (m_badFilter)
            return ExitUsage;
        m_timeout.start(m_command.timeout);
        if (m_command.embedded)
            startPool();
        else if (const int code = startContexts(); code != ExitDone)
            return code;
        const UnixSignals onSignal([this](int signal) {
            // Ending what runs until it is ended is no failure; but what was cut short must not look done.
            constexpr int bySignal = 128;
            QCoreApplication::exit(!m_printed                ? bySignal + signal
                                   : m_inventory.isPartial() ? ExitPartial
                                                             : ExitDone);
        });
        return QCoreApplication::exec();
    }

private:
    void startPool()
    {
        m_pool = makeEmbeddedPool(poolOptionsOf(m_command));
        connect(m_pool.get(), &EmbeddedPool::failed, this, [](const Error &error) {
            tell(error);
            QCoreApplication::exit(ExitFailed);
        });
        connect(m_pool.get(), &EmbeddedPool::started, this, [this](const PoolInfo &info) {
            if (const Status known = checkPoolContexts(m_command.contexts, info.clusters); !known) {
                tell(known.error());
                QCoreApplication::exit(ExitFailed);
                return;
            }
            for (const PoolCluster &cluster : info.clusters) {
                if (m_command.contexts.isEmpty() || m_command.contexts.contains(cluster.name))
                    addSession(sessionForPool(m_pool.get(), cluster, info.authorityPem));
            }
        });
        m_pool->start();
    }

    int startContexts()
    {
        const auto search = kubeconfigSearch(kubeconfigFilesOf(m_command.kubeconfigs));
        auto digests = KubeconfigWatcher::digests(kubeconfigFiles(search)); // before they are read
        const Kubeconfig kubeconfig = loadKubeconfig(search);
        QStringList told;
        const auto tellOnce = [&told](const Error &error) {
            const QString line = errorLine(error);
            if (!told.contains(line))
                tell(line);
            told << line;
        };
        for (const Error &note : kubeconfig.notes)
            tellOnce(note);
        const auto chosen = chosenContexts(kubeconfig, m_command);
        if (!chosen) {
            tellOnce(chosen.error()); // it may be one of the notes
            return ExitFailed;
        }
        QStringList names;
        for (const KubeContext &context : *chosen)
            names << context.name;
        if (const Status known = checkPrometheusNames(m_command.prometheus, names); !known) {
            tell(known.error());
            return ExitUsage;
        }
        const auto consent = std::make_shared<FixedConsent>(m_command.allowExec);
        for (const KubeContext &context : *chosen) {
            const auto live = std::make_shared<LiveContext>(context);
            const quint32 id = addSession(m_services.sessionFor(live, consent, m_command.prometheus));
            if (m_command.watch)
                m_live.emplace_back(id, live);
        }
        if (m_command.watch) {
            connect(&m_files, &KubeconfigWatcher::changed, this, &InventoryRun::renewContexts);
            m_files.watch(std::move(digests));
        }
        return ExitDone;
    }

    /// A login tool, or a pool that was started again, has written a kubeconfig that is in use.
    void renewContexts()
    {
        const auto search = kubeconfigSearch(kubeconfigFilesOf(m_command.kubeconfigs));
        auto digests = KubeconfigWatcher::digests(kubeconfigFiles(search)); // before they are read
        const Kubeconfig kubeconfig = loadKubeconfig(search);
        for (const auto &[id, live] : m_live) {
            if (InventorySource *source = m_inventory.source(id))
                renewSource(*source, *live, kubeconfig);
        }
        m_files.watch(std::move(digests));
    }

    quint32 addSession(SessionOptions options)
    {
        const quint32 id = m_services.nextClusterId();
        m_inventory.addSource(
            std::make_unique<ClusterSession>(id, std::move(options), m_services.sessionEnvironment()));
        return id;
    }

    QByteArray document() const
    {
        const CardStore &store = m_inventory.store();
        const auto &rows = m_inventory.table().rows();
        switch (m_command.output) {
        case OutputFormat::Json:
            return inventoryJson(store, rows, m_services.clock.now());
        case OutputFormat::Csv:
            return inventoryCsv(store, rows);
        case OutputFormat::Yaml:
            return inventoryYaml(store, rows, m_services.clock.now());
        case OutputFormat::Table:
            return inventoryTable(store, rows, m_inventory.table().formatting(), m_services.clock.now());
        }
        return {};
    }

    void finish()
    {
        if (m_printed)
            return;
        m_printed = true;
        m_timeout.stop();
        m_inventory.table().sortNow();
        if (!printResult(document())) {
            QCoreApplication::exit(ExitFailed);
            return;
        }
        for (const ClusterStatus &status : m_inventory.statuses())
            tellFailures(status, m_timedOut);
        tellUnknownKeys();
        if (m_command.watch) {
            (void)m_watch.take(m_inventory.table().rows()); // as just printed
            m_states = states();
            connect(&m_inventory, &InventoryController::statusChanged, this, &InventoryRun::tellStates);
            m_pace.written();
            return;
        }
        QCoreApplication::exit(m_timedOut || m_inventory.isPartial() ? ExitPartial : ExitDone);
    }

    /// No card, and a word that was perhaps meant as a key: "none" would be believed.
    void tellUnknownKeys() const
    {
        if (m_inventory.table().rowCount() > 0)
            return;
        for (const FilterToken &token : m_inventory.filterTokens()) {
            const QString word = token.key == FilterKey::FreeText ? token.values.value(0) : QString();
            if (const qsizetype colon = word.indexOf(u':'); colon > 0)
                tell(substituteArguments(
                    inventoryText(QT_TRANSLATE_NOOP(
                        "Terminal", "“%1” is no key of the filter, so “%2” was looked for as text.")),
                    {word.left(colon), word}));
        }
    }

    void printSoon()
    {
        if (m_printed && m_command.watch && !m_watchTimer.isActive())
            m_watchTimer.start(m_pace.pause());
    }

    /// What each cluster and its metrics are, by name: "live", "lost".
    QMap<QString, QString> states() const
    {
        QMap<QString, QString> states;
        for (const ClusterStatus &status : m_inventory.statuses())
            states.insert(status.name, QString::fromLatin1(sourceStateKey(status.kubernetes.state)) + u'/' +
                                           QString::fromLatin1(sourceStateKey(status.metrics.state)));
        return states;
    }

    /// Silence must not look like nothing to tell: a cluster that is lost or back is a line of its own.
    void tellStates()
    {
        const QMap<QString, QString> now = states();
        if (now == m_states)
            return;
        for (const ClusterStatus &status : m_inventory.statuses()) {
            if (now.value(status.name) == m_states.value(status.name))
                continue;
            const SourceStatus &source =
                status.kubernetes.state != SourceState::Live ? status.kubernetes : status.metrics;
            const QString error =
                source.error && source.state != SourceState::Live ? errorLine(*source.error) : QString();
            //: The state of a cluster, the state of its metrics, and an error or nothing.
            tellOf(status.name,
                   substituteArguments(
                       inventoryText(QT_TRANSLATE_NOOP("Terminal", "cluster %1, metrics %2. %3")),
                       {stateWord(status.kubernetes.state), stateWord(status.metrics.state), error})
                       .trimmed());
        }
        m_states = now;
        if (m_command.output == OutputFormat::Json &&
            !printResult(clustersLine(m_inventory.store(), m_watch.cards(), m_services.clock.now())))
            QCoreApplication::exit(ExitFailed);
    }

    void printChanges()
    {
        m_pace.beginComparison();
        m_inventory.table().sortNow();
        const InventoryWatch::Changes changes = m_watch.take(m_inventory.table().rows());
        const QByteArray text = changes.isEmpty() ? QByteArray() : textOf(changes);
        m_pace.endComparison();
        if (!changes.isEmpty() && !printResult(text))
            QCoreApplication::exit(ExitFailed); // whoever read it is gone
        m_pace.written();
    }

    QByteArray textOf(const InventoryWatch::Changes &changes) const
    {
        const CardStore &store = m_inventory.store();
        QByteArray text;
        if (m_command.output == OutputFormat::Json) {
            text = watchLine(store, changes, m_services.clock.now());
        } else if (m_command.output == OutputFormat::Csv) {
            text = inventoryCsv(store, changes.changed);
            text.remove(0, text.indexOf('\n') + 1);
        } else if (m_command.output == OutputFormat::Yaml) {
            text = "---\n" + inventoryYaml(store, changes.changed, m_services.clock.now());
        } else {
            text = inventoryTable(store, changes.changed, m_inventory.table().formatting(),
                                  m_services.clock.now());
            text.remove(0, text.indexOf('\n') + 1);
        }
        return text;
    }

    const CommandLine &m_command;
    const Languages &m_languages;
    Services m_services;
    std::unique_ptr<EmbeddedPool> m_pool;
    InventoryController m_inventory;
    KubeconfigWatcher m_files;
    std::vector<std::pair<quint32, std::shared_ptr<LiveContext>>> m_live; ///< by cluster; with --watch
    QTimer m_timeout, m_watchTimer;
    InventoryWatch m_watch{m_inventory.store()};
    QMap<QString, QString> m_states; ///< as told
    WatchPace m_pace{m_services.clock};
    bool m_badFilter = false, m_timedOut = false, m_printed = false;
};

} // namespace

void tellFailures(const ClusterStatus &status, bool timedOut)
{
    for (const SourceStatus *source : {&status.kubernetes, &status.metrics}) {
        if (!source->error || source->state == SourceState::Live || source->state == SourceState::Missing)
            continue;
        QString line = errorLine(*source->error);
        if (source->error->code == ErrorCode::NeedsConsent)
            line =
                sentencesText(line, inventoryText(QT_TRANSLATE_NOOP("Terminal", "Here, say --allow-exec.")));
        tellOf(status.name, line);
    }
    if (status.kubernetes.error && status.kubernetes.state != SourceState::Live)
        return; // that is why it did not answer
    for (const DeniedPart &part : status.denied)
        tellOf(status.name, errorLine(part.error));
    if (status.kubernetes.state == SourceState::Connecting || !status.complete)
        tellOf(status.name,
               timedOut
                   ? substituteArguments(
                         inventoryText(QT_TRANSLATE_NOOP(
                             "Terminal", "%1 did not answer in full before the timeout. Check whether it "
                                         "is up and can be reached, or give it longer with --timeout.")),
                         {status.server.isEmpty() ? status.name : status.server})
                   : inventoryText(QT_TRANSLATE_NOOP("Terminal", "It did not answer in full.")));
}

int runInventory(const CommandLine &command, const Languages &languages)
{
    return InventoryRun(command, languages).start();
}

} // namespace tongchi
