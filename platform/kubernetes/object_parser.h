#pragma once

#include "platform/kubernetes/object_records.h"

#include <string_view>

namespace tongchi {

/// Turns the text of one object into a record that is reused from object to object. Implementations keep a
/// parser and its buffers; each instance belongs to one thread.
template <typename Record> class ObjectParser
{
public:
    virtual ~ObjectParser() = default;
    /// kJsonPadding bytes behind `json` must be readable. When the object cannot be read, returns false and
    /// fills `why` with its name, as far as that can be found, and a technical reason; `record` is then
    /// undefined.
    [[nodiscard]] virtual bool parse(std::string_view json, Record &record, UnreadableObject &why) = 0;
};

/// Who an object is, looked for in text that may be broken, cut off or of a wrong shape.
struct ObjectIdentity
{
    ObjectKey key;
    std::string resourceVersion;
};

/// Walks the text byte by byte; for objects that no parser can read. Invalid UTF-8 in the answer is replaced.
ObjectIdentity findIdentity(std::string_view json);

} // namespace tongchi
