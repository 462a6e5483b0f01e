#include "platform/metrics/instant_query_parser.h"
#include "tests/support/qt_printers.h"

#include <chrono>
#include <cmath>
#include <gtest/gtest.h>
#include <map>

namespace tongchi {
namespace {

struct Seen
{
    std::map<std::string, std::string> labels;
    double value = 0;
    qint64 milliseconds = 0;
};

struct Parsed
{
    Result<PrometheusAnswer> answer;
    std::vector<Seen> series;
};

Parsed parse(const QByteArray &body, qsizetype window = 256 * 1024)
{
    InstantQueryParser parser(window);
    Parsed parsed{failure({}), {}};
    parsed.answer = parser.parse(body, [&parsed](LabelViews labels, double value, Instant time) {
        Seen seen{.value = value, .milliseconds = time.time_since_epoch().count()};
        for (const LabelView &label : labels)
            seen.labels.emplace(label.name, label.value);
        parsed.series.push_back(std::move(seen));
    });
    return parsed;
}

QByteArray vectorOf(const QByteArray &elements, const QByteArray &tail = {})
{
    return R"({"status":"success","data":{"resultType":"vector","result":[)" + elements + "]}" + tail + "}";
}

TEST(InstantQueryParser, ReadsAVectorAsARealServerSendsIt)
{
    const Parsed parsed = parse(
        R"({"status":"success","data":{"resultType":"vector","result":[{"metric":{"__name__":"up","instance":"127.0.0.1:1","job":"dead"},"value":[1796068345.314,"0"]},{"metric":{"__name__":"up","instance":"127.0.0.1:41151","job":"app"},"value":[1796068345.314,"1"]}]}})");
    ASSERT_OK(parsed.answer);
    EXPECT_EQ(parsed.answer->type, PrometheusResultType::Vector);
    EXPECT_EQ(parsed.answer->series, 2);
    EXPECT_FALSE(parsed.answer->isIncomplete());
    ASSERT_EQ(parsed.series.size(), 2u);
    EXPECT_EQ(parsed.series[0].labels.at("job"), "dead");
    EXPECT_EQ(parsed.series[0].milliseconds, 1796068345314);
    EXPECT_EQ(parsed.series[1].value, 1);
}

TEST(InstantQueryParser, AsksForEachSeriesWhetherItIsKnown)
{
    // A closing brace and what ends labels stand inside a label's text; the third series is laid out
    // otherwise.
    const QByteArray elements = R"({"metric":{"a":"}","b":"\"},\"value\":["},"value":[1,"10"]},)"
                                R"({"metric":{},"value":[1,"20"]},)"
                                R"({ "value": [1,"30"], "metric": {"a":"c"} },)"
                                R"({"metric":{"a":"d"},"value":[1,"40"]})";
    for (const qsizetype window : {qsizetype(256) * 1024, qsizetype(40)}) {
        InstantQueryParser parser(window);
        std::vector<std::string> asked;
        std::vector<double> known, read;
        const InstantQueryParser::Collector collector{
            [&](LabelViews, double value, Instant) { read.push_back(value); },
            [&](std::string_view raw) {
                asked.emplace_back(raw);
                return raw.find('a') != std::string_view::npos;
            },
            [&](double value, Instant) { known.push_back(value); }};
        const auto answer = parser.parse(vectorOf(elements), collector);
        ASSERT_OK(answer);
        EXPECT_EQ(answer->series, 4);
        EXPECT_EQ(answer->unreadable, 0);
        EXPECT_EQ(asked,
                  (std::vector<std::string>{R"({"a":"}","b":"\"},\"value\":["})", "{}", R"({"a":"d"})"}));
        EXPECT_EQ(known, (std::vector<double>{10, 40}));
        EXPECT_EQ(read, (std::vector<double>{20, 30}));
    }
}

TEST(InstantQueryParser, ReadsScalarStringAndMatrix)
{
    Parsed parsed =
        parse(R"({"status":"success","data":{"resultType":"scalar","result":[1796068345.321,"+Inf"]}})");
    ASSERT_OK(parsed.answer);
    EXPECT_EQ(parsed.answer->type, PrometheusResultType::Scalar);
    ASSERT_EQ(parsed.series.size(), 1u);
    EXPECT_TRUE(std::isinf(parsed.series[0].value));

    parsed = parse(R"({"status":"success","data":{"resultType":"string","result":[1796068345.319,"x"]}})");
    ASSERT_OK(parsed.answer);
    EXPECT_EQ(parsed.answer->type, PrometheusResultType::String);
    EXPECT_EQ(parsed.answer->text, QStringLiteral("x"));
    EXPECT_TRUE(parsed.series.empty());

    parsed = parse(R"({"status":"success","data":{"resultType":"string","result":[1796068345.319,"5"]}})");
    ASSERT_OK(parsed.answer);
    EXPECT_EQ(parsed.answer->type, PrometheusResultType::String);
    EXPECT_TRUE(parsed.series.empty());

    parsed = parse(
        R"({"status":"success","data":{"resultType":"matrix","result":[{"metric":{"path":"/a\"b"},"values":[[1796068343.087,"68343.088877"],[1796068344.09,"68344.09"]]}]}})");
    ASSERT_OK(parsed.answer);
    EXPECT_EQ(parsed.answer->type, PrometheusResultType::Matrix);
    ASSERT_EQ(parsed.series.size(), 2u);
    EXPECT_EQ(parsed.series[1].labels.at("path"), "/a\"b");
    EXPECT_EQ(parsed.series[1].value, 68344.09);
}

TEST(InstantQueryParser, ReadsNaNAndInfinitiesAsValues)
{
    const Parsed parsed = parse(vectorOf(
        R"({"metric":{"model":"a"},"value":[1,"NaN"]},{"metric":{"model":"b"},"value":[1,"-Inf"]},{"metric":{"model":"c"},"value":[1,"Inf"]})"));
    ASSERT_OK(parsed.answer);
    ASSERT_EQ(parsed.series.size(), 3u);
    EXPECT_TRUE(std::isnan(parsed.series[0].value));
    EXPECT_EQ(parsed.series[1].value, -INFINITY);
    EXPECT_EQ(parsed.series[2].value, INFINITY);
    EXPECT_EQ(parsed.answer->unreadable, 0);
}

TEST(InstantQueryParser, KeepsWarningsApartFromInfos)
{
    const Parsed parsed = parse(vectorOf(
        R"({"metric":{"region":"huadong"},"value":[1,"300"]})",
        R"(,"warnings":["region xibei: store-3:10901 gave no answer","no store holds <b>x</b>"],"infos":["tokens may not be a counter"])"));
    ASSERT_OK(parsed.answer);
    EXPECT_TRUE(parsed.answer->isIncomplete());
    ASSERT_EQ(parsed.answer->warnings.size(), 2);
    EXPECT_EQ(parsed.answer->warnings.at(1), QStringLiteral("no store holds <b>x</b>"));
    EXPECT_EQ(parsed.answer->infos, QStringList{QStringLiteral("tokens may not be a counter")});

    const Parsed onlyInfo = parse(vectorOf({}, R"(,"warnings":null,"infos":["hint"])"));
    ASSERT_OK(onlyInfo.answer);
    EXPECT_FALSE(onlyInfo.answer->isIncomplete());
}

TEST(InstantQueryParser, TakesTheFieldsInAnyOrderAndIgnoresOthers)
{
    const Parsed parsed = parse(
        R"({"infos":[],"data":{"result":[{"value":[1,"2"],"extra":{"deep":[{}]},"metric":{"a":"b"}}],"stats":{"x":[1]},"resultType":"vector"},"isPartial":false,"status":"success"})");
    ASSERT_OK(parsed.answer);
    ASSERT_EQ(parsed.series.size(), 1u);
    EXPECT_EQ(parsed.series[0].labels.at("a"), "b");
}

TEST(InstantQueryParser, UndoesEscapesInNamesAndValues)
{
    const Parsed parsed =
        parse(vectorOf(R"({"metric":{"a\"b":"\u4e2d\u6587 \ud83d\ude00\\","p":"<i>"},"value":[1,"2"]})"));
    ASSERT_OK(parsed.answer);
    ASSERT_EQ(parsed.series.size(), 1u);
    EXPECT_EQ(parsed.series[0].labels.at("a\"b"), "中文 😀\\");
    EXPECT_EQ(parsed.series[0].labels.at("p"), "<i>");
}

TEST(InstantQueryParser, CountsAndLeavesOutWhatIsOfTheWrongKind)
{
    const QByteArray good = R"({"metric":{"n":"good"},"value":[1,"7"]})";
    const char *bad[] = {"null",
                         "5",
                         "\"x\"",
                         "[]",
                         "{}",
                         "[[[[]]]]",
                         R"({"metric":null,"value":null})",
                         R"({"metric":{},"value":[]})",
                         R"({"metric":{},"value":[1]})",
                         R"({"metric":{},"value":[null,null]})",
                         R"({"metric":{},"value":["1","2"]})",
                         R"({"metric":{},"value":[1,2]})",
                         R"({"metric":{},"value":[1,"many"]})",
                         R"({"metric":{},"value":{"x":1}})",
                         R"({"metric":{},"value":[1,"1","1"]})",
                         R"({"metric":{},"value":[1e300,"1"]})",
                         R"({"metric":{},"values":[[1,null],null,7]})"};
    for (const char *element : bad) {
        const Parsed parsed = parse(vectorOf(good + ',' + element + ',' + good));
        ASSERT_OK(parsed.answer) << element;
        EXPECT_EQ(parsed.series.size(), 2u) << element;
        EXPECT_GE(parsed.answer->unreadable, 1) << element;
    }
    const Parsed nulls =
        parse(vectorOf(R"({"metric":{"a":null,"b":5,"c":["x"],"n":"good"},"value":[1,"7"]})"));
    ASSERT_OK(nulls.answer);
    ASSERT_EQ(nulls.series.size(), 1u);
    EXPECT_EQ(nulls.series[0].labels.size(), 1u);
}

TEST(InstantQueryParser, LeavesHistogramsOut)
{
    const Parsed parsed = parse(vectorOf(
        R"({"metric":{"vendor":"mlu"},"histogram":[1772441000,{"count":"60","sum":"33.8","buckets":[[0,"0.5","1","28"]]}]})"));
    ASSERT_OK(parsed.answer);
    EXPECT_EQ(parsed.answer->histograms, 1);
    EXPECT_EQ(parsed.answer->unreadable, 0);
    EXPECT_TRUE(parsed.series.empty());
}

TEST(InstantQueryParser, GivesTheServersOwnError)
{
    const Parsed parsed = parse(
        R"({"status":"error","errorType":"bad_data","error":"invalid parameter \"query\": 1:17: parse error: unclosed left parenthesis"})");
    ASSERT_FALSE(parsed.answer);
    EXPECT_EQ(parsed.answer.error().code, ErrorCode::Invalid);
    EXPECT_TRUE(englishText(parsed.answer.error()).contains(QStringLiteral("unclosed left parenthesis")));
    EXPECT_EQ(parse(R"({"status":"error","errorType":"timeout","error":"query timed out","data":null})")
                  .answer.error()
                  .code,
              ErrorCode::Timeout);
    EXPECT_EQ(parse(R"({"status":"error","errorType":"internal","error":"x"})").answer.error().code,
              ErrorCode::Server);
    EXPECT_EQ(parse(R"({"status":"error","errorType":null,"error":null})").answer.error().code,
              ErrorCode::Server);
    EXPECT_EQ(parse(R"({"status":"error"})").answer.error().code, ErrorCode::Server);
}

TEST(InstantQueryParser, RefusesWhatIsNoPrometheusAnswerWithOneClearError)
{
    const QByteArray bodies[] = {
        "",
        " \n",
        "<!DOCTYPE html><html><body>Sign in token=abc</body></html>",
        "404 page not found",
        "null",
        "[]",
        "5",
        "{",
        "{}",
        "{\"status\":\"success\"}",
        R"({"status":"success","data":null})",
        R"({"status":"success","data":[]})",
        R"({"status":"success","data":{}})",
        R"({"status":"success","data":{"resultType":"vector","result":5}})",
        R"({"status":"success","data":{"resultType":"vector","result":{}}})",
        R"({"status":null,"data":{"result":[]}})",
        R"({"kind":"Status","status":"Failure","message":"no endpoints"})",
        QByteArray(1, '\0'),
        QByteArray("\xef\xbb\xbf{}"),
        R"({"status":"success","data":{"resultType":"vector","result":[]}} trailing)",
        "{\"status\":\"success\",\"data\":{\"resultType\":\"vector\",\"result\":[{\"metric\":{\"a\":"
        "\"\xff\xfe\"},\"value\":[1,\"2\"]}]}}",
        QByteArray(100'000, '{'),
        "{\"a\":" + QByteArray(100'000, '[') + QByteArray(100'000, ']') + "}"};
    for (const QByteArray &body : bodies) {
        const Parsed parsed = parse(body);
        ASSERT_FALSE(parsed.answer) << body.left(60).toStdString();
        EXPECT_EQ(parsed.answer.error().code, ErrorCode::Protocol);
        EXPECT_FALSE(englishText(parsed.answer.error()).contains(QStringLiteral("abc")));
        EXPECT_FALSE(parsed.answer.error().detail.contains(QStringLiteral("abc")));
    }
    const Parsed null = parse(R"({"status":"success","data":{"resultType":"vector","result":null}})");
    ASSERT_OK(null.answer); // an empty list of some servers
    EXPECT_EQ(null.answer->series, 0);
}

TEST(InstantQueryParser, RefusesAnAnswerThatWasCutOffAnywhere)
{
    const QByteArray whole = vectorOf(
        R"({"metric":{"__name__":"up","a":"b\\\"c"},"value":[1,"2"]},{"metric":{"__name__":"up","a":"c"},"value":[1,"3"]})",
        R"(,"warnings":["w"])");
    ASSERT_OK(parse(whole).answer);
    for (qsizetype length = 0; length < whole.size(); ++length) {
        for (const qsizetype window : {qsizetype(256 * 1024), qsizetype(16)})
            EXPECT_FALSE(parse(whole.left(length), window).answer)
                << length << " of " << whole.size() << ", window " << window;
    }
}

TEST(InstantQueryParser, ReadsTheSameThroughWindowsOfAnySize)
{
    QByteArray elements;
    for (int i = 0; i < 300; ++i) {
        elements += i ? "," : "";
        elements += R"({"metric":{"__name__":"m)" + QByteArray::number(i) +
                    R"(","odd":"]},{\"metric\":{"},"value":[)" + QByteArray::number(i) + R"(,")" +
                    QByteArray::number(i * 0.5) + "\"]}";
        if (i % 50 == 7)
            elements += ",null";
    }
    const QByteArray body = vectorOf(elements, R"(,"warnings":["one"])");
    const Parsed whole = parse(body, body.size() + 1);
    ASSERT_OK(whole.answer);
    ASSERT_EQ(whole.series.size(), 300u);
    EXPECT_EQ(whole.answer->unreadable, 6);
    for (const qsizetype window : {1, 64, 100, 333, 4096, 20000}) {
        const Parsed parts = parse(body, window);
        ASSERT_OK(parts.answer) << window;
        EXPECT_EQ(parts.answer->warnings, whole.answer->warnings);
        EXPECT_EQ(parts.answer->unreadable, whole.answer->unreadable) << window;
        ASSERT_EQ(parts.series.size(), whole.series.size()) << window;
        for (std::size_t i = 0; i < whole.series.size(); ++i) {
            EXPECT_EQ(parts.series[i].labels, whole.series[i].labels);
            EXPECT_EQ(parts.series[i].value, whole.series[i].value);
        }
    }
    // With blanks between the tokens the whole answer is one window.
    QByteArray spaced = body;
    spaced.replace("\"result\":", "\"result\": ").replace("},{\"metric\":", "}, {\"metric\": ");
    const Parsed blanks = parse(spaced, 64);
    ASSERT_OK(blanks.answer);
    EXPECT_EQ(blanks.series.size(), 300u);
}

TEST(InstantQueryParser, LeavesTheCallersBodyAlone)
{
    const QByteArray body = vectorOf(QByteArray(R"({"metric":{"a":"b"},"value":[1,"2"]},)").repeated(50) +
                                     R"({"metric":{"a":"c"},"value":[1,"3"]})");
    QByteArray copy = body;
    copy.detach();
    ASSERT_OK(parse(copy, 64).answer);
    EXPECT_EQ(copy, body);
}

TEST(InstantQueryParser, FindsNoEnvelopeInsideATextThatLooksLikeOne)
{
    // The first "result":[ is not that of data: nothing in it may be taken for a series.
    const QByteArray fake =
        R"({"status":"success","data":{"stats":{"result":[{"metric":{"n":"fake"},"value":[1,"1"]},{"metric":{"n":"fake"},"value":[1,"1"]}]},"resultType":"vector","result":[{"metric":{"n":"real"},"value":[1,"2"]}]}})";
    const Parsed parsed = parse(fake, 16);
    ASSERT_OK(parsed.answer);
    ASSERT_EQ(parsed.series.size(), 1u);
    EXPECT_EQ(parsed.series[0].labels.at("n"), "real");
}

} // namespace
} // namespace tongchi
