#pragma once

#include "platform/core/clock.h"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <optional>
#include <vector>

namespace tongchi {

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
