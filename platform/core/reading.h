#pragma once

#include "platform/core/clock.h"

#include <QtGlobal>
#include <optional>

namespace tongchi {

/// How much a number may be trusted by its age. Decided in one place: freshnessOf().
enum class Freshness : quint8 { Live, Late, LastKnown, Never };

/// Limits of design.md section 9 "Data age": live up to three scrape intervals (10 s by default), late to 90
/// s, last known after that; a value older than 15 minutes is no longer drawn in a cell.
struct FreshnessLimits
{
    std::chrono::milliseconds live{30'000};
    std::chrono::milliseconds late{90'000};
    std::chrono::milliseconds drawable{15 * 60'000};
};

/// Negative ages (a source's clock ahead of ours) count as zero.
constexpr Freshness freshnessOf(std::optional<Instant> sampledAt, Instant now, FreshnessLimits limits = {})
{
    if (!sampledAt)
        return Freshness::Never;
    const auto age = now - *sampledAt;
    if (age <= limits.live)
        return Freshness::Live;
    return age <= limits.late ? Freshness::Late : Freshness::LastKnown;
}

} // namespace tongchi
