#pragma once

#include "platform/core/clock.h"

#include <QByteArray>
#include <QString>
#include <QStringList>
#include <functional>
#include <utility>
#include <vector>

namespace tongchi {

/// How large the embedded pool is, where it listens and how its time runs.
struct PoolOptions
{
    int cards = 7500;
    int clusters = 3;
    quint64 seed = 1;   ///< the same seed gives the same pool
    double speed = 1.0; ///< simulated seconds a real second
    quint16 port = 0;   ///< TLS port of the first cluster, the others follow; 0: any free ports
    QString faultPlan;  ///< JSON file of faults to play; empty: none
};

/// The pool's time: starts at the machine's now and runs `speed` times as fast. Immutable, so thread-safe.
class SimulatedClock
{
public:
    explicit SimulatedClock(double speed = 1.0) : m_speed(speed) {}
    Instant now() const
    {
        using Milliseconds = std::chrono::milliseconds;
        const std::chrono::duration<double, std::milli> elapsed = std::chrono::steady_clock::now() - m_begun;
        return m_start + Milliseconds(Milliseconds::rep(elapsed.count() * m_speed));
    }
    Instant start() const { return m_start; }
    double speed() const { return m_speed; }

private:
    Instant m_start =
        std::chrono::time_point_cast<std::chrono::milliseconds>(std::chrono::system_clock::now());
    std::chrono::steady_clock::time_point m_begun = std::chrono::steady_clock::now();
    double m_speed;
};

/// One Kubernetes object as the fleet makes it.
struct SimulatedObject
{
    QByteArray apiVersion; ///< "v1", "resource.k8s.io/v1"
    QByteArray resource;   ///< "nodes", "pods", "resourceslices"
    QByteArray nameSpace;  ///< empty: cluster-scoped
    QByteArray name;
    QByteArray json; ///< complete: kind, apiVersion, metadata.uid, creationTimestamp; without resourceVersion
                     ///< and managedFields, which the server adds
};

struct ObjectChange
{
    /// Upsert: the whole object; the server keeps what clients wrote meanwhile (a label, a cordon).
    enum class Kind { Upsert, Delete };
    Kind kind = Kind::Upsert;
    SimulatedObject object; ///< Delete: json may be empty
};

/// Where a pool's objects come from. Called from one thread at a time, which need not be the one that made
/// it; different clusters may be asked from different threads at the same time.
class FleetSource
{
public:
    virtual ~FleetSource();
    virtual QStringList clusters() const = 0; ///< names, such as bj-prod
    /// The state at the start, in list order.
    virtual void forEachObject(int cluster, const std::function<void(SimulatedObject &&)> &take) = 0;
    /// What happened since the last call; called about once a second.
    virtual std::vector<ObjectChange> advance(int cluster, Instant now) = 0;
};

/// Answers what a cluster's Prometheus would. Thread-safe.
class MetricsSource
{
public:
    virtual ~MetricsSource();
    struct Answer
    {
        int status = 200;
        QByteArray contentType;
        QByteArray body;
        std::vector<std::pair<QByteArray, QByteArray>> headers = {};
    };
    /// `path` is "/api/v1/query" or "/metrics/..."; `queryString` is as sent, still percent-encoded.
    virtual Answer handle(int cluster, const QByteArray &method, const QByteArray &path,
                          const QByteArray &queryString, const QByteArray &body) = 0;
};

} // namespace tongchi
