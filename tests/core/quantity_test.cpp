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
    const int fraction = std::abs(quantity.nanos());
    QString text = (quantity.isNegative() && quantity.units() == 0 ? QStringLiteral("-0")
                                                                   : QString::number(quantity.units()));
    if (fraction == 0)
        return quantity.units() == 0 && !quantity.isNegative() ? QStringLiteral("0") : text;
    QString digits = QStringLiteral("%1").arg(fraction, 9, 10, QChar(u'0'));
    while (digits.endsWith(u'0'))
        digits.chop(1);
    return text + u'.' + digits;
}

TEST(QuantityTest, ReadsEverySpellingOfTheTable)
{
    const QJsonArray table =
        QJsonDocument::fromJson(test::readData(QStringLiteral("core/quantities.json"))).array();
    ASSERT_GT(table.size(), 20);
    for (const auto &entry : table) {
        const QJsonObject row = entry.toObject();
        const QByteArray text = row.value(QStringLiteral("text")).toString().toUtf8();
        const QString expected = row.value(QStringLiteral("expect")).toString();
        const auto got = Quantity::parse({text.constData(), std::size_t(text.size())});
        if (expected == QLatin1String("reject") || expected.startsWith(QLatin1String("too big"))) {
            EXPECT_FALSE(got) << text.constData();
        } else if (expected == QLatin1String("negative")) {
            ASSERT_TRUE(got) << text.constData();
            EXPECT_TRUE(got->isNegative()) << text.constData();
        } else {
            ASSERT_TRUE(got) << text.constData();
            EXPECT_EQ(spelled(*got), expected) << text.constData();
        }
    }
}

TEST(QuantityTest, RoundsAwayFromZeroBelowABillionth)
{
    EXPECT_EQ(Quantity::parse("1n")->nanos(), 1);
    EXPECT_EQ(Quantity::parse("-0.1n")->nanos(), -1);
    EXPECT_EQ(Quantity::parse("0.00000000001")->nanos(), 1);
    EXPECT_EQ(Quantity::parse("1.0000000000000000000001Gi")->units(), 1'073'741'824);
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
    for (const char *text :
         {"", "eight", "K", "1K", "1ki", "1 ", " 1", "1.2.3", "0x10", "--1", "1e", "1m5", "Ki", "."})
        EXPECT_FALSE(Quantity::parse(text)) << text;
}

} // namespace
} // namespace tongchi
