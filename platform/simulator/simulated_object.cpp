#include "platform/simulator/simulated_object.h"

namespace tongchi {

FleetSource::~FleetSource() = default;
MetricsSource::~MetricsSource() = default;

} // namespace tongchi
