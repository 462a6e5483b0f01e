#pragma once

#include "platform/kubernetes/item_cutter.h"
#include "platform/kubernetes/object_parser.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

// Shared by the targets that read lists: the same bytes whole and in pieces must give the same elements.

namespace tongchi::fuzz {

class Elements final : public ItemReceiver
{
public:
    void item(std::string_view json) override
    {
        char padding[kJsonPadding];
        std::memcpy(padding, json.data() + json.size(), sizeof padding);
        seen.emplace_back(json);
    }
    void skippedItem(std::string_view, const char *reason) override { seen.emplace_back(reason); }
    std::vector<std::string> seen;
};

inline void feedCopy(ItemCutter &cutter, std::string_view piece, ItemReceiver &receiver)
{
    const std::unique_ptr<char[]> copy(new char[piece.size() + 1]);
    std::copy(piece.begin(), piece.end(), copy.get());
    cutter.feed({copy.get(), piece.size()}, receiver);
}

/// Cuts the bytes as a list and parses its elements, then parses them as one object.
template <typename Record, typename Parser> void readList(const std::uint8_t *data, std::size_t size)
{
    const std::string_view body(reinterpret_cast<const char *>(data), size);
    class Parsing final : public ItemReceiver
    {
    public:
        void item(std::string_view json) override
        {
            UnreadableObject why;
            if (!m_parser.parse(json, m_record, why) && why.reason.empty())
                std::abort();
        }
        void skippedItem(std::string_view beginning, const char *) override { (void)findIdentity(beginning); }

    private:
        Parser m_parser;
        Record m_record;
    } parsing;
    ItemCutter cutter({.itemBytes = 65536, .headerBytes = 4096});
    feedCopy(cutter, body, parsing);
    (void)cutter.finish();

    // And the bytes as one object, whatever the cutter would say of them.
    Parser parser;
    Record record;
    UnreadableObject why;
    const std::unique_ptr<char[]> padded(new char[size + kJsonPadding]());
    std::copy(body.begin(), body.end(), padded.get());
    if (!parser.parse({padded.get(), size}, record, why) && why.reason.empty())
        std::abort();
    (void)findIdentity(body);
}

} // namespace tongchi::fuzz
