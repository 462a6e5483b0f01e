#include "platform/kubernetes/api_status.h"

#include "platform/core/clock.h"
#include "platform/http/status_error.h"

#include "platform/core/text_encoding.h"
#include "platform/kubernetes/permission.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QtCore/qcoreapplication.h>
#include <algorithm>

namespace tongchi {

namespace {

constexpr qsizetype kMostCauses = 20;
constexpr qsizetype kLongestMessage = 600;
constexpr qsizetype kMessageWithObject = 300;

ErrorCode codeForHttpStatus(int status)
{
    switch (status) {
    case 401:
        return ErrorCode::Unauthorized;
    case 403:
        return ErrorCode::Forbidden;
    case 404:
        return ErrorCode::NotFound;
    case 405:
    case 406:
    case 415:
        return ErrorCode::NotSupported;
    case 408:
        return ErrorCode::Timeout;
    case 409:
        return ErrorCode::Conflict;
    case 410:
        return ErrorCode::Gone;
    case 429:
        return ErrorCode::RateLimited;
    default:
        break;
    }
    return status >= 500 ? ErrorCode::Server : status >= 400 ? ErrorCode::Invalid : ErrorCode::Protocol;
}

QString cutMessage(const QString &message)
{
    return message.size() <= kLongestMessage ? message : message.left(kLongestMessage) + QChar(0x2026);
}

/// Strict validation answers with the whole object in front of the one thing that matters, and label errors
/// end in the expression they were checked with.
QString mattersOf(const QString &message)
{
    const qsizetype strict = message.lastIndexOf(QLatin1String("strict decoding error"));
    QString result = strict > 0 && message.size() > kMessageWithObject ? message.mid(strict) : message;
    const qsizetype expression = result.indexOf(QLatin1String(", regex used for validation is"));
    if (expression > 0)
        result = result.left(expression) +
                 (result.lastIndexOf(u'(', expression) > 0 ? QStringLiteral(")") : QString());
    return result;
}

QString statusMessage(const ApiStatus &status)
{
    return visibleText(cutMessage(status.message.isEmpty() ? status.reason : mattersOf(status.message)));
}

QString causeLines(const ApiStatus &status)
{
    QStringList lines;
    for (const ApiCause &cause : status.causes.mid(0, 5)) {
        const QString message = mattersOf(cause.message);
        lines << (cause.field.isEmpty() ? message : QString(cause.field + QStringLiteral(": ") + message));
    }
    return visibleText(cutMessage(lines.join(QStringLiteral("; "))));
}

/// The title of an HTML page, or the first line of a text, for the details.
QString foreignBody(std::string_view body)
{
    const QString text = QString::fromUtf8(body.data(), qsizetype(std::min<std::size_t>(body.size(), 4000)));
    const qsizetype title = text.indexOf(QLatin1String("<title>"), 0, Qt::CaseInsensitive);
    const qsizetype end = title < 0 ? -1 : text.indexOf(QLatin1String("</"), title);
    const QString shown = end > 0 ? text.mid(title + 7, end - title - 7) : text;
    return visibleText(shown.simplified().left(300));
}

void describeForbidden(Error &error, const ApiStatus &status)
{
    const std::optional<ForbiddenWords> words = parseForbidden(status.message);
    if (!words) {
        error.remedy =
            QT_TRANSLATE_NOOP("Error", "Ask the cluster's administrator for the right, then connect again.");
        return;
    }
    error.text = words->nameSpace.isEmpty()
                     ? QT_TRANSLATE_NOOP("Error", "You have no right to %1 %2.")
                     : QT_TRANSLATE_NOOP("Error", "You have no right to %1 %2 in the namespace %3.");
    error.arguments = {visibleText(words->verb.left(60)), visibleText(words->resource.left(200)),
                       visibleText(words->nameSpace.left(80))};
    error.remedy = QT_TRANSLATE_NOOP("Error", "Ask the cluster's administrator for the verb %1 on %2.");
    error.detail = statusMessage(status);
}

void describeConflict(Error &error, const ApiStatus &status)
{
    QStringList fields;
    for (const ApiCause &cause : status.causes) {
        if (cause.reason == QLatin1String("FieldManagerConflict"))
            fields << cause.field + QStringLiteral(" (") + cause.message + u')';
    }
    if (!fields.isEmpty()) {
        error.text = QT_TRANSLATE_NOOP("Error", "Others own fields of the object: %1");
        error.arguments = {visibleText(cutMessage(fields.join(QStringLiteral(", "))))};
        error.remedy =
            QT_TRANSLATE_NOOP("Error", "Leave these fields to their owner, or take them over on purpose.");
    } else if (status.reason != QLatin1String("AlreadyExists")) {
        error.text = QT_TRANSLATE_NOOP("Error", "The object was changed by somebody else in the meantime.");
        error.arguments.clear();
        error.detail = statusMessage(status);
        error.remedy = QT_TRANSLATE_NOOP("Error", "Look at its present state and decide again.");
    }
}

} // namespace

std::optional<ApiStatus> parseApiStatus(std::string_view json)
{
    const QJsonObject object =
        QJsonDocument::fromJson(QByteArray::fromRawData(json.data(), qsizetype(json.size()))).object();
    if (object.value(QLatin1String("kind")).toString() != QLatin1String("Status"))
        return std::nullopt;
    ApiStatus status;
    status.code = object.value(QLatin1String("code")).toInt();
    status.reason = object.value(QLatin1String("reason")).toString();
    status.message = object.value(QLatin1String("message")).toString();
    status.continueToken = object.value(QLatin1String("metadata"))
                               .toObject()
                               .value(QLatin1String("continue"))
                               .toString()
                               .toUtf8();
    const QJsonObject details = object.value(QLatin1String("details")).toObject();
    if (const int seconds = details.value(QLatin1String("retryAfterSeconds")).toInt(); seconds > 0)
        status.retryAfter = std::chrono::seconds(seconds);
    status.kind = details.value(QLatin1String("kind")).toString();
    status.name = details.value(QLatin1String("name")).toString();
    status.group = details.value(QLatin1String("group")).toString();
    const QJsonArray causes = details.value(QLatin1String("causes")).toArray();
    status.versionTooLarge = status.message.contains(QLatin1String("Too large resource version"));
    for (const QJsonValue &cause : causes) {
        const QJsonObject fields = cause.toObject();
        const ApiCause read{fields.value(QLatin1String("reason")).toString(),
                            fields.value(QLatin1String("field")).toString(),
                            fields.value(QLatin1String("message")).toString()};
        if (read.reason == QLatin1String("ResourceVersionTooLarge"))
            status.versionTooLarge = true;
        if (status.causes.size() < kMostCauses && !status.causes.contains(read))
            status.causes << read;
    }
    return status;
}

Error apiError(int httpStatus, const HeaderList &headers, std::string_view body, const QString &subject)
{
    Error error{.code = codeForHttpStatus(httpStatus), .subject = subject, .httpStatus = httpStatus};
    error.retryAfter = retryAfterOf(headers, SystemClock().now());
    const std::optional<ApiStatus> status = parseApiStatus(body);
    if (status) {
        error.text = QT_TRANSLATE_NOOP("Error", "The server answered: %1");
        error.arguments = {statusMessage(*status)};
        error.detail =
            QStringLiteral("HTTP %1, reason %2").arg(httpStatus).arg(visibleText(status->reason.left(100)));
        if (!error.retryAfter && status->retryAfter)
            error.retryAfter = *status->retryAfter;
    } else {
        error.text = QT_TRANSLATE_NOOP(
            "Error", "The answer was HTTP %1, and it does not come from the API server itself.");
        error.arguments = {QString::number(httpStatus)};
        error.detail = foreignBody(body);
    }
    switch (error.code) {
    case ErrorCode::Forbidden:
        if (status)
            describeForbidden(error, *status);
        else
            error.remedy = QT_TRANSLATE_NOOP(
                "Error", "Something in front of the server refuses the request; ask whoever runs it.");
        break;
    case ErrorCode::Unauthorized:
        error.remedy = QT_TRANSLATE_NOOP("Error", "Renew the credential that the kubeconfig names.");
        break;
    case ErrorCode::Conflict:
        if (status)
            describeConflict(error, *status);
        break;
    case ErrorCode::Invalid:
        if (status && !status->causes.isEmpty() && status->message.size() > 200) {
            error.text = QT_TRANSLATE_NOOP("Error", "The server refuses the change: %1");
            error.arguments = {causeLines(*status)};
        }
        break;
    case ErrorCode::RateLimited:
    case ErrorCode::Server:
    case ErrorCode::Timeout:
        error.remedy = QT_TRANSLATE_NOOP("Error", "It is tried again by itself.");
        break;
    default:
        break;
    }
    return error;
}

} // namespace tongchi
