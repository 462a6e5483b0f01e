#pragma once

#include "platform/simulator/json_value.h"

namespace tongchi::simulator {

struct SchemaDefinition;

/// RFC 7396.
void applyMergePatch(JsonValue &target, const JsonValue &patch);

/// RFC 6902. False when an operation cannot be done; the target is then half changed.
bool applyJsonPatch(JsonValue &target, const JsonValue &operations);

/// Go's fmt of a decoded value, as messages show a strategic patch.
QByteArray goFormat(const JsonValue &value);

/// Kubernetes' own: maps are merged, lists with a merge key too; $patch: delete|replace, $retainKeys and
/// $setElementOrder and $deleteFromPrimitiveList are understood. Null when the definition is unknown: then
/// plain merge. What is wrong with the patch, in the server's words; empty: nothing.
[[nodiscard]] QByteArray applyStrategicPatch(JsonValue &target, const JsonValue &patch,
                                             const SchemaDefinition *definition);

} // namespace tongchi::simulator
