#pragma once

#include <QByteArray>
#include <QString>
#include <optional>

namespace tongchi::test {

/// What connecting to one cluster took, in a process that did nothing before.
struct ConnectFigures
{
    double seconds = 0;    ///< from the start of the session to the complete model
    double cpuSeconds = 0; ///< of the whole process, from its start
    double growthMiB = 0;  ///< peak of the resident memory over that before the session
    double peakMiB = 0;
    unsigned cards = 0;

    /// One line, as the process prints it the moment the model is complete.
    QByteArray line() const;
    /// Empty where it is no such line.
    static std::optional<ConnectFigures> fromLine(const QByteArray &line);
};

/// The body of such a process: connects to a context of a kubeconfig as the console does, prints the figures'
/// line on standard output, then the CPU time of each thread on standard error, and ends. Returns the exit
/// code; 1 where there is no such context. An empty name means the first.
int connectOnce(int argc, char **argv, const QString &kubeconfig, const QString &context = {});

} // namespace tongchi::test
