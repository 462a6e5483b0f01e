#include "platform/simulator/http_connection.h"

#include <QDateTime>
#include <QLocale>
#include <QSslSocket>
#include <QTcpSocket>

namespace tongchi::simulator {

namespace {

// More in the socket's own buffer only costs memory: the client's window decides how fast it empties.
constexpr qint64 sendWatermark = 256 * 1024;
constexpr qsizetype sendPiece = 64 * 1024;
constexpr qsizetype smallPiece = 16 * 1024;
constexpr qint64 readBufferLimit = 1024 * 1024;

bool equalNames(const QByteArray &a, const char *b)
{
    return a.compare(b, Qt::CaseInsensitive) == 0;
}

} // namespace

HttpConnection::HttpConnection(QTcpSocket *socket, const HttpHandler &handler, HttpLimits limits,
                               LinkFaults &faults, QObject *parent)
    : QObject(parent), m_socket(socket), m_wire(socket, faults, this), m_handler(handler), m_limits(limits)
{
    socket->setParent(this);
    socket->setReadBufferSize(readBufferLimit);
    connect(socket, &QTcpSocket::readyRead, this, &HttpConnection::readMore);
    connect(socket, &QTcpSocket::disconnected, this, &HttpConnection::connectionLost);
    connect(&m_wire, &FaultyWire::sent, this, &HttpConnection::sendRest);
    connect(&m_wire, &FaultyWire::broken, this, &HttpConnection::connectionLost);
    if (auto *ssl = qobject_cast<QSslSocket *>(socket)) {
        connect(ssl, &QSslSocket::errorOccurred, this, [this] {
            if (m_socket->state() != QAbstractSocket::ConnectedState)
                connectionLost();
        });
    }
}

HttpConnection::~HttpConnection()
{
    m_socket->disconnect(this);
    if (m_exchange && m_exchange->m_onClosed)
        std::exchange(m_exchange->m_onClosed, nullptr)();
}

void HttpConnection::freeze()
{
    m_frozen = true;
    m_wire.freeze();
}

void HttpConnection::abort()
{
    m_socket->abort();
    connectionLost();
}

void HttpConnection::connectionLost()
{
    if (m_lost)
        return;
    m_lost = true;
    m_out.clear();
    m_outBytes = 0;
    m_producer = nullptr;
    const HttpExchangePointer exchange = std::exchange(m_exchange, nullptr);
    if (exchange && exchange->m_onClosed)
        std::exchange(exchange->m_onClosed, nullptr)();
    deleteLater();
}

void HttpConnection::readMore()
{
    if (m_frozen || m_lost)
        return;
    // A client that pipelines without end waits in the kernel's buffer, not in ours.
    if (m_exchange && m_in.size() - m_used > m_limits.head + m_limits.body)
        return;
    m_in += m_socket->readAll();
    takeRequests();
}

void HttpConnection::takeRequests()
{
    if (m_taking)
        return;
    m_taking = true;
    while (!m_exchange && !m_lost && !m_closeAfter) {
        HttpRequest request;
        if (cutRequest(&request) != Cut::Request)
            break;
        m_closeAfter = !request.keepAlive;
        m_exchange = std::make_shared<HttpExchange>(this, std::move(request));
        const HttpExchangePointer exchange = m_exchange;
        m_handler(exchange);
    }
    if (m_used > 0) {
        m_in.remove(0, m_used);
        m_used = 0;
    }
    m_taking = false;
    pump();
}

HttpConnection::Cut HttpConnection::cutHead()
{
    while (m_used + 1 < m_in.size() && m_in.at(m_used) == '\r' && m_in.at(m_used + 1) == '\n')
        m_used += 2;
    const qsizetype end = m_in.indexOf("\r\n\r\n", m_used);
    if (end < 0 || end - m_used > m_limits.head) {
        if (m_in.size() - m_used <= m_limits.head)
            return Cut::NeedMore;
        refuse(431);
        return Cut::Failed;
    }
    m_head = {};
    m_bodyLength = 0;
    m_bodyChunked = false;
    qsizetype line = m_used;
    bool first = true;
    bool http10 = false;
    QByteArray connection;
    while (line < end + 2) {
        const qsizetype lineEnd = m_in.indexOf("\r\n", line);
        const QByteArray text = m_in.mid(line, lineEnd - line);
        line = lineEnd + 2;
        if (first) {
            first = false;
            const qsizetype space = text.indexOf(' ');
            const qsizetype last = text.lastIndexOf(' ');
            if (space <= 0 || last <= space || !text.mid(last + 1).startsWith("HTTP/1.")) {
                refuse(400);
                return Cut::Failed;
            }
            http10 = text.endsWith(".0");
            m_head.method = text.left(space);
            QByteArray target = text.mid(space + 1, last - space - 1);
            if (!target.startsWith('/')) { // absolute form, as proxies send it
                const qsizetype scheme = target.indexOf("://");
                const qsizetype slash = scheme > 0 ? target.indexOf('/', scheme + 3) : -1;
                target = slash < 0 ? QByteArray("/") : target.mid(slash);
            }
            const qsizetype question = target.indexOf('?');
            m_head.path = question < 0 ? target : target.left(question);
            if (question >= 0)
                m_head.query = target.mid(question + 1);
            continue;
        }
        const qsizetype colon = text.indexOf(':');
        if (colon <= 0 || text.at(0) == ' ' || text.at(0) == '\t') {
            refuse(400);
            return Cut::Failed;
        }
        HttpHeader header{text.left(colon), text.mid(colon + 1).trimmed()};
        if (equalNames(header.name, "content-length")) {
            bool ok = false;
            m_bodyLength = header.value.toLongLong(&ok);
            if (!ok || m_bodyLength < 0) {
                refuse(400);
                return Cut::Failed;
            }
        } else if (equalNames(header.name, "transfer-encoding")) {
            m_bodyChunked = header.value.toLower().contains("chunked");
        } else if (equalNames(header.name, "connection")) {
            connection = header.value.toLower();
        }
        m_head.headers.push_back(std::move(header));
    }
    m_used = end + 4;
    m_head.keepAlive = http10 ? connection.contains("keep-alive") : !connection.contains("close");
    m_haveHead = true;
    if (m_bodyLength > m_limits.body) {
        refuse(413);
        return Cut::Failed;
    }
    if ((m_bodyLength > 0 || m_bodyChunked) && m_head.header("expect").toLower() == "100-continue" &&
        m_in.size() == m_used)
        queue(QByteArrayLiteral("HTTP/1.1 100 Continue\r\n\r\n"));
    return Cut::Request;
}

HttpConnection::Cut HttpConnection::cutRequest(HttpRequest *request)
{
    if (!m_haveHead) {
        const Cut cut = cutHead();
        if (cut != Cut::Request)
            return cut;
    }
    if (m_bodyChunked) {
        const Cut cut = cutChunkedBody(request);
        if (cut != Cut::Request)
            return cut;
    } else {
        if (m_in.size() - m_used < m_bodyLength)
            return Cut::NeedMore;
        m_head.body = m_in.mid(m_used, m_bodyLength);
        m_used += m_bodyLength;
    }
    *request = std::move(m_head);
    m_haveHead = false;
    return Cut::Request;
}

HttpConnection::Cut HttpConnection::cutChunkedBody(HttpRequest *)
{
    for (;;) {
        const qsizetype lineEnd = m_in.indexOf("\r\n", m_used);
        if (lineEnd < 0) {
            if (m_in.size() - m_used > 1024) {
                refuse(400);
                return Cut::Failed;
            }
            return Cut::NeedMore;
        }
        const QByteArray line = m_in.mid(m_used, lineEnd - m_used);
        const qsizetype semicolon = line.indexOf(';');
        bool ok = false;
        const qint64 size = (semicolon < 0 ? line : line.left(semicolon)).trimmed().toLongLong(&ok, 16);
        if (!ok || size < 0) {
            refuse(400);
            return Cut::Failed;
        }
        if (m_head.body.size() + size > m_limits.body) {
            refuse(413);
            return Cut::Failed;
        }
        if (size == 0) {
            const qsizetype end = m_in.mid(lineEnd, 2 + 2) == "\r\n\r\n" ? lineEnd + 4 : -1;
            if (end >= 0) {
                m_used = end;
                return Cut::Request;
            }
            const qsizetype trailers = m_in.indexOf("\r\n\r\n", lineEnd);
            if (trailers < 0)
                return Cut::NeedMore;
            m_used = trailers + 4;
            return Cut::Request;
        }
        if (m_in.size() - (lineEnd + 2) < size + 2)
            return Cut::NeedMore;
        m_head.body += m_in.mid(lineEnd + 2, size);
        m_used = lineEnd + 2 + size + 2;
    }
}

void HttpConnection::refuse(int status)
{
    m_haveHead = false;
    m_closeAfter = true;
    HttpAnswer answer;
    if (status == 413)
        answer = m_limits.tooLarge;
    if (answer.pieces.empty()) {
        answer.contentType = QByteArrayLiteral("text/plain; charset=utf-8");
        answer.setBody(QByteArray::number(status) + ' ' + httpReason(status));
    }
    answer.status = status;
    m_head = {};
    m_head.method = "GET";
    m_head.keepAlive = false;
    m_exchange = std::make_shared<HttpExchange>(this, std::move(m_head));
    sendAnswer(std::move(answer));
}

void HttpConnection::sendHead(const HttpAnswer &answer, qint64 length)
{
    QByteArray head;
    head.reserve(256);
    head += "HTTP/1.1 " + QByteArray::number(answer.status) + ' ' + httpReason(answer.status) + "\r\n";
    for (const HttpHeader &header : answer.headers)
        head += header.name + ": " + header.value + "\r\n";
    if (!answer.contentType.isEmpty())
        head += "Content-Type: " + answer.contentType + "\r\n";
    head += "Date: ";
    static thread_local qint64 dateSecond = 0;
    static thread_local QByteArray dateText;
    const qint64 second = QDateTime::currentSecsSinceEpoch();
    if (second != dateSecond) {
        dateSecond = second;
        dateText = httpDate(QDateTime::fromSecsSinceEpoch(second, Qt::UTC));
    }
    head += dateText;
    if (m_closeAfter)
        head += "\r\nConnection: close";
    if (length >= 0)
        head += "\r\nContent-Length: " + QByteArray::number(length) + "\r\n\r\n";
    else
        head += "\r\nTransfer-Encoding: chunked\r\n\r\n";
    queue(head);
}

void HttpConnection::sendAnswer(HttpAnswer answer)
{
    if (m_lost)
        return;
    const bool headOnly = m_exchange && m_exchange->m_request.method == "HEAD";
    const bool chunked = answer.chunked || answer.producer;
    qint64 length = 0;
    for (const QByteArray &piece : answer.pieces)
        length += piece.size();
    m_chunkedAnswer = chunked;
    sendHead(answer, chunked ? -1 : length);
    if (!headOnly) {
        for (const QByteArray &piece : answer.pieces)
            chunked ? queueChunk(piece) : queue(m_wire.pieceOfBody(piece));
        if (answer.producer) {
            m_producer = std::move(answer.producer);
            schedulePump();
            return; // the pump ends the answer
        }
        if (chunked)
            queue(QByteArrayLiteral("0\r\n\r\n"));
    }
    endAnswer();
}

void HttpConnection::queue(const QByteArray &bytes)
{
    if (bytes.isEmpty() || m_lost)
        return;
    m_outBytes += bytes.size();
    // Head and small bodies go out in one piece, which is one TLS record.
    if (!m_out.empty() && (m_out.size() > 1 || m_outOffset == 0) &&
        m_out.back().size() + bytes.size() <= smallPiece)
        m_out.back() += bytes;
    else
        m_out.push_back(bytes);
    schedulePump();
}

void HttpConnection::queueChunk(const QByteArray &piece)
{
    if (piece.isEmpty())
        return;
    const QByteArray bytes = m_wire.pieceOfBody(piece);
    QByteArray head = QByteArray::number(bytes.size(), 16) + "\r\n";
    if (bytes.size() <= 4096) {
        queue(head + bytes + "\r\n");
        return;
    }
    queue(head);
    queue(bytes);
    queue(QByteArrayLiteral("\r\n"));
}

void HttpConnection::endAnswer()
{
    m_streaming = false;
    m_producer = nullptr;
    m_exchange.reset();
    if (m_closeAfter) {
        schedulePump();
        return;
    }
    if (!m_taking && (m_in.size() > m_used || m_socket->bytesAvailable() > 0))
        QMetaObject::invokeMethod(this, &HttpConnection::readMore, Qt::QueuedConnection);
}

void HttpConnection::sendRest()
{
    if (!m_out.empty() || m_producer || m_closeAfter)
        schedulePump();
}

void HttpConnection::schedulePump()
{
    if (m_pumpScheduled || m_lost || m_taking) // takeRequests() pumps at its end
        return;
    m_pumpScheduled = true;
    QMetaObject::invokeMethod(this, &HttpConnection::pump, Qt::QueuedConnection);
}

void HttpConnection::pump()
{
    m_pumpScheduled = false;
    if (m_lost || m_frozen)
        return;
    while (m_wire.unsent() < sendWatermark) {
        if (m_out.empty()) {
            if (!m_producer)
                break;
            // Out of the member while it runs: it may end the answer, and with it itself.
            const HttpExchangePointer exchange = m_exchange;
            BodyProducer producer = std::exchange(m_producer, nullptr);
            const QByteArray next = producer();
            if (m_lost || m_exchange != exchange)
                return;
            if (!next.isEmpty()) {
                m_producer = std::move(producer);
                queueChunk(next);
            } else if (!m_streaming) {
                queue(QByteArrayLiteral("0\r\n\r\n"));
                endAnswer();
            } // a stream goes on with what is written to it
            continue;
        }
        const QByteArray &piece = m_out.front();
        const qsizetype size = std::min(piece.size() - m_outOffset, sendPiece);
        if (!m_wire.write(piece.constData() + m_outOffset, size))
            return;
        m_outOffset += size;
        m_outBytes -= size;
        if (m_outOffset == piece.size()) {
            m_out.pop_front();
            m_outOffset = 0;
        }
    }
    if (m_closeAfter && !m_exchange && m_out.empty() && m_wire.isIdle())
        m_socket->disconnectFromHost();
}

} // namespace tongchi::simulator
