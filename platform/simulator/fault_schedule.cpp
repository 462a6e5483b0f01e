#include "platform/simulator/fault_schedule.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QtCore/qcoreapplication.h>
#include <algorithm>
#include <iterator>
#include <optional>

namespace tongchi::simulator {

namespace {

struct FaultName
{
    const char *name;
    PoolFault fault;
};
constexpr FaultName faultNames[] = {
    {"restart", PoolFault::Restart},
    {"compact", PoolFault::Compact},
    {"half-open", PoolFault::HalfOpen},
    {"too-many-requests", PoolFault::TooManyRequests},
    {"expired-token", PoolFault::ExpiredToken},
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

} // namespace

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
        const QJsonObject object = entries.at(i).toObject();
        const QString name = object.value(QLatin1String("fault")).toString();
        const auto known =
            std::find_if(std::begin(faultNames), std::end(faultNames),
                         [&name](const FaultName &each) { return name == QLatin1String(each.name); });
        const auto at = secondsOf(object, "at_seconds");
        const auto lasts = object.contains(QLatin1String("seconds"))
                               ? secondsOf(object, "seconds")
                               : std::optional(std::chrono::milliseconds(0));
        const QJsonValue cluster = object.value(QLatin1String("cluster"));
        QString wrong;
        for (const QString &key : object.keys()) {
            if (!QStringList{QStringLiteral("at_seconds"), QStringLiteral("fault"), QStringLiteral("seconds"),
                             QStringLiteral("cluster")}
                     .contains(key))
                wrong = key;
        }
        if (!cluster.isUndefined() && !cluster.isString())
            wrong = QStringLiteral("cluster");
        if (!lasts)
            wrong = QStringLiteral("seconds");
        if (!at)
            wrong = QStringLiteral("at_seconds");
        if (known == std::end(faultNames))
            wrong = QStringLiteral("fault");
        if (!entries.at(i).isObject() || !wrong.isEmpty()) {
            QStringList names;
            for (const FaultName &each : faultNames)
                names << QString::fromLatin1(each.name);
            return failure(
                {.code = ErrorCode::Invalid,
                 .text = QT_TRANSLATE_NOOP("Error", "Entry %1 of the fault plan cannot be used: %2."),
                 .arguments = {QString::number(i + 1), wrong.isEmpty() ? QStringLiteral("{}") : wrong,
                               names.join(QStringLiteral(", "))},
                 .remedy = QT_TRANSLATE_NOOP(
                     "Error", "It needs at_seconds, a number that is not negative, and fault, one of: "
                              "%3; it may have cluster and seconds."),
                 .subject = path});
        }
        faults.push_back({*at, cluster.toString(), known->fault, *lasts});
    }
    return faults;
}

} // namespace tongchi::simulator
