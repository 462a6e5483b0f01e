#pragma once

#include "platform/simulator/fault_schedule.h"
#include "platform/simulator/link_faults.h"
#include "tests/support/test_certificates.h"

#include <QUrl>
#include <atomic>
#include <condition_variable>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

namespace tongchi::test {

class TlsContext;

/// A bad way to a server: listens on loopback, carries everything to one server, and does to it what fault
/// plans call half-open, delay, drip, cut, reset, corrupt-chunk, dead and alive. Measures in bytes are those
/// of the server's side as the proxy sees them: of TLS where it passes through.
///
/// - Without an identity bytes pass as they are, TLS and client certificates too; then nothing of TLS can be
///   damaged, so that corrupt-chunk needs a plain server.
/// - With one the proxy ends TLS itself and speaks TLS to the server where that wants it.
/// - half-open takes all connections that are open, which never carry another byte, and with a duration
///   those that come in that time; cut and reset end them; dead closes the port too.
///
/// Runs in a thread of its own. All methods may be called from any other thread, and have had their effect
/// when they return.
class FaultProxy
{
public:
    struct Options
    {
        QUrl upstream;                                       ///< http or https, an IPv4 address and a port
        std::optional<TestIdentity> identity = std::nullopt; ///< shown to clients
        QByteArray upstreamAuthorityPem = {}; ///< with an identity and https: who has signed the server
        QString cluster = {};                 ///< faults of a plan for other clusters are not ours
        /// Does what a way cannot do ("restart"). Called in the proxy's thread. Empty: such faults are
        /// refused.
        std::function<void(const InjectedFault &)> others = {};
    };

    explicit FaultProxy(Options options);
    ~FaultProxy();
    FaultProxy(const FaultProxy &) = delete;
    FaultProxy &operator=(const FaultProxy &) = delete;

    int port() const { return m_port; }
    /// "https://127.0.0.1:port", as clients have to ask.
    QUrl url() const;

    /// Fails with NotSupported for what it cannot do, and then does nothing.
    [[nodiscard]] Status inject(const InjectedFault &fault);
    /// All entries of a plan that are for this cluster, counted from now. An earlier plan is forgotten.
    [[nodiscard]] Status follow(std::vector<simulator::ScheduledFault> plan);
    /// corrupt-chunk for the next piece of an answer to a target that begins so.
    void damageNext(const QByteArray &target);

    int acceptedConnections() const { return m_accepted; }
    int openConnections() const { return m_open; } ///< silent ones too
    int damagedPieces() const { return m_damaged; }
    qint64 bytesCarried() const { return m_carried; } ///< towards clients
    /// Faults of the plan that have been done so far.
    int faultsDone() const { return m_done; }
    /// "GET /path" of each request; where it can read them.
    std::vector<QByteArray> requests() const;

private:
    class Connection;
    using Time = simulator::LinkTime;

    [[nodiscard]] Status check(const InjectedFault &fault) const;
    bool readsHttp() const { return m_options.identity || m_options.upstream.scheme() == u"http"; }
    void listen();
    void closeListener();
    void inThread(std::function<void()> task);
    void run();
    void runPlan(Time now);
    void wait();
    void accept();
    void apply(const InjectedFault &fault, Time now);
    bool wantsDamage(const QByteArray &target, Time now);

    Options m_options;
    std::shared_ptr<const TlsContext> m_ours, m_theirs;
    int m_port = 0;
    std::atomic<int> m_accepted{0}, m_open{0}, m_damaged{0}, m_done{0};
    std::atomic<qint64> m_carried{0};

    // Of the proxy's thread.
    int m_listener = -1;
    simulator::LinkFaults m_faults;
    std::list<std::unique_ptr<Connection>> m_connections;
    std::vector<std::pair<Time, InjectedFault>> m_plan;
    std::optional<Time> m_aliveAt; ///< end of a death
    std::optional<QByteArray> m_damageTarget;

    mutable std::mutex m_mutex; ///< guards what follows
    std::condition_variable m_tasksDone;
    std::vector<std::function<void()>> m_tasks;
    int m_tasksGiven = 0, m_tasksFinished = 0;
    std::vector<QByteArray> m_requests;
    bool m_stopping = false;
    int m_wake = -1; ///< eventfd
    std::thread m_thread;
};

} // namespace tongchi::test
