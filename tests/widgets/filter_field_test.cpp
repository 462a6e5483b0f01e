#include "widgets/filter/filter_field.h"

#include "tests/support/qt_printers.h"
#include "tests/support/wait.h"
#include "widgets/feedback/popover_list.h"
#include "widgets/theme/theme.h"

#include <QApplication>
#include <QClipboard>
#include <QLineEdit>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>
#include <gtest/gtest.h>

using namespace tongchi;
using namespace tongchi::test;

namespace {

class FilterFieldWords final : public FilterFieldSource
{
public:
    QList<FilterFieldToken> tokens(const QString &text) const override
    {
        QList<FilterFieldToken> list;
        const QStringList words = text.split(u' ', Qt::SkipEmptyParts);
        for (const QString &word : words) {
            const qsizetype split = word.indexOf(u':') + 1;
            list.append({word, word.left(split), word.mid(split),
                         word.startsWith(u'?') ? QStringLiteral("Cannot be read.") : QString()});
        }
        return list;
    }
    QList<FilterFieldSuggestion> suggestions(const QString &word, const QStringList &others) const override
    {
        lastOthers = others;
        if (word == QStringLiteral("ven"))
            return {{QStringLiteral("vendor:"), {}, QStringLiteral("vendor:"), {}, true}};
        if (word == QStringLiteral("vendor:"))
            return {
                {QStringLiteral("ascend"), {}, QStringLiteral("vendor:ascend"), QStringLiteral("800"), false},
                {QStringLiteral("nvidia"),
                 {},
                 QStringLiteral("vendor:nvidia"),
                 QStringLiteral("1,344"),
                 false}};
        return {};
    }
    QString canonical(const QString &text) const override { return QStringLiteral("canonical ") + text; }
    mutable QStringList lastOthers;
};

class FilterFieldTest : public ::testing::Test
{
protected:
    void SetUp() override
    {
        window.resize(900, 300);
        field.setGeometry(10, 10, 800, 28);
        window.show();
        ASSERT_TRUE(QTest::qWaitForWindowExposed(&window));
        window.activateWindow();
        field.editor()->setFocus();
        ASSERT_TRUE(waitUntil([this] { return field.editor()->hasFocus(); }));
    }
    void type(const char *text) { QTest::keyClicks(field.editor(), QString::fromLatin1(text)); }
    void key(Qt::Key key, Qt::KeyboardModifiers modifiers = {})
    {
        QTest::keyClick(field.editor(), key, modifiers);
    }

    Theme theme;
    FilterFieldWords words;
    QWidget window;
    FilterField field{theme, words, &window};
};

} // namespace

TEST_F(FilterFieldTest, FiltersWithEveryKeyAndMakesATokenOfAFinishedWord)
{
    QSignalSpy changed(&field, &FilterField::textChanged);
    type("a100");
    EXPECT_EQ(changed.size(), 4);
    EXPECT_EQ(field.tokenCount(), 0);
    type(" region:bj ");
    EXPECT_EQ(field.tokenCount(), 2);
    EXPECT_EQ(field.text(), QStringLiteral("a100 region:bj"));
    EXPECT_EQ(field.editor()->text(), QString());
}

TEST_F(FilterFieldTest, ATextHandedBackWhileTypingLeavesTheWordInTheEditor)
{
    QObject::connect(&field, &FilterField::textChanged, &field,
                     [this](const QString &text) { field.setText(text); });
    type("vendor:asc");
    EXPECT_EQ(field.text(), QStringLiteral("vendor:asc"));
    EXPECT_EQ(field.editor()->text(), QStringLiteral("vendor:asc"));
}

TEST_F(FilterFieldTest, BackspaceAtTheStartTakesTheLastTokenBack)
{
    field.setText(QStringLiteral("vendor:ascend util<20"));
    key(Qt::Key_Backspace);
    EXPECT_EQ(field.text(), QStringLiteral("vendor:ascend"));
    type("x");
    key(Qt::Key_Backspace);
    EXPECT_EQ(field.text(), QStringLiteral("vendor:ascend"));
}

TEST_F(FilterFieldTest, LeftWalksToATokenAndEnterEditsIt)
{
    field.setText(QStringLiteral("a:1 b:2 c:3"));
    key(Qt::Key_Left);
    key(Qt::Key_Left);
    key(Qt::Key_Return);
    EXPECT_EQ(field.editor()->text(), QStringLiteral("b:2"));
    EXPECT_EQ(field.tokenCount(), 2);
}

TEST_F(FilterFieldTest, SuggestionsOpenAfterAPauseAndEnterTakesOne)
{
    field.setText(QStringLiteral("region:bj"));
    type("ven");
    ASSERT_TRUE(waitUntil([this] { return field.suggestions()->isVisible(); }));
    EXPECT_EQ(words.lastOthers, QStringList{QStringLiteral("region:bj")});
    key(Qt::Key_Return);
    EXPECT_EQ(field.editor()->text(), QStringLiteral("vendor:"));
    ASSERT_TRUE(field.suggestions()->isVisible());
    EXPECT_EQ(field.suggestions()->rows().value(1).trailing, QStringLiteral("1,344"));
    key(Qt::Key_Down);
    key(Qt::Key_Return);
    EXPECT_EQ(field.text(), QStringLiteral("region:bj vendor:nvidia"));
    EXPECT_FALSE(field.suggestions()->isVisible());
}

TEST_F(FilterFieldTest, EscapeClosesTheListFirstAndThenEmptiesTheWord)
{
    type("ven");
    ASSERT_TRUE(waitUntil([this] { return field.suggestions()->isVisible(); }));
    key(Qt::Key_Escape);
    EXPECT_FALSE(field.suggestions()->isVisible());
    EXPECT_EQ(field.editor()->text(), QStringLiteral("ven"));
    key(Qt::Key_Escape);
    EXPECT_EQ(field.editor()->text(), QString());
}

TEST_F(FilterFieldTest, CopyGivesCanonicalEnglish)
{
    field.setText(QStringLiteral("a:1 b:2"));
    key(Qt::Key_C, Qt::ControlModifier);
    EXPECT_EQ(QApplication::clipboard()->text(), QStringLiteral("canonical a:1 b:2"));
}

TEST_F(FilterFieldTest, SaysWhatCannotBeRead)
{
    field.setText(QStringLiteral("a:1 ?:x"));
    EXPECT_EQ(field.error(), QStringLiteral("Cannot be read."));
    field.setText(QStringLiteral("a:1"));
    EXPECT_EQ(field.error(), QString());
}

TEST_F(FilterFieldTest, TheCrossClearsEverything)
{
    field.setText(QStringLiteral("a:1 b:2"));
    auto *clear = field.findChild<QToolButton *>(QStringLiteral("filterClear"));
    ASSERT_TRUE(clear->isVisible());
    QTest::mouseClick(clear, Qt::LeftButton);
    EXPECT_EQ(field.text(), QString());
    EXPECT_FALSE(clear->isVisible());
}

TEST_F(FilterFieldTest, ManyTokensLeaveRoomToType)
{
    QStringList many;
    for (int i = 0; i < 40; ++i)
        many.append(QStringLiteral("label:value%1").arg(i));
    field.setText(many.join(u' '));
    EXPECT_GE(field.editor()->width(), 60);
    EXPECT_LE(field.editor()->geometry().right(), field.width());
    field.grab();
}
