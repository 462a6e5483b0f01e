#include "tests/support/proxy_channel.h"

#include "tests/support/loopback_listener.h"

#include <arpa/inet.h>
#include <cerrno>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <sys/socket.h>
#include <unistd.h>

namespace tongchi::test {

namespace {

constexpr size_t channelReadBytes = 64 * 1024;

SSL *sslOf(void *handle)
{
    return static_cast<SSL *>(handle);
}

struct PemReader
{
    explicit PemReader(const QByteArray &pem) : bio(BIO_new_mem_buf(pem.constData(), int(pem.size()))) {}
    ~PemReader() { BIO_free(bio); }
    PemReader(const PemReader &) = delete;
    PemReader &operator=(const PemReader &) = delete;
    X509 *certificate() const { return PEM_read_bio_X509(bio, nullptr, nullptr, nullptr); }
    BIO *bio;
};

} // namespace

std::shared_ptr<const TlsContext> TlsContext::server(const QByteArray &certificatePem,
                                                     const QByteArray &keyPem)
{
    SSL_CTX *context = SSL_CTX_new(TLS_server_method());
    X509 *certificate = PemReader(certificatePem).certificate();
    EVP_PKEY *key = PEM_read_bio_PrivateKey(PemReader(keyPem).bio, nullptr, nullptr, nullptr);
    if (SSL_CTX_use_certificate(context, certificate) != 1 || SSL_CTX_use_PrivateKey(context, key) != 1)
        ADD_FAILURE() << "the proxy cannot use its certificate";
    X509_free(certificate);
    EVP_PKEY_free(key);
    return std::shared_ptr<const TlsContext>(new TlsContext(context, true));
}

std::shared_ptr<const TlsContext> TlsContext::client(const QByteArray &authorityPem,
                                                     const QByteArray &address)
{
    SSL_CTX *context = SSL_CTX_new(TLS_client_method());
    SSL_CTX_set_verify(context, SSL_VERIFY_PEER, nullptr);
    X509_VERIFY_PARAM_set1_ip_asc(SSL_CTX_get0_param(context), address.constData());
    X509_STORE *store = SSL_CTX_get_cert_store(context);
    const PemReader reader(authorityPem);
    int found = 0;
    while (X509 *authority = reader.certificate()) {
        found += X509_STORE_add_cert(store, authority);
        X509_free(authority);
    }
    ERR_clear_error(); // the end of the text is one
    if (found == 0)
        ADD_FAILURE() << "the proxy has no authority for the server behind it";
    return std::shared_ptr<const TlsContext>(new TlsContext(context, false));
}

TlsContext::~TlsContext()
{
    SSL_CTX_free(static_cast<SSL_CTX *>(m_context));
}

ProxyChannel::ProxyChannel(int socket, std::shared_ptr<const TlsContext> tls)
    : m_socket(socket), m_tls(std::move(tls))
{
    ::fcntl(socket, F_SETFL, ::fcntl(socket, F_GETFL) | O_NONBLOCK);
    const int on = 1;
    ::setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    if (!m_tls)
        return;
    SSL *ssl = SSL_new(static_cast<SSL_CTX *>(m_tls->handle()));
    SSL_set_fd(ssl, socket);
    SSL_set_mode(ssl, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
    if (m_tls->accepts())
        SSL_set_accept_state(ssl);
    else
        SSL_set_connect_state(ssl);
    m_ssl = ssl;
}

ProxyChannel::~ProxyChannel()
{
    SSL_free(sslOf(m_ssl));
    ::close(m_socket);
}

std::unique_ptr<ProxyChannel> ProxyChannel::connecting(const QByteArray &address, int port,
                                                       std::shared_ptr<const TlsContext> tls)
{
    const int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    sockaddr_in there = {};
    there.sin_family = AF_INET;
    there.sin_port = htons(quint16(port));
    ::inet_pton(AF_INET, address.constData(), &there.sin_addr);
    (void)::connect(socket, reinterpret_cast<sockaddr *>(&there), sizeof there);
    return std::make_unique<ProxyChannel>(socket, std::move(tls));
}

/// What a TLS call that did not succeed means: 0 nothing for now, 1 the orderly end, -1 the connection is
/// gone.
int ProxyChannel::failedWith(int result)
{
    const int error = SSL_get_error(sslOf(m_ssl), result);
    ERR_clear_error();
    m_wantsToWrite = error == SSL_ERROR_WANT_WRITE;
    if (error == SSL_ERROR_WANT_READ || error == SSL_ERROR_WANT_WRITE)
        return 0;
    return error == SSL_ERROR_ZERO_RETURN ? 1 : -1;
}

ProxyChannel::Got ProxyChannel::read(QByteArray &into)
{
    char buffer[channelReadBytes];
    m_wantsToWrite = false;
    if (m_ssl) {
        const int count = SSL_read(sslOf(m_ssl), buffer, sizeof buffer);
        if (count <= 0) {
            const int reason = failedWith(count);
            return reason == 0 ? Got::Nothing : reason > 0 ? Got::End : Got::Broken;
        }
        into.append(buffer, count);
        return Got::Bytes;
    }
    const ssize_t count = ::recv(m_socket, buffer, sizeof buffer, 0);
    if (count > 0) {
        into.append(buffer, count);
        return Got::Bytes;
    }
    if (count == 0)
        return Got::End;
    return errno == EAGAIN || errno == EINTR ? Got::Nothing : Got::Broken;
}

qsizetype ProxyChannel::write(const char *bytes, qsizetype size)
{
    if (m_ssl) {
        const int count = SSL_write(sslOf(m_ssl), bytes, int(size));
        return count > 0 ? count : failedWith(count) == 0 ? 0 : -1;
    }
    const ssize_t count = ::send(m_socket, bytes, size_t(size), MSG_NOSIGNAL);
    return count >= 0 ? count : errno == EAGAIN || errno == EINTR ? 0 : -1;
}

void ProxyChannel::end()
{
    if (m_ssl)
        SSL_shutdown(sslOf(m_ssl));
    ERR_clear_error();
    ::shutdown(m_socket, SHUT_WR);
}

void ProxyChannel::breakOff(bool reset)
{
    if (reset)
        resetOnClose(m_socket);
    else
        ::shutdown(m_socket, SHUT_WR);
}

} // namespace tongchi::test
