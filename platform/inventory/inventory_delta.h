#pragma once

#include "platform/core/result.h"
#include "platform/inventory/card_values.h"

#include <QMetaType>
#include <memory>
#include <vector>

namespace tongchi {

/// State of one source of one cluster, for the status bar and for JSON.
enum class SourceState : std::uint8_t { Idle, Connecting, Live, Late, Lost, Forbidden, Failed, Missing };

/// JSON word: "live", "late", "lost", "forbidden", "failed"; the states before an answer count as "late".
const char *sourceStateKey(SourceState state);

struct SourceStatus
{
    SourceState state = SourceState::Idle;
    std::optional<Instant> lastHeard; ///< by our clock
    std::optional<std::chrono::milliseconds> latency;
    std::optional<std::chrono::milliseconds> clockSkew; ///< source minus ours
    std::optional<Error> error;
    std::optional<Instant> nextTry;
    qint64 objects = 0;
    std::optional<qint64> expected;
    qint64 unreadable = 0;
    QStringList warnings; ///< of a partial answer, plain text
};

/// A resource that the user may not read.
struct DeniedPart
{
    QString resource; ///< "pods"
    Error error;
};

struct ClusterStatus
{
    QString name;   ///< the context's name; unique among connected clusters
    QString server; ///< displayUrl()
    QString kubernetesVersion;
    bool simulated = false;
    bool complete = false;          ///< nodes, pods and whatever else is asked have been read once
    bool telemetryComplete = false; ///< the first telemetry answer was joined, or it is known that none comes
    bool historyComplete = false;   ///< the hour before has been read, or it is known that it will not be
    SourceStatus kubernetes;
    SourceStatus pods; ///< may be forbidden while nodes are not
    SourceStatus metrics;
    QString metricsVia;       ///< "service proxy monitoring/prometheus-k8s", a URL, or empty
    QList<DeniedPart> denied; ///< nodes too, if it is them
    QStringList notes;        ///< English, plain: series not assigned to a card, objects unreadable

    /// Whether counts of what pods hold can be believed: these have been read.
    bool isHeldKnown() const;
};

struct NodeUpdate
{
    NodeFacts node;
    std::vector<CardRecord> cards; ///< all cards of the node; those not named are gone
};

/// What changed in one cluster since the last delta. Built in the cluster's thread, applied on the GUI thread
/// in one go; immutable in between.
struct InventoryDelta
{
    quint32 clusterId = 0; ///< given by whoever opened the session, unique in the process
    bool restart = false;  ///< forget everything of this cluster first
    std::vector<NodeUpdate> upserts;
    std::vector<StringId> removedNodes; ///< uids
    std::vector<TelemetryRecord> telemetry;
    std::vector<TelemetryRecord> past; ///< for the last hour only: they fill gaps and replace nothing
    std::shared_ptr<const ClusterStatus> status; ///< null: unchanged
};

} // namespace tongchi

Q_DECLARE_METATYPE(std::shared_ptr<const tongchi::InventoryDelta>)
