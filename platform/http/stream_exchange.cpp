#include "platform/http/stream_exchange.h"

#include "platform/core/future_answer.h"
#include "platform/http/request_rules.h"
#include "platform/http/stream_client.h"
#include "platform/http/stream_connection.h"
#include "platform/http/transport_error.h"

#include <QSslSocket>

namespace tongchi {

namespace {

constexpr qint64 readBytes = 64 * 1024;
constexpr qint64 drainLimitBytes = 256 * 1024;
/// One turn of the event loop for one stream: a large list must not starve the watches of the same thread.
constexpr auto pumpBudget = std::chrono::milliseconds(20);
constexpr auto graceDelay = std::chrono::milliseconds(500);

Monotonic steadyNow()
{
    return std::chrono::time_point_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now());
}

} // namespace

StreamExchange::StreamExchange(const ConnectionSettings &settings, StreamConnectionPool *pool,
                               const HttpRequest &request, StreamSink *sink,
                               std::chrono::milliseconds idleTimeout)
    : m_settings(settings), m_pool(pool), m_request(request), m_sink(sink), m_idleTimeout(idleTimeout),
      m_lastByteAt(std::make_shared<Monotonic>(steadyNow()))
{
    m_timer.setSingleShot(true);
    connect(&m_timer, &QTimer::timeout, this, &StreamExchange::onTimer);
}

StreamExchange::~StreamExchange() = default;

void StreamExchange::start()
{
    if (const Status good = checkServer(m_settings.server); !good)
        return finish(good);
    m_url = urlBelow(m_settings.server, m_request.path);
    askCredential(false);
}

void StreamExchange::cancel()
{
    m_sink = nullptr;
    m_stage = Stage::Done;
    m_timer.stop();
    releaseConnection(false);
    if (m_calls > 0)
        deleteLater();
    else
        delete this;
}

void StreamExchange::resume()
{
    m_paused = false;
    m_activeAt = steadyNow();
    pumpLater();
}

void StreamExchange::askCredential(bool rejected)
{
    m_stage = Stage::Preparing;
    m_timer.stop();
    if (!m_settings.credentials || !mayCarryCredential(m_url))
        return sendOn();
    tellWaiting(true);
    if (!m_sink)
        return;
    whenAnswered(
        m_settings.credentials->credential(rejected), this,
        [this](const Result<Credential> &credential) { useCredential(credential); },
        [this] { useCredential(tl::unexpected(noCredentialError(m_url))); });
}

void StreamExchange::useCredential(const Result<Credential> &credential)
{
    if (m_stage != Stage::Preparing)
        return;
    if (!credential)
        return finish(tl::unexpected(credential.error()));
    m_credential = *credential;
    sendOn();
}

void StreamExchange::sendOn()
{
    tellWaiting(false);
    if (m_sink)
        connectNow(false);
}

void StreamExchange::tellWaiting(bool waiting)
{
    ++m_calls;
    m_sink->onWaitingForCredential(waiting);
    --m_calls;
}

void StreamExchange::connectNow(bool fresh)
{
    m_stage = Stage::Connecting;
    m_parser.reset(m_request.method == "HEAD" ? HttpParser::Request::Head : HttpParser::Request::Normal);
    m_inflate.reset();
    m_input = {};
    m_encoded = {};
    m_decoding = false;
    m_peerClosed = false;
    m_firstByte = false;
    m_drained = 0;
    const Result<StreamConnection *> connection = m_pool->acquire(m_credential, fresh);
    if (!connection)
        return finish(tl::unexpected(connection.error()));
    attach(*connection);
}

void StreamExchange::attach(StreamConnection *connection)
{
    m_connection = connection;
    m_reused = connection->answered > 0;
    connect(connection, &StreamConnection::ready, this, &StreamExchange::sendRequest);
    connect(connection, &StreamConnection::failed, this,
            [this](const Error &error) { finish(tl::unexpected(error)); });
    connect(connection, &StreamConnection::readable, this, &StreamExchange::pump);
    connect(connection, &StreamConnection::closed, this, [this] {
        m_peerClosed = true;
        pump();
    });
    if (connection->isReady())
        sendRequest();
}

QByteArray StreamExchange::requestBytes() const
{
    const bool forwarded = m_connection->forwardsThroughProxy();
    QByteArray target = m_url.path(QUrl::FullyEncoded).toLatin1();
    if (target.isEmpty())
        target = "/";
    if (m_url.hasQuery())
        target += '?' + m_url.query(QUrl::FullyEncoded).toLatin1();
    if (forwarded)
        target.prepend("http://" + hostHeader(m_url));

    QByteArray bytes;
    bytes.reserve(1024 + m_request.body.size());
    bytes += m_request.method + ' ' + target + " HTTP/1.1\r\nHost: " + hostHeader(m_url) + "\r\n";
    for (const auto &[name, value] : requestHeaders(m_settings, m_request, m_credential.authorization))
        bytes += name + ": " + value + "\r\n";
    if (forwarded) {
        if (const QByteArray proxy = StreamConnection::proxyAuthorization(m_settings.proxy); !proxy.isEmpty())
            bytes += "Proxy-Authorization: " + proxy + "\r\n";
    }
    if (!m_request.body.isEmpty() || (m_request.method != "GET" && m_request.method != "HEAD"))
        bytes += "Content-Length: " + QByteArray::number(m_request.body.size()) + "\r\n";
    bytes += "\r\n";
    bytes += m_request.body;
    return bytes;
}

void StreamExchange::sendRequest()
{
    const HeaderList headers = requestHeaders(m_settings, m_request, m_credential.authorization);
    if (const Status good = checkRequest(m_url, m_request, headers); !good)
        return finish(good);
    m_stage = Stage::Waiting;
    m_activeAt = steadyNow();
    m_connection->socket()->write(requestBytes());
    m_unsent = m_connection->socket()->bytesToWrite();
    watchTime();
}

void StreamExchange::pumpLater()
{
    if (m_pumpQueued)
        return;
    m_pumpQueued = true;
    QMetaObject::invokeMethod(
        this,
        [this] {
            m_pumpQueued = false;
            pump();
        },
        Qt::QueuedConnection);
}

void StreamExchange::pump()
{
    if (m_calls > 0) // the sink runs an event loop, or resumed us: not twice at once
        return pumpLater();
    const Monotonic end = steadyNow() + pumpBudget;
    while (!m_paused && (m_stage == Stage::Waiting || m_stage == Stage::Body || m_stage == Stage::Draining)) {
        if (!pumpOnce())
            return;
        if (steadyNow() >= end)
            return pumpLater();
    }
}

/// One step; false when there is nothing more to do for now.
bool StreamExchange::pumpOnce()
{
    if (m_decoding || !m_encoded.empty())
        return takeDecoded();
    switch (m_parser.next(m_input)) {
    case HttpParser::Event::NeedMore:
        return readMore();
    case HttpParser::Event::Headers:
        onHead();
        return true;
    case HttpParser::Event::Data:
        if (m_stage == Stage::Draining) {
            m_drained += qint64(m_parser.data().size());
            if (m_drained > drainLimitBytes) {
                releaseConnection(false);
                restart();
                return false;
            }
        } else if (m_inflate) {
            m_encoded = m_parser.data();
        } else {
            deliver(m_parser.data());
        }
        return true;
    case HttpParser::Event::Finished:
        onBodyEnd();
        return false;
    case HttpParser::Event::Failed:
        if (m_stage == Stage::Draining) {
            releaseConnection(false);
            restart();
        } else {
            finish(tl::unexpected(badAnswerError(m_url, QString::fromLatin1(m_parser.problem()))));
        }
        return false;
    }
    return false;
}

bool StreamExchange::takeDecoded()
{
    switch (m_inflate->next(m_encoded)) {
    case InflateStream::Event::NeedMore:
        m_decoding = false;
        return true;
    case InflateStream::Event::Data:
        m_decoding = true;
        deliver(m_inflate->data());
        return true;
    case InflateStream::Event::Failed:
        finish(tl::unexpected(damagedBodyError(m_url, QString::fromLatin1(m_inflate->problem()))));
        return false;
    }
    return false;
}

bool StreamExchange::readMore()
{
    if (!m_buffer)
        m_buffer = std::make_unique_for_overwrite<char[]>(size_t(readBytes));
    const qint64 count = m_connection ? m_connection->socket()->read(m_buffer.get(), readBytes) : -1;
    if (count > 0) {
        m_input = {m_buffer.get(), size_t(count)};
        *m_lastByteAt = steadyNow();
        m_activeAt = *m_lastByteAt;
        m_grace = false;
        m_pool->countReceived(count);
        if (!m_firstByte) {
            m_firstByte = true;
            watchTime();
        }
        return true;
    }
    if (m_peerClosed || !m_connection)
        onLost();
    return false;
}

void StreamExchange::onHead()
{
    if (m_parser.status() == 407 && m_connection->forwardsThroughProxy())
        return finish(tl::unexpected(proxyAnswerError(m_settings, m_url, 407)));
    if (!followUp())
        deliverHead();
}

/// A 401 that a new credential may cure, or a redirect: true when this answer is not the sink's.
bool StreamExchange::followUp()
{
    const int status = m_parser.status();
    if (status == 401 && m_settings.credentials && mayCarryCredential(m_url) && !m_renewed) {
        m_renewed = true;
        drainThen(/*rejected=*/true);
        return true;
    }
    const auto target = redirectTarget(m_url, m_request.method, status, m_parser.headers());
    if (!target) {
        finish(tl::unexpected(target.error()));
        return true;
    }
    if (!target->has_value())
        return false;
    if (++m_redirects > maxRedirects) {
        finish(tl::unexpected(tooManyRedirectsError(m_url)));
        return true;
    }
    m_url = **target;
    drainThen(/*rejected=*/false);
    return true;
}

void StreamExchange::drainThen(bool rejected)
{
    m_stage = Stage::Draining;
    m_rejected = rejected;
}

void StreamExchange::restart()
{
    if (m_rejected)
        askCredential(true);
    else
        connectNow(false);
}

void StreamExchange::deliverHead()
{
    m_stage = Stage::Body;
    const auto coding = InflateStream::codingOf(headerValue(m_parser.headers(), "Content-Encoding"));
    if (coding == InflateStream::Coding::Unknown) {
        finish(tl::unexpected(badAnswerError(m_url, QStringLiteral("the content coding is not known"))));
        return;
    }
    if (coding != InflateStream::Coding::Identity)
        m_inflate.emplace(coding);
    ++m_calls;
    m_sink->onHeaders(m_parser.status(), m_parser.headers());
    --m_calls;
}

void StreamExchange::deliver(std::string_view bytes)
{
    ++m_calls;
    m_sink->onData(bytes, *m_lastByteAt);
    --m_calls;
}

void StreamExchange::onBodyEnd()
{
    const bool draining = m_stage == Stage::Draining;
    if (!draining && m_inflate && !m_inflate->complete())
        return finish(tl::unexpected(cutBodyError(m_url, QStringLiteral("the compressed body has no end"))));
    releaseConnection(m_parser.keepAlive() && m_input.empty());
    if (draining)
        restart();
    else
        finish({});
}

/// The other side closed the connection and everything that it sent has been read.
void StreamExchange::onLost()
{
    const bool started = m_parser.started();
    if (m_stage == Stage::Draining) {
        releaseConnection(false);
        return restart();
    }
    if (m_parser.endOfInput() == HttpParser::Event::Finished)
        return onBodyEnd();
    if (!started && m_reused && !m_repeated && m_request.repeatable) {
        // The server closed a waiting connection just as we used it.
        m_repeated = true;
        releaseConnection(false);
        return connectNow(/*fresh=*/true);
    }
    Error error = m_connection ? m_connection->lossError(started) : lostConnectionError(m_url, {});
    error.subject = displayUrl(m_url);
    if (error.detail.isEmpty())
        error.detail = QString::fromLatin1(m_parser.problem());
    finish(tl::unexpected(error));
}

std::chrono::milliseconds StreamExchange::currentLimit() const
{
    return m_firstByte ? m_idleTimeout : m_request.timeout;
}

void StreamExchange::watchTime()
{
    if (currentLimit().count() > 0)
        m_timer.start(currentLimit());
    else
        m_timer.stop();
}

/// The timer is not moved at each byte; it looks at the time when it fires and sleeps for the rest.
void StreamExchange::onTimer()
{
    if (m_stage != Stage::Waiting && m_stage != Stage::Body && m_stage != Stage::Draining)
        return;
    if (m_connection && m_connection->socket()->bytesToWrite() != m_unsent) {
        m_unsent = m_connection->socket()->bytesToWrite();
        m_activeAt = steadyNow();
    }
    if (m_paused)
        m_activeAt = steadyNow();
    const auto left = m_activeAt + currentLimit() - steadyNow();
    if (left.count() > 0) {
        m_timer.start(left);
        return;
    }
    const bool oursToTake = !m_input.empty() || !m_encoded.empty() || m_pumpQueued ||
                            (m_connection && m_connection->socket()->bytesAvailable() > 0);
    if (!m_grace || oursToTake) {
        // What the server sent may still lie in the socket: our thread was busy, or the process stopped or
        // asleep.
        m_grace = true;
        m_timer.start(-left > std::chrono::seconds(1) ? graceDelay : std::chrono::milliseconds(1));
        return;
    }
    m_pool->dropIdle(); // they go the same way
    finish(tl::unexpected(m_firstByte ? idleTimeoutError(m_url, m_idleTimeout)
                                      : answerTimeoutError(m_url, m_request.timeout)));
}

void StreamExchange::finish(const Status &status)
{
    if (m_stage == Stage::Done)
        return;
    const bool perhapsDone =
        !status && !m_request.repeatable && (m_stage == Stage::Waiting || m_stage == Stage::Body) &&
        (status.error().code == ErrorCode::Network || status.error().code == ErrorCode::Timeout);
    m_stage = Stage::Done;
    m_timer.stop();
    releaseConnection(false);
    if (StreamSink *sink = std::exchange(m_sink, nullptr)) {
        ++m_calls;
        sink->onFinished(perhapsDone ? tl::unexpected(perhapsDoneError(status.error())) : status);
        --m_calls;
    }
    deleteLater();
}

void StreamExchange::releaseConnection(bool reusable)
{
    StreamConnection *connection = m_connection;
    m_connection = nullptr;
    if (!connection)
        return;
    connection->disconnect(this);
    ++connection->answered;
    m_pool->giveBack(connection, reusable && !m_peerClosed);
}

} // namespace tongchi
