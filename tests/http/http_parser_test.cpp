#include "platform/http/http_parser.h"

#include "platform/http/connection_settings.h"
#include "platform/http/inflate_stream.h"
#include "platform/http/request_rules.h"
#include "tests/support/qt_printers.h"

#include <gtest/gtest.h>

namespace tongchi::test {

namespace {

struct Parsed
{
    std::string body;
    int status = 0;
    HeaderList headers;
    bool finished = false;
    std::string problem;
    bool keepAlive = false;
    size_t left = 0; ///< bytes of the input that were not ours
};

/// Feeds the bytes in pieces; `ends`: the connection closes behind them.
Parsed parse(std::string_view bytes, size_t piece, HttpParser::Request request = HttpParser::Request::Normal,
             bool ends = true)
{
    HttpParser parser(request);
    Parsed parsed;
    HttpParser::Event event = HttpParser::Event::NeedMore;
    std::string_view input;
    while (event != HttpParser::Event::Finished && event != HttpParser::Event::Failed) {
        event = parser.next(input);
        if (event == HttpParser::Event::Data)
            parsed.body += parser.data();
        if (event == HttpParser::Event::Headers) {
            parsed.status = parser.status();
            parsed.headers = parser.headers();
        }
        if (event != HttpParser::Event::NeedMore)
            continue;
        if (bytes.empty()) {
            if (ends)
                event = parser.endOfInput();
            break;
        }
        input = bytes.substr(0, piece);
        bytes.remove_prefix(input.size());
    }
    parsed.finished = event == HttpParser::Event::Finished;
    parsed.problem = parser.problem();
    parsed.keepAlive = parser.keepAlive();
    parsed.left = input.size() + bytes.size();
    return parsed;
}

} // namespace

TEST(HttpParserTest, GivesTheSameForEveryWayOfCutting)
{
    const std::string answers[] = {
        "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 11\r\n\r\nhello world",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5;name=\"x\"\r\nhello\r\n006\r\n "
        "world\r\n0\r\nX-Sum: 1\r\n\r\n",
        "HTTP/1.0 200 OK\r\n\r\nhello world",
        "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nA: b\r\n\r\nHTTP/1.1 200\nContent-Length: "
        "11\n\nhello world",
    };
    for (const std::string &answer : answers) {
        for (size_t piece = 1; piece <= answer.size(); ++piece) {
            const Parsed parsed = parse(answer, piece);
            EXPECT_TRUE(parsed.finished) << parsed.problem << " in pieces of " << piece;
            EXPECT_EQ(parsed.status, 200);
            EXPECT_EQ(parsed.body, "hello world");
        }
    }
}

TEST(HttpParserTest, LeavesTheNextAnswersBytesAlone)
{
    EXPECT_EQ(parse("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nokHTTP/1.1", 1000).left, 8u);
    EXPECT_EQ(parse("HTTP/1.1 204 No\r\n\r\nHTTP", 1000).left, 4u);
    EXPECT_EQ(parse("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nHTTP", 1000).left, 4u);
}

TEST(HttpParserTest, KnowsWhichAnswersHaveNoBody)
{
    for (const char *head :
         {"HTTP/1.1 204 No\r\nContent-Length: 5\r\n\r\n", "HTTP/1.1 304 Not\r\nContent-Length: 5\r\n\r\n"})
        EXPECT_TRUE(parse(head, 1000, HttpParser::Request::Normal, false).finished) << head;
    EXPECT_TRUE(parse("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n", 1000, HttpParser::Request::Head, false)
                    .finished);
    EXPECT_TRUE(parse("HTTP/1.1 200 OK\r\n\r\n", 1000, HttpParser::Request::Connect, false).finished);
    EXPECT_FALSE(
        parse("HTTP/1.1 407 No\r\nContent-Length: 5\r\n\r\n", 1000, HttpParser::Request::Connect, false)
            .finished);
}

TEST(HttpParserTest, KnowsWhenTheConnectionMayBeUsedAgain)
{
    const std::pair<const char *, bool> cases[] = {
        {"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", true},
        {"HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: Close\r\n\r\n", false},
        {"HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: foo, close\r\n\r\n", false},
        {"HTTP/1.0 200 OK\r\nContent-Length: 0\r\n\r\n", false},
        {"HTTP/1.0 200 OK\r\nContent-Length: 0\r\nConnection: Keep-Alive\r\n\r\n", true},
        {"HTTP/1.1 200 OK\r\n\r\n", false},
        {"HTTP/1.1 200 OK\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", false},
    };
    for (const auto &[answer, keepAlive] : cases) {
        const Parsed parsed = parse(answer, 1000);
        EXPECT_TRUE(parsed.finished) << answer;
        EXPECT_EQ(parsed.keepAlive, keepAlive) << answer;
    }
}

TEST(HttpParserTest, RefusesWhatCanBeReadInTwoWays)
{
    const char *answers[] = {
        "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello!",
        "HTTP/1.1 200 OK\r\nContent-Length: 5, 6\r\n\r\nhello!",
        "HTTP/1.1 200 OK\r\nContent-Length: +5\r\n\r\nhello",
        "HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\nhello",
        "HTTP/1.1 200 OK\r\nContent-Length:\r\n\r\nhello",
        "HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999\r\n\r\nhello",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked, chunked\r\n\r\n0\r\n\r\n",
        "HTTP/1.1 200 OK\r\nBad Name: 1\r\nContent-Length: 0\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length : 0\r\n\r\n",
        "HTTP/1.1 200 OK\r\n: 0\r\n\r\n",
        "HTTP/1.1 200 OK\r\nno colon\r\n\r\n",
        "HTTP/1.1 200 OK\r\nA: b\rc\r\n\r\n",
        "HTTP/1.1 2000 OK\r\n\r\n",
        "HTTP/1.1 20 OK\r\n\r\n",
        "HTTP/1.1 999 OK\r\n\r\n",
        "HTTP/2.0 200 OK\r\n\r\n",
        "HTTP/1.1 101 Switching\r\n\r\n",
        "SSH-2.0-OpenSSH\r\n",
        "\r\n\r\n",
    };
    for (const char *answer : answers) {
        const Parsed parsed = parse(answer, 1000);
        EXPECT_FALSE(parsed.finished) << answer;
        EXPECT_NE(parsed.problem, "") << answer;
    }
    EXPECT_FALSE(parse(std::string_view("HTTP/1.1 200 OK\r\nA: b\0c\r\n\r\n", 27), 1000).finished);
}

TEST(HttpParserTest, RefusesBrokenChunks)
{
    const std::string head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
    for (const char *body : {"5\r\nhelloX\r\n0\r\n\r\n", "g\r\n", "\r\n", "-1\r\n", "0x5\r\nhello\r\n",
                             "FFFFFFFFFFFFFFFF\r\n", "5 5\r\nhello\r\n", ";\r\n"})
        EXPECT_FALSE(parse(head + body, 1000).finished) << body;
}

TEST(HttpParserTest, ACutAnswerIsNotFinished)
{
    const std::string answers[] = {
        "HTTP/1.1 200 OK\r\nContent-Length: 11\r\n\r\nhello world",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n",
    };
    for (const std::string &answer : answers) {
        for (size_t size = 0; size < answer.size(); ++size)
            EXPECT_FALSE(parse(answer.substr(0, size), 1000).finished) << size;
    }
}

TEST(HttpParserTest, BoundsWhatItKeeps)
{
    EXPECT_FALSE(
        parse("HTTP/1.1 200 OK\r\nA: " + std::string(300'000, 'x'), 1000, HttpParser::Request::Normal, false)
            .problem.empty());
    std::string many = "HTTP/1.1 200 OK\r\n";
    for (int i = 0; i < 1000; ++i)
        many += "A: b\r\n";
    EXPECT_FALSE(parse(many, 1000, HttpParser::Request::Normal, false).problem.empty());
    std::string interim;
    for (int i = 0; i < 100; ++i)
        interim += "HTTP/1.1 100 Continue\r\n\r\n";
    EXPECT_FALSE(parse(interim, 1000, HttpParser::Request::Normal, false).problem.empty());
    const std::string chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
    EXPECT_FALSE(parse(chunked + "5;" + std::string(300'000, 'x'), 1000, HttpParser::Request::Normal, false)
                     .problem.empty());
    std::string trailers = chunked + "0\r\n";
    for (int i = 0; i < 100'000; ++i)
        trailers += "A: b\r\n";
    EXPECT_FALSE(parse(trailers, 1000, HttpParser::Request::Normal, false).problem.empty());
}

TEST(HttpParserTest, JoinsFoldedLines)
{
    const Parsed parsed = parse("HTTP/1.1 200 OK\r\nA: b\r\n  c\r\nContent-Length: 0\r\n\r\n", 1000);
    EXPECT_EQ(headerValue(parsed.headers, "a"), "b c");
    EXPECT_FALSE(parse("HTTP/1.1 200 OK\r\n folded: first\r\n\r\n", 1000).finished);
}

TEST(InflateStreamTest, KnowsTheNamesOfTheCodings)
{
    using Coding = InflateStream::Coding;
    EXPECT_EQ(InflateStream::codingOf(""), Coding::Identity);
    EXPECT_EQ(InflateStream::codingOf(" GZIP "), Coding::Gzip);
    EXPECT_EQ(InflateStream::codingOf("x-gzip"), Coding::Gzip);
    EXPECT_EQ(InflateStream::codingOf("deflate"), Coding::Deflate);
    EXPECT_EQ(InflateStream::codingOf("br"), Coding::Unknown);
    EXPECT_EQ(InflateStream::codingOf("gzip, gzip"), Coding::Unknown);
}

TEST(UrlBelowTest, JoinsWithoutLosingAnything)
{
    const std::tuple<const char *, const char *, const char *> cases[] = {
        {"https://h:6443", "/api", "https://h:6443/api"},
        {"https://h:6443/", "/api", "https://h:6443/api"},
        {"https://h/k8s/clusters/c-9f", "/api/v1?limit=1", "https://h/k8s/clusters/c-9f/api/v1?limit=1"},
        {"https://h/k8s//", "/api", "https://h/k8s/api"},
        {"https://h/p?x=1#f", "/api", "https://h/p/api"},
        {"https://user:pw@h/", "/api", "https://h/api"},
        {"https://[::1]:6443/p", "/api", "https://[::1]:6443/p/api"},
        {"https://h", "api", "https://h/api"},
        {"https://h", "/a%2Fb/c?q=a%2Bb%26c%3Dd", "https://h/a%2Fb/c?q=a%2Bb%26c%3Dd"},
        {"https://h", "//double", "https://h//double"},
        {"https://h", "/a#b", "https://h/a%23b"},
        {"https://h", "/a b", "https://h/a%20b"},
        {"https://h", "/a?next=http://other/", "https://h/a?next=http://other/"},
    };
    for (const auto &[server, path, expected] : cases)
        EXPECT_EQ(urlBelow(QUrl(QString::fromLatin1(server)), path).toEncoded(), QByteArray(expected))
            << server << ' ' << path;
}

TEST(DisplayUrlTest, ShowsNoSecret)
{
    const auto shown = [](const char *text) { return displayUrl(QUrl(QString::fromLatin1(text))); };
    EXPECT_EQ(shown("https://user:pw@h:6443/api"), QStringLiteral("https://h:6443/api"));
    EXPECT_EQ(shown("https://h/b?X-Amz-Signature=abc&limit=5#frag"),
              u"https://h/b?X-Amz-Signature=…&limit=…"_qs);
    EXPECT_EQ(shown("https://h/b?tokenonly"), u"https://h/b?…"_qs);
    EXPECT_EQ(shown("https://h/b?a=b=c"), u"https://h/b?a=…"_qs);
}

TEST(HostHeaderTest, HasBracketsButNeitherZoneNorDefaultPort)
{
    const std::pair<const char *, const char *> cases[] = {
        {"https://h:443/", "h"},
        {"https://h:6443/", "h:6443"},
        {"http://h:80", "h"},
        {"http://[::1]:8080", "[::1]:8080"},
        {"https://[fe80::1%25eth0]:6443", "[fe80::1]:6443"},
        {"https://[::1]", "[::1]"}};
    for (const auto &[url, header] : cases)
        EXPECT_EQ(hostHeader(QUrl(QString::fromLatin1(url))), QByteArray(header)) << url;
}

} // namespace tongchi::test
