#include "models/inventory/card_selection.h"
#include "models/inventory/card_table_model.h"
#include "tests/models/pool_builder.h"
#include "tests/support/qt_printers.h"

#include <QAbstractItemModelTester>
#include <QCoreApplication>
#include <QRandomGenerator>
#include <QSignalSpy>
#include <gtest/gtest.h>

namespace tongchi {
namespace {

class CardTableModelTest : public ::testing::Test
{
protected:
    ManualClock clock;
    StringPool strings;
    CardStore store{strings};
    test::PoolBuilder builder{strings};
    CardTableModel table{store, clock};
    QAbstractItemModelTester checker{&table, QAbstractItemModelTester::FailureReportingMode::Warning};

    void apply(InventoryDelta delta) { table.storeChanged(store.apply(delta, clock.now())); }
    void addNodes(int first, int count)
    {
        std::vector<test::PoolBuilder::Node> nodes;
        for (int i = first; i < first + count; ++i)
            nodes.push_back({.name = "node-" + std::to_string(i)});
        apply(builder.delta(nodes));
    }
};

TEST_F(CardTableModelTest, ShowsCardsInNodeOrder)
{
    addNodes(1, 12);
    ASSERT_EQ(table.rowCount(), 96);
    EXPECT_EQ(table.index(0, int(CardColumn::Node)).data().toString(), QStringLiteral("node-1 / 0"));
    EXPECT_EQ(table.index(95, int(CardColumn::Node)).data().toString(), QStringLiteral("node-12 / 7"));
    EXPECT_EQ(table.index(0, int(CardColumn::Utilization)).data().toString(), QStringLiteral("\u2014"));
}

TEST_F(CardTableModelTest, KeepsPersistentRowsThroughChurn)
{
    addNodes(1, 20);
    QRandomGenerator random(7);
    for (int round = 0; round < 60; ++round) {
        const QPersistentModelIndex kept(table.index(int(random.bounded(table.rowCount())), 0));
        const CardIndex card = table.cardAt(kept.row());
        InventoryDelta delta;
        delta.clusterId = 1;
        switch (random.bounded(4)) {
        case 0: {
            std::vector<test::PoolBuilder::Node> one{
                {.name = "node-" + std::to_string(random.bounded(40) + 1)}};
            delta = builder.delta(one);
            break;
        }
        case 1:
            delta.removedNodes.push_back(
                strings.intern("uid-node-" + std::to_string(random.bounded(40) + 1)));
            break;
        case 2:
            for (std::uint32_t i = 0; i < 100; ++i)
                delta.telemetry.push_back(builder.telemetry(i, float(random.bounded(100)), clock.now()));
            break;
        default:
            table.sort(int(random.bounded(cardColumnCount)),
                       random.bounded(2) ? Qt::AscendingOrder : Qt::DescendingOrder);
            break;
        }
        apply(delta);
        clock.advance(std::chrono::seconds(3));
        table.tick();
        if (kept.isValid()) {
            EXPECT_EQ(table.cardAt(kept.row()), card);
        }
        for (int row = 0; row < table.rowCount(); ++row) {
            ASSERT_NE(table.cardAt(row), noCard);
            ASSERT_EQ(table.rowOf(table.cardAt(row)), row);
        }
        ASSERT_EQ(table.rowCount(), int(store.cardCount()));
        if (store.cardCount() == 0)
            addNodes(1, 20);
    }
}

TEST_F(CardTableModelTest, TellsSmallChangesAsRowsAndLargeOnesAsOneReset)
{
    addNodes(1, 40);
    QSignalSpy removed(&table, &QAbstractItemModel::rowsRemoved);
    QSignalSpy inserted(&table, &QAbstractItemModel::rowsInserted);
    QSignalSpy reset(&table, &QAbstractItemModel::modelReset);
    InventoryDelta gone;
    gone.clusterId = 1;
    gone.removedNodes.push_back(strings.intern(std::string_view("uid-node-5")));
    apply(gone);
    EXPECT_EQ(removed.count(), 1);
    addNodes(5, 1);
    EXPECT_EQ(inserted.count(), 1);
    EXPECT_EQ(reset.count(), 0);
    addNodes(41, 40);
    EXPECT_EQ(reset.count(), 1);
}

TEST_F(CardTableModelTest, AnnouncesOnlyTheVisibleWindow)
{
    addNodes(1, 100);
    table.setVisibleRows(100, 130);
    QSignalSpy changed(&table, &QAbstractItemModel::dataChanged);
    InventoryDelta delta;
    delta.clusterId = 1;
    for (std::uint32_t i = 0; i < 800; ++i)
        delta.telemetry.push_back(builder.telemetry(i, 50, clock.now()));
    apply(delta);
    ASSERT_EQ(changed.count(), 1);
    EXPECT_EQ(changed.first().at(0).toModelIndex().row(), 100);
    EXPECT_EQ(changed.first().at(1).toModelIndex().row(), 130);
}

TEST_F(CardTableModelTest, AnnouncesOnlyTheRowsThatWereMeasured)
{
    addNodes(1, 100);
    table.setVisibleRows(100, 130);
    InventoryDelta all;
    all.clusterId = 1;
    for (std::uint32_t i = 0; i < 800; ++i)
        all.telemetry.push_back(builder.telemetry(i, 50, clock.now()));
    apply(all);
    QSignalSpy changed(&table, &QAbstractItemModel::dataChanged);
    InventoryDelta some;
    some.clusterId = 1;
    for (const int row : {99, 103, 104, 120, 131})
        some.telemetry.push_back(
            builder.telemetry(builder.firstOrdinalOf("node-1") + std::uint32_t(row), 70, clock.now()));
    apply(some);
    std::vector<std::pair<int, int>> runs;
    for (const auto &call : changed)
        runs.emplace_back(call.at(0).toModelIndex().row(), call.at(1).toModelIndex().row());
    std::vector<std::pair<int, int>> expected;
    for (int row = 100; row <= 130; ++row) {
        const auto measured = [&](int one) {
            return one >= 100 && one <= 130 && store.utilizationOf(table.cardAt(one)) == 70.0F;
        };
        if (measured(row) && !measured(row - 1))
            expected.emplace_back(row, row);
        else if (measured(row))
            expected.back().second = row;
    }
    EXPECT_FALSE(expected.empty());
    EXPECT_EQ(runs, expected);
}

TEST_F(CardTableModelTest, AStatusThatOnlyMovesItsTimesAnnouncesNothing)
{
    addNodes(1, 2);
    InventoryDelta delta;
    delta.clusterId = 1;
    delta.status = builder.status();
    apply(delta);
    QSignalSpy changed(&table, &QAbstractItemModel::dataChanged);
    auto later = builder.status();
    later->kubernetes.lastHeard = clock.now();
    delta.status = later;
    apply(delta);
    EXPECT_EQ(changed.count(), 0);
    auto renamed = builder.status();
    renamed->name = QStringLiteral("another name");
    delta.status = renamed;
    apply(delta);
    EXPECT_EQ(changed.count(), 1);
}

TEST_F(CardTableModelTest, HoldsRowsWhileFrozenAndSaysHowManyWouldMove)
{
    addNodes(1, 4);
    table.sort(int(CardColumn::Utilization), Qt::DescendingOrder);
    const CardIndex first = table.cardAt(0);
    table.setOrderFrozen(true);
    InventoryDelta delta;
    delta.clusterId = 1;
    for (std::uint32_t i = 0; i < 32; ++i)
        delta.telemetry.push_back(builder.telemetry(i, float(i), clock.now()));
    apply(delta);
    clock.advance(std::chrono::seconds(3));
    table.tick();
    EXPECT_EQ(table.cardAt(0), first);
    EXPECT_GT(table.pendingMoves(), 0);
    table.sortNow();
    EXPECT_EQ(table.pendingMoves(), 0);
    EXPECT_EQ(store.utilizationOf(table.cardAt(0)), 31.0F);
}

TEST_F(CardTableModelTest, ShowsOldValuesDimmedThenAsDash)
{
    addNodes(1, 1);
    InventoryDelta delta;
    delta.clusterId = 1;
    delta.telemetry.push_back(builder.telemetry(0, 58, clock.now()));
    apply(delta);
    const int row = table.rowOf(table.cardAt(0));
    EXPECT_EQ(table.cell(row, CardColumn::Utilization).text, QStringLiteral("58%"));
    EXPECT_FALSE(table.cell(row, CardColumn::Utilization).dimmed);
    clock.advance(std::chrono::minutes(2));
    EXPECT_TRUE(table.cell(row, CardColumn::Utilization).dimmed);
    EXPECT_EQ(table.cell(row, CardColumn::Age).tone, CellTone::Warn);
    clock.advance(std::chrono::minutes(20));
    EXPECT_TRUE(table.cell(row, CardColumn::Utilization).text.isEmpty());
    EXPECT_TRUE(table.index(row, int(CardColumn::Utilization))
                    .data(Qt::ToolTipRole)
                    .toString()
                    .contains(QStringLiteral("58%")));
}

TEST_F(CardTableModelTest, KeepsTheSelectionByCard)
{
    CardSelection selection(table);
    addNodes(1, 10);
    selection.select(QItemSelection(table.index(8, 0), table.index(15, cardColumnCount - 1)),
                     QItemSelectionModel::Select);
    const auto chosen = selection.cards();
    ASSERT_EQ(chosen.size(), 8U);
    table.setFilter(parseFilter(QStringLiteral("node:node-9")));
    QCoreApplication::processEvents();
    EXPECT_EQ(selection.cardCount(), 0); // nothing hidden is ever acted on
    table.setFilter({});
    QCoreApplication::processEvents();
    EXPECT_EQ(selection.cards(), chosen);
    table.sort(int(CardColumn::Node), Qt::DescendingOrder);
    EXPECT_EQ(selection.cardCount(), 8);
    for (const QModelIndex &index : selection.selectedRows())
        EXPECT_NE(std::find(chosen.begin(), chosen.end(), table.cardAt(index.row())), chosen.end());
    InventoryDelta gone;
    gone.clusterId = 1;
    gone.removedNodes.push_back(strings.intern(std::string_view("uid-node-2")));
    apply(gone);
    QCoreApplication::processEvents();
    EXPECT_EQ(selection.cardCount(), 0);
}

} // namespace
} // namespace tongchi
