#include "models/inventory/card_table_model.h"

#include <algorithm>
#include <utility>

namespace tongchi {

CardTableModel::CardTableModel(const CardStore &store, const Clock &clock, Options options, QObject *parent)
    : QAbstractTableModel(parent), m_store(store), m_clock(clock), m_options(options), m_order(store)
{
    judge(/*force=*/true);
}

CardTableModel::CardTableModel(const CardStore &store, const Clock &clock, QObject *parent)
    : CardTableModel(store, clock, Options{}, parent)
{
}

CardTableModel::~CardTableModel() = default;

int CardTableModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : int(m_rows.size());
}

int CardTableModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : cardColumnCount;
}

CellContext CardTableModel::context(CardIndex card) const
{
    const auto pending = m_pending.isEmpty() ? m_pending.end() : m_pending.find(m_store.nodeIndexOf(card));
    return {m_store, m_formatting, m_clock.now(), m_options.limits,
            pending == m_pending.end() ? nullptr : &pending.value()};
}

CardCell CardTableModel::cell(int row, CardColumn column) const
{
    const CardIndex card = cardAt(row);
    return card == noCard ? CardCell{} : cardCell(context(card), card, column);
}

QVariant CardTableModel::data(const QModelIndex &index, int role) const
{
    if (!index.isValid() || index.row() >= int(m_rows.size()))
        return {};
    const CardIndex card = m_rows[std::size_t(index.row())];
    if (!m_store.isUsed(card)) // removed from the store, rows not told yet
        return {};
    const auto column = CardColumn(index.column());
    switch (role) {
    case Qt::DisplayRole: {
        const CardCell shown = cardCell(context(card), card, column);
        if (shown.text.isEmpty())
            return column == CardColumn::Workload ? QString() : Formatting::missing();
        return shown.unit.isEmpty() ? shown.text : QString(shown.text + u' ' + shown.unit);
    }
    case Qt::ToolTipRole:
        return cardToolTip(context(card), card, column);
    case Qt::AccessibleTextRole:
        return cardSentence(context(card), card, column);
    default:
        return {};
    }
}

QVariant CardTableModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 || section >= cardColumnCount)
        return {};
    if (role == Qt::DisplayRole || role == Qt::AccessibleTextRole)
        return columnTitle(CardColumn(section));
    return {};
}

Qt::ItemFlags CardTableModel::flags(const QModelIndex &index) const
{
    return index.isValid() ? Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemNeverHasChildren
                           : Qt::NoItemFlags;
}

CardIndex CardTableModel::cardAt(int row) const
{
    if (row < 0 || row >= int(m_rows.size()))
        return noCard;
    const CardIndex card = m_rows[std::size_t(row)];
    return m_store.isUsed(card) ? card : noCard;
}

void CardTableModel::rebuildRowNumbers() const
{
    m_rowNumbers.assign(m_store.cardSlots(), -1);
    for (std::size_t row = 0; row < m_rows.size(); ++row) {
        if (m_rows[row] < m_rowNumbers.size())
            m_rowNumbers[m_rows[row]] = std::int32_t(row);
    }
    m_rowNumbersValid = true;
}

int CardTableModel::rowOf(CardIndex card) const
{
    if (!m_rowNumbersValid)
        rebuildRowNumbers();
    return card < m_rowNumbers.size() ? m_rowNumbers[card] : -1;
}

std::vector<CardIndex> CardTableModel::inOrder(const std::vector<CardIndex> &cards)
{
    const std::vector<CardIndex> &all = m_order.cards();
    if (cards.size() == all.size())
        return all;
    std::vector<std::uint8_t> wanted(m_store.cardSlots(), 0);
    for (const CardIndex card : cards)
        wanted[card] = 1;
    std::vector<CardIndex> ordered;
    ordered.reserve(cards.size());
    for (const CardIndex card : all) {
        if (wanted[card])
            ordered.push_back(card);
    }
    return ordered;
}

bool CardTableModel::dependsOnValues() const
{
    const auto moves = [](CardColumn column) {
        switch (column) {
        case CardColumn::Utilization:
        case CardColumn::Memory:
        case CardColumn::Temperature:
        case CardColumn::Power:
        case CardColumn::Age:
        case CardColumn::Health:
            return true;
        default:
            return false;
        }
    };
    return moves(m_order.column()) ||
           std::any_of(m_tokens.begin(), m_tokens.end(), [](const FilterToken &token) {
               return !token.error && (isNumericKey(token.key) || token.key == FilterKey::Health);
           });
}

void CardTableModel::sort(int column, Qt::SortOrder order)
{
    if (column < 0 || column >= cardColumnCount)
        return;
    m_order.setColumn(CardColumn(column), order);
    m_order.valuesChanged();
    std::vector<CardIndex> living = m_rows;
    std::erase_if(living, [this](CardIndex card) { return !m_store.isUsed(card); });
    Q_ASSERT(living.size() == m_rows.size());
    reorder(inOrder(living));
    if (m_pendingMoves != 0) {
        m_pendingMoves = 0;
        Q_EMIT orderPending(0);
    }
}

void CardTableModel::reorder(std::vector<CardIndex> rows)
{
    Q_EMIT layoutAboutToBeChanged({}, QAbstractItemModel::VerticalSortHint);
    const QModelIndexList before = persistentIndexList();
    std::vector<std::pair<CardIndex, int>> kept;
    kept.reserve(std::size_t(before.size()));
    for (const QModelIndex &index : before)
        kept.emplace_back(m_rows[std::size_t(index.row())], index.column());
    m_rows = std::move(rows);
    m_rowNumbersValid = false;
    QModelIndexList after;
    after.reserve(before.size());
    for (const auto &[card, at] : kept)
        after << index(rowOf(card), at);
    changePersistentIndexList(before, after);
    Q_EMIT layoutChanged({}, QAbstractItemModel::VerticalSortHint);
}

void CardTableModel::setFormatting(const Formatting &formatting)
{
    m_formatting = formatting;
    Q_EMIT headerDataChanged(Qt::Horizontal, 0, cardColumnCount - 1);
    announceVisible();
}

void CardTableModel::setFilter(const QList<FilterToken> &tokens)
{
    m_tokens = tokens;
    judge(/*force=*/true);
}

void CardTableModel::judge(bool force)
{
    FilterResult result = CardFilter(m_store, m_tokens, m_clock.now()).run();
    m_facets = std::move(result.facets);
    m_lastJudged = m_clock.monotonic();
    if (std::exchange(m_valuesMoved, false))
        m_order.valuesChanged();
    std::vector<CardIndex> next = inOrder(result.cards);
    int moves = 0;
    if (force || !m_frozen) {
        moveTo(std::move(next));
    } else {
        // Rows that would stand somewhere else, come or go.
        const std::size_t common = std::min(next.size(), m_rows.size());
        for (std::size_t i = 0; i < common; ++i)
            moves += next[i] != m_rows[i] ? 1 : 0;
        moves += int(std::max(next.size(), m_rows.size()) - common);
    }
    if (moves != m_pendingMoves) {
        m_pendingMoves = moves;
        Q_EMIT orderPending(moves);
    }
    Q_EMIT facetsChanged();
}

void CardTableModel::moveTo(std::vector<CardIndex> next)
{
    if (next == m_rows)
        return;
    std::vector<std::uint8_t> wanted(m_store.cardSlots(), 0);
    for (const CardIndex card : next)
        wanted[card] = 1;
    const auto leaves = [&wanted](CardIndex card) { return card >= wanted.size() || !wanted[card]; };
    std::vector<std::uint8_t> had(m_store.cardSlots(), 0);
    std::size_t gone = 0, come = 0, runs = 0;
    bool inRun = false;
    for (const CardIndex card : m_rows) {
        if (card < had.size())
            had[card] = 1;
        runs += leaves(card) && !inRun ? 1U : 0U;
        inRun = leaves(card);
        gone += inRun ? 1U : 0U;
    }
    inRun = false;
    for (const CardIndex card : next) {
        runs += !had[card] && !inRun ? 1U : 0U;
        inRun = !had[card];
        come += inRun ? 1U : 0U;
    }
    // Each run of rows that comes or goes costs the views a pass of their own.
    constexpr std::size_t mostRuns = 64;
    if (runs > mostRuns || gone + come > std::max<std::size_t>(64, m_rows.size() / 4)) {
        beginResetModel();
        m_rows = std::move(next);
        m_rowNumbersValid = false;
        endResetModel();
        return;
    }
    if (gone > 0) {
        for (int last = int(m_rows.size()) - 1; last >= 0;) { // contiguous runs from the end
            const auto goes = [&](int row) { return leaves(m_rows[std::size_t(row)]); };
            if (!goes(last)) {
                --last;
                continue;
            }
            int first = last;
            while (first > 0 && goes(first - 1))
                --first;
            m_removing = true;
            beginRemoveRows({}, first, last);
            m_rows.erase(m_rows.begin() + first, m_rows.begin() + last + 1);
            m_rowNumbersValid = false;
            endRemoveRows();
            m_removing = false;
            last = first - 1;
        }
    }
    // What stays, in its new order.
    std::vector<CardIndex> stays;
    stays.reserve(m_rows.size());
    for (const CardIndex card : next) {
        if (had[card])
            stays.push_back(card);
    }
    if (stays != m_rows)
        reorder(std::move(stays));
    for (std::size_t row = 0; row < next.size();) {
        if (row < m_rows.size() && m_rows[row] == next[row]) {
            ++row;
            continue;
        }
        std::size_t end = row;
        while (end < next.size() && !had[next[end]])
            ++end;
        beginInsertRows({}, int(row), int(end) - 1);
        m_rows.insert(m_rows.begin() + std::ptrdiff_t(row), next.begin() + std::ptrdiff_t(row),
                      next.begin() + std::ptrdiff_t(end));
        m_rowNumbersValid = false;
        endInsertRows();
        row = end;
    }
}

void CardTableModel::storeChanged(const StoreChange &change)
{
    if (!change.identityChanged.empty())
        m_order.valuesChanged();
    if (change.valuesChanged || !change.measured.empty())
        m_valuesMoved = true;
    if (!change.removed.empty() || !change.added.empty()) {
        if (m_frozen && change.removed.empty()) {
            // New cards stand at the end until the operator lets the rows move.
            FilterResult result = CardFilter(m_store, m_tokens, m_clock.now()).run();
            std::vector<std::uint8_t> matching(m_store.cardSlots(), 0);
            for (const CardIndex card : result.cards)
                matching[card] = 1;
            m_facets = std::move(result.facets);
            std::vector<CardIndex> fresh;
            for (const CardIndex card : change.added) {
                if (matching[card] && rowOf(card) < 0)
                    fresh.push_back(card);
            }
            if (!fresh.empty()) {
                fresh = inOrder(fresh);
                beginInsertRows({}, int(m_rows.size()), int(m_rows.size() + fresh.size()) - 1);
                m_rows.insert(m_rows.end(), fresh.begin(), fresh.end());
                m_rowNumbersValid = false;
                endInsertRows();
                m_pendingMoves += int(fresh.size());
                Q_EMIT orderPending(m_pendingMoves);
            }
            Q_EMIT facetsChanged();
        } else {
            judge(/*force=*/true);
        }
        announceVisible();
        return;
    }
    if (!change.identityChanged.empty()) {
        judge(/*force=*/false);
    }
    if (change.valuesChanged || change.historyChanged || !change.identityChanged.empty())
        announceVisible();
    else if (!change.measured.empty())
        announceVisible(change.measured);
}

void CardTableModel::tick()
{
    if (m_valuesMoved && m_clock.monotonic() - m_lastJudged >= m_options.resortInterval) {
        if (dependsOnValues())
            judge(/*force=*/false);
        m_valuesMoved = false;
    }
    // Ages move every second; what grows stale by them may be noticed a few seconds late.
    constexpr int ticksBetweenAll = 5;
    if (++m_ticks % ticksBetweenAll == 0)
        announceVisible();
    else
        announceVisible(CardColumn::Age, CardColumn::Age);
}

void CardTableModel::setVisibleRows(int first, int last)
{
    m_firstVisible = std::max(0, first);
    m_lastVisible = std::max(first, last);
}

void CardTableModel::announceVisible(CardColumn firstColumn, CardColumn lastColumn)
{
    if (m_rows.empty())
        return;
    const int first = std::min(m_firstVisible, int(m_rows.size()) - 1);
    const int last = std::min(m_lastVisible, int(m_rows.size()) - 1);
    Q_EMIT dataChanged(index(first, int(firstColumn)), index(last, int(lastColumn)));
}

void CardTableModel::announceVisible(const std::vector<CardIndex> &cards)
{
    if (m_rows.empty())
        return;
    const int first = std::min(m_firstVisible, int(m_rows.size()) - 1);
    const int last = std::min(m_lastVisible, int(m_rows.size()) - 1);
    std::vector<std::pair<CardIndex, int>> shown; // by card, with the row
    shown.reserve(std::size_t(last - first) + 1);
    for (int row = first; row <= last; ++row)
        shown.emplace_back(m_rows[std::size_t(row)], row);
    std::sort(shown.begin(), shown.end());
    std::vector<std::uint8_t> changed(shown.size(), 0);
    for (const CardIndex card : cards) {
        const auto at = std::lower_bound(shown.begin(), shown.end(), std::pair(card, first));
        if (at != shown.end() && at->first == card)
            changed[std::size_t(at->second - first)] = 1;
    }
    for (int row = first; row <= last; ++row) {
        if (!changed[std::size_t(row - first)])
            continue;
        const int begin = row;
        while (row < last && changed[std::size_t(row + 1 - first)])
            ++row;
        Q_EMIT dataChanged(index(begin, 0), index(row, cardColumnCount - 1));
    }
}

void CardTableModel::setOrderFrozen(bool frozen)
{
    if (m_frozen == frozen)
        return;
    m_frozen = frozen;
    if (!frozen && m_pendingMoves != 0)
        judge(/*force=*/true);
}

void CardTableModel::sortNow()
{
    judge(/*force=*/true);
}

void CardTableModel::setPending(const QHash<std::uint32_t, PendingNodeChange> &pending)
{
    m_pending = pending;
    announceVisible();
}

} // namespace tongchi
