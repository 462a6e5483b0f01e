#include "tests/support/loopback_proxy.h"

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace tongchi::test {

namespace {

/// Carries bytes both ways until one side is done.
void carryBothWays(int left, int right)
{
    char buffer[64 * 1024];
    while (true) {
        pollfd waits[] = {{left, POLLIN, 0}, {right, POLLIN, 0}};
        if (::poll(waits, 2, -1) < 0)
            return;
        for (int i = 0; i < 2; ++i) {
            if (!waits[i].revents)
                continue;
            const ssize_t count = ::recv(waits[i].fd, buffer, sizeof buffer, 0);
            if (count <= 0 || !sendAll(waits[1 - i].fd, buffer, size_t(count)))
                return;
        }
    }
}

QByteArray readHead(int socket, QByteArray &rest)
{
    char buffer[4096];
    while (true) {
        if (const qsizetype end = rest.indexOf("\r\n\r\n"); end >= 0) {
            const QByteArray head = rest.left(end + 2);
            rest.remove(0, end + 4);
            return head;
        }
        const ssize_t count = ::recv(socket, buffer, sizeof buffer, 0);
        if (count <= 0)
            return {};
        rest.append(buffer, count);
    }
}

QByteArray fieldOf(const QByteArray &head, const QByteArray &name)
{
    for (const QByteArray &line : head.split('\n')) {
        if (line.toLower().startsWith(QByteArray(name + ':')))
            return line.mid(name.size() + 1).trimmed();
    }
    return {};
}

int connectToAuthority(QByteArray authority)
{
    const qsizetype colon = authority.lastIndexOf(':');
    const int port = authority.mid(colon + 1).toInt();
    authority.truncate(colon);
    if (authority.startsWith('['))
        authority = authority.mid(1, authority.size() - 2);
    return connectTo(authority.constData(), port);
}

} // namespace

LoopbackProxy::LoopbackProxy(const QByteArray &userAndPassword, Kind kind)
    : m_kind(kind),
      m_expected(userAndPassword.isEmpty() ? QByteArray() : "Basic " + userAndPassword.toBase64()),
      m_listener(LoopbackListener::Family::V4,
                 [this](int client) { m_kind == Kind::Http ? serve(client) : serveSocks(client); })
{
}

LoopbackProxy::~LoopbackProxy()
{
    m_listener.stop();
}

QUrl LoopbackProxy::url(const QByteArray &userAndPassword) const
{
    const QByteArray user = userAndPassword.isEmpty() ? QByteArray() : userAndPassword + '@';
    return QUrl::fromEncoded((m_kind == Kind::Http ? "http://" : "socks5://") + user +
                             "127.0.0.1:" + QByteArray::number(port()));
}

std::vector<QByteArray> LoopbackProxy::served() const
{
    const std::lock_guard lock(m_mutex);
    return m_served;
}

int LoopbackProxy::refused() const
{
    const std::lock_guard lock(m_mutex);
    return m_refused;
}

void LoopbackProxy::serve(int client)
{
    QByteArray rest;
    QByteArray head;
    while (!(head = readHead(client, rest)).isEmpty()) {
        const QByteArray firstLine = head.left(head.indexOf('\r'));
        if (!m_expected.isEmpty() && fieldOf(head, "proxy-authorization") != m_expected) {
            {
                const std::lock_guard lock(m_mutex);
                ++m_refused;
            }
            const QByteArray answer = "HTTP/1.1 407 Proxy Authentication Required\r\n"
                                      "Proxy-Authenticate: Basic realm=\"corp\"\r\nContent-Length: 0\r\n\r\n";
            if (!sendAll(client, answer.constData(), size_t(answer.size())))
                return;
            continue;
        }
        const QList<QByteArray> words = firstLine.split(' ');
        const bool tunnel = words.value(0) == "CONNECT";
        if (m_failure != 0) {
            const QByteArray answer = "HTTP/1.1 " + QByteArray::number(m_failure.load()) +
                                      " No\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
            sendAll(client, answer.constData(), size_t(answer.size()));
            return;
        }
        {
            const std::lock_guard lock(m_mutex);
            m_served.push_back(firstLine);
        }
        QByteArray authority = words.value(1);
        QByteArray first;
        if (!tunnel) {
            // "GET http://host:port/path HTTP/1.1" goes on as "GET /path HTTP/1.1", without what was meant
            // for us.
            const qsizetype slash = authority.indexOf('/', 7);
            first = words.value(0) + ' ' + authority.mid(slash) + " HTTP/1.1\r\n";
            for (const QByteArray &line : head.split('\n').mid(1)) {
                if (!line.isEmpty() && !line.toLower().startsWith("proxy-"))
                    first += line + '\n';
            }
            first += "\r\n" + rest;
            authority = authority.mid(7, slash - 7);
        }
        const int upstream = connectToAuthority(authority);
        const QByteArray reply = upstream < 0 ? "HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n"
                                 : tunnel     ? "HTTP/1.1 200 Connection established\r\n\r\n"
                                              : "";
        if (!sendAll(client, reply.constData(), size_t(reply.size())) || upstream < 0)
            return;
        if (sendAll(upstream, first.constData(), size_t(first.size())))
            carryBothWays(client, upstream);
        ::close(upstream);
        return;
    }
}

void LoopbackProxy::serveSocks(int client)
{
    const auto take = [client](size_t size) {
        QByteArray bytes(qsizetype(size), '\0');
        return ::recv(client, bytes.data(), size, MSG_WAITALL) == ssize_t(size) ? bytes : QByteArray();
    };
    // RFC 1928: greeting, "no authentication", CONNECT to an IPv4 address.
    const QByteArray greeting = take(2);
    if (greeting.isEmpty() || take(size_t(greeting[1])).isEmpty() || !sendAll(client, "\x05\x00", 2))
        return;
    const QByteArray request = take(10);
    if (request.size() != 10 || request[1] != 1 || request[3] != 1)
        return;
    const auto byte = [&request](int at) {
        return QByteArray::number(static_cast<unsigned char>(request[at]));
    };
    const int port = static_cast<unsigned char>(request[8]) * 256 + static_cast<unsigned char>(request[9]);
    const QByteArray address = byte(4) + '.' + byte(5) + '.' + byte(6) + '.' + byte(7);
    {
        const std::lock_guard lock(m_mutex);
        m_served.push_back(address + ':' + QByteArray::number(port));
    }
    const int upstream = connectTo(address.constData(), port);
    const char answer[] = {5, char(upstream < 0 ? 1 : 0), 0, 1, 0, 0, 0, 0, 0, 0};
    if (sendAll(client, answer, sizeof answer) && upstream >= 0)
        carryBothWays(client, upstream);
    if (upstream >= 0)
        ::close(upstream);
}

} // namespace tongchi::test
