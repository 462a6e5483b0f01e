#pragma once

#include "platform/core/result.h"
#include "platform/http/connection_settings.h"

#include <QList>
#include <QSslCertificate>
#include <QSslConfiguration>
#include <QSslError>

namespace tongchi {

/// The TLS configuration of one connection. A given authority replaces the system's. A client certificate of
/// the credential beats that of the settings. Keys may be RSA, EC or Ed25519 in PKCS#8, or in the older RSA
/// and EC forms; an encrypted or unreadable one, or one of another certificate, is a Tls error in words.
[[nodiscard]] Result<QSslConfiguration> makeTlsConfiguration(const ConnectionSettings &settings,
                                                             const Credential &credential);

/// The name that is sent (SNI) and checked.
QString tlsPeerName(const ConnectionSettings &settings, const QUrl &url);

/// The errors that stand, out of those that the socket found. Qt wants every chain to end in a self-signed
/// root; a given authority may also be an intermediate one, or the server's own certificate, as for every
/// other Kubernetes client. Only errors about the issuer can fall away, and only after the chain was verified
/// up to such an authority.
QList<QSslError> standingErrors(const ConnectionSettings &settings, const QList<QSslError> &found,
                                const QList<QSslCertificate> &peerChain);

/// Why the server's certificate is not accepted: unknown issuer with its name, another name with the names
/// that the certificate has, expired since when.
Error certificateError(const QUrl &url, const QString &peerName, const QList<QSslError> &errors,
                       const QSslCertificate &certificate);

/// The handshake failed for another reason (no TLS at this port, our certificate was refused, no common
/// version).
Error handshakeError(const QUrl &url, const QString &detail, bool hadClientCertificate);

/// The alerts a server sends when it wants another client certificate, or any.
bool isClientCertificateAlert(const QString &detail);

} // namespace tongchi
