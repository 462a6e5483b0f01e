#pragma once

#include "platform/core/result.h"
#include "platform/simulator/pool_fault.h"

#include <QString>
#include <vector>

namespace tongchi::simulator {

struct ScheduledFault
{
    std::chrono::milliseconds at{0}; ///< after the start, real time
    QString cluster;                 ///< empty: all
    InjectedFault what;
};

/// A fault plan: [{"at_seconds": 5, "cluster": "bj-prod", "fault": "compact", "seconds": 10}, ...]; delay may
/// have delay_seconds, drip bytes_per_second, cut and reset after_bytes. No path: no faults. Fails with
/// Storage or Invalid, naming the entry and what is wrong with it.
[[nodiscard]] Result<std::vector<ScheduledFault>> readFaultSchedule(const QString &path);

/// The word of a plan for it: "half-open".
QString faultName(PoolFault fault);

} // namespace tongchi::simulator
