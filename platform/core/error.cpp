#include "platform/core/error.h"

namespace tongchi {

const char *errorCodeName(ErrorCode code)
{
    switch (code) { // no default: a new code must be named
    case ErrorCode::Network:
        return "network";
    case ErrorCode::Timeout:
        return "timeout";
    case ErrorCode::Cancelled:
        return "cancelled";
    case ErrorCode::Tls:
        return "tls";
    case ErrorCode::Unauthorized:
        return "unauthorized";
    case ErrorCode::Forbidden:
        return "forbidden";
    case ErrorCode::NotFound:
        return "not_found";
    case ErrorCode::Conflict:
        return "conflict";
    case ErrorCode::Gone:
        return "gone";
    case ErrorCode::RateLimited:
        return "rate_limited";
    case ErrorCode::Invalid:
        return "invalid";
    case ErrorCode::Server:
        return "server";
    case ErrorCode::Protocol:
        return "protocol";
    case ErrorCode::NotSupported:
        return "not_supported";
    case ErrorCode::Storage:
        return "storage";
    case ErrorCode::NeedsConsent:
        return "needs_consent";
    }
    return "unknown";
}

QString substituteArguments(const QString &pattern, const QStringList &arguments)
{
    QString result;
    result.reserve(pattern.size());
    for (qsizetype i = 0; i < pattern.size(); ++i) {
        const QChar c = pattern.at(i);
        if (c == u'%' && i + 1 < pattern.size()) {
            const int digit = pattern.at(i + 1).digitValue();
            if (digit >= 1 && digit <= arguments.size()) {
                result += arguments.at(digit - 1);
                ++i;
                continue;
            }
        }
        result += c;
    }
    return result;
}

QString englishText(const Error &error)
{
    QString sentence = error.text ? substituteArguments(QString::fromUtf8(error.text), error.arguments)
                                  : QString::fromLatin1(errorCodeName(error.code));
    if (!error.text && !error.detail.isEmpty())
        sentence += QStringLiteral(": ") + error.detail;
    if (!error.subject.isEmpty())
        return error.subject + QStringLiteral(": ") + sentence;
    return sentence;
}

} // namespace tongchi
