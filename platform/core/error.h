#pragma once

#include <QString>
#include <QStringList>
#include <chrono>
#include <optional>

namespace tongchi {

/// What kind of thing went wrong. Closed on purpose: a value exists only where some caller acts differently
/// on it.
enum class ErrorCode {
    Network,      ///< no connection, refused, reset, name not found
    Timeout,      ///< no answer within the limit
    Cancelled,    ///< we gave up ourselves; never shown as a failure
    Tls,          ///< certificate or handshake
    Unauthorized, ///< 401, or no usable credential
    Forbidden,    ///< 403
    NotFound,     ///< 404
    Conflict,     ///< 409, or changed by somebody else
    Gone,         ///< 410 or an expired watch: list again
    RateLimited,  ///< 429
    Invalid,      ///< 400, 422, or input of ours that cannot be right
    Server,       ///< 5xx
    Protocol,     ///< the answer cannot be understood
    NotSupported, ///< the other side, or we, cannot do this
    Storage,      ///< a local file
    NeedsConsent, ///< the operator has to agree first (credential plug-in)
};

/// One failure: what happened, to what, and what to do next.
///
/// `text` and `remedy` are English source texts marked with QT_TRANSLATE_NOOP("Error", "...") where they are
/// written down; models/common/error_text translates them and puts `arguments` in for %1, %2, ... without
/// looking inside them. `detail` is English and technical, for the log and "copy details". No field may hold
/// a credential.
struct Error
{
    ErrorCode code = ErrorCode::Protocol;
    const char *text = nullptr;   ///< static storage; null: the general sentence of `code`
    QStringList arguments;        ///< for text and remedy, untrusted: shown as plain text only
    const char *remedy = nullptr; ///< static storage; null: the general advice of `code`
    QString subject;              ///< what it happened to: file, context, URL without credentials, object
    QString detail;
    int httpStatus = 0; ///< 0: not from an HTTP answer
    std::optional<std::chrono::milliseconds> retryAfter;
};

/// The English name of a code, for logs and JSON ("rate_limited").
const char *errorCodeName(ErrorCode code);

/// `text` with its arguments put in, in English; for logs, JSON and tests. Never looks for %n inside an
/// argument.
QString englishText(const Error &error);

/// Puts arguments in for %1..%9 in one pass, so that a "%1" inside an argument stays as it is.
QString substituteArguments(const QString &pattern, const QStringList &arguments);

} // namespace tongchi
