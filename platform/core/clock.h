#pragma once

#include <chrono>

namespace tongchi {

using Instant = std::chrono::sys_time<std::chrono::milliseconds>; ///< UTC
using Monotonic = std::chrono::time_point<std::chrono::steady_clock, std::chrono::milliseconds>;

/// Where time comes from; injected everywhere so that tests move it. Thread-safe.
class Clock
{
public:
    virtual ~Clock() = default;
    virtual Instant now() const = 0;         ///< wall clock, may jump
    virtual Monotonic monotonic() const = 0; ///< never jumps back; stands still during suspend on Linux
};

/// The machine's clocks.
class SystemClock final : public Clock
{
public:
    Instant now() const override;
    Monotonic monotonic() const override;
};

/// A clock that only moves when told to. Not thread-safe for writers.
class ManualClock final : public Clock
{
public:
    explicit ManualClock(Instant start = Instant{std::chrono::milliseconds{1'798'612'928'000}}) : m_now(start)
    {
    }
    Instant now() const override { return m_now; }
    Monotonic monotonic() const override { return m_monotonic; }
    void advance(std::chrono::milliseconds by)
    {
        m_now += by;
        m_monotonic += by;
    }
    void jumpWall(std::chrono::milliseconds by) { m_now += by; }

private:
    Instant m_now;
    Monotonic m_monotonic{};
};

} // namespace tongchi
