#pragma once

#include "platform/inventory/assembled_nodes.h"
#include "platform/inventory/inventory_delta.h"

#include <vector>

namespace tongchi {

/// A pod of the node, as far as placing needs it.
struct PlacedPod
{
    StringId name = 0, workload = 0;
    BusinessLabel business = BusinessLabel::Unknown;
    std::vector<Holding> holdings;
};

/// A claim's device on the node.
struct PlacedClaim
{
    std::size_t card = 0;                     ///< index among the node's cards
    StringId sliceName = 0, sliceProfile = 0; ///< 0: the whole card
    std::int64_t sliceMemoryBytes = -1;
    std::vector<const PlacedPod *> pods; ///< unknown ones are null
    std::vector<StringId> podNames;
};

/// Everything that decides who has which card of one node.
struct PlacementInput
{
    const AssembledNode &node;
    std::vector<PlacedPod> pods; ///< in order of their names
    std::vector<PlacedClaim> claims;
    std::vector<std::vector<StringId>> attached; ///< by card: pods that an exporter named
    bool podsKnown = false;                      ///< false: pods cannot be read, or not yet
};

/// Fills pods, workloads, slices, labels and flags of `cards` and the counts of `facts`. Pure apart from
/// interning.
void placePods(const PlacementInput &input, std::vector<CardRecord> &cards, NodeFacts &facts,
               StringPool &pool);

} // namespace tongchi
