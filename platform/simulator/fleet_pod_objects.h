#pragma once

#include "platform/simulator/fleet_plan.h"

namespace tongchi {

enum class PodStage : quint8 { Starting, Running, Succeeded };

/// The seat's pod as its API server would answer it.
SimulatedObject podObject(const FleetPlan &plan, quint32 seat, const SeatPod &pod, PodStage stage);
/// Where it is kept, for deleting it.
SimulatedObject podAddress(const FleetPlan &plan, quint32 seat, const SeatPod &pod);
PodStage podStage(const FleetPlan &plan, const PodSeat &seat, const SeatPod &pod, qint64 unixMs);

/// The claim a pod of a DRA node uses; only for such seats.
SimulatedObject claimObject(const FleetPlan &plan, quint32 seat, const SeatPod &pod);
bool usesClaim(const FleetPlan &plan, const PodSeat &seat);

/// A few pods that hold no card: waiting for one, finished, failed.
std::vector<SimulatedObject> strayPodObjects(const FleetPlan &plan, int cluster);

} // namespace tongchi
