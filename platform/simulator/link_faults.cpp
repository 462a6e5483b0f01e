#include "platform/simulator/link_faults.h"

#include <algorithm>
#include <utility>

namespace tongchi::simulator {

namespace {

constexpr qint64 damagedBytes = 16;
/// A drip falls at most so often; what late timers missed is made up for.
constexpr std::chrono::milliseconds dripInterval{5};
constexpr std::chrono::milliseconds dripCredit{50};

/// The end of something that lasts so long from now, or for ever.
LinkTime linkEnd(LinkTime now, std::chrono::milliseconds duration)
{
    return duration.count() > 0 ? now + duration : LinkTime::max();
}

} // namespace

void LinkFaults::begin(const InjectedFault &fault, LinkTime now)
{
    const bool lasts = fault.duration.count() > 0;
    switch (fault.fault) {
    case PoolFault::HalfOpen:
        m_silentUntil = now + fault.duration;
        break;
    case PoolFault::Delay:
        m_delay = fault.delay;
        m_delayUntil = linkEnd(now, fault.duration);
        break;
    case PoolFault::Drip:
        m_bytesPerSecond = std::max<qint64>(1, fault.bytesPerSecond);
        m_dripUntil = linkEnd(now, fault.duration);
        break;
    case PoolFault::Cut:
    case PoolFault::Reset:
        m_break = {fault.afterBytes, fault.fault == PoolFault::Reset};
        m_breakUntil = now + fault.duration;
        break;
    case PoolFault::CorruptChunk:
        m_damageNext = !lasts;
        m_damageUntil = now + fault.duration;
        break;
    case PoolFault::Alive:
        end();
        break;
    case PoolFault::Restart:
    case PoolFault::Compact:
    case PoolFault::TooManyRequests:
    case PoolFault::ExpiredToken:
    case PoolFault::Dead:
        break;
    }
}

void LinkFaults::end()
{
    *this = {};
}

std::chrono::milliseconds LinkFaults::delay(LinkTime now) const
{
    return now < m_delayUntil ? m_delay : std::chrono::milliseconds(0);
}

qint64 LinkFaults::bytesPerSecond(LinkTime now) const
{
    return now < m_dripUntil ? m_bytesPerSecond : 0;
}

std::optional<LinkFaults::Break> LinkFaults::breakOf(LinkTime now) const
{
    return now < m_breakUntil ? std::optional(m_break) : std::nullopt;
}

bool LinkFaults::takeDamage(LinkTime now)
{
    return std::exchange(m_damageNext, false) || now < m_damageUntil;
}

void PacedBytes::add(const QByteArray &bytes, std::chrono::milliseconds delay, LinkTime now)
{
    if (bytes.isEmpty())
        return;
    LinkTime due = now + delay;
    if (!m_pieces.empty())
        due = std::max(due, m_pieces.back().due); // nothing overtakes what was sent before
    m_pieces.push_back({due, bytes});
    m_size += bytes.size();
}

QByteArray PacedBytes::take(qsizetype most, qint64 bytesPerSecond, LinkTime now)
{
    if (bytesPerSecond > 0) {
        m_paidUntil = std::max(m_paidUntil, now - dripCredit); // silence does not add up
        const auto credit = std::chrono::duration<double>(now - m_paidUntil).count() * double(bytesPerSecond);
        most = std::min(most, std::max(qsizetype(now >= m_paidUntil ? 1 : 0), qsizetype(credit)));
    }
    QByteArray taken;
    while (taken.size() < most && !m_pieces.empty() && m_pieces.front().due <= now) {
        Piece &piece = m_pieces.front();
        const qsizetype part = std::min(most - taken.size(), piece.bytes.size());
        if (part == piece.bytes.size()) {
            taken = taken.isEmpty() ? std::move(piece.bytes) : taken + piece.bytes;
            m_pieces.pop_front();
        } else {
            taken += piece.bytes.left(part);
            piece.bytes.remove(0, part);
        }
    }
    m_size -= taken.size();
    if (bytesPerSecond > 0 && !taken.isEmpty()) {
        m_paidUntil += std::chrono::duration_cast<LinkTime::duration>(
            std::chrono::duration<double>(double(taken.size()) / double(bytesPerSecond)));
    }
    return taken;
}

std::optional<LinkTime> PacedBytes::next(qint64 bytesPerSecond, LinkTime now) const
{
    if (m_pieces.empty())
        return std::nullopt;
    const LinkTime due = m_pieces.front().due;
    return bytesPerSecond > 0 ? std::max({due, m_paidUntil, now + dripInterval}) : due;
}

void PacedBytes::hurry()
{
    for (Piece &piece : m_pieces)
        piece.due = {};
}

void PacedBytes::clear()
{
    m_pieces.clear();
    m_size = 0;
}

DamagedRange damagedRange(qint64 pieceSize)
{
    const qint64 size = std::min(damagedBytes, pieceSize);
    const qint64 from = (pieceSize - size) / 2;
    return {from, from + size};
}

} // namespace tongchi::simulator
