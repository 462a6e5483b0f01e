#pragma once

#include "platform/simulator/faulty_wire.h"
#include "platform/simulator/http_exchange.h"

#include <QObject>

QT_BEGIN_NAMESPACE
class QSslConfiguration;
class QTcpSocket;
QT_END_NAMESPACE

namespace tongchi::simulator {

/// Limits of what a client may send.
struct HttpLimits
{
    qsizetype head = 64 * 1024;
    qsizetype body = 3 * 1024 * 1024;
    HttpAnswer tooLarge; ///< to a longer body; without pieces: plain text
};

/// One client connection: cuts requests out of the bytes, hands them over one after the other (pipelined ones
/// wait), and sends the answers no faster than the client reads them.
class HttpConnection final : public QObject
{
    Q_OBJECT

public:
    /// `handler` and `faults` outlive the connection.
    HttpConnection(QTcpSocket *socket, const HttpHandler &handler, HttpLimits limits, LinkFaults &faults,
                   QObject *parent);
    ~HttpConnection() override;

    bool isStreaming() const { return m_streaming; }
    /// Neither sends nor closes any more, as behind a network path that died.
    void freeze();
    FaultyWire &wire() { return m_wire; }
    void abort();

private:
    friend class HttpExchange;
    enum class Cut { NeedMore, Request, Failed };

    void readMore();
    void takeRequests();
    Cut cutRequest(HttpRequest *request);
    Cut cutHead();
    Cut cutChunkedBody(HttpRequest *request);
    void refuse(int status);
    void sendAnswer(HttpAnswer answer);
    void sendHead(const HttpAnswer &answer, qint64 length);
    void queue(const QByteArray &bytes);
    void queueChunk(const QByteArray &piece);
    void endAnswer();
    void sendRest();
    void schedulePump();
    void pump();
    void connectionLost();

    QTcpSocket *m_socket;
    FaultyWire m_wire;
    const HttpHandler &m_handler;
    HttpLimits m_limits;
    QByteArray m_in;
    qsizetype m_used = 0; ///< bytes of m_in that were taken already
    HttpRequest m_head;   ///< head of the request whose body is still arriving
    bool m_haveHead = false;
    qint64 m_bodyLength = 0;
    bool m_bodyChunked = false;
    HttpExchangePointer m_exchange; ///< the one being answered
    std::deque<QByteArray> m_out;
    qint64 m_outBytes = 0;
    qsizetype m_outOffset = 0; ///< of the first queued piece
    BodyProducer m_producer;
    bool m_chunkedAnswer = false;
    bool m_streaming = false;
    bool m_closeAfter = false;
    bool m_frozen = false;
    bool m_pumpScheduled = false;
    bool m_taking = false;
    bool m_lost = false;
};

} // namespace tongchi::simulator
