#include "platform/kubernetes/list_lane.h"

#include <utility>

#if defined(__GLIBC__)
#include <malloc.h>
#endif

namespace tongchi {

ListLane::ListLane(ListExecutor executor, std::size_t pieceBytes,
                   std::function<std::unique_ptr<ParsedItems>()> makeItems, std::function<void()> ready)
    : m_executor(std::move(executor)), m_pieceBytes(pieceBytes), m_makeItems(std::move(makeItems)),
      m_ready(std::move(ready))
{
}

void ListLane::begin()
{
    abandon();
    m_atStart = true;
}

ListLane::Piece &ListLane::filling()
{
    if (m_filling)
        return *m_filling;
    if (m_spare.empty()) {
        m_filling = std::make_unique<Piece>();
        m_filling->items = m_makeItems();
    } else {
        m_filling = std::move(m_spare.back());
        m_spare.pop_back();
    }
    m_filling->first = std::exchange(m_atStart, false);
    return *m_filling;
}

void ListLane::add(std::string_view bytes)
{
    filling().text.append(bytes);
    // A reader that has nothing to do gets what there is: a slow link is not made slower.
    if (m_filling->text.size() >= m_pieceBytes || m_ahead == 0)
        submit();
}

void ListLane::finish()
{
    filling().last = true;
    submit();
}

void ListLane::submit()
{
    ++m_ahead;
    {
        const std::lock_guard lock(m_mutex);
        m_todo.push_back(std::move(m_filling));
        if (std::exchange(m_working, true))
            return;
    }
    m_executor([self = shared_from_this()] { self->work(); });
}

void ListLane::abandon()
{
    m_filling.reset();
    m_ahead = 0;
    std::deque<std::unique_ptr<Piece>> todo, done; // freed outside the lock
    const std::lock_guard lock(m_mutex);
    ++m_generation;
    m_todo.swap(todo);
    m_done.swap(done);
}

void ListLane::detach()
{
    abandon();
    const std::lock_guard lock(m_mutex);
    m_ready = nullptr;
}

std::unique_ptr<ListLane::Piece> ListLane::take()
{
    const std::lock_guard lock(m_mutex);
    if (m_done.empty())
        return nullptr;
    std::unique_ptr<Piece> piece = std::move(m_done.front());
    m_done.pop_front();
    return piece;
}

void ListLane::giveBack(std::unique_ptr<Piece> piece)
{
    if (m_ahead > 0) // else the list was abandoned while the piece was being applied
        --m_ahead;
    piece->text.clear();
    piece->items->clear();
    piece->end.reset();
    piece->first = piece->last = false;
    m_spare.push_back(std::move(piece));
}

void ListLane::release()
{
    m_spare.clear();
    m_spare.shrink_to_fit();
#if defined(__GLIBC__)
    malloc_trim(0); // what the C library would keep for later is as large as the pieces were
#endif
}

// One piece a task, so that the lanes that share a thread take turns.
void ListLane::work()
{
    std::unique_lock lock(m_mutex);
    if (!m_todo.empty()) {
        std::unique_ptr<Piece> piece = std::move(m_todo.front());
        m_todo.pop_front();
        const quint64 generation = m_generation;
        lock.unlock();
        read(*piece);
        lock.lock();
        if (generation == m_generation) {
            m_done.push_back(std::move(piece));
            if (m_done.size() == 1 && m_ready)
                m_ready();
        }
    }
    m_working = !m_todo.empty();
    if (!m_working)
        return;
    lock.unlock();
    m_executor([self = shared_from_this()] { self->work(); });
}

void ListLane::read(Piece &piece)
{
    if (piece.first)
        m_cutter.reset();
    const bool fine = m_cutter.feed(piece.text, *piece.items);
    piece.itemsSoFar = m_cutter.itemCount();
    piece.remainingItemCount = m_cutter.header().remainingItemCount;
    if (!fine || piece.last)
        piece.end.emplace(m_cutter);
    if (piece.last)
        m_cutter.reset();
}

} // namespace tongchi
