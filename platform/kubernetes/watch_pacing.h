#pragma once

#include "platform/core/clock.h"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <optional>
#include <vector>

namespace tongchi {

/// Pauses between failed tries: doubling, with jitter, forgotten after a quiet time (what client-go's reflector does).
class WatchBackoff
{
public:
    struct Limits
    {
        std::chrono::milliseconds first{800};
        std::chrono::milliseconds longest{30'000};
        std::chrono::milliseconds quiet{120'000}; ///< so long after the last failure the next one counts as the first
    };

    explicit WatchBackoff(Limits limits) : m_limits(limits), m_next(limits.first) {}

    /// `random` in [0, 1) spreads the clients of a server that comes back: up to half of the pause again.
    std::chrono::milliseconds nextPause(Monotonic now, double random)
    {
        if (m_lastFailure && now - *m_lastFailure > m_limits.quiet + m_lastPause)
            m_next = m_limits.first;
        m_lastFailure = now;
        const auto spread = std::chrono::milliseconds(std::int64_t(double(m_next.count()) * 0.5 * random));
        m_lastPause = std::min(m_next + spread, m_limits.longest);
        m_next = std::min(m_next * 2, m_limits.longest);
        return m_lastPause;
    }
    void reset() { m_next = m_limits.first; }

private:
    Limits m_limits;
    std::chrono::milliseconds m_next;
    std::chrono::milliseconds m_lastPause{};
    std::optional<Monotonic> m_lastFailure;
};

/// At most so many requests in any window, whatever goes wrong.
class BurstLimit
{
public:
    BurstLimit(std::size_t most, std::chrono::milliseconds window) : m_window(window), m_starts(most) {}

    /// When the next request may start; `now` or later.
    Monotonic earliest(Monotonic now) const
    {
        const std::optional<Monotonic> &oldest = m_starts[m_at];
        return oldest ? std::max(now, *oldest + m_window) : now;
    }
    void started(Monotonic now)
    {
        m_starts[m_at] = now;
        m_at = (m_at + 1) % m_starts.size();
    }

private:
    std::chrono::milliseconds m_window;
    std::vector<std::optional<Monotonic>> m_starts;
    std::size_t m_at = 0; ///< the oldest start
};

} // namespace tongchi
