#include "tests/support/fault_proxy.h"

#include "tests/support/http_pieces.h"
#include "tests/support/proxy_channel.h"

#include <algorithm>
#include <arpa/inet.h>
#include <csignal>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

namespace tongchi::test {

using simulator::LinkFaults;
using simulator::LinkTime;
using simulator::PacedBytes;
using simulator::ScheduledFault;

namespace {

constexpr qint64 proxyBufferBytes = 256 * 1024;

LinkTime proxyNow()
{
    return std::chrono::steady_clock::now();
}

/// What is on its way from one end to the other.
struct Way
{
    PacedBytes waiting;
    QByteArray taken; ///< of it, not yet written
    std::unique_ptr<HttpPieces> pieces;
    bool sourceEnded = false, endPassedOn = false;
    std::optional<LinkFaults::Break> breaks; ///< afterBytes: what is left of them

    bool isEmpty() const { return waiting.size() == 0 && taken.isEmpty(); }
    bool wantsToRead() const { return !sourceEnded && waiting.size() < proxyBufferBytes; }
};

} // namespace

class FaultProxy::Connection
{
public:
    Connection(FaultProxy &proxy, std::unique_ptr<ProxyChannel> client, std::unique_ptr<ProxyChannel> server)
        : m_proxy(proxy), m_client(std::move(client)), m_server(std::move(server))
    {
        if (!m_proxy.readsHttp())
            return;
        m_up.pieces = std::make_unique<HttpPieces>(HttpPieces::Direction::Requests, &m_requests);
        m_up.pieces->onRequest = [this](const HttpPieces::Request &request) {
            const std::lock_guard lock(m_proxy.m_mutex);
            m_proxy.m_requests.push_back(request.method + ' ' + request.target);
        };
        m_down.pieces = std::make_unique<HttpPieces>(HttpPieces::Direction::Answers, &m_requests);
        m_down.pieces->onPiece = [this](const QByteArray &target, qint64) {
            return m_proxy.wantsDamage(target, proxyNow());
        };
    }

    bool isDone() const { return m_done; }
    void freeze() { m_frozen = true; }
    void breakAfter(const LinkFaults::Break &end) { m_down.breaks = end; }
    void hurry() { m_down.waiting.hurry(); }

    /// Carries all that can go now.
    void carry(Time now)
    {
        if (m_frozen)
            return;
        while (!m_done &&
               (step(*m_client, *m_server, m_up, false, now) | step(*m_server, *m_client, m_down, true, now)))
            ;
        if (m_up.endPassedOn && m_down.endPassedOn)
            m_done = true;
    }
    void addTo(std::vector<pollfd> &polls) const
    {
        if (m_frozen)
            return;
        const auto add = [&polls](const ProxyChannel &channel, const Way &in, const Way &out) {
            short events = in.wantsToRead() ? POLLIN : 0;
            if (!out.taken.isEmpty() || channel.wantsToWrite())
                events |= POLLOUT;
            if (events != 0)
                polls.push_back({channel.socket(), events, 0});
        };
        add(*m_client, m_up, m_down);
        add(*m_server, m_down, m_up);
    }
    /// When time alone moves it on.
    std::optional<Time> next(Time now) const
    {
        if (m_frozen || !m_down.taken.isEmpty())
            return std::nullopt; // the socket says when
        return m_down.waiting.next(m_proxy.m_faults.bytesPerSecond(now), now);
    }

private:
    /// True when something has moved.
    bool step(ProxyChannel &from, ProxyChannel &to, Way &way, bool towardsClient, Time now)
    {
        bool moved = false;
        if (way.wantsToRead()) {
            QByteArray bytes;
            switch (from.read(bytes)) {
            case ProxyChannel::Got::Bytes:
                take(way, std::move(bytes), towardsClient, now);
                moved = true;
                break;
            case ProxyChannel::Got::Nothing:
                break;
            case ProxyChannel::Got::End:
                way.sourceEnded = moved = true;
                break;
            case ProxyChannel::Got::Broken:
                endWith({.afterBytes = 0, .reset = true});
                return false;
            }
        }
        const qint64 rate = towardsClient ? m_proxy.m_faults.bytesPerSecond(now) : 0;
        if (way.taken.isEmpty())
            way.taken = way.waiting.take(qsizetype(proxyBufferBytes), rate, now);
        if (!way.taken.isEmpty()) {
            const qsizetype written = to.write(way.taken.constData(), way.taken.size());
            if (written < 0) {
                endWith({.afterBytes = 0, .reset = true});
                return false;
            }
            way.taken.remove(0, written);
            moved = moved || written > 0;
            if (towardsClient)
                m_proxy.m_carried += written;
        }
        if (!way.isEmpty())
            return moved;
        if (way.breaks && way.breaks->afterBytes == 0) {
            endWith(*way.breaks);
            return false;
        }
        if (way.sourceEnded && !way.endPassedOn) {
            to.end();
            way.endPassedOn = true;
        }
        return moved;
    }
    void take(Way &way, QByteArray bytes, bool towardsClient, Time now)
    {
        if (way.pieces)
            way.pieces->feed(bytes.data(), bytes.size());
        if (way.breaks) {
            bytes.truncate(qsizetype(std::min<qint64>(bytes.size(), way.breaks->afterBytes)));
            way.breaks->afterBytes -= bytes.size();
        }
        way.waiting.add(bytes, towardsClient ? m_proxy.m_faults.delay(now) : std::chrono::milliseconds(0),
                        now);
    }
    void endWith(const LinkFaults::Break &end)
    {
        m_client->breakOff(end.reset);
        m_server->breakOff(end.reset);
        m_done = true;
    }

    FaultProxy &m_proxy;
    std::unique_ptr<ProxyChannel> m_client, m_server;
    std::deque<HttpPieces::Request> m_requests;
    Way m_up, m_down;
    bool m_frozen = false, m_done = false;
};

FaultProxy::FaultProxy(Options options) : m_options(std::move(options))
{
    std::signal(SIGPIPE, SIG_IGN); // OpenSSL writes without MSG_NOSIGNAL
    if (m_options.identity) {
        m_ours = TlsContext::server(m_options.identity->certificatePem, m_options.identity->keyPem);
        if (m_options.upstream.scheme() == u"https")
            m_theirs =
                TlsContext::client(m_options.upstreamAuthorityPem, m_options.upstream.host().toLatin1());
    }
    m_wake = ::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    listen();
    m_thread = std::thread([this] { run(); });
}

FaultProxy::~FaultProxy()
{
    {
        const std::lock_guard lock(m_mutex);
        m_stopping = true;
    }
    ::eventfd_write(m_wake, 1);
    m_thread.join();
    closeListener();
    ::close(m_wake);
}

QUrl FaultProxy::url() const
{
    QUrl url;
    url.setScheme(m_options.identity ? QStringLiteral("https") : m_options.upstream.scheme());
    url.setHost(QStringLiteral("127.0.0.1"));
    url.setPort(m_port);
    return url;
}

void FaultProxy::listen()
{
    const int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    const int on = 1;
    ::setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on); // the same port again after a death
    sockaddr_in address = {};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    address.sin_port = htons(quint16(m_port));
    socklen_t size = sizeof address;
    auto *generic = reinterpret_cast<sockaddr *>(&address);
    if (::bind(socket, generic, size) != 0 || ::listen(socket, 256) != 0 ||
        ::getsockname(socket, generic, &size) != 0)
        ADD_FAILURE() << "the proxy cannot listen on port " << m_port;
    m_port = ntohs(address.sin_port);
    m_listener = socket;
}

void FaultProxy::closeListener()
{
    if (m_listener >= 0)
        ::close(std::exchange(m_listener, -1));
}

Status FaultProxy::check(const InjectedFault &fault) const
{
    const bool ours = fault.fault >= PoolFault::HalfOpen;
    const bool unreadable = fault.fault == PoolFault::CorruptChunk && !readsHttp();
    if ((ours && !unreadable) || (!ours && m_options.others))
        return {};
    return failure({.code = ErrorCode::NotSupported,
                    .text = unreadable ? "What passes is encrypted: %1 needs a proxy that ends TLS."
                                       : "A proxy cannot do %1; only the server can.",
                    .arguments = {simulator::faultName(fault.fault)}});
}

Status FaultProxy::inject(const InjectedFault &fault)
{
    if (const Status possible = check(fault); !possible)
        return possible;
    inThread([this, fault] { apply(fault, proxyNow()); });
    return {};
}

Status FaultProxy::follow(std::vector<ScheduledFault> plan)
{
    std::erase_if(plan, [this](const ScheduledFault &entry) {
        return !entry.cluster.isEmpty() && entry.cluster != m_options.cluster;
    });
    std::stable_sort(plan.begin(), plan.end(),
                     [](const ScheduledFault &a, const ScheduledFault &b) { return a.at < b.at; });
    for (const ScheduledFault &entry : plan) {
        if (const Status possible = check(entry.what); !possible)
            return possible;
    }
    inThread([this, &plan] {
        m_plan.clear();
        for (const ScheduledFault &entry : plan)
            m_plan.emplace_back(proxyNow() + entry.at, entry.what);
    });
    return {};
}

void FaultProxy::damageNext(const QByteArray &target)
{
    inThread([this, target] { m_damageTarget = target; });
}

std::vector<QByteArray> FaultProxy::requests() const
{
    const std::lock_guard lock(m_mutex);
    return m_requests;
}

void FaultProxy::inThread(std::function<void()> task)
{
    std::unique_lock lock(m_mutex);
    m_tasks.push_back(std::move(task));
    const int mine = ++m_tasksGiven;
    ::eventfd_write(m_wake, 1);
    m_tasksDone.wait(lock, [this, mine] { return m_tasksFinished >= mine; });
}

void FaultProxy::run()
{
    while (true) {
        eventfd_t scrap = 0;
        ::eventfd_read(m_wake, &scrap);
        std::vector<std::function<void()>> tasks;
        {
            const std::lock_guard lock(m_mutex);
            if (m_stopping)
                break;
            tasks.swap(m_tasks);
        }
        for (const auto &task : tasks)
            task();
        const Time now = proxyNow();
        runPlan(now);
        accept();
        for (const auto &connection : m_connections)
            connection->carry(now);
        std::erase_if(m_connections, [](const auto &connection) { return connection->isDone(); });
        m_open = int(m_connections.size());
        if (!tasks.empty()) {
            const std::lock_guard lock(m_mutex);
            m_tasksFinished += int(tasks.size());
            m_tasksDone.notify_all();
        }
        wait();
    }
    m_connections.clear();
}

void FaultProxy::runPlan(Time now)
{
    if (m_aliveAt && now >= *m_aliveAt)
        apply({.fault = PoolFault::Alive}, now);
    while (!m_plan.empty() && m_plan.front().first <= now) {
        const InjectedFault fault = m_plan.front().second;
        m_plan.erase(m_plan.begin());
        apply(fault, now);
        ++m_done;
    }
}

void FaultProxy::wait()
{
    std::vector<pollfd> polls{{m_wake, POLLIN, 0}};
    if (m_listener >= 0)
        polls.push_back({m_listener, POLLIN, 0});
    const Time now = proxyNow();
    std::optional<Time> next = m_aliveAt;
    const auto consider = [&next](std::optional<Time> time) {
        if (time && (!next || *time < *next))
            next = time;
    };
    if (!m_plan.empty())
        consider(m_plan.front().first);
    for (const auto &connection : m_connections) {
        connection->addTo(polls);
        consider(connection->next(now));
    }
    timespec limit = {};
    if (next) {
        const auto rest = std::max(*next - now, Time::duration(0));
        limit.tv_sec = std::chrono::duration_cast<std::chrono::seconds>(rest).count();
        limit.tv_nsec = std::chrono::nanoseconds(rest % std::chrono::seconds(1)).count();
    }
    ::ppoll(polls.data(), polls.size(), next ? &limit : nullptr, nullptr);
}

void FaultProxy::accept()
{
    while (m_listener >= 0) {
        const int socket = ::accept4(m_listener, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK);
        if (socket < 0)
            return;
        ++m_accepted;
        const Time now = proxyNow();
        auto connection =
            std::make_unique<Connection>(*this, std::make_unique<ProxyChannel>(socket, m_ours),
                                         ProxyChannel::connecting(m_options.upstream.host().toLatin1(),
                                                                  m_options.upstream.port(), m_theirs));
        if (m_faults.isSilent(now))
            connection->freeze();
        if (const auto end = m_faults.breakOf(now))
            connection->breakAfter(*end);
        m_connections.push_back(std::move(connection));
    }
}

void FaultProxy::apply(const InjectedFault &fault, Time now)
{
    m_faults.begin(fault, now);
    switch (fault.fault) {
    case PoolFault::HalfOpen:
        for (const auto &connection : m_connections)
            connection->freeze();
        break;
    case PoolFault::Cut:
    case PoolFault::Reset:
        for (const auto &connection : m_connections)
            connection->breakAfter({fault.afterBytes, fault.fault == PoolFault::Reset});
        break;
    case PoolFault::Dead:
        closeListener();
        m_connections.clear();
        m_aliveAt = fault.duration.count() > 0 ? std::optional(now + fault.duration) : std::nullopt;
        break;
    case PoolFault::Alive:
        m_aliveAt.reset();
        m_damageTarget.reset();
        for (const auto &connection : m_connections)
            connection->hurry();
        if (m_listener < 0)
            listen();
        break;
    case PoolFault::Delay:
    case PoolFault::Drip:
    case PoolFault::CorruptChunk:
        break;
    case PoolFault::Restart:
    case PoolFault::Compact:
    case PoolFault::TooManyRequests:
    case PoolFault::ExpiredToken:
        m_options.others(fault);
        break;
    }
}

bool FaultProxy::wantsDamage(const QByteArray &target, Time now)
{
    bool damage = m_faults.takeDamage(now);
    if (m_damageTarget && target.startsWith(*m_damageTarget)) {
        m_damageTarget.reset();
        damage = true;
    }
    m_damaged += damage ? 1 : 0;
    return damage;
}

} // namespace tongchi::test
