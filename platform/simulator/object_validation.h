#pragma once

#include "platform/simulator/api_error.h"
#include "platform/simulator/json_value.h"

namespace tongchi::simulator {

struct ResourceType;

/// What decoding a document into its kind found.
struct DecodeFindings
{
    std::vector<QByteArray> unknownFields; ///< paths; they were removed from the document
    QByteArray typeProblem;                ///< in the words of encoding/json; empty: none
};

/// Checks a document against its kind's fields and drops what the kind does not have, as decoding does. Null
/// members go too.
DecodeFindings decodeObject(JsonValue &object, const ResourceType &type);

/// `unknown field "spec.nosuch"` and `duplicate field "..."`, as the strict decoder lists them.
QByteArray strictProblems(const std::vector<QByteArray> &unknown, const std::vector<QByteArray> &duplicates,
                          const char *separator);

/// Names, labels and annotations. `times`: how often the server repeats each cause.
std::vector<FieldCause> metadataCauses(const JsonValue &object, const ResourceType &type, int times);

} // namespace tongchi::simulator
