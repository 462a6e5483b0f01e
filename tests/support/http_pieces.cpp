#include "tests/support/http_pieces.h"

#include "platform/simulator/link_faults.h"

#include <algorithm>
#include <cstring>

namespace tongchi::test {

namespace {

/// Value of a field of a message's head; names compared without case.
QByteArray headField(const QByteArray &head, const QByteArray &name)
{
    for (const QByteArray &line : head.split('\n')) {
        const qsizetype colon = line.indexOf(':');
        if (colon == name.size() && line.left(colon).compare(name, Qt::CaseInsensitive) == 0)
            return line.mid(colon + 1).trimmed();
    }
    return {};
}

} // namespace

void HttpPieces::feed(char *bytes, qsizetype size)
{
    char *const end = bytes + size;
    while (bytes < end) {
        switch (m_state) {
        case State::Head:
        case State::ChunkLine:
        case State::ChunkEnd:
        case State::Trailers: {
            auto *const newline = static_cast<char *>(std::memchr(bytes, '\n', size_t(end - bytes)));
            char *const stop = newline ? newline + 1 : end;
            m_line.append(bytes, stop - bytes);
            bytes = stop;
            if (!newline)
                return;
            if (m_state == State::ChunkLine) {
                takeChunkLine();
            } else if (m_state == State::ChunkEnd) {
                m_line.clear();
                m_state = State::ChunkLine;
            } else if (m_line.endsWith("\n\r\n") || m_line == "\r\n") {
                if (m_state == State::Trailers)
                    endMessage();
                else
                    takeHead();
            }
            break;
        }
        case State::Piece: {
            const qint64 part = std::min<qint64>(end - bytes, m_pieceSize - m_pieceAt);
            if (m_damaging) {
                const simulator::DamagedRange range = simulator::damagedRange(m_pieceSize);
                for (qint64 at = std::max(range.from, m_pieceAt); at < std::min(range.to, m_pieceAt + part);
                     ++at)
                    bytes[at - m_pieceAt] = simulator::damagedByte;
            }
            bytes += part;
            m_pieceAt += part;
            if (m_pieceAt == m_pieceSize) {
                m_state = m_afterPiece;
                if (m_state == State::Head)
                    endMessage();
            }
            break;
        }
        case State::Rest:
            return;
        }
    }
}

void HttpPieces::takeHead()
{
    const QByteArray head = std::exchange(m_line, {});
    if (head == "\r\n")
        return; // blank lines between messages
    const QList<QByteArray> words = head.left(head.indexOf('\r')).split(' ');
    bool bodyless = false;
    if (m_direction == Direction::Requests) {
        m_open->push_back({words.value(0), words.value(1)});
        if (onRequest)
            onRequest(m_open->back());
    } else {
        const int status = words.value(1).toInt();
        if (status / 100 == 1)
            return; // the answer is still to come
        bodyless = status == 204 || status == 304 || (!m_open->empty() && m_open->front().method == "HEAD");
    }
    if (bodyless) {
        endMessage();
    } else if (headField(head, "transfer-encoding").toLower().contains("chunked")) {
        m_state = State::ChunkLine;
    } else if (const QByteArray length = headField(head, "content-length"); !length.isEmpty()) {
        beginPiece(length.toLongLong(), State::Head);
    } else if (m_direction == Direction::Answers) {
        m_state = State::Rest; // until the connection closes
    }
}

void HttpPieces::takeChunkLine()
{
    const qint64 size = m_line.split(';').constFirst().trimmed().toLongLong(nullptr, 16);
    m_line.clear();
    if (size == 0)
        m_state = State::Trailers;
    else
        beginPiece(size, State::ChunkEnd);
}

void HttpPieces::beginPiece(qint64 size, State next)
{
    if (size == 0) {
        endMessage();
        return;
    }
    m_state = State::Piece;
    m_afterPiece = next;
    m_pieceSize = size;
    m_pieceAt = 0;
    m_damaging = m_direction == Direction::Answers && onPiece &&
                 onPiece(m_open->empty() ? QByteArray() : m_open->front().target, size);
}

void HttpPieces::endMessage()
{
    m_line.clear();
    m_state = State::Head;
    if (m_direction == Direction::Answers && !m_open->empty())
        m_open->pop_front();
}

} // namespace tongchi::test
