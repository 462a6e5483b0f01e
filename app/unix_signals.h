#pragma once

#include <QSocketNotifier>
#include <functional>
#include <memory>

namespace tongchi {

/// Turns SIGINT and SIGTERM into a call on the event loop. One at a time in a process.
class UnixSignals
{
public:
    /// Called with the number of the signal.
    explicit UnixSignals(std::function<void(int signal)> onSignal);
    ~UnixSignals();
    UnixSignals(const UnixSignals &) = delete;
    UnixSignals &operator=(const UnixSignals &) = delete;

private:
    std::unique_ptr<QSocketNotifier> m_notifier;
};

} // namespace tongchi
