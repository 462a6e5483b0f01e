#include "platform/http/tls_configuration.h"

#include "platform/http/request_rules.h"

#include <QDateTime>
#include <QSslKey>
#include <QtCore/qcoreapplication.h>
#include <algorithm>
#include <iterator>
#include <memory>
#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

namespace tongchi {

namespace {

using KeyPointer = std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)>;
using BioPointer = std::unique_ptr<BIO, decltype(&BIO_free)>;
using StorePointer = std::unique_ptr<X509_STORE, decltype(&X509_STORE_free)>;
using StoreContextPointer = std::unique_ptr<X509_STORE_CTX, decltype(&X509_STORE_CTX_free)>;
using X509Pointer = std::unique_ptr<X509, decltype(&X509_free)>;

int refusePassphrase(char *, int, int, void *)
{
    return -1;
}

Error tlsInputError(const ConnectionSettings &settings, const char *text, const char *remedy)
{
    return {.code = ErrorCode::Tls, .text = text, .remedy = remedy, .subject = displayUrl(settings.server)};
}

/// QSslKey wants to be told the algorithm and does not know every one; OpenSSL finds out by itself.
KeyPointer readPrivateKey(const QByteArray &pem)
{
    const BioPointer bio(BIO_new_mem_buf(pem.constData(), int(pem.size())), &BIO_free);
    KeyPointer key(bio ? PEM_read_bio_PrivateKey(bio.get(), nullptr, &refusePassphrase, nullptr) : nullptr,
                   &EVP_PKEY_free);
    ERR_clear_error();
    return key;
}

X509Pointer toX509(const QSslCertificate &certificate)
{
    const QByteArray der = certificate.toDer();
    const auto *bytes = reinterpret_cast<const unsigned char *>(der.constData());
    return {d2i_X509(nullptr, &bytes, long(der.size())), &X509_free};
}

/// Verifies as a server's chain, up to any of the authorities, self-signed or not.
bool reachesAuthority(const QList<QSslCertificate> &chain, const QList<QSslCertificate> &authorities)
{
    const StorePointer store(X509_STORE_new(), &X509_STORE_free);
    const StoreContextPointer context(X509_STORE_CTX_new(), &X509_STORE_CTX_free);
    if (!store || !context || chain.isEmpty())
        return false;
    for (const QSslCertificate &authority : authorities) {
        if (const X509Pointer one = toX509(authority))
            X509_STORE_add_cert(store.get(), one.get());
    }
    STACK_OF(X509) *between = sk_X509_new_null();
    for (const QSslCertificate &certificate : chain.mid(1)) {
        if (X509Pointer one = toX509(certificate))
            sk_X509_push(between, one.release());
    }
    const X509Pointer leaf = toX509(chain.first());
    // The validity in time is reported on its own, in words of its own.
    X509_STORE_set_flags(store.get(), X509_V_FLAG_PARTIAL_CHAIN | X509_V_FLAG_NO_CHECK_TIME);
    const bool good = leaf && X509_STORE_CTX_init(context.get(), store.get(), leaf.get(), between) == 1 &&
                      X509_STORE_CTX_set_purpose(context.get(), X509_PURPOSE_SSL_SERVER) == 1 &&
                      X509_verify_cert(context.get()) == 1;
    sk_X509_pop_free(between, &X509_free);
    ERR_clear_error();
    return good;
}

bool belongsToCertificate(const KeyPointer &key, const QSslCertificate &certificate)
{
    const X509Pointer x509 = toX509(certificate);
    const bool same = x509 && X509_check_private_key(x509.get(), key.get()) == 1;
    ERR_clear_error();
    return same;
}

/// RSA and EC keys go by their encoding: from a handle QSslKey would copy them and keep the original for
/// ever. Of any other kind it takes the handle itself over.
QSslKey toSslKey(KeyPointer key)
{
    const int kind = EVP_PKEY_get_base_id(key.get());
    if (kind != EVP_PKEY_RSA && kind != EVP_PKEY_EC)
        return QSslKey(Qt::HANDLE(key.release()), QSsl::PrivateKey);
    const BioPointer bio(BIO_new(BIO_s_mem()), &BIO_free);
    PEM_write_bio_PrivateKey_traditional(bio.get(), key.get(), nullptr, nullptr, 0, nullptr, nullptr);
    char *data = nullptr;
    const long size = BIO_get_mem_data(bio.get(), &data);
    return QSslKey(QByteArray(data, qsizetype(size)), kind == EVP_PKEY_RSA ? QSsl::Rsa : QSsl::Ec, QSsl::Pem,
                   QSsl::PrivateKey);
}

Status useClientCertificate(QSslConfiguration &configuration, const ConnectionSettings &settings,
                            const QByteArray &certificatePem, const QByteArray &keyPem)
{
    const QList<QSslCertificate> chain = QSslCertificate::fromData(certificatePem, QSsl::Pem);
    if (chain.isEmpty()) {
        return failure(tlsInputError(
            settings, QT_TRANSLATE_NOOP("Error", "The client certificate cannot be read."),
            QT_TRANSLATE_NOOP("Error",
                              "Give a certificate in PEM form (it begins with BEGIN CERTIFICATE).")));
    }
    if (keyPem.contains("ENCRYPTED")) {
        return failure(tlsInputError(
            settings,
            QT_TRANSLATE_NOOP("Error",
                              "The client key is protected by a passphrase, which is not supported."),
            QT_TRANSLATE_NOOP("Error",
                              "Give the key without a passphrase, in a file that only you can read.")));
    }
    KeyPointer key = readPrivateKey(keyPem);
    if (!key) {
        return failure(
            tlsInputError(settings, QT_TRANSLATE_NOOP("Error", "The client key cannot be read."),
                          QT_TRANSLATE_NOOP("Error", "Give an RSA, EC or Ed25519 key in PEM form.")));
    }
    if (!belongsToCertificate(key, chain.first())) {
        return failure(tlsInputError(
            settings, QT_TRANSLATE_NOOP("Error", "The client key does not belong to the client certificate."),
            QT_TRANSLATE_NOOP("Error", "Give the key that the certificate was made for.")));
    }
    const QSslKey sslKey = toSslKey(std::move(key));
    configuration.setLocalCertificateChain(chain);
    configuration.setPrivateKey(sslKey);
    return {};
}

/// "CN, O" of a name; never rich text, shown as it is.
QString issuerText(const QSslCertificate &certificate)
{
    QStringList parts = certificate.issuerInfo(QSslCertificate::CommonName);
    if (parts.isEmpty())
        parts = certificate.issuerInfo(QSslCertificate::Organization);
    if (parts.isEmpty())
        return certificate.issuerDisplayName();
    return parts.join(QLatin1String(", "));
}

QString certificateNames(const QSslCertificate &certificate)
{
    QStringList names = certificate.subjectAlternativeNames().values(QSsl::DnsEntry) +
                        certificate.subjectAlternativeNames().values(QSsl::IpAddressEntry);
    if (names.isEmpty())
        names = certificate.subjectInfo(QSslCertificate::CommonName);
    std::sort(names.begin(), names.end());
    constexpr qsizetype most = 12;
    if (names.size() > most) {
        names = names.mid(0, most);
        names << QStringLiteral("…");
    }
    return names.join(QLatin1String(", "));
}

QString utcText(const QDateTime &time)
{
    return time.toUTC().toString(QStringLiteral("yyyy-MM-dd HH:mm 'UTC'"));
}

bool isIssuerError(QSslError::SslError error)
{
    switch (error) {
    case QSslError::UnableToGetIssuerCertificate:
    case QSslError::UnableToGetLocalIssuerCertificate:
    case QSslError::UnableToVerifyFirstCertificate:
    case QSslError::SelfSignedCertificate:
    case QSslError::SelfSignedCertificateInChain:
    case QSslError::CertificateUntrusted:
    case QSslError::CertificateSignatureFailed:
    case QSslError::InvalidCaCertificate:
        return true;
    default:
        return false;
    }
}

} // namespace

Result<QSslConfiguration> makeTlsConfiguration(const ConnectionSettings &settings,
                                               const Credential &credential)
{
    QSslConfiguration configuration = QSslConfiguration::defaultConfiguration();
    configuration.setProtocol(QSsl::TlsV1_2OrLater);
    configuration.setPeerVerifyMode(settings.tls.skipVerification ? QSslSocket::VerifyNone
                                                                  : QSslSocket::VerifyPeer);
    if (!settings.tls.authorityPem.isEmpty()) {
        const QList<QSslCertificate> authorities =
            QSslCertificate::fromData(settings.tls.authorityPem, QSsl::Pem);
        if (authorities.isEmpty()) {
            return failure(tlsInputError(
                settings,
                QT_TRANSLATE_NOOP("Error", "The certificate authority of this connection cannot be read."),
                QT_TRANSLATE_NOOP("Error",
                                  "Give a certificate in PEM form (it begins with BEGIN CERTIFICATE).")));
        }
        configuration.setCaCertificates(authorities);
    }
    const bool fromCredential = !credential.certificatePem.isEmpty();
    const QByteArray &certificate = fromCredential ? credential.certificatePem : settings.tls.certificatePem;
    const QByteArray &key = fromCredential ? credential.keyPem : settings.tls.keyPem;
    if (!certificate.isEmpty()) {
        if (const Status used = useClientCertificate(configuration, settings, certificate, key); !used)
            return tl::unexpected(used.error());
    }
    return configuration;
}

QString tlsPeerName(const ConnectionSettings &settings, const QUrl &url)
{
    if (!settings.tls.serverName.isEmpty())
        return settings.tls.serverName;
    return url.host().section(u'%', 0, 0);
}

QList<QSslError> standingErrors(const ConnectionSettings &settings, const QList<QSslError> &found,
                                const QList<QSslCertificate> &peerChain)
{
    QList<QSslError> others;
    std::copy_if(found.begin(), found.end(), std::back_inserter(others),
                 [](const QSslError &error) { return !isIssuerError(error.error()); });
    const bool aboutIssuer = others.size() < found.size();
    if (!aboutIssuer || settings.tls.authorityPem.isEmpty())
        return found;
    const QList<QSslCertificate> authorities =
        QSslCertificate::fromData(settings.tls.authorityPem, QSsl::Pem);
    return reachesAuthority(peerChain, authorities) ? others : found;
}

Error certificateError(const QUrl &url, const QString &peerName, const QList<QSslError> &errors,
                       const QSslCertificate &certificate)
{
    QStringList details;
    bool issuer = false;
    bool otherName = false;
    bool expired = false;
    bool notYet = false;
    QSslCertificate affected = certificate;
    for (const QSslError &error : errors) {
        details << error.errorString();
        issuer = issuer || isIssuerError(error.error());
        otherName = otherName || error.error() == QSslError::HostNameMismatch;
        if (error.error() == QSslError::CertificateExpired ||
            error.error() == QSslError::CertificateNotYetValid) {
            expired = expired || error.error() == QSslError::CertificateExpired;
            notYet = notYet || error.error() == QSslError::CertificateNotYetValid;
            if (!error.certificate().isNull())
                affected = error.certificate();
        }
    }
    Error result{
        .code = ErrorCode::Tls, .subject = displayUrl(url), .detail = details.join(QLatin1String("; "))};
    if (issuer) {
        result.text = QT_TRANSLATE_NOOP(
            "Error", "The certificate of %1 was issued by \"%2\", which is not trusted here.");
        result.arguments = {authorityOf(url), issuerText(certificate)};
        result.remedy = QT_TRANSLATE_NOOP(
            "Error", "Put the right certificate authority into the kubeconfig or the settings, or ask "
                     "whether this really is your server.");
    } else if (otherName) {
        result.text = QT_TRANSLATE_NOOP("Error", "The certificate of %1 is not for \"%2\" but for: %3.");
        result.arguments = {authorityOf(url), peerName, certificateNames(certificate)};
        result.remedy = QT_TRANSLATE_NOOP(
            "Error", "Use one of these names in the server address, or set tls-server-name to one.");
    } else if (expired) {
        result.text = QT_TRANSLATE_NOOP("Error", "The certificate of %1 expired on %2.");
        result.arguments = {authorityOf(url), utcText(affected.expiryDate())};
        result.remedy =
            QT_TRANSLATE_NOOP("Error", "Renew it on the server, and check the clock of this computer.");
    } else if (notYet) {
        result.text = QT_TRANSLATE_NOOP("Error", "The certificate of %1 is valid only from %2.");
        result.arguments = {authorityOf(url), utcText(affected.effectiveDate())};
        result.remedy =
            QT_TRANSLATE_NOOP("Error", "Check the clock of this computer and that of the server.");
    } else {
        result.text = QT_TRANSLATE_NOOP("Error", "The certificate of %1 is not accepted: %2.");
        result.arguments = {authorityOf(url), details.join(QLatin1String("; "))};
        result.remedy = QT_TRANSLATE_NOOP("Error", "Have the server's certificate checked.");
    }
    return result;
}

bool isClientCertificateAlert(const QString &detail)
{
    // OpenSSL's words for the alerts 42 to 49 and 116.
    for (const char *words :
         {"alert certificate required", "alert bad certificate", "alert certificate expired",
          "alert certificate revoked", "alert certificate unknown", "alert unsupported certificate",
          "alert unknown ca", "alert access denied"}) {
        if (detail.contains(QLatin1String(words)))
            return true;
    }
    return false;
}

Error handshakeError(const QUrl &url, const QString &detail, bool hadClientCertificate)
{
    Error result{.code = ErrorCode::Tls,
                 .arguments = {authorityOf(url)},
                 .subject = displayUrl(url),
                 .detail = detail};
    if (isClientCertificateAlert(detail)) {
        result.text = hadClientCertificate
                          ? QT_TRANSLATE_NOOP("Error", "%1 refused the client certificate.")
                          : QT_TRANSLATE_NOOP("Error", "%1 wants a client certificate, and none is set.");
        result.remedy = QT_TRANSLATE_NOOP(
            "Error", "Put a valid client certificate and its key into the kubeconfig or the settings.");
    } else if (detail.contains(QLatin1String("wrong version number")) ||
               detail.contains(QLatin1String("http request"))) {
        result.text = QT_TRANSLATE_NOOP("Error", "%1 does not speak TLS.");
        result.remedy =
            QT_TRANSLATE_NOOP("Error", "Check the port and whether the address should begin with http://.");
    } else {
        result.text = QT_TRANSLATE_NOOP("Error", "No secure connection to %1 could be agreed.");
        result.remedy = QT_TRANSLATE_NOOP(
            "Error", "Look at the details; server and console must share TLS 1.2 or newer.");
    }
    return result;
}

} // namespace tongchi
