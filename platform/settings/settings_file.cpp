#include "platform/settings/settings_file.h"

#include <QDateTime>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonDocument>
#include <QSaveFile>
#include <QTimeZone>
#include <QtCore/qcoreapplication.h>

namespace tongchi {

namespace {

constexpr qint64 largestSettings = 16 * 1024 * 1024;

Error cannotSaveError(const QString &path, const QString &detail)
{
    return {
        .code = ErrorCode::Storage,
        .text = QT_TRANSLATE_NOOP("Error", "The settings cannot be saved in %1."),
        .arguments = {path},
        .remedy = QT_TRANSLATE_NOOP(
            "Error", "They hold until the program ends. Make the file and its folder writable to keep them."),
        .detail = detail};
}

Status writeAtomically(const QString &path, const QByteArray &bytes)
{
    QSaveFile file(path);
    if (!file.open(QIODevice::WriteOnly))
        return failure(cannotSaveError(path, file.errorString()));
    file.setPermissions(QFileDevice::ReadOwner | QFileDevice::WriteOwner);
    if (file.write(bytes) != bytes.size() || !file.commit())
        return failure(cannotSaveError(path, file.errorString()));
    return {};
}

QByteArray settingsText(const QJsonObject &values)
{
    const QJsonObject root{{QStringLiteral("format"), QStringLiteral("tongchi-settings")},
                           {QStringLiteral("version"), settingsVersion},
                           {QStringLiteral("values"), values}};
    return QJsonDocument(root).toJson(QJsonDocument::Indented);
}

} // namespace

SettingsFileContent readSettingsFile(const QString &path)
{
    const QFileInfo info(path);
    if (info.isDir())
        return {.state = SettingsFileState::Folder, .detail = QStringLiteral("a folder")};
    if (!info.exists())
        return {};
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return {.state = SettingsFileState::Unreadable, .detail = file.errorString()};
    if (file.size() > largestSettings)
        return {.state = SettingsFileState::Spoiled, .detail = QStringLiteral("%1 bytes").arg(file.size())};
    const QByteArray bytes = file.readAll();
    QJsonParseError error;
    const QJsonDocument document = QJsonDocument::fromJson(bytes, &error);
    if (error.error != QJsonParseError::NoError)
        return {.state = SettingsFileState::Spoiled,
                .detail = error.errorString() + QStringLiteral(" at byte %1").arg(error.offset)};
    const QJsonObject root = document.object();
    // Values of the wrong kind fall back one by one where they are used; only the frame has to be ours.
    if (!document.isObject() || !root.value(QLatin1String("values")).isObject())
        return {.state = SettingsFileState::Spoiled, .detail = QStringLiteral("no object \"values\"")};
    const bool newer = root.value(QLatin1String("version")).toDouble(settingsVersion) > settingsVersion;
    return {.state = newer ? SettingsFileState::Newer : SettingsFileState::Good,
            .values = root.value(QLatin1String("values")).toObject(),
            .detail = newer
                          ? QStringLiteral("version %1").arg(root.value(QLatin1String("version")).toDouble())
                          : QString()};
}

QString settingsCopyPath(const QString &path)
{
    return path + QStringLiteral(".bak");
}

QString setSpoiledFileAside(const QString &path, Instant now)
{
    const QDateTime time = QDateTime::fromMSecsSinceEpoch(now.time_since_epoch().count(), Qt::UTC);
    const QString base =
        path + QStringLiteral(".spoiled-") + time.toString(QStringLiteral("yyyyMMdd-HHmmss"));
    for (int attempt = 1; attempt < 100; ++attempt) {
        const QString aside = attempt == 1 ? base : QString(base + u'-' + QString::number(attempt));
        if (!QFileInfo::exists(aside))
            return QFile::rename(path, aside) ? aside : QString();
    }
    return {};
}

Status writeSettingsFile(const QString &path, const SettingsChanges &changes, const QJsonObject &all,
                         bool overwriteNewer)
{
    const QString folder = QFileInfo(path).absolutePath();
    if (!QDir().mkpath(folder))
        return failure(cannotSaveError(path, QStringLiteral("the folder cannot be made")));
    const SettingsFileContent present = readSettingsFile(path);
    if (present.state == SettingsFileState::Folder)
        return failure(cannotSaveError(path, present.detail));
    if (present.state == SettingsFileState::Newer && !overwriteNewer) {
        return failure(
            {.code = ErrorCode::Conflict,
             .text = QT_TRANSLATE_NOOP("Error", "The settings in %1 were written by a later version of this "
                                                "program and are left as they are."),
             .arguments = {path},
             .remedy = QT_TRANSLATE_NOOP("Error", "What you change now holds until the program ends. Update "
                                                  "the program, or agree to overwrite them."),
             .detail = present.detail});
    }
    const bool fromFile =
        present.state == SettingsFileState::Good || present.state == SettingsFileState::Newer;
    QJsonObject values = fromFile ? present.values : all;
    for (auto change = changes.cbegin(); change != changes.cend(); ++change) {
        if (change.value().isUndefined())
            values.remove(change.key());
        else
            values.insert(change.key(), change.value());
    }
    const QByteArray text = settingsText(values);
    if (auto written = writeAtomically(path, text); !written)
        return written;
    return writeAtomically(settingsCopyPath(path), text);
}

} // namespace tongchi
