#include "tests/real/support/measured.h"

#include <QFile>
#include <QTemporaryFile>
#include <algorithm>
#include <csignal>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

extern char **environ;

namespace tongchi::real {

namespace {

using SteadyClock = std::chrono::steady_clock;

double secondsSince(SteadyClock::time_point began)
{
    return std::chrono::duration<double>(SteadyClock::now() - began).count();
}

double secondsOf(const timeval &time)
{
    return double(time.tv_sec) + double(time.tv_usec) / 1e6;
}

/// Starts it with these as standard output and error; its id, or -1.
pid_t spawned(const QStringList &command, int output, int messages)
{
    std::vector<QByteArray> words;
    for (const QString &word : command)
        words.push_back(QFile::encodeName(word));
    std::vector<char *> arguments;
    for (QByteArray &word : words)
        arguments.push_back(word.data());
    arguments.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, messages, STDERR_FILENO);
    pid_t pid = -1;
    if (posix_spawnp(&pid, arguments[0], &actions, nullptr, arguments.data(), environ) != 0)
        pid = -1;
    posix_spawn_file_actions_destroy(&actions);
    return pid;
}

/// Reads what comes until the other side closes; false when the time is over first.
bool readAll(int from, SteadyClock::time_point began, std::chrono::milliseconds limit, Measured &result)
{
    char piece[65536];
    for (;;) {
        const auto left = limit - std::chrono::milliseconds(qint64(1000 * secondsSince(began)));
        pollfd waiting{.fd = from, .events = POLLIN, .revents = 0};
        if (left.count() <= 0 || ::poll(&waiting, 1, int(left.count())) <= 0)
            return false;
        const ssize_t got = ::read(from, piece, sizeof piece);
        if (got <= 0)
            return got == 0;
        if (result.output.isEmpty())
            result.secondsToWords = secondsSince(began);
        result.output.append(piece, qsizetype(got));
    }
}

/// Until the process ends, which may be long after it has closed its output.
bool awaitEnd(pid_t pid, SteadyClock::time_point began, std::chrono::milliseconds limit)
{
    const int process = int(::syscall(SYS_pidfd_open, pid, 0));
    const auto left = limit - std::chrono::milliseconds(qint64(1000 * secondsSince(began)));
    pollfd waiting{.fd = process, .events = POLLIN, .revents = 0};
    const bool ended = ::poll(&waiting, 1, int(std::max<qint64>(0, left.count()))) == 1;
    ::close(process);
    return ended;
}

} // namespace

Measured measured(const QStringList &command, OutputIs output, std::chrono::milliseconds limit)
{
    Measured result;
    QTemporaryFile messages;
    int ends[2] = {-1, -1};
    const bool kept = output == OutputIs::Kept;
    const int nowhere = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (!messages.open() || nowhere < 0 || (kept && ::pipe2(ends, O_CLOEXEC) != 0)) {
        ADD_FAILURE() << "no file for what " << command.value(0).toStdString() << " says";
        return result;
    }
    const auto began = SteadyClock::now();
    const pid_t pid = spawned(command, kept ? ends[1] : nowhere, messages.handle());
    ::close(nowhere);
    if (kept)
        ::close(ends[1]);
    if (pid < 0) {
        ADD_FAILURE() << command.value(0).toStdString() << " does not start";
        return result;
    }
    if ((kept && !readAll(ends[0], began, limit, result)) || !awaitEnd(pid, began, limit))
        ::kill(pid, SIGKILL);
    if (kept)
        ::close(ends[0]);
    int status = 0;
    rusage usage{};
    ::wait4(pid, &status, 0, &usage);
    result.seconds = secondsSince(began);
    if (result.output.isEmpty())
        result.secondsToWords = result.seconds;
    result.cpuSeconds = secondsOf(usage.ru_utime) + secondsOf(usage.ru_stime);
    result.peakMiB = double(usage.ru_maxrss) / 1024;
    result.code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    messages.seek(0);
    EXPECT_EQ(result.code, 0) << command.join(QLatin1Char(' ')).toStdString() << ": "
                              << messages.readAll().toStdString();
    return result;
}

} // namespace tongchi::real
