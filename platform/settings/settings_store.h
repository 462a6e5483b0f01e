#pragma once

#include "platform/core/clock.h"
#include "platform/core/result.h"
#include "platform/settings/settings_file.h"

#include <QJsonArray>
#include <QObject>
#include <QStringList>
#include <QThreadPool>
#include <QTimer>
#include <optional>

namespace tongchi {

/// How a value is kept in JSON; nothing for JSON of another kind, so that one bad value falls back alone.
template <typename T> struct SettingsValue;

/// The settings of the operator in one JSON file, by dotted keys ("window.geometry"). GUI thread only.
///
/// Read once, at construction (a few kilobytes); written by a thread of its own some seconds after the last
/// change, and at the end. A spoiled file is set aside under a name with a date and the last good copy is
/// taken; a file of a later version is not overwritten without overwriteNewer(); where nothing can be written
/// the settings hold for this run. Each such thing is told once, in notes(). Never a secret: those belong in
/// the keyring or stay in the kubeconfig.
class SettingsStore : public QObject
{
    Q_OBJECT
public:
    /// `path`: of settings.json; empty: nothing is read or written. `clock` must outlive the store.
    SettingsStore(const QString &path, const Clock *clock, QObject *parent = nullptr);
    ~SettingsStore() override;
    /// settings.json below QStandardPaths::AppConfigLocation.
    static QString defaultPath();

    /// The value, or `fallback` when there is none or it is of another kind.
    template <typename T> T value(const QString &key, const T &fallback = T()) const
    {
        return SettingsValue<T>::read(json(key)).value_or(fallback);
    }
    template <typename T> void setValue(const QString &key, const T &value)
    {
        setJson(key, SettingsValue<T>::write(value));
    }
    void remove(const QString &key) { setJson(key, QJsonValue(QJsonValue::Undefined)); }
    bool contains(const QString &key) const { return m_values.contains(key); }

    QJsonValue json(const QString &key) const { return m_values.value(key); }
    void setJson(const QString &key, const QJsonValue &value);

    /// Writes what is not yet written and waits for it: before the program ends.
    [[nodiscard]] Status flush();
    /// How long nothing must change before it is written; 5 s unless set.
    void setQuietTime(std::chrono::milliseconds time) { m_quietTime = time; }
    /// What the operator has to be told, in the order it happened: each once.
    QList<Error> notes() const { return m_notes; }
    /// False: changes hold for this run only (nothing can be written, or the file is of a later version).
    bool isSaving() const { return m_saving; }
    bool isNewerFile() const { return m_newer; }
    /// The operator agreed that a file of a later version is replaced.
    void overwriteNewer();
    const QString &path() const { return m_path; }

Q_SIGNALS:
    void noted(const tongchi::Error &note);
    /// What was changed is on the disk.
    void saved();

private:
    void load();
    void startSaving();
    void finishSaving(const Status &status, const SettingsChanges &written);
    void note(Error error);

    const QString m_path;
    const Clock &m_clock;
    QJsonObject m_values;
    SettingsChanges m_changes; ///< not yet written
    QList<Error> m_notes;
    QTimer m_timer;
    std::chrono::milliseconds m_quietTime{5'000};
    std::optional<Monotonic> m_firstChange;
    QThreadPool m_pool; ///< one thread: writes follow each other
    bool m_writing = false;
    bool m_saving = true;
    bool m_newer = false;
    bool m_overwriteNewer = false;
};

template <> struct SettingsValue<bool>
{
    static std::optional<bool> read(const QJsonValue &json)
    {
        return json.isBool() ? std::optional(json.toBool()) : std::nullopt;
    }
    static QJsonValue write(bool value) { return value; }
};
template <> struct SettingsValue<double>
{
    static std::optional<double> read(const QJsonValue &json)
    {
        return json.isDouble() ? std::optional(json.toDouble()) : std::nullopt;
    }
    static QJsonValue write(double value)
    {
        return value;
    } ///< not a number is written as null and reads as nothing
};
/// Whole numbers up to 2^53, as JSON has them.
template <> struct SettingsValue<qint64>
{
    static std::optional<qint64> read(const QJsonValue &json);
    static QJsonValue write(qint64 value) { return value; }
};
template <> struct SettingsValue<int>
{
    static std::optional<int> read(const QJsonValue &json);
    static QJsonValue write(int value) { return value; }
};
template <> struct SettingsValue<QString>
{
    static std::optional<QString> read(const QJsonValue &json)
    {
        return json.isString() ? std::optional(json.toString()) : std::nullopt;
    }
    static QJsonValue write(const QString &value) { return value; }
};
/// As base64 text: geometry and header states.
template <> struct SettingsValue<QByteArray>
{
    static std::optional<QByteArray> read(const QJsonValue &json);
    static QJsonValue write(const QByteArray &value);
};
/// Elements of another kind are left out.
template <> struct SettingsValue<QStringList>
{
    static std::optional<QStringList> read(const QJsonValue &json);
    static QJsonValue write(const QStringList &value) { return QJsonArray::fromStringList(value); }
};

} // namespace tongchi
