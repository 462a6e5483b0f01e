#pragma once

#include "platform/core/clock.h"

#include <atomic>

namespace tongchi::test {

/// The machine's clock, whose wall time a test moves. Thread-safe.
class ShiftedClock final : public Clock
{
public:
    explicit ShiftedClock(std::chrono::milliseconds by = {}) : m_shift(by) {}
    Instant now() const override { return m_system.now() + m_shift.load(); }
    Monotonic monotonic() const override { return m_system.monotonic(); }
    void shift(std::chrono::milliseconds by) { m_shift = m_shift.load() + by; }

private:
    SystemClock m_system;
    std::atomic<std::chrono::milliseconds> m_shift;
};

} // namespace tongchi::test
