#pragma once

#include <QByteArray>
#include <QDateTime>
#include <QPointer>
#include <deque>
#include <functional>
#include <memory>
#include <vector>

namespace tongchi::simulator {

class HttpConnection;

struct HttpHeader
{
    QByteArray name;
    QByteArray value;
};

/// One request, complete with its body.
struct HttpRequest
{
    QByteArray method;
    QByteArray path;  ///< as sent, still percent-encoded, without the query
    QByteArray query; ///< as sent, without the question mark
    std::vector<HttpHeader> headers;
    QByteArray body;
    bool keepAlive = true;

    /// The first header of that name; upper and lower case are the same. Empty when there is none.
    QByteArray header(const char *name) const;
};

/// Gives the next piece of a body that is too large to be held at once; an empty piece is the end.
using BodyProducer = std::function<QByteArray()>;

/// A whole answer. With a producer, or when `chunked` is set, the body goes out in chunks.
struct HttpAnswer
{
    int status = 200;
    QByteArray contentType;
    std::vector<HttpHeader> headers;
    std::vector<QByteArray> pieces; ///< the body; shared, never copied
    BodyProducer producer;          ///< what follows the pieces
    bool chunked = false;

    void setBody(QByteArray body)
    {
        pieces.clear();
        pieces.push_back(std::move(body));
    }
};

/// One request that waits for its answer; kept by whoever answers later. All of it happens in the server's
/// thread. When the client goes away the exchange stays valid and drops what is written to it.
class HttpExchange : public std::enable_shared_from_this<HttpExchange>
{
public:
    HttpExchange(HttpConnection *connection, HttpRequest request);
    ~HttpExchange();

    const HttpRequest &request() const { return m_request; }
    bool isOpen() const;

    /// Sends the answer; exactly once, and not together with startStream().
    void answer(HttpAnswer answer);

    /// A body that grows: header now, then write() as often as needed, finish() at the end.
    void startStream(HttpAnswer head);
    void write(const QByteArray &bytes);
    /// Asks for pieces whenever the client has taken all that was written, until an empty one comes.
    void produce(BodyProducer producer);
    void finish();
    /// Closes the connection without a proper end.
    void abort();
    /// What the client has not taken yet, in bytes.
    qint64 pendingBytes() const;
    /// Called once, when the connection is gone before the answer was complete.
    void onClosed(std::function<void()> callback) { m_onClosed = std::move(callback); }

private:
    friend class HttpConnection;
    QPointer<HttpConnection> m_connection;
    HttpRequest m_request;
    std::function<void()> m_onClosed;
};

using HttpExchangePointer = std::shared_ptr<HttpExchange>;
using HttpHandler = std::function<void(const HttpExchangePointer &)>;

/// "Tue, 01 Dec 2026 12:00:00 GMT"
QByteArray httpDate(const QDateTime &utc);

/// "Not Found" for 404.
const char *httpReason(int status);

} // namespace tongchi::simulator
