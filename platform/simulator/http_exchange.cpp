#include "platform/simulator/http_exchange.h"

#include "platform/simulator/http_connection.h"

#include <QLocale>

namespace tongchi::simulator {

QByteArray HttpRequest::header(const char *name) const
{
    for (const HttpHeader &header : headers) {
        if (header.name.compare(name, Qt::CaseInsensitive) == 0)
            return header.value;
    }
    return {};
}

HttpExchange::HttpExchange(HttpConnection *connection, HttpRequest request)
    : m_connection(connection), m_request(std::move(request))
{
}

HttpExchange::~HttpExchange() = default;

bool HttpExchange::isOpen() const
{
    return m_connection && m_connection->m_exchange.get() == this;
}

void HttpExchange::answer(HttpAnswer answer)
{
    m_onClosed = nullptr;
    if (isOpen())
        m_connection->sendAnswer(std::move(answer));
}

void HttpExchange::startStream(HttpAnswer head)
{
    if (!isOpen())
        return;
    m_connection->m_streaming = true;
    m_connection->m_chunkedAnswer = true;
    m_connection->sendHead(head, -1);
}

void HttpExchange::write(const QByteArray &bytes)
{
    if (isOpen())
        m_connection->queueChunk(bytes);
}

void HttpExchange::produce(BodyProducer producer)
{
    if (!isOpen())
        return;
    m_connection->m_producer = std::move(producer);
    m_connection->schedulePump();
}

void HttpExchange::finish()
{
    m_onClosed = nullptr;
    if (!isOpen())
        return;
    m_connection->queue(QByteArrayLiteral("0\r\n\r\n"));
    m_connection->endAnswer();
}

void HttpExchange::abort()
{
    m_onClosed = nullptr;
    if (isOpen())
        m_connection->abort();
}

qint64 HttpExchange::pendingBytes() const
{
    return isOpen() ? m_connection->m_outBytes : 0;
}

QByteArray httpDate(const QDateTime &utc)
{
    return QLocale::c().toString(utc, QStringLiteral("ddd, dd MMM yyyy HH:mm:ss 'GMT'")).toLatin1();
}

const char *httpReason(int status)
{
    switch (status) {
    case 301:
        return "Moved Permanently";
    case 200:
        return "OK";
    case 201:
        return "Created";
    case 202:
        return "Accepted";
    case 204:
        return "No Content";
    case 304:
        return "Not Modified";
    case 400:
        return "Bad Request";
    case 401:
        return "Unauthorized";
    case 403:
        return "Forbidden";
    case 404:
        return "Not Found";
    case 405:
        return "Method Not Allowed";
    case 406:
        return "Not Acceptable";
    case 409:
        return "Conflict";
    case 410:
        return "Gone";
    case 413:
        return "Request Entity Too Large";
    case 415:
        return "Unsupported Media Type";
    case 422:
        return "Unprocessable Entity";
    case 429:
        return "Too Many Requests";
    case 431:
        return "Request Header Fields Too Large";
    case 500:
        return "Internal Server Error";
    case 501:
        return "Not Implemented";
    case 503:
        return "Service Unavailable";
    case 504:
        return "Gateway Timeout";
    default:
        return "Status";
    }
}

} // namespace tongchi::simulator
