#include "platform/simulator/faulty_wire.h"

#include <QSslSocket>
#include <QTcpSocket>
#include <sys/socket.h>

namespace tongchi::simulator {

namespace {

constexpr qsizetype pourPiece = 64 * 1024;

LinkTime wireNow()
{
    return std::chrono::steady_clock::now();
}

} // namespace

FaultyWire::FaultyWire(QTcpSocket *socket, LinkFaults &faults, QObject *parent)
    : QObject(parent), m_socket(socket), m_faults(faults), m_timer(this)
{
    m_timer.setSingleShot(true);
    m_timer.setTimerType(Qt::PreciseTimer);
    connect(&m_timer, &QTimer::timeout, this, &FaultyWire::pour);
    const auto progress = [this] {
        breakIfDue();
        Q_EMIT sent();
    };
    connect(socket, &QTcpSocket::bytesWritten, this, progress);
    if (auto *ssl = qobject_cast<QSslSocket *>(socket))
        connect(ssl, &QSslSocket::encryptedBytesWritten, this, progress);
    if (const auto end = faults.breakOf(wireNow()))
        m_break = end;
}

bool FaultyWire::write(const char *bytes, qsizetype size)
{
    if (m_break) {
        size = std::min(size, qsizetype(m_break->afterBytes));
        m_break->afterBytes -= size;
    }
    const LinkTime now = wireNow();
    const auto delay = m_faults.delay(now);
    if (m_waiting.size() == 0 && delay.count() == 0 && m_faults.bytesPerSecond(now) == 0) {
        if (m_socket->write(bytes, size) < 0)
            return false;
        breakIfDue();
        return true;
    }
    m_waiting.add(QByteArray(bytes, size), delay, now);
    pour();
    return true;
}

qint64 FaultyWire::unsent() const
{
    qint64 bytes = m_socket->bytesToWrite() + m_waiting.size();
    if (const auto *ssl = qobject_cast<const QSslSocket *>(m_socket))
        bytes += ssl->encryptedBytesToWrite();
    return bytes;
}

void FaultyWire::pour()
{
    if (m_frozen)
        return;
    const LinkTime now = wireNow();
    const qint64 rate = m_faults.bytesPerSecond(now);
    const qint64 before = m_waiting.size();
    for (;;) {
        const QByteArray bytes = m_waiting.take(pourPiece, rate, now);
        if (bytes.isEmpty() || m_socket->write(bytes) < 0)
            break;
    }
    if (const auto next = m_waiting.next(rate, now))
        m_timer.start(std::max(std::chrono::ceil<std::chrono::milliseconds>(*next - now),
                               std::chrono::milliseconds(1)));
    if (m_waiting.size() != before) {
        breakIfDue();
        Q_EMIT sent();
    }
}

void FaultyWire::freeze()
{
    m_frozen = true;
    m_timer.stop();
}

void FaultyWire::hurry()
{
    m_waiting.hurry();
    pour();
}

void FaultyWire::breakAfter(const LinkFaults::Break &end)
{
    m_break = end;
    breakIfDue();
}

void FaultyWire::breakIfDue()
{
    // From the event loop: whoever writes is in the middle of it.
    if (m_break && m_break->afterBytes == 0 && unsent() == 0)
        QMetaObject::invokeMethod(this, &FaultyWire::breakNow, Qt::QueuedConnection);
}

void FaultyWire::breakNow()
{
    if (m_frozen || !m_break)
        return;
    const auto descriptor = int(m_socket->socketDescriptor());
    if (m_break->reset) {
        const linger none{.l_onoff = 1, .l_linger = 0};
        ::setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &none, sizeof none);
    } else {
        ::shutdown(descriptor, SHUT_WR); // no farewell of TLS, as when a process dies
    }
    m_break.reset();
    m_frozen = true;
    m_socket->abort();
    Q_EMIT broken();
}

QByteArray FaultyWire::pieceOfBody(QByteArray piece)
{
    if (piece.isEmpty() || !m_faults.takeDamage(wireNow()))
        return piece;
    const DamagedRange range = damagedRange(piece.size());
    for (qint64 at = range.from; at < range.to; ++at)
        piece[at] = damagedByte;
    return piece;
}

} // namespace tongchi::simulator
