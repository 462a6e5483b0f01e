#include "platform/kubernetes/object_parser.h"
#include "platform/kubernetes/watch_framing.h"

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

namespace {

class Events final : public tongchi::WatchEventReceiver
{
public:
    bool event(tongchi::WatchEventType type, std::string_view object) override
    {
        char padding[tongchi::kJsonPadding];
        std::memcpy(padding, object.data() + object.size(), sizeof padding);
        (void)tongchi::findIdentity(object);
        seen.push_back(std::to_string(int(type)) + std::string(object));
        return true;
    }
    bool damagedLine(std::string_view beginning, const char *reason) override
    {
        return skippedLine(beginning, reason);
    }
    bool skippedLine(std::string_view, const char *reason) override
    {
        seen.emplace_back(reason);
        return true;
    }
    std::vector<std::string> seen;
};

void feedCopy(tongchi::WatchFraming &framing, std::string_view piece, Events &events)
{
    const std::unique_ptr<char[]> copy(new char[piece.size() + 1]);
    std::memcpy(copy.get(), piece.data(), piece.size());
    framing.feed({copy.get(), piece.size()}, events);
}

} // namespace

// Any bytes as a watch body, whole and in pieces.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0)
        return 0;
    const std::size_t piece = 1 + data[0] % 90;
    const std::string_view body(reinterpret_cast<const char *>(data) + 1, size - 1);
    tongchi::WatchFraming whole(400), pieces(400);
    Events wholeEvents, pieceEvents;
    feedCopy(whole, body, wholeEvents);
    whole.finish(wholeEvents);
    for (std::size_t at = 0; at < body.size(); at += piece)
        feedCopy(pieces, body.substr(at, piece), pieceEvents);
    pieces.finish(pieceEvents);
    if (wholeEvents.seen != pieceEvents.seen)
        std::abort();
    return 0;
}
