#include "platform/http/transport_error.h"

#include "platform/http/request_rules.h"

#include <QtCore/qcoreapplication.h>

namespace tongchi {

namespace {

QString secondsText(std::chrono::milliseconds limit)
{
    return QString::number(double(limit.count()) / 1000.0);
}

Error proxyError(const ConnectionSettings &settings, const QUrl &url, const char *text, const QString &detail)
{
    return {.code = ErrorCode::Network,
            .text = text,
            .arguments = {displayUrl(settings.proxy.url), settings.proxy.source},
            .remedy = QT_TRANSLATE_NOOP("Error", "Check the proxy setting; it comes from %2."),
            .subject = displayUrl(url),
            .detail = detail};
}

} // namespace

Error connectionError(const ConnectionSettings &settings, const QUrl &url, QAbstractSocket::SocketError code,
                      const QString &detail)
{
    switch (code) {
    case QAbstractSocket::ProxyAuthenticationRequiredError:
        return proxyAnswerError(settings, url, 407);
    case QAbstractSocket::ProxyConnectionRefusedError:
    case QAbstractSocket::ProxyConnectionClosedError:
    case QAbstractSocket::ProxyConnectionTimeoutError:
    case QAbstractSocket::ProxyNotFoundError:
    case QAbstractSocket::ProxyProtocolError:
        return proxyError(settings, url, QT_TRANSLATE_NOOP("Error", "The proxy %1 cannot be used."), detail);
    case QAbstractSocket::HostNotFoundError:
        return {.code = ErrorCode::Network,
                .text = QT_TRANSLATE_NOOP("Error", "There is no host of the name %1."),
                .arguments = {url.host()},
                .remedy = QT_TRANSLATE_NOOP("Error", "Check the name, the DNS and whether a VPN is needed."),
                .subject = displayUrl(url),
                .detail = detail};
    case QAbstractSocket::ConnectionRefusedError:
        return {.code = ErrorCode::Network,
                .text = QT_TRANSLATE_NOOP("Error", "Nothing answers at %1: the connection was refused."),
                .arguments = {authorityOf(url)},
                .remedy = QT_TRANSLATE_NOOP("Error", "Check whether the server runs and the port is right."),
                .subject = displayUrl(url),
                .detail = detail};
    case QAbstractSocket::RemoteHostClosedError:
        return lostConnectionError(url, detail);
    default:
        return {.code = ErrorCode::Network,
                .text = QT_TRANSLATE_NOOP("Error", "No connection to %1."),
                .arguments = {authorityOf(url)},
                .remedy = QT_TRANSLATE_NOOP("Error", "Check the network; the connection is tried again."),
                .subject = displayUrl(url),
                .detail = detail};
    }
}

Error proxyAnswerError(const ConnectionSettings &settings, const QUrl &url, int status)
{
    const QString detail = QStringLiteral("the proxy answered with status %1").arg(status);
    if (status == 407) {
        Error error =
            proxyError(settings, url,
                       settings.proxy.url.userName().isEmpty()
                           ? QT_TRANSLATE_NOOP("Error", "The proxy %1 wants a user name and a password.")
                           : QT_TRANSLATE_NOOP("Error", "The proxy %1 refused the user name or password."),
                       detail);
        error.httpStatus = status;
        return error;
    }
    return proxyError(settings, url,
                      QT_TRANSLATE_NOOP("Error", "The proxy %1 does not connect to this server."), detail);
}

Error proxyUnsupportedError(const ConnectionSettings &settings, const QUrl &url)
{
    return {.code = ErrorCode::NotSupported,
            .text = QT_TRANSLATE_NOOP("Error", "A proxy that is itself reached over %1 cannot be used."),
            .arguments = {settings.proxy.url.scheme(), settings.proxy.source},
            .remedy = QT_TRANSLATE_NOOP("Error", "Give an http or socks5 proxy; the setting comes from %2."),
            .subject = displayUrl(url)};
}

Error connectTimeoutError(const QUrl &url, std::chrono::milliseconds limit)
{
    return {.code = ErrorCode::Timeout,
            .text = QT_TRANSLATE_NOOP("Error", "No connection to %1 within %2 s."),
            .arguments = {authorityOf(url), secondsText(limit)},
            .remedy =
                QT_TRANSLATE_NOOP("Error", "Check the address, the network and whether a VPN is needed."),
            .subject = displayUrl(url)};
}

Error answerTimeoutError(const QUrl &url, std::chrono::milliseconds limit)
{
    return {.code = ErrorCode::Timeout,
            .text = QT_TRANSLATE_NOOP("Error", "%1 gave no answer within %2 s."),
            .arguments = {authorityOf(url), secondsText(limit)},
            .remedy = QT_TRANSLATE_NOOP("Error", "The server or the way to it is overloaded; try again."),
            .subject = displayUrl(url)};
}

Error idleTimeoutError(const QUrl &url, std::chrono::milliseconds limit)
{
    return {.code = ErrorCode::Timeout,
            .text = QT_TRANSLATE_NOOP("Error", "Nothing more came from %1 for %2 s."),
            .arguments = {authorityOf(url), secondsText(limit)},
            .remedy = QT_TRANSLATE_NOOP("Error", "The connection seems dead and is opened again."),
            .subject = displayUrl(url)};
}

Error lostConnectionError(const QUrl &url, const QString &detail)
{
    return {.code = ErrorCode::Network,
            .text = QT_TRANSLATE_NOOP("Error", "%1 closed the connection without an answer."),
            .arguments = {authorityOf(url)},
            .remedy = QT_TRANSLATE_NOOP("Error", "Try again; if it stays so, look at the server's log."),
            .subject = displayUrl(url),
            .detail = detail};
}

Error cutBodyError(const QUrl &url, const QString &detail)
{
    return {.code = ErrorCode::Network,
            .text = QT_TRANSLATE_NOOP("Error", "The answer of %1 was cut short."),
            .arguments = {authorityOf(url)},
            .remedy = QT_TRANSLATE_NOOP("Error",
                                        "Try again; if it stays so, a proxy on the way may limit answers."),
            .subject = displayUrl(url),
            .detail = detail};
}

Error damagedBodyError(const QUrl &url, const QString &detail)
{
    return {.code = ErrorCode::Protocol,
            .text = QT_TRANSLATE_NOOP("Error", "The answer of %1 was damaged on its way."),
            .arguments = {authorityOf(url)},
            .remedy = QT_TRANSLATE_NOOP("Error",
                                        "Try again; if it stays so, look for a proxy that changes answers."),
            .subject = displayUrl(url),
            .detail = detail};
}

Error badAnswerError(const QUrl &url, const QString &detail)
{
    return {.code = ErrorCode::Protocol,
            .text = QT_TRANSLATE_NOOP("Error", "The answer of %1 is not understandable HTTP."),
            .arguments = {authorityOf(url)},
            .remedy = QT_TRANSLATE_NOOP(
                "Error", "Check the address and the port: another kind of server may listen there."),
            .subject = displayUrl(url),
            .detail = detail};
}

Error bodyTooLargeError(const QUrl &url, qint64 limitBytes)
{
    return {.code = ErrorCode::Protocol,
            .text = QT_TRANSLATE_NOOP("Error", "The answer of %1 is larger than %2 bytes and was not read."),
            .arguments = {authorityOf(url), QString::number(limitBytes)},
            .remedy =
                QT_TRANSLATE_NOOP("Error", "Ask for less at once, or check what answers at this address."),
            .subject = displayUrl(url)};
}

Error unusableRequestError(const QUrl &url, const QString &detail)
{
    return {.code = ErrorCode::Invalid,
            .text = QT_TRANSLATE_NOOP("Error", "This request cannot be sent."),
            .remedy = QT_TRANSLATE_NOOP("Error", "Check the server address in the settings."),
            .subject = displayUrl(url),
            .detail = detail};
}

Error noCredentialError(const QUrl &url)
{
    return {.code = ErrorCode::Unauthorized,
            .text = QT_TRANSLATE_NOOP("Error", "No credential was given for %1."),
            .arguments = {authorityOf(url)},
            .remedy = QT_TRANSLATE_NOOP("Error", "Sign in again."),
            .subject = displayUrl(url)};
}

Error perhapsDoneError(Error error)
{
    error.remedy = QT_TRANSLATE_NOOP(
        "Error", "Look whether it was done before you try again: the request may have arrived.");
    return error;
}

} // namespace tongchi
