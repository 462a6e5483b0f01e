// The pool's own HTTP server, byte by byte.

#include "platform/simulator/http_server.h"
#include "tests/support/qt_printers.h"
#include "tests/support/wait.h"

#include <QTcpSocket>
#include <gtest/gtest.h>

namespace tongchi::simulator {
namespace {

class ServerHttp : public ::testing::Test
{
protected:
    void SetUp() override
    {
        ASSERT_OK(server.listen(0));
        client.connectToHost(QHostAddress(QHostAddress::LocalHost), server.port());
        ASSERT_TRUE(test::waitUntil([this] { return client.state() == QAbstractSocket::ConnectedState; }));
    }
    bool receive(const QByteArray &part, int times = 1)
    {
        return test::waitUntil([&] {
            received += client.readAll();
            return received.count(part) >= times;
        });
    }
    void answerEcho(const HttpExchangePointer &exchange)
    {
        requests.push_back(exchange->request());
        if (exchange->request().path == "/held") {
            held.push_back(exchange);
            return;
        }
        HttpAnswer answer;
        answer.contentType = "text/plain";
        answer.setBody("<" + exchange->request().method + ' ' + exchange->request().path + '|' +
                       exchange->request().body + '>');
        exchange->answer(std::move(answer));
    }

    std::vector<HttpRequest> requests;
    std::vector<HttpExchangePointer> held;
    HttpServer server{[this](const HttpExchangePointer &exchange) { answerEcho(exchange); }};
    QTcpSocket client;
    QByteArray received;
};

TEST_F(ServerHttp, PipelinedRequestsAreAnsweredInOrder)
{
    client.write("GET /held HTTP/1.1\r\nHost: x\r\n\r\nGET /b HTTP/1.1\r\nHost: x\r\n\r\nGET /c "
                 "HTTP/1.1\r\nHost: x\r\n\r\n");
    ASSERT_TRUE(test::waitUntil([this] { return held.size() == 1; }));
    EXPECT_EQ(requests.size(), 1u);
    HttpAnswer answer;
    answer.setBody("<first>");
    held.front()->answer(std::move(answer));
    ASSERT_TRUE(receive("<GET /c|>"));
    EXPECT_LT(received.indexOf("<first>"), received.indexOf("<GET /b|>"));
    EXPECT_LT(received.indexOf("<GET /b|>"), received.indexOf("<GET /c|>"));
}

TEST_F(ServerHttp, BodiesMayComeInPiecesAndChunks)
{
    client.write("POST /a HTTP/1.1\r\nContent-Length: 6\r\n\r\nabc");
    client.flush();
    client.write(
        "defPOST /b HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nxyz\r\n1;ext=1\r\n!\r\n0\r\n\r\n");
    client.write("POST /c HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nq\r\n0\r\nTrailer: x\r\n\r\nGET "
                 "/d HTTP/1.1\r\n\r\n");
    ASSERT_TRUE(receive("<GET /d|>"));
    EXPECT_TRUE(received.contains("<POST /a|abcdef>"));
    EXPECT_TRUE(received.contains("<POST /b|xyz!>"));
    EXPECT_TRUE(received.contains("<POST /c|q>"));
}

TEST_F(ServerHttp, ContinueIsSentBeforeTheBody)
{
    client.write("PUT /a HTTP/1.1\r\nContent-Length: 3\r\nExpect: 100-continue\r\n\r\n");
    ASSERT_TRUE(receive("HTTP/1.1 100 Continue\r\n\r\n"));
    client.write("abc");
    ASSERT_TRUE(receive("<PUT /a|abc>"));
}

TEST_F(ServerHttp, TooLargeBodiesAndHeadsAreRefused)
{
    client.write("POST /a HTTP/1.1\r\nContent-Length: 99999999\r\n\r\n");
    ASSERT_TRUE(receive("HTTP/1.1 413 "));
    ASSERT_TRUE(test::waitUntil([this] { return client.state() == QAbstractSocket::UnconnectedState; }));
    client.connectToHost(QHostAddress(QHostAddress::LocalHost), server.port());
    ASSERT_TRUE(test::waitUntil([this] { return client.state() == QAbstractSocket::ConnectedState; }));
    client.write("GET /a HTTP/1.1\r\nX: " + QByteArray(100'000, 'x') + "\r\n\r\n");
    ASSERT_TRUE(receive("HTTP/1.1 431 "));
    EXPECT_TRUE(requests.empty());
}

class ServerHttpNonsense : public ServerHttp, public ::testing::WithParamInterface<const char *>
{
};

TEST_P(ServerHttpNonsense, IsABadRequestAndTheEnd)
{
    client.write(GetParam());
    ASSERT_TRUE(receive("HTTP/1.1 400 Bad Request\r\n"));
    ASSERT_TRUE(test::waitUntil([this] { return client.state() == QAbstractSocket::UnconnectedState; }));
}

INSTANTIATE_TEST_SUITE_P(Heads, ServerHttpNonsense,
                         ::testing::Values("nonsense\r\n\r\n", "GET /\r\n\r\n", "GET / HTTP/2.0\r\n\r\n",
                                           "GET / HTTP/1.1\r\nno colon\r\n\r\n",
                                           "GET / HTTP/1.1\r\n folded: x\r\n\r\n",
                                           "POST / HTTP/1.1\r\nContent-Length: -1\r\n\r\n",
                                           "POST / HTTP/1.1\r\nContent-Length: x\r\n\r\n",
                                           "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n"));

TEST_F(ServerHttp, OldClientsGetTheirConnectionClosed)
{
    client.write("GET /a HTTP/1.0\r\n\r\n");
    ASSERT_TRUE(receive("<GET /a|>"));
    EXPECT_TRUE(received.contains("Connection: close"));
    ASSERT_TRUE(test::waitUntil([this] { return client.state() == QAbstractSocket::UnconnectedState; }));
}

TEST_F(ServerHttp, AStreamGrowsAndEnds)
{
    client.write("GET /held HTTP/1.1\r\n\r\nGET /after HTTP/1.1\r\n\r\n");
    ASSERT_TRUE(test::waitUntil([this] { return held.size() == 1; }));
    held.front()->startStream({});
    held.front()->write("one\n");
    ASSERT_TRUE(receive("4\r\none\n\r\n"));
    int pieces = 0;
    held.front()->produce([&pieces] { return ++pieces <= 3 ? QByteArray("piece\n") : QByteArray(); });
    ASSERT_TRUE(receive("piece", 3));
    held.front()->finish();
    ASSERT_TRUE(receive("0\r\n\r\n"));
    ASSERT_TRUE(receive("<GET /after|>"));
}

TEST_F(ServerHttp, TheServerSendsNoFasterThanTheClientReads)
{
    client.setReadBufferSize(4096);
    qint64 produced = 0;
    client.write("GET /held HTTP/1.1\r\n\r\n");
    ASSERT_TRUE(test::waitUntil([this] { return held.size() == 1; }));
    HttpAnswer answer;
    answer.producer = [&produced] {
        produced += 100'000;
        return produced <= 100'000'000 ? QByteArray(100'000, 'x') : QByteArray();
    };
    held.front()->answer(std::move(answer));
    ASSERT_TRUE(test::waitUntil([&] { return produced > 0; }));
    test::waitUntil([] { return false; }, std::chrono::milliseconds(200)); // as much as it would like to
    EXPECT_LT(produced, 20'000'000);
    client.setReadBufferSize(0);
    qint64 taken = 0;
    ASSERT_TRUE(test::waitUntil([&] { return (taken += client.readAll().size()) > 100'000'000; },
                                std::chrono::seconds(30)));
}

TEST_F(ServerHttp, WhoeverAnswersLearnsThatTheClientLeft)
{
    client.write("GET /held HTTP/1.1\r\n\r\n");
    ASSERT_TRUE(test::waitUntil([this] { return held.size() == 1; }));
    bool left = false;
    held.front()->onClosed([&] { left = true; });
    client.abort();
    ASSERT_TRUE(test::waitUntil([&] { return left; }));
    EXPECT_FALSE(held.front()->isOpen());
    held.front()->answer({}); // into the void
}

} // namespace
} // namespace tongchi::simulator
