#include "models/inventory/filter_expression.h"
#include "tests/support/qt_printers.h"

#include <gtest/gtest.h>

namespace tongchi {
namespace {

QString canonicalOf(const char16_t *text)
{
    return canonicalFilter(parseFilter(QString::fromUtf16(text)));
}

TEST(FilterExpressionTest, ReadsTheExampleOfTheDesign)
{
    const auto tokens =
        parseFilter(QStringLiteral("vendor:ascend util<20 region:beijing -label:idle workload:qwen*"));
    ASSERT_EQ(tokens.size(), 5);
    EXPECT_EQ(tokens[0].key, FilterKey::Vendor);
    EXPECT_EQ(tokens[1].op, FilterOperator::Less);
    EXPECT_EQ(tokens[1].number, 20);
    EXPECT_TRUE(tokens[3].negated);
    EXPECT_EQ(tokens[4].values, QStringList{QStringLiteral("qwen*")});
    EXPECT_EQ(tokens[2].start, 22);
    EXPECT_EQ(tokens[2].length, 14);
}

TEST(FilterExpressionTest, TreatsChineseAndEnglishAlike)
{
    const std::pair<const char16_t *, const char16_t *> same[] = {
        {u"厂商：昇腾 利用率＜20", u"vendor:ascend util<20"},
        {u"－标签：空闲", u"-label:idle"},
        {u"区域:北京，深圳", u"region:beijing,shenzhen"},
        {u"型号:昇腾910B", u"model:\"ascend 910b\""},
        {u"健康：故障、离线", u"health:fault,offline"},
        {u"空闲显存>=40GB　时延>2分", u"memfree>=40gb age>2分"},
        {u"温度≥80℃", u"temp>=80℃"},
    };
    for (const auto &[typed, expected] : same) {
        const auto got = parseFilter(QString::fromUtf16(typed));
        const auto want = parseFilter(QString::fromUtf16(expected));
        ASSERT_EQ(got.size(), want.size()) << QString::fromUtf16(typed).toStdString();
        for (qsizetype i = 0; i < got.size(); ++i) {
            EXPECT_FALSE(got[i].error) << QString::fromUtf16(typed).toStdString();
            EXPECT_EQ(got[i].key, want[i].key);
            EXPECT_EQ(got[i].op, want[i].op);
            EXPECT_EQ(got[i].negated, want[i].negated);
            EXPECT_DOUBLE_EQ(got[i].number, want[i].number);
            if (!isNumericKey(got[i].key)) {
                EXPECT_EQ(got[i].values, want[i].values);
            }
        }
    }
}

TEST(FilterExpressionTest, KnowsUnits)
{
    const auto number = [](const char16_t *text) {
        return parseFilter(QString::fromUtf16(text)).value(0).number;
    };
    EXPECT_DOUBLE_EQ(number(u"age>90s"), 90);
    EXPECT_DOUBLE_EQ(number(u"age>2min"), 120);
    EXPECT_DOUBLE_EQ(number(u"age:>1h"), 3600);
    EXPECT_DOUBLE_EQ(number(u"memfree>=40GB"), 40.0 * 1024 * 1024 * 1024);
    EXPECT_DOUBLE_EQ(number(u"mem=32"), 32.0 * 1024 * 1024 * 1024);
    EXPECT_DOUBLE_EQ(number(u"power>1.5kW"), 1500);
    EXPECT_DOUBLE_EQ(number(u"util<=20%"), 20);
}

TEST(FilterExpressionTest, SaysWhatItCannotReadAndKeepsTheRest)
{
    for (const char16_t *text :
         {u"util<many", u"colour<3", u"region:", u"region<5", u"label:,", u"age>NaN", u"\"\""}) {
        const auto tokens = parseFilter(QString::fromUtf16(text) + QStringLiteral(" vendor:nvidia"));
        ASSERT_EQ(tokens.size(), 2) << QString::fromUtf16(text).toStdString();
        ASSERT_TRUE(tokens[0].error) << QString::fromUtf16(text).toStdString();
        EXPECT_NE(tokens[0].error->text, nullptr);
        EXPECT_NE(tokens[0].error->remedy, nullptr);
        EXPECT_FALSE(tokens[1].error);
    }
}

TEST(FilterExpressionTest, TellsOfSlipsInKeysAndInWordsOfClosedLists)
{
    for (const char16_t *slip :
         {u"vendro:ascend", u"lable:idle", u"regon:beijing", u"label:idel", u"health:broken"}) {
        const auto tokens = parseFilter(QString::fromUtf16(slip));
        ASSERT_EQ(tokens.size(), 1);
        ASSERT_TRUE(tokens[0].error) << QString::fromUtf16(slip).toStdString();
        EXPECT_NE(tokens[0].error->remedy, nullptr);
    }
    for (const char16_t *fine : {u"label:id", u"label:i*", u"health:not_reported", u"label:unknown",
                                 u"mig:1g.10gb", u"\"lable:idle\"", u"0000:3b:00.0"})
        EXPECT_FALSE(parseFilter(QString::fromUtf16(fine))[0].error)
            << QString::fromUtf16(fine).toStdString();
}

TEST(FilterExpressionTest, TakesUnknownKeysWithColonAsFreeText)
{
    const auto tokens = parseFilter(QStringLiteral("default:pod-1 \"a b\""));
    ASSERT_EQ(tokens.size(), 2);
    EXPECT_EQ(tokens[0].key, FilterKey::FreeText);
    EXPECT_EQ(tokens[0].values, QStringList{QStringLiteral("default:pod-1")});
    EXPECT_EQ(tokens[1].values, QStringList{QStringLiteral("a b")});
}

TEST(FilterExpressionTest, WritesCanonicalEnglishThatReadsBackTheSame)
{
    EXPECT_EQ(canonicalOf(u"厂商：昇腾 －标签：空闲 型号：\"rtx 4090\",h100"),
              QStringLiteral("vendor:ascend -label:idle model:\"rtx 4090\",h100"));
    const QString once = canonicalOf(u"利用率<20 显存≥64 负载:qwen* abc");
    EXPECT_EQ(canonicalFilter(parseFilter(once)), once);
}

TEST(FilterExpressionTest, SurvivesAnyText)
{
    QString text;
    quint32 seed = 12345;
    for (int round = 0; round < 3000; ++round) {
        text.clear();
        for (int i = 0; i < 12; ++i) {
            seed = seed * 1664525U + 1013904223U;
            static const QString letters =
                QStringLiteral("av:<>=-,\"* \u5382\uFF1A%1") + QChar(0) + QChar(0xD800);
            text += letters.at(qsizetype(seed >> 16) % letters.size());
        }
        const auto tokens = parseFilter(text);
        for (const FilterToken &token : tokens) {
            EXPECT_GE(token.start, 0);
            EXPECT_LE(token.start + token.length, text.size());
        }
    }
}

TEST(FilterExpression, WhatIsCopiedMeansTheSameWhenItIsPasted)
{
    for (const char *typed : {"\"mem>=10\"", "b\"Smem>=10", "\"-idle\"", "-\"-idle\"", "\"a\tb\"", "a:b",
                              "host:8080", "\"vendor:ascend\"", "workload:\"a b\",c", "mem>=\"40 GB\""}) {
        const QList<FilterToken> tokens = parseFilter(QString::fromUtf8(typed));
        const QList<FilterToken> again = parseFilter(canonicalFilter(tokens));
        ASSERT_EQ(again.size(), tokens.size()) << typed;
        for (qsizetype i = 0; i < tokens.size(); ++i) {
            EXPECT_FALSE(again[i].error) << typed;
            EXPECT_EQ(again[i].key, tokens[i].key) << typed;
            EXPECT_EQ(again[i].negated, tokens[i].negated) << typed;
            EXPECT_EQ(again[i].values, tokens[i].values) << typed;
        }
    }
    EXPECT_EQ(canonicalFilter(parseFilter(QStringLiteral("host:8080 qwen"))),
              QStringLiteral("host:8080 qwen"));
}

} // namespace
} // namespace tongchi
