#pragma once

#include "platform/core/clock.h"
#include "platform/core/result.h"

#include <QHash>
#include <QJsonObject>
#include <QString>

namespace tongchi {

/// What lies where the settings should be.
enum class SettingsFileState : quint8 {
    Good,
    Missing,
    Spoiled,    ///< empty, cut, zeros, noise: no settings of ours
    Newer,      ///< written by a later version of the program; read as far as it is understood
    Folder,     ///< a folder of that name
    Unreadable, ///< there, but may not be opened
};

struct SettingsFileContent
{
    SettingsFileState state = SettingsFileState::Missing;
    QJsonObject values;
    QString detail; ///< English, technical: what was wrong
};

/// Changes not yet in the file, by key; an undefined value removes the key.
using SettingsChanges = QHash<QString, QJsonValue>;

/// Version of the file that this program writes.
constexpr int settingsVersion = 1;

/// Reads {"format": ..., "version": n, "values": {...}}; at most 16 MiB. Never changes the file.
SettingsFileContent readSettingsFile(const QString &path);

/// The last good copy beside the file.
QString settingsCopyPath(const QString &path);

/// Renames a spoiled file to "settings.json.spoiled-20261130-233000" (UTC; a number behind it when that is
/// taken). The new path, or an empty string when that was not possible.
QString setSpoiledFileAside(const QString &path, Instant now);

/// Writes the file and its copy, each atomically and synced. What other running consoles have written
/// meanwhile stays: `changes` are laid over what the file holds now, over `all` when it holds nothing good.
/// Conflict when a later version of the program has written it since and `overwriteNewer` is false; Storage
/// when it cannot be written.
[[nodiscard]] Status writeSettingsFile(const QString &path, const SettingsChanges &changes,
                                       const QJsonObject &all, bool overwriteNewer);

} // namespace tongchi
