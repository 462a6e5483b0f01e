#pragma once

#include "platform/simulator/json_value.h"

namespace tongchi::simulator {

struct ResourceType;

/// An object of the type without any content: its empty parts alone.
JsonValue emptyObject(const ResourceType &type);

/// What decoding fills in when an object is made; whoever sends the object owns these fields.
void fillDecodedDefaults(JsonValue &object, const ResourceType &type);

/// What admission and storage put into a new object afterwards; nobody owns these fields. The object has its
/// name, namespace and uid by then.
void fillServerParts(JsonValue &object, const ResourceType &type);

} // namespace tongchi::simulator
