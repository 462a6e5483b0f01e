#pragma once

#include "platform/core/clock.h"
#include "platform/http/connection_settings.h"
#include "platform/kubernetes/exec_credential.h"
#include "platform/kubernetes/kubeconfig.h"

#include <QProcessEnvironment>
#include <memory>

namespace tongchi {

class LoginPath;

/// What connections of this process share. The pointees outlive every connection made with it.
struct ConnectionEnvironment
{
    const Clock *clock = nullptr;
    QProcessEnvironment variables = QProcessEnvironment::systemEnvironment(); ///< HTTPS_PROXY, NO_PROXY, ...
    std::shared_ptr<LoginPath> loginPath; ///< null: only this process's own PATH is searched
    ExecOptions exec;
};

/// The certificate files of a context, read.
struct ContextFiles
{
    TlsSettings tls;
    QList<Error> warnings;
};

/// Reads what the parts name. Errors name the full path that was tried. A certificate of a server that is
/// reached over http is not needed: if it cannot be read, that is a warning. Blocks on local files.
[[nodiscard]] Result<ContextFiles> readContextFiles(const ContextParts &parts, const QString &contextName);

/// Everything needed to talk to the context's cluster. Reads certificate files again, so that a renewed one
/// counts. Credentials are only attached over https, or over http to this machine. Runs no plug-in; its first
/// request does, if `consent` allows. The credential provider belongs to the thread that first asks it.
[[nodiscard]] Result<ConnectionSettings> makeConnection(const KubeContext &context,
                                                        const ConnectionEnvironment &environment,
                                                        std::shared_ptr<const ExecConsent> consent);

} // namespace tongchi
