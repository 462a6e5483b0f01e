#include "platform/simulator/certificate_authority.h"

#include <memory>
#include <openssl/bio.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

namespace tongchi::simulator {

namespace {

template <auto Free> struct OpensslDeleter
{
    template <typename T> void operator()(T *pointer) const { Free(pointer); }
};
using KeyPointer = std::unique_ptr<EVP_PKEY, OpensslDeleter<EVP_PKEY_free>>;
using CertificatePointer = std::unique_ptr<X509, OpensslDeleter<X509_free>>;
using BioPointer = std::unique_ptr<BIO, OpensslDeleter<BIO_free_all>>;

constexpr long secondsADay = 24 * 3600;

bool addExtension(X509 *certificate, X509 *issuer, int nid, const char *value)
{
    X509V3_CTX context;
    X509V3_set_ctx_nodb(&context);
    X509V3_set_ctx(&context, issuer, certificate, nullptr, nullptr, 0);
    X509_EXTENSION *extension = X509V3_EXT_conf_nid(nullptr, &context, nid, value);
    if (!extension)
        return false;
    const bool added = X509_add_ext(certificate, extension, -1) == 1;
    X509_EXTENSION_free(extension);
    return added;
}

CertificatePointer newCertificate(EVP_PKEY *key, const char *commonName)
{
    CertificatePointer certificate(X509_new());
    X509_set_version(certificate.get(), 2);
    unsigned char serial[16];
    RAND_bytes(serial, sizeof serial);
    serial[0] &= 0x7f;
    BIGNUM *number = BN_bin2bn(serial, sizeof serial, nullptr);
    BN_to_ASN1_INTEGER(number, X509_get_serialNumber(certificate.get()));
    BN_free(number);
    X509_gmtime_adj(X509_getm_notBefore(certificate.get()), -secondsADay);
    X509_gmtime_adj(X509_getm_notAfter(certificate.get()), 365 * secondsADay);
    X509_NAME *name = X509_get_subject_name(certificate.get());
    X509_NAME_add_entry_by_txt(name, "O", MBSTRING_UTF8,
                               reinterpret_cast<const unsigned char *>("Tongchi embedded pool"), -1, -1, 0);
    X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_UTF8, reinterpret_cast<const unsigned char *>(commonName),
                               -1, -1, 0);
    X509_set_pubkey(certificate.get(), key);
    return certificate;
}

QByteArray bioText(BIO *bio)
{
    char *data = nullptr;
    const long size = BIO_get_mem_data(bio, &data);
    return QByteArray(data, size);
}

QByteArray certificatePem(X509 *certificate)
{
    BioPointer bio(BIO_new(BIO_s_mem()));
    PEM_write_bio_X509(bio.get(), certificate);
    return bioText(bio.get());
}

} // namespace

ServerIdentity makeServerIdentity()
{
    const KeyPointer authorityKey(EVP_EC_gen("P-256"));
    const KeyPointer serverKey(EVP_EC_gen("P-256"));
    if (!authorityKey || !serverKey)
        return {};
    const CertificatePointer authority = newCertificate(authorityKey.get(), "embedded-pool-ca");
    X509_set_issuer_name(authority.get(), X509_get_subject_name(authority.get()));
    addExtension(authority.get(), authority.get(), NID_basic_constraints, "critical,CA:TRUE,pathlen:0");
    addExtension(authority.get(), authority.get(), NID_key_usage, "critical,keyCertSign,cRLSign");
    addExtension(authority.get(), authority.get(), NID_subject_key_identifier, "hash");
    const CertificatePointer server = newCertificate(serverKey.get(), "kube-apiserver");
    X509_set_issuer_name(server.get(), X509_get_subject_name(authority.get()));
    addExtension(server.get(), authority.get(), NID_basic_constraints, "critical,CA:FALSE");
    addExtension(server.get(), authority.get(), NID_key_usage, "critical,digitalSignature");
    addExtension(server.get(), authority.get(), NID_ext_key_usage, "serverAuth");
    addExtension(server.get(), authority.get(), NID_authority_key_identifier, "keyid");
    addExtension(server.get(), authority.get(), NID_subject_alt_name,
                 "DNS:localhost,DNS:kubernetes,DNS:kubernetes.default,DNS:kubernetes.default.svc,"
                 "IP:127.0.0.1,IP:0:0:0:0:0:0:0:1");
    if (X509_sign(authority.get(), authorityKey.get(), EVP_sha256()) <= 0 ||
        X509_sign(server.get(), authorityKey.get(), EVP_sha256()) <= 0)
        return {};
    BioPointer keyBio(BIO_new(BIO_s_mem()));
    PEM_write_bio_PrivateKey(keyBio.get(), serverKey.get(), nullptr, nullptr, 0, nullptr, nullptr);
    return {certificatePem(authority.get()), certificatePem(server.get()), bioText(keyBio.get())};
}

QByteArray randomToken(int bytes)
{
    QByteArray random(bytes, '\0');
    RAND_bytes(reinterpret_cast<unsigned char *>(random.data()), bytes);
    return random.toHex();
}

} // namespace tongchi::simulator
