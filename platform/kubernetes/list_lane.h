#pragma once

#include "platform/core/result.h"
#include "platform/kubernetes/item_cutter.h"

#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tongchi {

/// Has a task run in another thread, now or later. Must not run it within the call when that call comes from
/// a task itself. A task that is never run makes its list wait for ever.
using ListExecutor = std::function<void(std::function<void()>)>;

/// What was read out of one piece of a list, in the order of the list. Filled in the executor's thread,
/// looked at in the owner's, never at the same time.
class ParsedItems : public ItemReceiver
{
public:
    virtual void clear() = 0; ///< memory is kept
};

/// How the body of a list ended.
struct ListEnd
{
    explicit ListEnd(const ItemCutter &cutter)
        : status(cutter.finish()), header(cutter.header()), items(cutter.itemCount()),
          statusJson(cutter.isStatus() ? cutter.headerJson() : std::string())
    {
    }
    Status status;
    ListHeader header;
    qint64 items;           ///< handed out and skipped ones
    std::string statusJson; ///< the Status object that came in place of a list; else empty
};

/// Cuts and parses the bodies of one reflector's lists in another thread, piece after piece in their order,
/// while the owner reads the next piece and applies the one before. All methods belong to the owner's thread.
/// Held by a shared_ptr, which a task under way shares: destroying the owner waits for nothing.
///
/// A list is begin(), any number of add() and finish(). Its pieces come back through take(), the last one
/// with `end`; one with `end` that is not the last has found that the body is no list.
class ListLane : public std::enable_shared_from_this<ListLane>
{
public:
    struct Piece
    {
        std::string text;
        std::unique_ptr<ParsedItems> items;
        qint64 itemsSoFar = 0;                    ///< of this body, handed out and skipped ones
        std::optional<qint64> remainingItemCount; ///< as far as known by then
        std::optional<ListEnd> end;
        bool first = false, last = false;
    };

    /// `makeItems` is called in the owner's thread, `ready` in the executor's when take() has something again
    /// (and not after detach()): it should only queue an event.
    ListLane(ListExecutor executor, std::size_t pieceBytes,
             std::function<std::unique_ptr<ParsedItems>()> makeItems, std::function<void()> ready);

    void begin();
    /// Copies the bytes. A piece goes its way when it is large enough or when none is under way.
    void add(std::string_view bytes);
    void finish();
    /// Forgets the list under way: none of its pieces comes back.
    void abandon();
    /// abandon(), and `ready` is never called again.
    void detach();
    /// The next piece that has been parsed, or null. Give it back when it is applied.
    std::unique_ptr<Piece> take();
    void giveBack(std::unique_ptr<Piece> piece);
    /// Pieces that went their way and were not given back yet.
    std::size_t ahead() const { return m_ahead; }
    /// Frees the memory of pieces that nobody needs now.
    void release();

private:
    Piece &filling();
    void submit();
    void work();
    void read(Piece &piece);

    // Of the owner's thread.
    const ListExecutor m_executor;
    const std::size_t m_pieceBytes;
    const std::function<std::unique_ptr<ParsedItems>()> m_makeItems;
    std::unique_ptr<Piece> m_filling;
    std::vector<std::unique_ptr<Piece>> m_spare;
    std::size_t m_ahead = 0;
    bool m_atStart = true;

    // Of the executor's thread, one task at a time.
    ItemCutter m_cutter;

    std::mutex m_mutex; ///< guards what follows
    std::function<void()> m_ready;
    std::deque<std::unique_ptr<Piece>> m_todo, m_done;
    quint64 m_generation = 0; ///< counts abandoned lists
    bool m_working = false;   ///< a task is with the executor
};

} // namespace tongchi
