#pragma once

#include "platform/kubernetes/item_cutter.h"

#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace tongchi::test {

/// Keeps what a cutter hands out, and touches the padding that it promises.
class ListCollector final : public ItemReceiver
{
public:
    void item(std::string_view json) override
    {
        char padding[kJsonPadding];
        std::memcpy(padding, json.data() + json.size(), sizeof padding);
        items.emplace_back(json);
    }
    void skippedItem(std::string_view beginning, const char *reason) override
    {
        skipped.emplace_back(std::string(beginning.substr(0, 60)), reason);
    }

    std::vector<std::string> items;
    std::vector<std::pair<std::string, std::string>> skipped;
};

/// Feeds a piece from memory of exactly its size, so that a sanitizer sees every read beyond it.
inline bool feedExactly(ItemCutter &cutter, std::string_view piece, ItemReceiver &receiver)
{
    const std::unique_ptr<char[]> copy(new char[piece.size()]);
    std::memcpy(copy.get(), piece.data(), piece.size());
    return cutter.feed({copy.get(), piece.size()}, receiver);
}

/// The whole body in pieces of `size`.
inline void feedInPieces(ItemCutter &cutter, std::string_view body, std::size_t size, ItemReceiver &receiver)
{
    for (std::size_t at = 0; at < body.size(); at += size)
        feedExactly(cutter, body.substr(at, size), receiver);
}

} // namespace tongchi::test
