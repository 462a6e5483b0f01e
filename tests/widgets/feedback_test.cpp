#include "tests/support/qt_printers.h"
#include "tests/support/wait.h"
#include "widgets/charts/history_chart.h"
#include "widgets/feedback/notice_strip.h"
#include "widgets/feedback/scrim_dialog.h"
#include "widgets/feedback/segmented_control.h"
#include "widgets/feedback/toast.h"
#include "widgets/feedback/toast_stack.h"
#include "widgets/filter/facet_list.h"
#include "widgets/theme/theme.h"

#include <QApplication>
#include <QHBoxLayout>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>
#include <QVBoxLayout>
#include <cmath>
#include <gtest/gtest.h>

using namespace tongchi;
using namespace tongchi::test;

namespace {

class FeedbackTest : public ::testing::Test
{
protected:
    void SetUp() override
    {
        window.resize(800, 600);
        below->setGeometry(0, 0, 100, 28);
        window.show();
        ASSERT_TRUE(QTest::qWaitForWindowExposed(&window));
        window.activateWindow();
        below->setFocus();
        ASSERT_TRUE(waitUntil([this] { return below->hasFocus(); }));
    }
    Theme theme;
    QWidget window;
    QPushButton *below = new QPushButton(QStringLiteral("below"), &window);
};

QList<FacetSection> someFacets(int count)
{
    FacetSection section;
    section.id = 7;
    section.title = QStringLiteral("Vendor");
    for (int i = 0; i < count; ++i) {
        FacetEntry entry;
        entry.key = QString::number(i);
        entry.text = QStringLiteral("Value %1").arg(i);
        entry.count = QStringLiteral("10");
        entry.share = 0.5;
        section.entries.append(entry);
    }
    return {section};
}

} // namespace

TEST_F(FeedbackTest, ADialogKeepsTheFocusInsideAndGivesItBack)
{
    ScrimDialog dialog(theme, &window, QSize(300, 200));
    auto *first = new QPushButton(QStringLiteral("first"), dialog.card());
    auto *second = new QPushButton(QStringLiteral("second"), dialog.card());
    dialog.body()->addWidget(first);
    dialog.foot()->addWidget(second);
    dialog.open();
    EXPECT_TRUE(first->hasFocus());
    for (int i = 0; i < 5; ++i) {
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
        EXPECT_TRUE(dialog.card()->isAncestorOf(QApplication::focusWidget()));
    }
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Escape);
    EXPECT_FALSE(dialog.isOpen());
    EXPECT_TRUE(below->hasFocus());
}

TEST_F(FeedbackTest, ADialogStaysWhileAWriteIsUnderWay)
{
    ScrimDialog dialog(theme, &window, QSize(300, 200));
    dialog.foot()->addWidget(new QPushButton(QStringLiteral("button"), dialog.card()));
    dialog.open();
    dialog.setBusy(true);
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Escape);
    EXPECT_TRUE(dialog.isOpen());
    dialog.setBusy(false);
    QTest::mouseClick(dialog.findChild<QToolButton *>(QStringLiteral("dialogClose")), Qt::LeftButton);
    EXPECT_FALSE(dialog.isOpen());
}

TEST_F(FeedbackTest, ToastsGoByThemselvesButFailuresStay)
{
    ToastStack stack(theme, &window, std::chrono::milliseconds(30));
    stack.placeAt(QPoint(20, 580));
    stack.add(Tone::Ok, QStringLiteral("done"));
    stack.add(Tone::Crit, QStringLiteral("failed"));
    EXPECT_EQ(stack.count(), 2);
    ASSERT_TRUE(waitUntil([&] { return stack.count() == 1; }));
    EXPECT_EQ(stack.texts(), QStringList{QStringLiteral("failed")});
    QTest::mouseClick(stack.findChild<QToolButton *>(QStringLiteral("toastClose")), Qt::LeftButton);
    EXPECT_EQ(stack.count(), 0);
    EXPECT_EQ(stack.history().size(), 2);
}

TEST_F(FeedbackTest, AtMostThreeToastsAndTheActionRunsOnce)
{
    ToastStack stack(theme, &window, std::chrono::seconds(600));
    int undone = 0;
    for (int i = 0; i < 5; ++i)
        stack.add(Tone::Ok, QString::number(i), QStringLiteral("Undo"), [&undone] { ++undone; });
    EXPECT_EQ(stack.count(), 3);
    EXPECT_EQ(stack.texts().constFirst(), QStringLiteral("2"));
    const auto toasts = stack.findChildren<Toast *>();
    for (Toast *toast : toasts) {
        if (toast->text() == QStringLiteral("4"))
            QTest::mouseClick(toast->findChild<QToolButton *>(QStringLiteral("toastAction")), Qt::LeftButton);
    }
    EXPECT_EQ(undone, 1);
    EXPECT_EQ(stack.count(), 2);
}

TEST_F(FeedbackTest, AStripWithNothingToSayIsNotThere)
{
    NoticeStrip strip(theme, &window);
    strip.say(Tone::Warn, "status-stale", QStringLiteral("<b>silent</b>"), QStringLiteral("Check"));
    EXPECT_TRUE(strip.isVisible());
    EXPECT_EQ(strip.sentence(), QStringLiteral("<b>silent</b>"));
    QSignalSpy used(&strip, &NoticeStrip::actionTriggered);
    QTest::mouseClick(strip.actionButton(), Qt::LeftButton);
    EXPECT_EQ(used.size(), 1);
    strip.clear();
    EXPECT_FALSE(strip.isVisible());
}

TEST_F(FeedbackTest, ASegmentedControlMovesWithTheArrows)
{
    SegmentedControl control(theme, &window);
    control.setChoices({{QStringLiteral("Day")}, {QStringLiteral("Week")}, {QStringLiteral("Month")}});
    control.show();
    QSignalSpy moved(&control, &SegmentedControl::currentChanged);
    QTest::keyClick(&control, Qt::Key_Right);
    QTest::keyClick(&control, Qt::Key_Right);
    QTest::keyClick(&control, Qt::Key_Right);
    EXPECT_EQ(control.current(), 2);
    EXPECT_EQ(moved.size(), 2);
    QTest::mouseClick(&control, Qt::LeftButton, {}, QPoint(6, 12));
    EXPECT_EQ(control.current(), 0);
}

TEST_F(FeedbackTest, FacetsTellWhichGestureWasMeant)
{
    FacetList facets(theme, &window);
    facets.resize(196, 400);
    facets.setSections(someFacets(4));
    facets.show();
    QSignalSpy clicked(&facets, &FacetList::clicked);
    QTest::mouseClick(facets.rows()[1], Qt::LeftButton);
    QTest::mouseClick(facets.rows()[2], Qt::LeftButton, Qt::ControlModifier);
    QTest::mouseClick(facets.rows()[3], Qt::LeftButton, Qt::AltModifier);
    ASSERT_EQ(clicked.size(), 3);
    EXPECT_EQ(clicked[0][0].toInt(), 7);
    EXPECT_EQ(clicked[0][1].toString(), QStringLiteral("1"));
    EXPECT_EQ(clicked[0][2].value<FacetGesture>(), FacetGesture::Choose);
    EXPECT_EQ(clicked[1][2].value<FacetGesture>(), FacetGesture::AddAnother);
    EXPECT_EQ(clicked[2][2].value<FacetGesture>(), FacetGesture::Exclude);
}

TEST_F(FeedbackTest, FacetRowsKeepTheFocusWhenCountsChange)
{
    FacetList facets(theme, &window);
    facets.resize(196, 400);
    facets.setSections(someFacets(4));
    facets.show();
    facets.rows()[0]->setFocus();
    QTest::keyClick(facets.rows()[0], Qt::Key_Down);
    QTest::keyClick(facets.rows()[1], Qt::Key_Down);
    EXPECT_TRUE(facets.rows()[2]->hasFocus());
    facets.setSections(someFacets(6));
    EXPECT_TRUE(facets.rows()[2]->hasFocus());
    facets.setSections(someFacets(2));
    EXPECT_EQ(facets.rows().size(), 2);
}

TEST_F(FeedbackTest, HistoryReadsTheValueUnderTheCrosshairAndNoneInAGap)
{
    HistoryChart chart(theme, &window);
    std::vector<HistoryQuantity> quantities(1);
    quantities[0].title = QStringLiteral("Utilisation");
    for (int i = 0; i < 60; ++i)
        quantities[0].points.push_back({i * 60'000LL, i >= 20 && i < 40 ? NAN : float(i)});
    chart.setRange(0, 3'600'000);
    chart.setQuantities(std::move(quantities));
    chart.resize(320, 120);
    chart.show();
    EXPECT_TRUE(chart.accessibleDescription().contains(QStringLiteral("from 0 to 59")));
    chart.setCrosshair(10 * 60'000LL);
    chart.setCrosshair(30 * 60'000LL);
    chart.grab();
}
