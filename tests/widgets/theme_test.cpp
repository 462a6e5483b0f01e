#include "tests/support/qt_printers.h"
#include "widgets/tables/cell_painter.h"
#include "widgets/theme/plain_tool_tip.h"
#include "widgets/theme/tabular.h"
#include "widgets/theme/theme.h"

#include <QApplication>
#include <QDir>
#include <QFontDatabase>
#include <QImage>
#include <QPainter>
#include <gtest/gtest.h>

using namespace tongchi;

TEST(ThemeTest, KnowsEveryColourOfTheTokenFileInBothThemes)
{
    Theme theme;
    for (const ThemeMode mode : {ThemeMode::Light, ThemeMode::Dark}) {
        theme.setMode(mode);
        for (int i = 0; i < int(ColorToken::Count); ++i)
            EXPECT_TRUE(theme.color(ColorToken(i)).isValid()) << colorTokenName(ColorToken(i)).data();
    }
    theme.setMode(ThemeMode::Light);
    EXPECT_EQ(theme.color(ColorToken::AccentBase).name().toUpper(), QStringLiteral("#0B7285"));
}

TEST(ThemeTest, LeavesNoPlaceholderInTheStyleSheet)
{
    Theme theme;
    for (const ThemeMode mode : {ThemeMode::Light, ThemeMode::Dark}) {
        theme.setMode(mode);
        const QString sheet = theme.styleSheet();
        EXPECT_FALSE(sheet.isEmpty());
        EXPECT_EQ(QString(sheet).remove(QStringLiteral("@2x")).count(u'@'), 0);
    }
}

TEST(ThemeTest, AllDigitsAreEquallyWide)
{
    Theme theme;
    for (const TextRole role : {TextRole::Caption, TextRole::Table, TextRole::Title, TextRole::Figure}) {
        const QFont &font = theme.font(role);
        EXPECT_DOUBLE_EQ(tabularWidth(font, QStringLiteral("1,111")),
                         tabularWidth(font, QStringLiteral("8,888")));
        EXPECT_DOUBLE_EQ(tabularWidth(font, QStringLiteral("1,820")),
                         tabularWidth(font, QStringLiteral("9,047")));
    }
}

TEST(ThemeTest, TabularTextMayHoldCharactersOfOtherFonts)
{
    Theme theme;
    const QFont &font = theme.font(TextRole::Table);
    EXPECT_GT(tabularWidth(font, QStringLiteral("12 张 \u2014 3")),
              tabularWidth(font, QStringLiteral("12  3")));
    QImage image(200, 30, QImage::Format_RGB32);
    QPainter painter(&image);
    drawTabular(painter, QRectF(0, 0, 200, 30), Qt::AlignRight, QStringLiteral("2 分"), font);
}

TEST(ThemeTest, EveryIconOfTheFolderIsPainted)
{
    Theme theme;
    const QStringList names = QDir(QStringLiteral(":/tongchi/icons/16")).entryList({QStringLiteral("*.svg")});
    EXPECT_GE(names.size(), 70);
    for (const QString &name : names) {
        for (const int size : {16, 20}) {
            const QByteArray base = name.chopped(4).toLatin1();
            const QImage image = theme.pixmap(base.constData(), size, Qt::red, 2).toImage();
            bool inked = false;
            for (int y = 0; y < image.height() && !inked; ++y) {
                for (int x = 0; x < image.width() && !inked; ++x)
                    inked = qAlpha(image.pixel(x, y)) > 100 && qRed(image.pixel(x, y)) > 100;
            }
            EXPECT_TRUE(inked) << base.constData() << ' ' << size;
        }
    }
}

TEST(ThemeTest, ToolTipsShowTagsAsTags)
{
    const QString tip = plainToolTip(QStringLiteral("<img src='http://trap/'>\nnext"));
    EXPECT_FALSE(tip.contains(QStringLiteral("<img")));
    EXPECT_TRUE(tip.contains(QStringLiteral("&lt;img")));
    EXPECT_TRUE(tip.contains(QStringLiteral("<br>")));
    EXPECT_LT(plainToolTip(QString(200'000, u'x')).size(), 3'000);
}

TEST(ThemeTest, AHugeTextIsCutBeforeItIsLaidOut)
{
    Theme theme;
    CellPainter painter(theme);
    CellPaint cell;
    cell.text = QString(200'000, u'x');
    QImage image(300, 28, QImage::Format_RGB32);
    QPainter target(&image);
    painter.paint(target, QRect(0, 0, 300, 28), cell, false, 20);
    EXPECT_TRUE(painter.isCut(cell, 300));
}

TEST(ThemeTest, ChineseInterfaceHasNoTextBelowTwelvePixels)
{
    Theme theme;
    theme.setChinese(true);
    for (int i = 0; i < int(TextRole::Count); ++i)
        EXPECT_GE(theme.font(TextRole(i)).pixelSize(), 12);
}
