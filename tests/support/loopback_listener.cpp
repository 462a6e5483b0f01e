#include "tests/support/loopback_listener.h"

#include <arpa/inet.h>
#include <cerrno>
#include <csignal>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <string>
#include <sys/socket.h>
#include <unistd.h>

namespace tongchi::test {

LoopbackListener::LoopbackListener(Family family, Serve serve) : m_serve(std::move(serve))
{
    std::signal(SIGPIPE, SIG_IGN); // OpenSSL writes without MSG_NOSIGNAL
    const int domain = family == Family::V4 ? AF_INET : AF_INET6;
    m_socket = ::socket(domain, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (m_socket < 0)
        return;
    sockaddr_storage address = {};
    socklen_t size = 0;
    if (family == Family::V4) {
        auto *v4 = reinterpret_cast<sockaddr_in *>(&address);
        v4->sin_family = AF_INET;
        v4->sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        size = sizeof(sockaddr_in);
    } else {
        auto *v6 = reinterpret_cast<sockaddr_in6 *>(&address);
        v6->sin6_family = AF_INET6;
        v6->sin6_addr = in6addr_loopback;
        size = sizeof(sockaddr_in6);
    }
    auto *generic = reinterpret_cast<sockaddr *>(&address);
    if (::bind(m_socket, generic, size) != 0 || ::listen(m_socket, 256) != 0 ||
        ::getsockname(m_socket, generic, &size) != 0) {
        ::close(m_socket); // for instance a machine without ::1
        m_socket = -1;
        return;
    }
    m_port = ntohs(family == Family::V4 ? reinterpret_cast<sockaddr_in *>(&address)->sin_port
                                        : reinterpret_cast<sockaddr_in6 *>(&address)->sin6_port);
    m_thread = std::thread([this] { acceptLoop(); });
}

LoopbackListener::~LoopbackListener()
{
    stop();
}

void LoopbackListener::stop()
{
    if (m_socket < 0)
        return;
    {
        const std::lock_guard lock(m_mutex);
        m_stopping = true;
        for (Connection &connection : m_connections) {
            if (connection.open)
                ::shutdown(connection.socket, SHUT_RDWR);
        }
    }
    ::shutdown(m_socket, SHUT_RDWR);
    m_thread.join();
    for (Connection &connection : m_connections) // nothing is added any more
        connection.thread.join();
    m_connections.clear();
    ::close(m_socket);
    m_socket = -1;
}

void LoopbackListener::dropConnections()
{
    const std::lock_guard lock(m_mutex);
    for (Connection &connection : m_connections) {
        if (connection.open)
            ::shutdown(connection.socket, SHUT_RDWR);
    }
}

int LoopbackListener::openConnections() const
{
    const std::lock_guard lock(m_mutex);
    int count = 0;
    for (const Connection &connection : m_connections)
        count += connection.open ? 1 : 0;
    return count;
}

int LoopbackListener::acceptedConnections() const
{
    const std::lock_guard lock(m_mutex);
    return int(m_connections.size());
}

void LoopbackListener::acceptLoop()
{
    while (true) {
        const int socket = ::accept4(m_socket, nullptr, nullptr, SOCK_CLOEXEC);
        if (socket < 0 && (errno == EINTR || errno == ECONNABORTED))
            continue;
        const std::lock_guard lock(m_mutex);
        if (socket < 0 || m_stopping) {
            if (socket >= 0)
                ::close(socket);
            return;
        }
        const int on = 1;
        ::setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
        Connection &connection = m_connections.emplace_back();
        connection.socket = socket;
        connection.thread = std::thread([this, &connection] {
            m_serve(connection.socket);
            const std::lock_guard closing(m_mutex);
            connection.open = false;
            ::close(connection.socket);
        });
    }
}

bool sendAll(int socket, const char *bytes, size_t size)
{
    while (size > 0) {
        const ssize_t sent = ::send(socket, bytes, size, MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR)
            continue;
        if (sent <= 0)
            return false;
        bytes += sent;
        size -= size_t(sent);
    }
    return true;
}

void waitUntilPeerLeaves(int socket)
{
    char scrap[4096];
    while (true) {
        const ssize_t count = ::recv(socket, scrap, sizeof scrap, 0);
        if (count < 0 && errno == EINTR)
            continue;
        if (count <= 0)
            return;
    }
}

void resetOnClose(int socket)
{
    const linger now{.l_onoff = 1, .l_linger = 0};
    ::setsockopt(socket, SOL_SOCKET, SO_LINGER, &now, sizeof now);
}

int connectTo(const char *host, int port)
{
    addrinfo hints = {};
    hints.ai_socktype = SOCK_STREAM;
    hints.ai_flags = AI_NUMERICSERV;
    addrinfo *found = nullptr;
    if (::getaddrinfo(host, std::to_string(port).c_str(), &hints, &found) != 0)
        return -1;
    int socket = -1;
    for (const addrinfo *one = found; one && socket < 0; one = one->ai_next) {
        socket = ::socket(one->ai_family, one->ai_socktype | SOCK_CLOEXEC, 0);
        if (socket >= 0 && ::connect(socket, one->ai_addr, one->ai_addrlen) != 0) {
            ::close(socket);
            socket = -1;
        }
    }
    ::freeaddrinfo(found);
    return socket;
}

} // namespace tongchi::test
