#include "models/inventory/card_selection.h"

#include <algorithm>

namespace tongchi {

CardSelection::CardSelection(CardTableModel &table, QObject *parent)
    : QItemSelectionModel(&table, parent), m_table(table)
{
    connect(this, &QItemSelectionModel::selectionChanged, this, &CardSelection::remember);
    // Behind the view's own slots: the rows are counted anew before they are selected again.
    connect(&table, &QAbstractItemModel::modelReset, this, &CardSelection::restore, Qt::QueuedConnection);
    connect(&table, &QAbstractItemModel::rowsInserted, this, &CardSelection::restore, Qt::QueuedConnection);
    connect(&table, &QAbstractItemModel::rowsRemoved, this, &CardSelection::cardsChanged,
            Qt::QueuedConnection);
}

void CardSelection::remember(const QItemSelection &selected, const QItemSelection &deselected)
{
    if (m_restoring || m_table.isRemovingRows())
        return;
    m_chosen.resize(std::max<std::size_t>(m_chosen.size(), m_table.store().cardSlots()), 0);
    const auto mark = [this](const QItemSelection &ranges, std::uint8_t value) {
        for (const QItemSelectionRange &range : ranges) {
            for (int row = range.top(); row <= range.bottom(); ++row) {
                const CardIndex card = m_table.cardAt(row);
                if (card != noCard && card < m_chosen.size())
                    m_chosen[card] = value;
            }
        }
    };
    mark(deselected, 0);
    mark(selected, 1);
    Q_EMIT cardsChanged();
}

void CardSelection::restore()
{
    // A card that left the store takes its mark along: its number may belong to another card later.
    for (CardIndex card = 0; card < m_chosen.size(); ++card) {
        if (m_chosen[card] && (card >= m_table.store().cardSlots() || !m_table.store().isUsed(card)))
            m_chosen[card] = 0;
    }
    QItemSelection selection;
    const auto &rows = m_table.rows();
    const auto chosen = [this, &rows](std::size_t row) {
        return rows[row] < m_chosen.size() && m_chosen[rows[row]];
    };
    for (std::size_t row = 0; row < rows.size();) {
        if (!chosen(row)) {
            ++row;
            continue;
        }
        std::size_t last = row;
        while (last + 1 < rows.size() && chosen(last + 1))
            ++last;
        selection.append(QItemSelectionRange(m_table.index(int(row), 0),
                                             m_table.index(int(last), m_table.columnCount() - 1)));
        row = last + 1;
    }
    m_restoring = true;
    select(selection, QItemSelectionModel::ClearAndSelect);
    m_restoring = false;
    Q_EMIT cardsChanged();
}

std::vector<CardIndex> CardSelection::cards() const
{
    std::vector<CardIndex> cards;
    for (const CardIndex card : m_table.rows()) {
        if (card < m_chosen.size() && m_chosen[card] && m_table.store().isUsed(card))
            cards.push_back(card);
    }
    return cards;
}

int CardSelection::cardCount() const
{
    return int(cards().size());
}

void CardSelection::selectCards(const std::vector<CardIndex> &cards)
{
    m_chosen.assign(m_table.store().cardSlots(), 0);
    for (const CardIndex card : cards)
        m_chosen[card] = 1;
    restore();
}

} // namespace tongchi
