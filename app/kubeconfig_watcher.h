#pragma once

#include "platform/kubernetes/kubeconfig_path.h"

#include <QHash>
#include <QObject>
#include <QThread>
#include <chrono>

namespace tongchi {

/// Says when one of some kubeconfigs is written, replaced, removed or made: login tools and editors do all of
/// these while the console runs. Looks at the files and their folders in a thread of its own, since a file
/// may lie on a slow disk. GUI thread.
class KubeconfigWatcher final : public QObject
{
    Q_OBJECT
public:
    /// `gathering`: a writer writes more than once, so one change is told that long after its first sign.
    explicit KubeconfigWatcher(std::chrono::milliseconds gathering = std::chrono::milliseconds(200),
                               QObject *parent = nullptr);
    /// Ends the thread.
    ~KubeconfigWatcher() override;

    /// Stands for the bytes of a file; empty: it cannot be read. Blocks on the file.
    static QByteArray digest(const FilePath &file);
    using Digests = QHash<FilePath, QByteArray>;
    /// digest() of each. Blocks on the files.
    static Digests digests(const QList<FilePath> &files);

    /// These files from now on, and no others; they need not exist. With what the caller knows of each: a
    /// digest from before he read it, so that a change between his reading and now is told as well.
    void watch(const Digests &files);

Q_SIGNALS:
    /// The bytes of a file are others than known. A file that is only touched is not a change.
    void changed();
    /// The files of the last watch() are looked at from now on; for tests.
    void watching();

private:
    class Worker;
    QThread m_thread;
    Worker *m_worker; ///< lives in m_thread, deleted when it finishes
    Digests m_files;  ///< of the last watch()
};

} // namespace tongchi
