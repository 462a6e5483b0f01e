#include "platform/settings/audit_log.h"

#include <QDateTime>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonDocument>
#include <QLockFile>
#include <QStandardPaths>
#include <QThreadPool>
#include <QUuid>
#include <QtCore/qcoreapplication.h>
#include <algorithm>
#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

namespace tongchi {

namespace {

constexpr int lockPatienceMs = 200;

Error auditStorageError(const QString &path, const QString &detail)
{
    return {.code = ErrorCode::Storage,
            .text = QT_TRANSLATE_NOOP("Error", "The audit log %1 cannot be written."),
            .arguments = {path},
            .remedy = QT_TRANSLATE_NOOP(
                "Error", "Free some space, or make the folder writable; until then actions leave no line."),
            .detail = detail};
}

QString dateName(Instant now)
{
    return QDateTime::fromMSecsSinceEpoch(now.time_since_epoch().count(), Qt::UTC)
        .toString(QStringLiteral("yyyyMMdd-HHmmss"));
}

/// `base` + `end`, with a number between them when that is taken.
QString freeName(const QString &base, const QString &end)
{
    QString name = base + end;
    for (int number = 2; QFileInfo::exists(name); ++number)
        name = base + u'-' + QString::number(number) + end;
    return name;
}

QString operatingSystemUser()
{
    // Not the environment: that is whatever somebody set it to.
    if (const passwd *entry = getpwuid(geteuid()); entry && entry->pw_name)
        return QString::fromLocal8Bit(entry->pw_name);
    return QStringLiteral("uid ") + QString::number(geteuid());
}

} // namespace

struct AuditLog::Private
{
    bool isOpenFileCurrent() const;
    Status open();
    void repairEnd();
    void rotate();
    void syncLater();

    QString folder, path, tornFile;
    const Clock *clock = nullptr;
    qint64 rotateAt = 0;
    QFile file;
    QThreadPool pool; ///< one thread, for waiting on the disk
    QString user = operatingSystemUser();
};

/// Another console may have given the file its date meanwhile, or somebody removed it.
bool AuditLog::Private::isOpenFileCurrent() const
{
    struct stat opened
    {
    }, named{};
    return file.isOpen() && fstat(file.handle(), &opened) == 0 &&
           stat(QFile::encodeName(path).constData(), &named) == 0 && opened.st_ino == named.st_ino &&
           opened.st_dev == named.st_dev;
}

/// A crash or a full disk can leave half a line: it is set aside, and the log ends with a whole line again.
void AuditLog::Private::repairEnd()
{
    QFile log(path);
    if (!log.open(QIODevice::ReadWrite) || log.size() == 0)
        return;
    constexpr qint64 piece = 64 * 1024;
    qint64 lineStart = log.size();
    for (bool found = false; lineStart > 0 && !found;) {
        const qint64 from = std::max<qint64>(0, lineStart - piece);
        log.seek(from);
        const QByteArray bytes = log.read(lineStart - from);
        const qsizetype newline = bytes.lastIndexOf('\n');
        found = newline >= 0;
        lineStart = found ? from + newline + 1 : from;
    }
    if (lineStart == log.size())
        return;
    log.seek(lineStart);
    const QByteArray tail = log.read(rotateAt);
    if (QJsonDocument::fromJson(tail).isObject()) { // only the line's end is missing
        log.seek(log.size());
        log.write("\n");
        return;
    }
    QFile torn(
        freeName(folder + QStringLiteral("/audit-torn-") + dateName(clock->now()), QStringLiteral(".txt")));
    if (!torn.open(QIODevice::WriteOnly | QIODevice::NewOnly) || torn.write(tail) != tail.size() ||
        !torn.flush())
        return;
    tornFile = torn.fileName();
    log.resize(lineStart);
}

Status AuditLog::Private::open()
{
    if (isOpenFileCurrent())
        return {};
    file.close();
    if (!QDir().mkpath(folder))
        return failure(auditStorageError(path, QStringLiteral("the folder cannot be made")));
    QLockFile lock(folder + QStringLiteral("/audit.lock"));
    lock.setStaleLockTime(0);
    if (lock.tryLock(lockPatienceMs))
        repairEnd();
    file.setFileName(path);
    if (!file.open(QIODevice::WriteOnly | QIODevice::Append | QIODevice::Unbuffered))
        return failure(auditStorageError(path, file.errorString()));
    file.setPermissions(QFileDevice::ReadOwner | QFileDevice::WriteOwner);
    return {};
}

void AuditLog::Private::rotate()
{
    if (file.size() < rotateAt)
        return;
    QLockFile lock(folder + QStringLiteral("/audit.lock"));
    lock.setStaleLockTime(0);
    if (!lock.tryLock(lockPatienceMs) || !isOpenFileCurrent())
        return;
    pool.waitForDone();
    if (QFile::rename(path, freeName(folder + QStringLiteral("/audit-") + dateName(clock->now()),
                                     QStringLiteral(".jsonl"))))
        file.close();
}

void AuditLog::Private::syncLater()
{
    // The handle is duplicated: the file may be closed for its rotation meanwhile.
    const int handle = dup(file.handle());
    if (handle < 0)
        return;
    pool.start([handle] {
        fsync(handle);
        close(handle);
    });
}

AuditLog::AuditLog(const QString &folder, const Clock *clock, qint64 rotateAt)
    : d(std::make_unique<Private>())
{
    d->folder = folder;
    d->path = folder + QStringLiteral("/audit.jsonl");
    d->clock = clock;
    d->rotateAt = rotateAt;
    d->pool.setMaxThreadCount(1);
    d->pool.setObjectName(QStringLiteral("audit"));
    if (QFileInfo::exists(
            d->path)) // a torn line is looked for now, a new file is not made before its first line
        (void)d->open();
}

AuditLog::~AuditLog() = default;

QString AuditLog::defaultFolder()
{
    return QStandardPaths::writableLocation(QStandardPaths::AppLocalDataLocation) + QStringLiteral("/audit");
}

Result<QString> AuditLog::append(AuditLine line)
{
    if (line.id.isEmpty())
        line.id = QUuid::createUuid().toString(QUuid::WithoutBraces);
    if (line.osUser.isEmpty())
        line.osUser = d->user;
    if (line.at == Instant{})
        line.at = d->clock->now();
    if (const Status opened = d->open(); !opened)
        return tl::unexpected(opened.error());
    const QByteArray bytes = QJsonDocument(auditObject(line)).toJson(QJsonDocument::Compact) + '\n';
    const qint64 written = d->file.write(bytes);
    if (written != bytes.size()) {
        const QString detail = d->file.errorString();
        d->file.close(); // opening it again sets the torn line aside
        return failure(auditStorageError(d->path, detail));
    }
    d->syncLater();
    d->rotate();
    return line.id;
}

void AuditLog::sync()
{
    d->pool.waitForDone();
}

QString AuditLog::tornFile() const
{
    return d->tornFile;
}

QString AuditLog::filePath() const
{
    return d->path;
}

} // namespace tongchi
