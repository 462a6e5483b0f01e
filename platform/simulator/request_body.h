#pragma once

#include "platform/simulator/api_error.h"
#include "platform/simulator/json_value.h"

#include <optional>

namespace tongchi::simulator {

constexpr QByteArrayView protobufMediaType = "application/vnd.kubernetes.protobuf";

/// 400 for a body that is no object at all, as the server words it for the kind that it wanted.
ApiError unrecognizedBody(const char *kind, const QByteArray &problem, const QByteArray &body);
/// 400 for an object of another kind or version than the one wanted; nothing when it fits or says nothing.
std::optional<ApiError> foreignKind(const JsonValue &object, const QByteArray &group,
                                    const QByteArray &version, const char *kind);

/// The object in a request: JSON, YAML, or the protocol buffers that typed Go clients send (answers are
/// always JSON, which those clients take too). Only kinds of the schema table are known in protocol buffers.
JsonValue readRequestBody(const QByteArray &body, const QByteArray &mediaType, JsonProblem *problem);

} // namespace tongchi::simulator
