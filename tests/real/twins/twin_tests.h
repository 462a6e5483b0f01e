#pragma once

#include "tests/real/twins/twin_server.h"

#include <functional>

namespace tongchi::twins {

/// The answers of the real engine to a call.
using RealAnswers = std::function<Transcript(const TwinCall &call, QString *problem)>;

/// Registers one test a call: what `real` says against what the embedded pool says, less the reviewed list.
/// Called while the program starts. `prepareReal` runs once before the first call of an engine.
void registerTwinTests(const char *suite, const RealAnswers &real);

/// tests/real/twins in the sources.
QString twinsFolder();

} // namespace tongchi::twins
