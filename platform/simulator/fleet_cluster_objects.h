#pragma once

#include "platform/simulator/fleet_plan.h"

namespace tongchi {

std::vector<SimulatedObject> namespaceObjects(const FleetPlan &plan, int cluster);
std::vector<SimulatedObject> serviceObjects(const FleetPlan &plan, int cluster);
/// What lately happened to nodes and pods, both families of timestamps.
std::vector<SimulatedObject> eventObjects(const FleetPlan &plan, int cluster);
/// The Deployment, StatefulSet or Job behind seats; a Job is the run of that pod's generation.
SimulatedObject ownerObject(const FleetPlan &plan, quint32 owner, const SeatPod &pod);
SimulatedObject ownerAddress(const FleetPlan &plan, quint32 owner, const SeatPod &pod);
/// For owners on DRA nodes.
SimulatedObject claimTemplateObject(const FleetPlan &plan, quint32 owner);

} // namespace tongchi
