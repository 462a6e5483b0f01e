// Compressed bodies cut anywhere and damaged anyhow: the same bytes come out, or the same failure.

#include "platform/http/inflate_stream.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>

namespace {

struct InflatedBody
{
    std::string bytes;
    bool failed = false;
    bool complete = false;
    bool operator==(const InflatedBody &) const = default;
};

InflatedBody inflateInPieces(std::string_view bytes, size_t piece, tongchi::InflateStream::Coding coding)
{
    using Event = tongchi::InflateStream::Event;
    constexpr size_t enough = 4 * 1024 * 1024;
    tongchi::InflateStream stream(coding);
    InflatedBody body;
    while (!bytes.empty() && !body.failed && body.bytes.size() < enough) {
        std::string_view input = bytes.substr(0, piece);
        bytes.remove_prefix(input.size());
        Event event = Event::NeedMore;
        while ((event = stream.next(input)) == Event::Data && body.bytes.size() < enough)
            body.bytes += stream.data();
        body.failed = event == Event::Failed;
    }
    // How far it got before the damage depends on the pieces; that it is damaged does not.
    body.bytes.resize(body.failed ? 0 : std::min(body.bytes.size(), enough));
    body.complete = !body.failed && body.bytes.size() < enough && stream.complete();
    return body;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0)
        return 0;
    const auto coding =
        data[0] % 2 ? tongchi::InflateStream::Coding::Gzip : tongchi::InflateStream::Coding::Deflate;
    const size_t piece = 1 + data[0] / 2 % 9;
    const std::string_view bytes(reinterpret_cast<const char *>(data) + 1, size - 1);
    if (inflateInPieces(bytes, std::max<size_t>(bytes.size(), 1), coding) !=
        inflateInPieces(bytes, piece, coding))
        std::abort();
    return 0;
}
