// The reading of recordings and of the table: what would let an error slip through unseen.

#include "tests/support/qt_printers.h"
#include "tests/transcripts/word_table.h"

#include <gtest/gtest.h>

namespace tongchi::test {
namespace {

constexpr const char *recording = R"(A server

### refused
>>> request
POST /a?x=1%2B1&y=2 HTTP/1.1
Accept: application/json
content-type: text/plain

line 1
line 2
<<< response (1.0 ms)
HTTP/1.1 403 Forbidden
Content-Type: application/json

{"a":1}

{"b":2}

## a note -> 400

### fine
>>> request
GET /b HTTP/1.1

<<< response (streamed)
HTTP/1.1 200 OK


)";

QList<Exchange> exchangesOf(const QByteArray &text)
{
    QStringList problems;
    const QList<Exchange> exchanges = parseTranscript(QStringLiteral("f.txt"), text, &problems);
    EXPECT_EQ(problems, QStringList());
    return exchanges;
}

TEST(TranscriptTest, ReadsBothHalves)
{
    const QList<Exchange> exchanges = exchangesOf(recording);
    ASSERT_EQ(exchanges.size(), 2);
    const Exchange &refused = exchanges.first();
    EXPECT_EQ(refused.name, QStringLiteral("refused"));
    EXPECT_EQ(refused.method, "POST");
    EXPECT_EQ(refused.path(), "/a");
    EXPECT_EQ(refused.parameter("x"), "1+1");
    EXPECT_EQ(refused.parameter("z"), "");
    EXPECT_EQ(Exchange::header(refused.requestHeaders, "Content-Type"), "text/plain");
    EXPECT_EQ(refused.requestBody, "line 1\nline 2");
    EXPECT_EQ(refused.status, 403);
    EXPECT_EQ(refused.body, "{\"a\":1}\n\n{\"b\":2}");
    EXPECT_TRUE(refused.isError());
    EXPECT_EQ(exchanges.last().body, "");
    EXPECT_FALSE(exchanges.last().isError());
}

TEST(TranscriptTest, FindsAFailureInsideASuccess)
{
    const QByteArray head = "\n### n\n>>> request\nGET / HTTP/1.1\n\n<<< response\nHTTP/1.1 200 OK\n\n";
    for (const char *body : {R"({"type":"ADDED"}
{"type":"ERROR","object":{}})",
                             R"({"status":"error","errorType":"x"})", R"({"status":"Failure","code":504})",
                             R"({"status":"success","data":{},"warnings":["a"]})"})
        EXPECT_TRUE(exchangesOf(head + body).first().isError()) << body;
    EXPECT_FALSE(exchangesOf(head + R"({"status":"success","data":"ERROR"})").first().isError());
}

TEST(TranscriptTest, ReportsWhatIsNoExchange)
{
    for (const char *text : {"### n\n>>> request\nGET / HTTP/1.1\n", "### n\n<<< response\nHTTP/1.1 200 OK\n",
                             "### n\n>>> request\nnonsense\n\n<<< response\nHTTP/1.1 200 OK\n",
                             "### n\n>>> request\nGET / HTTP/1.1\n\n<<< response\nwhat\n",
                             "### n\n>>> request\nGET / HTTP/1.1\n\n<<< response\nHTTP/1.1 500 "
                             "X\n\n{\"a\n... (12 more characters)\n"}) {
        QStringList problems;
        (void)parseTranscript(QStringLiteral("f.txt"), text, &problems);
        EXPECT_FALSE(problems.isEmpty()) << text;
    }
}

TEST(WordTableTest, ReportsWhatIsMissingOrLeftOver)
{
    const QList<Exchange> exchanges = exchangesOf(recording);
    const WordRow refused{.file = QStringLiteral("f.txt"), .name = QStringLiteral("refused")};
    const WordRow fine{.file = QStringLiteral("f.txt"), .name = QStringLiteral("fine")};
    const WordRow gone{.file = QStringLiteral("f.txt"), .name = QStringLiteral("gone")};
    EXPECT_EQ(unmatched(exchanges, {refused}), QStringList());
    EXPECT_EQ(unmatched(exchanges, {}), QStringList{QStringLiteral("no row: f.txt: refused")});
    EXPECT_EQ(unmatched(exchanges, {refused, refused}),
              QStringList{QStringLiteral("two rows: f.txt: refused")});
    EXPECT_EQ(unmatched(exchanges, {refused, fine}),
              QStringList{QStringLiteral("no recorded error: f.txt: fine")});
    EXPECT_EQ(unmatched(exchanges, {refused, gone}),
              QStringList{QStringLiteral("no recorded error: f.txt: gone")});
}

TEST(WordTableTest, TakesWholeRowsOnly)
{
    const QByteArray whole =
        "# a remark\n\n### f.txt: a: b\nas: get\ncode: server\nretry: yes\nen: x: y\ndo: d\n"
        "zh: z\nzh do: e\n";
    QStringList problems;
    const QList<WordRow> rows = parseWordTable(whole, &problems);
    ASSERT_EQ(problems, QStringList());
    ASSERT_EQ(rows.size(), 1);
    EXPECT_EQ(rows.first().name, QStringLiteral("a: b"));
    EXPECT_EQ(rows.first().english, QStringLiteral("x: y"));
    EXPECT_TRUE(rows.first().retry);
    for (const QByteArray line :
         {"as: get\n", "code: server\n", "en: x: y\n", "do: d\n", "zh: z\n", "zh do: e\n"}) {
        QByteArray text = whole;
        problems.clear();
        (void)parseWordTable(text.replace(line, ""), &problems);
        EXPECT_FALSE(problems.isEmpty()) << line.constData();
    }
    for (const QByteArray line : {"retry: maybe\n", "zh: twice\n", "other: x\n", "en:\n"}) {
        problems.clear();
        (void)parseWordTable(whole + line, &problems);
        EXPECT_FALSE(problems.isEmpty()) << line.constData();
    }
    for (const char *kind : {"as: never\n", "as: get\ncode: none\n"}) {
        problems.clear();
        const QByteArray row = QByteArray("### f.txt: n\n") + kind;
        (void)parseWordTable(row + "why: w\n", &problems);
        EXPECT_EQ(problems, QStringList());
        (void)parseWordTable(row, &problems);
        EXPECT_FALSE(problems.isEmpty()) << kind;
    }
}

} // namespace
} // namespace tongchi::test
