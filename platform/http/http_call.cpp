#include "platform/http/http_call.h"

#include "platform/http/request_rules.h"
#include "platform/http/transport_error.h"

namespace tongchi {

namespace {

constexpr qint64 reserveLimitBytes = 16 * 1024 * 1024;

} // namespace

HttpCall::HttpCall(StreamClient *client, const HttpRequest &request, QObject *parent)
    : QObject(parent), m_client(client), m_request(request),
      m_url(urlBelow(client->settings().server, request.path))
{
    m_promise.start();
    m_timer.setSingleShot(true);
    connect(&m_timer, &QTimer::timeout, this, [this] {
        m_client->dropIdleConnections(); // they go the same way
        Error error = answerTimeoutError(m_url, m_request.timeout);
        finish(tl::unexpected(m_request.repeatable ? error : perhapsDoneError(error)));
    });
    connect(&m_watcher, &QFutureWatcherBase::canceled, this,
            [this] { finish(failure({.code = ErrorCode::Cancelled, .subject = displayUrl(m_url)})); });
    m_watcher.setFuture(m_promise.future());
}

HttpCall::~HttpCall()
{
    m_watcher.disconnect(this);
    m_stream.reset();
    if (!m_handedOver) {
        QPromise<Result<HttpResponse>> promise = std::move(m_promise);
        promise.future().cancel();
        promise.finish();
    }
}

void HttpCall::start()
{
    if (m_done)
        return;
    m_started = true;
    m_elapsed.start();
    m_stream = m_client->open(m_request, this);
}

void HttpCall::onWaitingForCredential(bool waiting)
{
    // The time that the operator needs to agree to a credential plug-in, or the plug-in to run, is not the
    // server's.
    if (waiting || m_request.timeout.count() <= 0)
        m_timer.stop();
    else
        m_timer.start(m_request.timeout);
}

void HttpCall::onHeaders(int status, const HeaderList &headers)
{
    m_response.status = status;
    m_response.headers = headers;
    bool isNumber = false;
    const qint64 length = headerValue(headers, "Content-Length").toLongLong(&isNumber);
    if (!isNumber || length <= 0 || m_request.method == "HEAD")
        return;
    if (length > m_request.bodyLimit)
        return finish(tl::unexpected(bodyTooLargeError(m_url, m_request.bodyLimit)));
    m_response.body.reserve(qsizetype(qMin(length, reserveLimitBytes)));
}

void HttpCall::onData(std::string_view bytes, Monotonic)
{
    if (m_response.body.size() + qint64(bytes.size()) > m_request.bodyLimit)
        return finish(tl::unexpected(bodyTooLargeError(m_url, m_request.bodyLimit)));
    m_response.body.append(bytes.data(), qsizetype(bytes.size()));
}

void HttpCall::onFinished(const Status &status)
{
    if (!status)
        return finish(tl::unexpected(status.error()));
    m_response.elapsed = std::chrono::microseconds(m_elapsed.nsecsElapsed() / 1000);
    m_response.serverTime = parseHttpDate(headerValue(m_response.headers, "Date"));
    finish(std::move(m_response));
}

void HttpCall::finish(Result<HttpResponse> result)
{
    if (m_done)
        return;
    m_done = true;
    m_timer.stop();
    m_watcher.disconnect(this);
    m_stream.reset();
    // From the event loop: a continuation may delete the client, and with it this call, deep inside a
    // socket's signal.
    QMetaObject::invokeMethod(
        this, [this, kept = std::move(result)]() mutable { handOver(std::move(kept)); },
        Qt::QueuedConnection);
    Q_EMIT done();
}

void HttpCall::handOver(Result<HttpResponse> result)
{
    m_handedOver = true;
    QPromise<Result<HttpResponse>> promise = std::move(m_promise);
    deleteLater();
    promise.addResult(std::move(result));
    promise.finish(); // nothing of this object is touched after it
}

} // namespace tongchi
