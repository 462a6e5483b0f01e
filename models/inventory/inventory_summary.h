#pragma once

#include "models/inventory/card_condition.h"
#include "platform/core/reading.h"

namespace tongchi {

/// The figures above the table, over all connected clusters. A mean or a sum says how many cards it rests on.
struct InventorySummary
{
    std::uint32_t cards = 0;
    std::uint32_t nodes = 0; ///< with cards
    std::uint32_t regions = 0;
    std::uint32_t available = 0;   ///< neither offline nor faulty
    std::uint32_t schedulable = 0; ///< may take new work
    std::uint32_t idle = 0;
    std::uint32_t labelKnown = 0;
    std::uint32_t workloads = 0; ///< different ones
    std::uint32_t faulty = 0, offline = 0, hot = 0, stale = 0;

    double utilizationMean = 0; ///< per cent
    std::uint32_t utilizationReported = 0;
    double memoryUsedBytes = 0, memoryTotalBytes = 0;
    std::uint32_t memoryUsedReported = 0, memoryTotalKnown = 0;
    double powerWatts = 0;
    std::uint32_t powerReported = 0;
    double temperatureMean = 0;
    std::uint32_t temperatureReported = 0;
    std::optional<Instant> oldestSample, newestSample; ///< among cards that ever reported

    bool complete = true; ///< every connected cluster has answered in full and answers still
    std::uint32_t clusters = 0, clustersSilent = 0;
};

/// One pass over the store; a reading older than limits.drawable counts as not reported.
InventorySummary summarize(const CardStore &store, Instant now, FreshnessLimits limits = {});

} // namespace tongchi
