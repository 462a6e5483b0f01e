#include "models/inventory/card_order.h"
#include "tests/models/pool_builder.h"
#include "tests/support/qt_printers.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <random>
#include <set>

namespace tongchi {
namespace {

const Instant orderNow{std::chrono::milliseconds{1'798'612'928'000}};

struct OrderPool
{
    StringPool strings;
    CardStore store{strings};
    test::PoolBuilder builder{strings};

    QString names(const std::vector<CardIndex> &cards) const
    {
        QStringList list;
        for (const CardIndex card : cards)
            list << strings.text(store.node(store.nodeIndexOf(card)).facts.name) + u'/' +
                        QString::number(store.slotOf(card));
        return list.join(u' ');
    }
};

TEST(CardOrderTest, ReadsDigitsInNamesAsNumbers)
{
    OrderPool pool;
    pool.store.apply(
        pool.builder.delta(
            {{.name = "gpu-10", .cards = 1}, {.name = "gpu-9", .cards = 1}, {.name = "gpu-1", .cards = 2}}),
        orderNow);
    CardOrder order(pool.store);
    EXPECT_EQ(pool.names(order.cards()), QStringLiteral("gpu-1/0 gpu-1/1 gpu-9/0 gpu-10/0"));
    order.setColumn(CardColumn::Node, Qt::DescendingOrder);
    EXPECT_EQ(pool.names(order.cards()), QStringLiteral("gpu-10/0 gpu-9/0 gpu-1/1 gpu-1/0"));
}

TEST(CardOrderTest, PutsNodesThatComeAmongTheOthersAndForgetsThoseThatGo)
{
    OrderPool pool;
    pool.store.apply(pool.builder.delta({{.name = "gpu-4", .cards = 1}, {.name = "gpu-2", .cards = 1}}),
                     orderNow);
    CardOrder order(pool.store);
    EXPECT_EQ(pool.names(order.cards()), QStringLiteral("gpu-2/0 gpu-4/0"));
    pool.store.apply(pool.builder.delta({{.name = "gpu-3", .cards = 1}, {.name = "gpu-11", .cards = 1}}),
                     orderNow);
    EXPECT_EQ(pool.names(order.cards()), QStringLiteral("gpu-2/0 gpu-3/0 gpu-4/0 gpu-11/0"));
    InventoryDelta gone;
    gone.clusterId = 1;
    gone.removedNodes = {pool.strings.find("uid-gpu-3")};
    pool.store.apply(gone, orderNow);
    EXPECT_EQ(pool.names(order.cards()), QStringLiteral("gpu-2/0 gpu-4/0 gpu-11/0"));
    pool.store.apply(pool.builder.delta({{.name = "gpu-03", .uid = "other", .cards = 1}}), orderNow);
    EXPECT_EQ(pool.names(order.cards()), QStringLiteral("gpu-2/0 gpu-03/0 gpu-4/0 gpu-11/0"));
}

TEST(CardOrderTest, PutsTheUnreportedLastInBothDirections)
{
    OrderPool pool;
    InventoryDelta delta = pool.builder.delta({{.name = "gpu-1", .cards = 8}, {.name = "gpu-2", .cards = 8}});
    for (std::uint32_t i = 0; i < 6; ++i)
        delta.telemetry.push_back(pool.builder.telemetry(i, float(i), orderNow));
    pool.store.apply(delta, orderNow);
    for (const auto direction : {Qt::AscendingOrder, Qt::DescendingOrder}) {
        CardOrder order(pool.store);
        order.setColumn(CardColumn::Utilization, direction);
        const auto &sorted = order.cards();
        ASSERT_EQ(sorted.size(), 16U);
        EXPECT_EQ(pool.store.utilizationOf(sorted[0]), direction == Qt::AscendingOrder ? 0.0F : 5.0F);
        EXPECT_EQ(pool.names({sorted.begin() + 6, sorted.end()}),
                  QStringLiteral(
                      "gpu-1/6 gpu-1/7 gpu-2/0 gpu-2/1 gpu-2/2 gpu-2/3 gpu-2/4 gpu-2/5 gpu-2/6 gpu-2/7"));
    }
}

TEST(CardOrderTest, KeepsItsOrderUntilItHearsThatValuesMoved)
{
    OrderPool pool;
    InventoryDelta delta = pool.builder.delta({{.name = "gpu-1", .cards = 2}});
    delta.telemetry = {pool.builder.telemetry(0, 10, orderNow), pool.builder.telemetry(1, 20, orderNow)};
    pool.store.apply(delta, orderNow);
    CardOrder order(pool.store);
    order.setColumn(CardColumn::Utilization, Qt::DescendingOrder);
    EXPECT_EQ(pool.names(order.cards()), QStringLiteral("gpu-1/1 gpu-1/0"));
    InventoryDelta later;
    later.clusterId = 1;
    later.telemetry = {pool.builder.telemetry(0, 90, orderNow + std::chrono::seconds(10))};
    pool.store.apply(later, orderNow);
    EXPECT_EQ(pool.names(order.cards()), QStringLiteral("gpu-1/1 gpu-1/0"));
    order.valuesChanged();
    EXPECT_EQ(pool.names(order.cards()), QStringLiteral("gpu-1/0 gpu-1/1"));
}

TEST(CardOrderTest, SortsEachColumnLikeAComparisonSort)
{
    OrderPool pool;
    std::mt19937 random(11);
    std::vector<test::PoolBuilder::Node> nodes;
    const char *const works[] = {"", "qwen-9", "qwen-10", "glm"};
    for (int i = 0; i < 60; ++i) {
        test::PoolBuilder::Node node;
        node.name = "n" + std::to_string(random() % 100'000);
        node.region = random() % 2 ? "beijing" : "guiyang";
        node.model = random() % 2 ? "A100" : "H100";
        node.label = BusinessLabel(random() % 4);
        node.workload = works[random() % 4];
        node.cards = 1 + int(random() % 8);
        nodes.push_back(node);
    }
    InventoryDelta delta = pool.builder.delta(nodes);
    for (std::uint32_t i = 0; i < pool.builder.cardCount(); i += 2)
        delta.telemetry.push_back(
            pool.builder.telemetry(i, float(random() % 100) - 20, orderNow, float(random() % 90)));
    pool.store.apply(delta, orderNow);
    CardOrder byNode(pool.store);
    const std::vector<CardIndex> base = byNode.cards();
    ASSERT_EQ(base.size(), pool.store.cardCount());
    const auto compare = [&](CardColumn column, auto &&value) {
        for (const auto direction : {Qt::AscendingOrder, Qt::DescendingOrder}) {
            CardOrder order(pool.store);
            order.setColumn(column, direction);
            std::vector<CardIndex> expected = base;
            std::stable_sort(expected.begin(), expected.end(), [&](CardIndex a, CardIndex b) {
                const auto left = value(a), right = value(b);
                if (!left || !right)
                    return left.has_value() && !right.has_value();
                return direction == Qt::AscendingOrder ? *left < *right : *right < *left;
            });
            EXPECT_EQ(order.cards(), expected) << int(column) << ' ' << int(direction);
        }
    };
    const auto number = [](float value) { return std::isnan(value) ? std::nullopt : std::optional(value); };
    compare(CardColumn::Utilization, [&](CardIndex card) { return number(pool.store.utilizationOf(card)); });
    compare(CardColumn::Temperature, [&](CardIndex card) { return number(pool.store.temperatureOf(card)); });
    compare(CardColumn::Region, [&](CardIndex card) {
        return std::optional(pool.strings.utf8(pool.store.node(pool.store.nodeIndexOf(card)).facts.region));
    });
    compare(CardColumn::Workload, [&](CardIndex card) -> std::optional<int> {
        const std::string_view text = pool.strings.utf8(pool.store.workloadText(card));
        if (text.empty())
            return std::nullopt;
        return text == "glm" ? 0 : text == "qwen-9" ? 1 : 2;
    });
    compare(CardColumn::Uuid, [&](CardIndex card) { return std::optional(pool.store.uuidOf(card)); });
    for (int column = 0; column < cardColumnCount; ++column) {
        CardOrder order(pool.store);
        order.setColumn(CardColumn(column), Qt::DescendingOrder);
        EXPECT_EQ(std::set<CardIndex>(order.cards().begin(), order.cards().end()).size(), base.size())
            << column;
    }
}

} // namespace
} // namespace tongchi
