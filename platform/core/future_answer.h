#pragma once

#include <QFutureWatcher>
#include <QObject>
#include <utility>

namespace tongchi {

/// Calls `done` with the answer of `future`, from the event loop of `context`, whose thread must be the
/// caller's. Not called when the future is cancelled, nor once the context is gone; `cancelled` is, in the
/// first case. Not QFuture::then(): a promise may be dropped after the context is gone, perhaps in another
/// thread, and Qt 6.4 has no check for that.
template <typename T, typename Done, typename Cancelled>
void whenAnswered(const QFuture<T> &future, QObject *context, Done done, Cancelled cancelled)
{
    auto *const watcher = new QFutureWatcher<T>(context);
    QObject::connect(watcher, &QFutureWatcherBase::finished, context,
                     [watcher, done = std::move(done), cancelled = std::move(cancelled)]() mutable {
                         watcher->deleteLater();
                         if (!watcher->isCanceled() && watcher->future().resultCount() > 0)
                             done(watcher->result());
                         else
                             cancelled();
                     });
    watcher->setFuture(future);
}

template <typename T, typename Done> void whenAnswered(const QFuture<T> &future, QObject *context, Done done)
{
    whenAnswered(future, context, std::move(done), [] {});
}

} // namespace tongchi
