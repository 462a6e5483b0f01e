#pragma once

#include "platform/simulator/json_value.h"

namespace tongchi::simulator {

constexpr QByteArrayView protobufMediaType = "application/vnd.kubernetes.protobuf";

/// The object in a request: JSON, YAML, or the protocol buffers that typed Go clients send (answers are
/// always JSON, which those clients take too). Only kinds of the schema table are known in protocol buffers.
JsonValue readRequestBody(const QByteArray &body, const QByteArray &mediaType, JsonProblem *problem);

} // namespace tongchi::simulator
