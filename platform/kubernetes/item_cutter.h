#pragma once

#include "platform/core/result.h"
#include "platform/kubernetes/json_scan.h"

#include <QtGlobal>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace tongchi {

/// What a list says about itself, or what a Status object says instead.
struct ListHeader
{
    std::string kind, apiVersion;
    std::string resourceVersion;              ///< opaque; empty when the list has none (yet)
    std::string continueToken;                ///< empty: this was the last page
    std::optional<qint64> remainingItemCount; ///< an estimate of the server's
};

/// Receives the elements of a list in their order.
class ItemReceiver
{
public:
    virtual ~ItemReceiver() = default;
    /// One object's text. Valid during the call only; kJsonPadding bytes behind it may be read.
    virtual void item(std::string_view json) = 0;
    /// An element that is not handed out: no object, too large or too deep. `beginning` is its start, as far
    /// as kept.
    virtual void skippedItem(std::string_view beginning, const char *reason) = 0;
};

/// Cuts the elements of "items" out of a list body that arrives in pieces of any size, and remembers what
/// else the list says. An element inside one piece is not copied; one that crosses pieces is put together in
/// a buffer that is kept. Memory is bounded by the limits whatever arrives. Accepts fields in any order,
/// blanks anywhere, items: null, and a Status object in place of a list. Not thread-safe.
class ItemCutter
{
public:
    struct Limits
    {
        std::size_t itemBytes = 4 * 1024 * 1024;
        std::size_t headerBytes = 64 * 1024; ///< all of the list apart from its items
        int depth = 128;                     ///< nesting inside one element
    };

    ItemCutter() = default;
    explicit ItemCutter(Limits limits) : m_limits(limits) {}

    /// Ready for the next body; buffers are kept.
    void reset();
    /// False once the body cannot be a list any more; finish() then says why.
    bool feed(std::string_view bytes, ItemReceiver &receiver);
    /// The body is over: an error if it was no complete list (truncated, garbage, too large a header).
    [[nodiscard]] Status finish() const;

    /// Complete after the list's metadata was seen, which may be before or after the items.
    const ListHeader &header() const { return m_header; }
    /// The fields of the body apart from items, as an object: the whole of a Status.
    std::string headerJson() const { return m_headerJson.empty() ? std::string("{}") : m_headerJson + '}'; }
    bool isStatus() const { return m_header.kind == "Status"; }
    bool done() const { return m_state == State::Done; }
    qint64 itemCount() const { return m_items; } ///< handed out and skipped ones
    qint64 offset() const { return m_offset; }   ///< bytes of this body so far

private:
    enum class State : quint8 {
        Start,
        KeyOrEnd,
        Key,
        Colon,
        Value,
        CommaOrEnd,
        ItemOrEnd,
        Item,
        ItemCommaOrEnd,
        Done,
        Failed
    };
    enum class Role : quint8 { None, Key, Field, Items, Item };

    const char *step(const char *at);
    const char *beginValue(const char *at, Role role);
    void keep(std::string_view part);
    void valueComplete(std::string_view text, ItemReceiver &receiver);
    void fieldComplete(std::string_view text);
    void itemComplete(std::string_view text, ItemReceiver &receiver);
    void fail(const char *reason, const char *at);
    void readMetadata(std::string_view text);

    Limits m_limits;
    State m_state = State::Start;
    Role m_role = Role::None; ///< of the value being scanned; None: between values
    JsonValueScanner m_scanner;
    std::size_t m_valueSize = 0; ///< of the value being scanned, kept or not
    std::string m_carry;         ///< beginning of a value that crosses pieces
    std::string m_key;
    std::string m_headerJson;
    ListHeader m_header;
    bool m_sawItems = false;
    const char *m_pieceBegin = nullptr;
    qint64 m_offset = 0; ///< bytes of the pieces before the current one
    qint64 m_items = 0;
    const char *m_failure = nullptr; ///< static storage
    qint64 m_failedAt = 0;
};

} // namespace tongchi
