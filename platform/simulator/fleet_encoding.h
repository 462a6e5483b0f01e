#pragma once

#include "platform/simulator/fleet_plan.h"

#include <QByteArray>
#include <utility>
#include <vector>

namespace tongchi {

/// Names and numbers that nodes, pods and exporters have to agree on.

/// The extended resource that pods ask for; for MIG and static vNPU of the given share.
QByteArray countedResource(const SimulatedNode &node, int share = 0);
/// The extended resources of a node's cards, with their number; what is withdrawn is missing from the
/// allocatable ones.
std::vector<std::pair<QByteArray, int>> cardResources(const SimulatedNode &node, bool allocatable);
/// How many a pod of `cards` cards (or one share) asks for.
int countedRequest(const SimulatedNode &node, int cards);

/// HAMi's word for an Ascend chip: Ascend910B3, Ascend910B4 or the old Ascend910B.
QByteArray ascendWord(const SimulatedNode &node);
/// 910B3 or 910B4.
QByteArray ascendChip(const SimulatedNode &node);
/// HAMi's template: vir10_3c_32g, vir10_3c_16g.
QByteArray ascendTemplate(const SimulatedNode &node);
/// The vendor plugin's static template: 10c.3cpu.32g, 10c.3cpu.16g.
QByteArray ascendStaticTemplate(const SimulatedNode &node);

/// How many tasks may share a card: HAMi's count, time slicing's replicas; 1: not shared.
int sharesACard(CardEncoding encoding);
/// HAMi's device memory, scaled where the node over-subscribes.
int hamiMemoryMiB(const SimulatedNode &node);
/// HAMi's type text of this node's card, for the register annotation.
QByteArray hamiType(const SimulatedNode &node);
bool isHamiNvidia(CardEncoding encoding);
bool isHamiAscend(CardEncoding encoding);
bool isMig(CardEncoding encoding);

struct MigInstance
{
    const char *profile; ///< "3g.40gb"
    int gpuInstanceId;   ///< GPU_I_ID
    int memoryMiB;
    int slices; ///< of seven
    int profileId;
    int start; ///< placement in memory slices
};
/// The instances that a card of this encoding is cut into (facts 3.1, 3.8), in the order of their share
/// numbers.
int migInstanceCount(CardEncoding encoding);
const MigInstance &migInstance(CardEncoding encoding, int share);

QByteArray driverVersion(const SimulatedNode &node);

} // namespace tongchi
