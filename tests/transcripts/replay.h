#pragma once

#include "platform/core/error.h"
#include "tests/transcripts/transcript.h"

#include <optional>

namespace tongchi::test {

/// What became of a recorded exchange in the console.
struct Replayed
{
    std::optional<Error> error; ///< what is shown
    QStringList warnings;       ///< of an answer that is not whole
    QString problem;            ///< the replay itself did not work
};

/// Plays the recorded answer to the console's own client, over loopback. `as` says how the console comes to
/// it:
///
/// - get, patch: KubernetesClient, asking what was recorded
/// - post: the client's connection and its reading of answers, for objects that no call creates yet
/// - list, watch: the nodes' reflector, whose list or whose first watch is answered so
/// - pages: the second page of the reflector's list
/// - query, range, names: PrometheusClient, asking what was recorded
/// - elsewhere: a query to an address where something else answers
/// - proxy: a query through the API server's service proxy
///
/// A request for another path than the recorded one is a problem (not of `elsewhere`).
Replayed replay(const Exchange &exchange, const QString &as);

} // namespace tongchi::test
