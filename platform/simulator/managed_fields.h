#pragma once

#include "platform/simulator/api_error.h"
#include "platform/simulator/json_value.h"

namespace tongchi::simulator {

struct ResourceType;

/// Who wrote, for metadata.managedFields.
struct FieldWriter
{
    QByteArray manager;
    QByteArray subresource; ///< "status", or empty
    QByteArray time;        ///< RFC 3339
};

/// Books an ordinary write: what `after` changed belongs to the writer now and to nobody else. Objects
/// without any booked fields stay without (as the API server keeps them until the first apply), except new
/// ones.
void bookUpdate(const JsonValue &before, JsonValue &after, const ResourceType &type,
                const FieldWriter &writer, bool created);

/// Server-side apply of `applied` on `live` (a null value: the object does not exist yet). Conflicts come
/// back as 409.
[[nodiscard]] ApiResult<JsonValue> applyConfiguration(const JsonValue &live, JsonValue applied,
                                                      const ResourceType &type, const FieldWriter &writer,
                                                      bool force);

} // namespace tongchi::simulator
