#include "platform/simulator/kubeconfig_writer.h"

#include <QFile>
#include <QFileInfo>
#include <QtCore/qcoreapplication.h>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <unistd.h>

namespace tongchi::simulator {

namespace {

/// First line of every kubeconfig that a pool writes: such a file may be written over.
constexpr const char *poolMark =
    "# Written by tongchi pool serve; the next pool that is given this file writes it anew.\n";

/// Nothing of the operator's own is lost: the file is not there, empty, or a pool's.
bool mayReplace(const QString &path)
{
    QFile file(path);
    if (!file.exists() && !QFileInfo(path).isSymLink())
        return true;
    if (!QFileInfo(path).isFile() || QFileInfo(path).isSymLink() || !file.open(QIODevice::ReadOnly))
        return false;
    const QByteArray beginning = file.read(qint64(std::strlen(poolMark)));
    return beginning.isEmpty() || beginning == poolMark;
}

QByteArray yamlQuoted(const QString &text)
{
    QByteArray utf8 = text.toUtf8();
    return '"' + utf8.replace('\\', "\\\\").replace('"', "\\\"") + '"';
}

bool writeWhole(int descriptor, const QByteArray &content)
{
    qsizetype written = 0;
    while (written < content.size()) {
        const ssize_t step =
            ::write(descriptor, content.constData() + written, std::size_t(content.size() - written));
        if (step < 0 && errno == EINTR)
            continue;
        if (step <= 0)
            return false;
        written += step;
    }
    return ::fsync(descriptor) == 0;
}

} // namespace

QByteArray kubeconfigText(const PoolInfo &info)
{
    const QByteArray authority = info.authorityPem.toBase64();
    QByteArray clusters;
    QByteArray users;
    QByteArray contexts;
    for (const PoolCluster &cluster : info.clusters) {
        const QByteArray name = yamlQuoted(cluster.name);
        const QByteArray user = yamlQuoted(cluster.name + QStringLiteral("-administrator"));
        clusters += "- name: " + name + "\n  cluster:\n    server: " + yamlQuoted(cluster.server) +
                    "\n    certificate-authority-data: " + authority + '\n';
        users += "- name: " + user + "\n  user:\n    token: " + cluster.administratorToken + '\n';
        contexts += "- name: " + name + "\n  context:\n    cluster: " + name + "\n    user: " + user + '\n';
    }
    QByteArray text = QByteArray(poolMark) + "apiVersion: v1\nkind: Config\n";
    if (!info.clusters.isEmpty())
        text += "current-context: " + yamlQuoted(info.clusters.first().name) + '\n';
    return text + "clusters:\n" + clusters + "contexts:\n" + contexts + "users:\n" + users;
}

Status writePrivateFile(const QString &path, const QByteArray &content)
{
    if (QFileInfo(path).isDir()) {
        return failure({.code = ErrorCode::Storage,
                        .text = QT_TRANSLATE_NOOP("Error", "This is a folder."),
                        .remedy = QT_TRANSLATE_NOOP("Error", "Name a file in it."),
                        .subject = path});
    }
    if (!mayReplace(path)) {
        return failure(
            {.code = ErrorCode::Conflict,
             .text = QT_TRANSLATE_NOOP("Error", "This file is there already, and no pool wrote it."),
             .remedy = QT_TRANSLATE_NOOP("Error", "Give another file name, or move this file away first."),
             .subject = path});
    }
    QByteArray temporary = QFile::encodeName(path) + ".XXXXXX";
    const auto failed = [&path](const char *step) {
        return failure(
            {.code = ErrorCode::Storage,
             .text = QT_TRANSLATE_NOOP("Error", "The kubeconfig of the embedded pool cannot be written."),
             .remedy = QT_TRANSLATE_NOOP("Error", "Choose a folder that exists and that you may write to."),
             .subject = path,
             .detail = QStringLiteral("%1: %2").arg(QLatin1String(step),
                                                    QString::fromLocal8Bit(std::strerror(errno)))});
    };
    const int descriptor = ::mkstemp(temporary.data()); // mode 0600, whatever the umask
    if (descriptor < 0)
        return failed("create");
    const bool written = writeWhole(descriptor, content);
    const bool closed = ::close(descriptor) == 0;
    if (!written || !closed || std::rename(temporary.constData(), QFile::encodeName(path).constData()) != 0) {
        const auto error = failed("write");
        ::unlink(temporary.constData());
        return error;
    }
    return {};
}

} // namespace tongchi::simulator
