#pragma once

#include "platform/core/result.h"

#include <QByteArray>
#include <QString>

namespace tongchi {

/// Paths of a kubeconfig and of the files it names are bytes as the file system has them: a name need not be
/// valid UTF-8, and a QString would turn it into another name.
using FilePath = QByteArray;

/// For people: control characters visible, bytes that are not UTF-8 as U+FFFD.
QString displayPath(const FilePath &path);

/// `path` counted from `folder` unless it is absolute; "." and ".." are followed in the text, as kubectl
/// does.
FilePath resolvePath(const FilePath &folder, const FilePath &path);

/// Everything before the last slash ("/" for "/x").
FilePath folderOf(const FilePath &path);

/// Absolute form of a path that counts from the working directory.
FilePath absolutePath(const FilePath &path);

/// Whether something is there, whatever it is.
bool pathExists(const FilePath &path);

/// A regular file that may be executed.
bool isProgram(const FilePath &path);

/// The whole of a regular file of at most `limit` bytes. Blocks; never waits for a pipe. Errors: NotFound
/// (with the path that was tried), Storage (no permission, a folder, larger, unreadable).
[[nodiscard]] Result<QByteArray> readSmallFile(const FilePath &path, qint64 limit);

inline constexpr qint64 kubeconfigSizeLimit = 5 * 1024 * 1024;

} // namespace tongchi
