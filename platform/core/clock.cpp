#include "platform/core/clock.h"

namespace tongchi {

Instant SystemClock::now() const
{
    return std::chrono::time_point_cast<std::chrono::milliseconds>(std::chrono::system_clock::now());
}

Monotonic SystemClock::monotonic() const
{
    return std::chrono::time_point_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now());
}

} // namespace tongchi
