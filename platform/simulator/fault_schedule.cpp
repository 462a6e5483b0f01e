#include "platform/simulator/fault_schedule.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QtCore/qcoreapplication.h>

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

std::chrono::milliseconds secondsOf(const QJsonValue &value)
{
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
    for (const QJsonValue &entry : document.array()) {
        const QJsonObject object = entry.toObject();
        const QString name = object.value(QLatin1String("fault")).toString();
        for (const FaultName &known : faultNames) {
            if (name == QLatin1String(known.name))
                faults.push_back({secondsOf(object.value(QLatin1String("at_seconds"))),
                                  object.value(QLatin1String("cluster")).toString(), known.fault,
                                  secondsOf(object.value(QLatin1String("seconds")))});
        }
    }
    return faults;
}

} // namespace tongchi::simulator
