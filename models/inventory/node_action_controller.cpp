#include "models/inventory/node_action_controller.h"

#include "platform/core/future_answer.h"

#include <QMap>
#include <algorithm>

namespace tongchi {
namespace {

constexpr int mostAtOnce = 4; ///< requests under way; an API server is shared with others

/// What a store's node shows of the fields a change would set.
NodeChange shownNow(const NodeFacts &facts, const NodeChange &fields)
{
    NodeChange now;
    if (fields.unschedulable)
        now.unschedulable = facts.unschedulable;
    if (fields.businessLabel)
        now.businessLabel = facts.businessLabel;
    return now;
}

QString auditText(const NodeChange &change)
{
    QStringList parts;
    if (change.unschedulable)
        parts << QStringLiteral("spec.unschedulable=%1")
                     .arg(*change.unschedulable ? QLatin1String("true") : QLatin1String("false"));
    if (change.businessLabel)
        parts << QStringLiteral("tongchi.io/business=%1").arg(QLatin1String(labelKey(*change.businessLabel)));
    return parts.join(u' ');
}

} // namespace

NodeActionController::NodeActionController(InventoryController &inventory, AuditWriter audit, QObject *parent)
    : QObject(parent), m_inventory(inventory), m_audit(std::move(audit))
{
    connect(&m_inventory, &InventoryController::cardsChanged, this, &NodeActionController::settlePending);
}

NodeActionController::~NodeActionController() = default;

bool NodeActionController::prepare(const std::vector<CardIndex> &cards, const NodeChange &change)
{
    if (m_phase == Phase::Applying)
        return false;
    ++m_generation;
    m_change = change;
    m_isUndo = false;
    m_lines.clear();
    const CardStore &store = m_inventory.store();
    QMap<std::uint32_t, int> chosen;
    for (const CardIndex card : cards) {
        if (store.isUsed(card))
            ++chosen[store.nodeIndexOf(card)];
    }
    for (auto it = chosen.cbegin(); it != chosen.cend(); ++it) {
        const StoredNode &node = store.node(it.key());
        const ClusterStatus *status = store.status(node.clusterId);
        NodeActionLine line;
        line.clusterId = node.clusterId;
        line.cluster = status ? status->name : QString();
        line.node = store.strings().text(node.facts.name);
        line.uid = store.strings().text(node.facts.uid);
        line.nodeIndex = it.key();
        line.cards = int(node.cards.size());
        line.chosenCards = it.value();
        m_lines.push_back(std::move(line));
    }
    std::sort(m_lines.begin(), m_lines.end(), [](const NodeActionLine &a, const NodeActionLine &b) {
        return a.cluster != b.cluster ? a.cluster < b.cluster : a.node < b.node;
    });
    m_asked = m_answered = 0;
    m_phase = m_lines.empty() ? Phase::None : Phase::Asking;
    Q_EMIT changed();
    for (int i = 0; i < mostAtOnce; ++i)
        dryRunNext();
    return true;
}

void NodeActionController::dryRunNext()
{
    if (m_phase != Phase::Asking || m_asked >= m_lines.size())
        return;
    const std::size_t number = m_asked++;
    NodeActionLine &line = m_lines[number];
    InventorySource *source = m_inventory.source(line.clusterId);
    const auto answered = [this, number, generation = m_generation](const Result<NodeChangeResult> &result) {
        if (generation != m_generation || m_phase != Phase::Asking)
            return;
        NodeActionLine &asked = m_lines[number];
        if (result) {
            asked.before = result->before;
            asked.after = result->after;
            asked.warnings = result->warnings;
            asked.state = result->before == result->after ? NodeActionLine::State::Unchanged
                                                          : NodeActionLine::State::Ready;
        } else {
            asked.state = NodeActionLine::State::Refused;
            asked.error = result.error();
        }
        if (++m_answered == m_lines.size())
            m_phase = Phase::Confirm;
        Q_EMIT changed();
        dryRunNext();
    };
    if (!source) {
        answered(failure({.code = ErrorCode::NotFound, .subject = line.cluster}));
        return;
    }
    whenAnswered(source->changeNode(line.node, line.uid, m_change, /*dryRun=*/true, std::nullopt), this,
                 answered);
}

void NodeActionController::confirm()
{
    if (m_phase != Phase::Confirm)
        return;
    m_phase = Phase::Applying;
    m_asked = m_answered = 0;
    m_canUndo = false;
    for (NodeActionLine &line : m_lines) {
        if (line.state == NodeActionLine::State::Ready)
            line.state = NodeActionLine::State::Applying;
    }
    Q_EMIT changed();
    for (int i = 0; i < mostAtOnce; ++i)
        applyNext();
}

void NodeActionController::applyNext()
{
    if (m_phase != Phase::Applying)
        return;
    while (m_asked < m_lines.size() && m_lines[m_asked].state != NodeActionLine::State::Applying) {
        ++m_asked;
        ++m_answered;
    }
    if (m_asked >= m_lines.size()) {
        if (m_answered >= m_lines.size()) {
            m_phase = Phase::Finished;
            int done = 0, failed = 0;
            for (const NodeActionLine &line : m_lines) {
                done +=
                    line.state == NodeActionLine::State::Done || line.state == NodeActionLine::State::Undone;
                failed += line.state == NodeActionLine::State::Failed ||
                          line.state == NodeActionLine::State::Refused;
            }
            m_canUndo = done > 0 && !m_isUndo;
            Q_EMIT changed();
            Q_EMIT finished(done, failed);
        }
        return;
    }
    const std::size_t number = m_asked++;
    NodeActionLine &line = m_lines[number];
    // Applied only if the fields still are what the dry run showed: what the operator confirmed is what
    // happens.
    const NodeChange wanted = m_isUndo ? line.before : line.after;
    const NodeChange guard = m_isUndo ? line.after : line.before;
    const auto answered = [this, number, wanted,
                           generation = m_generation](const Result<NodeChangeResult> &result) {
        if (generation != m_generation || m_phase != Phase::Applying)
            return;
        NodeActionLine &applied = m_lines[number];
        if (result) {
            applied.state = m_isUndo ? NodeActionLine::State::Undone : NodeActionLine::State::Done;
            m_pending.push_back({applied.nodeIndex, applied.uid, wanted});
            audit(applied, m_isUndo ? "undo" : "patch", QStringLiteral("done"));
        } else {
            applied.state = NodeActionLine::State::Failed;
            applied.error = result.error();
            audit(applied, m_isUndo ? "undo" : "patch",
                  QString::fromLatin1(errorCodeName(result.error().code)));
        }
        ++m_answered;
        publishPending();
        Q_EMIT changed();
        applyNext();
    };
    if (InventorySource *source = m_inventory.source(line.clusterId))
        whenAnswered(source->changeNode(line.node, line.uid, wanted, /*dryRun=*/false, guard), this,
                     answered);
    else
        answered(failure({.code = ErrorCode::NotFound, .subject = line.cluster}));
}

void NodeActionController::cancel()
{
    if (m_phase == Phase::Applying)
        return; // requests on their way cannot be taken back; undo() can
    ++m_generation;
    if (m_phase != Phase::Finished) {
        m_lines.clear();
        m_canUndo = false;
    }
    m_phase = Phase::None;
    Q_EMIT changed();
}

void NodeActionController::undo()
{
    if (!m_canUndo || m_phase == Phase::Applying)
        return;
    ++m_generation;
    m_isUndo = true;
    m_canUndo = false;
    for (NodeActionLine &line : m_lines) {
        line.error.reset();
        if (line.state == NodeActionLine::State::Done)
            line.state = NodeActionLine::State::Applying;
    }
    m_phase = Phase::Applying;
    m_asked = m_answered = 0;
    Q_EMIT changed();
    for (int i = 0; i < mostAtOnce; ++i)
        applyNext();
}

void NodeActionController::settlePending()
{
    const CardStore &store = m_inventory.store();
    const auto before = m_pending.size();
    std::erase_if(m_pending, [&store](const PendingNode &pending) {
        if (pending.nodeIndex >= store.nodeSlots())
            return true;
        const NodeFacts &facts = store.node(pending.nodeIndex).facts;
        return store.strings().text(facts.uid) != pending.uid ||
               shownNow(facts, pending.wanted) == pending.wanted;
    });
    if (m_pending.size() != before)
        publishPending();
}

void NodeActionController::publishPending()
{
    QHash<std::uint32_t, PendingNodeChange> pending;
    for (const PendingNode &node : m_pending) {
        PendingNodeChange &entry = pending[node.nodeIndex];
        if (node.wanted.unschedulable)
            entry.unschedulable = node.wanted.unschedulable;
        if (node.wanted.businessLabel)
            entry.businessLabel = node.wanted.businessLabel;
    }
    m_inventory.table().setPending(pending);
}

void NodeActionController::audit(const NodeActionLine &line, const char *verb, const QString &result)
{
    if (!m_audit)
        return;
    const InventorySource *source = m_inventory.source(line.clusterId);
    m_audit({.at = m_inventory.clock().now(),
             .cluster = line.cluster,
             .clusterUser = source ? source->userName() : QString(),
             .verb = QString::fromLatin1(verb),
             .object = QStringLiteral("nodes/") + line.node,
             .before = auditText(m_isUndo ? line.after : line.before),
             .after = auditText(m_isUndo ? line.before : line.after),
             .result = result,
             .detail = line.error ? englishText(*line.error) : QString()});
}

int NodeActionController::readyNodes() const
{
    return int(std::count_if(m_lines.begin(), m_lines.end(), [](const NodeActionLine &line) {
        return line.state == NodeActionLine::State::Ready;
    }));
}

int NodeActionController::readyCards() const
{
    int cards = 0;
    for (const NodeActionLine &line : m_lines)
        cards += line.state == NodeActionLine::State::Ready ? line.cards : 0;
    return cards;
}

int NodeActionController::chosenCards() const
{
    int cards = 0;
    for (const NodeActionLine &line : m_lines)
        cards += line.chosenCards;
    return cards;
}

NodeActionController::Allowed NodeActionController::allowed(const std::vector<CardIndex> &cards)
{
    const CardStore &store = m_inventory.store();
    Allowed result{.known = true, .allowed = true};
    QList<quint32> clusters;
    for (const CardIndex card : cards) {
        if (store.isUsed(card) && !clusters.contains(store.clusterOf(card)))
            clusters << store.clusterOf(card);
    }
    for (const quint32 id : std::as_const(clusters)) {
        const auto known = m_permissions.constFind(id);
        if (known != m_permissions.cend()) {
            if (!known.value()) {
                result.known = false;
            } else if (!known.value()->allowed) {
                result.allowed = false;
                result.reason = known.value()->reason;
            }
            continue;
        }
        result.known = false;
        m_permissions.insert(id, std::nullopt);
        if (InventorySource *source = m_inventory.source(id)) {
            whenAnswered(source->mayChangeNodes(), this, [this, id](const Result<Permission> &answer) {
                if (answer)
                    m_permissions.insert(id, *answer);
                else
                    m_permissions.remove(id); // asked again next time; the dry run still decides
                Q_EMIT permissionChanged();
            });
        }
    }
    return result;
}

} // namespace tongchi
