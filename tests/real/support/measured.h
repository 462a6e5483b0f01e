#pragma once

#include <QByteArray>
#include <QStringList>
#include <chrono>

namespace tongchi::real {

/// What running a program cost.
struct Measured
{
    int code = -1;      ///< -1: it did not start, crashed or was ended for taking too long
    double seconds = 0; ///< from its start to its end
    double secondsToWords =
        0;                 ///< from its start to the first it wrote; as `seconds` where that is thrown away
    double cpuSeconds = 0; ///< with its children
    double peakMiB = 0;    ///< of its resident memory
    QByteArray output;
};

enum class OutputIs { Kept, ThrownAway };

/// Runs a program (looked for in PATH) to its end with nothing between it and its output, and waits for it.
/// What it writes to standard error is shown only where it fails.
[[nodiscard]] Measured measured(const QStringList &command, OutputIs output,
                                std::chrono::milliseconds limit = std::chrono::minutes(5));

} // namespace tongchi::real
