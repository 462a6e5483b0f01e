#include "platform/core/string_pool.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <mutex>
#include <vector>

namespace tongchi {
namespace {

constexpr std::size_t blockBytes = 64 * 1024;
constexpr std::size_t idsPerChunk = 4096;
constexpr std::size_t mostChunks = 4096; // 16.7 million strings
constexpr std::uint32_t idBits = 24;
constexpr std::uint32_t idMask = (1U << idBits) - 1;
constexpr std::size_t blocksPerGroup = 256;
constexpr std::size_t mostGroups = 256; // 4 GiB of text, or 65,536 strings that are too long to share a block

std::atomic<std::uint64_t> poolsMade{0};

/// What a thread has interned last, by hash.
struct Recent
{
    std::uint64_t pool = 0; ///< its number; 0: none
    std::uint32_t hash = 0;
    StringId id = 0;
};
constexpr std::size_t recentStrings = 512;

std::uint32_t hashOf(std::string_view text)
{
    const std::uint64_t hash = std::hash<std::string_view>{}(text);
    return std::uint32_t(hash ^ hash >> 32);
}

} // namespace

// A string is its length (seven bits a byte, the last without the top bit) and its bytes, in a block of 64
// KiB; an id leads to the place (block << 16 | offset). Five bytes a string beside its text, where a view
// would take sixteen.
//
// The mutex protects the writer side: blocks, table and count. Readers go through chunks and groups whose
// addresses never change; a reader got its id from somebody who had already published it.
struct StringPool::State
{
    using Chunk = std::array<std::uint32_t, idsPerChunk>;
    using Group = std::array<char *, blocksPerGroup>;
    std::array<std::atomic<Chunk *>, mostChunks> chunks{};
    std::array<std::atomic<Group *>, mostGroups> groups{};
    std::atomic<std::uint32_t> count{0};
    mutable std::mutex mutex;
    const std::uint64_t number = ++poolsMade; // two pools at one address are told apart
    std::uint32_t limit = std::uint32_t(mostChunks * idsPerChunk);
    StringId overflow = 0; // what every string is once there is no room
    std::uint32_t blockCount = 0;
    std::uint32_t shared = 0; // the block that short strings go to
    std::size_t sharedUsed = blockBytes;
    std::size_t bytes = 0;
    // Open addressing; an entry is eight bits of the hash above the id, so that a probe touches the text of
    // hardly any string but the one it looks for. 0: free (the empty string, id 0, is not in the table).
    std::vector<std::uint32_t> table = std::vector<std::uint32_t>(1024, 0);

    ~State()
    {
        for (std::uint32_t block = 0; block < blockCount; ++block)
            delete[](*groups[block / blocksPerGroup].load())[block % blocksPerGroup];
        for (auto &group : groups)
            delete group.load();
        for (auto &chunk : chunks)
            delete chunk.load();
    }

    std::string_view view(std::uint32_t id) const
    {
        const std::uint32_t place =
            (*chunks[id / idsPerChunk].load(std::memory_order_acquire))[id % idsPerChunk];
        const std::uint32_t block = place >> 16;
        const char *at =
            (*groups[block / blocksPerGroup].load(std::memory_order_acquire))[block % blocksPerGroup] +
            (place & 0xFFFF);
        std::size_t length = 0;
        for (int shift = 0;; shift += 7) {
            const auto part = std::uint8_t(*at++);
            length |= std::size_t(part & 0x7F) << shift;
            if (part < 0x80)
                return {at, length};
        }
    }

    static std::size_t homeOf(std::uint32_t hash, std::size_t size)
    {
        return std::size_t(std::uint64_t(hash) * size >> 32);
    }
    /// The low bits, which homeOf() hardly looks at.
    static std::uint32_t tagOf(std::uint32_t hash) { return hash << idBits; }
    static std::uint32_t idOf(std::uint32_t entry) { return entry & idMask; }

    /// Where `text` stands, or the free slot where it would.
    std::size_t slotOf(std::string_view text, std::uint32_t hash) const
    {
        const std::size_t size = table.size();
        const std::uint32_t tag = tagOf(hash);
        std::size_t at = homeOf(hash, size);
        while (table[at] != 0 && ((table[at] & ~idMask) != tag || view(idOf(table[at])) != text))
            at = at + 1 == size ? 0 : at + 1;
        return at;
    }

    void grow()
    {
        std::vector<std::uint32_t> bigger(table.size() + table.size() / 2, 0);
        const std::size_t size = bigger.size();
        for (const std::uint32_t entry : table) {
            if (entry == 0)
                continue;
            std::size_t at =
                homeOf(hashOf(view(idOf(entry))), size); // all are different: no text is compared
            while (bigger[at] != 0)
                at = at + 1 == size ? 0 : at + 1;
            bigger[at] = entry;
        }
        table.swap(bigger);
    }

    /// There is room for one more string and one more block, which the text that says so needs.
    bool isFull() const
    {
        return overflow != 0 || count.load(std::memory_order_relaxed) + 1 >= limit ||
               blockCount + 1 >= mostGroups * blocksPerGroup;
    }

    std::uint32_t newBlock(std::size_t size)
    {
        const std::uint32_t block = blockCount++;
        Q_ASSERT(block < mostGroups * blocksPerGroup);
        auto &group = groups[block / blocksPerGroup];
        if (!group.load(std::memory_order_relaxed))
            group.store(new Group{}, std::memory_order_release);
        (*group.load(std::memory_order_relaxed))[block % blocksPerGroup] = new char[size];
        bytes += size;
        return block;
    }

    std::uint32_t store(std::string_view text)
    {
        std::array<char, 10> head;
        std::size_t headSize = 0;
        std::size_t rest = text.size();
        for (; rest >= 0x80; rest >>= 7)
            head[headSize++] = char(rest | 0x80);
        head[headSize++] = char(rest);

        const std::size_t size = headSize + text.size();
        std::uint32_t block = shared;
        std::size_t offset = 0;
        if (size > blockBytes / 4) {
            block = newBlock(size);
        } else {
            if (sharedUsed + size > blockBytes) {
                shared = block = newBlock(blockBytes);
                sharedUsed = 0;
            }
            offset = sharedUsed;
            sharedUsed += size;
        }
        char *to = (*groups[block / blocksPerGroup].load())[block % blocksPerGroup] + offset;
        std::memcpy(to, head.data(), headSize);
        if (!text.empty())
            std::memcpy(to + headSize, text.data(), text.size());
        return std::uint32_t(block << 16 | offset);
    }

    std::uint32_t append(std::uint32_t place)
    {
        const std::uint32_t id = count.load(std::memory_order_relaxed);
        Q_ASSERT(id < mostChunks * idsPerChunk);
        auto &chunk = chunks[id / idsPerChunk];
        if (!chunk.load(std::memory_order_relaxed))
            chunk.store(new Chunk{}, std::memory_order_release);
        (*chunk.load(std::memory_order_relaxed))[id % idsPerChunk] = place;
        count.store(id + 1, std::memory_order_release);
        return id;
    }
};

StringPool::StringPool(std::uint32_t limit) : m_state(std::make_unique<State>())
{
    if (limit > 1)
        m_state->limit = std::min(m_state->limit, limit);
    m_state->append(m_state->store({})); // id 0
}

StringPool::~StringPool() = default;

StringId StringPool::intern(std::string_view utf8)
{
    if (utf8.empty())
        return 0;
    const std::uint32_t hash = hashOf(utf8);
    // Most of what is interned was interned by the same thread a moment ago: found without the lock.
    thread_local std::array<Recent, recentStrings> recents;
    Recent &recent = recents[hash % recentStrings];
    if (recent.hash == hash && recent.pool == m_state->number && m_state->view(recent.id) == utf8)
        return recent.id;
    const StringId id = internLocked(utf8, hash);
    recent = {m_state->number, hash, id};
    return id;
}

StringId StringPool::internLocked(std::string_view utf8, std::uint32_t hash)
{
    const std::lock_guard lock(m_state->mutex);
    const std::size_t at = m_state->slotOf(utf8, hash);
    if (m_state->table[at])
        return State::idOf(m_state->table[at]);
    // Full after weeks of pods that come and go by the second: what is new then shares one text, visibly.
    if (m_state->isFull()) {
        if (m_state->overflow == 0)
            m_state->overflow = m_state->append(m_state->store("(too many names: restart)"));
        return m_state->overflow;
    }
    const StringId id = m_state->append(m_state->store(utf8));
    m_state->table[at] = State::tagOf(hash) | id;
    if (std::size_t(id) * 4 > m_state->table.size() * 3)
        m_state->grow();
    return id;
}

StringId StringPool::find(std::string_view utf8) const
{
    if (utf8.empty())
        return 0;
    const std::uint32_t hash = hashOf(utf8);
    const std::lock_guard lock(m_state->mutex);
    const std::size_t at = m_state->slotOf(utf8, hash);
    return State::idOf(m_state->table[at]);
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
    return m_state->bytes + m_state->table.size() * sizeof(std::uint32_t) +
           (m_state->count / idsPerChunk + 1) * sizeof(State::Chunk) +
           (m_state->blockCount / blocksPerGroup + 1) * sizeof(State::Group);
}

} // namespace tongchi
