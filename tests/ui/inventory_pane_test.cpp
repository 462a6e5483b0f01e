#include "tests/support/paths.h"
#include "tests/support/qt_printers.h"
#include "tests/support/table_clicks.h"
#include "tests/support/wait.h"
#include "tests/ui/sample_pool.h"
#include "ui/inventory/action_sheet.h"
#include "ui/inventory/card_drawer.h"
#include "ui/inventory/selection_bar.h"
#include "widgets/feedback/empty_state.h"
#include "widgets/feedback/notice_strip.h"
#include "widgets/filter/facet_list.h"
#include "widgets/filter/filter_field.h"
#include "widgets/tables/card_table_view.h"
#include "widgets/tables/column_layout.h"

#include <QApplication>
#include <QHeaderView>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTabBar>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>
#include <gtest/gtest.h>

using namespace tongchi;
using namespace tongchi::test;

namespace {

class InventoryPaneTest : public ::testing::Test
{
protected:
    void open(int nodes = 24)
    {
        sample.settings.setValue(QStringLiteral("language"), QStringLiteral("en"));
        sample.settings.setValue(QStringLiteral("theme"), QStringLiteral("light"));
        sample.open();
        sample.window->show();
        ASSERT_TRUE(QTest::qWaitForWindowExposed(sample.window.get()));
        sample.window->activateWindow();
        if (nodes > 0) {
            sample.fillFleet(nodes);
            ASSERT_TRUE(waitUntil([this] { return pane().tableView()->model()->rowCount() > 0; }));
        }
    }
    InventoryPane &pane() { return *sample.window->inventoryPane(); }
    CardTableView &table() { return *pane().tableView(); }
    template <typename T> T *find(const char *name)
    {
        return sample.window->findChild<T *>(QString::fromLatin1(name));
    }
    void sendStatus(std::size_t cluster, const std::function<void(ClusterStatus &)> &edit)
    {
        InventoryDelta delta;
        delta.clusterId = quint32(cluster + 1);
        auto status = std::make_shared<ClusterStatus>(*sample.inventory.store().status(delta.clusterId));
        edit(*status);
        delta.status = status;
        sample.clusters[cluster]->send(std::move(delta));
    }

    SampleWindow sample;
};

} // namespace

TEST_F(InventoryPaneTest, TypingAFilterNarrowsTheTableAndShowsTheCount)
{
    open();
    const int all = table().model()->rowCount();
    pane().focusFilter();
    QTest::keyClicks(pane().filterField()->editor(), QStringLiteral("vendor:ascend "));
    EXPECT_LT(table().model()->rowCount(), all);
    EXPECT_GT(table().model()->rowCount(), 0);
    auto *count = find<QWidget>("filterCount");
    ASSERT_TRUE(waitUntil([count] { return count->accessibleName().contains(QStringLiteral(" of ")); }));
}

TEST_F(InventoryPaneTest, AFacetClickAddsATokenAndASecondTakesItAway)
{
    open();
    auto *facets = find<FacetList>("facetList");
    ASSERT_FALSE(facets->rows().isEmpty());
    const int all = table().model()->rowCount();
    QTest::mouseClick(facets->rows()[0], Qt::LeftButton);
    EXPECT_EQ(pane().filterField()->tokenCount(), 1);
    EXPECT_LT(table().model()->rowCount(), all);
    QTest::mouseClick(facets->rows()[0], Qt::LeftButton);
    EXPECT_EQ(pane().filterField()->text(), QString());
    EXPECT_EQ(table().model()->rowCount(), all);
}

TEST_F(InventoryPaneTest, NamesTheTokensThatExcludeEachOther)
{
    open();
    pane().filterField()->setText(QStringLiteral("vendor:cambricon model:h100"));
    auto *empty = find<EmptyState>("emptyState");
    ASSERT_TRUE(waitUntil([empty] { return empty->isVisible(); }));
    EXPECT_EQ(empty->cause(), QStringLiteral("No card matches"));
    ASSERT_TRUE(waitUntil([empty] { return empty->remedy().contains(QStringLiteral("vendor:cambricon")); }));
    EXPECT_TRUE(empty->remedy().contains(QStringLiteral("model:h100")));
    QTest::mouseClick(empty->firstButton(), Qt::LeftButton);
    EXPECT_TRUE(table().isVisible());
}

TEST_F(InventoryPaneTest, TheDrawerAsksForTheHourBeforeItWasOpened)
{
    open();
    FakeSource *source = nullptr;
    std::vector<TelemetryRecord> hour;
    for (int i = 0; i < 100; ++i) {
        TelemetryRecord record;
        record.temperatureCelsius = float(40 + i % 20);
        record.powerWatts = 200;
        record.sampledAt = sample.clock.now() - std::chrono::seconds(30 * (100 - i));
        hour.push_back(record);
    }
    for (FakeSource *each : sample.clusters)
        each->hour = hour;
    QTest::keyClick(&table(), Qt::Key_Down);
    QTest::keyClick(&table(), Qt::Key_Return);
    ASSERT_TRUE(pane().drawer()->isVisible());
    find<QTabBar>("drawerTabs")->setCurrentIndex(1);
    QLabel *const note = find<QLabel>("historyNote");
    EXPECT_TRUE(note->text().contains(QStringLiteral("are being read"))) << note->text().toStdString();
    ASSERT_TRUE(waitUntil([&] {
        for (FakeSource *each : sample.clusters)
            source = each->hoursAsked.empty() ? source : each;
        return source && !note->text().contains(QStringLiteral("are being read"));
    }));
    EXPECT_EQ(source->hoursAsked.size(), 1u);
    EXPECT_EQ(note->text(), QString());

    // The next card; its cluster cannot tell.
    source->hour = failure({.code = ErrorCode::Timeout});
    for (FakeSource *each : sample.clusters)
        each->hour = source->hour;
    QTest::keyClick(&table(), Qt::Key_Down);
    ASSERT_TRUE(waitUntil([&] { return note->text().contains(QStringLiteral("did not answer in time")); }));
    EXPECT_TRUE(note->text().contains(QStringLiteral("are recorded since"))) << note->text().toStdString();
}

TEST_F(InventoryPaneTest, EnterOpensTheDrawerAndEscapeClosesItBeforeTheSelection)
{
    open();
    table().setFocus();
    table().setCurrentIndex(table().model()->index(0, 0));
    QTest::keyClick(&table(), Qt::Key_Return);
    EXPECT_TRUE(pane().drawer()->isVisible());
    EXPECT_FALSE(find<QLabel>("drawerTitle")->text().isEmpty());
    QTest::keyClick(&table(), Qt::Key_Down);
    EXPECT_EQ(pane().drawer()->card(), sample.inventory.table().cardAt(1));
    QTest::keyClick(&table(), Qt::Key_Escape);
    EXPECT_FALSE(pane().drawer()->isVisible());
    EXPECT_GT(pane().selectedCards(), 0);
    QTest::keyClick(&table(), Qt::Key_Escape);
    EXPECT_EQ(pane().selectedCards(), 0);
}

TEST_F(InventoryPaneTest, CordonShowsWhatWillChangeAndWritesOnlyAfterTheConfirmation)
{
    open();
    table().setFocus();
    clickRow(table(), 0);
    auto *bar = find<SelectionBar>("selectionBar");
    ASSERT_TRUE(waitUntil([this] { return find<QPushButton>("cordonButton")->isEnabled(); }));
    ASSERT_TRUE(bar->isVisible());
    QTest::mouseClick(find<QPushButton>("cordonButton"), Qt::LeftButton);
    ASSERT_NE(pane().actionSheet(), nullptr);
    ASSERT_TRUE(waitUntil([this] { return pane().actionSheet()->confirmButton()->isEnabled(); }));
    EXPECT_EQ(find<QLabel>("actionStatement")->text(), QStringLiteral("1 node(s), 8 card(s); you chose 1"));
    for (FakeSource *cluster : sample.clusters) {
        for (const FakeSource::Call &call : cluster->calls)
            EXPECT_TRUE(call.dryRun);
    }
    QTest::mouseClick(pane().actionSheet()->confirmButton(), Qt::LeftButton);
    ASSERT_TRUE(waitUntil([this] { return !pane().actionSheet()->isOpen(); }));
    int written = 0;
    for (FakeSource *cluster : sample.clusters) {
        for (const FakeSource::Call &call : cluster->calls)
            written += call.dryRun ? 0 : 1;
    }
    EXPECT_EQ(written, 1);
    EXPECT_EQ(sample.window->toasts().count(), 1);
}

TEST_F(InventoryPaneTest, AForbiddenActionIsOffAndSaysWhy)
{
    open(0);
    sample.addCluster(1, QStringLiteral("bj-prod"))->permission = {false,
                                                                   QStringLiteral("nodes is forbidden")};
    sample.clusters[0]->send(sample.builders[0]->delta({{}}));
    ASSERT_TRUE(waitUntil([this] { return table().model()->rowCount() == 8; }));
    clickRow(table(), 0);
    auto *cordon = find<QPushButton>("cordonButton");
    ASSERT_TRUE(waitUntil(
        [cordon] { return cordon->accessibleDescription().contains(QStringLiteral("forbidden")); }));
    EXPECT_FALSE(cordon->isEnabled());
}

TEST_F(InventoryPaneTest, ASilentClusterLeavesItsRowsAndSaysSo)
{
    open();
    const int all = table().model()->rowCount();
    sendStatus(1, [](ClusterStatus &status) { status.kubernetes.state = SourceState::Lost; });
    auto *strip = find<NoticeStrip>("noticeStrip");
    ASSERT_TRUE(waitUntil([strip] { return strip->sentence().contains(QStringLiteral("1 of 3")); }));
    EXPECT_EQ(strip->tone(), Tone::Warn);
    EXPECT_EQ(table().model()->rowCount(), all);
    QTest::mouseClick(strip->actionButton(), Qt::LeftButton);
    EXPECT_EQ(sample.clusters[1]->refreshes, 1);
    sendStatus(1, [](ClusterStatus &status) { status.kubernetes.state = SourceState::Live; });
    ASSERT_TRUE(waitUntil([strip] { return !strip->isVisible(); }));
}

TEST_F(InventoryPaneTest, SilentMetricsAreNamedWithTheTimeOfTheValues)
{
    open();
    sendStatus(0, [this](ClusterStatus &status) {
        status.metrics.state = SourceState::Lost;
        status.metrics.lastHeard = sample.clock.now() - std::chrono::minutes(7);
    });
    auto *strip = find<NoticeStrip>("noticeStrip");
    ASSERT_TRUE(waitUntil([strip] { return strip->sentence().contains(QStringLiteral("bj-prod")); }));
    EXPECT_TRUE(strip->sentence().contains(QStringLiteral("actions still work")));
}

TEST_F(InventoryPaneTest, ForbiddenNodesOfferTheRuleToGrant)
{
    open(0);
    sample.addCluster(1, QStringLiteral("bj-prod"));
    InventoryDelta delta;
    delta.clusterId = 1;
    auto status = std::make_shared<ClusterStatus>();
    status->name = QStringLiteral("bj-prod");
    status->complete = true;
    status->kubernetes.state = SourceState::Forbidden;
    delta.status = status;
    sample.clusters[0]->send(std::move(delta));
    auto *empty = find<EmptyState>("emptyState");
    ASSERT_TRUE(waitUntil([empty] {
        return empty->isVisible() && empty->cause().contains(QStringLiteral("may not list nodes"));
    }));
}

TEST_F(InventoryPaneTest, APartThatMayNotBeReadIsNamedWithTheRuleToGrant)
{
    open();
    sendStatus(0, [](ClusterStatus &status) {
        status.denied = {{QStringLiteral("pods"), {.code = ErrorCode::Forbidden}},
                         {QStringLiteral("resourceslices"), {.code = ErrorCode::Forbidden}}};
    });
    auto *strip = find<NoticeStrip>("noticeStrip");
    ASSERT_TRUE(waitUntil([strip] {
        return strip->sentence().startsWith(
            QStringLiteral("You may not list pods, resourceslices in bj-prod"));
    })) << strip->sentence().toStdString();
}

TEST_F(InventoryPaneTest, ExportsWhatIsOnScreen)
{
    open();
    QTemporaryDir folder;
    pane().filterField()->setText(QStringLiteral("vendor:ascend"));
    table().columns().setChosen(QStringLiteral("power"), false);
    const int rows = table().model()->rowCount();
    pane().exportTo(folder.filePath(QStringLiteral("cards.csv")), false);
    pane().exportTo(folder.filePath(QStringLiteral("cards.json")), true);
    QFile csv(folder.filePath(QStringLiteral("cards.csv")));
    ASSERT_TRUE(csv.open(QIODevice::ReadOnly));
    const QByteArray text = csv.readAll();
    EXPECT_EQ(text.trimmed().count('\n'), rows);
    EXPECT_FALSE(text.left(text.indexOf('\n')).contains("Power"));
    QFile json(folder.filePath(QStringLiteral("cards.json")));
    ASSERT_TRUE(json.open(QIODevice::ReadOnly));
    EXPECT_TRUE(QJsonDocument::fromJson(json.readAll()).isObject());
    pane().exportTo(QStringLiteral("/nowhere/at/all.csv"), false);
    EXPECT_EQ(sample.window->toasts().texts().constLast().contains(QStringLiteral("could not be written")),
              true);
}

TEST_F(InventoryPaneTest, KeepsColumnsAndSortOrderBetweenRuns)
{
    open();
    table().columns().setChosen(QStringLiteral("region"), false);
    table().sortByColumn(int(CardColumn::Temperature), Qt::DescendingOrder);
    MemoryWindowSettings kept = sample.settings;
    sample.window.reset();
    sample.settings = kept;
    sample.open();
    EXPECT_FALSE(table().columns().isChosen(QStringLiteral("region")));
    EXPECT_EQ(sample.inventory.table().sortColumn(), CardColumn::Temperature);
    EXPECT_EQ(sample.inventory.table().sortOrder(), Qt::DescendingOrder);
}

TEST_F(InventoryPaneTest, SingleLettersActOnTheSelectionButNotWhileTyping)
{
    open();
    table().setFocus();
    clickRow(table(), 0);
    ASSERT_TRUE(waitUntil([this] { return find<QPushButton>("cordonButton")->isEnabled(); }));
    pane().focusFilter();
    QTest::keyClicks(pane().filterField()->editor(), QStringLiteral("c"));
    EXPECT_EQ(pane().actionSheet(), nullptr);
    pane().filterField()->clear();
    table().setFocus();
    QTest::keyClick(&table(), Qt::Key_C);
    ASSERT_NE(pane().actionSheet(), nullptr);
    EXPECT_TRUE(pane().actionSheet()->isOpen());
}

TEST_F(InventoryPaneTest, ShowsMarkupInNamesAsItIs)
{
    open(0);
    sample.addCluster(1, QStringLiteral("bj-prod"));
    PoolBuilder::Node node;
    node.name = "<img src=x onerror=1>";
    node.workload = "<b>bold</b>";
    sample.clusters[0]->send(sample.builders[0]->delta({node}));
    ASSERT_TRUE(waitUntil([this] { return table().model()->rowCount() == 8; }));
    table().setCurrentIndex(table().model()->index(0, 0));
    QTest::keyClick(&table(), Qt::Key_Return);
    const auto labels = pane().drawer()->findChildren<QLabel *>();
    for (const QLabel *label : labels)
        EXPECT_TRUE(label->textFormat() == Qt::PlainText || label->text().isEmpty())
            << label->text().toStdString();
    sample.window->grab();
}
