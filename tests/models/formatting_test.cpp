#include "models/common/error_text.h"
#include "models/common/formatting.h"
#include "models/common/json_text.h"
#include "tests/support/qt_printers.h"

#include <gtest/gtest.h>
#include <limits>

namespace tongchi {
namespace {

using namespace std::chrono_literals;

TEST(FormattingTest, NamesMemoryAsVendorsDo)
{
    const Formatting format;
    EXPECT_EQ(format.memoryPair(std::int64_t(52.8 * (1 << 30)), 64LL << 30), QStringLiteral("52.8 / 64 GB"));
    EXPECT_EQ(nominalGigabytesText(81559LL << 20), QStringLiteral("80"));
    EXPECT_EQ(nominalGigabytesText(24564LL << 20), QStringLiteral("24"));
    EXPECT_EQ(nominalGigabytesText(15360LL << 20), QStringLiteral("16"));
    EXPECT_EQ(nominalGigabytesText(23028LL << 20), QStringLiteral("24"));
    EXPECT_EQ(format.memoryPair({}, 64LL << 30), QStringLiteral("\u2014 / 64 GB"));
    EXPECT_EQ(format.memoryPair(std::int64_t(1e9), {}), QStringLiteral("1.0 / \u2014 GB"));
}

TEST(FormattingTest, WritesAgesAndDurations)
{
    const Formatting format;
    EXPECT_EQ(format.age(2s), QStringLiteral("2 s"));
    EXPECT_EQ(format.age(150s), QStringLiteral("2 min"));
    EXPECT_EQ(format.age(-5s), QStringLiteral("0 s"));
    EXPECT_EQ(format.duration(192s), QStringLiteral("3 min 12 s"));
    EXPECT_EQ(format.duration(84min), QStringLiteral("1 h 24 min"));
}

TEST(FormattingTest, WritesFilesWithoutLocale)
{
    QLocale::setDefault(QLocale(QLocale::German));
    QByteArray out;
    JsonText json(&out);
    json.beginObject()
        .key("a")
        .number(1234567.25)
        .key("b")
        .number(std::numeric_limits<double>::quiet_NaN())
        .key("c")
        .string(QStringLiteral("\u0001\"\n"))
        .endObject();
    EXPECT_EQ(out, QByteArray("{\"a\":1234567.25,\"b\":null,\"c\":\"\\u0001\\\"\\n\"}"));
    EXPECT_EQ(csvField(QStringLiteral("a，b")), QStringLiteral("\"a，b\"").toUtf8());
    EXPECT_EQ(csvField(QStringLiteral("a\"b")), QByteArray("\"a\"\"b\""));
    QLocale::setDefault(QLocale::c());
}

TEST(ErrorSentenceTest, EveryCodeHasASentenceAndARemedy)
{
    for (int code = int(ErrorCode::Network); code <= int(ErrorCode::NeedsConsent); ++code) {
        const ErrorText text = errorText({.code = ErrorCode(code)});
        EXPECT_FALSE(text.sentence.isEmpty()) << code;
        EXPECT_EQ(text.remedy.isEmpty(), ErrorCode(code) == ErrorCode::Cancelled) << code;
    }
}

TEST(ErrorSentenceTest, ShowsArgumentsAsPlainText)
{
    const ErrorText text = errorText(
        {.code = ErrorCode::Invalid, .text = "Name %1.", .arguments = {QStringLiteral("<b>%1\u202E\n")}});
    EXPECT_EQ(text.sentence, QStringLiteral("Name <b>%1\uFFFD\u240A."));
}

TEST(Sentences, StandApartByABlankExceptBehindAChineseStop)
{
    EXPECT_EQ(sentencesText(QStringLiteral("One."), QStringLiteral("Two.")), QStringLiteral("One. Two."));
    EXPECT_EQ(sentencesText(QStringLiteral("一。"), QStringLiteral("二。")), QStringLiteral("一。二。"));
    EXPECT_EQ(sentencesText(QStringLiteral("一"), QStringLiteral("二。")), QStringLiteral("一 二。"));
    EXPECT_EQ(sentencesText({}, QStringLiteral("Two.")), QStringLiteral("Two."));
    EXPECT_EQ(sentencesText(QStringLiteral("One."), {}), QStringLiteral("One."));
}

} // namespace
} // namespace tongchi
