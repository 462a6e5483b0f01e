#include "models/inventory/card_order.h"

#include "models/inventory/card_condition.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>

namespace tongchi {
namespace {

struct KeyedCard
{
    std::uint64_t key;
    CardIndex card;
};

constexpr std::uint64_t unreportedKey = std::numeric_limits<std::uint64_t>::max();

/// gpu-9 before gpu-10: runs of digits compare as numbers.
bool naturalLess(std::string_view a, std::string_view b)
{
    std::size_t i = 0, j = 0;
    const auto digit = [](char c) { return c >= '0' && c <= '9'; };
    while (i < a.size() && j < b.size()) {
        if (digit(a[i]) && digit(b[j])) {
            const auto zeros = [&digit](std::string_view t, std::size_t &at) {
                while (at + 1 < t.size() && t[at] == '0' && digit(t[at + 1]))
                    ++at;
                std::size_t end = at;
                while (end < t.size() && digit(t[end]))
                    ++end;
                const auto run = t.substr(at, end - at);
                at = end;
                return run;
            };
            const auto left = zeros(a, i);
            const auto right = zeros(b, j);
            if (left.size() != right.size())
                return left.size() < right.size();
            if (left != right)
                return left < right;
        } else {
            if (a[i] != b[j])
                return a[i] < b[j];
            ++i;
            ++j;
        }
    }
    return a.size() - i < b.size() - j;
}

/// Ranks of strings in natural order, by id, from 1; ids not asked for have rank 0.
class TextRanks
{
public:
    TextRanks(const StringPool &strings, std::vector<StringId> ids)
    {
        std::sort(ids.begin(), ids.end());
        ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
        m_ranks.resize(ids.empty() ? 1 : std::size_t(ids.back()) + 1);
        std::sort(ids.begin(), ids.end(), [&strings](StringId a, StringId b) {
            const std::string_view left = strings.utf8(a);
            const std::string_view right = strings.utf8(b);
            return naturalLess(left, right) || (!naturalLess(right, left) && left < right);
        });
        for (std::size_t i = 0; i < ids.size(); ++i)
            m_ranks[ids[i]] = std::uint32_t(i + 1);
    }
    std::uint32_t operator[](StringId id) const { return m_ranks[id]; }

private:
    std::vector<std::uint32_t> m_ranks;
};

/// A number as an unsigned key of the same order; NaN: not reported.
std::uint64_t numberKey(double value)
{
    if (std::isnan(value))
        return unreportedKey;
    const auto bits = std::bit_cast<std::uint64_t>(value);
    return bits >> 63 ? ~bits : bits | (std::uint64_t(1) << 63);
}

/// Stable, by key: one pass a byte that is not the same in all keys.
void radixSort(std::vector<KeyedCard> &cards)
{
    std::array<std::array<std::uint32_t, 256>, 8> counts{};
    for (const KeyedCard &card : cards) {
        for (unsigned byte = 0; byte < 8; ++byte)
            ++counts[byte][card.key >> (8 * byte) & 0xFF];
    }
    std::vector<KeyedCard> other(cards.size());
    for (unsigned byte = 0; byte < 8; ++byte) {
        std::array<std::uint32_t, 256> &starts = counts[byte];
        if (std::find(starts.begin(), starts.end(), cards.size()) != starts.end())
            continue;
        std::uint32_t start = 0;
        for (std::uint32_t &count : starts)
            start += std::exchange(count, start);
        for (const KeyedCard &card : cards)
            other[starts[card.key >> (8 * byte) & 0xFF]++] = card;
        cards.swap(other);
    }
}

/// What a column sorts by; one instance for one sort.
class ColumnKeys
{
public:
    ColumnKeys(const CardStore &store, CardColumn column, const std::vector<CardIndex> &cards)
        : m_store(store), m_column(column)
    {
        switch (column) {
        case CardColumn::Region:
        case CardColumn::Workload:
        case CardColumn::Variant:
        case CardColumn::Driver:
        case CardColumn::Vendor: {
            std::vector<StringId> ids;
            ids.reserve(cards.size());
            for (const CardIndex card : cards)
                ids.push_back(textOf(card));
            m_ranks.emplace(store.strings(), std::move(ids));
            break;
        }
        case CardColumn::Card: {
            std::vector<StringId> ids;
            for (std::uint16_t i = 0; i < store.modelCount(); ++i)
                ids.insert(ids.end(), {store.model(i).model, store.model(i).variant});
            m_ranks.emplace(store.strings(), std::move(ids));
            break;
        }
        default:
            break;
        }
    }

    std::uint64_t operator()(CardIndex card) const
    {
        switch (m_column) {
        case CardColumn::Node:
            return 0; // the order that ties stand in
        case CardColumn::Card: {
            const ModelFacts &facts = m_store.model(m_store.modelIndexOf(card));
            return std::uint64_t((*m_ranks)[facts.model]) << 32 | (*m_ranks)[facts.variant];
        }
        case CardColumn::Region:
        case CardColumn::Workload:
        case CardColumn::Variant:
        case CardColumn::Driver:
        case CardColumn::Vendor: {
            const StringId id = textOf(card);
            return id == 0 ? unreportedKey : std::uint64_t((*m_ranks)[id]);
        }
        case CardColumn::Cluster:
            return m_store.clusterOf(card);
        case CardColumn::Label: {
            const BusinessLabel label = m_store.labelOf(card);
            return label == BusinessLabel::Unknown ? unreportedKey : std::uint64_t(label);
        }
        case CardColumn::Health:
            return std::uint64_t(conditionOf(m_store, card));
        case CardColumn::Utilization:
            return numberKey(double(m_store.utilizationOf(card)));
        case CardColumn::Temperature:
            return numberKey(double(m_store.temperatureOf(card)));
        case CardColumn::Power:
            return numberKey(double(m_store.powerOf(card)));
        case CardColumn::Memory: {
            const auto used = m_store.memoryUsedBytesOf(card);
            return used ? numberKey(double(*used)) : unreportedKey;
        }
        case CardColumn::Age: {
            const auto at = m_store.sampledAt(card);
            return at ? numberKey(-double(at->time_since_epoch().count())) : unreportedKey;
        }
        case CardColumn::Shares:
            return m_store.sharesOf(card);
        case CardColumn::Slices:
            return m_store.slicesOf(card).size();
        case CardColumn::Numa: {
            const auto numa = m_store.numaNodeOf(card);
            return numa ? numberKey(double(*numa)) : unreportedKey;
        }
        case CardColumn::Uuid:
            return 0; // see sortByUuid()
        }
        return 0;
    }

private:
    StringId textOf(CardIndex card) const
    {
        switch (m_column) {
        case CardColumn::Region:
            return m_store.node(m_store.nodeIndexOf(card)).facts.region;
        case CardColumn::Workload:
            return m_store.workloadText(card);
        case CardColumn::Variant:
            return m_store.model(m_store.modelIndexOf(card)).variant;
        case CardColumn::Driver:
            return m_store.driverOf(card);
        default:
            return m_store.model(m_store.modelIndexOf(card)).vendorName;
        }
    }

    const CardStore &m_store;
    CardColumn m_column;
    std::optional<TextRanks> m_ranks;
};

/// By prefix, then by the sixteen bytes: the order of the texts. Three stable sorts, the last key first.
void sortByUuid(const CardStore &store, std::vector<KeyedCard> &cards)
{
    std::vector<CardUuid> uuids(store.cardSlots());
    std::vector<StringId> prefixes;
    prefixes.reserve(cards.size());
    for (const KeyedCard &card : cards) {
        uuids[card.card] = store.cardUuidOf(card.card);
        prefixes.push_back(uuids[card.card].textPart());
    }
    const TextRanks ranks(store.strings(), std::move(prefixes));
    const auto half = [&uuids](CardIndex card, unsigned from) {
        std::uint64_t key = 0;
        for (unsigned i = 0; i < 8; ++i)
            key = key << 8 | uuids[card].bytes()[from + i];
        return key;
    };
    for (KeyedCard &card : cards)
        card.key = half(card.card, 8);
    radixSort(cards);
    for (KeyedCard &card : cards)
        card.key = half(card.card, 0);
    radixSort(cards);
    for (KeyedCard &card : cards)
        card.key = uuids[card.card].isEmpty() ? unreportedKey : ranks[uuids[card.card].textPart()];
    radixSort(cards);
}

} // namespace

void CardOrder::setColumn(CardColumn column, Qt::SortOrder order)
{
    if (column == m_column && order == m_direction)
        return;
    m_column = column;
    m_direction = order;
    m_byColumnValid = false;
}

void CardOrder::valuesChanged()
{
    if (m_column != CardColumn::Node)
        m_byColumnValid = false; // by node nothing moves
}

const std::vector<CardIndex> &CardOrder::cards()
{
    if (m_shape != m_store.shapeVersion())
        orderByNode();
    if (m_column == CardColumn::Node && m_direction == Qt::AscendingOrder)
        return m_byNode;
    if (!m_byColumnValid)
        orderByColumn();
    return m_byColumn;
}

void CardOrder::updateNodes()
{
    m_known.resize(m_store.nodeSlots());
    std::vector<std::uint32_t> fresh;
    std::vector<std::uint8_t> leaves(m_known.size(), 0);
    bool anyLeaves = false;
    for (std::uint32_t i = 0; i < m_known.size(); ++i) {
        const StoredNode &node = m_store.node(i);
        const KnownNode now = node.facts.uid == 0 ? KnownNode{} : KnownNode{node.facts.name, node.clusterId};
        if (now == m_known[i])
            continue;
        if (m_known[i].name) {
            leaves[i] = 1;
            anyLeaves = true;
        }
        if (now.name)
            fresh.push_back(i);
        m_known[i] = now;
    }
    if (anyLeaves)
        std::erase_if(m_nodes, [&leaves](std::uint32_t node) { return leaves[node]; });
    const StringPool &strings = m_store.strings();
    const auto less = [&](std::uint32_t a, std::uint32_t b) {
        const std::string_view left = strings.utf8(m_known[a].name);
        const std::string_view right = strings.utf8(m_known[b].name);
        if (left != right)
            return naturalLess(left, right);
        return m_known[a].clusterId < m_known[b].clusterId;
    };
    std::sort(fresh.begin(), fresh.end(), less);
    const auto middle = std::ptrdiff_t(m_nodes.size());
    m_nodes.insert(m_nodes.end(), fresh.begin(), fresh.end());
    std::inplace_merge(m_nodes.begin(), m_nodes.begin() + middle, m_nodes.end(), less);
}

void CardOrder::orderByNode()
{
    updateNodes();
    m_byNode.clear();
    m_byNode.reserve(m_store.cardCount());
    for (const std::uint32_t node : m_nodes) {
        const auto &cards = m_store.node(node).cards;
        m_byNode.insert(m_byNode.end(), cards.begin(), cards.end());
    }
    m_shape = m_store.shapeVersion();
    m_byColumnValid = false;
}

void CardOrder::orderByColumn()
{
    m_byColumnValid = true;
    if (m_column == CardColumn::Node) {
        m_byColumn.clear();
        m_byColumn.reserve(m_byNode.size());
        m_byColumn.assign(m_byNode.rbegin(), m_byNode.rend());
        return;
    }
    std::vector<KeyedCard> keyed(m_byNode.size());
    const ColumnKeys keyOf(m_store, m_column, m_byNode);
    for (std::size_t i = 0; i < keyed.size(); ++i)
        keyed[i] = {keyOf(m_byNode[i]), m_byNode[i]};
    if (m_column == CardColumn::Uuid)
        sortByUuid(m_store, keyed);
    else if (m_direction == Qt::AscendingOrder)
        radixSort(keyed);
    if (m_direction == Qt::DescendingOrder) {
        if (m_column == CardColumn::Uuid) { // all different: turned round, the unreported stay last
            const auto reported = std::find_if(
                keyed.begin(), keyed.end(), [](const KeyedCard &card) { return card.key == unreportedKey; });
            std::reverse(keyed.begin(), reported);
        } else {
            for (KeyedCard &card : keyed)
                card.key = card.key == unreportedKey ? card.key : unreportedKey - 1 - card.key;
            radixSort(keyed);
        }
    }
    m_byColumn.resize(keyed.size());
    for (std::size_t i = 0; i < keyed.size(); ++i)
        m_byColumn[i] = keyed[i].card;
}

} // namespace tongchi
