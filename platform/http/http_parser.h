#pragma once

#include "platform/http/http_message.h"

#include <QByteArray>
#include <string_view>

namespace tongchi {

/// Takes one HTTP/1.x answer apart, at whatever bytes it arrives cut. Pull style: the caller asks for the
/// next event, so it may stop between any two of them (back-pressure) and nothing is called back. Body bytes
/// are views into the caller's input and are never copied.
///
/// Understands Content-Length, chunked bodies (extensions and trailers are skipped) and bodies that end with
/// the connection; interim answers (1xx) are skipped. Anything ambiguous is refused: this parser talks to
/// servers on the far side of proxies, where two readings of one message are an attack.
class HttpParser
{
public:
    enum class Event {
        NeedMore, ///< all input used; feed more or call endOfInput()
        Headers,  ///< status() and headers() are complete
        Data,     ///< data() holds a piece of the body, valid as long as the input
        Finished, ///< the answer is complete; what is left of the input is not ours
        Failed,   ///< problem() says why; the connection is useless
    };
    /// What kind of request is answered: decides whether a body can follow.
    enum class Request { Normal, Head, Connect };

    static constexpr qsizetype maxHeadBytes =
        256 * 1024; ///< status line and all header fields, trailers likewise
    static constexpr qsizetype maxFields = 512;
    static constexpr int maxInterim = 32;

    explicit HttpParser(Request request = Request::Normal) : m_request(request) {}
    void reset(Request request) { *this = HttpParser(request); }

    /// Consumes from the front of `input`.
    Event next(std::string_view &input);
    /// The connection was closed by the other side: Finished if the body ends that way, else Failed.
    Event endOfInput();

    int status() const { return m_status; }
    const HeaderList &headers() const { return m_headers; }
    std::string_view data() const { return m_data; }
    /// English, for an error's detail; never holds bytes of a header.
    const char *problem() const { return m_problem; }
    /// The connection may carry another request after Finished.
    bool keepAlive() const { return m_keepAlive && m_framing != Framing::UntilClose; }
    /// Any byte of the answer has been seen.
    bool started() const { return m_started; }
    bool headersDone() const { return m_headersDone; }
    /// Body length as announced; -1 when unknown.
    qint64 contentLength() const { return m_framing == Framing::Length ? m_contentLength : -1; }

private:
    enum class State {
        StatusLine,
        Fields,
        BodyStart,
        Body,
        ChunkSize,
        ChunkData,
        ChunkEnd,
        Trailers,
        Done,
        Broken
    };
    enum class Framing { None, Length, Chunked, UntilClose };

    bool takeLine(std::string_view &input);
    Event fail(const char *problem);
    bool parseStatusLine();
    bool parseField();
    Event finishHead();
    bool decideFraming();
    bool parseChunkSize();
    Event takeBody(std::string_view &input);

    State m_state = State::StatusLine;
    Request m_request = Request::Normal;
    Framing m_framing = Framing::None;
    QByteArray m_line;
    bool m_lineComplete = false;
    HeaderList m_headers;
    std::string_view m_data;
    const char *m_problem = "";
    qint64 m_contentLength = -1;
    quint64 m_left = 0;
    qsizetype m_headBytes = 0;
    int m_status = 0;
    int m_minorVersion = 1;
    int m_interim = 0;
    bool m_keepAlive = true;
    bool m_started = false;
    bool m_headersDone = false;
};

} // namespace tongchi
