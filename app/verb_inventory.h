#pragma once

#include "app/command_line.h"

namespace tongchi {

class Languages;
struct ClusterStatus;

/// `tongchi inventory`: reads all asked clusters, prints one document, and with --watch goes on with what
/// changes.
int runInventory(const CommandLine &command, const Languages &languages);

/// What of a cluster did not answer, on standard error.
void tellFailures(const ClusterStatus &status, bool timedOut);

} // namespace tongchi
