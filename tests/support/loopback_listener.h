#pragma once

#include <functional>
#include <list>
#include <mutex>
#include <thread>

namespace tongchi::test {

/// Accepts connections on loopback, one blocking thread each: a test's script reads from top to bottom.
/// Stopping shuts every socket down, so that each blocking call in a script returns.
class LoopbackListener
{
public:
    enum class Family { V4, V6 };
    using Serve =
        std::function<void(int socket)>; ///< runs in its own thread; the socket is closed afterwards

    LoopbackListener(Family family, Serve serve);
    ~LoopbackListener();

    int port() const { return m_port; }
    bool isListening() const { return m_socket >= 0; }
    void stop();
    int openConnections() const;
    int acceptedConnections() const;
    /// Cuts every open connection, as a dying server does; new ones are accepted.
    void dropConnections();

private:
    struct Connection
    {
        int socket = -1;
        bool open = true;
        std::thread thread;
    };
    void acceptLoop();

    Serve m_serve;
    int m_socket = -1;
    int m_port = 0;
    mutable std::mutex m_mutex; ///< protects everything below
    std::list<Connection> m_connections;
    bool m_stopping = false;
    std::thread m_thread;
};

/// Blocking helpers for scripts. False or empty when the other side is gone.
bool sendAll(int socket, const char *bytes, size_t size);
/// Waits until the other side has closed or reset its end; bytes that come meanwhile are swallowed.
void waitUntilPeerLeaves(int socket);
/// Closes with RST instead of FIN.
void resetOnClose(int socket);
int connectTo(const char *host, int port);

} // namespace tongchi::test
