#pragma once

#include "platform/simulator/fleet_plan.h"

namespace tongchi {

/// The slices of a DRA node's pool: one with the whole cards; with MIG one of shared counters and two of
/// devices.
std::vector<SimulatedObject> sliceObjects(const FleetPlan &plan, const SimulatedNode &node);
/// gpu.nvidia.com and mig.nvidia.com.
std::vector<SimulatedObject> deviceClassObjects(const FleetPlan &plan, int cluster);

} // namespace tongchi
