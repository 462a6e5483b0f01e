#include "platform/kubernetes/kubeconfig_path.h"

#include "platform/core/text_encoding.h"

#include <QList>
#include <QtCore/qcoreapplication.h>
#include <cerrno>
#include <climits>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace tongchi {

QString displayPath(const FilePath &path)
{
    return visibleText(QString::fromUtf8(path));
}

FilePath resolvePath(const FilePath &folder, const FilePath &path)
{
    const FilePath joined = path.startsWith('/') ? path : folder + '/' + path;
    QList<QByteArray> parts;
    for (const QByteArray &part : joined.split('/')) {
        if (part.isEmpty() || part == ".")
            continue;
        if (part != "..")
            parts << part;
        else if (!parts.isEmpty())
            parts.removeLast();
    }
    return '/' + parts.join('/');
}

FilePath folderOf(const FilePath &path)
{
    const qsizetype slash = path.lastIndexOf('/');
    return slash <= 0 ? FilePath("/") : path.left(slash);
}

FilePath absolutePath(const FilePath &path)
{
    if (path.startsWith('/'))
        return resolvePath("/", path);
    char here[PATH_MAX];
    return resolvePath(::getcwd(here, sizeof here) ? FilePath(here) : FilePath("/"), path);
}

bool pathExists(const FilePath &path)
{
    struct stat status
    {
    };
    return ::stat(path.constData(), &status) == 0;
}

bool isProgram(const FilePath &path)
{
    struct stat status
    {
    };
    return ::stat(path.constData(), &status) == 0 && S_ISREG(status.st_mode) &&
           ::access(path.constData(), X_OK) == 0;
}

namespace {

tl::unexpected<Error> fileFailure(const FilePath &path, int reason)
{
    const QString shown = displayPath(path);
    if (reason == ENOENT || reason == ENOTDIR) {
        return failure({.code = ErrorCode::NotFound,
                        .text = QT_TRANSLATE_NOOP("Error", "The file %1 does not exist."),
                        .arguments = {shown},
                        .remedy = QT_TRANSLATE_NOOP("Error", "Put the file there, or correct its path.")});
    }
    if (reason == EACCES || reason == EPERM) {
        return failure({.code = ErrorCode::Storage,
                        .text = QT_TRANSLATE_NOOP("Error", "There is no permission to read the file %1."),
                        .arguments = {shown},
                        .remedy = QT_TRANSLATE_NOOP("Error", "Give your account the right to read it.")});
    }
    if (reason == ENAMETOOLONG) {
        return failure({.code = ErrorCode::Storage,
                        .text = QT_TRANSLATE_NOOP("Error", "A name in the path %1 is longer than 255 bytes."),
                        .arguments = {shown},
                        .remedy = QT_TRANSLATE_NOOP("Error", "Correct the path.")});
    }
    return failure({.code = ErrorCode::Storage,
                    .text = QT_TRANSLATE_NOOP("Error", "The file %1 cannot be read."),
                    .arguments = {shown},
                    .remedy = QT_TRANSLATE_NOOP("Error", "Check the file and the disk it is on."),
                    .detail = QString::fromUtf8(std::strerror(reason))});
}

struct FileDescriptor
{
    int number = -1;
    ~FileDescriptor()
    {
        if (number >= 0)
            ::close(number);
    }
};

} // namespace

Result<QByteArray> readSmallFile(const FilePath &path, qint64 limit)
{
    // A zero byte would cut the path short; such a path names nothing.
    if (path.contains('\0'))
        return fileFailure(path, ENOENT);
    FileDescriptor file;
    file.number = ::open(path.constData(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (file.number < 0)
        return fileFailure(path, errno);
    struct stat status
    {
    };
    if (::fstat(file.number, &status) != 0)
        return fileFailure(path, errno);
    if (!S_ISREG(status.st_mode)) {
        return failure({.code = ErrorCode::Storage,
                        .text = QT_TRANSLATE_NOOP("Error", "%1 is not a regular file."),
                        .arguments = {displayPath(path)},
                        .remedy = QT_TRANSLATE_NOOP(
                            "Error", "Name a file; folders, pipes and devices cannot be read.")});
    }
    QByteArray bytes;
    bytes.reserve(qMin<qint64>(status.st_size, limit) + 1);
    char block[16 * 1024];
    for (;;) {
        const ssize_t count = ::read(file.number, block, sizeof block);
        if (count < 0 && errno == EINTR)
            continue;
        if (count < 0)
            return fileFailure(path, errno);
        if (count == 0)
            return bytes;
        bytes.append(block, count);
        if (bytes.size() > limit) {
            return failure({.code = ErrorCode::Storage,
                            .text = QT_TRANSLATE_NOOP("Error", "The file %1 is larger than %2 bytes."),
                            .arguments = {displayPath(path), QString::number(limit)},
                            .remedy = QT_TRANSLATE_NOOP("Error", "Check that it is the file you mean.")});
        }
    }
}

} // namespace tongchi
