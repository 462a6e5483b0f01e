#pragma once

#include "platform/http/http_client.h"

#include <QFutureWatcher>
#include <QObject>
#include <QPromise>
#include <functional>

namespace tongchi {

/// Part of ClientTask that does not depend on its result: sends requests and gives their answers to
/// functions. Answers that come after the task is done are dropped.
class ClientTaskBase : public QObject
{
public:
    using OnResponse = std::function<void(Result<HttpResponse>)>;

protected:
    explicit ClientTaskBase(HttpClient *http, QObject *parent);
    /// `onResponse` is called later, in this thread, unless the task ends first.
    void send(HttpRequest request, OnResponse onResponse);
    /// Cancels what is still asked and deletes the task from the event loop.
    void end();

private:
    HttpClient *m_http;
    QList<QFutureWatcher<Result<HttpResponse>> *> m_watchers;
    bool m_ended = false;
};

/// One operation of one or several requests with one promise. Child of the client: when the client dies, the
/// promise dies and the future ends as cancelled. Deletes itself when finished or cancelled.
template <typename T> class ClientTask : public ClientTaskBase
{
public:
    ClientTask(HttpClient *http, QObject *parent) : ClientTaskBase(http, parent)
    {
        m_promise.start();
        connect(&m_cancelWatcher, &QFutureWatcherBase::canceled, this, [this] { end(); });
        m_cancelWatcher.setFuture(m_promise.future());
    }
    QFuture<Result<T>> future() const { return m_promise.future(); }
    virtual void start() = 0;

protected:
    void finish(Result<T> result)
    {
        m_promise.addResult(std::move(result));
        m_promise.finish();
        end();
    }

private:
    mutable QPromise<Result<T>> m_promise;
    QFutureWatcher<Result<T>> m_cancelWatcher;
};

/// A task of one request whose answer one function reads.
template <typename T> class SingleRequestTask final : public ClientTask<T>
{
public:
    using Read = std::function<Result<T>(const HttpResponse &)>;
    SingleRequestTask(HttpClient *http, QObject *parent, HttpRequest request, Read read)
        : ClientTask<T>(http, parent), m_request(std::move(request)), m_read(std::move(read))
    {
    }
    void start() override
    {
        this->send(m_request, [this](Result<HttpResponse> response) {
            if (response)
                this->finish(m_read(*response));
            else
                this->finish(tl::unexpected(std::move(response.error())));
        });
    }

private:
    HttpRequest m_request;
    Read m_read;
};

/// Success (2xx), or the error of the answer; `subject` names what was asked for.
[[nodiscard]] Status checkApiAnswer(const HttpResponse &response, const QString &subject);

/// GET with the headers of a question to the API server.
HttpRequest apiGet(const QByteArray &path, const QByteArray &accept = "application/json");
/// A question that the API takes as POST (reviews). It changes nothing, so it may be sent again.
HttpRequest apiPost(const QByteArray &path, const QByteArray &json);

} // namespace tongchi
