#pragma once

#include <QCoreApplication>
#include <QDeadlineTimer>
#include <QEventLoop>
#include <QFuture>
#include <QString>
#include <QStringList>
#include <chrono>

namespace tongchi::test {

/// Runs the event loop until the condition holds; false when the limit passes first.
template <typename Condition>
bool waitUntil(Condition condition, std::chrono::milliseconds limit = std::chrono::seconds(5))
{
    QDeadlineTimer deadline(limit);
    while (!condition()) {
        if (deadline.hasExpired())
            return false;
        QCoreApplication::processEvents(QEventLoop::AllEvents | QEventLoop::WaitForMoreEvents, 10);
    }
    return true;
}

template <typename T>
bool waitFor(const QFuture<T> &future, std::chrono::milliseconds limit = std::chrono::seconds(5))
{
    return waitUntil([&future] { return future.isFinished(); }, limit);
}

inline QStringList &expectedWarnings()
{
    static QStringList warnings;
    return warnings;
}

/// Lets one warning containing this text pass.
inline void expectWarning(const QString &part)
{
    expectedWarnings() << part;
}

inline bool takeExpectedWarning(const QString &message)
{
    QStringList &list = expectedWarnings();
    for (qsizetype i = 0; i < list.size(); ++i) {
        if (message.contains(list.at(i))) {
            list.removeAt(i);
            return true;
        }
    }
    return false;
}

} // namespace tongchi::test
