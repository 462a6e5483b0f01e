#include "platform/kubernetes/kubeconfig_entries.h"

#include "platform/http/proxy_choice.h"
#include "platform/kubernetes/kubeconfig_fields.h"
#include "platform/kubernetes/server_address.h"

#include <QHash>
#include <QProcessEnvironment>
#include <QtCore/qcoreapplication.h>

namespace tongchi {

namespace {

bool isDnsLabel(const QString &text)
{
    if (text.size() > 63 || text.startsWith(u'-') || text.endsWith(u'-'))
        return false;
    for (const QChar c : text) {
        if (!((c >= u'a' && c <= u'z') || (c >= u'0' && c <= u'9') || c == u'-'))
            return false;
    }
    return true;
}

Result<KubeContextEntry> readKubeContext(const KubeconfigYaml &map, const QString &name, const FilePath &file)
{
    KubeconfigFields fields(map, name, displayPath(file));
    KubeContextEntry entry;
    entry.cluster = fields.text("cluster");
    entry.user = fields.text("user");
    entry.nameSpace = fields.text("namespace");
    if (!isDnsLabel(entry.nameSpace)) {
        fields.fail({.code = ErrorCode::Invalid,
                     .text = QT_TRANSLATE_NOOP("Error", "The namespace %1 of %2 is not a possible name."),
                     .arguments = {shortened(entry.nameSpace), fields.owner()},
                     .remedy = QT_TRANSLATE_NOOP("Error",
                                                 "Use lower-case letters, digits and hyphens, at most 63.")});
    }
    if (fields.hasFailed())
        return tl::unexpected(fields.error());
    return entry;
}

/// One of the three lists: entries of the form {name, <what>: {...}}.
template <typename T, typename Read>
QList<KubeconfigEntry<T>> readNamedList(const KubeconfigYaml &root, const char *list, const char *what,
                                        KubeconfigFile &file, Read read)
{
    QList<KubeconfigEntry<T>> result;
    QHash<QString, qsizetype> places;
    const QString shownFile = displayPath(file.path);
    const auto note = [&file, &shownFile](const char *text, QStringList arguments) {
        file.notes << Error{
            .code = ErrorCode::Invalid,
            .text = text,
            .arguments = std::move(arguments),
            .remedy = QT_TRANSLATE_NOOP("Error", "Correct the file at this place and load it again."),
            .subject = shownFile};
    };
    for (const auto &[key, value] :
         root.entries) { // a list that stands twice is read twice: nothing is dropped
        if (key != list || value->isNull())
            continue;
        if (value->kind != KubeconfigYaml::Kind::Sequence) {
            note(QT_TRANSLATE_NOOP("Error", "The field %1 is not a list (line %2)."),
                 {QString::fromLatin1(list), QString::number(value->line)});
            continue;
        }
        for (const KubeconfigYamlPtr &item : value->items) {
            const KubeconfigYaml *nameNode = item->find("name");
            if (item->kind != KubeconfigYaml::Kind::Mapping || !nameNode || nameNode->text.empty()) {
                note(QT_TRANSLATE_NOOP("Error", "An entry of %1 has no name (line %2)."),
                     {QString::fromLatin1(list), QString::number(item->line)});
                continue;
            }
            const QString name = QString::fromUtf8(nameNode->text.data(), qsizetype(nameNode->text.size()));
            if (const auto known = places.constFind(name); known != places.constEnd()) {
                ++result[*known].times;
                continue;
            }
            places.insert(name, result.size());
            static const KubeconfigYaml nothing;
            const KubeconfigYaml *body = item->find(what);
            if (body && body->kind != KubeconfigYaml::Kind::Mapping && !body->isNull()) {
                result << KubeconfigEntry<T>{
                    .name = name,
                    .value =
                        failure({.code = ErrorCode::Invalid,
                                 .text = QT_TRANSLATE_NOOP(
                                     "Error", "The field %1 of %2 has a value of the wrong kind (line %3)."),
                                 .arguments = {QString::fromLatin1(what), shortened(name),
                                               QString::number(body->line)},
                                 .remedy = QT_TRANSLATE_NOOP(
                                     "Error", "Correct the file at this place and load it again."),
                                 .subject = shownFile}),
                    .source = item};
                continue;
            }
            result << KubeconfigEntry<T>{
                .name = name, .value = read(body ? *body : nothing, name, file.path), .source = item};
        }
    }
    return result;
}

} // namespace

Result<KubeCluster> readKubeCluster(const KubeconfigYaml &map, const QString &name, const FilePath &file)
{
    const FilePath folder = folderOf(file);
    KubeconfigFields fields(map, name, displayPath(file));
    KubeCluster cluster;
    cluster.authorityPem = fields.base64("certificate-authority-data");
    if (!cluster.authorityPem.isEmpty()) {
        if (Status status = checkCertificatePem(cluster.authorityPem,
                                                QStringLiteral("certificate-authority-data"), fields.owner());
            !status)
            fields.fail(std::move(status.error()));
    }
    if (Result<QUrl> server = parseServerAddress(fields.text("server")))
        cluster.server = *std::move(server);
    else
        fields.fail(std::move(server.error()));
    cluster.authorityFile = fields.path("certificate-authority", folder);
    cluster.tlsServerName = fields.text("tls-server-name").trimmed();
    cluster.skipVerification = fields.flag("insecure-skip-tls-verify");
    cluster.compression = !fields.flag("disable-compression");
    cluster.proxyUrl = fields.text("proxy-url").trimmed();
    if (cluster.skipVerification && (!cluster.authorityPem.isEmpty() || !cluster.authorityFile.isEmpty())) {
        fields.fail(
            {.code = ErrorCode::Invalid,
             .text = QT_TRANSLATE_NOOP(
                 "Error",
                 "The cluster %1 names a certificate authority and insecure-skip-tls-verify at once."),
             .arguments = {fields.owner()},
             .remedy = QT_TRANSLATE_NOOP("Error",
                                         "Remove insecure-skip-tls-verify, so that the server is checked.")});
    }
    if (!cluster.proxyUrl.isEmpty()) {
        if (!chooseProxy(cluster.server, cluster.proxyUrl, QProcessEnvironment())) {
            fields.fail(
                {.code = ErrorCode::Invalid,
                 .text =
                     QT_TRANSLATE_NOOP("Error", "The proxy-url of the cluster %1 is not a usable address."),
                 .arguments = {fields.owner()},
                 .remedy = QT_TRANSLATE_NOOP(
                     "Error",
                     "Write it like http://proxy.example:8080; https and socks5 are possible as well.")});
        }
    }
    if (const KubeconfigYaml *extensions = fields.node("extensions")) {
        for (const KubeconfigYamlPtr &item : extensions->items) {
            const KubeconfigYaml *extensionName = item->find("name");
            const KubeconfigYaml *extension = item->find("extension");
            if (extensionName && extension && extensionName->text == "client.authentication.k8s.io/exec")
                cluster.execConfig = kubeconfigYamlToJson(*extension);
        }
    }
    if (fields.hasFailed())
        return tl::unexpected(fields.error());
    return cluster;
}

Result<KubeconfigFile> parseKubeconfigFile(const QByteArray &utf8, const FilePath &path)
{
    const QString shown = displayPath(path);
    Result<KubeconfigYamlDocument> document = parseKubeconfigYaml(utf8, shown);
    if (!document)
        return tl::unexpected(std::move(document.error()));
    const KubeconfigYaml &root = *document->root;
    KubeconfigFile file;
    file.path = path;
    file.lines = int(utf8.count('\n')) + (utf8.isEmpty() || utf8.endsWith('\n') ? 0 : 1);
    if (root.isNull()) // an empty file is an empty kubeconfig
        return file;
    const KubeconfigYaml *kind = root.find("kind");
    if (root.kind != KubeconfigYaml::Kind::Mapping || (kind && !kind->isNull() && kind->text != "Config")) {
        return failure(
            {.code = ErrorCode::Invalid,
             .text = QT_TRANSLATE_NOOP("Error", "The file is not a kubeconfig."),
             .remedy = QT_TRANSLATE_NOOP("Error", "Choose a file that holds clusters, users and contexts."),
             .subject = shown});
    }
    if (document->moreDocuments) {
        file.notes << Error{.code = ErrorCode::Invalid,
                            .text = QT_TRANSLATE_NOOP(
                                "Error", "The file holds several documents; only the first one is read."),
                            .remedy = QT_TRANSLATE_NOOP("Error", "Put the others into files of their own."),
                            .subject = shown};
    }
    file.clusters = readNamedList<KubeCluster>(root, "clusters", "cluster", file, readKubeCluster);
    file.users = readNamedList<KubeUser>(root, "users", "user", file, readKubeUser);
    file.contexts = readNamedList<KubeContextEntry>(root, "contexts", "context", file, readKubeContext);
    KubeconfigFields fields(root, QStringLiteral("current-context"), shown);
    file.currentContext = fields.text("current-context");
    if (fields.hasFailed()) {
        file.currentContext.clear();
        file.notes << fields.error();
    }
    return file;
}

} // namespace tongchi
