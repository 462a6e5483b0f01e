#pragma once

#include "platform/simulator/embedded_pool.h"

namespace tongchi::simulator {

struct ScheduledFault
{
    std::chrono::milliseconds at{0}; ///< after the start, real time
    QString cluster;                 ///< empty: all
    PoolFault fault = PoolFault::Restart;
    std::chrono::milliseconds duration{0};
};

/// The server's part of a fault plan: [{"at_seconds": 5, "cluster": "bj-prod", "fault": "compact", "seconds":
/// 10}, ...]. Faults of the fleet in the same file are left to it. No path: no faults.
[[nodiscard]] Result<std::vector<ScheduledFault>> readFaultSchedule(const QString &path);

} // namespace tongchi::simulator
