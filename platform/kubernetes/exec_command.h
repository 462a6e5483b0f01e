#pragma once

#include "platform/kubernetes/kubeconfig_path.h"

#include <QByteArray>
#include <QList>
#include <QString>
#include <QStringList>
#include <utility>

namespace tongchi {

/// A credential plug-in as a kubeconfig's user names it (source: client-go tools/clientcmd/api/v1/types.go).
struct ExecCommand
{
    enum class Interactive { Never, IfAvailable, Always };

    QString command; ///< as written: with a slash a path, without one a name on PATH
    QStringList args;
    QList<std::pair<QString, QString>> env; ///< added to the inherited environment; values may be secret
    QString apiVersion;                     ///< whole, "client.authentication.k8s.io/v1"
    Interactive interactive = Interactive::IfAvailable;
    bool provideClusterInfo = false;
    QString installHint;
    QString userName;       ///< the kubeconfig's user it belongs to
    FilePath file;          ///< the kubeconfig; relative commands count from its folder
    QByteArray clusterInfo; ///< JSON for spec.cluster; empty: not wanted

    bool operator==(const ExecCommand &) const = default;
};

/// The path that `command` means when it holds a slash; empty when it is to be looked up on PATH.
FilePath execCommandPath(const ExecCommand &command);

/// The command line as a person would type it, for the question "may this run?". Values of options that look
/// like secrets are replaced by dots; values of variables are left out.
QString execCommandLine(const ExecCommand &command);

/// Stands for exactly this command line with its variables, as hexadecimal SHA-256: what the operator agreed
/// to. Another argument, variable or folder gives another key.
QByteArray execConsentKey(const ExecCommand &command);

/// Says what the operator agreed to. Thread-safe.
class ExecConsent
{
public:
    virtual ~ExecConsent() = default;
    virtual bool isAllowed(const ExecCommand &command) const = 0;
};

} // namespace tongchi
