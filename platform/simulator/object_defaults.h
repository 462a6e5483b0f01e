#pragma once

#include "platform/simulator/json_value.h"

namespace tongchi::simulator {

struct ResourceType;

/// What the API server fills in when an object is made: as much of it as clients look at.
void fillDefaults(JsonValue &object, const ResourceType &type);

} // namespace tongchi::simulator
