#pragma once

#include "platform/core/clock.h"
#include "platform/core/result.h"

#include <QJsonObject>
#include <QList>
#include <QString>
#include <memory>
#include <optional>

namespace tongchi {

/// One write, upload or deployment, as it is kept.
struct AuditLine
{
    QString id; ///< given by append() when empty
    Instant at{};
    QString osUser;      ///< given by append() when empty
    QString clusterUser; ///< empty: not known
    QString cluster;
    QString verb;          ///< "patch", "undo", ...
    QString object;        ///< "node/sh-h100-01"
    QString before, after; ///< at most 64 KiB each
    QString dryRun;        ///< what the server said before
    QString result;        ///< "done", or the name of the error
    QString detail;
    QString undoOf; ///< id of the line that this one takes back
    bool operator==(const AuditLine &) const = default;
};

/// Which lines; unset members let everything pass.
struct AuditFilter
{
    std::optional<Instant> from, to; ///< both inclusive
    QString cluster;
    QString text;     ///< in any field, case ignored
    int limit = 1000; ///< the newest
};

struct AuditPage
{
    QList<AuditLine> lines; ///< newest first
    qint64 unreadable = 0;  ///< lines that are none, left out
};

/// The local audit log: "audit.jsonl" in a folder, one JSON object a line, only ever appended to. Each line
/// is one write and synced to the disk by a thread of its own, so that it survives kill -9 at once and a
/// power cut soon. A line torn by a crash is set aside in a file of its own when the log is opened next. Over
/// 64 MiB the file gets a name with a date, and a new one is begun; nothing is ever deleted. Several consoles
/// may write to one folder.
class AuditLog
{
public:
    /// `clock` must outlive the log. `rotateAt`: bytes.
    AuditLog(const QString &folder, const Clock *clock, qint64 rotateAt = 64 * 1024 * 1024);
    ~AuditLog();
    AuditLog(const AuditLog &) = delete;
    AuditLog &operator=(const AuditLog &) = delete;
    /// "audit" below QStandardPaths::AppLocalDataLocation.
    static QString defaultFolder();

    /// Gives the id of the line. Storage when it could not be written; the caller says so and goes on.
    [[nodiscard]] Result<QString> append(AuditLine line);
    /// Waits until everything is on the disk.
    void sync();
    /// Where a torn line was put when the log was opened; empty: there was none.
    QString tornFile() const;
    QString filePath() const;

    /// Reads all files of a folder; any thread (tens of megabytes a second).
    [[nodiscard]] static Result<AuditPage> read(const QString &folder, const AuditFilter &filter);

private:
    struct Private;
    std::unique_ptr<Private> d;
};

QJsonObject auditObject(const AuditLine &line);
/// Nothing when the object has neither time nor verb.
std::optional<AuditLine> auditLineOf(const QJsonObject &object);

} // namespace tongchi
