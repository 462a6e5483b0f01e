#pragma once

#include "tests/support/loopback_listener.h"
#include "tests/support/test_certificates.h"

#include <QByteArray>
#include <QList>
#include <QUrl>
#include <atomic>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

namespace tongchi::test {

struct ReceivedRequest
{
    QByteArray method;
    QByteArray target; ///< as sent, with its query
    QList<std::pair<QByteArray, QByteArray>> headers;
    QByteArray body;
    QByteArray serverName; ///< SNI
    QByteArray clientName; ///< common name of the client's certificate
    int connection = 0;    ///< which connection of the server, from 1

    QByteArray path() const
    {
        return target.left(target.indexOf('?') < 0 ? target.size() : target.indexOf('?'));
    }
    /// First value, names compared without case.
    QByteArray header(QByteArrayView name) const;
    QList<QByteArray> headerValues(QByteArrayView name) const;
};

/// A body that the test writes while the client reads: watches, event streams. Thread-safe.
class LiveBody
{
public:
    LiveBody();
    ~LiveBody();
    void push(const QByteArray &bytes);
    void end();   ///< orderly: the last chunk
    void cut();   ///< the connection closes in the middle
    void reset(); ///< the same with RST
    /// The client has asked and got the head.
    bool isOpen() const;
    bool clientLeft() const;

private:
    friend class LoopbackServer;
    enum class Finish { No, End, Cut, Reset };
    mutable std::mutex m_mutex; ///< protects everything below
    std::deque<QByteArray> m_pieces;
    Finish m_finish = Finish::No;
    bool m_open = false;
    bool m_clientLeft = false;
    int m_wake = -1; ///< eventfd
};

/// What the server says to one request. Members are set directly or by the chained helpers.
struct Answer
{
    enum class Framing {
        Length,
        Chunked,
        UntilClose,
        Raw
    };                                                  ///< Raw: `body` is all that is sent, head included
    enum class Then { KeepAlive, Close, Reset, Stall }; ///< Stall: silence until the client leaves

    int status = 200;
    QList<std::pair<QByteArray, QByteArray>> headers;
    QByteArray body;
    Framing framing = Framing::Length;
    Then then = Then::KeepAlive;
    qint64 announcedLength = -1; ///< a wrong Content-Length; -1: the right one
    qint64 cutAfter = -1;        ///< so many bytes of the body, then `then`
    qsizetype pieceBytes = 0;    ///< 0: in one write; else the wire bytes go out in pieces of this size
    bool silent = false;         ///< no byte at all, not even the head
    std::shared_ptr<LiveBody> live;

    static Answer json(const QByteArray &text, int status = 200);
    static Answer text(const QByteArray &text, int status = 200);
    static Answer redirect(int status, const QByteArray &location);
    static Answer raw(const QByteArray &bytes);
    static Answer silence();
    static Answer stream(std::shared_ptr<LiveBody> body, const QByteArray &type = "application/json");

    Answer &&with(const QByteArray &name, const QByteArray &value) &&;
    Answer &&gzipped() &&;
    Answer &&chunked() &&;
    Answer &&inPieces(qsizetype bytes) &&;
    Answer &&cut(qint64 bytes, Then what = Then::Close) &&;
};

/// A scripted HTTP/1.1 server on loopback for everybody's tests, written without a line of the product's HTTP
/// code. Requests without a route fail the test.
class LoopbackServer
{
public:
    using Handler = std::function<Answer(const ReceivedRequest &)>; ///< runs in the connection's thread

    struct Options
    {
        LoopbackListener::Family family = LoopbackListener::Family::V4;
        std::optional<TestIdentity> tls = std::nullopt;
        QByteArray clientAuthorityPem = {}; ///< asks for a client certificate of this authority and insists
    };

    LoopbackServer();
    explicit LoopbackServer(Options options);
    ~LoopbackServer();

    bool isListening() const { return m_listener && m_listener->isListening(); }
    int port() const { return m_listener->port(); }
    /// "http://127.0.0.1:port" and the path.
    QUrl url(const QByteArray &path = {}) const;
    /// The same with another host name.
    QUrl urlAs(const QByteArray &host, const QByteArray &path = {}) const;

    /// Path without query, or the whole target if it holds a "?"; a "*" at the end stands for any rest. Later
    /// routes beat earlier ones.
    void on(const QByteArray &method, const QByteArray &path, const Answer &always);
    void on(const QByteArray &method, const QByteArray &path, Handler handler);
    /// Each answer once, in order; one request more is an unexpected one.
    void onSequence(const QByteArray &method, const QByteArray &path, std::vector<Answer> answers);

    std::vector<ReceivedRequest> requests() const;
    /// Those of one path.
    std::vector<ReceivedRequest> requests(const QByteArray &path) const;
    int requestCount() const;
    int connectionCount() const { return m_listener->acceptedConnections(); }
    int openConnections() const { return m_listener->openConnections(); }
    void dropConnections() { m_listener->dropConnections(); }
    /// Bytes still to be taken by clients make a blocked write: how many were written so far.
    qint64 bytesWritten() const { return m_written; }
    /// Stops now; also the destructor does.
    void stop();
    /// Lets unexpected requests pass with a 404.
    void allowUnexpected() { m_allowUnexpected = true; }

private:
    class Channel;
    struct Route
    {
        QByteArray method;
        QByteArray path;
        Handler handler;
    };
    void serve(int socket);
    std::optional<ReceivedRequest> readRequest(Channel &channel, QByteArray &buffer);
    Answer answerTo(const ReceivedRequest &request);
    /// False: the connection is over.
    bool send(Channel &channel, const ReceivedRequest &request, const Answer &answer);
    bool sendLive(Channel &channel, const std::shared_ptr<LiveBody> &live);

    Options m_options;
    void *m_context = nullptr;  ///< SSL_CTX
    mutable std::mutex m_mutex; ///< protects routes and records
    std::vector<Route> m_routes;
    std::vector<ReceivedRequest> m_requests;
    std::vector<QByteArray> m_unexpected;
    std::atomic<qint64> m_written{0};
    std::atomic<int> m_nextConnection{0};
    std::atomic<bool> m_allowUnexpected{false};
    std::unique_ptr<LoopbackListener> m_listener;
};

} // namespace tongchi::test
