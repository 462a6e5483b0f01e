#pragma once

#include "platform/core/result.h"

#include <QByteArray>
#include <QFuture>
#include <QList>
#include <QString>
#include <QUrl>
#include <chrono>
#include <memory>
#include <optional>

namespace tongchi {

/// How a connection checks the other side and shows itself. PEM bytes, never paths: whoever loads a
/// kubeconfig reads the files. Verification is on unless the operator's own file says
/// insecure-skip-tls-verify.
struct TlsSettings
{
    QByteArray authorityPem;   ///< empty: the system's authorities
    QByteArray certificatePem; ///< client certificate chain; empty: none
    QByteArray keyPem;         ///< its key, unencrypted
    QString serverName;        ///< for SNI and the check instead of the URL's host; empty: the host
    bool skipVerification = false;
};

/// The proxy of one connection, already chosen (see proxy_choice.h), and where the choice came from.
struct ProxySettings
{
    QUrl url;       ///< http, https or socks5, with user and password if any; empty: direct
    QString source; ///< "kubeconfig proxy-url", "HTTPS_PROXY", ...; shown in the connection's details
};

/// What a request shows to the server.
struct Credential
{
    QByteArray authorization;  ///< whole value of the Authorization header; empty: none
    QByteArray certificatePem; ///< from an exec plug-in; empty: TlsSettings decides
    QByteArray keyPem;
    std::optional<std::chrono::sys_time<std::chrono::milliseconds>> expires;
};

/// Gives credentials, asynchronously. Lives in one thread, that of the clients that use it. Several requests
/// waiting for the same renewal share one run. Futures are never finished on return.
class CredentialProvider
{
public:
    virtual ~CredentialProvider() = default;
    /// `rejected`: the server answered 401 to what was given before; get a new one once.
    [[nodiscard]] virtual QFuture<Result<Credential>> credential(bool rejected) = 0;
};

/// One server and everything needed to talk to it; both HTTP clients take the same.
struct ConnectionSettings
{
    QUrl server; ///< scheme, host, port and path prefix, which is kept in front of every path
    TlsSettings tls;
    ProxySettings proxy;
    std::shared_ptr<CredentialProvider>
        credentials; ///< null: none. Attached over https, or http to loopback given explicitly
    QList<std::pair<QByteArray, QByteArray>> headers; ///< sent with every request (impersonation)
    bool compression = true;
    std::chrono::milliseconds connectTimeout{15'000};
};

/// `path` (absolute, percent-encoded, maybe with a query) below the server's prefix. Joins strings: URL
/// resolution would drop the prefix.
QUrl urlBelow(const QUrl &server, const QByteArray &pathAndQuery);

/// A URL fit for logs and error texts: no user, password or query values.
QString displayUrl(const QUrl &url);

} // namespace tongchi
