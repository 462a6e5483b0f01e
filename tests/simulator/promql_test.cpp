#include "platform/simulator/promql_evaluator.h"

#include <cmath>
#include <gtest/gtest.h>

namespace tongchi {
namespace {

/// Series written down in the test: one sample every ten seconds, value = start + slope * seconds.
class WrittenSeries final : public SeriesSource
{
public:
    explicit WrittenSeries(PromSymbols &symbols) : m_symbols(symbols) {}

    void add(std::string_view name, std::vector<std::pair<const char *, const char *>> labels, double start,
             double slope = 0)
    {
        std::vector<PromLabel> list{{m_symbols.metricName(), m_symbols.intern(name)}};
        for (const auto &[key, value] : labels)
            list.push_back(
                {m_symbols.intern(std::string_view(key)), m_symbols.intern(std::string_view(value))});
        PromSeries series;
        series.labels = m_symbols.share(std::move(list));
        series.entity = quint32(m_lines.size());
        series.fromMs = 0;
        series.toMs = 100'000'000;
        m_lines.emplace_back(start, slope);
        m_series.push_back(series);
    }

    std::vector<PromSeries> select(const std::vector<PromMatcher> &matchers, qint64, qint64) const override
    {
        std::vector<PromSeries> found;
        for (const PromSeries &series : m_series) {
            const bool fits = std::all_of(matchers.begin(), matchers.end(), [&](const PromMatcher &matcher) {
                return matcher.matches(
                    m_symbols.text(series.labels->value(m_symbols.intern(std::string_view(matcher.name())))));
            });
            if (fits)
                found.push_back(series);
        }
        return found;
    }
    bool newestAt(const PromSeries &series, qint64 atMs, qint64 lookbackMs, PromPoint &point) const override
    {
        const qint64 ms = atMs / 10'000 * 10'000;
        if (ms < 0 || ms <= atMs - lookbackMs)
            return false;
        point = {ms, valueAt(series, ms)};
        return true;
    }
    void samplesIn(const PromSeries &series, qint64 fromMs, qint64 toMs,
                   std::vector<PromPoint> &points) const override
    {
        for (qint64 ms = (std::max<qint64>(fromMs, 0) + 9'999) / 10'000 * 10'000; ms <= toMs; ms += 10'000)
            points.push_back({ms, valueAt(series, ms)});
    }

private:
    double valueAt(const PromSeries &series, qint64 ms) const
    {
        const auto &[start, slope] = m_lines[series.entity];
        return start + slope * double(ms) / 1000;
    }

    PromSymbols &m_symbols;
    std::vector<PromSeries> m_series;
    std::vector<std::pair<double, double>> m_lines;
};

class PromqlTest : public testing::Test
{
protected:
    PromqlTest()
    {
        source.add("util", {{"card", "a"}, {"node", "n1"}}, 10);
        source.add("util", {{"card", "b"}, {"node", "n1"}}, 30);
        source.add("util", {{"card", "c"}, {"node", "n2"}}, 80);
        source.add("node_info", {{"node", "n1"}, {"region", "bj"}}, 1);
        source.add("node_info", {{"node", "n2"}, {"region", "gy"}}, 1);
        source.add("requests_total", {{"card", "a"}}, 0, 5);
        source.add("temp", {{"card", "a"}}, 20, 0.5);
        for (const auto &[le, count] : {std::pair{"0.1", 50.0}, {"0.5", 90.0}, {"1", 100.0}, {"+Inf", 100.0}})
            source.add("lat_bucket", {{"le", le}, {"job", "x"}}, count);
    }

    /// "{card="a"} 1, {card="b"} 2" of an instant query at 1000 s, or the error.
    std::string at(const std::string &query, double seconds = 1000)
    {
        std::string error;
        const auto expression = parsePromql(query, error);
        if (!expression)
            return error;
        PromEvaluator evaluator(source, symbols);
        PromResult result;
        if (!evaluator.instant(*expression, qint64(seconds * 1000), result))
            return evaluator.error().toStdString();
        if (result.type == PromType::Scalar)
            return promNumber(result.scalar).toStdString();
        std::string out;
        for (const PromVectorSample &sample : result.vector)
            out += (out.empty() ? "" : "; ") + symbols.describe(*sample.labels).toStdString() + ' ' +
                   promNumber(sample.value).toStdString();
        return out;
    }

    PromSymbols symbols;
    WrittenSeries source{symbols};
};

TEST_F(PromqlTest, SelectsByEveryKindOfMatcher)
{
    EXPECT_EQ(at("util{card=\"a\"}"), "{__name__=\"util\", card=\"a\", node=\"n1\"} 10");
    EXPECT_EQ(at("count(util{card!=\"a\"})"), "{} 2");
    EXPECT_EQ(at("count(util{card=~\"a|b\"})"), "{} 2");
    EXPECT_EQ(at("count(util{card!~\"a|b\"})"), "{} 1");
    EXPECT_EQ(at("count({__name__=~\"ut.*\"})"), "{} 3");
    EXPECT_EQ(at("count({__name__=~\"ut\"})"), ""); // anchored at both ends
    EXPECT_EQ(at("count(util{region=\"\"})"), "{} 3");
}

TEST_F(PromqlTest, CalculatesByTheRulesOfPrecedence)
{
    EXPECT_EQ(at("1 + 2 * 3 ^ 2"), "19");
    EXPECT_EQ(at("2 ^ 3 ^ 2"), "512");
    EXPECT_EQ(at("-2 ^ 2"), "-4");
    EXPECT_EQ(at("(1 + 2) * 3 - 7 % 4"), "6");
    EXPECT_EQ(at("1 / 0"), "+Inf");
    EXPECT_EQ(at("0 / 0"), "NaN");
    EXPECT_EQ(at("1 < bool 2"), "1");
    EXPECT_EQ(at("0x10 + 1e2"), "116");
    EXPECT_EQ(at("5 # a comment\n+ 1"), "6");
}

TEST_F(PromqlTest, AggregatesByAndWithoutLabels)
{
    EXPECT_EQ(at("sum by (node) (util)"), "{node=\"n1\"} 40; {node=\"n2\"} 80");
    EXPECT_EQ(at("sum(util) by (node)"), "{node=\"n1\"} 40; {node=\"n2\"} 80");
    EXPECT_EQ(at("avg without (card) (util)"), "{node=\"n1\"} 20; {node=\"n2\"} 80");
    EXPECT_EQ(at("max(util) - min(util)"), "{} 70");
    EXPECT_EQ(at("stddev(util{node=\"n1\"})"), "{} 10");
    EXPECT_EQ(at("topk(1, util)"), "{__name__=\"util\", card=\"c\", node=\"n2\"} 80");
    EXPECT_EQ(
        at("bottomk by (node) (1, util)"),
        "{__name__=\"util\", card=\"a\", node=\"n1\"} 10; {__name__=\"util\", card=\"c\", node=\"n2\"} 80");
    EXPECT_EQ(at("quantile(0.5, util)"), "{} 30");
    EXPECT_EQ(at("count_values(\"v\", node_info)"), "{v=\"1\"} 2");
    EXPECT_EQ(at("group(util)"), "{} 1");
}

TEST_F(PromqlTest, MatchesVectorsOneToOneAndManyToOne)
{
    EXPECT_EQ(at("util * on(node) group_left(region) node_info"),
              "{card=\"a\", node=\"n1\", region=\"bj\"} 10; {card=\"b\", node=\"n1\", region=\"bj\"} 30; "
              "{card=\"c\", node=\"n2\", region=\"gy\"} 80");
    EXPECT_EQ(at("node_info * on(node) group_right(region) util{card=\"a\"}"),
              "{card=\"a\", node=\"n1\", region=\"bj\"} 10");
    EXPECT_EQ(at("util{card=\"a\"} + temp"), "");
    EXPECT_EQ(at("util{card=\"a\"} + ignoring(node) temp"), "{card=\"a\"} 530");
    EXPECT_EQ(at("util{card=\"a\"} + on(card) temp"), "{card=\"a\"} 530");
    EXPECT_EQ(at("util * on(node) node_info"),
              "multiple matches for labels: many-to-one matching must be explicit (group_left/group_right)");
    EXPECT_EQ(
        at("node_info * on(node) util"),
        "found duplicate series for the match group {node=\"n1\"} on the right hand-side of the operation: "
        "[{__name__=\"util\", card=\"b\", node=\"n1\"}, {__name__=\"util\", card=\"a\", node=\"n1\"}]"
        ";many-to-many matching not allowed: matching labels must be unique on one side");
}

TEST_F(PromqlTest, ComparesAndCombinesSets)
{
    EXPECT_EQ(
        at("util > 20"),
        "{__name__=\"util\", card=\"b\", node=\"n1\"} 30; {__name__=\"util\", card=\"c\", node=\"n2\"} 80");
    EXPECT_EQ(
        at("20 < util"),
        "{__name__=\"util\", card=\"b\", node=\"n1\"} 30; {__name__=\"util\", card=\"c\", node=\"n2\"} 80");
    EXPECT_EQ(at("util{node=\"n1\"} > bool 20"), "{card=\"a\", node=\"n1\"} 0; {card=\"b\", node=\"n1\"} 1");
    EXPECT_EQ(at("util and on(card) temp"), "{__name__=\"util\", card=\"a\", node=\"n1\"} 10");
    EXPECT_EQ(at("count(util unless on(card) temp)"), "{} 2");
    EXPECT_EQ(at("count(util or node_info)"), "{} 5");
}

// A pod that comes back has the labels that it had: that is one series.
TEST_F(PromqlTest, SeesSeriesOfTheSameLabelsAsOne)
{
    source.add("restarted", {{"card", "a"}}, 7);
    source.add("restarted", {{"card", "a"}}, 7);
    EXPECT_EQ(at("restarted"), "{__name__=\"restarted\", card=\"a\"} 7");
    EXPECT_EQ(at("count(restarted)"), "{} 1");
    EXPECT_EQ(at("timestamp(restarted) > 0"), at("timestamp(restarted)"));
    EXPECT_EQ(at("last_over_time(restarted[1m])"), "{__name__=\"restarted\", card=\"a\"} 7");
    EXPECT_EQ(at("last_over_time({__name__=~\"restarted|temp\"}[1m])"),
              "{__name__=\"temp\", card=\"a\"} 520; {__name__=\"restarted\", card=\"a\"} 7");
    EXPECT_EQ(at("avg_over_time(restarted[1m])"), "{card=\"a\"} 7");
}

TEST_F(PromqlTest, LooksBackOverRanges)
{
    EXPECT_EQ(at("rate(requests_total[1m])"), "{card=\"a\"} 5");
    EXPECT_EQ(at("increase(requests_total[5m])"), "{card=\"a\"} 1500");
    EXPECT_EQ(at("irate(requests_total[1m])"), "{card=\"a\"} 5");
    EXPECT_EQ(at("deriv(temp[5m])"), "{card=\"a\"} 0.5");
    EXPECT_EQ(at("delta(temp[100s])"), "{card=\"a\"} 50");
    EXPECT_EQ(at("avg_over_time(temp[20s])"), "{card=\"a\"} 515");
    EXPECT_EQ(at("max_over_time(temp[20s]) - min_over_time(temp[20s])"), "{card=\"a\"} 10");
    EXPECT_EQ(at("count_over_time(temp[1m])"), "{card=\"a\"} 7");
    EXPECT_EQ(at("last_over_time(temp[1m])"), "{__name__=\"temp\", card=\"a\"} 520");
    EXPECT_EQ(at("quantile_over_time(0.5, temp[20s])"), "{card=\"a\"} 515");
    EXPECT_EQ(at("changes(temp[1m])"), "{card=\"a\"} 6");
    EXPECT_EQ(at("predict_linear(temp[5m], 60)"), "{card=\"a\"} 550");
    EXPECT_EQ(at("temp offset 100s"), "{__name__=\"temp\", card=\"a\"} 470");
    EXPECT_EQ(at("temp @ 200"), "{__name__=\"temp\", card=\"a\"} 120");
    EXPECT_EQ(at("avg_over_time(sum(util)[5m:1m])"), "{} 120");
    EXPECT_EQ(at("max_over_time(rate(requests_total[1m])[5m:30s])"), "{card=\"a\"} 5");
    EXPECT_EQ(at("absent(nosuch{job=\"x\"})"), "{job=\"x\"} 1");
    EXPECT_EQ(at("absent(util)"), "");
    EXPECT_EQ(at("absent_over_time(nosuch[5m])"), "{} 1");
}

TEST_F(PromqlTest, AppliesFunctionsOfOneSample)
{
    EXPECT_EQ(at("round(util{card=\"a\"} / 3, 0.1)"), "{card=\"a\", node=\"n1\"} 3.3");
    EXPECT_EQ(at("clamp(util, 20, 50)"),
              "{card=\"a\", node=\"n1\"} 20; {card=\"b\", node=\"n1\"} 30; {card=\"c\", node=\"n2\"} 50");
    EXPECT_EQ(at("clamp_min(util{card=\"a\"}, 15)"), "{card=\"a\", node=\"n1\"} 15");
    EXPECT_EQ(at("sqrt(vector(16))"), "{} 4");
    EXPECT_EQ(at("scalar(util{card=\"a\"}) + time()"), "1010");
    EXPECT_EQ(at("hour(vector(1798612928)) * 100 + minute(vector(1798612928))"), "{} 642");
    EXPECT_EQ(at("day_of_week(vector(1798612928))"), "{} 3");
    EXPECT_EQ(at("timestamp(temp)", 1005), "{card=\"a\"} 1000");
    EXPECT_EQ(at("sort_desc(sum by (node) (util))"), "{node=\"n2\"} 80; {node=\"n1\"} 40");
    EXPECT_EQ(at("label_replace(temp, \"slot\", \"s-$1\", \"card\", \"(.*)\")"),
              "{__name__=\"temp\", card=\"a\", slot=\"s-a\"} 520");
    EXPECT_EQ(at("label_join(util{card=\"a\"}, \"id\", \"/\", \"node\", \"card\")"),
              "{__name__=\"util\", card=\"a\", id=\"n1/a\", node=\"n1\"} 10");
    EXPECT_EQ(at("histogram_quantile(0.9, lat_bucket)"), "{job=\"x\"} 0.5");
    EXPECT_EQ(at("histogram_quantile(0.99, lat_bucket)"), "{job=\"x\"} 0.95");
}

TEST_F(PromqlTest, SaysWhatIsWrongAndWhere)
{
    EXPECT_EQ(at("sum(rate(up[5m])"), "1:17: parse error: unclosed left parenthesis");
    EXPECT_EQ(at("sum("), "1:5: parse error: unclosed left parenthesis");
    EXPECT_EQ(at(""), "1:1: parse error: no expression found in input");
    EXPECT_EQ(
        at("rate(up)"),
        "1:6: parse error: expected type range vector in call to function \"rate\", got instant vector");
    EXPECT_EQ(at("nosuch(up)"), "1:1: parse error: unknown function with name \"nosuch\"");
    EXPECT_EQ(at("rate()"), "1:1: parse error: expected 1 argument(s) in call to \"rate\", got 0");
    EXPECT_EQ(at("1 < 2"), "1:3: parse error: comparisons between scalars must use BOOL modifier");
    EXPECT_EQ(at("{job=~\".*\"}"),
              "1:1: parse error: vector selector must contain at least one non-empty matcher");
    EXPECT_EQ(at("up{"), "1:4: parse error: unexpected end of input inside braces");
    EXPECT_EQ(at("up)"), "1:4: parse error: unexpected right parenthesis ')'");
    EXPECT_EQ(at("up +\n+"), "2:2: parse error: unexpected end of input");
    EXPECT_EQ(at("\"abc"), "1:1: parse error: unterminated quoted string");
    EXPECT_EQ(at("up $ 1"), "1:4: parse error: unexpected character: '$'");
    EXPECT_EQ(at("up{a=~\"(\"}"), "1:4: parse error: error parsing regexp: missing closing ): `^(?:()$`");
    EXPECT_EQ(at("up[5]"), "1:4: parse error: missing unit character in duration");
    EXPECT_EQ(at("up[5m"), "1:6: parse error: unclosed left bracket");
    EXPECT_EQ(at("(up)[5m]"), "1:5: parse error: ranges only allowed for vector selectors");
    EXPECT_EQ(at("up bool 1"), "1:4: parse error: unexpected <bool>");
    EXPECT_EQ(at("up offset 5m offset 6m"), "1:1: parse error: offset may not be set multiple times");
    EXPECT_EQ(at("\"a\\qb\""), "1:1: parse error: unknown escape sequence U+0071 'q'");
    EXPECT_EQ(at("rate({__name__=~\"temp|requests_total\"}[1m])"),
              "vector cannot contain metrics with the same labelset");
}

TEST_F(PromqlTest, SurvivesWhateverIsTypedIn)
{
    const std::string deep(5000, '(');
    EXPECT_NE(at(deep).find("nested too deeply"), std::string::npos);
    EXPECT_NE(at(std::string(5000, '-') + "1").find("parse error"), std::string::npos);
    for (const char *query : {"[",
                              "]",
                              "up[",
                              "up[5",
                              "up[5m",
                              "up[5m:",
                              "up[0s]",
                              "up offset",
                              "up @",
                              "sum by",
                              "sum by (",
                              "{",
                              "{a",
                              "{a=",
                              "{a=\"",
                              "topk(1)",
                              "quantile(x)",
                              "1 or 2",
                              "up and",
                              "\\",
                              "\xff\xfe",
                              "`",
                              "on(",
                              "up * on",
                              "up * on(a) group_left(a) up",
                              "-\"x\"",
                              "1e",
                              "0x",
                              "5mm",
                              "99999999999999999999y",
                              "up[99999999999d]"})
        EXPECT_FALSE(at(query).empty()) << query;
}

TEST_F(PromqlTest, EvaluatesRangesStepByStepSortedByLabels)
{
    std::string error;
    const auto expression = parsePromql("sum by (node) (util) + 0 * time()", error);
    ASSERT_TRUE(expression) << error;
    PromEvaluator evaluator(source, symbols);
    PromResult result;
    ASSERT_TRUE(evaluator.range(*expression, 1'000'000, 1'060'000, 15'000, result));
    ASSERT_EQ(result.matrix.size(), 2u);
    EXPECT_EQ(symbols.describe(*result.matrix[0].labels), QByteArray("{node=\"n1\"}"));
    ASSERT_EQ(result.matrix[0].points.size(), 5u);
    EXPECT_EQ(result.matrix[0].points[4].ms, 1'060'000);
    EXPECT_EQ(result.matrix[1].points[0].value, 80);
}

TEST_F(PromqlTest, RefusesTooManySamplesAndStopsInTime)
{
    std::string error;
    const auto expression = parsePromql("avg_over_time(temp[10d])", error);
    ASSERT_TRUE(expression);
    PromEvaluator::Limits limits;
    limits.mostSamples = 50;
    PromEvaluator strict(source, symbols, limits);
    PromResult result;
    EXPECT_FALSE(strict.instant(*expression, 1'000'000, result));
    EXPECT_EQ(strict.fault(), PromEvaluator::Fault::Execution);
    limits = {};
    limits.timeout = std::chrono::milliseconds(0);
    PromEvaluator hurried(source, symbols, limits);
    EXPECT_FALSE(hurried.instant(*expression, 1'000'000, result));
    EXPECT_EQ(hurried.fault(), PromEvaluator::Fault::Timeout);
}

TEST(PromNumberTest, WritesNumbersAsGoDoes)
{
    EXPECT_EQ(promNumber(68343.088877), QByteArray("68343.088877"));
    EXPECT_EQ(promNumber(9223372036854775794.0), QByteArray("9223372036854776000"));
    EXPECT_EQ(promNumber(1e21), QByteArray("1000000000000000000000"));
    EXPECT_EQ(promNumber(1e-7), QByteArray("0.0000001"));
    EXPECT_EQ(promNumber(-0.5), QByteArray("-0.5"));
    EXPECT_EQ(promNumber(1.5e17), QByteArray("150000000000000000"));
}

} // namespace
} // namespace tongchi
