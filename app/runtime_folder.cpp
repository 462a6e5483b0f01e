#include "app/runtime_folder.h"

#include <QByteArray>
#include <QDir>
#include <sys/stat.h>
#include <unistd.h>

namespace tongchi {
namespace {

/// As the specification wants it: a folder of our own that nobody else may enter.
bool isOurFolder(const QByteArray &path)
{
    struct stat status
    {
    };
    return ::lstat(path.constData(), &status) == 0 && S_ISDIR(status.st_mode) &&
           status.st_uid == ::geteuid() && (status.st_mode & 0077) == 0;
}

} // namespace

void provideRuntimeFolder()
{
    if (isOurFolder(qgetenv("XDG_RUNTIME_DIR")))
        return;
    // By number, so that two accounts never meet; a name that another account took first is left alone.
    const QByteArray path =
        QDir::tempPath().toLocal8Bit() + "/tongchi-runtime-" + QByteArray::number(::geteuid());
    ::mkdir(path.constData(), 0700);
    if (isOurFolder(path))
        qputenv("XDG_RUNTIME_DIR", path);
}

} // namespace tongchi
