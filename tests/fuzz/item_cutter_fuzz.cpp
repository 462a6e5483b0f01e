#include "tests/fuzz/list_fuzz.h"

// Any bytes as a list body, whole and in pieces.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    using namespace tongchi;
    if (size == 0)
        return 0;
    const std::size_t piece = 1 + data[0] % 90;
    const std::string_view body(reinterpret_cast<const char *>(data) + 1, size - 1);
    const ItemCutter::Limits limits{.itemBytes = 500, .headerBytes = 300, .depth = 10};
    ItemCutter whole(limits), pieces(limits);
    fuzz::Elements wholeElements, pieceElements;
    fuzz::feedCopy(whole, body, wholeElements);
    for (std::size_t at = 0; at < body.size(); at += piece)
        fuzz::feedCopy(pieces, body.substr(at, piece), pieceElements);
    if (wholeElements.seen != pieceElements.seen ||
        whole.finish().has_value() != pieces.finish().has_value() ||
        whole.headerJson() != pieces.headerJson() ||
        whole.header().resourceVersion != pieces.header().resourceVersion)
        std::abort();
    return 0;
}
