#pragma once

#include "app/command_line.h"

namespace tongchi {

/// `tongchi pool serve`: one JSON line when ready, then until a signal ends it.
int runPoolServe(const CommandLine &command);

} // namespace tongchi
