#include "platform/kubernetes/kubeconfig_loader.h"

#include "platform/core/text_encoding.h"
#include "platform/kubernetes/kubeconfig_connection.h"
#include "platform/kubernetes/kubeconfig_merge.h"
#include "platform/kubernetes/server_address.h"

#include <QtCore/qcoreapplication.h>

namespace tongchi {

KubeconfigSearch kubeconfigSearch(const QList<FilePath> &explicitFiles)
{
    KubeconfigSearch search;
    for (const FilePath &file : explicitFiles)
        search.explicitFiles << absolutePath(file);
    search.variable = qgetenv("KUBECONFIG");
    search.home = qgetenv("HOME");
    search.inClusterHost = qgetenv("KUBERNETES_SERVICE_HOST");
    search.inClusterPort = qgetenv("KUBERNETES_SERVICE_PORT");
    return search;
}

QList<FilePath> kubeconfigFiles(const KubeconfigSearch &search)
{
    QList<FilePath> files;
    const auto add = [&files](const FilePath &file) {
        const FilePath path = absolutePath(file);
        if (!files.contains(path))
            files << path;
    };
    if (!search.explicitFiles.isEmpty()) {
        for (const FilePath &file : search.explicitFiles)
            add(file);
        return files;
    }
    for (const QByteArray &file : search.variable.split(':')) {
        if (!file.isEmpty())
            add(file);
    }
    if (files.isEmpty() && !search.home.isEmpty())
        add(search.home + "/.kube/config");
    return files;
}

Result<KubeconfigFile> readKubeconfigFile(const FilePath &path)
{
    Result<QByteArray> bytes = readSmallFile(path, kubeconfigSizeLimit);
    if (!bytes)
        return tl::unexpected(std::move(bytes.error()));
    Result<DecodedText> text = decodeText(*bytes, displayPath(path));
    if (!text)
        return tl::unexpected(std::move(text.error()));
    return parseKubeconfigFile(text->utf8, path);
}

Kubeconfig loadKubeconfig(const KubeconfigSearch &search)
{
    const QList<FilePath> paths = kubeconfigFiles(search);
    const bool mustExist = !search.explicitFiles.isEmpty();
    QList<KubeconfigFile> files;
    QList<Error> notes;
    bool anyThere = false;
    for (const FilePath &path : paths) {
        if (!mustExist && !pathExists(path))
            continue;
        anyThere = true;
        Result<KubeconfigFile> file = readKubeconfigFile(path);
        if (file)
            files << *std::move(file);
        else
            notes << std::move(file.error());
    }
    Kubeconfig result = mergeKubeconfigs(files);
    result.files = paths;
    result.notes = notes + result.notes;
    if (anyThere && result.contexts.isEmpty() && result.notes.isEmpty()) {
        QStringList shown;
        for (const KubeconfigFile &file : files)
            shown << displayPath(file.path);
        result.notes << Error{
            .code = ErrorCode::NotFound,
            .text = QT_TRANSLATE_NOOP("Error", "There is no context in %1."),
            .arguments = {shown.join(QStringLiteral(", "))},
            .remedy = QT_TRANSLATE_NOOP(
                "Error", "The file may be empty or cut off: copy or download it again, or choose another.")};
    }
    if (!anyThere) {
        if (std::optional<KubeContext> context = inClusterContext(search)) {
            result.currentContext = context->name;
            result.contexts << *std::move(context);
        } else if (!search.variable.isEmpty() && !mustExist) {
            QStringList shown;
            for (const FilePath &path : paths)
                shown << displayPath(path);
            result.notes << Error{
                .code = ErrorCode::NotFound,
                .text = QT_TRANSLATE_NOOP("Error", "None of the files that KUBECONFIG names exists: %1."),
                .arguments = {shown.join(QStringLiteral(", "))},
                .remedy = QT_TRANSLATE_NOOP("Error", "Correct KUBECONFIG, or choose a file.")};
        }
    }
    for (KubeContext &context : result.contexts) {
        if (!context.parts)
            continue;
        Result<ContextFiles> read = readContextFiles(*context.parts, context.name);
        if (read)
            context.warnings << read->warnings;
        else
            context.problem = std::move(read.error());
    }
    return result;
}

std::optional<KubeContext> inClusterContext(const KubeconfigSearch &search)
{
    const FilePath tokenFile = search.serviceAccountFolder + "/token";
    if (search.inClusterHost.isEmpty() || search.inClusterPort.isEmpty() || !pathExists(tokenFile))
        return std::nullopt;
    KubeContext context;
    context.name = QStringLiteral("in-cluster");
    context.clusterName = context.name;
    context.userName = QStringLiteral("service-account");
    context.file = tokenFile;
    if (const Result<QByteArray> nameSpace = readSmallFile(search.serviceAccountFolder + "/namespace", 1024))
        context.nameSpace = QString::fromUtf8(nameSpace->trimmed());
    ContextParts parts;
    QString host = QString::fromUtf8(search.inClusterHost);
    if (host.contains(u':') && !host.startsWith(u'[')) // the variable holds IPv6 addresses without brackets
        host = u'[' + host + u']';
    Result<QUrl> server = parseServerAddress(QStringLiteral("https://") + host + u':' +
                                             QString::fromUtf8(search.inClusterPort));
    if (!server) {
        context.parts = tl::unexpected(server.error());
        context.problem = std::move(server.error());
        return context;
    }
    parts.cluster.server = *std::move(server);
    parts.cluster.authorityFile = search.serviceAccountFolder + "/ca.crt";
    parts.user.tokenFile = tokenFile;
    context.parts = std::move(parts);
    return context;
}

} // namespace tongchi
