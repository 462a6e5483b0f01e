#include "platform/simulator/fault_schedule.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QStringList>
#include <QtCore/qcoreapplication.h>
#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>

namespace tongchi::simulator {

namespace {

struct FaultName
{
    const char *name;
    PoolFault fault;
    const char *measure = nullptr; ///< a key that only this fault may have
};
constexpr FaultName faultNames[] = {
    {"restart", PoolFault::Restart},
    {"compact", PoolFault::Compact},
    {"too-many-requests", PoolFault::TooManyRequests},
    {"expired-token", PoolFault::ExpiredToken},
    {"half-open", PoolFault::HalfOpen},
    {"delay", PoolFault::Delay, "delay_seconds"},
    {"drip", PoolFault::Drip, "bytes_per_second"},
    {"cut", PoolFault::Cut, "after_bytes"},
    {"reset", PoolFault::Reset, "after_bytes"},
    {"corrupt-chunk", PoolFault::CorruptChunk},
    {"dead", PoolFault::Dead},
    {"alive", PoolFault::Alive},
};

/// A number of seconds that is not negative and shorter than a year.
std::optional<std::chrono::milliseconds> secondsOf(const QJsonObject &object, const char *key)
{
    const QJsonValue value = object.value(QLatin1String(key));
    if (!value.isDouble() || !(value.toDouble() >= 0 && value.toDouble() < 366.0 * 86'400))
        return std::nullopt;
    return std::chrono::milliseconds(qint64(value.toDouble() * 1000));
}

/// A whole number of bytes, `least` or more.
std::optional<qint64> bytesOf(const QJsonObject &object, const char *key, qint64 least)
{
    const QJsonValue value = object.value(QLatin1String(key));
    const double number = value.toDouble(-1);
    if (!value.isDouble() || number != std::floor(number) || !(number >= double(least) && number < 1e15))
        return std::nullopt;
    return qint64(number);
}

/// Replaces `into` where the plan names it; false where what it names cannot be used.
template <typename Value>
bool replaceIfNamed(const QJsonObject &object, const char *key, Value &into, const std::optional<Value> &read)
{
    if (!object.contains(QLatin1String(key)))
        return true;
    if (read)
        into = *read;
    return read.has_value();
}

/// The key that is wrong in an entry, or an empty string and the entry.
QString readEntry(const QJsonObject &object, ScheduledFault &entry)
{
    const QString name = object.value(QLatin1String("fault")).toString();
    const auto *const known =
        std::find_if(std::begin(faultNames), std::end(faultNames),
                     [&name](const FaultName &each) { return name == QLatin1String(each.name); });
    if (known == std::end(faultNames))
        return QStringLiteral("fault");
    entry.what.fault = known->fault;
    const auto at = secondsOf(object, "at_seconds");
    if (!at)
        return QStringLiteral("at_seconds");
    entry.at = *at;
    if (!replaceIfNamed(object, "seconds", entry.what.duration, secondsOf(object, "seconds")))
        return QStringLiteral("seconds");
    const QJsonValue cluster = object.value(QLatin1String("cluster"));
    if (!cluster.isUndefined() && !cluster.isString())
        return QStringLiteral("cluster");
    entry.cluster = cluster.toString();
    for (const QString &key : object.keys()) {
        const bool common = QStringList{QStringLiteral("at_seconds"), QStringLiteral("fault"),
                                        QStringLiteral("seconds"), QStringLiteral("cluster")}
                                .contains(key);
        if (!common && (!known->measure || key != QLatin1String(known->measure)))
            return key;
    }
    if (!replaceIfNamed(object, "delay_seconds", entry.what.delay, secondsOf(object, "delay_seconds")))
        return QStringLiteral("delay_seconds");
    if (!replaceIfNamed(object, "bytes_per_second", entry.what.bytesPerSecond,
                        bytesOf(object, "bytes_per_second", 1)))
        return QStringLiteral("bytes_per_second");
    if (!replaceIfNamed(object, "after_bytes", entry.what.afterBytes, bytesOf(object, "after_bytes", 0)))
        return QStringLiteral("after_bytes");
    return {};
}

} // namespace

QString faultName(PoolFault fault)
{
    for (const FaultName &each : faultNames) {
        if (each.fault == fault)
            return QString::fromLatin1(each.name);
    }
    return {};
}

Result<std::vector<ScheduledFault>> readFaultSchedule(const QString &path)
{
    std::vector<ScheduledFault> faults;
    if (path.isEmpty())
        return faults;
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return failure(
            {.code = ErrorCode::Storage,
             .text = QT_TRANSLATE_NOOP("Error", "The fault plan cannot be read."),
             .remedy = QT_TRANSLATE_NOOP("Error", "Check the file's name and that you may read it."),
             .subject = path,
             .detail = file.errorString()});
    QJsonParseError problem;
    const QJsonDocument document = QJsonDocument::fromJson(file.readAll(), &problem);
    if (!document.isArray())
        return failure({.code = ErrorCode::Invalid,
                        .text = QT_TRANSLATE_NOOP("Error", "The fault plan is not a JSON list of faults."),
                        .remedy = QT_TRANSLATE_NOOP(
                            "Error", "Write it as [{\"at_seconds\": 5, \"fault\": \"restart\"}]."),
                        .subject = path,
                        .detail = problem.errorString()});
    const QJsonArray entries = document.array();
    for (qsizetype i = 0; i < entries.size(); ++i) {
        ScheduledFault entry;
        const QString wrong =
            entries.at(i).isObject() ? readEntry(entries.at(i).toObject(), entry) : QStringLiteral("{}");
        if (!wrong.isEmpty()) {
            QStringList names;
            for (const FaultName &each : faultNames)
                names << QString::fromLatin1(each.name);
            return failure(
                {.code = ErrorCode::Invalid,
                 .text = QT_TRANSLATE_NOOP("Error", "Entry %1 of the fault plan cannot be used: %2."),
                 .arguments = {QString::number(i + 1), wrong, names.join(QStringLiteral(", "))},
                 .remedy = QT_TRANSLATE_NOOP(
                     "Error", "It needs at_seconds, a number that is not negative, and fault, one of: "
                              "%3; it may have cluster and seconds, delay also delay_seconds, drip "
                              "bytes_per_second, cut and reset after_bytes."),
                 .subject = path});
        }
        faults.push_back(std::move(entry));
    }
    return faults;
}

} // namespace tongchi::simulator
