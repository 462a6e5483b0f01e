#pragma once

#include "models/inventory/card_table_model.h"

#include <QItemSelectionModel>

namespace tongchi {

/// The table's selection, kept by card: a filter, a fresh list or a reset takes nothing away, and a card that
/// comes back into view is selected again. cards() counts only what is in view: nothing hidden is ever acted
/// on.
class CardSelection : public QItemSelectionModel
{
    Q_OBJECT
public:
    explicit CardSelection(CardTableModel &table, QObject *parent = nullptr);

    std::vector<CardIndex> cards() const; ///< selected and in view, in row order
    int cardCount() const;
    void selectCards(const std::vector<CardIndex> &cards);

Q_SIGNALS:
    void cardsChanged();

private:
    void remember(const QItemSelection &selected, const QItemSelection &deselected);
    void restore();

    CardTableModel &m_table;
    std::vector<std::uint8_t> m_chosen; ///< by card
    bool m_restoring = false;
};

} // namespace tongchi
