#pragma once

#include "platform/core/result.h"
#include "platform/simulator/http_connection.h"

#include <QObject>
#include <QSslConfiguration>
#include <memory>

QT_BEGIN_NAMESPACE
class QTcpServer;
class QTcpSocket;
QT_END_NAMESPACE

namespace tongchi::simulator {

/// An HTTP/1.1 server on loopback only (127.0.0.1, and ::1 where the machine has it), plain or TLS. Lives in
/// one thread; the handler is called there.
class HttpServer final : public QObject
{
    Q_OBJECT

public:
    explicit HttpServer(HttpHandler handler, QObject *parent = nullptr);
    ~HttpServer() override;

    void setTls(const QSslConfiguration &configuration);
    void setLimits(HttpLimits limits) { m_limits = limits; }

    /// Port 0: any free one. Fails with Storage-free Network errors that name the port.
    [[nodiscard]] Status listen(quint16 port);
    /// Stops listening; connections stay unless dropped too.
    void close();
    bool isListening() const;
    quint16 port() const { return m_port; }

    void dropConnections();
    /// Does one of the network's faults; others change nothing.
    void injectFault(const InjectedFault &fault);
    int connectionCount() const { return int(m_connections.size()); }

private:
    class Listener;
    void take(qintptr descriptor);

    HttpHandler m_handler;
    LinkFaults m_faults;
    std::vector<std::unique_ptr<QTcpSocket>> m_unanswered; ///< came while the way was silent
    HttpLimits m_limits;
    QSslConfiguration m_tls;
    bool m_useTls = false;
    quint16 m_port = 0;
    std::vector<std::unique_ptr<QTcpServer>> m_listeners;
    std::vector<HttpConnection *> m_connections;
};

} // namespace tongchi::simulator
