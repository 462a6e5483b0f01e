#pragma once

#include "platform/core/clock.h"
#include "platform/http/connection_settings.h"
#include "platform/kubernetes/exec_command.h"

#include <QByteArray>
#include <chrono>
#include <functional>
#include <memory>

namespace tongchi {

class LoginPath;

struct ExecOptions
{
    std::chrono::milliseconds timeout{60'000};
    qint64 outputLimit = 1024 * 1024; ///< bytes on standard output; more is an error
    int messageLimit = 400;           ///< characters of standard error that are shown
    /// Called in the provider's thread with what a running plug-in writes to standard error ("open this page
    /// and enter the code ..."). Plain text from outside.
    std::function<void(const ExecCommand &, const QString &)> onMessage;
};

/// A credential from a plug-in of a kubeconfig (facts: exec plugins). Runs it without a shell and without
/// blocking, only if `consent` allows, found on the login shell's PATH. One run serves all that wait. The
/// credential is kept until it expires, or until a 401, which makes one new run. Belongs to the thread that
/// asks first; errors: NeedsConsent (with the command line), NotFound (with the install hint), Unauthorized,
/// Timeout, NotSupported, Protocol.
class ExecCredential final : public CredentialProvider
{
public:
    /// `clock` outlives this. Without `consent` nothing is allowed; without `loginPath` only this process's
    /// PATH counts.
    ExecCredential(ExecCommand command, const Clock &clock, ExecOptions options,
                   std::shared_ptr<LoginPath> loginPath, std::shared_ptr<const ExecConsent> consent);
    ~ExecCredential() override;

    [[nodiscard]] QFuture<Result<Credential>> credential(bool rejected) override;

private:
    class Worker;
    std::shared_ptr<const ExecConsent> m_consent;
    std::shared_ptr<LoginPath> m_loginPath;
    ExecCommand m_command;
    const Clock &m_clock;
    ExecOptions m_options;
    std::unique_ptr<Worker> m_worker; // made on first use, in the thread that asks
};

/// The environment variable KUBERNETES_EXEC_INFO.
QByteArray execInfo(const ExecCommand &command);

/// Reads what a plug-in printed. It has to answer in the version it was asked in, with a token, a certificate
/// with its key, or all of them. No error repeats the answer.
[[nodiscard]] Result<Credential> parseExecAnswer(const QByteArray &json, const ExecCommand &command);

/// Standard error of a plug-in for showing: terminal colours and things that look like tokens removed, in one
/// line, at most `limit` characters from the end.
QString execMessage(const QByteArray &standardError, int limit);

} // namespace tongchi
