#pragma once

#include "platform/simulator/api_call.h"

namespace tongchi::simulator {

class ClusterStore;
struct WatchOptions;

/// GET of one object.
[[nodiscard]] ApiResult<HttpAnswer> readObject(const ApiCall &call, ClusterStore &store);
/// GET of a collection.
[[nodiscard]] ApiResult<HttpAnswer> readList(const ApiCall &call, ClusterStore &store);
/// What a GET with watch=1 asks for, or why it cannot be had.
[[nodiscard]] ApiResult<WatchOptions> readWatchOptions(const ApiCall &call, ClusterStore &store);

/// One complete object in the shape that the client wants.
HttpAnswer objectAnswer(const ApiCall &call, const ClusterStore &store, QByteArrayView storedText,
                        Representation representation, int status = 200);

} // namespace tongchi::simulator
