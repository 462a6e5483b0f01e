#pragma once

#include "platform/core/clock.h"
#include "platform/core/error.h"

#include <chrono>
#include <functional>
#include <optional>

namespace tongchi {

struct RetryOptions
{
    std::chrono::milliseconds first{800};
    std::chrono::milliseconds most{30'000};
    std::chrono::milliseconds mostRetryAfter{600'000}; ///< a server may not send us away for longer
    std::chrono::milliseconds quiet{120'000}; ///< no failure for so long: the next is the first again
};

/// Whether trying the same again can help.
bool isWorthRetrying(ErrorCode code);

/// How long to wait before the next try, or nothing: give up. `attempt` counts failures so far in this row,
/// from 0; `random` in [0, 1). Exponential with full jitter (each delay is anything up to the ceiling, so
/// that a thousand consoles do not come back at once); Retry-After is a lower bound. The figures are those of
/// Kubernetes' own client.
std::optional<std::chrono::milliseconds> retryDelay(int attempt, const Error &error, double random,
                                                    const RetryOptions &options = {});

/// Counts the failures of one thing that is tried again and again.
class RetryBackoff
{
public:
    using Random = std::function<double()>; ///< in [0, 1)

    RetryBackoff(const Clock &clock, Random random, const RetryOptions &options = {});

    std::optional<std::chrono::milliseconds> next(const Error &error);
    /// The operator asked for it now.
    void reset() { m_attempt = 0; }
    int attempt() const { return m_attempt; }

private:
    const Clock &m_clock;
    Random m_random;
    RetryOptions m_options;
    std::optional<Monotonic> m_quietFrom; ///< end of the last pause
    int m_attempt = 0;
};

} // namespace tongchi
