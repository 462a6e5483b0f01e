#pragma once

#include <cstdint>
#include <limits>
#include <vector>

namespace tongchi {

/// Numbers found by a hash of what they stand for: open addressing with linear probing, four bytes a slot, no
/// tombstones. Several entries may have the same hash; who is who is the caller's business. Entries are below
/// 2^24: the other eight bits of a slot are some of the hash, so that a search looks at hardly any entry but
/// the one it is for.
class IndexTable
{
public:
    static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

    /// First entry for which `matches(entry)`, or none.
    template <typename Matches> std::uint32_t find(std::size_t hash, Matches matches) const
    {
        if (m_slots.empty())
            return none;
        const std::uint32_t tag = tagOf(hash);
        for (std::size_t at = hash & mask(); m_slots[at] != none; at = (at + 1) & mask()) {
            if ((m_slots[at] & ~entryMask) == tag && matches(m_slots[at] & entryMask))
                return m_slots[at] & entryMask;
        }
        return none;
    }

    /// Every entry of this hash, and few others; the caller picks its own.
    template <typename Visit> void forEach(std::size_t hash, Visit visit) const
    {
        if (m_slots.empty())
            return;
        const std::uint32_t tag = tagOf(hash);
        for (std::size_t at = hash & mask(); m_slots[at] != none; at = (at + 1) & mask()) {
            if ((m_slots[at] & ~entryMask) == tag)
                visit(m_slots[at] & entryMask);
        }
    }

    /// `hashOf(entry)` must give the hash that an entry was inserted with.
    template <typename HashOf> void insert(std::size_t hash, std::uint32_t entry, HashOf hashOf)
    {
        if ((m_count + 1) * 5 > m_slots.size() * 4)
            grow(hashOf);
        put(hash, entry);
        ++m_count;
    }

    template <typename HashOf> void remove(std::size_t hash, std::uint32_t entry, HashOf hashOf)
    {
        if (m_slots.empty())
            return;
        std::size_t at = hash & mask();
        while ((m_slots[at] & entryMask) != entry) {
            if (m_slots[at] == none)
                return;
            at = (at + 1) & mask();
        }
        // Close the gap: an entry may move back as long as it does not pass its own place.
        std::size_t gap = at;
        for (std::size_t next = (gap + 1) & mask(); m_slots[next] != none; next = (next + 1) & mask()) {
            const std::size_t home = hashOf(m_slots[next] & entryMask) & mask();
            if (((next - home) & mask()) >= ((next - gap) & mask())) {
                m_slots[gap] = m_slots[next];
                gap = next;
            }
        }
        m_slots[gap] = none;
        --m_count;
    }

    std::size_t size() const { return m_count; }
    std::size_t bytes() const { return m_slots.capacity() * sizeof(std::uint32_t); }

private:
    static constexpr std::uint32_t entryMask = 0x00FFFFFF;

    /// Of bits that have no say in where the search starts.
    static std::uint32_t tagOf(std::size_t hash)
    {
        return std::uint32_t(std::uint64_t(hash) * 0x9E3779B97F4A7C15u >> 32) & ~entryMask;
    }
    std::size_t mask() const { return m_slots.size() - 1; }

    void put(std::size_t hash, std::uint32_t entry)
    {
        std::size_t at = hash & mask();
        while (m_slots[at] != none)
            at = (at + 1) & mask();
        m_slots[at] = tagOf(hash) | entry;
    }

    template <typename HashOf> void grow(HashOf hashOf)
    {
        std::vector<std::uint32_t> old(m_slots.empty() ? 64 : m_slots.size() * 2, none);
        old.swap(m_slots);
        for (const std::uint32_t entry : old) {
            if (entry != none)
                put(hashOf(entry & entryMask), entry & entryMask);
        }
    }

    std::vector<std::uint32_t> m_slots;
    std::size_t m_count = 0;
};

} // namespace tongchi
