#include "platform/http/retry_policy.h"

#include <algorithm>

namespace tongchi {

bool isWorthRetrying(ErrorCode code)
{
    switch (code) { // no default: a new code must be decided here
    case ErrorCode::Network:
    case ErrorCode::Timeout:
    case ErrorCode::RateLimited:
    case ErrorCode::Server:
    case ErrorCode::Protocol: // a page of some proxy in between, for instance after waking up in another
                              // network
        return true;
    case ErrorCode::Cancelled:
    case ErrorCode::Tls:
    case ErrorCode::Unauthorized:
    case ErrorCode::Forbidden:
    case ErrorCode::NotFound:
    case ErrorCode::Conflict:
    case ErrorCode::Gone: // not the same again: list first
    case ErrorCode::Invalid:
    case ErrorCode::NotSupported:
    case ErrorCode::Storage:
    case ErrorCode::NeedsConsent:
        return false;
    }
    return false;
}

std::optional<std::chrono::milliseconds> retryDelay(int attempt, const Error &error, double random,
                                                    const RetryOptions &options)
{
    if (!isWorthRetrying(error.code))
        return std::nullopt;
    constexpr int enoughDoublings = 20;
    const auto doubled = options.first * (qint64(1) << std::clamp(attempt, 0, enoughDoublings));
    const auto ceiling = std::min<std::chrono::milliseconds>(doubled, options.most);
    const auto jittered =
        std::chrono::milliseconds(qint64(double(ceiling.count()) * std::clamp(random, 0.0, 1.0)));
    if (!error.retryAfter)
        return jittered;
    // Spread a little: everybody was told the same number of seconds.
    const auto asked = std::clamp(*error.retryAfter, std::chrono::milliseconds(0), options.mostRetryAfter);
    return std::max(jittered,
                    asked + std::chrono::milliseconds(qint64(double(options.first.count()) * random)));
}

RetryBackoff::RetryBackoff(const Clock &clock, Random random, const RetryOptions &options)
    : m_clock(clock), m_random(std::move(random)), m_options(options)
{
}

std::optional<std::chrono::milliseconds> RetryBackoff::next(const Error &error)
{
    const Monotonic now = m_clock.monotonic();
    if (m_quietFrom && now - *m_quietFrom >= m_options.quiet)
        m_attempt = 0;
    const auto delay = retryDelay(m_attempt, error, m_random(), m_options);
    ++m_attempt;
    m_quietFrom = now + delay.value_or(std::chrono::milliseconds(0));
    return delay;
}

} // namespace tongchi
