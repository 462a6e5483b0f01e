#pragma once

#include <QByteArray>
#include <QList>
#include <memory>

namespace tongchi::test {

enum class KeyKind { Rsa, Ec, Ed25519 };
enum class KeyForm { Pkcs8, Traditional }; ///< "PRIVATE KEY", or "RSA PRIVATE KEY" and "EC PRIVATE KEY"

/// PEM of a certificate and its key.
struct TestIdentity
{
    QByteArray certificatePem;
    QByteArray keyPem;
};

struct CertificateWish
{
    QByteArray commonName = "localhost";
    QList<QByteArray> names = {"localhost"}; ///< DNS names
    QList<QByteArray> addresses = {"127.0.0.1", "::1"};
    KeyKind key = KeyKind::Ec;
    KeyForm form = KeyForm::Pkcs8;
    int validFromDays = -1; ///< relative to now
    int validToDays = 2;
};

/// A certificate authority that lives as long as a test; nothing is written to disk.
class TestAuthority
{
public:
    explicit TestAuthority(const QByteArray &commonName = "Tongchi test authority");
    ~TestAuthority();
    TestAuthority(TestAuthority &&) noexcept;
    /// An authority below this one: what companies put into a kubeconfig without its root.
    TestAuthority intermediate(const QByteArray &commonName) const;

    QByteArray pem() const;
    TestIdentity issue(const CertificateWish &wish = {}) const;
    /// A client certificate for the name.
    TestIdentity issueClient(const QByteArray &commonName, KeyKind key = KeyKind::Ec,
                             KeyForm form = KeyForm::Pkcs8) const;

    /// A server's certificate that is its own authority.
    static TestIdentity selfSigned(const CertificateWish &wish = {});

    /// One for the whole program, where a test does not care.
    static const TestAuthority &shared();

private:
    struct Private;
    explicit TestAuthority(std::unique_ptr<Private> parts);
    std::unique_ptr<Private> d;
};

} // namespace tongchi::test
