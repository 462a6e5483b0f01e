#include "models/inventory/card_table_model.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>
#include <unordered_map>

namespace tongchi {
namespace {

struct Keyed
{
    std::uint64_t key;
    std::uint32_t tie;
    CardIndex card;
};

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

/// Ranks of strings in natural order; ids not asked for have rank 0.
std::unordered_map<StringId, std::uint32_t> ranksOf(const StringPool &strings, std::vector<StringId> ids)
{
    std::sort(ids.begin(), ids.end());
    ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
    std::sort(ids.begin(), ids.end(),
              [&strings](StringId a, StringId b) { return naturalLess(strings.utf8(a), strings.utf8(b)); });
    std::unordered_map<StringId, std::uint32_t> ranks;
    ranks.reserve(ids.size());
    for (std::size_t i = 0; i < ids.size(); ++i)
        ranks.emplace(ids[i], std::uint32_t(i + 1));
    return ranks;
}

constexpr std::uint64_t lastKey = std::numeric_limits<std::uint64_t>::max();

/// A number as an unsigned key of the same order.
std::uint64_t numberKey(double value)
{
    const auto bits = std::bit_cast<std::uint64_t>(value);
    return bits >> 63 ? ~bits : bits | (std::uint64_t(1) << 63);
}

} // namespace

std::vector<CardIndex> sortCards(const CardStore &store, std::vector<CardIndex> cards, CardColumn column,
                                 Qt::SortOrder order)
{
    const StringPool &strings = store.strings();
    // Position of a card by node name and slot: the tie of every order, and an order of its own.
    std::vector<std::uint32_t> nodeRank(store.nodeSlots());
    {
        std::vector<std::uint32_t> nodes(store.nodeSlots());
        std::iota(nodes.begin(), nodes.end(), 0U);
        std::sort(nodes.begin(), nodes.end(), [&](std::uint32_t a, std::uint32_t b) {
            const std::string_view left = strings.utf8(store.node(a).facts.name);
            const std::string_view right = strings.utf8(store.node(b).facts.name);
            if (left != right)
                return naturalLess(left, right);
            return store.node(a).clusterId < store.node(b).clusterId;
        });
        for (std::uint32_t i = 0; i < nodes.size(); ++i)
            nodeRank[nodes[i]] = i;
    }
    const auto position = [&](CardIndex card) {
        return std::uint32_t(nodeRank[store.nodeIndexOf(card)] << 10) +
               std::min<std::uint32_t>(store.slotOf(card), 1023);
    };
    const bool descending = order == Qt::DescendingOrder;
    std::vector<Keyed> keyed(cards.size());
    const auto fill = [&](auto &&keyOf) {
        for (std::size_t i = 0; i < cards.size(); ++i) {
            const std::uint64_t key = keyOf(cards[i]);
            keyed[i] = {key == lastKey || !descending ? key : lastKey - 1 - key, position(cards[i]),
                        cards[i]};
        }
    };
    const auto fillNumber = [&](auto &&numberOf) {
        fill([&](CardIndex card) {
            const double value = numberOf(card);
            return std::isnan(value) ? lastKey : numberKey(value);
        });
    };
    const auto fillText = [&](auto &&idOf) {
        std::vector<StringId> ids;
        ids.reserve(cards.size());
        for (const CardIndex card : cards)
            ids.push_back(idOf(card));
        const auto ranks = ranksOf(strings, std::move(ids));
        fill([&](CardIndex card) {
            const StringId id = idOf(card);
            return id == 0 ? lastKey : std::uint64_t(ranks.at(id));
        });
    };
    constexpr double nothing = std::numeric_limits<double>::quiet_NaN();
    switch (column) {
    case CardColumn::Node:
        fill([&](CardIndex card) { return std::uint64_t(position(card)); });
        break;
    case CardColumn::Card: {
        std::vector<StringId> ids;
        for (std::uint16_t i = 0; i < store.modelCount(); ++i)
            ids.insert(ids.end(), {store.model(i).model, store.model(i).variant});
        const auto ranks = ranksOf(strings, std::move(ids));
        fill([&](CardIndex card) {
            const ModelFacts &facts = store.model(store.modelIndexOf(card));
            return std::uint64_t(ranks.at(facts.model)) << 32 | ranks.at(facts.variant);
        });
        break;
    }
    case CardColumn::Region:
        fillText([&](CardIndex card) { return store.node(store.nodeIndexOf(card)).facts.region; });
        break;
    case CardColumn::Workload:
        fillText([&](CardIndex card) { return store.workloadText(card); });
        break;
    case CardColumn::Variant:
        fillText([&](CardIndex card) { return store.model(store.modelIndexOf(card)).variant; });
        break;
    case CardColumn::Driver:
        fillText([&](CardIndex card) { return store.details(card).driver; });
        break;
    case CardColumn::Vendor:
        fillText([&](CardIndex card) { return store.model(store.modelIndexOf(card)).vendorName; });
        break;
    case CardColumn::Cluster:
        fill([&](CardIndex card) { return std::uint64_t(store.clusterOf(card)); });
        break;
    case CardColumn::Label:
        fill([&](CardIndex card) {
            return store.labelOf(card) == BusinessLabel::Unknown ? lastKey
                                                                 : std::uint64_t(store.labelOf(card));
        });
        break;
    case CardColumn::Health:
        fill([&](CardIndex card) { return std::uint64_t(conditionOf(store, card)); });
        break;
    case CardColumn::Utilization:
        fillNumber([&](CardIndex card) { return double(store.utilizationOf(card)); });
        break;
    case CardColumn::Temperature:
        fillNumber([&](CardIndex card) { return double(store.temperatureOf(card)); });
        break;
    case CardColumn::Power:
        fillNumber([&](CardIndex card) { return double(store.powerOf(card)); });
        break;
    case CardColumn::Memory:
        fillNumber([&](CardIndex card) {
            const auto used = store.memoryUsedBytesOf(card);
            return used ? double(*used) : nothing;
        });
        break;
    case CardColumn::Age:
        fillNumber([&](CardIndex card) {
            const auto at = store.sampledAt(card);
            return at ? -double(at->time_since_epoch().count()) : nothing;
        });
        break;
    case CardColumn::Shares:
        fill([&](CardIndex card) { return std::uint64_t(store.sharesOf(card)); });
        break;
    case CardColumn::Slices:
        fill([&](CardIndex card) { return std::uint64_t(store.slicesOf(card).size()); });
        break;
    case CardColumn::Numa:
        fillNumber([&](CardIndex card) {
            const auto numa = store.details(card).numaNode;
            return numa ? double(*numa) : nothing;
        });
        break;
    case CardColumn::Uuid: {
        std::vector<std::pair<std::string, CardIndex>> uuids;
        uuids.reserve(cards.size());
        for (const CardIndex card : cards)
            uuids.emplace_back(store.uuidOf(card), card);
        std::sort(uuids.begin(), uuids.end());
        std::vector<std::uint32_t> rank(store.cardSlots());
        for (std::size_t i = 0; i < uuids.size(); ++i)
            rank[uuids[i].second] = std::uint32_t(i);
        fill([&](CardIndex card) { return std::uint64_t(rank[card]); });
        break;
    }
    }
    std::sort(keyed.begin(), keyed.end(),
              [](const Keyed &a, const Keyed &b) { return a.key != b.key ? a.key < b.key : a.tie < b.tie; });
    for (std::size_t i = 0; i < keyed.size(); ++i)
        cards[i] = keyed[i].card;
    return cards;
}

} // namespace tongchi
