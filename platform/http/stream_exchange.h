#pragma once

#include "platform/core/clock.h"
#include "platform/http/connection_settings.h"
#include "platform/http/http_parser.h"
#include "platform/http/inflate_stream.h"

#include <QObject>
#include <QPointer>
#include <QTimer>
#include <memory>
#include <optional>

namespace tongchi {

class StreamConnection;
class StreamSink;

/// Lends connections to exchanges and takes them back for the next one.
class StreamConnectionPool
{
public:
    virtual ~StreamConnectionPool() = default;
    /// A connection that waits for a request, or a fresh one (not ready yet), or why there can be none.
    [[nodiscard]] virtual Result<StreamConnection *> acquire(const Credential &credential, bool fresh) = 0;
    virtual void giveBack(StreamConnection *connection, bool reusable) = 0;
    virtual void dropIdle() = 0;
    virtual void countReceived(qint64 bytes) = 0;
};

/// One streamed request from its credential to the end of its answer, with one renewal after a 401, redirects
/// within the server, and one repeat when a connection that had waited for work turns out to be dead.
///
/// preparing (credential) -> connecting -> sending -> head -> body -> done; 401, redirect and dead connection
/// lead back to preparing or connecting. Deletes itself when done or cancelled.
class StreamExchange : public QObject
{
    Q_OBJECT
public:
    StreamExchange(const ConnectionSettings &settings, StreamConnectionPool *pool, const HttpRequest &request,
                   StreamSink *sink, std::chrono::milliseconds idleTimeout);
    ~StreamExchange() override;

    void start();
    /// No further call to the sink. Invalidates the object.
    void cancel();
    void pause() { m_paused = true; }
    void resume();
    /// We are inside a call to the sink, and so perhaps inside a socket's signal.
    bool isCalling() const { return m_calls > 0; }
    /// Outlives the exchange: its handle still tells.
    std::shared_ptr<const Monotonic> lastByteAt() const { return m_lastByteAt; }

private:
    enum class Stage { Preparing, Connecting, Waiting, Body, Draining, Done };

    void askCredential(bool rejected);
    void useCredential(const Result<Credential> &credential);
    void sendOn();
    void tellWaiting(bool waiting);
    void connectNow(bool fresh);
    void attach(StreamConnection *connection);
    void sendRequest();
    QByteArray requestBytes() const;
    void pump();
    void pumpLater();
    bool pumpOnce();
    bool takeDecoded();
    bool readMore();
    void onHead();
    bool followUp();
    void drainThen(bool rejected);
    void deliverHead();
    void deliver(std::string_view bytes);
    void onBodyEnd();
    void onLost();
    void restart();
    void onTimer();
    std::chrono::milliseconds currentLimit() const;
    void watchTime();
    void finish(const Status &status);
    void releaseConnection(bool reusable);

    const ConnectionSettings m_settings;
    StreamConnectionPool *m_pool;
    HttpRequest m_request;
    StreamSink *m_sink;
    std::chrono::milliseconds m_idleTimeout;
    QUrl m_url;
    Credential m_credential;
    QPointer<StreamConnection> m_connection;
    HttpParser m_parser;
    std::optional<InflateStream> m_inflate;
    std::unique_ptr<char[]> m_buffer;
    std::string_view m_input;   ///< in m_buffer, not parsed yet
    std::string_view m_encoded; ///< in m_buffer, parsed but not inflated yet
    QTimer m_timer;
    std::shared_ptr<Monotonic> m_lastByteAt;
    Monotonic m_activeAt{}; ///< the timer counts from here: sent, last byte, or resumed
    qint64 m_unsent = 0;
    Stage m_stage = Stage::Preparing;
    int m_redirects = 0;
    int m_calls = 0; ///< depth of calls into the sink: it may cancel us there
    bool m_renewed = false;
    bool m_reused = false;
    bool m_repeated = false;
    bool m_paused = false;
    bool m_pumpQueued = false;
    bool m_peerClosed = false;
    bool m_rejected = false; ///< what is being drained is a 401
    bool m_grace = false;    ///< time is up; one more look at the socket
    bool m_decoding = false; ///< the inflater may hold more output
    bool m_firstByte = false;
    qint64 m_drained = 0;
};

} // namespace tongchi
