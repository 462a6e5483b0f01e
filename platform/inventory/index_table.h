#pragma once

#include <cstdint>
#include <limits>
#include <vector>

namespace tongchi {

/// Numbers found by a hash of what they stand for: open addressing with linear probing, four bytes a slot, no
/// tombstones. Several entries may have the same hash; who is who is the caller's business.
class IndexTable
{
public:
    static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

    /// First entry for which `matches(entry)`, or none.
    template <typename Matches> std::uint32_t find(std::size_t hash, Matches matches) const
    {
        if (m_slots.empty())
            return none;
        for (std::size_t at = hash & mask(); m_slots[at] != none; at = (at + 1) & mask()) {
            if (matches(m_slots[at]))
                return m_slots[at];
        }
        return none;
    }

    /// Every entry of the run that starts at this hash; the caller picks its own.
    template <typename Visit> void forEach(std::size_t hash, Visit visit) const
    {
        if (m_slots.empty())
            return;
        for (std::size_t at = hash & mask(); m_slots[at] != none; at = (at + 1) & mask())
            visit(m_slots[at]);
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
        while (m_slots[at] != entry) {
            if (m_slots[at] == none)
                return;
            at = (at + 1) & mask();
        }
        // Close the gap: an entry may move back as long as it does not pass its own place.
        std::size_t gap = at;
        for (std::size_t next = (gap + 1) & mask(); m_slots[next] != none; next = (next + 1) & mask()) {
            const std::size_t home = hashOf(m_slots[next]) & mask();
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
    std::size_t mask() const { return m_slots.size() - 1; }

    void put(std::size_t hash, std::uint32_t entry)
    {
        std::size_t at = hash & mask();
        while (m_slots[at] != none)
            at = (at + 1) & mask();
        m_slots[at] = entry;
    }

    template <typename HashOf> void grow(HashOf hashOf)
    {
        std::vector<std::uint32_t> old(m_slots.empty() ? 64 : m_slots.size() * 2, none);
        old.swap(m_slots);
        for (const std::uint32_t entry : old) {
            if (entry != none)
                put(hashOf(entry), entry);
        }
    }

    std::vector<std::uint32_t> m_slots;
    std::size_t m_count = 0;
};

} // namespace tongchi
