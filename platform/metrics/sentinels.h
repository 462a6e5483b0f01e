#pragma once

#include <cstdint>
#include <optional>

namespace tongchi {

/// In what a series counts. Decides its factor and which of its numbers can be real.
enum class MetricUnit : std::uint8_t {
    Percent, ///< 0 to 100
    Ratio,   ///< 0 to 1, read as per cent
    Bytes,
    KiB,
    MiB,
    Celsius, ///< 0 is "not reported": no card in a rack runs at 0 degrees
    Watt,    ///< 0 is "not reported"
    Milliwatt,
    State, ///< 1 good, 0 bad, below 0 unknown
    Code,  ///< 0: no error
    Flag,  ///< 0 or 1
};

/// Numbers by which DCGM says "no value": 0x7ffffff0 to 0x7ffffff3, 0x7ffffffffffffff0 to ...f3 also after
/// rounding to a double, 140737488355328 to ...331; besides, anything beyond 1e15, not a number and
/// infinities. (Sources: dcgm_structs.h DCGM_INT32_BLANK, DCGM_INT64_BLANK, DCGM_FP64_BLANK; facts 4.1.)
bool isNoValue(double raw);

/// The number in our unit (per cent, bytes, degrees Celsius, watts; states and codes as they are), or nothing
/// when it cannot be one: a sentinel, a negative ("-1" of npu-exporter), a share above the whole, a
/// temperature or power of 0. A utilization of 0 is real.
std::optional<double> reportedValue(MetricUnit unit, double raw);

} // namespace tongchi
