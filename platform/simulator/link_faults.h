#pragma once

#include "platform/simulator/pool_fault.h"

#include <QByteArray>
#include <chrono>
#include <deque>
#include <optional>

namespace tongchi::simulator {

using LinkTime = std::chrono::steady_clock::time_point;

/// What is wrong with the way between one server and its clients, and until when. Belongs to one thread;
/// whoever carries the bytes asks it.
class LinkFaults
{
public:
    /// How a connection ends that does not end in order.
    struct Break
    {
        qint64 afterBytes = 0;
        bool reset = false;
    };

    /// Faults that are none of the network's change nothing.
    void begin(const InjectedFault &fault, LinkTime now);
    /// All is well from now on.
    void end();

    std::chrono::milliseconds delay(LinkTime now) const;
    /// Of each connection; zero: no limit.
    qint64 bytesPerSecond(LinkTime now) const;
    /// Nothing passes, and nothing ever will on connections of this time.
    bool isSilent(LinkTime now) const { return now < m_silentUntil; }
    /// For connections that begin now.
    std::optional<Break> breakOf(LinkTime now) const;
    /// Asked once for each piece of a body.
    bool takeDamage(LinkTime now);

private:
    std::chrono::milliseconds m_delay{0};
    qint64 m_bytesPerSecond = 0;
    Break m_break;
    bool m_damageNext = false;
    LinkTime m_delayUntil{}, m_dripUntil{}, m_silentUntil{}, m_breakUntil{}, m_damageUntil{};
};

/// Bytes on their way: they come out later or few at a time, always in their order.
class PacedBytes
{
public:
    void add(const QByteArray &bytes, std::chrono::milliseconds delay, LinkTime now);
    /// At most `most` of what may arrive by now.
    QByteArray take(qsizetype most, qint64 bytesPerSecond, LinkTime now);
    /// When take() has something again, if ever.
    std::optional<LinkTime> next(qint64 bytesPerSecond, LinkTime now) const;
    /// What waits for its time may arrive now.
    void hurry();
    qint64 size() const { return m_size; }
    void clear();

private:
    struct Piece
    {
        LinkTime due;
        QByteArray bytes;
    };
    std::deque<Piece> m_pieces;
    qint64 m_size = 0;
    LinkTime m_paidUntil{}; ///< by the rate, the next byte may come then
};

/// The part of a body's piece that a damaged one has overwritten: a few bytes in its middle.
struct DamagedRange
{
    qint64 from = 0, to = 0;
};
DamagedRange damagedRange(qint64 pieceSize);
/// Stands for no character in UTF-8, so that no text that holds it can be taken for a good one.
constexpr char damagedByte = char(0xFF);

} // namespace tongchi::simulator
