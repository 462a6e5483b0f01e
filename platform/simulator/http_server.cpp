#include "platform/simulator/http_server.h"

#include <QSslSocket>
#include <QTcpServer>
#include <QtCore/qcoreapplication.h>

namespace tongchi::simulator {

class HttpServer::Listener final : public QTcpServer
{
public:
    explicit Listener(HttpServer *server) : m_server(server) { setListenBacklogSize(512); }

protected:
    void incomingConnection(qintptr descriptor) override { m_server->take(descriptor); }

private:
    HttpServer *m_server;
};

HttpServer::HttpServer(HttpHandler handler, QObject *parent) : QObject(parent), m_handler(std::move(handler))
{
}

HttpServer::~HttpServer()
{
    close();
    dropConnections();
}

void HttpServer::setTls(const QSslConfiguration &configuration)
{
    m_tls = configuration;
    m_useTls = true;
}

Status HttpServer::listen(quint16 port)
{
    // With any free port the same number must be free in both families, so a few are tried.
    for (int attempt = 0; attempt < 8; ++attempt) {
        auto v4 = std::make_unique<Listener>(this);
        if (!v4->listen(QHostAddress(QHostAddress::LocalHost), port)) {
            const int wanted = port;
            return failure({.code = ErrorCode::Network,
                            .text = QT_TRANSLATE_NOOP("Error", "The embedded pool cannot listen on port %1."),
                            .arguments = {QString::number(wanted)},
                            .remedy = QT_TRANSLATE_NOOP(
                                "Error", "Choose another port, or leave it out to take any free one."),
                            .subject = QStringLiteral("127.0.0.1:%1").arg(wanted),
                            .detail = v4->errorString()});
        }
        m_port = v4->serverPort();
        auto v6 = std::make_unique<Listener>(this);
        if (!v6->listen(QHostAddress(QHostAddress::LocalHostIPv6), m_port)) {
            if (v6->serverError() == QAbstractSocket::AddressInUseError && port == 0)
                continue;
            v6.reset(); // a machine without IPv6 is served on IPv4 alone
        }
        m_listeners.push_back(std::move(v4));
        if (v6)
            m_listeners.push_back(std::move(v6));
        return {};
    }
    return failure({.code = ErrorCode::Network,
                    .text = QT_TRANSLATE_NOOP("Error", "The embedded pool found no free port."),
                    .remedy = QT_TRANSLATE_NOOP("Error", "Name a port that is free on 127.0.0.1 and ::1.")});
}

void HttpServer::close()
{
    m_listeners.clear();
}

bool HttpServer::isListening() const
{
    return !m_listeners.empty();
}

void HttpServer::take(qintptr descriptor)
{
    QTcpSocket *socket = nullptr;
    if (m_faults.isSilent(std::chrono::steady_clock::now())) {
        auto silent = std::make_unique<QTcpSocket>();
        silent->setSocketDescriptor(descriptor);
        silent->setReadBufferSize(1);
        m_unanswered.push_back(std::move(silent));
        return;
    }
    if (m_useTls) {
        auto *ssl = new QSslSocket;
        socket = ssl;
        if (ssl->setSocketDescriptor(descriptor)) {
            ssl->setSslConfiguration(m_tls);
            ssl->startServerEncryption();
        }
    } else {
        socket = new QTcpSocket;
        socket->setSocketDescriptor(descriptor);
    }
    if (socket->state() != QAbstractSocket::ConnectedState) {
        delete socket;
        return;
    }
    socket->setSocketOption(QAbstractSocket::LowDelayOption, 1);
    auto *connection = new HttpConnection(socket, m_handler, m_limits, m_faults, this);
    m_connections.push_back(connection);
    connect(connection, &QObject::destroyed, this,
            [this, connection] { std::erase(m_connections, connection); });
}

void HttpServer::dropConnections()
{
    m_unanswered.clear();
    for (HttpConnection *connection : std::vector<HttpConnection *>(m_connections))
        connection->abort();
}

void HttpServer::injectFault(const InjectedFault &fault)
{
    const auto now = std::chrono::steady_clock::now();
    m_faults.begin(fault, now);
    const bool breaks = fault.fault == PoolFault::Cut || fault.fault == PoolFault::Reset;
    for (HttpConnection *connection : std::vector<HttpConnection *>(m_connections)) {
        if (breaks)
            connection->wire().breakAfter({fault.afterBytes, fault.fault == PoolFault::Reset});
        else if (fault.fault == PoolFault::HalfOpen && (connection->isStreaming() || m_faults.isSilent(now)))
            connection->freeze();
        else if (fault.fault == PoolFault::Alive)
            connection->wire().hurry();
    }
}

} // namespace tongchi::simulator
