#include "platform/http/inflate_stream.h"

#include <algorithm>
#include <limits>
#include <vector>
#include <zlib.h>

namespace tongchi {

struct InflateStream::Stream
{
    enum class State { Start, Running, MemberEnd, Failed };

    explicit Stream(Coding wanted) : coding(wanted), buffer(size_t(bufferBytes)) {}
    ~Stream()
    {
        if (initialised)
            inflateEnd(&z);
    }
    bool start(int windowBits)
    {
        z = {};
        initialised = inflateInit2(&z, windowBits) == Z_OK;
        return initialised;
    }

    Coding coding;
    State state = State::Start;
    std::vector<char> buffer;
    z_stream z = {};
    bool initialised = false;
    bool moreOutput = false; ///< the buffer was filled to the brim: zlib may hold more
};

InflateStream::InflateStream(Coding coding) : m_stream(std::make_unique<Stream>(coding)) {}
InflateStream::~InflateStream() = default;
InflateStream::InflateStream(InflateStream &&) noexcept = default;
InflateStream &InflateStream::operator=(InflateStream &&) noexcept = default;

InflateStream::Coding InflateStream::codingOf(const QByteArray &contentEncoding)
{
    const QByteArray name = contentEncoding.trimmed().toLower();
    if (name.isEmpty() || name == "identity")
        return Coding::Identity;
    if (name == "gzip" || name == "x-gzip")
        return Coding::Gzip;
    if (name == "deflate")
        return Coding::Deflate;
    return Coding::Unknown;
}

InflateStream::Event InflateStream::next(std::string_view &input)
{
    Stream &s = *m_stream;
    m_data = {};
    const auto failed = [&](const char *problem) {
        s.state = Stream::State::Failed;
        m_problem = problem;
        return Event::Failed;
    };
    if (s.state == Stream::State::Failed)
        return Event::Failed;
    while (!input.empty() || s.moreOutput) {
        if (s.state == Stream::State::Start) {
            // "deflate" means the zlib form, but some servers send the bare stream; a zlib header starts with
            // x8.
            const bool bare =
                s.coding == Coding::Deflate && (static_cast<unsigned char>(input.front()) & 0x0F) != 8;
            if (!s.start(s.coding == Coding::Gzip ? 15 + 16 : bare ? -15 : 15))
                return failed("out of memory for decompression");
            s.state = Stream::State::Running;
        } else if (s.state == Stream::State::MemberEnd) {
            // gzip members may follow one another.
            if (s.coding != Coding::Gzip || inflateReset(&s.z) != Z_OK)
                return failed("there are bytes behind the end of the compressed body");
            s.state = Stream::State::Running;
        }
        const size_t given = std::min<size_t>(input.size(), std::numeric_limits<uInt>::max());
        s.z.next_in = reinterpret_cast<Bytef *>(const_cast<char *>(input.data()));
        s.z.avail_in = uInt(given);
        s.z.next_out = reinterpret_cast<Bytef *>(s.buffer.data());
        s.z.avail_out = uInt(s.buffer.size());
        const int code = inflate(&s.z, Z_NO_FLUSH);
        input.remove_prefix(given - s.z.avail_in);
        const size_t produced = s.buffer.size() - s.z.avail_out;
        s.moreOutput = s.z.avail_out == 0 && code == Z_OK;
        if (code == Z_STREAM_END)
            s.state = Stream::State::MemberEnd;
        else if (code != Z_OK && code != Z_BUF_ERROR)
            return failed("the compressed body is damaged");
        if (produced > 0) {
            m_data = {s.buffer.data(), produced};
            return Event::Data;
        }
        if (code == Z_BUF_ERROR)
            break;
    }
    return Event::NeedMore;
}

bool InflateStream::complete() const
{
    return m_stream->state == Stream::State::MemberEnd || m_stream->state == Stream::State::Start;
}

} // namespace tongchi
