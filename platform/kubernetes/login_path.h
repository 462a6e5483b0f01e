#pragma once

#include "platform/core/result.h"
#include "platform/kubernetes/kubeconfig_path.h"

#include <QFuture>
#include <QList>
#include <QObject>
#include <chrono>
#include <memory>

namespace tongchi {

struct LoginPathOptions
{
    FilePath shell; ///< SHELL of this process; empty or no program: nobody is asked
    FilePath home;
    QByteArray ownPath; ///< PATH of this process
    std::chrono::milliseconds timeout{5000};
    bool usualFolders = true; ///< add the places where login tools usually are
};

/// Options from this process's environment.
LoginPathOptions loginPathOptions();

/// The folders in which a program started from a terminal would be found. A program started from the desktop
/// has a shorter PATH than the operator's shell, so the login shell is asked once, on first use, without
/// blocking: own PATH first, then the shell's, then the usual folders. A shell that is slow, noisy or broken
/// only costs its entries. Lives in a thread with an event loop that outlives those who ask; folders() may be
/// called from any thread.
class LoginPath : public QObject
{
    Q_OBJECT
public:
    explicit LoginPath(LoginPathOptions options, QObject *parent = nullptr);
    ~LoginPath() override;

    /// One shared answer; may be finished already. Use a QFutureWatcher, since several wait for it.
    [[nodiscard]] QFuture<QList<FilePath>> folders();

private:
    struct Private;
    std::unique_ptr<Private> d;
};

/// Folders of a PATH, without empty, relative and repeated ones.
QList<FilePath> splitPath(const QByteArray &path);

/// First program of that name; empty when there is none.
FilePath findProgram(const QByteArray &name, const QList<FilePath> &folders);

/// What stands between two markers in a shell's output, whatever its start-up files print around it.
QByteArray textBetweenMarkers(const QByteArray &output, const QByteArray &marker);

} // namespace tongchi
