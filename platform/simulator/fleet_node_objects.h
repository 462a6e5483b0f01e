#pragma once

#include "platform/simulator/fleet_plan.h"

namespace tongchi {

/// The node as its API server would answer it.
SimulatedObject nodeObject(const FleetPlan &plan, const SimulatedNode &node, Instant now);

/// How often something in this node's annotations is written again; 0: never. HAMi's text forms and Ascend
/// plugin keep asking and answering a handshake.
qint64 handshakePeriodMs(const SimulatedNode &node);
/// The next instant after `unixMs` at which that happens.
qint64 nextHandshakeMs(const FleetPlan &plan, const SimulatedNode &node, qint64 unixMs);

/// mindx-dl-deviceinfo-<node>, which carries the health of the vendor plugin's cards.
SimulatedObject deviceInfoObject(const FleetPlan &plan, const SimulatedNode &node);

} // namespace tongchi
