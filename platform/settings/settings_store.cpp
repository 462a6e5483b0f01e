#include "platform/settings/settings_store.h"

#include <QFileInfo>
#include <QStandardPaths>
#include <QtCore/qcoreapplication.h>
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace tongchi {

namespace {

constexpr std::chrono::milliseconds longestUnsaved{60'000};

bool mayWrite(const QString &path)
{
    const QFileInfo file(path);
    if (file.exists() && !file.isWritable())
        return false;
    QFileInfo folder(file.absolutePath());
    while (!folder.exists() && !folder.isRoot())
        folder.setFile(folder.absolutePath());
    return folder.isDir() && folder.isWritable();
}

Error spoiledError(const QString &path, const QString &aside, bool fromCopy, const QString &detail)
{
    const char *text =
        aside.isEmpty()
            ? (fromCopy ? QT_TRANSLATE_NOOP(
                              "Error", "The settings in %1 could not be read; the last good copy is used.")
                        : QT_TRANSLATE_NOOP(
                              "Error",
                              "The settings in %1 could not be read; the program starts with its defaults."))
            : (fromCopy
                   ? QT_TRANSLATE_NOOP("Error", "The settings in %1 could not be read; the last good copy is "
                                                "used. The spoiled file is kept as %2.")
                   : QT_TRANSLATE_NOOP("Error", "The settings in %1 could not be read; the program starts "
                                                "with its defaults. The spoiled file is kept as %2."));
    return {.code = ErrorCode::Storage,
            .text = text,
            .arguments = {path, aside},
            .remedy = QT_TRANSLATE_NOOP("Error",
                                        "Look at your connections and views; nothing else needs to be done."),
            .detail = detail};
}

} // namespace

std::optional<qint64> SettingsValue<qint64>::read(const QJsonValue &json)
{
    const double number = json.toDouble(std::numeric_limits<double>::quiet_NaN());
    if (!json.isDouble() || !(std::abs(number) <= 9007199254740992.0) || number != std::floor(number))
        return std::nullopt;
    return qint64(number);
}

std::optional<int> SettingsValue<int>::read(const QJsonValue &json)
{
    const auto number = SettingsValue<qint64>::read(json);
    if (!number || *number < std::numeric_limits<int>::min() || *number > std::numeric_limits<int>::max())
        return std::nullopt;
    return int(*number);
}

std::optional<QByteArray> SettingsValue<QByteArray>::read(const QJsonValue &json)
{
    if (!json.isString())
        return std::nullopt;
    const auto decoded =
        QByteArray::fromBase64Encoding(json.toString().toLatin1(), QByteArray::AbortOnBase64DecodingErrors);
    return decoded ? std::optional(decoded.decoded) : std::nullopt;
}

QJsonValue SettingsValue<QByteArray>::write(const QByteArray &value)
{
    return QString::fromLatin1(value.toBase64());
}

std::optional<QStringList> SettingsValue<QStringList>::read(const QJsonValue &json)
{
    if (!json.isArray())
        return std::nullopt;
    QStringList list;
    for (const auto &item : json.toArray()) {
        if (item.isString())
            list << item.toString();
    }
    return list;
}

SettingsStore::SettingsStore(const QString &path, const Clock *clock, QObject *parent)
    : QObject(parent), m_path(path), m_clock(*clock)
{
    m_pool.setMaxThreadCount(1);
    m_pool.setObjectName(QStringLiteral("settings"));
    m_timer.setSingleShot(true);
    connect(&m_timer, &QTimer::timeout, this, &SettingsStore::startSaving);
    if (m_path.isEmpty())
        m_saving = false;
    else
        load();
}

SettingsStore::~SettingsStore()
{
    if (const Status status = flush(); !status)
        qInfo("settings were not saved: %s", qPrintable(status.error().detail));
}

QString SettingsStore::defaultPath()
{
    return QStandardPaths::writableLocation(QStandardPaths::AppConfigLocation) +
           QStringLiteral("/settings.json");
}

void SettingsStore::load()
{
    const SettingsFileContent content = readSettingsFile(m_path);
    m_values = content.values;
    switch (content.state) {
    case SettingsFileState::Good:
    case SettingsFileState::Missing:
        break;
    case SettingsFileState::Newer:
        m_newer = true;
        m_saving = false;
        note({.code = ErrorCode::Conflict,
              .text = QT_TRANSLATE_NOOP("Error", "The settings in %1 were written by a later version of this "
                                                 "program and are left as they are."),
              .arguments = {m_path},
              .remedy = QT_TRANSLATE_NOOP("Error", "What you change now holds until the program ends. Update "
                                                   "the program, or agree to overwrite them."),
              .detail = content.detail});
        return;
    case SettingsFileState::Spoiled:
    case SettingsFileState::Folder:
    case SettingsFileState::Unreadable: {
        const SettingsFileContent copy = readSettingsFile(settingsCopyPath(m_path));
        const bool fromCopy = copy.state == SettingsFileState::Good;
        if (fromCopy)
            m_values = copy.values;
        if (content.state == SettingsFileState::Spoiled) {
            note(spoiledError(m_path, setSpoiledFileAside(m_path, m_clock.now()), fromCopy, content.detail));
            // What came from the copy becomes the file again, soon.
            for (auto value = m_values.constBegin(); value != m_values.constEnd(); ++value)
                m_changes.insert(value.key(), value.value());
            if (!m_changes.isEmpty())
                m_timer.start(0);
        }
        break;
    }
    }
    // Told at the start rather than after the first change; said once, then the run goes on without saving.
    const bool writable = content.state != SettingsFileState::Folder &&
                          content.state != SettingsFileState::Unreadable && mayWrite(m_path);
    if (!writable) {
        m_saving = false;
        m_timer.stop();
        note({.code = ErrorCode::Storage,
              .text = QT_TRANSLATE_NOOP("Error", "The settings cannot be saved in %1."),
              .arguments = {m_path},
              .remedy = QT_TRANSLATE_NOOP(
                  "Error",
                  "They hold until the program ends. Make the file and its folder writable to keep them."),
              .detail = content.detail});
    }
}

void SettingsStore::setJson(const QString &key, const QJsonValue &value)
{
    if (value.isUndefined() ? !m_values.contains(key) : m_values.value(key) == value)
        return;
    if (value.isUndefined())
        m_values.remove(key);
    else
        m_values.insert(key, value);
    m_changes.insert(key, value);
    if (!m_saving)
        return;
    const Monotonic now = m_clock.monotonic();
    if (!m_firstChange)
        m_firstChange = now;
    // Something that changes all the time (a window being dragged) must not put off saving for ever.
    const auto left = longestUnsaved - (now - *m_firstChange);
    m_timer.start(std::clamp(left, std::chrono::milliseconds(0), m_quietTime));
}

void SettingsStore::startSaving()
{
    if (!m_saving || m_changes.isEmpty())
        return;
    if (m_writing) { // the one under way comes back here
        m_timer.start(m_quietTime);
        return;
    }
    m_writing = true;
    m_firstChange.reset();
    const SettingsChanges changes = std::exchange(m_changes, {});
    m_pool.start([this, changes, all = m_values, overwrite = m_overwriteNewer] {
        const Status status = writeSettingsFile(m_path, changes, all, overwrite);
        QMetaObject::invokeMethod(
            this, [this, status, changes] { finishSaving(status, changes); }, Qt::QueuedConnection);
    });
}

void SettingsStore::finishSaving(const Status &status, const SettingsChanges &written)
{
    if (!m_writing)
        return; // flush() was quicker and has done it again
    m_writing = false;
    if (status) {
        Q_EMIT saved();
        return;
    }
    for (auto change = written.cbegin(); change != written.cend(); ++change) {
        if (!m_changes.contains(change.key()))
            m_changes.insert(change.key(), change.value());
    }
    m_saving = false;
    m_newer = m_newer || status.error().code == ErrorCode::Conflict;
    note(status.error());
}

Status SettingsStore::flush()
{
    m_timer.stop();
    m_pool.waitForDone();
    if (m_writing) {
        // Its result is still in the event queue; writing everything again is as good and needs no event
        // loop.
        m_writing = false;
        for (auto value = m_values.constBegin(); value != m_values.constEnd(); ++value) {
            if (!m_changes.contains(value.key()))
                m_changes.insert(value.key(), value.value());
        }
    }
    if (!m_saving || m_changes.isEmpty())
        return {};
    const Status status = writeSettingsFile(m_path, m_changes, m_values, m_overwriteNewer);
    if (status) {
        m_changes.clear();
        m_firstChange.reset();
        Q_EMIT saved();
    } else {
        m_saving = false;
        note(status.error());
    }
    return status;
}

void SettingsStore::overwriteNewer()
{
    if (!m_newer)
        return;
    m_newer = false;
    m_overwriteNewer = true;
    m_saving = true;
    for (auto value = m_values.constBegin(); value != m_values.constEnd(); ++value)
        m_changes.insert(value.key(), value.value());
    m_timer.start(0);
}

void SettingsStore::note(Error error)
{
    for (const Error &earlier : m_notes) {
        if (earlier.text == error.text)
            return;
    }
    m_notes << error;
    Q_EMIT noted(error);
}

} // namespace tongchi
