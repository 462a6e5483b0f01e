#pragma once

#include <QByteArray>
#include <deque>
#include <functional>

namespace tongchi::test {

/// Follows the bytes of one direction of an HTTP/1.1 connection and finds the pieces of its bodies: chunks,
/// or a whole body of announced length. Written without a line of the product's HTTP code.
class HttpPieces
{
public:
    struct Request
    {
        QByteArray method, target;
    };
    enum class Direction { Requests, Answers };

    /// `open`: requests that have no whole answer yet, shared by both directions of a connection.
    HttpPieces(Direction direction, std::deque<Request> *open) : m_direction(direction), m_open(open) {}

    /// A piece of an answer to the target begins; true: it has to be damaged.
    std::function<bool(const QByteArray &target, qint64 size)> onPiece;
    /// A request was made.
    std::function<void(const Request &request)> onRequest;

    /// Bytes that belong to a piece which has to be damaged are overwritten.
    void feed(char *bytes, qsizetype size);

private:
    enum class State { Head, ChunkLine, Piece, ChunkEnd, Trailers, Rest };

    void takeHead();
    void takeChunkLine();
    void beginPiece(qint64 size, State next);
    void endMessage();

    Direction m_direction;
    std::deque<Request> *m_open;
    State m_state = State::Head;
    State m_afterPiece = State::Head;
    QByteArray m_line; ///< head, chunk line or trailers so far
    qint64 m_pieceSize = 0, m_pieceAt = 0;
    bool m_damaging = false;
};

} // namespace tongchi::test
