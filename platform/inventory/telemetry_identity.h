#pragma once

#include "platform/inventory/card_identities.h"
#include "platform/inventory/telemetry_groups.h"

#include <array>

namespace tongchi {

/// Why a group of series belongs to no card.
enum class Unassigned : std::uint8_t {
    Nothing,      ///< it does belong to one
    NoIdentity,   ///< neither UUID nor number on a known node
    UnknownCard,  ///< a UUID or number that no node has
    SeveralCards, ///< the UUID is on several nodes and the series names none of them
    OtherNode,    ///< it names a node that the card is not on
};
constexpr std::size_t unassignedCount = 5;

struct IdentifiedGroup
{
    CardIdentities::Match match;
    Unassigned reason = Unassigned::Nothing;
    std::uint32_t part = 0; ///< tells the dies or chips of one card apart
};

/// Finds the card of a group by the rules of facts 3.9: the UUID or die id where the Kubernetes side knows
/// it, together with the node where several nodes have it; else the number on the node.
class TelemetryIdentity
{
public:
    TelemetryIdentity(const TelemetryGroups &groups, const MetricCatalog &catalog,
                      const CardIdentities &cards);

    IdentifiedGroup identify(const TelemetryGroup &group) const;

private:
    struct Nodes
    {
        std::array<std::uint32_t, 8> numbers{}; ///< the most trustworthy first
        std::size_t count = 0;
        bool isExplicit = false; ///< a node or host label said so, not only an address
        bool contains(std::uint32_t node) const;
    };

    Nodes nodesOf(const TelemetryGroup &group) const;
    IdentifiedGroup bySlot(const TelemetryGroup &group, const Nodes &nodes, bool namesUuid) const;

    const TelemetryGroups &m_groups;
    const MetricCatalog &m_catalog;
    const CardIdentities &m_cards;
};

} // namespace tongchi
