#pragma once

#include "platform/kubernetes/exec_credential.h"

#include <QObject>
#include <QProcess>
#include <functional>
#include <memory>

namespace tongchi {

/// One run of a credential plug-in. Destroying it ends the plug-in with everything it started.
class ExecCredentialRun : public QObject
{
    Q_OBJECT
public:
    using Done = std::function<void(Result<Credential>)>;

    /// `folders` is where a bare command is looked up, and the PATH that the plug-in gets. Calls `done` once,
    /// later.
    ExecCredentialRun(ExecCommand command, const ExecOptions &options, QList<FilePath> folders, Done done);
    ~ExecCredentialRun() override;
    void start();

private:
    void readOutput();
    void readMessages();
    void finish(Result<Credential> result);
    Error exitError(int exitCode, QProcess::ExitStatus status) const;

    ExecCommand m_command;
    const ExecOptions &m_options;
    QList<FilePath> m_folders;
    Done m_done;
    std::unique_ptr<QProcess> m_process;
    QByteArray m_output;
    QByteArray m_messages;
    bool m_finished = false;
};

} // namespace tongchi
