#pragma once

#include "platform/inventory/telemetry_groups.h"
#include "platform/inventory/telemetry_identity.h"

#include <vector>

namespace tongchi {

/// A group of one card, on the way to the card's reading.
struct CardGroup
{
    const TelemetryGroup *group = nullptr;
    std::uint32_t part = 0;
};

/// The reading of one card made of everything that its groups say.
struct CombinedReading
{
    TelemetryRecord record;                      ///< without ordinal and sampledAt
    std::int64_t sampledMs = 0;                  ///< by the server's clock
    std::vector<const TelemetryGroup *> holders; ///< groups whose pod has the card now
};

/// Combines the groups of one card by the rules named at TelemetryJoin. `groups` is reordered and cut to
/// those that are not the past; `labels` gives the labels of the groups. Never called with none.
void combineCard(std::vector<CardGroup> &groups, const TelemetryGroups &labels, CombinedReading &reading);

} // namespace tongchi
