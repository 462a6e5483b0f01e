#pragma once

#include "platform/http/http_message.h"
#include "platform/http/stream_client.h"

#include <QElapsedTimer>
#include <QFutureWatcher>
#include <QObject>
#include <QPromise>
#include <QTimer>
#include <memory>

namespace tongchi {

/// One request of HttpClient, the promise for its answer, and the sink that collects it. Deletes itself when
/// done.
class HttpCall : public QObject, private StreamSink
{
    Q_OBJECT
public:
    HttpCall(StreamClient *client, const HttpRequest &request, QObject *parent);
    ~HttpCall() override;

    QFuture<Result<HttpResponse>> future() const { return m_promise.future(); }
    void start();
    /// It has been given to the stream client.
    bool wasStarted() const { return m_started; }
    bool isDone() const { return m_done; }

Q_SIGNALS:
    /// The result is decided; it is handed over from the event loop.
    void done();

private:
    void finish(Result<HttpResponse> result);
    void handOver(Result<HttpResponse> result);

    void onWaitingForCredential(bool waiting) override;
    void onHeaders(int status, const HeaderList &headers) override;
    void onData(std::string_view bytes, Monotonic receivedAt) override;
    void onFinished(const Status &status) override;

    StreamClient *m_client;
    const HttpRequest m_request;
    const QUrl m_url;
    QPromise<Result<HttpResponse>> m_promise;
    QFutureWatcher<Result<HttpResponse>> m_watcher;
    std::unique_ptr<StreamHandle> m_stream;
    HttpResponse m_response;
    QTimer m_timer;
    QElapsedTimer m_elapsed;
    bool m_started = false;
    bool m_done = false;
    bool m_handedOver = false;
};

} // namespace tongchi
