#include "platform/http/stream_client.h"

#include "platform/http/stream_connection.h"
#include "platform/http/stream_exchange.h"
#include "platform/http/tls_configuration.h"

#include <QCryptographicHash>
#include <QPointer>
#include <QSslSocket>
#include <QTimer>
#include <algorithm>
#include <vector>

namespace tongchi {

namespace {

constexpr auto idleConnectionLife = std::chrono::seconds(30);
constexpr size_t maxIdleConnections = 8;

struct IdleConnection
{
    StreamConnection *connection = nullptr;
    /// Wall clock: the monotonic one stands still while the machine sleeps, and then the connection is dead
    /// for sure.
    std::chrono::system_clock::time_point since;
};

class ExchangeHandle final : public StreamHandle
{
public:
    explicit ExchangeHandle(StreamExchange *exchange)
        : m_exchange(exchange), m_lastByteAt(exchange->lastByteAt())
    {
    }
    ~ExchangeHandle() override
    {
        if (m_exchange)
            m_exchange->cancel();
    }
    void pause() override
    {
        if (m_exchange)
            m_exchange->pause();
    }
    void resume() override
    {
        if (m_exchange)
            m_exchange->resume();
    }
    Monotonic lastByteAt() const override { return *m_lastByteAt; }

private:
    QPointer<StreamExchange> m_exchange;
    std::shared_ptr<const Monotonic> m_lastByteAt;
};

} // namespace

struct StreamClient::Private final : StreamConnectionPool
{
    Private(StreamClient *client, ConnectionSettings connectionSettings)
        : q(client), settings(std::move(connectionSettings))
    {
    }

    Result<StreamConnection *> acquire(const Credential &credential, bool fresh) override
    {
        const QByteArray identity =
            credential.certificatePem.isEmpty()
                ? QByteArray()
                : QCryptographicHash::hash(QByteArray(credential.certificatePem + credential.keyPem),
                                           QCryptographicHash::Sha256);
        dropStale();
        while (!fresh && !idle.empty()) {
            StreamConnection *connection = idle.back().connection;
            idle.pop_back();
            connection->disconnect(q);
            if (connection->isReady() && connection->clientIdentity() == identity && connection->isQuiet())
                return connection;
            connection->abandon();
        }
        QSslConfiguration tls;
        if (settings.server.scheme() == QLatin1String("https")) {
            if (!tlsConfiguration || tlsIdentity != identity) {
                const Result<QSslConfiguration> made = makeTlsConfiguration(settings, credential);
                if (!made)
                    return tl::unexpected(made.error());
                tlsConfiguration = *made;
                tlsIdentity = identity;
            }
            tls = *tlsConfiguration;
        }
        auto *connection = new StreamConnection(settings, q);
        connection->open(tls, identity);
        return connection;
    }

    void giveBack(StreamConnection *connection, bool reusable) override
    {
        if (!reusable || !connection->isReady() || idle.size() >= maxIdleConnections) {
            connection->abandon();
            return;
        }
        const auto drop = [this, connection] {
            std::erase_if(idle,
                          [connection](const IdleConnection &one) { return one.connection == connection; });
            connection->disconnect(q);
            connection->abandon();
        };
        QObject::connect(connection, &StreamConnection::closed, q, drop);
        QObject::connect(connection, &StreamConnection::readable, q, drop);
        idle.push_back({connection, std::chrono::system_clock::now()});
        if (!idleTimer.isActive())
            idleTimer.start(idleConnectionLife);
    }

    void countReceived(qint64 bytes) override { received += bytes; }

    void dropIdle() override
    {
        for (const IdleConnection &one : std::exchange(idle, {})) {
            one.connection->disconnect(q);
            one.connection->abandon();
        }
    }

    void dropStale()
    {
        const auto now = std::chrono::system_clock::now();
        std::erase_if(idle, [this, now](const IdleConnection &one) {
            if (now - one.since < idleConnectionLife && now >= one.since)
                return false;
            one.connection->disconnect(q);
            one.connection->abandon();
            return true;
        });
        if (!idle.empty())
            idleTimer.start(idleConnectionLife);
    }

    StreamClient *q;
    ConnectionSettings settings;
    std::vector<IdleConnection> idle;
    std::vector<StreamExchange *> exchanges;
    std::optional<QSslConfiguration> tlsConfiguration;
    QByteArray tlsIdentity;
    QTimer idleTimer;
    qint64 received = 0;
};

StreamClient::StreamClient(ConnectionSettings settings, QObject *parent)
    : QObject(parent), d(std::make_unique<Private>(this, std::move(settings)))
{
    d->idleTimer.setParent(this); // moves to another thread together with the client
    d->idleTimer.setSingleShot(true);
    connect(&d->idleTimer, &QTimer::timeout, this, [this] { d->dropStale(); });
}

StreamClient::~StreamClient()
{
    bool insideSink = false;
    for (StreamExchange *exchange : std::exchange(d->exchanges, {})) {
        insideSink = insideSink || exchange->isCalling();
        exchange->disconnect(this);
        exchange->cancel();
    }
    for (const IdleConnection &one : std::exchange(d->idle, {})) {
        if (insideSink)
            one.connection->abandon(); // we may be inside a signal of the one that has just been given back
        else
            delete one.connection; // now: the thread may have no event loop any more
    }
    d->idleTimer.setParent(nullptr);
}

std::unique_ptr<StreamHandle> StreamClient::open(const HttpRequest &request, StreamSink *sink,
                                                 std::chrono::milliseconds idleTimeout)
{
    auto *exchange = new StreamExchange(d->settings, d.get(), request, sink, idleTimeout);
    d->exchanges.push_back(exchange);
    connect(exchange, &QObject::destroyed, this, [this, exchange] { std::erase(d->exchanges, exchange); });
    // Queued: the caller has its handle before the first call to the sink.
    QMetaObject::invokeMethod(exchange, &StreamExchange::start, Qt::QueuedConnection);
    return std::make_unique<ExchangeHandle>(exchange);
}

void StreamClient::dropIdleConnections()
{
    d->dropIdle();
}

const ConnectionSettings &StreamClient::settings() const
{
    return d->settings;
}

qint64 StreamClient::bytesReceived() const
{
    return d->received;
}

} // namespace tongchi
