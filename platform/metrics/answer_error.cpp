#include "platform/metrics/answer_error.h"

#include "platform/core/text_encoding.h"
#include "platform/http/answer_words.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>
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

struct Saying
{
    const char *text = nullptr;
    const char *remedy = nullptr;
    QStringList arguments = {};
};

/// Prometheus names the parameter in front (source: web/api/v1/api.go, invalidParamError).
Saying ofParameter(const QString &name, const QString &problem)
{
    static const QStringList times{QStringLiteral("start"), QStringLiteral("end"), QStringLiteral("step"),
                                   QStringLiteral("time")};
    return {QT_TRANSLATE_NOOP("Error", "The value of %1 is not accepted: %2"),
            times.contains(name) ? QT_TRANSLATE_NOOP("Error", "Choose another time range.")
                                 : QT_TRANSLATE_NOOP("Error", "Correct this value, then ask again."),
            {name, problem}};
}

/// Its texts are English sentences; the kinds that call for different advice are told apart by their fixed
/// words (source: promql/engine.go, promql/parser, web/api/v1/api.go).
Saying sayingOf(std::string_view type, const QString &message)
{
    static const QRegularExpression parameter(QStringLiteral("^invalid parameter \"([^\"]+)\": (.*)$"),
                                              QRegularExpression::DotMatchesEverythingOption);
    const auto named = parameter.match(message);
    const QString problem = named.hasMatch() ? named.captured(2) : message;
    if (problem.contains(QLatin1String("parse error")))
        return {QT_TRANSLATE_NOOP("Error", "The query cannot be read: %1"),
                QT_TRANSLATE_NOOP("Error", "Correct the query; the numbers are the line and the column."),
                {problem}};
    if (problem.contains(QLatin1String("maximum resolution")))
        return {QT_TRANSLATE_NOOP("Error", "The time range has too many points: %1"),
                QT_TRANSLATE_NOOP("Error", "Choose a shorter time range or a longer step."),
                {problem.section(QStringLiteral(". Try"), 0, 0)}};
    if (named.hasMatch())
        return ofParameter(named.captured(1), problem);
    if (problem.contains(QLatin1String("too many samples")))
        return {QT_TRANSLATE_NOOP("Error", "The query reads more samples than the server allows."),
                QT_TRANSLATE_NOOP("Error", "Ask for a shorter time or fewer series, or raise "
                                           "--query.max-samples of this Prometheus.")};
    if (type == "timeout")
        return {
            QT_TRANSLATE_NOOP("Error", "The query was given up at the server's time limit."),
            QT_TRANSLATE_NOOP(
                "Error",
                "Ask for a shorter time or fewer series; if this lasts, look at the load of Prometheus.")};
    if (type == "execution")
        return {QT_TRANSLATE_NOOP("Error", "The query cannot be computed: %1"),
                QT_TRANSLATE_NOOP(
                    "Error",
                    "The query is well-formed, but it does not fit the series that are there; change it."),
                {problem}};
    if (type == "internal" || type == "unavailable" || type == "canceled")
        return {QT_TRANSLATE_NOOP("Error", "The query failed: %1"),
                QT_TRANSLATE_NOOP("Error", "Try again; if this lasts, look at the log of Prometheus."),
                {problem}};
    return {QT_TRANSLATE_NOOP("Error", "Prometheus refused the query: %1"),
            QT_TRANSLATE_NOOP("Error", "Look at the query and at the limits of this Prometheus."),
            {problem}};
}

/// The API server itself, when Prometheus is asked through its service proxy.
Saying ofServiceProxy(int status, const QString &message)
{
    switch (status) {
    case 401:
        return {QT_TRANSLATE_NOOP(
                    "Error", "The server does not accept the credential: it is wrong, or it has expired."),
                QT_TRANSLATE_NOOP("Error", "Renew the credential that the kubeconfig names.")};
    case 403:
        return {QT_TRANSLATE_NOOP("Error", "This user may not go through the API server to Prometheus: %1"),
                QT_TRANSLATE_NOOP("Error", "Ask the cluster's administrator for get and create on "
                                           "services/proxy, or give the address of Prometheus in the "
                                           "connection's settings."),
                {message}};
    case 404:
        return {
            QT_TRANSLATE_NOOP("Error", "The service of Prometheus is not in the cluster: %1"),
            QT_TRANSLATE_NOOP("Error", "Give the address of your Prometheus in the connection's settings."),
            {message}};
    default:
        return {QT_TRANSLATE_NOOP("Error", "The API server could not reach Prometheus: %1"),
                QT_TRANSLATE_NOOP("Error", "See that the service has a pod that is ready."),
                {message}};
    }
}

/// Prometheus in plain words, something in front of it, or something else in its place. `words` may be empty.
Saying ofStatus(int status, const QString &words)
{
    static constexpr const char *look = QT_TRANSLATE_NOOP(
        "Error",
        "Check the address of Prometheus, and whether a proxy or a login page answers in its place.");
    const QString number = QString::number(status);
    switch (status) {
    case 401:
        return {QT_TRANSLATE_NOOP("Error", "A credential is asked for (HTTP %1)."),
                QT_TRANSLATE_NOOP("Error", "The console has none for it: give an address that needs none, or "
                                           "none at all to go through the API server."),
                {number}};
    case 404:
        return {QT_TRANSLATE_NOOP("Error", "Nothing of Prometheus is served at this address (HTTP %1)."),
                look,
                {number}};
    case 502:
    case 503:
    case 504:
        return {QT_TRANSLATE_NOOP("Error", "Prometheus is not ready to answer (HTTP %1)."),
                QT_TRANSLATE_NOOP("Error", "It may be starting, which takes minutes with much data; if this "
                                           "lasts, look at it and at the proxy in front of it."),
                {number}};
    default:
        break;
    }
    const char *const remedy = status == 429 ? QT_TRANSLATE_NOOP("Error", "Try again a little later.") : look;
    if (!words.isEmpty())
        return {QT_TRANSLATE_NOOP("Error", "Prometheus answered with HTTP status %1: %2"),
                remedy,
                {number, words}};
    return {QT_TRANSLATE_NOOP("Error", "Prometheus answered with HTTP status %1."), remedy, {number}};
}

Error said(ErrorCode code, Saying saying, const QString &detail)
{
    return {.code = code,
            .text = saying.text,
            .arguments = std::move(saying.arguments),
            .remedy = saying.remedy,
            .detail = detail};
}

} // namespace

Error prometheusError(std::string_view errorType, std::string_view message)
{
    const QString type = shortText(errorType.substr(0, 100));
    const QString text = message.empty() ? type : shortText(message);
    return said(codeOfErrorType(errorType), sayingOf(errorType, text),
                QStringLiteral("errorType ") + type + QStringLiteral(": ") + text);
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
        const std::string type = object.value(QLatin1String("errorType")).toString().toStdString();
        error = prometheusError(type, errorText.toStdString());
    } else {
        const QString words = wordsOfAnswer({body.constData(), std::size_t(body.size())});
        const bool ofApiServer = object.value(QLatin1String("kind")) == QLatin1String("Status") ||
                                 object.value(QLatin1String("status")) == QLatin1String("Failure");
        error =
            said(ErrorCode::Protocol, ofApiServer ? ofServiceProxy(status, words) : ofStatus(status, words),
                 kindOfBody(body) + (words.isEmpty() ? QString() : QStringLiteral(": ") + words));
    }
    error.httpStatus = status;
    if (status != 400 && status != 422) // there the kind of error is known better
        error.code = codeOfStatus(status);
    else if (error.text && error.code == ErrorCode::Protocol)
        error.code = ErrorCode::Invalid;
    return error;
}

} // namespace tongchi
