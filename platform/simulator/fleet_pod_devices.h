#pragma once

#include "platform/simulator/fleet_json.h"
#include "platform/simulator/fleet_plan.h"

namespace tongchi {

/// The parts of a pod that say which cards it has; they differ by how the node's cards appear.
void writeDeviceAnnotations(FleetJson &json, const FleetPlan &plan, const SimulatedNode &node,
                            const PodSeat &seat, const SeatPod &pod);
void writeDeviceRequests(FleetJson &json, const SimulatedNode &node, const PodSeat &seat);
/// Name of the DRA device of a seat's n-th card.
QByteArray draDeviceName(const SimulatedNode &node, int slot, int share);

} // namespace tongchi
