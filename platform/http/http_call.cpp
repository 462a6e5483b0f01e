#include "platform/http/http_call.h"

#include "platform/http/request_rules.h"
#include "platform/http/stream_connection.h"
#include "platform/http/tls_configuration.h"
#include "platform/http/transport_error.h"

#include <QNetworkAccessManager>
#include <QNetworkReply>
#include <QNetworkRequest>

namespace tongchi {

namespace {

constexpr qint64 replyBufferBytes = 1024 * 1024;
constexpr qint64 reserveLimitBytes = 16 * 1024 * 1024;

/// QNetworkRequest keeps one value a name.
bool repeatsHeader(const HeaderList &headers)
{
    for (qsizetype i = 0; i < headers.size(); ++i) {
        for (qsizetype j = 0; j < i; ++j) {
            if (headers.at(i).first.compare(headers.at(j).first, Qt::CaseInsensitive) == 0)
                return true;
        }
    }
    return false;
}

QAbstractSocket::SocketError socketErrorOf(QNetworkReply::NetworkError code)
{
    switch (code) {
    case QNetworkReply::ConnectionRefusedError: return QAbstractSocket::ConnectionRefusedError;
    case QNetworkReply::RemoteHostClosedError: return QAbstractSocket::RemoteHostClosedError;
    case QNetworkReply::HostNotFoundError: return QAbstractSocket::HostNotFoundError;
    case QNetworkReply::ProxyConnectionRefusedError: return QAbstractSocket::ProxyConnectionRefusedError;
    case QNetworkReply::ProxyConnectionClosedError: return QAbstractSocket::ProxyConnectionClosedError;
    case QNetworkReply::ProxyNotFoundError: return QAbstractSocket::ProxyNotFoundError;
    case QNetworkReply::ProxyTimeoutError: return QAbstractSocket::ProxyConnectionTimeoutError;
    case QNetworkReply::ProxyAuthenticationRequiredError: return QAbstractSocket::ProxyAuthenticationRequiredError;
    case QNetworkReply::UnknownProxyError: return QAbstractSocket::ProxyProtocolError;
    default: return QAbstractSocket::UnknownSocketError;
    }
}

/// The server answered, with a status that Qt counts as an error. Qt's word for 400 and 418 is an invalid operation.
bool isStatusError(QNetworkReply::NetworkError code, int status)
{
    if (code == QNetworkReply::ProtocolInvalidOperationError)
        return status == 400 || status == 418;
    return code >= QNetworkReply::ContentAccessDenied && code <= QNetworkReply::UnknownServerError
        && code != QNetworkReply::ProtocolUnknownError && code != QNetworkReply::ProtocolFailure;
}

} // namespace

HttpCall::HttpCall(const ConnectionSettings &settings, HttpCallEnvironment *environment, const HttpRequest &request,
                   QObject *parent)
    : QObject(parent), m_settings(settings), m_environment(environment), m_request(request)
{
    m_promise.start();
    m_timer.setSingleShot(true);
    m_connectTimer.setSingleShot(true);
    connect(&m_timer, &QTimer::timeout, this, &HttpCall::onTimeout);
    connect(&m_connectTimer, &QTimer::timeout, this, [this] {
        dropReply();
        finish(tl::unexpected(connectTimeoutError(m_settings.server, m_settings.connectTimeout)));
    });
    connect(&m_watcher, &QFutureWatcherBase::canceled, this, [this] {
        dropReply();
        finish(failure({.code = ErrorCode::Cancelled, .subject = displayUrl(m_url)}));
    });
    m_watcher.setFuture(m_promise.future());
}

HttpCall::~HttpCall()
{
    m_watcher.disconnect(this);
    dropReply();
    if (!m_handedOver) {
        QPromise<Result<HttpResponse>> promise = std::move(m_promise);
        promise.future().cancel();
        promise.finish();
    }
}

void HttpCall::start()
{
    if (m_done)
        return;
    if (const Status good = checkServer(m_settings.server); !good)
        return finish(tl::unexpected(good.error()));
    m_url = urlBelow(m_settings.server, m_request.path);
    // The manager sends a request again by itself when a connection breaks, whatever it does, and knows no repeated
    // header fields: such requests take the other client, with its credential handling.
    if (!m_request.repeatable || repeatsHeader(requestHeaders(m_settings, m_request, {})))
        sendOverStream();
    else
        askCredential(false);
}

void HttpCall::askCredential(bool rejected)
{
    m_timer.stop();
    if (!m_settings.credentials || !mayCarryCredential(m_url))
        return send();
    m_settings.credentials->credential(rejected)
        .then(this, [this](const Result<Credential> &credential) { useCredential(credential); })
        .onCanceled(this, [this] { useCredential(tl::unexpected(noCredentialError(m_url))); });
}

void HttpCall::useCredential(const Result<Credential> &credential)
{
    if (m_done)
        return;
    if (!credential)
        return finish(tl::unexpected(credential.error()));
    m_credential = *credential;
    send();
}

void HttpCall::send()
{
    const HeaderList headers = requestHeaders(m_settings, m_request, m_credential.authorization);
    if (const Status good = checkRequest(m_url, m_request, headers); !good)
        return finish(tl::unexpected(good.error()));
    m_response = {};
    m_encodedLength = -1;
    m_received = 0;
    m_inflate.reset();
    m_sslErrors.clear();
    // The time that the operator needs to agree to a credential plug-in, or the plug-in to run, is not the server's.
    if (!m_elapsed.isValid())
        m_elapsed.start();
    if (m_request.timeout.count() > 0)
        m_timer.start(m_request.timeout);
    sendOverManager(headers);
}

void HttpCall::sendOverManager(const HeaderList &headers)
{
    const Result<QSslConfiguration> tls = m_environment->prepare(m_credential);
    if (!tls)
        return finish(tl::unexpected(tls.error()));
    const QString proxyScheme = m_settings.proxy.url.scheme();
    if (proxyScheme == QLatin1String("https"))
        return finish(tl::unexpected(proxyUnsupportedError(m_settings, m_url)));

    QNetworkRequest request(m_url);
    // Accept-Encoding is among them, so the manager does not decode: it takes a body that was cut or damaged for whole.
    for (const auto &[name, value] : headers)
        request.setRawHeader(name, value);
    if (m_url.scheme() == QLatin1String("http") && proxyScheme == QLatin1String("http")) {
        // For requests in absolute form the manager forgets the proxy's user.
        if (const QByteArray proxy = StreamConnection::proxyAuthorization(m_settings.proxy); !proxy.isEmpty())
            request.setRawHeader("Proxy-Authorization", proxy);
    }
    request.setAttribute(QNetworkRequest::RedirectPolicyAttribute, QNetworkRequest::ManualRedirectPolicy);
    request.setAttribute(QNetworkRequest::CookieLoadControlAttribute, QNetworkRequest::Manual);
    request.setAttribute(QNetworkRequest::CookieSaveControlAttribute, QNetworkRequest::Manual);
    request.setAttribute(QNetworkRequest::AuthenticationReuseAttribute, QNetworkRequest::Manual);
    request.setAttribute(QNetworkRequest::CacheLoadControlAttribute, QNetworkRequest::AlwaysNetwork);
    // Under HTTP/2 a read buffer is not respected and one lost connection fails every call at once.
    request.setAttribute(QNetworkRequest::Http2AllowedAttribute, false);
    if (m_url.scheme() == QLatin1String("https")) {
        request.setSslConfiguration(*tls);
        m_hasClientCertificate = !tls->localCertificate().isNull();
        if (!m_settings.tls.serverName.isEmpty())
            request.setPeerVerifyName(m_settings.tls.serverName);
    }

    QNetworkAccessManager *manager = m_environment->manager();
    if (m_request.body.isEmpty() && m_request.method == "GET")
        m_reply = manager->get(request);
    else if (m_request.body.isEmpty() && m_request.method == "HEAD")
        m_reply = manager->head(request);
    else
        m_reply = manager->sendCustomRequest(request, m_request.method, m_request.body);
    m_reply->setReadBufferSize(replyBufferBytes);
    connect(m_reply, &QNetworkReply::socketStartedConnecting, this,
            [this] { m_connectTimer.start(m_settings.connectTimeout); });
    connect(m_reply, &QNetworkReply::requestSent, this, [this] { m_connectTimer.stop(); });
    connect(m_reply, &QNetworkReply::sslErrors, this, [this](const QList<QSslError> &errors) { m_sslErrors = errors; });
    connect(m_reply, &QNetworkReply::metaDataChanged, this, &HttpCall::onReplyHead);
    connect(m_reply, &QIODevice::readyRead, this, &HttpCall::onReplyData);
    connect(m_reply, &QNetworkReply::finished, this, &HttpCall::onReplyFinished);
}

void HttpCall::onReplyHead()
{
    m_connectTimer.stop();
    const QByteArray length = m_reply->rawHeader("Content-Length");
    bool isNumber = false;
    const qint64 announced = length.toLongLong(&isNumber);
    m_encodedLength = isNumber ? announced : -1;
    const auto coding = InflateStream::codingOf(m_reply->rawHeader("Content-Encoding"));
    m_inflate.reset();
    if (coding == InflateStream::Coding::Unknown) {
        dropReply();
        return finish(tl::unexpected(badAnswerError(m_url, QStringLiteral("the content coding is not known"))));
    }
    if (coding != InflateStream::Coding::Identity)
        m_inflate.emplace(coding);
    if (isNumber && announced > m_request.bodyLimit && m_request.method != "HEAD") {
        dropReply();
        return finish(tl::unexpected(bodyTooLargeError(m_url, m_request.bodyLimit)));
    }
    if (isNumber && announced > 0)
        m_response.body.reserve(qsizetype(qMin(announced, reserveLimitBytes)));
}

bool HttpCall::appendBody(const char *bytes, qint64 size)
{
    if (m_response.body.size() + size > m_request.bodyLimit) {
        dropReply();
        finish(tl::unexpected(bodyTooLargeError(m_url, m_request.bodyLimit)));
        return false;
    }
    m_response.body.append(bytes, qsizetype(size));
    return true;
}

void HttpCall::onReplyData()
{
    char buffer[64 * 1024];
    while (m_reply && m_reply->bytesAvailable() > 0) {
        const qint64 count = m_reply->read(buffer, sizeof buffer);
        if (count <= 0)
            return;
        m_received += count;
        std::string_view input(buffer, size_t(count));
        if (!m_inflate) {
            if (!appendBody(buffer, count))
                return;
            continue;
        }
        InflateStream::Event event = InflateStream::Event::NeedMore;
        while ((event = m_inflate->next(input)) == InflateStream::Event::Data) {
            if (!appendBody(m_inflate->data().data(), qint64(m_inflate->data().size())))
                return;
        }
        if (event == InflateStream::Event::Failed) {
            dropReply();
            return finish(tl::unexpected(badAnswerError(m_url, QString::fromLatin1(m_inflate->problem()))));
        }
    }
}

void HttpCall::onReplyFinished()
{
    if (m_done || !m_reply)
        return;
    onReplyData();
    if (!m_reply)
        return;
    const QNetworkReply::NetworkError code = m_reply->error();
    m_response.status = m_reply->attribute(QNetworkRequest::HttpStatusCodeAttribute).toInt();
    if (m_response.status == 0 || (code != QNetworkReply::NoError && !isStatusError(code, m_response.status))) {
        const Error error = replyError();
        dropReply();
        return finish(tl::unexpected(error));
    }
    m_response.headers = m_reply->rawHeaderPairs();
    if (m_response.status / 100 == 1) { // the manager takes "103 Early Hints" for the answer
        dropReply();
        return finish(tl::unexpected(badAnswerError(m_url, QStringLiteral("an interim answer instead of the answer"))));
    }
    const bool bodyless = m_request.method == "HEAD" || m_response.status == 204 || m_response.status == 304;
    const bool cut = !bodyless && m_encodedLength >= 0 && m_received != m_encodedLength;
    if (cut || (m_inflate && !m_inflate->complete())) {
        dropReply();
        return finish(tl::unexpected(cutBodyError(
            m_url, cut ? QStringLiteral("fewer bytes than Content-Length says") : QStringLiteral("the compressed body has no end"))));
    }
    dropReply();
    onAnswer();
}

/// A whole answer is here; it may be a 401 that a new credential cures, or a redirect.
void HttpCall::onAnswer()
{
    if (m_response.status == 401 && m_settings.credentials && mayCarryCredential(m_url) && !m_renewed) {
        m_renewed = true;
        return askCredential(true);
    }
    const auto target = redirectTarget(m_url, m_request.method, m_response.status, m_response.headers);
    if (!target)
        return finish(tl::unexpected(target.error()));
    if (target->has_value()) {
        if (++m_redirects > maxRedirects)
            return finish(tl::unexpected(tooManyRedirectsError(m_url)));
        m_url = **target;
        return send();
    }
    m_response.elapsed = std::chrono::microseconds(m_elapsed.nsecsElapsed() / 1000);
    m_response.serverTime = parseHttpDate(headerValue(m_response.headers, "Date"));
    finish(std::move(m_response));
}

Error HttpCall::replyError() const
{
    const QNetworkReply::NetworkError code = m_reply->error();
    const QString detail = m_reply->errorString();
    if (isClientCertificateAlert(detail))
        return handshakeError(m_url, detail, m_hasClientCertificate);
    switch (code) {
    case QNetworkReply::SslHandshakeFailedError:
        if (!m_sslErrors.isEmpty() && !m_settings.tls.skipVerification) {
            QSslCertificate certificate = m_reply->sslConfiguration().peerCertificate();
            if (certificate.isNull())
                certificate = m_sslErrors.first().certificate();
            return certificateError(m_url, tlsPeerName(m_settings, m_url), m_sslErrors, certificate);
        }
        return handshakeError(m_url, detail, m_hasClientCertificate);
    case QNetworkReply::RemoteHostClosedError:
        return m_reply->attribute(QNetworkRequest::HttpStatusCodeAttribute).toInt() > 0 ? cutBodyError(m_url, detail)
                                                                                        : lostConnectionError(m_url, detail);
    case QNetworkReply::ProtocolUnknownError:
    case QNetworkReply::ProtocolInvalidOperationError:
    case QNetworkReply::ProtocolFailure: return badAnswerError(m_url, detail);
    default: qWarning("code %d", int(code)); return connectionError(m_settings, m_url, socketErrorOf(code), detail);
    }
}

void HttpCall::sendOverStream()
{
    m_elapsed.start();
    m_stream = m_environment->streamClient()->open(m_request, this, m_request.timeout);
}

void HttpCall::onHeaders(int status, const HeaderList &headers)
{
    m_response.status = status;
    m_response.headers = headers;
}

void HttpCall::onData(std::string_view bytes, Monotonic)
{
    appendBody(bytes.data(), qint64(bytes.size()));
}

void HttpCall::onFinished(const Status &status)
{
    if (!status)
        return finish(tl::unexpected(status.error()));
    m_renewed = true;                 // the other client did both already
    m_redirects = maxRedirects;
    onAnswer();
}

void HttpCall::onTimeout()
{
    dropReply();
    finish(tl::unexpected(answerTimeoutError(m_url, m_request.timeout)));
}

void HttpCall::dropReply()
{
    m_connectTimer.stop();
    m_stream.reset();
    QNetworkReply *reply = m_reply;
    m_reply = nullptr;
    if (!reply)
        return;
    reply->disconnect(this);
    if (!reply->isFinished())
        reply->abort();
    reply->deleteLater();
}

void HttpCall::finish(Result<HttpResponse> result)
{
    if (m_done)
        return;
    m_done = true;
    m_timer.stop();
    m_connectTimer.stop();
    m_watcher.disconnect(this);
    // From the event loop: a continuation may delete the client, and with it this call, while Qt is still in a signal.
    QMetaObject::invokeMethod(
        this, [this, kept = std::move(result)]() mutable { handOver(std::move(kept)); }, Qt::QueuedConnection);
}

void HttpCall::handOver(Result<HttpResponse> result)
{
    m_handedOver = true;
    QPromise<Result<HttpResponse>> promise = std::move(m_promise);
    deleteLater();
    promise.addResult(std::move(result));
    promise.finish(); // nothing of this object is touched after it
}

} // namespace tongchi
