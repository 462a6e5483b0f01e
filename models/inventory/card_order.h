#pragma once

#include "models/inventory/card_cell.h"
#include "platform/inventory/card_store.h"

#include <vector>

namespace tongchi {

/// All cards of a store in the order of one column, kept from one look to the next, so that a filter
/// keystroke sorts nothing: the cards that match are taken in this order. Ties stand by node (natural order:
/// gpu-9 before gpu-10) and slot; what is not reported comes last in either direction.
///
/// By node the order costs one pass over the nodes: new ones are merged into those that are known. By another
/// column it is a radix sort of one number a card, stable over the order by node. GUI thread only.
class CardOrder
{
public:
    explicit CardOrder(const CardStore &store) : m_store(store) {}

    void setColumn(CardColumn column, Qt::SortOrder order);
    CardColumn column() const { return m_column; }
    Qt::SortOrder direction() const { return m_direction; }

    /// What cards report or carry changed; cards that came or went are noticed without a word.
    void valuesChanged();

    /// Every used card; valid until the next call of a member that is not const.
    const std::vector<CardIndex> &cards();

private:
    struct KnownNode
    {
        StringId name = 0; ///< 0: no such node
        quint32 clusterId = 0;
        bool operator==(const KnownNode &) const = default;
    };

    void updateNodes();
    void orderByNode();
    void orderByColumn();

    const CardStore &m_store;
    CardColumn m_column = CardColumn::Node;
    Qt::SortOrder m_direction = Qt::AscendingOrder;
    std::vector<KnownNode> m_known;     ///< by node number, as of the last updateNodes()
    std::vector<std::uint32_t> m_nodes; ///< node numbers in natural order of their names
    std::vector<CardIndex> m_byNode;
    std::vector<CardIndex> m_byColumn;         ///< unused for ascending nodes
    std::uint64_t m_shape = std::uint64_t(-1); ///< of the store when m_byNode was made
    bool m_byColumnValid = false;
};

} // namespace tongchi
