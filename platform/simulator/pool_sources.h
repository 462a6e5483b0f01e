#pragma once

#include "platform/simulator/embedded_pool.h"

namespace tongchi {

/// The simulated fleet with its Prometheus: what the demo pool and `tongchi pool serve` are made of.
PoolSourceFactory simulatedPoolSources();

} // namespace tongchi
