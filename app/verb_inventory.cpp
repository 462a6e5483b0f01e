#include "app/verb_inventory.h"

#include "app/embedded_clusters.h"
#include "app/languages.h"
#include "app/unix_signals.h"
#include "models/common/error_text.h"
#include "models/common/json_text.h"
#include "models/inventory/inventory_export.h"
#include "platform/kubernetes/kubeconfig_loader.h"

#include <QCoreApplication>
#include <QCryptographicHash>
#include <QFile>
#include <QTimer>
#include <cstdio>
#include <unordered_map>

namespace tongchi {
namespace {

void sayError(const Error &error)
{
    std::fprintf(stderr, "tongchi: %s\n", errorLine(error).toUtf8().constData());
}

bool print(const QByteArray &text)
{
    const bool whole =
        std::fwrite(text.constData(), 1, std::size_t(text.size()), stdout) == std::size_t(text.size());
    return std::fflush(stdout) == 0 && whole;
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
        m_inventory.setFilterText(command.filter);
        for (const FilterToken &token : m_inventory.filterTokens()) {
            if (token.error) {
                sayError(*token.error);
                m_badFilter = true;
            }
        }
        connect(&m_inventory, &InventoryController::completed, this, &InventoryRun::finish);
        m_timeout.setSingleShot(true);
        connect(&m_timeout, &QTimer::timeout, this, [this] {
            m_timedOut = true;
            finish();
        });
        connect(&m_inventory, &InventoryController::cardsChanged, this, [this] { m_changed = true; });
        m_watchTimer.setInterval(std::chrono::seconds(1));
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
        const UnixSignals onSignal([] { QCoreApplication::exit(ExitDone); });
        return QCoreApplication::exec();
    }

private:
    void startPool()
    {
        m_pool = makeEmbeddedPool(poolOptionsOf(m_command));
        connect(m_pool.get(), &EmbeddedPool::failed, this, [](const Error &error) {
            sayError(error);
            QCoreApplication::exit(ExitFailed);
        });
        connect(m_pool.get(), &EmbeddedPool::started, this, [this](const PoolInfo &info) {
            for (const PoolCluster &cluster : info.clusters) {
                if (m_command.contexts.isEmpty() || m_command.contexts.contains(cluster.name))
                    addSession(sessionForPool(m_pool.get(), cluster, info.authorityPem));
            }
            if (m_inventory.sources().isEmpty()) {
                std::fprintf(stderr, "tongchi: no cluster of the embedded pool has that name\n");
                QCoreApplication::exit(ExitFailed);
            }
        });
        m_pool->start();
    }

    int startContexts()
    {
        QList<FilePath> files;
        for (const QString &file : m_command.kubeconfigs) {
            const QList<QByteArray> parts = QFile::encodeName(file).split(':');
            for (const QByteArray &part : parts) {
                if (!part.isEmpty())
                    files << part;
            }
        }
        const Kubeconfig kubeconfig = loadKubeconfig(kubeconfigSearch(files));
        for (const Error &note : kubeconfig.notes)
            sayError(note);
        const auto chosen = chosenContexts(kubeconfig, m_command);
        if (!chosen) {
            sayError(chosen.error());
            return ExitFailed;
        }
        const auto consent = std::make_shared<FixedConsent>(m_command.allowExec);
        for (const KubeContext &context : *chosen)
            addSession(m_services.sessionFor(context, consent, m_command.prometheus));
        return ExitDone;
    }

    void addSession(SessionOptions options)
    {
        m_inventory.addSource(std::make_unique<ClusterSession>(m_services.nextClusterId(), std::move(options),
                                                               m_services.sessionEnvironment()));
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
        if (!print(document())) {
            QCoreApplication::exit(ExitFailed);
            return;
        }
        for (const ClusterStatus &status : m_inventory.statuses()) {
            for (const SourceStatus *source : {&status.kubernetes, &status.metrics}) {
                if (source->error && source->state != SourceState::Live &&
                    source->state != SourceState::Missing)
                    std::fprintf(stderr, "tongchi: %s: %s\n", status.name.toUtf8().constData(),
                                 errorLine(*source->error).toUtf8().constData());
            }
            if (status.kubernetes.state == SourceState::Connecting || !status.complete)
                std::fprintf(stderr, "tongchi: %s: %s\n", status.name.toUtf8().constData(),
                             m_timedOut ? "did not answer in full before the timeout"
                                        : "did not answer in full");
        }
        if (m_command.watch) {
            m_watchTimer.start();
            rememberAll();
            return;
        }
        QCoreApplication::exit(m_timedOut || m_inventory.isPartial() ? ExitPartial : ExitDone);
    }

    static QByteArray digest(const QByteArray &json)
    {
        return QCryptographicHash::hash(json, QCryptographicHash::Md5);
    }

    void rememberAll()
    {
        for (const CardIndex card : m_inventory.table().rows())
            m_seen[card] = digest(cardJson(m_inventory.store(), card));
    }

    void printChanges()
    {
        if (!m_changed)
            return;
        m_changed = false;
        m_inventory.table().sortNow();
        const CardStore &store = m_inventory.store();
        std::unordered_map<CardIndex, QByteArray> now;
        std::vector<CardIndex> changed;
        for (const CardIndex card : m_inventory.table().rows()) {
            QByteArray sum = digest(cardJson(store, card));
            const auto before = m_seen.find(card);
            if (before == m_seen.end() || before->second != sum)
                changed.push_back(card);
            now.emplace(card, std::move(sum));
        }
        std::size_t gone = 0;
        for (const auto &[card, sum] : m_seen)
            gone += now.contains(card) ? 0U : 1U;
        m_seen = std::move(now);
        if (changed.empty() && gone == 0)
            return;
        if (m_command.output == OutputFormat::Json) {
            // One line a change: the cards that changed, how many went, how many there are.
            QByteArray line = "{\"changed\":[";
            for (std::size_t i = 0; i < changed.size(); ++i)
                line += (i ? "," : "") + cardJson(store, changed[i]);
            line += "],\"removed\":" + QByteArray::number(qint64(gone)) +
                    ",\"cards\":" + QByteArray::number(qint64(m_seen.size())) + ",\"as_of\":\"" +
                    rfc3339(m_services.clock.now().time_since_epoch().count()) + "\"}\n";
            print(line);
        } else if (m_command.output == OutputFormat::Csv) {
            const QByteArray csv = inventoryCsv(store, changed);
            print(csv.mid(csv.indexOf('\n') + 1));
        } else if (m_command.output == OutputFormat::Yaml) {
            print("---\n" + inventoryYaml(store, changed, m_services.clock.now()));
        } else {
            const QByteArray table =
                inventoryTable(store, changed, m_inventory.table().formatting(), m_services.clock.now());
            print(table.mid(table.indexOf('\n') + 1));
        }
    }

    const CommandLine &m_command;
    const Languages &m_languages;
    Services m_services;
    std::unique_ptr<EmbeddedPool> m_pool;
    InventoryController m_inventory;
    QTimer m_timeout, m_watchTimer;
    std::unordered_map<CardIndex, QByteArray> m_seen;
    bool m_badFilter = false, m_timedOut = false, m_printed = false, m_changed = false;
};

} // namespace

int runInventory(const CommandLine &command, const Languages &languages)
{
    return InventoryRun(command, languages).start();
}

} // namespace tongchi
