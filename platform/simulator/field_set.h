#pragma once

#include "platform/simulator/json_value.h"

#include <functional>

namespace tongchi::simulator {

struct SchemaDefinition;

/// A set of fields in the form that managedFields has on the wire (FieldsV1): "f:name" for members, "k:{...}"
/// for entries of associative lists, "v:..." for entries of sets, "." for the thing itself. Empty objects are
/// members.
using FieldSet = JsonValue;

/// The fields that a document sets. `containers`: maps and lists that are shared entry by entry count
/// themselves too, as they do for updates.
FieldSet fieldsOf(const JsonValue &object, const SchemaDefinition *definition, bool containers);

struct FieldChanges
{
    FieldSet set; ///< added or different
    FieldSet removed;
};
FieldChanges compareFields(const JsonValue &before, const JsonValue &after,
                           const SchemaDefinition *definition);

bool isEmptySet(const FieldSet &set);
void addFields(FieldSet &to, const FieldSet &more);
void subtractFields(FieldSet &from, const FieldSet &less);
FieldSet commonFields(const FieldSet &a, const FieldSet &b);

/// Calls take(".spec.containers[name=\"a\"].image") for every member, sorted.
void forEachFieldPath(const FieldSet &set, const std::function<void(const QByteArray &)> &take);

/// Lays an applied configuration on an object, entry by entry where the schema shares lists and maps.
void mergeApplied(JsonValue &onto, const JsonValue &applied, const SchemaDefinition *definition);
/// Takes the named fields out of an object.
void removeFields(JsonValue &object, const FieldSet &set, const SchemaDefinition *definition);

/// Problems of an applied configuration, such as ".nosuch: field not declared in schema".
std::vector<QByteArray> appliedProblems(const JsonValue &applied, const SchemaDefinition *definition);

} // namespace tongchi::simulator
