#pragma once

#include "platform/core/result.h"
#include "platform/kubernetes/exec_command.h"
#include "platform/kubernetes/kubeconfig_path.h"

#include <QByteArray>
#include <QList>
#include <QString>
#include <QUrl>
#include <optional>
#include <utility>

namespace tongchi {

/// A cluster of a kubeconfig, checked, files not read yet. Certificates are PEM.
struct KubeCluster
{
    QUrl server;             ///< see parseServerAddress()
    QByteArray authorityPem; ///< from certificate-authority-data; wins over the file
    FilePath authorityFile;  ///< absolute
    QString tlsServerName;
    bool skipVerification = false;
    QString proxyUrl;
    bool compression = true;
    QByteArray execConfig; ///< JSON of the extension client.authentication.k8s.io/exec
};

/// A user of a kubeconfig, checked, files not read yet. All empty: anonymous.
struct KubeUser
{
    QByteArray certificatePem;
    FilePath certificateFile;
    QByteArray keyPem;
    FilePath keyFile;
    QByteArray token;
    FilePath tokenFile; ///< wins over `token`
    QString username;
    QString password;
    std::optional<ExecCommand> exec;
    QList<std::pair<QByteArray, QByteArray>> impersonation; ///< request headers

    bool hasCertificate() const { return !certificatePem.isEmpty() || !certificateFile.isEmpty(); }
    bool hasToken() const { return !token.isEmpty() || !tokenFile.isEmpty(); }
};

/// What a context is made of.
struct ContextParts
{
    KubeCluster cluster;
    KubeUser user;
};

/// One row of the picker. A context that cannot be used says why and leaves the others alone.
struct KubeContext
{
    QString name;
    QString clusterName;
    QString userName;  ///< empty: anonymous
    QString nameSpace; ///< empty: none given
    FilePath file;     ///< where the context itself stands
    FilePath clusterFile;
    FilePath userFile;
    Result<ContextParts> parts = ContextParts{};
    /// Why it cannot be used: the error of `parts`, or a certificate or token file that was not readable on
    /// loading.
    std::optional<Error> problem;
    QList<Error> warnings; ///< usable all the same

    bool isUsable() const { return !problem; }
};

/// All contexts of all files, in file order, after merging. Values; holds credentials: never log it.
struct Kubeconfig
{
    QList<KubeContext> contexts;
    QString currentContext;              ///< as written
    std::optional<Error> currentProblem; ///< there is no such context; one of the notes as well
    QList<Error> notes;                  ///< what is wrong with files and entries that no context shows
    QList<FilePath> files;               ///< every file that was looked for, read or not: watch their folders

    const KubeContext *find(const QString &name) const;
};

} // namespace tongchi
