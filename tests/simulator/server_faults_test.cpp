// What the pool's own server does when its way to the clients is bad.

#include "platform/simulator/http_server.h"
#include "tests/support/qt_printers.h"
#include "tests/support/wait.h"

#include <QElapsedTimer>
#include <QTcpSocket>
#include <gtest/gtest.h>

namespace tongchi::simulator {
namespace {

using std::chrono::milliseconds;

class ServerFaults : public ::testing::Test
{
protected:
    void SetUp() override { ASSERT_OK(server.listen(0)); }

    void answer(const HttpExchangePointer &exchange)
    {
        ++requests;
        HttpAnswer made;
        if (exchange->request().path == "/stream") {
            stream = exchange;
            stream->startStream({});
            return;
        }
        if (exchange->request().path == "/long") {
            made.producer = [left = 40]() mutable {
                return left-- > 0 ? QByteArray(100'000, 'x') : QByteArray();
            };
        } else {
            made.setBody(QByteArray(100, 'x'));
        }
        exchange->answer(std::move(made));
    }
    /// One client with what it has received.
    struct Client
    {
        explicit Client(const HttpServer &server)
        {
            QObject::connect(&socket, &QTcpSocket::readyRead, &socket, [this] { bytes += socket.readAll(); });
            socket.connectToHost(QHostAddress(QHostAddress::LocalHost), server.port());
            EXPECT_TRUE(test::waitUntil([this] { return isOpen(); }));
        }
        bool isOpen() const { return socket.state() == QAbstractSocket::ConnectedState; }
        void ask(const QByteArray &path) { socket.write("GET " + path + " HTTP/1.1\r\n\r\n"); }
        bool waitFor(const QByteArray &end)
        {
            return test::waitUntil([&] { return bytes.endsWith(end); });
        }
        bool waitForAnswer() { return waitFor(QByteArray(100, 'x')); }
        bool waitForEnd()
        {
            return test::waitUntil([this] { return !isOpen(); });
        }
        QTcpSocket socket;
        QByteArray bytes;
    };

    int requests = 0;
    HttpExchangePointer stream;
    HttpServer server{[this](const HttpExchangePointer &exchange) { answer(exchange); }};
};

TEST_F(ServerFaults, DelayLetsEverythingComeLaterButNotSlower)
{
    Client client(server);
    server.injectFault({.fault = PoolFault::Delay, .delay = milliseconds(60)});
    QElapsedTimer timer;
    timer.start();
    client.ask("/");
    ASSERT_TRUE(client.waitForAnswer());
    EXPECT_GE(timer.elapsed(), 60);
    server.injectFault({.fault = PoolFault::Delay, .delay = std::chrono::hours(1)});
    client.bytes.clear();
    client.ask("/");
    ASSERT_TRUE(test::waitUntil([this] { return requests == 2; }));
    EXPECT_EQ(client.bytes, "");
    server.injectFault({.fault = PoolFault::Alive});
    EXPECT_TRUE(client.waitForAnswer());
    client.ask("/long");
    EXPECT_TRUE(client.waitFor("\r\n0\r\n\r\n"));
    EXPECT_GT(client.bytes.size(), 4'000'000);
}

TEST_F(ServerFaults, DripLetsAFewBytesThroughAtATime)
{
    Client client(server);
    server.injectFault({.fault = PoolFault::Drip, .bytesPerSecond = 2'000});
    QElapsedTimer timer;
    timer.start();
    client.ask("/");
    ASSERT_TRUE(client.waitForAnswer());
    EXPECT_GE(timer.elapsed(), qint64((client.bytes.size() - 101) * 1000 / 2'000));
    client.bytes.clear();
    client.ask("/long");
    server.injectFault({.fault = PoolFault::Alive});
    EXPECT_TRUE(client.waitFor("\r\n0\r\n\r\n"));
}

TEST_F(ServerFaults, CutAndResetEndWhatIsOpen)
{
    for (const PoolFault fault : {PoolFault::Cut, PoolFault::Reset}) {
        Client client(server), other(server);
        client.ask("/stream");
        ASSERT_TRUE(client.waitFor("\r\n\r\n"));
        bool left = false;
        stream->onClosed([&left] { left = true; });
        server.injectFault({.fault = fault});
        EXPECT_TRUE(client.waitForEnd());
        EXPECT_TRUE(other.waitForEnd());
        EXPECT_TRUE(left);
        EXPECT_EQ(client.socket.error(), QAbstractSocket::RemoteHostClosedError);
        Client later(server);
        later.ask("/");
        EXPECT_TRUE(later.waitForAnswer());
    }
}

TEST_F(ServerFaults, CutCanComeInTheMiddleOfAnAnswer)
{
    server.injectFault({.fault = PoolFault::Cut, .duration = std::chrono::hours(1), .afterBytes = 300'000});
    for (int i = 0; i < 2; ++i) {
        Client client(server);
        client.ask("/long");
        EXPECT_TRUE(client.waitForEnd());
        EXPECT_EQ(client.bytes.size(), 300'000);
    }
    server.injectFault({.fault = PoolFault::Alive});
    Client client(server);
    client.ask("/long");
    EXPECT_TRUE(client.waitFor("\r\n0\r\n\r\n"));
}

TEST_F(ServerFaults, HalfOpenTakesGrowingAnswersAndLeavesTheRest)
{
    Client watching(server), asking(server);
    watching.ask("/stream");
    ASSERT_TRUE(watching.waitFor("\r\n\r\n"));
    const QByteArray head = watching.bytes;
    asking.ask("/");
    ASSERT_TRUE(asking.waitForAnswer());
    server.injectFault({.fault = PoolFault::HalfOpen});
    stream->write("after");
    stream->finish();
    asking.ask("/");
    EXPECT_TRUE(test::waitUntil([&] { return asking.bytes.count("HTTP/1.1 200") == 2; }));
    EXPECT_EQ(watching.bytes, head);
    EXPECT_TRUE(watching.isOpen());
}

TEST_F(ServerFaults, HalfOpenForAWhileIsSilentToEveryone)
{
    Client before(server);
    before.ask("/");
    ASSERT_TRUE(before.waitForAnswer());
    server.injectFault({.fault = PoolFault::HalfOpen, .duration = std::chrono::hours(1)});
    Client during(server);
    during.ask("/");
    before.ask("/");
    server.injectFault({.fault = PoolFault::Alive});
    Client after(server);
    after.ask("/");
    EXPECT_TRUE(after.waitForAnswer());
    EXPECT_EQ(requests, 2) << "what has died stays dead";
    EXPECT_TRUE(before.isOpen());
    EXPECT_TRUE(during.isOpen());
    EXPECT_EQ(during.bytes, "");
}

TEST_F(ServerFaults, CorruptChunkDamagesOneBodyAndNoHead)
{
    const QByteArray damaged = QByteArray(42, 'x') + QByteArray(16, damagedByte) + QByteArray(42, 'x');
    Client client(server);
    server.injectFault({.fault = PoolFault::CorruptChunk});
    client.ask("/");
    EXPECT_TRUE(client.waitFor("\r\n\r\n" + damaged));
    client.bytes.clear();
    client.ask("/");
    EXPECT_TRUE(client.waitForAnswer());
    client.ask("/stream");
    ASSERT_TRUE(client.waitFor("\r\n\r\n"));
    server.injectFault({.fault = PoolFault::CorruptChunk});
    stream->write("abc");
    stream->write("def");
    EXPECT_TRUE(client.waitFor("3\r\n\xFF\xFF\xFF\r\n3\r\ndef\r\n"));
}

} // namespace
} // namespace tongchi::simulator
