#pragma once

#include "platform/simulator/fleet_plan.h"

namespace tongchi {

/// What a card's sensors say at one instant.
struct CardSample
{
    double utilization = 0; ///< per cent
    double memoryMiB = 0;   ///< used
    double celsius = 0;
    double memoryCelsius = 0;
    double watts = 0;
};

/// Load of every card as a pure function of seed, card and instant, so that any past instant can be asked for
/// without keeping history. Inference follows the day in UTC+8 with a peak (15:00) eight times its valley
/// (03:00); training is near 92 % with short dips for checkpoints and evaluation; idle cards do next to
/// nothing. Temperature and power follow the load; some slots are badly cooled. Thread-safe.
class LoadModel
{
public:
    explicit LoadModel(const FleetPlan &plan) : m_plan(plan) {}

    CardSample sample(const SimulatedNode &node, int slot, qint64 unixMs) const;
    /// Share of the card's load and memory that falls to one of its pods (0..1).
    double shareOf(const SimulatedNode &node, int slot, int share, qint64 unixMs) const;
    /// Inference demand relative to its daily peak: 1/8 to 1.
    static double dayCurve(qint64 unixMs);
    /// Joules since the card was put in; never falls.
    double joules(const SimulatedNode &node, int slot, qint64 unixMs) const;
    bool isHot(const SimulatedNode &node, int slot) const;

private:
    const FleetPlan &m_plan;
};

} // namespace tongchi
