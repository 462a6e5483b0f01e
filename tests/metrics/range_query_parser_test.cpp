#include "platform/metrics/range_query_parser.h"
#include "tests/support/qt_printers.h"

#include <cmath>
#include <gtest/gtest.h>

namespace tongchi {
namespace {

TEST(RangeQueryParser, KeepsGapsAndInfinitiesApartFromZero)
{
    const QByteArray body =
        R"({"status": "success", "data": {"resultType": "matrix", "result": [{"metric": {"model": "a"}, "values": [[895, "0.21"], [910, "NaN"], [925, "0.25"], [940, "+Inf"], [955, "0.3"], [970, "0.4"], [985, "NaN"], [1000.5, "0.2"]]}, {"metric": {"model": "b"}, "values": [[895, "NaN"]]}]}})";
    std::vector<Sample> a, b;
    RangeQueryParser parser;
    const auto answer = parser.parse(body, [&](LabelViews labels, std::span<const Sample> points) {
        (labelValue(labels, "model") == "a" ? a : b).assign(points.begin(), points.end());
    });
    ASSERT_OK(answer);
    EXPECT_EQ(answer->series, 2);
    ASSERT_EQ(a.size(), 8u);
    EXPECT_TRUE(std::isnan(a[1].value));
    EXPECT_EQ(a[3].value, INFINITY);
    EXPECT_EQ(a[7].time.time_since_epoch().count(), 1'000'500);
    ASSERT_EQ(b.size(), 1u);
    EXPECT_TRUE(std::isnan(b[0].value));
}

TEST(RangeQueryParser, LeavesOutPointsOfTheWrongKind)
{
    const QByteArray body =
        R"({"status":"success","data":{"resultType":"matrix","result":[{"metric":{},"values":[[1,"1"],null,[2],[null,"2"],["3","3"],[4,"4"],"x",{"y":1}]},{"metric":{},"values":[]},{"metric":{},"values":null},{"metric":{"h":"1"},"histograms":[[1,{"count":"1"}]]}]}})";
    std::size_t points = 0, series = 0;
    RangeQueryParser parser;
    const auto answer = parser.parse(body, [&](LabelViews, std::span<const Sample> samples) {
        points += samples.size();
        ++series;
    });
    ASSERT_OK(answer);
    EXPECT_EQ(points, 2u);
    EXPECT_EQ(series, 1u);
    EXPECT_EQ(answer->unreadable, 8);
    EXPECT_EQ(answer->histograms, 1);
}

} // namespace
} // namespace tongchi
