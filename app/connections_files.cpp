// Kubeconfigs: read in a pool thread, watched while they are in use.

#include "app/connections_controller.h"
#include "models/common/error_text.h"
#include "platform/kubernetes/kubeconfig_loader.h"

#include <QFutureWatcher>
#include <QPromise>
#include <QThreadPool>
#include <utility>

namespace tongchi {
namespace {

/// What a pool thread brings.
struct ReadKubeconfig
{
    Kubeconfig kubeconfig;
    KubeconfigWatcher::Digests digests;
};

} // namespace

void ConnectionsController::read(const QString &kubeconfig, std::function<void(const Kubeconfig &)> then)
{
    // Files may be large or on a slow disk.
    auto promise = std::make_shared<QPromise<ReadKubeconfig>>();
    promise->start();
    auto *watcher = new QFutureWatcher<ReadKubeconfig>(this);
    connect(watcher, &QFutureWatcherBase::finished, this, [this, watcher, then = std::move(then)] {
        watcher->deleteLater();
        if (watcher->future().resultCount() == 0)
            return;
        const ReadKubeconfig result = watcher->result();
        m_digests.insert(result.digests);
        then(result.kubeconfig);
        watchFiles();
    });
    watcher->setFuture(promise->future());
    QThreadPool::globalInstance()->start(
        [promise, search = kubeconfigSearch(kubeconfigFilesOf({kubeconfig}))] {
            ReadKubeconfig result;
            result.digests = KubeconfigWatcher::digests(kubeconfigFiles(search)); // before they are read
            result.kubeconfig = loadKubeconfig(search);
            promise->addResult(std::move(result));
            promise->finish();
        });
}

void ConnectionsController::loadContexts(Loading loading)
{
    const quint64 load = ++m_load; // the newest request wins
    if (loading == Loading::OtherFile) {
        m_contexts.clear();
        m_fileProblem.clear();
        m_kubeconfig = {};
    }
    watchFiles();
    if (const SavedProfile *saved = profile(m_current)) {
        read(saved->kubeconfig, [this, load, loading](const Kubeconfig &kubeconfig) {
            if (load == m_load)
                contextsLoaded(kubeconfig, loading);
        });
    }
}

void ConnectionsController::contextsLoaded(const Kubeconfig &kubeconfig, Loading loading)
{
    m_kubeconfig = kubeconfig;
    m_contexts.clear();
    m_fileProblem.clear();
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
        // A choice stays while its file is being written; in another file it may mean nothing.
        const bool open =
            saved.context.isEmpty() ||
            (loading == Loading::OtherFile && !kubeconfig.find(saved.context) && !isConnected(saved.id));
        if (saved.id == m_current && open && kubeconfig.find(kubeconfig.currentContext)) {
            saved.context = kubeconfig.currentContext;
            save();
        }
    }
    Q_EMIT changed();
    if (std::exchange(m_testWhenLoaded, false))
        test();
}

void ConnectionsController::watchFiles()
{
    KubeconfigWatcher::Digests files;
    const auto add = [this, &files](const QString &kubeconfig) {
        for (const FilePath &file : kubeconfigFiles(kubeconfigSearch(kubeconfigFilesOf({kubeconfig})))) {
            if (m_digests.contains(file)) // otherwise it is being read, and this is called again then
                files.insert(file, m_digests.value(file));
        }
    };
    for (const Open &open : std::as_const(m_open)) {
        if (open.context)
            add(open.kubeconfig);
    }
    if (const SavedProfile *saved = profile(m_current))
        add(saved->kubeconfig);
    m_watcher.watch(files);
}

void ConnectionsController::filesChanged()
{
    if (profile(m_current))
        loadContexts(Loading::SameFile);
    for (const Open &open : std::as_const(m_open)) {
        if (!open.context)
            continue;
        read(open.kubeconfig, [this, id = open.clusterId](const Kubeconfig &kubeconfig) {
            for (const Open &still : std::as_const(m_open)) {
                if (still.clusterId == id)
                    renew(still, kubeconfig);
            }
        });
    }
}

void ConnectionsController::renew(const Open &open, const Kubeconfig &kubeconfig)
{
    if (InventorySource *source = m_inventory.source(open.clusterId))
        renewSource(*source, *open.context, kubeconfig);
}

} // namespace tongchi
