#include "platform/kubernetes/kubernetes_client_task.h"

#include "platform/kubernetes/api_error.h"

namespace tongchi {

ClientTaskBase::ClientTaskBase(HttpClient *http, QObject *parent) : QObject(parent), m_http(http) {}

void ClientTaskBase::send(HttpRequest request, OnResponse onResponse)
{
    auto *watcher = new QFutureWatcher<Result<HttpResponse>>(this);
    m_watchers << watcher;
    connect(
        watcher, &QFutureWatcherBase::finished, this, [this, watcher, onResponse = std::move(onResponse)] {
            m_watchers.removeOne(watcher);
            watcher->deleteLater();
            if (m_ended)
                return;
            const QFuture<Result<HttpResponse>> future = watcher->future();
            onResponse(future.resultCount() > 0 ? future.result() : failure({.code = ErrorCode::Cancelled}));
        });
    watcher->setFuture(m_http->send(request));
}

void ClientTaskBase::end()
{
    if (std::exchange(m_ended, true))
        return;
    for (QFutureWatcher<Result<HttpResponse>> *watcher : std::as_const(m_watchers))
        watcher->cancel();
    deleteLater();
}

Status checkApiAnswer(const HttpResponse &response, const QString &subject)
{
    if (response.status >= 200 && response.status < 300)
        return {};
    return failure(apiError(response.status, response.headers,
                            {response.body.constData(), std::size_t(response.body.size())}, subject));
}

HttpRequest apiGet(const QByteArray &path, const QByteArray &accept)
{
    return {.path = path, .headers = {{"Accept", accept}}};
}

HttpRequest apiPost(const QByteArray &path, const QByteArray &json)
{
    return {.method = "POST",
            .path = path,
            .headers = {{"Accept", "application/json"}, {"Content-Type", "application/json"}},
            .body = json};
}

} // namespace tongchi
