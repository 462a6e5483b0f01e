#pragma once

#include "platform/core/result.h"
#include "platform/http/connection_settings.h"
#include "platform/http/http_parser.h"

#include <QObject>
#include <QSslConfiguration>
#include <QSslError>
#include <QTimer>

class QSslSocket;

namespace tongchi {

/// One socket to the server, made ready for requests: TCP, then CONNECT through an http proxy or SOCKS, then
/// TLS. Ends in exactly one of ready() and failed(); after ready(), closed() comes once when the other side
/// is gone.
class StreamConnection : public QObject
{
    Q_OBJECT
public:
    /// Bytes that may wait in the socket; beyond it the window closes and the server waits.
    static constexpr qint64 readBufferBytes = 256 * 1024;

    StreamConnection(const ConnectionSettings &settings, QObject *parent);
    ~StreamConnection() override;

    /// `clientIdentity` tells connections with different client certificates apart.
    void open(const QSslConfiguration &tls, const QByteArray &clientIdentity);
    /// Cuts it now and deletes it later: one may be inside one of its signals.
    void abandon();
    QSslSocket *socket() const { return m_socket; }
    const QByteArray &clientIdentity() const { return m_clientIdentity; }
    bool isReady() const { return m_stage == Stage::Ready; }
    /// Nothing lies in the socket, not even its end, of which the event loop has not told yet: what waits for
    /// a request must be so, or the server has left it.
    bool isQuiet() const;
    /// Requests are sent to an http proxy in absolute form (no tunnel for plain http).
    bool forwardsThroughProxy() const { return m_forwarding; }
    /// Value of Proxy-Authorization; empty without a proxy user.
    static QByteArray proxyAuthorization(const ProxySettings &proxy);
    /// What went wrong after ready(), in words.
    Error lossError(bool started) const;

    /// The number of requests that were answered on it.
    int answered = 0;

Q_SIGNALS:
    void ready();
    void failed(const tongchi::Error &error);
    void readable();
    void closed();

private:
    enum class Stage { Idle, Connecting, ProxyAnswer, Handshake, Ready, Ended };

    void onConnected();
    void onReadyRead();
    void readProxyAnswer();
    void startTls();
    void becomeReady();
    void onSslErrors(const QList<QSslError> &errors);
    void onSocketError();
    void endWith(const Error &error);

    ConnectionSettings m_settings;
    QSslSocket *m_socket = nullptr;
    QTimer m_limit;
    HttpParser m_proxyParser{HttpParser::Request::Connect};
    QByteArray m_clientIdentity;
    QList<QSslError> m_sslErrors;
    Stage m_stage = Stage::Idle;
    bool m_tunnel = false;
    bool m_forwarding = false;
    bool m_hasClientCertificate = false;
};

} // namespace tongchi
