#pragma once

#include "models/inventory/card_condition.h"
#include "platform/core/reading.h"

#include <vector>

namespace tongchi {

/// The figures above the table, over all connected clusters. A mean or a sum says how many cards it rests on.
struct InventorySummary
{
    std::uint32_t cards = 0;
    std::uint32_t nodes = 0; ///< with cards
    std::uint32_t regions = 0;
    std::uint32_t available = 0;   ///< neither offline nor faulty
    std::uint32_t schedulable = 0; ///< may take new work
    std::uint32_t idle = 0;        ///< nothing runs there; of labelKnown
    std::uint32_t labelKnown = 0;  ///< cards that are not offline and whose label is known
    std::uint32_t workloads = 0;   ///< different ones
    std::uint32_t faulty = 0, offline = 0, hot = 0, stale = 0;

    double utilizationMean = 0; ///< per cent
    std::uint32_t utilizationReported = 0;
    double memoryUsedGigabytes = 0,
           memoryTotalGigabytes = 0; ///< as the cards' own figures: see memoryGigabytes()
    std::uint32_t memoryUsedReported = 0, memoryTotalKnown = 0;
    double powerWatts = 0;
    std::uint32_t powerReported = 0;
    double temperatureMean = 0;
    std::uint32_t temperatureReported = 0;
    std::optional<Instant> oldestSample, newestSample; ///< among cards that ever reported

    bool complete = true; ///< every connected cluster has answered in full and answers still
    std::uint32_t clusters = 0, clustersSilent = 0;
};

/// One pass over the store, in steps between which others may have the thread. A card that changes meanwhile
/// counts as it was when the pass came to it; every figure counts each card once. GUI thread, as the store.
class SummaryPass
{
public:
    /// A reading older than limits.drawable counts as not reported.
    SummaryPass(const CardStore &store, FreshnessLimits limits);

    void begin(Instant now);
    bool isRunning() const { return m_running; }
    /// Looks at up to `cards` more slots. True when that was the last step: then summary() is of this pass.
    bool step(CardIndex cards);
    const InventorySummary &summary() const { return m_summary; }

private:
    struct Tally
    {
        double sum = 0;
        std::uint32_t count = 0;
        void add(double value);
        double mean() const { return count ? sum / count : 0; }
    };

    void look(CardIndex card);
    void finish();

    const CardStore &m_store;
    const FreshnessLimits m_limits;
    Instant m_now{};
    InventorySummary m_summary, m_next;
    Tally m_utilization, m_used, m_total, m_power, m_temperature;
    std::vector<std::uint8_t> m_nodeSeen, m_stringSeen;
    CardIndex m_card = 0;
    bool m_running = false;
};

} // namespace tongchi
