#pragma once

#include "app/command_line.h"

namespace tongchi {

class Languages;

/// `tongchi inventory`: reads all asked clusters, prints one document, and with --watch goes on with what
/// changes.
int runInventory(const CommandLine &command, const Languages &languages);

} // namespace tongchi
