#include "platform/http/http_client.h"

#include "platform/http/http_call.h"
#include "platform/http/request_rules.h"
#include "platform/http/tls_configuration.h"

#include <QCryptographicHash>
#include <QNetworkAccessManager>
#include <QNetworkProxy>

namespace tongchi {

namespace {

QNetworkProxy managerProxy(const ProxySettings &proxy)
{
    const QUrl &url = proxy.url;
    if (url.isEmpty())
        return QNetworkProxy::NoProxy;
    const bool socks = url.scheme().startsWith(QLatin1String("socks5"));
    return QNetworkProxy(socks ? QNetworkProxy::Socks5Proxy : QNetworkProxy::HttpProxy, url.host(),
                         quint16(url.port(socks ? 1080 : 80)), url.userName(QUrl::FullyDecoded),
                         url.password(QUrl::FullyDecoded));
}

} // namespace

struct HttpClient::Private final : HttpCallEnvironment
{
    Private(HttpClient *client, ConnectionSettings connectionSettings)
        : q(client), settings(std::move(connectionSettings))
    {
    }

    QNetworkAccessManager *manager() override
    {
        if (!network) { // late: it starts a thread
            network = new QNetworkAccessManager(q);
            network->setProxy(managerProxy(settings.proxy));
            network->setAutoDeleteReplies(false);
        }
        return network;
    }

    StreamClient *streamClient() override
    {
        if (!streams)
            streams = new StreamClient(settings, q);
        return streams;
    }

    Result<QSslConfiguration> prepare(const Credential &credential) override
    {
        if (settings.server.scheme() != QLatin1String("https"))
            return QSslConfiguration();
        const QByteArray pair = credential.certificatePem + credential.keyPem;
        const QByteArray shown = pair.isEmpty() ? pair : QCryptographicHash::hash(pair, QCryptographicHash::Sha256);
        if (tls && shown == identity)
            return *tls;
        const Result<QSslConfiguration> made = makeTlsConfiguration(settings, credential);
        if (!made)
            return tl::unexpected(made.error());
        // The manager would go on with connections that show the old certificate.
        if (tls && network)
            network->clearConnectionCache();
        tls = *made;
        identity = shown;
        return *tls;
    }

    HttpClient *q;
    ConnectionSettings settings;
    QNetworkAccessManager *network = nullptr;
    StreamClient *streams = nullptr;
    std::optional<QSslConfiguration> tls;
    QByteArray identity;
};

HttpClient::HttpClient(ConnectionSettings settings, QObject *parent)
    : QObject(parent), d(std::make_unique<Private>(this, std::move(settings)))
{
}

HttpClient::~HttpClient()
{
    // Calls first: they hold replies of the manager and streams of the stream client.
    qDeleteAll(findChildren<HttpCall *>(Qt::FindDirectChildrenOnly));
}

QFuture<Result<HttpResponse>> HttpClient::send(const HttpRequest &request)
{
    auto *call = new HttpCall(d->settings, d.get(), request, this);
    // Queued: the future must not be finished on return.
    QMetaObject::invokeMethod(call, &HttpCall::start, Qt::QueuedConnection);
    return call->future();
}

const ConnectionSettings &HttpClient::settings() const
{
    return d->settings;
}

} // namespace tongchi
