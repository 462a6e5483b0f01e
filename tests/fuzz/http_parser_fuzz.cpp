// The first byte chooses the kind of request and how the rest is cut; whatever arrives, in one piece or in
// many, must give the same answer.

#include "platform/http/http_parser.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>

namespace {

struct ParsedAnswer
{
    std::string body;
    std::string head;
    int status = 0;
    bool finished = false;
    bool failed = false;
    bool operator==(const ParsedAnswer &) const = default;
};

ParsedAnswer parseInPieces(std::string_view bytes, size_t piece, tongchi::HttpParser::Request request)
{
    using Event = tongchi::HttpParser::Event;
    tongchi::HttpParser parser(request);
    ParsedAnswer answer;
    Event event = Event::NeedMore;
    while (!bytes.empty() && event != Event::Finished && event != Event::Failed) {
        std::string_view input = bytes.substr(0, piece);
        bytes.remove_prefix(input.size());
        do {
            event = parser.next(input);
            if (event == Event::Data)
                answer.body += parser.data();
            if (event == Event::Headers) {
                answer.status = parser.status();
                for (const auto &[key, value] : parser.headers())
                    answer.head += key.toStdString() + '=' + value.toStdString() + '\n';
            }
        } while (event == Event::Headers || event == Event::Data);
        if (event == Event::NeedMore && !input.empty())
            std::abort();
    }
    if (event == Event::NeedMore)
        event = parser.endOfInput();
    answer.finished = event == Event::Finished;
    answer.failed = event == Event::Failed;
    if (answer.failed && *parser.problem() == '\0')
        std::abort();
    return answer;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0)
        return 0;
    const auto request = static_cast<tongchi::HttpParser::Request>(data[0] % 3);
    const size_t piece = 1 + data[0] / 3 % 7;
    const std::string_view bytes(reinterpret_cast<const char *>(data) + 1, size - 1);
    const ParsedAnswer whole = parseInPieces(bytes, std::max<size_t>(bytes.size(), 1), request);
    if (whole != parseInPieces(bytes, piece, request))
        std::abort();
    return 0;
}
