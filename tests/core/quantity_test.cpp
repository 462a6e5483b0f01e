#include "platform/core/quantity.h"
#include "tests/support/paths.h"
#include "tests/support/qt_printers.h"

#include <QElapsedTimer>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <gtest/gtest.h>

namespace tongchi {
namespace {

QString spelled(const Quantity &quantity)
{
    const int fraction = std::abs(quantity.thousandths());
    QString text = (quantity.isNegative() && quantity.units() == 0 ? QStringLiteral("-0") : QString::number(quantity.units()));
    if (fraction == 0)
        return quantity.units() == 0 && !quantity.isNegative() ? QStringLiteral("0") : text;
    QString digits = QStringLiteral("%1").arg(fraction, 3, 10, QChar(u'0'));
    while (digits.endsWith(u'0'))
        digits.chop(1);
    return text + u'.' + digits;
}

TEST(QuantityTest, ReadsEverySpellingOfTheTable)
{
    const QJsonArray table = QJsonDocument::fromJson(test::readData(QStringLiteral("core/quantities.json"))).array();
    ASSERT_GT(table.size(), 20);
    for (const auto &entry : table) {
        const QJsonObject row = entry.toObject();
        const QByteArray text = row.value(QStringLiteral("text")).toString().toUtf8();
        const QString expected = row.value(QStringLiteral("expect")).toString();
        const auto got = Quantity::parse({text.constData(), std::size_t(text.size())});
        if (row.value(QStringLiteral("expect")).isNull() || expected == QLatin1String("refuse")
            || expected == QLatin1String("unknown") || expected == QLatin1String("refused")) {
            EXPECT_TRUE(!got || got->isNegative()) << text.constData();
        } else {
            ASSERT_TRUE(got) << text.constData();
            EXPECT_EQ(spelled(*got), expected) << text.constData();
        }
    }
}

TEST(QuantityTest, RoundsAwayFromZeroBelowAThousandth)
{
    EXPECT_EQ(Quantity::parse("1n")->thousandths(), 1);
    EXPECT_EQ(Quantity::parse("-1n")->thousandths(), -1);
    EXPECT_EQ(Quantity::parse("0.0001")->thousandths(), 1);
}

TEST(QuantityTest, KeepsTheLargestAndRefusesOneMore)
{
    EXPECT_EQ(Quantity::parse("9223372036854775807")->units(), INT64_MAX);
    EXPECT_FALSE(Quantity::parse("9223372036854775808"));
    EXPECT_FALSE(Quantity::parse("16Ei"));
}

TEST(QuantityTest, AnswersAHugeExponentAtOnce)
{
    QElapsedTimer timer;
    timer.start();
    EXPECT_FALSE(Quantity::parse("1e99999999999999999999"));
    EXPECT_TRUE(Quantity::parse("1e-99999999999999999999"));
    EXPECT_LT(timer.elapsed(), 10);
}

TEST(QuantityTest, RefusesWhatIsNoAmount)
{
    for (const char *text : {"", "eight", "K", "1K", "1ki", "1 ", " 1", "1.2.3", "0x10", "--1", "1e", "1m5", "Ki", "."})
        EXPECT_FALSE(Quantity::parse(text)) << text;
}

} // namespace
} // namespace tongchi
