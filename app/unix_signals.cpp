#include "app/unix_signals.h"

#include <csignal>
#include <fcntl.h>
#include <unistd.h>

namespace tongchi {
namespace {

int signalPipe[2] = {-1, -1};

void noteSignal(int signal)
{
    // Only async-signal-safe calls here; the byte wakes the notifier.
    const char byte = char(signal);
    [[maybe_unused]] const auto written = write(signalPipe[1], &byte, 1);
}

} // namespace

UnixSignals::UnixSignals(std::function<void(int)> onSignal)
{
    if (pipe2(signalPipe, O_CLOEXEC | O_NONBLOCK) != 0)
        return;
    m_notifier = std::make_unique<QSocketNotifier>(signalPipe[0], QSocketNotifier::Read);
    QObject::connect(m_notifier.get(), &QSocketNotifier::activated, m_notifier.get(),
                     [onSignal = std::move(onSignal)] {
                         char first = 0, byte = 0;
                         while (read(signalPipe[0], &byte, 1) > 0)
                             first = first ? first : byte;
                         onSignal(first);
                     });
    struct sigaction action = {};
    action.sa_handler = noteSignal;
    sigemptyset(&action.sa_mask);
    action.sa_flags = SA_RESTART | SA_RESETHAND; // a second signal ends the program the hard way
    sigaction(SIGINT, &action, nullptr);
    sigaction(SIGTERM, &action, nullptr);
}

UnixSignals::~UnixSignals()
{
    struct sigaction action = {};
    action.sa_handler = SIG_DFL;
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, nullptr);
    sigaction(SIGTERM, &action, nullptr);
    m_notifier.reset();
    for (int &end : signalPipe) {
        if (end >= 0)
            close(end);
        end = -1;
    }
}

} // namespace tongchi
