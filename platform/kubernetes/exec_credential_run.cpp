#include "platform/kubernetes/exec_credential_run.h"

#include "platform/core/text_encoding.h"
#include "platform/kubernetes/exec_process.h"
#include "platform/kubernetes/kubeconfig_fields.h"
#include "platform/kubernetes/login_path.h"

#include <QProcessEnvironment>
#include <QTimer>
#include <QtCore/qcoreapplication.h>

namespace tongchi {

namespace {

constexpr qsizetype keptMessageBytes = 16 * 1024;

Error notFoundError(const ExecCommand &command, const QList<FilePath> &folders)
{
    QStringList tried;
    for (const FilePath &folder : folders)
        tried << displayPath(folder);
    const FilePath path = execCommandPath(command);
    Error error{.code = ErrorCode::NotFound,
                .text = QT_TRANSLATE_NOOP("Error", "The credential plug-in %1 was not found."),
                .arguments = {path.isEmpty() ? shortened(command.command) : displayPath(path)},
                .remedy =
                    QT_TRANSLATE_NOOP("Error", "Install it, or write its full path into the kubeconfig."),
                .detail = path.isEmpty() ? QStringLiteral("looked in ") + tried.join(u':') : QString()};
    if (!command.installHint.isEmpty()) {
        error.arguments << shortened(visibleText(command.installHint), 400);
        error.text =
            QT_TRANSLATE_NOOP("Error", "The credential plug-in %1 was not found. The kubeconfig says: %2");
    }
    return error;
}

} // namespace

ExecCredentialRun::ExecCredentialRun(ExecCommand command, const ExecOptions &options, QList<FilePath> folders,
                                     Done done)
    : m_command(std::move(command)), m_options(options), m_folders(std::move(folders)),
      m_done(std::move(done))
{
}

ExecCredentialRun::~ExecCredentialRun()
{
    abandonProcess(std::move(m_process));
}

void ExecCredentialRun::start()
{
    const FilePath written = execCommandPath(m_command);
    const FilePath program = written.isEmpty() ? findProgram(m_command.command.toUtf8(), m_folders) : written;
    if (program.isEmpty() || !pathExists(program)) {
        finish(failure(notFoundError(m_command, m_folders)));
        return;
    }
    if (!isProgram(program)) {
        finish(failure(
            {.code = ErrorCode::NotFound,
             .text = QT_TRANSLATE_NOOP("Error", "The credential plug-in %1 cannot be executed."),
             .arguments = {displayPath(program)},
             .remedy = QT_TRANSLATE_NOOP("Error", "Give the file the right to be executed (chmod +x).")}));
        return;
    }
    if (firstInvalidUtf8(program) >= 0) { // QProcess takes text only and would start another file
        finish(failure(
            {.code = ErrorCode::NotSupported,
             .text = QT_TRANSLATE_NOOP("Error", "The path of the credential plug-in %1 is not valid UTF-8."),
             .arguments = {displayPath(program)},
             .remedy = QT_TRANSLATE_NOOP("Error", "Rename the folder or the file.")}));
        return;
    }
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    QByteArrayList searched;
    for (const FilePath &folder : std::as_const(m_folders))
        searched << folder;
    environment.insert(QStringLiteral("PATH"), QString::fromUtf8(searched.join(':')));
    for (const auto &variable : std::as_const(m_command.env))
        environment.insert(variable.first, variable.second);
    environment.insert(QStringLiteral("KUBERNETES_EXEC_INFO"), QString::fromUtf8(execInfo(m_command)));

    m_process = makeDetachedFromTerminal();
    m_process->setProcessEnvironment(environment);
    connect(m_process.get(), &QProcess::readyReadStandardOutput, this, &ExecCredentialRun::readOutput);
    connect(m_process.get(), &QProcess::readyReadStandardError, this, &ExecCredentialRun::readMessages);
    connect(m_process.get(), &QProcess::errorOccurred, this, [this, program](QProcess::ProcessError error) {
        if (error != QProcess::FailedToStart)
            return;
        finish(failure(
            {.code = ErrorCode::NotFound,
             .text = QT_TRANSLATE_NOOP("Error", "The credential plug-in %1 cannot be started."),
             .arguments = {displayPath(program)},
             .remedy = QT_TRANSLATE_NOOP("Error", "Start it in a terminal and look at what is wrong."),
             .detail = m_process->errorString()}));
    });
    connect(m_process.get(), &QProcess::finished, this, [this](int exitCode, QProcess::ExitStatus status) {
        readOutput();
        readMessages();
        if (status == QProcess::NormalExit && exitCode == 0)
            finish(parseExecAnswer(m_output, m_command));
        else
            finish(failure(exitError(exitCode, status)));
    });
    QTimer::singleShot(m_options.timeout, this, [this] {
        if (m_finished)
            return;
        const QString said = execMessage(m_messages, m_options.messageLimit);
        finish(failure(
            {.code = ErrorCode::Timeout,
             .text = said.isEmpty()
                         ? QT_TRANSLATE_NOOP("Error",
                                             "The credential plug-in %1 gave no answer within %2 seconds.")
                         : QT_TRANSLATE_NOOP(
                               "Error", "The credential plug-in %1 gave no answer within %2 seconds: %3"),
             .arguments = {shortened(m_command.command),
                           QString::number(
                               std::chrono::duration_cast<std::chrono::seconds>(m_options.timeout).count()),
                           said},
             .remedy = QT_TRANSLATE_NOOP("Error", "Run it in a terminal once; it may wait for a login.")}));
        killProcessGroup(*m_process);
    });
    m_process->start(QString::fromUtf8(program), m_command.args);
}

void ExecCredentialRun::readOutput()
{
    m_output += m_process->readAllStandardOutput();
    if (m_output.size() <= m_options.outputLimit || m_finished)
        return;
    finish(
        failure({.code = ErrorCode::Protocol,
                 .text = QT_TRANSLATE_NOOP("Error", "The credential plug-in %1 printed more than %2 bytes."),
                 .arguments = {shortened(m_command.command), QString::number(m_options.outputLimit)},
                 .remedy = QT_TRANSLATE_NOOP("Error", "Check that the command is the right one.")}));
    killProcessGroup(*m_process);
}

void ExecCredentialRun::readMessages()
{
    const QByteArray news = m_process->readAllStandardError();
    if (news.isEmpty())
        return;
    m_messages += news;
    if (m_messages.size() > keptMessageBytes)
        m_messages.remove(0, m_messages.size() - keptMessageBytes);
    if (m_options.onMessage && !m_finished)
        m_options.onMessage(m_command, execMessage(m_messages, m_options.messageLimit));
}

Error ExecCredentialRun::exitError(int exitCode, QProcess::ExitStatus status) const
{
    const QString said = execMessage(m_messages, m_options.messageLimit);
    if (status == QProcess::CrashExit) {
        return {.code = ErrorCode::Unauthorized,
                .text = said.isEmpty() ? QT_TRANSLATE_NOOP("Error", "The credential plug-in %1 crashed.")
                                       : QT_TRANSLATE_NOOP("Error", "The credential plug-in %1 crashed: %2"),
                .arguments = {shortened(m_command.command), said},
                .remedy = QT_TRANSLATE_NOOP("Error", "Run it in a terminal and look at what is wrong.")};
    }
    return {.code = ErrorCode::Unauthorized,
            .text = said.isEmpty()
                        ? QT_TRANSLATE_NOOP("Error", "The credential plug-in %1 failed with code %2.")
                        : QT_TRANSLATE_NOOP("Error", "The credential plug-in %1 failed with code %2: %3"),
            .arguments = {shortened(m_command.command), QString::number(exitCode), said},
            .remedy = QT_TRANSLATE_NOOP("Error", "Run it in a terminal and log in, then reconnect.")};
}

void ExecCredentialRun::finish(Result<Credential> result)
{
    if (std::exchange(m_finished, true))
        return;
    // Later, so that whoever started the run never gets its answer inside the call and may destroy it.
    QMetaObject::invokeMethod(
        this, [this, result = std::move(result)] { m_done(result); }, Qt::QueuedConnection);
}

} // namespace tongchi
