#include "platform/kubernetes/kubeconfig_merge.h"

#include "platform/http/request_rules.h"
#include "platform/kubernetes/kubeconfig_fields.h"

#include <QHash>
#include <QtCore/qcoreapplication.h>

namespace tongchi {

namespace {

template <typename T> struct ChosenEntry
{
    const KubeconfigEntry<T> *entry = nullptr;
    FilePath file;
};

/// First file wins. Later entries of the same name that say something else are told of: kubeadm calls every
/// administrator "kubernetes-admin", and two such files otherwise log in to one cluster with the other's key.
template <typename T>
QHash<QString, ChosenEntry<T>> chooseEntries(const QList<KubeconfigFile> &files,
                                             QList<KubeconfigEntry<T>> KubeconfigFile::*list,
                                             QList<Error> &notes)
{
    QHash<QString, ChosenEntry<T>> chosen;
    for (const KubeconfigFile &file : files) {
        for (const KubeconfigEntry<T> &entry : file.*list) {
            const auto known = chosen.constFind(entry.name);
            if (known == chosen.constEnd()) {
                chosen.insert(entry.name, {&entry, file.path});
            } else if (!sameKubeconfigYaml(*known->entry->source, *entry.source)) {
                notes << Error{
                    .code = ErrorCode::Conflict,
                    .text = QT_TRANSLATE_NOOP(
                        "Error",
                        "The name %1 stands in %2 and in %3 with different values; the first file counts."),
                    .arguments = {shortened(entry.name), displayPath(known->file), displayPath(file.path)},
                    .remedy = QT_TRANSLATE_NOOP("Error", "Rename one of them if both are needed."),
                    .subject = displayPath(file.path)};
            }
        }
    }
    return chosen;
}

Error twiceError(const char *text, const QString &name, const FilePath &file)
{
    return {.code = ErrorCode::Conflict,
            .text = text,
            .arguments = {shortened(name), displayPath(file)},
            .remedy = QT_TRANSLATE_NOOP("Error", "Rename or remove one of them."),
            .subject = displayPath(file)};
}

Result<ContextParts> joinParts(const KubeContextEntry &context, const KubeContext &row,
                               const QHash<QString, ChosenEntry<KubeCluster>> &clusters,
                               const QHash<QString, ChosenEntry<KubeUser>> &users)
{
    const QString shownFile = displayPath(row.file);
    if (context.cluster.isEmpty()) {
        return failure({.code = ErrorCode::Invalid,
                        .text = QT_TRANSLATE_NOOP("Error", "The context %1 names no cluster."),
                        .arguments = {shortened(row.name)},
                        .remedy = QT_TRANSLATE_NOOP("Error", "Add the field cluster to the context."),
                        .subject = shownFile});
    }
    const auto cluster = clusters.constFind(context.cluster);
    if (cluster == clusters.constEnd()) {
        return failure(
            {.code = ErrorCode::NotFound,
             .text = QT_TRANSLATE_NOOP("Error", "The context %1 names the cluster %2, which is not there."),
             .arguments = {shortened(row.name), shortened(context.cluster)},
             .remedy = QT_TRANSLATE_NOOP("Error", "Add the cluster, or load the file that holds it as well."),
             .subject = shownFile});
    }
    if (cluster->entry->times > 1)
        return failure(twiceError(
            QT_TRANSLATE_NOOP("Error",
                              "The cluster name %1 stands more than once in %2; none of them is picked."),
            context.cluster, cluster->file));
    if (!cluster->entry->value)
        return failure(cluster->entry->value.error());
    ContextParts parts{*cluster->entry->value, {}};
    if (context.user.isEmpty())
        return parts;
    const auto user = users.constFind(context.user);
    if (user == users.constEnd()) {
        return failure(
            {.code = ErrorCode::NotFound,
             .text = QT_TRANSLATE_NOOP("Error", "The context %1 names the user %2, which is not there."),
             .arguments = {shortened(row.name), shortened(context.user)},
             .remedy = QT_TRANSLATE_NOOP("Error", "Add the user, or load the file that holds it as well."),
             .subject = shownFile});
    }
    if (user->entry->times > 1)
        return failure(
            twiceError(QT_TRANSLATE_NOOP(
                           "Error", "The user name %1 stands more than once in %2; none of them is picked."),
                       context.user, user->file));
    if (!user->entry->value)
        return failure(user->entry->value.error());
    parts.user = *user->entry->value;
    return parts;
}

QList<Error> contextWarnings(const ContextParts &parts)
{
    QList<Error> warnings;
    const bool http = parts.cluster.server.scheme() == QLatin1String("http");
    const bool hasSecret = parts.user.hasToken() || !parts.user.username.isEmpty() || parts.user.exec;
    if (hasSecret && !mayCarryCredential(parts.cluster.server)) {
        warnings << Error{.code = ErrorCode::Unauthorized,
                          .text = QT_TRANSLATE_NOOP(
                              "Error", "The server is reached over http, so the credential is not sent."),
                          .remedy = QT_TRANSLATE_NOOP("Error", "Use an https address.")};
    }
    if (parts.cluster.skipVerification && !http) {
        warnings << Error{
            .code = ErrorCode::Tls,
            .text = QT_TRANSLATE_NOOP(
                "Error",
                "The file switches the check of the server's certificate off (insecure-skip-tls-verify)."),
            .remedy = QT_TRANSLATE_NOOP("Error", "Name the certificate authority instead.")};
    }
    return warnings;
}

Error missingCurrentContext(const Kubeconfig &kubeconfig, const QList<KubeconfigFile> &files)
{
    const QString subject = files.size() == 1 ? displayPath(files.first().path) : QString();
    const QString name = shortened(kubeconfig.currentContext);
    if (kubeconfig.contexts.isEmpty()) {
        return {.code = ErrorCode::NotFound,
                .text = QT_TRANSLATE_NOOP("Error", "The current context %1 is not there, and neither is any "
                                                   "other context up to the end at line %2."),
                .arguments = {name, QString::number(files.last().lines)},
                .remedy = QT_TRANSLATE_NOOP("Error", "The file may be cut off: copy or download it again."),
                .subject = subject};
    }
    QStringList known;
    for (const KubeContext &context : kubeconfig.contexts)
        known << shortened(context.name);
    return {.code = ErrorCode::NotFound,
            .text = QT_TRANSLATE_NOOP("Error", "The current context %1 is not there; there are: %2."),
            .arguments = {name, known.join(QStringLiteral(", "))},
            .remedy = QT_TRANSLATE_NOOP("Error", "Pick one of these."),
            .subject = subject};
}

} // namespace

const KubeContext *Kubeconfig::find(const QString &name) const
{
    for (const KubeContext &context : contexts) {
        if (context.name == name)
            return &context;
    }
    return nullptr;
}

Kubeconfig mergeKubeconfigs(const QList<KubeconfigFile> &files)
{
    Kubeconfig result;
    for (const KubeconfigFile &file : files) {
        result.notes << file.notes;
        if (result.currentContext.isEmpty())
            result.currentContext = file.currentContext;
    }
    const auto clusters = chooseEntries(files, &KubeconfigFile::clusters, result.notes);
    const auto users = chooseEntries(files, &KubeconfigFile::users, result.notes);
    const auto contexts = chooseEntries(files, &KubeconfigFile::contexts, result.notes);
    bool foundCurrent = false;
    for (const KubeconfigFile &file : files) {
        for (const KubeconfigEntry<KubeContextEntry> &entry : file.contexts) {
            const auto chosen = contexts.constFind(entry.name);
            if (chosen->entry != &entry)
                continue;
            KubeContext row;
            row.name = entry.name;
            row.file = file.path;
            foundCurrent = foundCurrent || row.name == result.currentContext;
            if (entry.times > 1) {
                row.parts = failure(twiceError(
                    QT_TRANSLATE_NOOP(
                        "Error", "The context name %1 stands more than once in %2; none of them is picked."),
                    entry.name, file.path));
            } else if (!entry.value) {
                row.parts = tl::unexpected(entry.value.error());
            } else {
                row.clusterName = entry.value->cluster;
                row.userName = entry.value->user;
                row.nameSpace = entry.value->nameSpace;
                row.clusterFile = clusters.value(row.clusterName).file;
                row.userFile = users.value(row.userName).file;
                row.parts = joinParts(*entry.value, row, clusters, users);
            }
            if (row.parts)
                row.warnings = contextWarnings(*row.parts);
            else
                row.problem = row.parts.error();
            result.contexts << row;
        }
    }
    if (!result.currentContext.isEmpty() && !foundCurrent) {
        result.currentProblem = missingCurrentContext(result, files);
        result.notes << *result.currentProblem;
    }
    return result;
}

} // namespace tongchi
