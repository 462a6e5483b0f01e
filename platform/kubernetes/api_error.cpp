#include "platform/kubernetes/api_error.h"

#include "platform/core/clock.h"
#include "platform/core/text_encoding.h"
#include "platform/http/answer_words.h"
#include "platform/http/status_error.h"
#include "platform/kubernetes/admission_words.h"
#include "platform/kubernetes/api_status.h"
#include "platform/kubernetes/permission.h"

#include <QtCore/qcoreapplication.h>
#include <algorithm>

namespace tongchi {

namespace {

constexpr qsizetype kLongestMessage = 600;

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

QString shownMessage(const QString &message)
{
    const QString line = message.simplified();
    return visibleText(line.size() <= kLongestMessage ? line : line.left(kLongestMessage) + QChar(0x2026));
}

/// Without the expression that label errors end in, and without what programs put in front for each other.
QString mattersOf(QString message)
{
    const qsizetype expression = message.indexOf(QLatin1String(", regex used for validation is"));
    if (expression > 0)
        message = message.left(expression) +
                  (message.lastIndexOf(u'(', expression) > 0 ? QStringLiteral(")") : QString());
    for (const char *front : {"Internal error occurred: ", "rpc error: code = Unknown desc = "}) {
        if (message.startsWith(QLatin1String(front)))
            message.remove(0, qstrlen(front));
    }
    return message;
}

/// "nodes "a"" of "nodes "a" not found".
QString withoutEnd(const QString &message, const char *end)
{
    return message.endsWith(QLatin1String(end)) ? message.chopped(qstrlen(end)) : message;
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

void say(Error &error, const char *text, const QStringList &arguments, const char *remedy = nullptr)
{
    error.text = text;
    error.arguments = arguments;
    error.remedy = remedy;
}

void describeForbidden(Error &error, const QString &message)
{
    const std::optional<ForbiddenWords> words = parseForbidden(message);
    if (!words) {
        say(error, QT_TRANSLATE_NOOP("Error", "The server does not allow it: %1"), {shownMessage(message)},
            QT_TRANSLATE_NOOP("Error", "Ask the cluster's administrator for the right, then connect again."));
        return;
    }
    const QStringList arguments{visibleText(words->verb.left(60)), visibleText(words->resource.left(200)),
                                visibleText(words->nameSpace.left(80)), visibleText(words->user.left(200))};
    if (words->user == QLatin1String("system:anonymous")) {
        say(error,
            QT_TRANSLATE_NOOP("Error",
                              "The server was given no credential, and without one nobody may %1 %2."),
            arguments,
            QT_TRANSLATE_NOOP("Error", "Give this context a user with a credential in the kubeconfig."));
        return;
    }
    say(error,
        words->nameSpace.isEmpty()
            ? QT_TRANSLATE_NOOP("Error", "The user %4 has no right to %1 %2.")
            : QT_TRANSLATE_NOOP("Error", "The user %4 has no right to %1 %2 in the namespace %3."),
        arguments, QT_TRANSLATE_NOOP("Error", "Ask the cluster's administrator for the verb %1 on %2."));
}

/// ".spec.replicas (keda)" for each field that another manager owns.
QStringList ownedFields(const ApiStatus &status)
{
    QStringList fields;
    for (const ApiCause &cause : status.causes) {
        if (cause.reason != QLatin1String("FieldManagerConflict"))
            continue;
        // conflict with "keda" using apps/v1
        const qsizetype begin = cause.message.indexOf(u'"') + 1;
        const qsizetype end = begin > 0 ? cause.message.indexOf(u'"', begin) : -1;
        fields << cause.field + QStringLiteral(" (") +
                      (end > 0 ? cause.message.mid(begin, end - begin) : cause.message) + u')';
    }
    return fields;
}

void describeConflict(Error &error, const ApiStatus &status)
{
    if (const QStringList fields = ownedFields(status); !fields.isEmpty()) {
        say(error, QT_TRANSLATE_NOOP("Error", "Others own fields of the object: %1"),
            {shownMessage(fields.join(QStringLiteral(", ")))},
            QT_TRANSLATE_NOOP("Error", "Leave these fields to their owner, or take them over on purpose."));
    } else if (status.reason == QLatin1String("AlreadyExists")) {
        say(error, QT_TRANSLATE_NOOP("Error", "There is one of this name already: %1"),
            {shownMessage(withoutEnd(status.message, " already exists"))},
            QT_TRANSLATE_NOOP("Error", "Take another name, or change the one that is there."));
    } else {
        say(error, QT_TRANSLATE_NOOP("Error", "The object was changed by somebody else in the meantime."), {},
            QT_TRANSLATE_NOOP("Error", "Look at its present state and decide again."));
    }
}

/// "field: what is wrong", of up to five fields; empty when the server names none.
QString causeLines(const ApiStatus &status)
{
    QStringList lines;
    for (const ApiCause &cause : status.causes) {
        // "<nil>": that the rest was not looked at
        if (!cause.field.isEmpty() && cause.field != QLatin1String("<nil>") && lines.size() < 5)
            lines << cause.field + QStringLiteral(": ") + mattersOf(cause.message);
    }
    return shownMessage(lines.join(QStringLiteral("; ")));
}

/// Strict validation: one or several of `unknown field "spec.nosuch"`, behind the whole object at times.
QString unknownFields(const ApiStatus &status)
{
    const QLatin1String mark("strict decoding error: ");
    const auto behind = [mark](const QString &message) {
        const qsizetype at = message.lastIndexOf(mark);
        return at < 0 ? QString() : message.mid(at + mark.size());
    };
    QString fields = behind(status.message);
    for (qsizetype i = 0; fields.isEmpty() && i < status.causes.size(); ++i)
        fields = behind(status.causes.at(i).message);
    return shownMessage(fields);
}

void describeInvalid(Error &error, const ApiStatus &status, const QString &message)
{
    if (const QString fields = unknownFields(status); !fields.isEmpty()) {
        say(error, QT_TRANSLATE_NOOP("Error", "The server does not know a part of what was sent: %1"),
            {fields},
            QT_TRANSLATE_NOOP("Error",
                              "The server, or the add-on that this belongs to, is of another version "
                              "than the console expects; compare their versions."));
        return;
    }
    const QString lines = causeLines(status);
    const bool change = !lines.isEmpty() && !status.kind.endsWith(QLatin1String("Options"));
    say(error,
        change ? QT_TRANSLATE_NOOP("Error", "The server refuses the change: %1")
               : QT_TRANSLATE_NOOP("Error", "The server refuses the request: %1"),
        {lines.isEmpty() ? message : lines});
}

/// A budget that an eviction would break, in its own words.
QString brokenBudget(const ApiStatus &status)
{
    QStringList lines;
    for (const ApiCause &cause : status.causes) {
        if (cause.reason == QLatin1String("DisruptionBudget"))
            lines << cause.message;
    }
    return shownMessage(lines.join(QStringLiteral("; ")));
}

void describeServer(Error &error, const QString &reason, const QString &message)
{
    if (error.code == ErrorCode::Timeout || error.httpStatus == 504 || reason == QLatin1String("Timeout")) {
        say(error, QT_TRANSLATE_NOOP("Error", "The server did not finish this in time."), {},
            QT_TRANSLATE_NOOP("Error",
                              "Look whether it was done before you try again; if this lasts, look at "
                              "the load of the server and of its store (etcd)."));
    } else if (error.httpStatus == 503) {
        say(error, QT_TRANSLATE_NOOP("Error", "The server cannot serve this at the moment: %1"), {message},
            QT_TRANSLATE_NOOP("Error",
                              "Try again a little later; if this lasts, look whether the add-on that "
                              "answers here is running."));
    } else {
        say(error, QT_TRANSLATE_NOOP("Error", "The server failed: %1"), {message},
            QT_TRANSLATE_NOOP("Error",
                              "Try again; if this lasts, look at the log of the API server, or of the "
                              "add-on that answers here."));
    }
}

void describeMissing(Error &error, const QString &object)
{
    if (object.isEmpty()) {
        say(error, QT_TRANSLATE_NOOP("Error", "The server serves nothing at this address."), {},
            QT_TRANSLATE_NOOP("Error",
                              "The cluster may not have this API; otherwise check the server address "
                              "and its path."));
    } else {
        say(error, QT_TRANSLATE_NOOP("Error", "Not found on the server: %1"), {object},
            QT_TRANSLATE_NOOP("Error", "It may have been deleted; check its name and its namespace."));
    }
}

/// What the code alone says, with the server's words.
void describeCode(Error &error, const QString &reason, const QString &message)
{
    switch (error.code) {
    case ErrorCode::Unauthorized:
        say(error,
            QT_TRANSLATE_NOOP("Error",
                              "The server does not accept the credential: it is wrong, or it has expired."),
            {}, QT_TRANSLATE_NOOP("Error", "Renew the credential that the kubeconfig names."));
        break;
    case ErrorCode::Gone:
        say(error, QT_TRANSLATE_NOOP("Error", "The server no longer keeps the version that was asked for."),
            {}, QT_TRANSLATE_NOOP("Error", "Refresh, to read the present one."));
        break;
    case ErrorCode::NotSupported:
        say(error, QT_TRANSLATE_NOOP("Error", "The server does not support this request: %1"), {message},
            QT_TRANSLATE_NOOP("Error", "It may be older than the console expects; test the connection to see "
                                       "its version."));
        break;
    case ErrorCode::RateLimited:
        say(error, QT_TRANSLATE_NOOP("Error", "The server has too many requests at the moment."), {},
            QT_TRANSLATE_NOOP("Error", "Try again a little later."));
        break;
    case ErrorCode::Server:
    case ErrorCode::Timeout:
        describeServer(error, reason, message);
        break;
    case ErrorCode::Invalid:
        say(error, QT_TRANSLATE_NOOP("Error", "The server refuses the request: %1"), {message});
        break;
    default:
        say(error, QT_TRANSLATE_NOOP("Error", "The server answered: %1"), {message});
        break;
    }
    if (error.httpStatus == 413) {
        say(error, QT_TRANSLATE_NOOP("Error", "The request is larger than the server takes."), {},
            QT_TRANSLATE_NOOP("Error", "Shorten what is sent, or split it into parts."));
    }
}

void describeStatus(Error &error, const ApiStatus &status)
{
    const QString number = QString::number(error.httpStatus);
    const QString said = status.message.isEmpty() ? status.reason : mattersOf(status.message);
    const QString message =
        shownMessage(said.isEmpty() ? QStringLiteral("HTTP ") + number : said.section(u'\n', 0, 0));
    const QString budget = brokenBudget(status);
    error.detail = QStringLiteral("HTTP %1, reason %2: %3")
                       .arg(number, visibleText(status.reason.left(100)), shownMessage(status.message));
    if (const std::optional<AdmissionWords> words = parseAdmission(status.message))
        describeAdmission(error, *words);
    else if (error.code == ErrorCode::Forbidden)
        describeForbidden(error, status.message);
    else if (error.code == ErrorCode::Conflict)
        describeConflict(error, status);
    else if (error.code == ErrorCode::Invalid && error.httpStatus != 413)
        describeInvalid(error, status, message);
    else if (error.code == ErrorCode::NotFound)
        describeMissing(error, status.name.isEmpty()
                                   ? QString()
                                   : shownMessage(withoutEnd(status.message, " not found")));
    else if (!budget.isEmpty())
        say(error, QT_TRANSLATE_NOOP("Error", "The pod may not be evicted at the moment: %1"), {budget},
            QT_TRANSLATE_NOOP("Error",
                              "Wait until more of its pods are ready, or have its owner change the budget."));
    else
        describeCode(error, status.reason, message);
}

/// No Status object: plain words of the server or of something in front of it, or a page.
void describeForeign(Error &error, std::string_view body)
{
    const QString words = wordsOfAnswer(body);
    error.detail = foreignBody(body);
    if (words.isEmpty() && error.httpStatus != 413) {
        say(error,
            QT_TRANSLATE_NOOP("Error",
                              "The answer was HTTP %1, and it does not come from the API server itself."),
            {QString::number(error.httpStatus)},
            QT_TRANSLATE_NOOP(
                "Error", "Look for a proxy, a load balancer or a login page between here and the server."));
    } else if (error.code == ErrorCode::NotFound) {
        describeMissing(error, {});
    } else {
        describeCode(error, {}, words);
    }
    if (error.code == ErrorCode::Forbidden)
        error.remedy = QT_TRANSLATE_NOOP(
            "Error", "Something in front of the server refuses the request; ask whoever runs it.");
    else if (error.code == ErrorCode::Unauthorized)
        error.remedy = QT_TRANSLATE_NOOP("Error", "Renew the credential that the kubeconfig names.");
}

} // namespace

Error apiError(int httpStatus, const HeaderList &headers, std::string_view body, const QString &subject)
{
    Error error{.code = codeForHttpStatus(httpStatus), .subject = subject, .httpStatus = httpStatus};
    error.retryAfter = retryAfterOf(headers, SystemClock().now());
    if (const std::optional<ApiStatus> status = parseApiStatus(body)) {
        if (!error.retryAfter && status->retryAfter)
            error.retryAfter = *status->retryAfter;
        describeStatus(error, *status);
    } else {
        describeForeign(error, body);
    }
    return error;
}

} // namespace tongchi
