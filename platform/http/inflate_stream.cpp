#include "platform/http/inflate_stream.h"

#include <algorithm>
#include <isa-l/igzip_lib.h>
#include <limits>
#include <vector>

namespace tongchi {

struct InflateStream::Stream
{
    enum class State { Start, Header, Running, MemberEnd, Failed };

    explicit Stream(Coding wanted) : coding(wanted), buffer(size_t(bufferBytes)) {}
    /// `wrapper`: ISAL_GZIP_NO_HDR_VER, ISAL_ZLIB_NO_HDR_VER or ISAL_DEFLATE. The header is read by
    /// readHeader(): isal_inflate() would forget its flags where a piece ends within it.
    void start(std::uint32_t wrapper)
    {
        isal_inflate_init(&inflater);
        inflater.crc_flag = wrapper;
        gzipHeader = {};
        zlibHeader = {};
        isal_gzip_header_init(&gzipHeader);
        state = wrapper == ISAL_DEFLATE ? State::Running : State::Header;
    }
    int readHeader()
    {
        return inflater.crc_flag == ISAL_GZIP_NO_HDR_VER ? isal_read_gzip_header(&inflater, &gzipHeader)
                                                         : isal_read_zlib_header(&inflater, &zlibHeader);
    }

    Coding coding;
    State state = State::Start;
    std::vector<char> buffer;
    inflate_state inflater; ///< 86 KB, set up by start()
    isal_gzip_header gzipHeader;
    isal_zlib_header zlibHeader;
    bool moreOutput = false; ///< the buffer was filled to the brim: the inflater may hold more
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
            s.start(s.coding == Coding::Gzip ? ISAL_GZIP_NO_HDR_VER
                    : bare                   ? ISAL_DEFLATE
                                             : ISAL_ZLIB_NO_HDR_VER);
        } else if (s.state == Stream::State::MemberEnd) {
            // gzip members may follow one another.
            if (s.coding != Coding::Gzip)
                return failed("there are bytes behind the end of the compressed body");
            s.start(ISAL_GZIP_NO_HDR_VER);
        }
        const size_t given = std::min<size_t>(input.size(), std::numeric_limits<std::uint32_t>::max());
        s.inflater.next_in = reinterpret_cast<std::uint8_t *>(const_cast<char *>(input.data()));
        s.inflater.avail_in = std::uint32_t(given);
        if (s.state == Stream::State::Header) {
            const int code = s.readHeader();
            if (code != ISAL_DECOMP_OK && code != ISAL_END_INPUT)
                return failed("the compressed body is damaged");
            if (code == ISAL_DECOMP_OK)
                s.state = Stream::State::Running;
            input.remove_prefix(given - s.inflater.avail_in);
            continue;
        }
        s.inflater.next_out = reinterpret_cast<std::uint8_t *>(s.buffer.data());
        s.inflater.avail_out = std::uint32_t(s.buffer.size());
        const int code = isal_inflate(&s.inflater);
        size_t taken = given - s.inflater.avail_in;
        const size_t produced = s.buffer.size() - s.inflater.avail_out;
        if (s.inflater.block_state == ISAL_BLOCK_FINISH && code == ISAL_DECOMP_OK) {
            s.state = Stream::State::MemberEnd;
            // Whole bytes behind the end that were read ahead belong to whatever comes next.
            if (s.inflater.read_in_length > 0)
                taken -= std::min(taken, size_t(s.inflater.read_in_length) / 8);
        } else if (code != ISAL_DECOMP_OK && code != ISAL_END_INPUT) {
            return failed("the compressed body is damaged");
        }
        input.remove_prefix(taken);
        s.moreOutput = s.state == Stream::State::Running && s.inflater.avail_out == 0;
        if (produced > 0) {
            m_data = {s.buffer.data(), produced};
            return Event::Data;
        }
        if (taken == 0)
            break;
    }
    return Event::NeedMore;
}

bool InflateStream::complete() const
{
    return m_stream->state == Stream::State::MemberEnd || m_stream->state == Stream::State::Start;
}

} // namespace tongchi
