#pragma once

#include <QByteArray>
#include <memory>

namespace tongchi::test {

/// What a server shows or a client checks; a plain socket has none. Thread-safe once made.
class TlsContext
{
public:
    /// For the side that accepts.
    static std::shared_ptr<const TlsContext> server(const QByteArray &certificatePem,
                                                    const QByteArray &keyPem);
    /// For the side that connects to an address: the certificate must be good for it.
    static std::shared_ptr<const TlsContext> client(const QByteArray &authorityPem,
                                                    const QByteArray &address);
    ~TlsContext();
    void *handle() const { return m_context; } ///< SSL_CTX
    bool accepts() const { return m_accepts; }

private:
    TlsContext(void *context, bool accepts) : m_context(context), m_accepts(accepts) {}
    void *m_context;
    bool m_accepts;
};

/// One end of a connection that never blocks, with TLS on it or without. Closes its socket.
class ProxyChannel
{
public:
    enum class Got { Bytes, Nothing, End, Broken };

    ProxyChannel(int socket, std::shared_ptr<const TlsContext> tls);
    ~ProxyChannel();
    ProxyChannel(const ProxyChannel &) = delete;
    ProxyChannel &operator=(const ProxyChannel &) = delete;
    /// Begins to connect; a refusal is found when the channel is read.
    static std::unique_ptr<ProxyChannel> connecting(const QByteArray &address, int port,
                                                    std::shared_ptr<const TlsContext> tls);

    Got read(QByteArray &into);
    /// How many bytes were taken; -1: the other side is gone.
    qsizetype write(const char *bytes, qsizetype size);
    /// Nothing more will be written: says so in order.
    void end();
    /// The socket ends without a farewell of TLS; with a reset if wanted.
    void breakOff(bool reset);

    int socket() const { return m_socket; }
    /// TLS has to write before it can go on.
    bool wantsToWrite() const { return m_wantsToWrite; }

private:
    int failedWith(int result);

    int m_socket;
    std::shared_ptr<const TlsContext> m_tls;
    void *m_ssl = nullptr;
    bool m_wantsToWrite = false;
};

} // namespace tongchi::test
