#include "tests/support/test_certificates.h"

#include <QByteArrayList>
#include <atomic>
#include <gtest/gtest.h>
#include <openssl/bio.h>
#include <openssl/ec.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rsa.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

namespace tongchi::test {

namespace {

using PKey = std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)>;
using Certificate = std::unique_ptr<X509, decltype(&X509_free)>;
using Bio = std::unique_ptr<BIO, decltype(&BIO_free)>;

PKey makeKey(KeyKind kind)
{
    EVP_PKEY *key = nullptr;
    switch (kind) {
    case KeyKind::Rsa: {
        // One for the whole program: finding the primes takes longer than the tests that want such a key.
        static EVP_PKEY *const shared = EVP_RSA_gen(2048);
        EVP_PKEY_up_ref(shared);
        key = shared;
        break;
    }
    case KeyKind::Ec:
        key = EVP_EC_gen("P-256");
        break;
    case KeyKind::Ed25519:
        key = EVP_PKEY_Q_keygen(nullptr, nullptr, "ED25519");
        break;
    }
    return {key, &EVP_PKEY_free};
}

QByteArray bioBytes(BIO *bio)
{
    char *data = nullptr;
    const long size = BIO_get_mem_data(bio, &data);
    return {data, qsizetype(size)};
}

QByteArray keyPemOf(EVP_PKEY *key, KeyForm form)
{
    const Bio bio(BIO_new(BIO_s_mem()), &BIO_free);
    if (form == KeyForm::Traditional)
        PEM_write_bio_PrivateKey_traditional(bio.get(), key, nullptr, nullptr, 0, nullptr, nullptr);
    else
        PEM_write_bio_PKCS8PrivateKey(bio.get(), key, nullptr, nullptr, 0, nullptr, nullptr);
    return bioBytes(bio.get());
}

QByteArray certificatePemOf(X509 *certificate)
{
    const Bio bio(BIO_new(BIO_s_mem()), &BIO_free);
    PEM_write_bio_X509(bio.get(), certificate);
    return bioBytes(bio.get());
}

void addExtension(X509 *certificate, X509 *issuer, int nid, const QByteArray &value)
{
    X509V3_CTX context;
    X509V3_set_ctx(&context, issuer, certificate, nullptr, nullptr, 0);
    X509_EXTENSION *extension = X509V3_EXT_conf_nid(nullptr, &context, nid, value.constData());
    if (!extension) {
        ADD_FAILURE() << "cannot make the certificate extension " << value.constData();
        return;
    }
    X509_add_ext(certificate, extension, -1);
    X509_EXTENSION_free(extension);
}

Certificate startCertificate(const QByteArray &commonName, EVP_PKEY *key, int fromDays, int toDays)
{
    static std::atomic<long> serial{1000};
    constexpr long secondsOfDay = 24 * 60 * 60;
    Certificate certificate(X509_new(), &X509_free);
    X509_set_version(certificate.get(), 2);
    ASN1_INTEGER_set(X509_get_serialNumber(certificate.get()), ++serial);
    X509_gmtime_adj(X509_getm_notBefore(certificate.get()), fromDays * secondsOfDay);
    X509_gmtime_adj(X509_getm_notAfter(certificate.get()), toDays * secondsOfDay);
    X509_set_pubkey(certificate.get(), key);
    X509_NAME_add_entry_by_txt(X509_get_subject_name(certificate.get()), "CN", MBSTRING_UTF8,
                               reinterpret_cast<const unsigned char *>(commonName.constData()),
                               int(commonName.size()), -1, 0);
    return certificate;
}

} // namespace

struct TestAuthority::Private
{
    PKey key{nullptr, &EVP_PKEY_free};
    Certificate certificate{nullptr, &X509_free};

    TestIdentity sign(const CertificateWish &wish, const QByteArray &usage) const
    {
        return makeLeaf(wish, usage, certificate.get(), key.get());
    }

    /// Without an issuer the certificate signs itself.
    static TestIdentity makeLeaf(const CertificateWish &wish, const QByteArray &usage, X509 *issuer,
                                 EVP_PKEY *issuerKey)
    {
        const PKey leafKey = makeKey(wish.key);
        const Certificate leaf =
            startCertificate(wish.commonName, leafKey.get(), wish.validFromDays, wish.validToDays);
        X509 *above = issuer ? issuer : leaf.get();
        X509_set_issuer_name(leaf.get(), X509_get_subject_name(above));
        addExtension(leaf.get(), above, NID_basic_constraints, "critical,CA:FALSE");
        addExtension(leaf.get(), above, NID_ext_key_usage, usage);
        QByteArrayList alternatives;
        for (const QByteArray &name : wish.names)
            alternatives << "DNS:" + name;
        for (const QByteArray &address : wish.addresses)
            alternatives << "IP:" + address;
        if (!alternatives.isEmpty())
            addExtension(leaf.get(), above, NID_subject_alt_name, alternatives.join(','));
        X509_sign(leaf.get(), issuerKey ? issuerKey : leafKey.get(), EVP_sha256());
        return {certificatePemOf(leaf.get()), keyPemOf(leafKey.get(), wish.form)};
    }

    /// Signed by `issuer`, or by itself.
    static std::unique_ptr<Private> make(const QByteArray &commonName, const Private *issuer)
    {
        auto parts = std::make_unique<Private>();
        parts->key = makeKey(KeyKind::Ec);
        parts->certificate = startCertificate(commonName, parts->key.get(), -10, 10);
        X509 *own = parts->certificate.get();
        X509 *above = issuer ? issuer->certificate.get() : own;
        X509_set_issuer_name(own, X509_get_subject_name(above));
        addExtension(own, above, NID_basic_constraints, "critical,CA:TRUE");
        addExtension(own, above, NID_key_usage, "critical,keyCertSign,cRLSign");
        X509_sign(own, issuer ? issuer->key.get() : parts->key.get(), EVP_sha256());
        return parts;
    }
};

TestAuthority::TestAuthority(const QByteArray &commonName) : d(Private::make(commonName, nullptr)) {}
TestAuthority::TestAuthority(std::unique_ptr<Private> parts) : d(std::move(parts)) {}

TestAuthority TestAuthority::intermediate(const QByteArray &commonName) const
{
    return TestAuthority(Private::make(commonName, d.get()));
}

TestAuthority::~TestAuthority() = default;
TestAuthority::TestAuthority(TestAuthority &&) noexcept = default;

QByteArray TestAuthority::pem() const
{
    return certificatePemOf(d->certificate.get());
}

TestIdentity TestAuthority::issue(const CertificateWish &wish) const
{
    return d->sign(wish, "serverAuth");
}

TestIdentity TestAuthority::issueClient(const QByteArray &commonName, KeyKind key, KeyForm form) const
{
    return d->sign({.commonName = commonName, .names = {}, .addresses = {}, .key = key, .form = form},
                   "clientAuth");
}

TestIdentity TestAuthority::selfSigned(const CertificateWish &wish)
{
    return Private::makeLeaf(wish, "serverAuth", nullptr, nullptr);
}

const TestAuthority &TestAuthority::shared()
{
    static const TestAuthority authority;
    return authority;
}

} // namespace tongchi::test
