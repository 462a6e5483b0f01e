#pragma once

#include "app/command_line.h"

#include <memory>

QT_BEGIN_NAMESPACE
class QApplication;
QT_END_NAMESPACE

namespace tongchi {

/// The console: everything of one run, made once and in order. `application` outlives it.
class Console
{
public:
    Console(QApplication &application, const CommandLine &command);
    ~Console();

    /// The window, until it is closed.
    int run();
    /// One pane to a file when its data has arrived; exit code 1 when it has not within the timeout.
    int screenshot();

private:
    struct Private;
    std::unique_ptr<Private> d;
};

} // namespace tongchi
