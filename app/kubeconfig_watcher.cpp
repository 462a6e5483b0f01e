#include "app/kubeconfig_watcher.h"

#include <QCryptographicHash>
#include <QFile>
#include <QFileInfo>
#include <QFileSystemWatcher>
#include <QSet>
#include <QTimer>

namespace tongchi {
namespace {

/// The folder, or the nearest one above it that is there: that one hears of its being made.
QString existingFolder(QString folder)
{
    while (!QFileInfo(folder).isDir()) {
        const QString above = QFileInfo(folder).path();
        if (above == folder)
            return {};
        folder = above;
    }
    return folder;
}

} // namespace

class KubeconfigWatcher::Worker : public QObject
{
public:
    Worker(KubeconfigWatcher &owner, std::chrono::milliseconds gathering)
        : q(owner), m_watcher(this), m_gathering(this)
    {
        m_gathering.setSingleShot(true);
        m_gathering.setInterval(gathering);
        // Not restarted by further signs: a folder that is never quiet must not hide a change.
        const auto soon = [this] {
            if (!m_gathering.isActive())
                m_gathering.start();
        };
        connect(&m_watcher, &QFileSystemWatcher::fileChanged, this, soon);
        connect(&m_watcher, &QFileSystemWatcher::directoryChanged, this, soon);
        connect(&m_gathering, &QTimer::timeout, this, &Worker::compare);
    }

    void watch(Digests files)
    {
        for (auto it = files.begin(); it != files.end(); ++it)
            it.value() = m_digests.value(it.key(), it.value()); // ours may be newer, and is told
        m_digests = files;
        compare();
        Q_EMIT q.watching();
    }

private:
    void compare()
    {
        lookAt();
        bool differs = false;
        for (auto it = m_digests.begin(); it != m_digests.end(); ++it) {
            const QByteArray now = digest(it.key());
            differs = differs || now != it.value();
            it.value() = now;
        }
        if (differs)
            Q_EMIT q.changed();
    }

    /// A replaced file is another one, and a link has its file elsewhere: everything is looked up anew.
    void lookAt()
    {
        QSet<QString> wanted;
        for (auto it = m_digests.cbegin(); it != m_digests.cend(); ++it) {
            const QString path = QFile::decodeName(it.key());
            const QFileInfo info(path);
            wanted << existingFolder(info.path());
            if (info.exists())
                wanted << path << existingFolder(QFileInfo(info.canonicalFilePath()).path());
        }
        wanted.remove({});
        const QStringList had = m_watcher.files() + m_watcher.directories();
        const QSet<QString> watched(had.begin(), had.end());
        if (const auto gone = watched - wanted; !gone.isEmpty())
            m_watcher.removePaths(gone.values());
        if (const auto fresh = wanted - watched; !fresh.isEmpty())
            m_watcher.addPaths(fresh.values());
    }

    KubeconfigWatcher &q; // only its signals are used here; they are queued
    QFileSystemWatcher m_watcher;
    QTimer m_gathering;
    Digests m_digests;
};

QByteArray KubeconfigWatcher::digest(const FilePath &file)
{
    const Result<QByteArray> bytes = readSmallFile(file, kubeconfigSizeLimit);
    return bytes ? QCryptographicHash::hash(*bytes, QCryptographicHash::Sha256) : QByteArray();
}

KubeconfigWatcher::Digests KubeconfigWatcher::digests(const QList<FilePath> &files)
{
    Digests digests;
    for (const FilePath &file : files)
        digests.insert(file, digest(file));
    return digests;
}

KubeconfigWatcher::KubeconfigWatcher(std::chrono::milliseconds gathering, QObject *parent)
    : QObject(parent), m_worker(new Worker(*this, gathering))
{
    m_thread.setObjectName(QStringLiteral("kubeconfigs"));
    m_worker->moveToThread(&m_thread);
    connect(&m_thread, &QThread::finished, m_worker, &QObject::deleteLater);
}

KubeconfigWatcher::~KubeconfigWatcher()
{
    if (!m_thread.isRunning()) {
        delete m_worker; // its thread never was
        return;
    }
    m_thread.quit();
    m_thread.wait();
}

void KubeconfigWatcher::watch(const Digests &files)
{
    if (files == m_files)
        return;
    m_files = files;
    if (!m_thread.isRunning())
        m_thread.start(QThread::LowPriority);
    QMetaObject::invokeMethod(m_worker, [worker = m_worker, files] { worker->watch(files); });
}

} // namespace tongchi
