#pragma once

#include "models/inventory/inventory_controller.h"

#include <QObject>
#include <functional>

namespace tongchi {

/// One node of an action, as the confirm sheet and the result list show it.
struct NodeActionLine
{
    quint32 clusterId = 0;
    QString cluster, node, uid;
    std::uint32_t nodeIndex = 0;
    int cards = 0;       ///< of the node
    int chosenCards = 0; ///< of these, in the selection
    enum class State {
        Asking,
        Ready,
        Unchanged,
        Refused,
        Applying,
        Done,
        Failed,
        Undone
    } state = State::Asking;
    NodeChange before, after; ///< as the server's dry run says
    QStringList warnings;
    std::optional<Error> error;
};

/// Where a line of the audit log goes; the application gives the real one.
struct AuditEntry
{
    Instant at;
    QString cluster, clusterUser, verb, object, before, after, result, detail, undoOf;
};
using AuditWriter = std::function<void(const AuditEntry &)>;

/// Cordon, uncordon and business label on the nodes of a selection: server dry run, what will change,
/// confirm, apply, pending until the watch shows it, undo by the guarded inverse. One action at a time; a
/// second prepare() replaces one that was not confirmed and is refused while one is being applied. GUI thread
/// only.
class NodeActionController : public QObject
{
    Q_OBJECT
public:
    enum class Phase { None, Asking, Confirm, Applying, Finished };

    NodeActionController(InventoryController &inventory, AuditWriter audit, QObject *parent = nullptr);
    ~NodeActionController() override;

    /// Asks the server what `change` would do to the nodes of these cards. False while an action is being
    /// applied.
    bool prepare(const std::vector<CardIndex> &cards, const NodeChange &change);
    void confirm();
    void cancel();
    /// Takes back the last finished action; refused by the server when somebody changed the fields since.
    void undo();

    Phase phase() const { return m_phase; }
    const std::vector<NodeActionLine> &lines() const { return m_lines; }
    const NodeChange &change() const { return m_change; }
    bool canUndo() const { return m_canUndo; }
    bool isUndo() const { return m_isUndo; }
    int readyNodes() const;
    int readyCards() const;
    int chosenCards() const;

    /// Whether node changes are allowed in all clusters of these cards; asked once a cluster, then
    /// remembered. `known` is false until every answer is there (permissionChanged tells).
    struct Allowed
    {
        bool known = false;
        bool allowed = false;
        QString reason;
    };
    Allowed allowed(const std::vector<CardIndex> &cards);

Q_SIGNALS:
    void changed(); ///< phase or a line
    void finished(int done, int failed);
    void permissionChanged();

private:
    void dryRunNext();
    void applyNext();
    void settlePending();
    void audit(const NodeActionLine &line, const char *verb, const QString &result);
    void publishPending();

    InventoryController &m_inventory;
    AuditWriter m_audit;
    Phase m_phase = Phase::None;
    NodeChange m_change;
    std::vector<NodeActionLine> m_lines;
    std::size_t m_asked = 0, m_answered = 0;
    bool m_canUndo = false;
    bool m_isUndo = false;
    quint64 m_generation = 0;
    struct PendingNode
    {
        std::uint32_t nodeIndex;
        QString uid;
        NodeChange wanted;
    };
    std::vector<PendingNode> m_pending;
    QHash<quint32, std::optional<Permission>> m_permissions;
};

} // namespace tongchi
