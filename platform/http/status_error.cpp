#include "platform/http/status_error.h"

#include "platform/http/request_rules.h"

#include <QtCore/qcoreapplication.h>
#include <algorithm>

namespace tongchi {

namespace {

struct StatusMeaning
{
    ErrorCode code;
    const char *text;
    const char *remedy;
};

StatusMeaning meaningOf(int status)
{
    switch (status) {
    case 401:
        return {ErrorCode::Unauthorized, QT_TRANSLATE_NOOP("Error", "%1 does not accept the credential."),
                QT_TRANSLATE_NOOP("Error", "Sign in again, or check the user of this context.")};
    case 403:
        return {ErrorCode::Forbidden, QT_TRANSLATE_NOOP("Error", "%1 does not allow this."),
                QT_TRANSLATE_NOOP("Error", "Ask the cluster's administrator for the permission.")};
    case 404:
        return {ErrorCode::NotFound, QT_TRANSLATE_NOOP("Error", "%1 does not know this address or object."),
                QT_TRANSLATE_NOOP("Error", "It may have been deleted, or the service is not installed.")};
    case 405:
    case 406:
    case 415:
    case 501:
        return {ErrorCode::NotSupported,
                QT_TRANSLATE_NOOP("Error", "%1 does not support this request (status %2)."),
                QT_TRANSLATE_NOOP("Error", "The server may be older than this console expects.")};
    case 408:
        return {ErrorCode::Timeout, QT_TRANSLATE_NOOP("Error", "%1 gave up waiting for the request."),
                QT_TRANSLATE_NOOP("Error", "Try again.")};
    case 409:
    case 412:
        return {ErrorCode::Conflict,
                QT_TRANSLATE_NOOP("Error", "Somebody else changed this on %1 meanwhile."),
                QT_TRANSLATE_NOOP("Error", "Look at the present state, then try again.")};
    case 410:
        return {ErrorCode::Gone, QT_TRANSLATE_NOOP("Error", "%1 no longer keeps this version."),
                QT_TRANSLATE_NOOP("Error", "The list is read again by itself.")};
    case 429:
        return {ErrorCode::RateLimited, QT_TRANSLATE_NOOP("Error", "%1 is asked too often."),
                QT_TRANSLATE_NOOP("Error", "It is tried again after the pause that the server asked for.")};
    default:
        break;
    }
    if (status >= 500) {
        return {ErrorCode::Server, QT_TRANSLATE_NOOP("Error", "%1 reports a fault of its own (status %2)."),
                QT_TRANSLATE_NOOP("Error", "It is tried again; if it stays so, look at the server's log.")};
    }
    if (status >= 400) {
        return {ErrorCode::Invalid,
                QT_TRANSLATE_NOOP("Error", "%1 refused the request as wrong (status %2)."),
                QT_TRANSLATE_NOOP("Error", "Look at the details and check what was entered.")};
    }
    return {
        ErrorCode::Protocol, QT_TRANSLATE_NOOP("Error", "%1 gave an unexpected answer (status %2)."),
        QT_TRANSLATE_NOOP("Error", "Check the server address: a sign-in page or a proxy may answer there.")};
}

} // namespace

std::optional<std::chrono::milliseconds> retryAfterOf(const HeaderList &headers, Instant now)
{
    const QByteArray value = headerValue(headers, "Retry-After").trimmed();
    if (value.isEmpty())
        return std::nullopt;
    if (std::all_of(value.begin(), value.end(), [](char c) { return c >= '0' && c <= '9'; })) {
        constexpr qint64 tooLong = 7 * 24 * 3600;
        bool isNumber = false;
        const qint64 seconds = value.toLongLong(&isNumber);
        return std::chrono::seconds(isNumber ? std::min(seconds, tooLong) : tooLong);
    }
    const std::optional<Instant> until = parseHttpDate(value);
    if (!until)
        return std::nullopt;
    const Instant from = parseHttpDate(headerValue(headers, "Date")).value_or(now);
    return std::max(*until - from, std::chrono::milliseconds(0));
}

Error statusError(const QUrl &url, int status, const HeaderList &headers, Instant now)
{
    const StatusMeaning meaning = meaningOf(status);
    return {.code = meaning.code,
            .text = meaning.text,
            .arguments = {authorityOf(url), QString::number(status)},
            .remedy = meaning.remedy,
            .subject = displayUrl(url),
            .httpStatus = status,
            .retryAfter = retryAfterOf(headers, now)};
}

} // namespace tongchi
