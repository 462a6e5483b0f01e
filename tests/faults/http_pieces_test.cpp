#include "tests/support/http_pieces.h"

#include <gtest/gtest.h>

namespace tongchi::test {
namespace {

struct Seen
{
    std::vector<std::pair<std::string, qint64>> pieces;
    std::vector<std::string> requests;
    QByteArray answers;
    bool operator==(const Seen &) const = default;
};

/// Both directions in steps of so many bytes; pieces of "/bad" are damaged.
Seen followed(const QByteArray &requests, QByteArray answers, qsizetype step)
{
    Seen seen;
    std::deque<HttpPieces::Request> open;
    HttpPieces up(HttpPieces::Direction::Requests, &open);
    up.onRequest = [&](const HttpPieces::Request &request) {
        seen.requests.push_back(request.method.toStdString() + ' ' + request.target.toStdString());
    };
    HttpPieces down(HttpPieces::Direction::Answers, &open);
    down.onPiece = [&](const QByteArray &target, qint64 size) {
        seen.pieces.emplace_back(target.toStdString(), size);
        return target == "/bad";
    };
    QByteArray copy = requests;
    for (qsizetype at = 0; at < copy.size(); at += step)
        up.feed(copy.data() + at, std::min(step, copy.size() - at));
    for (qsizetype at = 0; at < answers.size(); at += step)
        down.feed(answers.data() + at, std::min(step, answers.size() - at));
    EXPECT_EQ(copy, requests) << "requests are never touched";
    seen.answers = answers;
    return seen;
}

TEST(HttpPieces, FindsTheBodiesOfAConnectionWhereverItIsCut)
{
    const QByteArray requests = "GET /a?x=1 HTTP/1.1\r\nHost: h\r\n\r\n"
                                "PATCH /b HTTP/1.1\r\ncontent-length: 10\r\n\r\n0123\r\n\r\n89"
                                "HEAD /c HTTP/1.1\r\n\r\n"
                                "POST /d HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n"
                                "GET /bad HTTP/1.1\r\n\r\n"
                                "GET /e HTTP/1.1\r\n\r\n";
    const QByteArray bad(40, 'x');
    const QByteArray before = "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nfour"
                              "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 204 No Content\r\n\r\n"
                              "HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n"
                              "HTTP/1.1 201 Created\r\nContent-Length: 0\r\n\r\n"
                              "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3;x=y\r\nabc\r\n28\r\n";
    const QByteArray after = "\r\n0\r\nTrailer: t\r\n\r\n"
                             "HTTP/1.1 200 OK\r\n\r\nuntil the end\r\n\r\nHTTP/1.1 200 OK\r\n\r\n";
    const Seen whole = followed(requests, before + bad + after, 1'000'000);
    EXPECT_EQ(whole.requests, (std::vector<std::string>{"GET /a?x=1", "PATCH /b", "HEAD /c", "POST /d",
                                                        "GET /bad", "GET /e"}));
    EXPECT_EQ(whole.pieces,
              (std::vector<std::pair<std::string, qint64>>{{"/a?x=1", 4}, {"/bad", 3}, {"/bad", 40}}));
    QByteArray damaged = before + bad + after;
    damaged.replace("\r\nabc\r\n28", "\r\n\xFF\xFF\xFF\r\n28");
    damaged.replace(before.size() + 12, 16, QByteArray(16, '\xFF'));
    EXPECT_EQ(whole.answers, damaged);
    for (const qsizetype step : {1, 2, 3, 7, 40})
        EXPECT_EQ(followed(requests, before + bad + after, step), whole) << step;
}

} // namespace
} // namespace tongchi::test
