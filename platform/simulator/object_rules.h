#pragma once

#include "platform/simulator/api_error.h"
#include "platform/simulator/json_value.h"

namespace tongchi::simulator {

struct ResourceType;

/// What the API server refuses in a new object of its kind: the rules that people run into, not all of them.
/// The object has its defaults.
std::vector<FieldCause> creationCauses(const JsonValue &object, const ResourceType &type);

/// The same for a changed object.
std::vector<FieldCause> changeCauses(const JsonValue &live, const JsonValue &object,
                                     const ResourceType &type);

} // namespace tongchi::simulator
