#include "platform/http/stream_connection.h"

#include "platform/http/request_rules.h"
#include "platform/http/tls_configuration.h"
#include "platform/http/transport_error.h"

#include <QNetworkProxy>
#include <QSslSocket>
#include <cerrno>
#include <sys/socket.h>

namespace tongchi {

StreamConnection::StreamConnection(const ConnectionSettings &settings, QObject *parent)
    : QObject(parent), m_settings(settings), m_socket(new QSslSocket(this))
{
    m_limit.setSingleShot(true);
    connect(&m_limit, &QTimer::timeout, this,
            [this] { endWith(connectTimeoutError(m_settings.server, m_settings.connectTimeout)); });
    connect(m_socket, &QAbstractSocket::connected, this, &StreamConnection::onConnected);
    connect(m_socket, &QSslSocket::encrypted, this, &StreamConnection::becomeReady);
    connect(m_socket, &QIODevice::readyRead, this, &StreamConnection::onReadyRead);
    connect(m_socket, &QSslSocket::sslErrors, this, &StreamConnection::onSslErrors);
    connect(m_socket, &QAbstractSocket::errorOccurred, this, &StreamConnection::onSocketError);
    connect(m_socket, &QAbstractSocket::disconnected, this, &StreamConnection::onSocketError);
}

StreamConnection::~StreamConnection()
{
    m_socket->disconnect(this);
    m_socket->abort();
}

void StreamConnection::abandon()
{
    m_stage = Stage::Ended;
    m_limit.stop();
    m_socket->disconnect(this);
    m_socket->abort();
    setParent(nullptr); // it may outlive the client for a moment
    deleteLater();
}

QByteArray StreamConnection::proxyAuthorization(const ProxySettings &proxy)
{
    if (proxy.url.userName().isEmpty() && proxy.url.password().isEmpty())
        return {};
    const QString pair =
        proxy.url.userName(QUrl::FullyDecoded) + u':' + proxy.url.password(QUrl::FullyDecoded);
    return "Basic " + pair.toUtf8().toBase64();
}

void StreamConnection::open(const QSslConfiguration &tls, const QByteArray &clientIdentity)
{
    m_clientIdentity = clientIdentity;
    m_hasClientCertificate = !tls.localCertificate().isNull();
    m_stage = Stage::Connecting;
    m_limit.start(m_settings.connectTimeout);

    const QUrl &server = m_settings.server;
    const QUrl &proxy = m_settings.proxy.url;
    const bool encrypted = server.scheme() == QLatin1String("https");
    m_socket->setSslConfiguration(tls);
    m_socket->setPeerVerifyName(tlsPeerName(m_settings, server));
    m_socket->setReadBufferSize(readBufferBytes);
    m_socket->setProxy(QNetworkProxy::NoProxy);
    QString host = server.host();
    auto port = quint16(portOf(server));
    if (proxy.scheme() == QLatin1String("http")) {
        m_tunnel = encrypted;
        m_forwarding = !encrypted;
        host = proxy.host();
        port = quint16(portOf(proxy));
    } else if (proxy.scheme() == QLatin1String("socks5") || proxy.scheme() == QLatin1String("socks5h")) {
        m_socket->setProxy(QNetworkProxy(QNetworkProxy::Socks5Proxy, proxy.host(), quint16(proxy.port(1080)),
                                         proxy.userName(QUrl::FullyDecoded),
                                         proxy.password(QUrl::FullyDecoded)));
    } else if (!proxy.isEmpty()) {
        QMetaObject::invokeMethod(
            this, [this] { endWith(proxyUnsupportedError(m_settings, m_settings.server)); },
            Qt::QueuedConnection);
        return;
    }
    m_socket->connectToHost(host, port);
}

void StreamConnection::onConnected()
{
    if (m_stage != Stage::Connecting)
        return;
    m_socket->setSocketOption(QAbstractSocket::LowDelayOption, 1);
    m_socket->setSocketOption(QAbstractSocket::KeepAliveOption, 1);
    if (m_tunnel) {
        m_stage = Stage::ProxyAnswer;
        const QByteArray target = authorityOf(m_settings.server).toLatin1();
        QByteArray request = "CONNECT " + target + " HTTP/1.1\r\nHost: " + target + "\r\n";
        if (const QByteArray authorization = proxyAuthorization(m_settings.proxy); !authorization.isEmpty())
            request += "Proxy-Authorization: " + authorization + "\r\n";
        m_socket->write(request + "\r\n");
        return;
    }
    if (m_settings.server.scheme() == QLatin1String("https"))
        startTls();
    else
        becomeReady();
}

void StreamConnection::startTls()
{
    m_stage = Stage::Handshake;
    m_socket->startClientEncryption();
}

void StreamConnection::becomeReady()
{
    m_limit.stop();
    m_stage = Stage::Ready;
    Q_EMIT ready();
}

void StreamConnection::onReadyRead()
{
    if (m_stage == Stage::ProxyAnswer)
        readProxyAnswer();
    else if (m_stage == Stage::Ready)
        Q_EMIT readable();
}

void StreamConnection::readProxyAnswer()
{
    // Byte by byte: whatever follows the proxy's answer already belongs to the TLS handshake.
    char byte = 0;
    while (m_socket->read(&byte, 1) == 1) {
        std::string_view input(&byte, 1);
        switch (m_proxyParser.next(input)) {
        case HttpParser::Event::Headers:
            if (m_proxyParser.status() / 100 != 2)
                endWith(proxyAnswerError(m_settings, m_settings.server, m_proxyParser.status()));
            else
                startTls();
            return;
        case HttpParser::Event::Failed:
            endWith(connectionError(m_settings, m_settings.server, QAbstractSocket::ProxyProtocolError,
                                    QString::fromLatin1(m_proxyParser.problem())));
            return;
        default:
            break;
        }
    }
}

void StreamConnection::onSslErrors(const QList<QSslError> &errors)
{
    // Kept for the words; the socket refuses by itself unless the operator's file turned verification off.
    m_sslErrors = standingErrors(m_settings, errors, m_socket->peerCertificateChain());
    if (m_sslErrors.isEmpty())
        m_socket->ignoreSslErrors(errors);
}

bool StreamConnection::isQuiet() const
{
    if (m_socket->bytesAvailable() > 0)
        return false;
    const auto descriptor = int(m_socket->socketDescriptor());
    if (descriptor < 0)
        return true; // behind SOCKS it is not ours to look at
    char byte = 0;
    return ::recv(descriptor, &byte, 1, MSG_PEEK | MSG_DONTWAIT) < 0 &&
           (errno == EAGAIN || errno == EWOULDBLOCK);
}

Error StreamConnection::lossError(bool started) const
{
    const QUrl &server = m_settings.server;
    const QString detail =
        m_socket->error() == QAbstractSocket::UnknownSocketError ? QString() : m_socket->errorString();
    // TLS 1.3 servers judge the client's certificate only after the handshake is over.
    if (!started && isClientCertificateAlert(detail))
        return handshakeError(server, detail, m_hasClientCertificate);
    return started ? cutBodyError(server, detail) : lostConnectionError(server, detail);
}

void StreamConnection::onSocketError()
{
    const QAbstractSocket::SocketError code = m_socket->error();
    switch (m_stage) {
    case Stage::Idle:
    case Stage::Ended:
        return;
    case Stage::Ready:
        m_stage = Stage::Ended;
        Q_EMIT closed();
        return;
    case Stage::Connecting:
        if (m_tunnel || m_forwarding) {
            endWith(connectionError(m_settings, m_settings.server,
                                    code == QAbstractSocket::HostNotFoundError
                                        ? QAbstractSocket::ProxyNotFoundError
                                        : QAbstractSocket::ProxyConnectionRefusedError,
                                    m_socket->errorString()));
            return;
        }
        endWith(connectionError(m_settings, m_settings.server, code, m_socket->errorString()));
        return;
    case Stage::ProxyAnswer:
        readProxyAnswer();
        if (m_stage == Stage::ProxyAnswer) {
            endWith(connectionError(m_settings, m_settings.server,
                                    QAbstractSocket::ProxyConnectionClosedError, m_socket->errorString()));
        }
        return;
    case Stage::Handshake:
        if (!m_sslErrors.isEmpty() && !m_settings.tls.skipVerification) {
            endWith(certificateError(m_settings.server, tlsPeerName(m_settings, m_settings.server),
                                     m_sslErrors, m_socket->peerCertificate()));
        } else {
            endWith(handshakeError(m_settings.server, m_socket->errorString(), m_hasClientCertificate));
        }
        return;
    }
}

void StreamConnection::endWith(const Error &error)
{
    if (m_stage == Stage::Ended || m_stage == Stage::Ready)
        return;
    m_stage = Stage::Ended;
    m_limit.stop();
    Q_EMIT failed(error);
}

} // namespace tongchi
