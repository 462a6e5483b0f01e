#include "platform/simulator/pool_sources.h"

#include "platform/simulator/fleet.h"
#include "platform/simulator/simulated_prometheus.h"

namespace tongchi {

PoolSourceFactory simulatedPoolSources()
{
    return [](const PoolOptions &options, const SimulatedClock &clock) {
        auto fleet = std::make_shared<Fleet>(options, clock);
        auto metrics = std::make_shared<SimulatedPrometheus>(*fleet, clock);
        return PoolSources{std::move(fleet), std::move(metrics)};
    };
}

} // namespace tongchi
