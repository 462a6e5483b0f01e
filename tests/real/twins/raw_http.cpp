#include "tests/real/twins/raw_http.h"

#include <QSslCertificate>
#include <QSslConfiguration>
#include <zlib.h>

namespace tongchi::twins {

namespace {

constexpr int patienceMs = 20'000;

QByteArray inflated(const QByteArray &packed)
{
    z_stream stream{};
    inflateInit2(&stream, MAX_WBITS + 16);
    stream.next_in = reinterpret_cast<Bytef *>(const_cast<char *>(packed.constData()));
    stream.avail_in = uInt(packed.size());
    QByteArray out;
    QByteArray piece(256 * 1024, Qt::Uninitialized);
    int state = Z_OK;
    while (state == Z_OK) {
        stream.next_out = reinterpret_cast<Bytef *>(piece.data());
        stream.avail_out = uInt(piece.size());
        state = inflate(&stream, Z_NO_FLUSH);
        out.append(piece.constData(), piece.size() - qsizetype(stream.avail_out));
    }
    inflateEnd(&stream);
    return state == Z_STREAM_END ? out : QByteArray("damaged gzip: ") + packed.toHex().left(40);
}

} // namespace

QByteArray RawAnswer::header(QByteArrayView name) const
{
    for (const auto &[key, value] : headers) {
        if (key.compare(name, Qt::CaseInsensitive) == 0)
            return value;
    }
    return {};
}

QByteArray RawAnswer::text() const
{
    return header("content-encoding") == "gzip" ? inflated(body) : body;
}

bool RawExchange::fail(const QString &problem)
{
    m_answer.problem = problem;
    return false;
}

bool RawExchange::send(const RawRequest &request)
{
    m_socket = std::make_unique<QSslSocket>();
    if (m_endpoint.tls) {
        QSslConfiguration tls = QSslConfiguration::defaultConfiguration();
        tls.setCaCertificates(QSslCertificate::fromData(m_endpoint.authorityPem));
        tls.setAllowedNextProtocols({QByteArrayLiteral("http/1.1")});
        m_socket->setSslConfiguration(tls);
        m_socket->connectToHostEncrypted(QStringLiteral("127.0.0.1"), m_endpoint.port);
    } else {
        m_socket->connectToHost(QStringLiteral("127.0.0.1"), m_endpoint.port);
    }
    if (!(m_endpoint.tls ? m_socket->waitForEncrypted(patienceMs) : m_socket->waitForConnected(patienceMs)))
        return fail(QStringLiteral("no connection: ") + m_socket->errorString());
    QByteArray wire = request.method + ' ' + request.target +
                      " HTTP/1.1\r\nHost: 127.0.0.1:" + QByteArray::number(m_endpoint.port) + "\r\n";
    for (const auto &[name, value] : request.headers)
        wire += name + ": " + value + "\r\n";
    if (!request.body.isEmpty() || request.method == "POST" || request.method == "PUT" ||
        request.method == "PATCH")
        wire += "Content-Length: " + QByteArray::number(request.body.size()) + "\r\n";
    wire += "\r\n" + request.body;
    if (m_socket->write(wire) != wire.size())
        return fail(QStringLiteral("cannot send: ") + m_socket->errorString());
    while (m_socket->bytesToWrite() > 0 || m_socket->encryptedBytesToWrite() > 0) {
        if (!m_socket->waitForBytesWritten(patienceMs))
            break; // the server may answer without reading all, as with a body that is too large
    }
    while (!readHead()) {
        if (!m_answer.problem.isEmpty() || !fill())
            return false;
    }
    return true;
}

bool RawExchange::fill()
{
    if (m_closed)
        return fail(QStringLiteral("the connection ended early"));
    if (m_socket->bytesAvailable() == 0 && !m_socket->waitForReadyRead(patienceMs)) {
        if (m_socket->state() == QAbstractSocket::ConnectedState)
            return fail(QStringLiteral("no further byte within 20 s"));
        m_closed = true;
    }
    m_in += m_socket->readAll();
    return true;
}

bool RawExchange::readHead()
{
    const qsizetype end = m_in.indexOf("\r\n\r\n");
    if (end < 0)
        return false;
    const QList<QByteArray> lines = m_in.left(end).split('\n');
    m_in.remove(0, end + 4);
    const QList<QByteArray> words = lines.first().trimmed().split(' ');
    if (!words.first().startsWith("HTTP/1.") || words.size() < 2)
        return fail(QStringLiteral("no HTTP: ") + QString::fromLatin1(lines.first()));
    m_answer.status = words.at(1).toInt();
    if (m_answer.status / 100 == 1)
        return readHead();
    for (const QByteArray &line : lines.mid(1)) {
        const qsizetype colon = line.indexOf(':');
        m_answer.headers.append({line.left(colon), line.mid(colon + 1).trimmed()});
    }
    if (m_answer.header("transfer-encoding").toLower() == "chunked") {
        m_framing = Framing::Chunked;
    } else if (const QByteArray length = m_answer.header("content-length"); !length.isEmpty()) {
        m_framing = Framing::Length;
        m_left = length.toLongLong();
    } else if (m_answer.status == 204 || m_answer.status == 304) {
        m_framing = Framing::Length;
    }
    return true;
}

bool RawExchange::takeChunks()
{
    for (;;) {
        const qsizetype line = m_in.indexOf("\r\n");
        if (line < 0)
            return false;
        bool ok = false;
        const qsizetype size = m_in.left(line).trimmed().toLongLong(&ok, 16);
        if (!ok || size < 0)
            return fail(QStringLiteral("a chunk without its length"));
        if (m_in.size() < line + 2 + size + 2)
            return false;
        m_answer.body += m_in.mid(line + 2, size);
        m_in.remove(0, line + 2 + size + 2);
        if (size == 0)
            return true;
    }
}

/// True when all of the body is there.
bool RawExchange::takeBody()
{
    if (m_framing == Framing::Chunked)
        return takeChunks();
    const qsizetype take = m_framing == Framing::Length ? std::min(m_left, qint64(m_in.size())) : m_in.size();
    m_answer.body += m_in.left(take);
    m_in.remove(0, take);
    m_left -= take;
    return m_framing == Framing::Length ? m_left <= 0 : m_closed;
}

bool RawExchange::readBody(const std::function<bool(const QByteArray &)> &enough)
{
    while (!m_answer.complete) {
        m_answer.complete = takeBody();
        if (m_answer.complete || (enough && enough(m_answer.body)))
            return true;
        if (!m_answer.problem.isEmpty() || !fill())
            return false;
    }
    return true;
}

RawAnswer exchange(const RawEndpoint &endpoint, const RawRequest &request)
{
    RawExchange one(endpoint);
    if (request.method == "HEAD") {
        one.send(request);
        return one.answer();
    }
    if (one.send(request))
        one.readBody();
    return one.answer();
}

} // namespace tongchi::twins
