#include "platform/settings/audit_log.h"

#include <QDateTime>
#include <array>
#include <utility>

namespace tongchi {

namespace {

constexpr qsizetype longestAuditText = 64 * 1024;

constexpr std::array<std::pair<const char *, QString AuditLine::*>, 12> auditFields{{
    {"id", &AuditLine::id},
    {"os_user", &AuditLine::osUser},
    {"cluster_user", &AuditLine::clusterUser},
    {"cluster", &AuditLine::cluster},
    {"verb", &AuditLine::verb},
    {"object", &AuditLine::object},
    {"before", &AuditLine::before},
    {"after", &AuditLine::after},
    {"dry_run", &AuditLine::dryRun},
    {"result", &AuditLine::result},
    {"detail", &AuditLine::detail},
    {"undo_of", &AuditLine::undoOf},
}};

} // namespace

QJsonObject auditObject(const AuditLine &line)
{
    QJsonObject object{
        {QStringLiteral("time"), QDateTime::fromMSecsSinceEpoch(line.at.time_since_epoch().count(), Qt::UTC)
                                     .toString(Qt::ISODateWithMs)}};
    for (const auto &[name, member] : auditFields) {
        if (!(line.*member).isEmpty())
            object.insert(QLatin1String(name), (line.*member).left(longestAuditText));
    }
    return object;
}

std::optional<AuditLine> auditLineOf(const QJsonObject &object)
{
    const QDateTime time =
        QDateTime::fromString(object.value(QLatin1String("time")).toString(), Qt::ISODateWithMs);
    AuditLine line;
    for (const auto &[name, member] : auditFields)
        line.*member = object.value(QLatin1String(name)).toString();
    if (!time.isValid() || line.verb.isEmpty())
        return std::nullopt;
    line.at = Instant(std::chrono::milliseconds(time.toMSecsSinceEpoch()));
    return line;
}

} // namespace tongchi
