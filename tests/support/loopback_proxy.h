#pragma once

#include "tests/support/loopback_listener.h"

#include <QByteArray>
#include <QUrl>
#include <atomic>
#include <vector>

namespace tongchi::test {

/// A proxy on loopback. Http: CONNECT tunnels and requests in absolute form, with a password if wanted;
/// Socks5: open.
class LoopbackProxy
{
public:
    enum class Kind { Http, Socks5 };
    /// `userAndPassword`: "user:password"; empty: open to all.
    explicit LoopbackProxy(const QByteArray &userAndPassword = {}, Kind kind = Kind::Http);
    ~LoopbackProxy();

    int port() const { return m_listener.port(); }
    /// "http://user:password@127.0.0.1:port"; without an argument no user.
    QUrl url(const QByteArray &userAndPassword = {}) const;
    /// First lines of all requests that were let through; for SOCKS "address:port".
    std::vector<QByteArray> served() const;
    /// Requests that were answered with 407.
    int refused() const;
    /// Answers every CONNECT with this status from now on.
    void failWith(int status) { m_failure = status; }

private:
    void serve(int client);
    void serveSocks(int client);

    const Kind m_kind;
    const QByteArray m_expected; ///< Proxy-Authorization; empty: none wanted
    mutable std::mutex m_mutex;  ///< protects the two records
    std::vector<QByteArray> m_served;
    int m_refused = 0;
    std::atomic<int> m_failure{0};
    LoopbackListener m_listener;
};

} // namespace tongchi::test
