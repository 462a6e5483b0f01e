#pragma once

#include "models/inventory/card_cell.h"
#include "models/inventory/card_filter.h"
#include "models/inventory/card_order.h"

#include <QAbstractTableModel>
#include <QHash>
#include <QTimer>
#include <memory>

namespace tongchi {

/// The card table over all connected clusters: visible order, filter and sort over the columns of the store,
/// no proxy.
///
/// Schedule:
/// 1. storeChanged() after each apply(): cards that came or went change the rows at once (runs of rows, or
/// one reset
///    when more than a quarter changed); values mark the visible window as changed, measurements its rows.
/// 2. tick() once a second repaints the visible window (ages) and, when the order or the filter depends on
/// values that
///    move, judges all rows again at most every resortInterval.
/// 3. While the order is frozen (pointer over the table, something selected) rows stay where they are;
/// orderPending
///    says how many would move.
/// GUI thread only.
class CardTableModel : public QAbstractTableModel
{
    Q_OBJECT
public:
    struct Options
    {
        std::chrono::milliseconds resortInterval{2'000};
        FreshnessLimits limits;
    };

    CardTableModel(const CardStore &store, const Clock &clock, Options options, QObject *parent = nullptr);
    CardTableModel(const CardStore &store, const Clock &clock, QObject *parent = nullptr);
    ~CardTableModel() override;

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    Qt::ItemFlags flags(const QModelIndex &index) const override;
    void sort(int column, Qt::SortOrder order) override;

    /// Language of the texts; everything visible is announced as changed.
    void setFormatting(const Formatting &formatting);
    const Formatting &formatting() const { return m_formatting; }

    void setFilter(const QList<FilterToken> &tokens);
    const QList<FilterToken> &filter() const { return m_tokens; }
    const FacetCounts &facets() const { return m_facets; }

    void storeChanged(const StoreChange &change);
    void tick();
    /// Rows on screen, so that changes announce no more than these.
    void setVisibleRows(int first, int last);

    void setOrderFrozen(bool frozen);
    bool isOrderFrozen() const { return m_frozen; }
    int pendingMoves() const { return m_pendingMoves; }
    /// Sorts and filters now, frozen or not.
    void sortNow();

    CardIndex cardAt(int row) const;
    int rowOf(CardIndex card) const; ///< -1: not shown
    /// True while rows leave: what is deselected then was not deselected by anybody.
    bool isRemovingRows() const { return m_removing; }
    const std::vector<CardIndex> &rows() const { return m_rows; }
    CardCell cell(int row, CardColumn column) const;
    CellContext context(CardIndex card) const;
    const CardStore &store() const { return m_store; }
    CardColumn sortColumn() const { return m_order.column(); }
    Qt::SortOrder sortOrder() const { return m_order.direction(); }

    /// Changes written but not yet confirmed, by node number; empty: none.
    void setPending(const QHash<std::uint32_t, PendingNodeChange> &pending);

Q_SIGNALS:
    void facetsChanged();
    void orderPending(int moves);

private:
    /// Other rows, or the same in another order: selections and the current row stay with their cards. Every
    /// card that such an index stands on must be among `rows`.
    void reorder(std::vector<CardIndex> rows);
    void judge(bool force);
    void moveTo(std::vector<CardIndex> next);
    std::vector<CardIndex> inOrder(const std::vector<CardIndex> &cards);
    bool dependsOnValues() const;
    void announceVisible(CardColumn firstColumn = CardColumn(0),
                         CardColumn lastColumn = CardColumn(cardColumnCount - 1));
    /// The rows on screen among these cards.
    void announceVisible(const std::vector<CardIndex> &cards);
    void rebuildRowNumbers() const;

    const CardStore &m_store;
    const Clock &m_clock;
    Options m_options;
    Formatting m_formatting;
    QList<FilterToken> m_tokens;
    FacetCounts m_facets;
    std::vector<CardIndex> m_rows;
    mutable std::vector<std::int32_t> m_rowNumbers; ///< by card, -1: not shown; valid when m_rowNumbersValid
    mutable bool m_rowNumbersValid = false;
    CardOrder m_order;
    QHash<std::uint32_t, PendingNodeChange> m_pending;
    Monotonic m_lastJudged{};
    bool m_valuesMoved = false;
    bool m_frozen = false;
    bool m_removing = false;
    int m_pendingMoves = 0;
    int m_ticks = 0;
    int m_firstVisible = 0;
    int m_lastVisible = 64;
};

} // namespace tongchi
