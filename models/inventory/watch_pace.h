#pragma once

#include "platform/core/clock.h"

#include <algorithm>

namespace tongchi {

/// When `inventory --watch` looks for changes again: soon after one, so that an operator's own action is on
/// the screen while he looks, but with so long a pause behind each comparison that a large, busy pool costs
/// no more than a fifth of a core.
class WatchPace
{
public:
    explicit WatchPace(const Clock &clock) : m_clock(clock), m_at(clock.monotonic()) {}

    void beginComparison() { m_at = m_clock.monotonic(); }
    /// Before its result is written: a reader that pauses must not make us pause four times as long.
    void endComparison() { m_took = m_clock.monotonic() - m_at; }
    /// The result has been written.
    void written() { m_at = m_clock.monotonic(); }
    std::chrono::milliseconds pause() const
    {
        constexpr std::chrono::milliseconds gathering{100};
        return std::max(gathering, 4 * m_took - (m_clock.monotonic() - m_at));
    }

private:
    const Clock &m_clock;
    Monotonic m_at; ///< when the last comparison began, and then when it was written
    std::chrono::milliseconds m_took{0};
};

} // namespace tongchi
