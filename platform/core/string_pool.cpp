#include "platform/core/string_pool.h"

#include <array>
#include <atomic>
#include <cstring>
#include <mutex>
#include <vector>

namespace tongchi {
namespace {

constexpr std::size_t blockBytes = 64 * 1024;
constexpr std::size_t viewsPerChunk = 4096;
constexpr std::size_t mostChunks = 4096; // 16.7 million strings

std::uint64_t hashOf(std::string_view text)
{
    return std::hash<std::string_view>{}(text);
}

} // namespace

// The mutex protects the writer side: arena, table and count. Readers go through chunks of views whose addresses
// never change; a reader got its id from somebody who had already published it.
struct StringPool::State
{
    using Chunk = std::array<std::string_view, viewsPerChunk>;
    std::array<std::atomic<Chunk *>, mostChunks> chunks{};
    std::atomic<std::uint32_t> count{0};
    mutable std::mutex mutex;
    std::vector<std::unique_ptr<char[]>> blocks;
    std::size_t blockUsed = blockBytes;
    std::size_t bytes = 0;
    std::vector<std::uint32_t> table = std::vector<std::uint32_t>(1024, 0); // id + 1, open addressing

    ~State()
    {
        for (auto &chunk : chunks)
            delete chunk.load();
    }

    std::string_view view(std::uint32_t id) const
    {
        return (*chunks[id / viewsPerChunk].load(std::memory_order_acquire))[id % viewsPerChunk];
    }

    std::size_t slotOf(std::string_view text) const
    {
        const std::size_t mask = table.size() - 1;
        std::size_t at = hashOf(text) & mask;
        while (table[at] != 0 && view(table[at] - 1) != text)
            at = (at + 1) & mask;
        return at;
    }

    void grow()
    {
        std::vector<std::uint32_t> bigger(table.size() * 2, 0);
        table.swap(bigger);
        for (const std::uint32_t entry : bigger) {
            if (entry)
                table[slotOf(view(entry - 1))] = entry;
        }
    }

    std::string_view store(std::string_view text)
    {
        if (text.size() > blockBytes / 4) {
            blocks.push_back(std::make_unique<char[]>(text.size()));
            std::memcpy(blocks.back().get(), text.data(), text.size());
            bytes += text.size();
            const std::string_view stored(blocks.back().get(), text.size());
            if (blocks.size() > 1) // keep the block that is being filled last
                std::swap(blocks[blocks.size() - 1], blocks[blocks.size() - 2]);
            else
                blockUsed = blockBytes;
            return stored;
        }
        if (blockUsed + text.size() > blockBytes) {
            blocks.push_back(std::make_unique<char[]>(blockBytes));
            bytes += blockBytes;
            blockUsed = 0;
        }
        char *to = blocks.back().get() + blockUsed;
        std::memcpy(to, text.data(), text.size());
        blockUsed += text.size();
        return {to, text.size()};
    }

    std::uint32_t append(std::string_view text)
    {
        const std::uint32_t id = count.load(std::memory_order_relaxed);
        Q_ASSERT(id < mostChunks * viewsPerChunk);
        auto &chunk = chunks[id / viewsPerChunk];
        if (!chunk.load(std::memory_order_relaxed))
            chunk.store(new Chunk{}, std::memory_order_release);
        (*chunk.load(std::memory_order_relaxed))[id % viewsPerChunk] = text;
        count.store(id + 1, std::memory_order_release);
        return id;
    }
};

StringPool::StringPool() : m_state(std::make_unique<State>())
{
    (void)intern(std::string_view());
}

StringPool::~StringPool() = default;

StringId StringPool::intern(std::string_view utf8)
{
    const std::lock_guard lock(m_state->mutex);
    std::size_t at = m_state->slotOf(utf8);
    if (m_state->table[at])
        return m_state->table[at] - 1;
    const StringId id = m_state->append(utf8.empty() ? std::string_view() : m_state->store(utf8));
    m_state->table[at] = id + 1;
    if (std::size_t(id) * 10 > m_state->table.size() * 7)
        m_state->grow();
    return id;
}

StringId StringPool::find(std::string_view utf8) const
{
    const std::lock_guard lock(m_state->mutex);
    const std::size_t at = m_state->slotOf(utf8);
    return m_state->table[at] ? m_state->table[at] - 1 : 0;
}

std::string_view StringPool::utf8(StringId id) const
{
    return id < m_state->count.load(std::memory_order_acquire) ? m_state->view(id) : std::string_view();
}

QString StringPool::text(StringId id) const
{
    const auto view = utf8(id);
    return QString::fromUtf8(view.data(), qsizetype(view.size()));
}

std::uint32_t StringPool::size() const
{
    return m_state->count.load(std::memory_order_acquire);
}

std::size_t StringPool::bytes() const
{
    const std::lock_guard lock(m_state->mutex);
    return m_state->bytes + m_state->table.size() * sizeof(std::uint32_t)
        + (m_state->count / viewsPerChunk + 1) * sizeof(State::Chunk);
}

} // namespace tongchi
