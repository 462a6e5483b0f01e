#pragma once

#include "platform/inventory/inventory_delta.h"

#include <QFuture>
#include <QObject>

namespace tongchi {

/// What an operator may change on a node here. Unset members stay as they are.
struct NodeChange
{
    std::optional<bool> unschedulable;
    std::optional<BusinessLabel> businessLabel; ///< Unknown: remove the label tongchi.io/business
    bool operator==(const NodeChange &) const = default;
};

/// What the server says about one node after a change or its dry run.
struct NodeChangeResult
{
    QString node;
    QString uid;
    NodeChange before; ///< of the changed fields only: the inverse
    NodeChange after;
    QStringList warnings; ///< Warning headers
};

/// Whether the user may do something, and the server's reason if not.
struct Permission
{
    bool allowed = false;
    QString reason;
};

/// One cluster as the models see it: a stream of deltas and a few verbs. Lives on the GUI thread; the work is
/// done in the cluster's own thread. At most a few deltas are sent ahead of acknowledge(), so that a busy or
/// paused reader costs no memory.
class InventorySource : public QObject
{
    Q_OBJECT
public:
    using QObject::QObject;
    virtual quint32 clusterId() const = 0;
    virtual QString clusterName() const = 0;

    virtual void start() = 0;
    virtual void stop() = 0;
    /// Asks again now, whatever back-off is running; ten calls cost no more than one.
    virtual void refresh() = 0;
    /// One delta was applied.
    virtual void acknowledge() = 0;

    /// Changes a node with field manager tongchi and fieldValidation=Strict. `guard`: refuse with Conflict
    /// when the changed fields no longer have these values or the node is another one (uid).
    [[nodiscard]] virtual QFuture<Result<NodeChangeResult>>
    changeNode(const QString &node, const QString &uid, const NodeChange &change, bool dryRun,
               const std::optional<NodeChange> &guard) = 0;
    [[nodiscard]] virtual QFuture<Result<Permission>> mayChangeNodes() = 0;
    /// What Prometheus has of the last hour of one card (CardRecord::ordinal), oldest first, one record each
    /// 30 s that has one. A newer question ends the one under way, which fails with Cancelled.
    [[nodiscard]] virtual QFuture<Result<std::vector<TelemetryRecord>>> lastHour(std::uint32_t ordinal) = 0;
    /// The user as the server knows him (SelfSubjectReview), or an empty string.
    virtual QString userName() const = 0;

Q_SIGNALS:
    void deltaReady(std::shared_ptr<const tongchi::InventoryDelta> delta);
};

} // namespace tongchi
