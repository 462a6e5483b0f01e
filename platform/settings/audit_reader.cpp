#include "platform/settings/audit_log.h"

#include <QDir>
#include <QFile>
#include <QJsonDocument>
#include <QtCore/qcoreapplication.h>
#include <algorithm>
#include <deque>

namespace tongchi {

namespace {

constexpr qint64 longestAuditLine = 4 * 1024 * 1024;

bool passes(const AuditLine &line, const AuditFilter &filter)
{
    if ((filter.from && line.at < *filter.from) || (filter.to && line.at > *filter.to))
        return false;
    if (!filter.cluster.isEmpty() && line.cluster != filter.cluster)
        return false;
    if (filter.text.isEmpty())
        return true;
    for (const QString *field :
         {&line.id, &line.osUser, &line.clusterUser, &line.cluster, &line.verb, &line.object, &line.before,
          &line.after, &line.dryRun, &line.result, &line.detail, &line.undoOf}) {
        if (field->contains(filter.text, Qt::CaseInsensitive))
            return true;
    }
    return false;
}

/// The newest `limit` of one file, oldest first.
Status readAuditFile(const QString &path, const AuditFilter &filter, std::deque<AuditLine> &newest,
                     qint64 &unreadable)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly)) {
        return failure({.code = ErrorCode::Storage,
                        .text = QT_TRANSLATE_NOOP("Error", "The audit log %1 cannot be read."),
                        .arguments = {path},
                        .remedy = QT_TRANSLATE_NOOP("Error", "Check that you may read it."),
                        .detail = file.errorString()});
    }
    while (!file.atEnd()) {
        const QByteArray bytes = file.readLine(longestAuditLine);
        if (bytes.trimmed().isEmpty())
            continue;
        const auto line = auditLineOf(QJsonDocument::fromJson(bytes).object());
        if (!line) {
            ++unreadable;
            continue;
        }
        if (!passes(*line, filter))
            continue;
        newest.push_back(*line);
        if (std::ssize(newest) > filter.limit)
            newest.pop_front();
    }
    return {};
}

} // namespace

Result<AuditPage> AuditLog::read(const QString &folder, const AuditFilter &filter)
{
    // By the dates in their names, the file under way last; then from the newest back until there are enough.
    QStringList names = QDir(folder).entryList({QStringLiteral("audit-*.jsonl")}, QDir::Files, QDir::Name);
    if (QFile::exists(folder + QStringLiteral("/audit.jsonl")))
        names << QStringLiteral("audit.jsonl");
    AuditPage page;
    for (auto name = names.crbegin(); name != names.crend() && page.lines.size() < filter.limit; ++name) {
        std::deque<AuditLine> newest;
        if (const Status status = readAuditFile(folder + u'/' + *name, filter, newest, page.unreadable);
            !status)
            return tl::unexpected(status.error());
        for (auto line = newest.crbegin(); line != newest.crend() && page.lines.size() < filter.limit; ++line)
            page.lines << *line;
    }
    std::stable_sort(page.lines.begin(), page.lines.end(),
                     [](const AuditLine &a, const AuditLine &b) { return a.at > b.at; });
    return page;
}

} // namespace tongchi
