#pragma once

#include <QProcess>
#include <memory>

namespace tongchi {

/// A process without input and in a session of its own: it cannot ask on the terminal that started us, and
/// one signal reaches everything it starts.
std::unique_ptr<QProcess> makeDetachedFromTerminal();

/// Kills the process with everything it started; nothing if it is not running.
void killProcessGroup(const QProcess &process);

/// Kills the process like that and deletes it when the system has taken it away, without waiting. Its signals
/// go nowhere any more.
void abandonProcess(std::unique_ptr<QProcess> process);

} // namespace tongchi
