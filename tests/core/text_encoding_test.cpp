#include "platform/core/text_encoding.h"
#include "tests/support/qt_printers.h"

#include <QStringConverter>
#include <gtest/gtest.h>

namespace tongchi {
namespace {

const QString sample = QStringLiteral("name: 上海一区\r\n");

TEST(TextEncodingTest, ReadsTheFourEncodingsAlike)
{
    const QByteArray plain = sample.toUtf8();
    QStringEncoder little(QStringEncoder::Utf16LE);
    QStringEncoder big(QStringEncoder::Utf16BE);
    const QByteArray le = QByteArray("\xFF\xFE") + QByteArray(little(sample));
    const QByteArray be = QByteArray("\xFE\xFF") + QByteArray(big(sample));
    for (const QByteArray &bytes : {plain, QByteArray("\xEF\xBB\xBF" + plain), le, be}) {
        const auto text = decodeText(bytes, QStringLiteral("f"));
        ASSERT_OK(text);
        EXPECT_EQ(text->utf8, plain);
    }
}

TEST(TextEncodingTest, NamesTheFirstByteThatFitsNothing)
{
    const auto text = decodeText("abc\xC9\xCF\xBA", QStringLiteral("gbk.yaml"));
    ASSERT_FALSE(text);
    EXPECT_EQ(text.error().arguments, QStringList{QStringLiteral("3")});
    EXPECT_EQ(text.error().subject, QStringLiteral("gbk.yaml"));
}

TEST(TextEncodingTest, RefusesOverlongFormsAndSurrogates)
{
    EXPECT_EQ(firstInvalidUtf8("\xC0\x80"), 0);
    EXPECT_EQ(firstInvalidUtf8("a\xED\xA0\x80"), 1);
    EXPECT_EQ(firstInvalidUtf8("\xF4\x90\x80\x80"), 0);
    EXPECT_EQ(firstInvalidUtf8("\xE4\xB8"), 0);
    EXPECT_EQ(firstInvalidUtf8("上海"), -1);
}

TEST(TextEncodingTest, MakesControlCharactersVisible)
{
    EXPECT_EQ(visibleText(QStringLiteral("a\nb\u202Ec")), QStringLiteral("a\u240Ab\uFFFDc"));
}

TEST(ErrorTextTest, LeavesPlaceholdersInsideArgumentsAlone)
{
    EXPECT_EQ(substituteArguments(QStringLiteral("%1 and %2"), {QStringLiteral("%2"), QStringLiteral("x")}),
              QStringLiteral("%2 and x"));
}

} // namespace
} // namespace tongchi
