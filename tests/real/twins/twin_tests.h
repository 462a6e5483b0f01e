#pragma once

#include "tests/real/twins/twin_server.h"

#include <functional>

namespace tongchi::twins {

/// The answers of the real engine to a call. `problem` says why there are none.
using RealAnswers = std::function<Transcript(const TwinCall &call, QString *problem)>;

/// Registers one test a call: what `real` says against what the embedded pool says, less the reviewed list.
/// Called while the program starts.
/// `recorded`: without the calls that are not recorded.
void registerTwinTests(const char *suite, const RealAnswers &real, bool recorded = false);

/// All calls of the tables; none where a table cannot be read, which fails a test of registerTwinTests().
const std::vector<TwinCall> &twinCalls();

/// tests/real/twins in the sources.
QString twinsFolder();

} // namespace tongchi::twins
