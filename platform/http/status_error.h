#pragma once

#include "platform/core/clock.h"
#include "platform/core/error.h"
#include "platform/http/http_message.h"

namespace tongchi {

constexpr bool isSuccessStatus(int status)
{
    return status >= 200 && status < 300;
}

/// What an HTTP status other than success means, for callers that know no better (a Kubernetes Status body
/// says more). Retry-After is read in both of its forms; a date counts from the server's own Date header, so
/// that a wrong clock on either side does not matter, and from `now` without one.
Error statusError(const QUrl &url, int status, const HeaderList &headers, Instant now);

std::optional<std::chrono::milliseconds> retryAfterOf(const HeaderList &headers, Instant now);

} // namespace tongchi
