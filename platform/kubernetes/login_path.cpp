#include "platform/kubernetes/login_path.h"

#include "platform/kubernetes/exec_process.h"

#include <QMutex>
#include <QProcess>
#include <QPromise>
#include <QTimer>
#include <QUuid>

namespace tongchi {

LoginPathOptions loginPathOptions()
{
    return {.shell = qgetenv("SHELL"), .home = qgetenv("HOME"), .ownPath = qgetenv("PATH")};
}

QList<FilePath> splitPath(const QByteArray &path)
{
    QList<FilePath> folders;
    for (const QByteArray &part : path.split(':')) {
        if (part.startsWith('/') && !folders.contains(part))
            folders << part;
    }
    return folders;
}

FilePath findProgram(const QByteArray &name, const QList<FilePath> &folders)
{
    for (const FilePath &folder : folders) {
        const FilePath candidate = folder + '/' + name;
        if (isProgram(candidate))
            return candidate;
    }
    return {};
}

QByteArray textBetweenMarkers(const QByteArray &output, const QByteArray &marker)
{
    const qsizetype begin = output.indexOf(marker);
    const qsizetype end = begin < 0 ? -1 : output.indexOf(marker, begin + marker.size());
    return end < 0 ? QByteArray() : output.mid(begin + marker.size(), end - begin - marker.size());
}

namespace {

QList<FilePath> usualProgramFolders(const FilePath &home)
{
    QList<FilePath> folders{"/usr/local/bin",
                            "/usr/bin",
                            "/bin",
                            "/usr/local/sbin",
                            "/snap/bin",
                            "/opt/bin",
                            "/usr/lib/google-cloud-sdk/bin",
                            "/opt/google-cloud-sdk/bin",
                            "/opt/homebrew/bin",
                            "/home/linuxbrew/.linuxbrew/bin",
                            "/nix/var/nix/profiles/default/bin"};
    if (!home.isEmpty()) {
        for (const char *folder :
             {"/bin", "/.local/bin", "/.krew/bin", "/google-cloud-sdk/bin", "/go/bin", "/.asdf/shims",
              "/.local/share/mise/shims", "/.nix-profile/bin", "/.azure-kubelogin"})
            folders << home + folder;
    }
    return folders;
}

} // namespace

struct LoginPath::Private
{
    LoginPathOptions options;
    QMutex mutex; // guards started and promise against folders() from other threads
    bool started = false;
    QPromise<QList<FilePath>> promise;
    std::unique_ptr<QProcess> process;
    QByteArray marker;
    QByteArray output;

    void finish(const QByteArray &shellPath)
    {
        process.release()->deleteLater();
        answer(shellPath);
    }

    void answer(const QByteArray &shellPath)
    {
        QList<FilePath> result = splitPath(options.ownPath + ':' + shellPath);
        if (options.usualFolders) {
            for (const FilePath &folder : usualProgramFolders(options.home)) {
                if (!result.contains(folder))
                    result << folder;
            }
        }
        const QMutexLocker lock(&mutex);
        promise.addResult(result);
        promise.finish();
    }
};

LoginPath::LoginPath(LoginPathOptions options, QObject *parent)
    : QObject(parent), d(std::make_unique<Private>())
{
    d->options = std::move(options);
    d->promise.start();
}

LoginPath::~LoginPath()
{
    abandonProcess(std::move(d->process));
}

QFuture<QList<FilePath>> LoginPath::folders()
{
    const QMutexLocker lock(&d->mutex);
    if (!std::exchange(d->started, true)) {
        QMetaObject::invokeMethod(
            this,
            [this] {
                const FilePath &shell = d->options.shell;
                if (!shell.startsWith('/') || !isProgram(shell)) {
                    d->answer({});
                    return;
                }
                d->marker = "tongchi-" + QUuid::createUuid().toByteArray(QUuid::Id128);
                // csh and tcsh take -l only alone; everything else that people log in with takes the three
                // together.
                const QString flags = shell.endsWith("csh") ? QStringLiteral("-ic") : QStringLiteral("-lic");
                const QString ask = QStringLiteral("printf '%s%s%s' '") + QString::fromLatin1(d->marker) +
                                    QStringLiteral("' \"$PATH\" '") + QString::fromLatin1(d->marker) + u'\'';
                d->process = makeDetachedFromTerminal();
                QProcess *process = d->process.get();
                process->setStandardErrorFile(QProcess::nullDevice());
                connect(process, &QProcess::readyReadStandardOutput, this, [this, process] {
                    d->output += process->readAllStandardOutput();
                    if (d->output.size() > 1024 * 1024)
                        killProcessGroup(*process);
                });
                connect(process, &QProcess::finished, this, [this, process] {
                    d->output += process->readAllStandardOutput();
                    d->finish(textBetweenMarkers(d->output, d->marker));
                });
                connect(process, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
                    if (error == QProcess::FailedToStart)
                        d->finish({});
                });
                QTimer::singleShot(d->options.timeout, process, [process] { killProcessGroup(*process); });
                process->start(QString::fromUtf8(shell), {flags, ask});
            },
            Qt::QueuedConnection);
    }
    return d->promise.future();
}

} // namespace tongchi
