#include "platform/kubernetes/api_status.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QtCore/qcoreapplication.h>
#include <algorithm>

namespace tongchi {

namespace {

constexpr std::chrono::seconds kLongestRetryAfter{300};

ErrorCode codeForHttpStatus(int status)
{
    switch (status) {
    case 401: return ErrorCode::Unauthorized;
    case 403: return ErrorCode::Forbidden;
    case 404: return ErrorCode::NotFound;
    case 405:
    case 406:
    case 415: return ErrorCode::NotSupported;
    case 408: return ErrorCode::Timeout;
    case 409: return ErrorCode::Conflict;
    case 410: return ErrorCode::Gone;
    case 429: return ErrorCode::RateLimited;
    default: break;
    }
    return status >= 500 ? ErrorCode::Server : status >= 400 ? ErrorCode::Invalid : ErrorCode::Protocol;
}

} // namespace

std::optional<ApiStatus> parseApiStatus(std::string_view json)
{
    const QJsonObject object
        = QJsonDocument::fromJson(QByteArray::fromRawData(json.data(), qsizetype(json.size()))).object();
    if (object.value(QLatin1String("kind")).toString() != QLatin1String("Status"))
        return std::nullopt;
    ApiStatus status;
    status.code = object.value(QLatin1String("code")).toInt();
    status.reason = object.value(QLatin1String("reason")).toString();
    status.message = object.value(QLatin1String("message")).toString();
    status.continueToken = object.value(QLatin1String("metadata")).toObject().value(QLatin1String("continue")).toString().toUtf8();
    const QJsonObject details = object.value(QLatin1String("details")).toObject();
    if (const int seconds = details.value(QLatin1String("retryAfterSeconds")).toInt(); seconds > 0)
        status.retryAfter = std::min(std::chrono::seconds(seconds), kLongestRetryAfter);
    const QJsonArray causes = details.value(QLatin1String("causes")).toArray();
    status.versionTooLarge = status.message.contains(QLatin1String("Too large resource version"));
    for (const QJsonValue &cause : causes) {
        if (cause.toObject().value(QLatin1String("reason")).toString() == QLatin1String("ResourceVersionTooLarge"))
            status.versionTooLarge = true;
    }
    return status;
}

std::optional<std::chrono::milliseconds> retryAfterOf(const HeaderList &headers)
{
    bool isNumber = false;
    const int seconds = headerValue(headers, "Retry-After").trimmed().toInt(&isNumber);
    if (!isNumber || seconds < 0)
        return std::nullopt;
    return std::min(std::chrono::seconds(seconds), kLongestRetryAfter);
}

Error apiError(int httpStatus, const HeaderList &headers, std::string_view body, const QString &subject)
{
    Error error{.code = codeForHttpStatus(httpStatus), .subject = subject, .httpStatus = httpStatus};
    error.retryAfter = retryAfterOf(headers);
    if (const std::optional<ApiStatus> status = parseApiStatus(body)) {
        error.text = QT_TRANSLATE_NOOP("Error", "The server answered: %1");
        error.arguments = {status->message.isEmpty() ? status->reason : status->message.left(1000)};
        error.detail = QStringLiteral("HTTP %1, reason %2").arg(httpStatus).arg(status->reason);
        if (!error.retryAfter && status->retryAfter)
            error.retryAfter = *status->retryAfter;
    } else {
        error.text = QT_TRANSLATE_NOOP("Error", "The answer was HTTP %1, and it does not come from the API server itself.");
        error.arguments = {QString::number(httpStatus)};
        error.detail = QString::fromUtf8(body.data(), qsizetype(std::min<std::size_t>(body.size(), 300)));
    }
    switch (error.code) {
    case ErrorCode::Forbidden:
        error.remedy = QT_TRANSLATE_NOOP("Error", "Ask the cluster's administrator for the right, then connect again.");
        break;
    case ErrorCode::Unauthorized:
        error.remedy = QT_TRANSLATE_NOOP("Error", "Renew the credential that the kubeconfig names.");
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
