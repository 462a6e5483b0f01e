#pragma once

#include "platform/simulator/exporter_metrics.h"
#include "platform/simulator/load_model.h"

namespace tongchi {

/// What a series of a card is about, beyond the card: the number in PromSeries::part.
struct ExporterPart
{
    static constexpr quint16 whole = 0;
    /// MIG instance or sMLU function n.
    static constexpr quint16 instance(int n) { return quint16(1 + n); }
    static constexpr quint16 secondExporter = 0x100; ///< the odd second exporter on a host
};

/// Numbers that the exporters show. Pure functions of plan and instant; thread-safe.
class ExporterValues
{
public:
    explicit ExporterValues(const FleetPlan &plan) : m_plan(plan), m_load(plan) {}

    double ofCard(ExporterValue value, const SimulatedNode &node, int slot, quint16 part,
                  qint64 unixMs) const;
    double ofNode(ExporterValue value, const SimulatedNode &node, quint16 part) const;
    /// False: this card's exporter does not have the series.
    bool exists(ExporterValue value, const SimulatedNode &node, int slot, quint16 part) const;
    /// The last XID ever seen; 0: none. Most are of applications and say nothing about the card.
    int lastXid(const SimulatedNode &node, int slot) const;
    bool isPowerlessVgpu(const SimulatedNode &node) const;
    bool hasSecondExporter(const SimulatedNode &node) const;

private:
    double ofMigInstance(ExporterValue value, const SimulatedNode &node, int slot, int instance,
                         const CardSample &sample, qint64 unixMs) const;
    const FleetPlan &m_plan;
    LoadModel m_load;
};

} // namespace tongchi
