#include "platform/http/http_parser.h"

#include <algorithm>
#include <cstring>
#include <limits>

namespace tongchi {

namespace {

bool isTokenCharacter(unsigned char c)
{
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
           (c != 0 && std::strchr("!#$%&'*+-.^_`|~", c) != nullptr);
}

bool isToken(std::string_view text)
{
    return !text.empty() &&
           std::all_of(text.begin(), text.end(), [](unsigned char c) { return isTokenCharacter(c); });
}

std::string_view trimBlanks(std::string_view text)
{
    while (!text.empty() && (text.front() == ' ' || text.front() == '\t'))
        text.remove_prefix(1);
    while (!text.empty() && (text.back() == ' ' || text.back() == '\t'))
        text.remove_suffix(1);
    return text;
}

bool sameWord(std::string_view left, std::string_view right)
{
    return left.size() == right.size() &&
           qstrnicmp(left.data(), qsizetype(left.size()), right.data(), qsizetype(right.size())) == 0;
}

std::string_view viewOf(const QByteArray &bytes)
{
    return {bytes.constData(), size_t(bytes.size())};
}

/// Calls `visit` for each element of a comma separated header value.
template <typename Visit> void forEachElement(std::string_view value, Visit visit)
{
    while (true) {
        const size_t comma = value.find(',');
        const std::string_view element = trimBlanks(value.substr(0, comma));
        if (!element.empty())
            visit(element);
        if (comma == std::string_view::npos)
            return;
        value.remove_prefix(comma + 1);
    }
}

bool parseDecimal(std::string_view digits, qint64 &value)
{
    if (digits.empty())
        return false;
    value = 0;
    for (const char c : digits) {
        if (c < '0' || c > '9' || value > (std::numeric_limits<qint64>::max() - 9) / 10)
            return false;
        value = value * 10 + (c - '0');
    }
    return true;
}

} // namespace

HttpParser::Event HttpParser::fail(const char *problem)
{
    m_state = State::Broken;
    m_problem = problem;
    m_keepAlive = false;
    m_data = {};
    return Event::Failed;
}

/// Collects one line, without its end, in m_line; false when it is not complete yet. A bare LF ends a line
/// too.
bool HttpParser::takeLine(std::string_view &input)
{
    if (m_lineComplete) {
        m_line.resize(0);
        m_lineComplete = false;
    }
    const size_t end = input.find('\n');
    const std::string_view part = input.substr(0, end);
    const qsizetype room = maxHeadBytes - m_headBytes;
    if (qsizetype(part.size()) >= room) {
        fail("the header fields are too long");
        return false;
    }
    m_headBytes += qsizetype(part.size()) + 1;
    m_line.append(part.data(), qsizetype(part.size()));
    if (end == std::string_view::npos) {
        m_headBytes -= 1;
        input = {};
        return false;
    }
    input.remove_prefix(end + 1);
    if (m_line.endsWith('\r'))
        m_line.chop(1);
    m_lineComplete = true;
    return true;
}

bool HttpParser::parseStatusLine()
{
    const std::string_view line = viewOf(m_line);
    // "HTTP/1.1 200 OK"; the reason may be missing, and so may the blank before it.
    if (line.size() < 12 || line.substr(0, 7) != "HTTP/1." || line[7] < '0' || line[7] > '9' ||
        line[8] != ' ')
        return false;
    if (line.size() > 12 && line[12] != ' ')
        return false;
    m_minorVersion = line[7] - '0';
    m_status = 0;
    for (size_t i = 9; i < 12; ++i) {
        if (line[i] < '0' || line[i] > '9')
            return false;
        m_status = m_status * 10 + (line[i] - '0');
    }
    return m_status >= 100 && m_status <= 599;
}

bool HttpParser::parseField()
{
    std::string_view line = viewOf(m_line);
    if (line.find('\0') != std::string_view::npos || line.find('\r') != std::string_view::npos)
        return false;
    if (line.front() == ' ' || line.front() == '\t') {
        // A folded line continues the value before it.
        if (m_headers.isEmpty())
            return false;
        const std::string_view more = trimBlanks(line);
        m_headers.last().second += ' ';
        m_headers.last().second.append(more.data(), qsizetype(more.size()));
        return true;
    }
    const size_t colon = line.find(':');
    if (colon == std::string_view::npos || !isToken(line.substr(0, colon)) || m_headers.size() >= maxFields)
        return false;
    const std::string_view value = trimBlanks(line.substr(colon + 1));
    m_headers.emplace_back(QByteArray(line.data(), qsizetype(colon)),
                           QByteArray(value.data(), qsizetype(value.size())));
    return true;
}

/// How the body is delimited (RFC 9112, section 6.3). Two different answers to that question are refused.
bool HttpParser::decideFraming()
{
    bool chunked = false;
    bool otherCoding = false;
    qint64 length = -1;
    m_keepAlive = m_minorVersion >= 1;
    for (const auto &[key, value] : m_headers) {
        const std::string_view name = viewOf(key);
        if (sameWord(name, "transfer-encoding")) {
            forEachElement(viewOf(value), [&](std::string_view coding) {
                if (sameWord(coding, "chunked") && !chunked)
                    chunked = true;
                else if (!sameWord(coding, "identity"))
                    otherCoding = true;
            });
        } else if (sameWord(name, "content-length")) {
            bool good = true;
            forEachElement(viewOf(value), [&](std::string_view digits) {
                qint64 number = 0;
                if (!parseDecimal(digits, number) || (length >= 0 && length != number))
                    good = false;
                length = number;
            });
            if (!good || length < 0) {
                fail("Content-Length is not one number");
                return false;
            }
        } else if (sameWord(name, "connection")) {
            forEachElement(viewOf(value), [&](std::string_view option) {
                if (sameWord(option, "close"))
                    m_keepAlive = false;
                else if (sameWord(option, "keep-alive") && m_minorVersion == 0)
                    m_keepAlive = true;
            });
        }
    }
    if (otherCoding) {
        fail("the transfer coding is not known");
        return false;
    }
    const bool bodyless = m_request == Request::Head ||
                          (m_request == Request::Connect && m_status / 100 == 2) || m_status == 204 ||
                          m_status == 304;
    if (bodyless) {
        m_framing = Framing::None;
    } else if (chunked) {
        m_framing = Framing::Chunked;
        if (length >= 0)
            m_keepAlive = false; // a sender that says both is not to be trusted with a second message
    } else if (length >= 0) {
        m_framing = Framing::Length;
        m_contentLength = length;
    } else {
        m_framing = Framing::UntilClose;
    }
    return true;
}

HttpParser::Event HttpParser::finishHead()
{
    if (m_status / 100 == 1 && m_status != 101) {
        if (++m_interim > maxInterim)
            return fail("too many interim answers");
        m_headers.clear();
        m_headBytes = 0;
        m_state = State::StatusLine;
        return Event::NeedMore;
    }
    if (m_status == 101)
        return fail("the server changed to another protocol");
    if (!decideFraming())
        return Event::Failed;
    m_headersDone = true;
    m_headBytes = 0;
    m_state = State::BodyStart;
    return Event::Headers;
}

/// "1a2b" with optional extensions behind a semicolon.
bool HttpParser::parseChunkSize()
{
    const std::string_view line = viewOf(m_line);
    const std::string_view digits = trimBlanks(line.substr(0, line.find(';')));
    if (digits.empty() || digits.size() > 15)
        return false;
    m_left = 0;
    for (const char c : digits) {
        int digit = 0;
        if (c >= '0' && c <= '9')
            digit = c - '0';
        else if ((c | 0x20) >= 'a' && (c | 0x20) <= 'f')
            digit = (c | 0x20) - 'a' + 10;
        else
            return false;
        m_left = m_left * 16 + quint64(digit);
    }
    return true;
}

HttpParser::Event HttpParser::takeBody(std::string_view &input)
{
    const size_t size = size_t(std::min<quint64>(m_left, input.size()));
    m_data = input.substr(0, size);
    input.remove_prefix(size);
    m_left -= size;
    return Event::Data;
}

HttpParser::Event HttpParser::next(std::string_view &input)
{
    m_data = {};
    m_started = m_started || !input.empty();
    while (true) {
        switch (m_state) {
        case State::StatusLine:
            if (!takeLine(input))
                return m_state == State::Broken ? Event::Failed : Event::NeedMore;
            if (!parseStatusLine())
                return fail("this is not an HTTP answer");
            m_state = State::Fields;
            break;
        case State::Fields:
            if (!takeLine(input))
                return m_state == State::Broken ? Event::Failed : Event::NeedMore;
            if (!m_line.isEmpty()) {
                if (!parseField())
                    return fail("a header field cannot be understood");
                break;
            }
            if (const Event event = finishHead(); event != Event::NeedMore)
                return event;
            break;
        case State::BodyStart:
            if (m_framing == Framing::None || (m_framing == Framing::Length && m_contentLength == 0)) {
                m_state = State::Done;
            } else if (m_framing == Framing::Chunked) {
                m_state = State::ChunkSize;
            } else {
                m_left = m_framing == Framing::Length ? quint64(m_contentLength)
                                                      : std::numeric_limits<quint64>::max();
                m_state = State::Body;
            }
            break;
        case State::Body:
            if (m_left == 0) {
                m_state = State::Done;
                break;
            }
            if (input.empty())
                return Event::NeedMore;
            return takeBody(input);
        case State::ChunkSize:
            if (!takeLine(input))
                return m_state == State::Broken ? Event::Failed : Event::NeedMore;
            if (!parseChunkSize())
                return fail("a chunk size cannot be understood");
            m_headBytes = 0;
            m_state = m_left == 0 ? State::Trailers : State::ChunkData;
            break;
        case State::ChunkData:
            if (m_left == 0) {
                m_state = State::ChunkEnd;
                break;
            }
            if (input.empty())
                return Event::NeedMore;
            return takeBody(input);
        case State::ChunkEnd:
            if (!takeLine(input))
                return m_state == State::Broken ? Event::Failed : Event::NeedMore;
            if (!m_line.isEmpty())
                return fail("a chunk is longer than it says");
            m_headBytes = 0;
            m_state = State::ChunkSize;
            break;
        case State::Trailers:
            if (!takeLine(input))
                return m_state == State::Broken ? Event::Failed : Event::NeedMore;
            if (m_line.isEmpty())
                m_state = State::Done;
            break;
        case State::Done:
            return Event::Finished;
        case State::Broken:
            return Event::Failed;
        }
    }
}

HttpParser::Event HttpParser::endOfInput()
{
    m_data = {};
    if (m_state == State::Broken)
        return Event::Failed;
    if (m_state == State::Done || (m_headersDone && m_framing == Framing::UntilClose) ||
        (m_state == State::BodyStart && (m_framing == Framing::None || m_contentLength == 0))) {
        m_state = State::Done;
        m_keepAlive = false;
        return Event::Finished;
    }
    if (!m_started)
        return fail("the connection was closed without an answer");
    return fail(m_headersDone ? "the connection was closed in the middle of the body"
                              : "the connection was closed in the middle of the header fields");
}

} // namespace tongchi
