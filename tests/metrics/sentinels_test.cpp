#include "platform/metrics/sentinels.h"

#include <cmath>
#include <gtest/gtest.h>

namespace tongchi {
namespace {

TEST(Sentinels, NumbersThatMeanNotThereAreNoValues)
{
    for (const double raw :
         {2147483632.0, 2147483633.0, 2147483634.0, 2147483635.0, 140737488355328.0, 140737488355331.0,
          1.40737488355328e+14, 9223372036854775794.0, 9223372036854776000.0, 9.223372036854776e+18,
          9223372036854775792.0, 1.1e15, -1.1e15, double(NAN), double(INFINITY), -double(INFINITY)}) {
        EXPECT_TRUE(isNoValue(raw)) << raw;
        for (const MetricUnit unit :
             {MetricUnit::Percent, MetricUnit::Ratio, MetricUnit::Bytes, MetricUnit::KiB, MetricUnit::MiB,
              MetricUnit::Celsius, MetricUnit::Watt, MetricUnit::Milliwatt, MetricUnit::State,
              MetricUnit::Code, MetricUnit::Flag}) {
            EXPECT_FALSE(reportedValue(unit, raw)) << raw;
        }
    }
    for (const double raw :
         {0.0, -1.0, 41.0, 302.5, 2147483631.0, 2147483636.0, 140737488355327.0, 140737488355332.0, 1e15})
        EXPECT_FALSE(isNoValue(raw)) << raw;
}

TEST(Sentinels, ZeroIsRealForLoadAndMemoryAndNotForTemperatureAndPower)
{
    EXPECT_EQ(reportedValue(MetricUnit::Percent, 0), 0);
    EXPECT_EQ(reportedValue(MetricUnit::Ratio, 0), 0);
    EXPECT_EQ(reportedValue(MetricUnit::MiB, 0), 0);
    EXPECT_EQ(reportedValue(MetricUnit::State, 0), 0);
    EXPECT_EQ(reportedValue(MetricUnit::Code, 0), 0);
    EXPECT_FALSE(reportedValue(MetricUnit::Celsius, 0));
    EXPECT_FALSE(reportedValue(MetricUnit::Watt, 0));
    EXPECT_FALSE(reportedValue(MetricUnit::Milliwatt, 0));
}

TEST(Sentinels, MinusOneOfTheNpuExporterIsNotReportedInAnyUnit)
{
    for (const MetricUnit unit :
         {MetricUnit::Percent, MetricUnit::Bytes, MetricUnit::MiB, MetricUnit::Celsius, MetricUnit::Watt,
          MetricUnit::State, MetricUnit::Code, MetricUnit::Flag})
        EXPECT_FALSE(reportedValue(unit, -1));
}

TEST(Sentinels, ValuesComeInOurUnits)
{
    EXPECT_EQ(reportedValue(MetricUnit::Ratio, 0.41), 41);
    EXPECT_EQ(reportedValue(MetricUnit::MiB, 65536), 68719476736.0);
    EXPECT_EQ(reportedValue(MetricUnit::KiB, 2), 2048);
    EXPECT_EQ(reportedValue(MetricUnit::Milliwatt, 302500), 302.5);
    EXPECT_EQ(reportedValue(MetricUnit::Watt, 158.4), 158.4);
}

TEST(Sentinels, WhatNoCardCanShowIsNotReported)
{
    EXPECT_EQ(reportedValue(MetricUnit::Percent, 100.4), 100);
    EXPECT_FALSE(reportedValue(MetricUnit::Percent, 140));
    EXPECT_FALSE(reportedValue(MetricUnit::Ratio, 41)); // a per cent value under a ratio's name
    EXPECT_FALSE(reportedValue(MetricUnit::Celsius, 2000));
    EXPECT_FALSE(reportedValue(MetricUnit::Watt, 1e6));
    EXPECT_FALSE(reportedValue(MetricUnit::State, 2));
    EXPECT_FALSE(reportedValue(MetricUnit::State, 0.5));
}

} // namespace
} // namespace tongchi
