#include "platform/metrics/sample_text.h"
#include "tests/support/locales.h"

#include <cmath>
#include <gtest/gtest.h>

namespace tongchi {
namespace {

TEST(SampleText, ReadsTheNumbersOfPrometheus)
{
    EXPECT_EQ(parseSampleText("0"), 0.0);
    EXPECT_EQ(parseSampleText("-1"), -1.0);
    EXPECT_EQ(parseSampleText("0.214"), 0.214);
    EXPECT_EQ(parseSampleText("1e+09"), 1e9);
    EXPECT_EQ(parseSampleText("+3.5"), 3.5);
    EXPECT_EQ(parseSampleText("1.40737488355328e+14"), 140737488355328.0);
    EXPECT_EQ(parseSampleText("9223372036854775794"), 9223372036854775807.0);
    EXPECT_TRUE(std::isnan(*parseSampleText("NaN")));
    EXPECT_EQ(parseSampleText("+Inf"), std::numeric_limits<double>::infinity());
    EXPECT_EQ(parseSampleText("Inf"), std::numeric_limits<double>::infinity());
    EXPECT_EQ(parseSampleText("-Inf"), -std::numeric_limits<double>::infinity());
}

TEST(SampleText, RefusesEverythingElse)
{
    for (const char *text : {"", " ", "-", "+", "1,5", "1.5 ", " 1.5", "0x10", "nan(1)", "infinity", "many",
                             "1e999", "++1", "--1", "1.2.3", "null", "\xff", "１２"}) {
        EXPECT_FALSE(parseSampleText(text)) << text;
    }
    EXPECT_FALSE(parseSampleText(std::string_view("1\0", 2)));
}

TEST(SampleText, ReadsAndWritesTheSameUnderEveryLocale)
{
    for (const char *name : test::everyLocale) {
        test::LocaleScope locale(name);
        EXPECT_EQ(parseSampleText("0.214"), 0.214) << name;
        EXPECT_FALSE(parseSampleText("0,214")) << name;
        EXPECT_EQ(wireNumber(12.5), "12.5") << name;
        EXPECT_EQ(wireNumber(0.95), "0.95") << name;
        EXPECT_EQ(wireNumber(1e-07), "1e-07") << name;
        EXPECT_EQ(wireNumber(123456789.125), "123456789.125") << name;
        EXPECT_EQ(wireNumber(std::nan("")), "NaN") << name;
        EXPECT_EQ(wireNumber(-INFINITY), "-Inf") << name;
    }
}

} // namespace
} // namespace tongchi
