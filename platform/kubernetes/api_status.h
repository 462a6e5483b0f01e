#pragma once

#include <QByteArray>
#include <QList>
#include <QString>
#include <chrono>
#include <optional>
#include <string_view>

namespace tongchi {

/// One thing that is wrong (source: StatusCause; its type is called reason on the wire).
struct ApiCause
{
    QString reason, field, message;
    bool operator==(const ApiCause &) const = default;
};

/// A Status object of the API server (source: apimachinery pkg/apis/meta/v1/types.go).
struct ApiStatus
{
    int code = 0;
    QString reason, message;
    QByteArray continueToken;                       ///< of an expired page: continues in a newer version
    std::optional<std::chrono::seconds> retryAfter; ///< details.retryAfterSeconds
    QString kind, name, group;    ///< of details; the kind is a resource ("nodes") or a kind ("Node")
    QList<ApiCause> causes;       ///< without repetitions, at most twenty
    bool versionTooLarge = false; ///< cause ResourceVersionTooLarge, or the message of older servers

    /// The version asked for is no longer kept: list again without it.
    bool isExpired() const
    {
        return code == 410 || reason == QLatin1String("Expired") || reason == QLatin1String("Gone");
    }
};

/// Nothing when the text is no Status object (an HTML page of a proxy, plain text).
std::optional<ApiStatus> parseApiStatus(std::string_view json);

} // namespace tongchi
