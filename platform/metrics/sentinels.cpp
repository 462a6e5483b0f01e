#include "platform/metrics/sentinels.h"

#include <cmath>

namespace tongchi {

namespace {

std::optional<double> within(double value, double lowest, double highest)
{
    return value >= lowest && value <= highest ? std::optional(value) : std::nullopt;
}

/// Shares may round a little over the whole (100.4 %); more than that is no share.
std::optional<double> share(double percent)
{
    if (percent > 100 && percent <= 101)
        return 100;
    return within(percent, 0, 100);
}

} // namespace

bool isNoValue(double raw)
{
    if (!(std::abs(raw) <= 1e15)) // NaN too
        return true;
    return (raw >= 2147483632.0 && raw <= 2147483635.0) ||
           (raw >= 140737488355328.0 && raw <= 140737488355331.0);
}

std::optional<double> reportedValue(MetricUnit unit, double raw)
{
    if (isNoValue(raw))
        return std::nullopt;
    constexpr double mostBytes = 1e15;
    switch (unit) {
    case MetricUnit::Percent:
        return share(raw);
    case MetricUnit::Ratio:
        return share(raw * 100);
    case MetricUnit::Bytes:
        return within(raw, 0, mostBytes);
    case MetricUnit::KiB:
        return within(raw * 1024, 0, mostBytes);
    case MetricUnit::MiB:
        return within(raw * 1024 * 1024, 0, mostBytes);
    case MetricUnit::Celsius:
        return raw > 0 ? within(raw, 0, 200) : std::nullopt;
    case MetricUnit::Watt:
        return raw > 0 ? within(raw, 0, 10'000) : std::nullopt;
    case MetricUnit::Milliwatt:
        return raw > 0 ? within(raw / 1000, 0, 10'000) : std::nullopt;
    case MetricUnit::State:
        return raw == 0 || raw == 1 ? std::optional(raw) : std::nullopt;
    case MetricUnit::Code:
        return raw >= 0 ? std::optional(raw) : std::nullopt;
    case MetricUnit::Flag:
        return raw == 0 || raw == 1 ? std::optional(raw) : std::nullopt;
    }
    return std::nullopt;
}

} // namespace tongchi
