#pragma once

namespace tongchi {

/// Sets XDG_RUNTIME_DIR where it is missing: in containers and under su nobody does, and Qt then warns of it
/// on standard error. Before the application object is made.
void provideRuntimeFolder();

} // namespace tongchi
