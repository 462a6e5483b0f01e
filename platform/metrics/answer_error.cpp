#include "platform/metrics/answer_error.h"

#include "platform/core/text_encoding.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <QtCore/qcoreapplication.h>
#include <algorithm>

namespace tongchi {

namespace {

ErrorCode codeOfErrorType(std::string_view type)
{
    if (type == "bad_data" || type == "execution")
        return ErrorCode::Invalid;
    if (type == "timeout")
        return ErrorCode::Timeout;
    if (type == "not_found")
        return ErrorCode::NotFound;
    if (type == "not_acceptable")
        return ErrorCode::NotSupported;
    return ErrorCode::Server; // internal, unavailable, canceled (by the server, not by us)
}

ErrorCode codeOfStatus(int status)
{
    switch (status) {
    case 400:
    case 422:
        return ErrorCode::Invalid;
    case 401:
        return ErrorCode::Unauthorized;
    case 403:
        return ErrorCode::Forbidden;
    case 404:
        return ErrorCode::NotFound;
    case 408:
    case 504:
        return ErrorCode::Timeout;
    case 429:
        return ErrorCode::RateLimited;
    default:
        return status >= 500 ? ErrorCode::Server : ErrorCode::Protocol;
    }
}

QString kindOfBody(const QByteArray &body)
{
    const QByteArray head = body.left(512).trimmed().toLower();
    if (head.isEmpty())
        return QStringLiteral("an empty body");
    if (head.startsWith("<!doctype html") || head.startsWith("<html") || head.contains("<head") ||
        head.contains("<body"))
        return QStringLiteral("an HTML page");
    if (head.startsWith('<'))
        return QStringLiteral("XML");
    if (head.startsWith('{') || head.startsWith('['))
        return QStringLiteral("JSON");
    return QStringLiteral("text");
}

QString shortText(std::string_view utf8)
{
    constexpr std::size_t longest = 500;
    return visibleText(QString::fromUtf8(utf8.data(), qsizetype(std::min(utf8.size(), longest))));
}

} // namespace

Error prometheusError(std::string_view errorType, std::string_view message)
{
    return {.code = codeOfErrorType(errorType),
            .text = QT_TRANSLATE_NOOP("Error", "Prometheus refused the query: %1"),
            .arguments = {message.empty() ? shortText(errorType) : shortText(message)},
            .remedy = QT_TRANSLATE_NOOP("Error", "Look at the query and at the limits of this Prometheus."),
            .detail = QStringLiteral("errorType ") + shortText(errorType)};
}

Error notPrometheusError(const QByteArray &body, const char *why)
{
    return {.code = ErrorCode::Protocol,
            .text = QT_TRANSLATE_NOOP("Error", "The answer is not one of Prometheus."),
            .remedy = QT_TRANSLATE_NOOP(
                "Error",
                "Check the address of Prometheus, and whether a proxy or a login page answers in its place."),
            .detail = kindOfBody(body) + QStringLiteral(", ") + QString::number(body.size()) +
                      QStringLiteral(" bytes: ") + QString::fromUtf8(why)};
}

Error prometheusHttpError(int status, const QByteArray &body)
{
    const QJsonObject object =
        body.size() <= 64 * 1024 ? QJsonDocument::fromJson(body).object() : QJsonObject();
    const QString errorText = object.value(QLatin1String("error")).toString();
    Error error;
    if (object.value(QLatin1String("status")) == QLatin1String("error") && !errorText.isEmpty()) {
        const QByteArray type = object.value(QLatin1String("errorType")).toString().toUtf8();
        const QByteArray text = errorText.toUtf8();
        error = prometheusError({type.constData(), std::size_t(type.size())},
                                {text.constData(), std::size_t(text.size())});
    } else if (object.value(QLatin1String("kind")) == QLatin1String("Status")) {
        // The API server itself, when Prometheus is asked through its service proxy.
        error = {.text = QT_TRANSLATE_NOOP("Error", "The API server could not reach Prometheus: %1"),
                 .arguments = {visibleText(object.value(QLatin1String("message")).toString().left(500))},
                 .remedy = QT_TRANSLATE_NOOP("Error", "Check that the service has a ready pod and that you "
                                                      "may use services/proxy in its namespace."),
                 .detail = visibleText(object.value(QLatin1String("reason")).toString().left(100))};
    } else {
        error = {
            .text = QT_TRANSLATE_NOOP("Error", "Prometheus answered with HTTP status %1."),
            .arguments = {QString::number(status)},
            .remedy = QT_TRANSLATE_NOOP(
                "Error",
                "Check the address of Prometheus, and whether a proxy or a login page answers in its place."),
            .detail = kindOfBody(body)};
    }
    error.httpStatus = status;
    if (status != 400 && status != 422) // there the kind of error is known better
        error.code = codeOfStatus(status);
    else if (error.text && error.code == ErrorCode::Protocol)
        error.code = ErrorCode::Invalid;
    return error;
}

} // namespace tongchi
