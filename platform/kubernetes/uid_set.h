#pragma once

#include "platform/kubernetes/object_records.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <vector>

namespace tongchi {

/// Counts different objects by a hash of their uid: eight bytes an object and a half-empty table, where a set
/// of strings would cost ten times that. Two objects of one hash count as one, which happens once in 10^9
/// lists.
class UidSet
{
public:
    void clear()
    {
        m_slots.assign(kSmallest, 0);
        m_count = 0;
    }
    std::size_t size() const { return m_count; }

    bool insert(const ObjectKey &key) { return insertHash(hashOf(key)); }
    /// `hash` is hashOf() of the object's key; some other thread may have found it.
    bool insertHash(std::uint64_t hash)
    {
        if ((m_count + 1) * 3 > m_slots.size() * 2)
            grow();
        return place(hash);
    }

    bool remove(const ObjectKey &key)
    {
        const std::uint64_t hash = hashOf(key);
        if (m_slots.empty())
            return false;
        const std::size_t mask = m_slots.size() - 1;
        std::size_t at = hash & mask;
        while (m_slots[at] != hash) {
            if (m_slots[at] == 0)
                return false;
            at = (at + 1) & mask;
        }
        // Closes the gap, so that no search stops too early behind it.
        for (std::size_t next = (at + 1) & mask; m_slots[next] != 0; next = (next + 1) & mask) {
            const std::size_t home = m_slots[next] & mask;
            if (((next - home) & mask) >= ((next - at) & mask)) {
                m_slots[at] = m_slots[next];
                at = next;
            }
        }
        m_slots[at] = 0;
        --m_count;
        return true;
    }

    static std::uint64_t hashOf(const ObjectKey &key)
    {
        const std::hash<std::string_view> hash;
        std::uint64_t value = key.uid.empty() ? hash(key.nameSpace) * 31 + hash(key.name) : hash(key.uid);
        value ^= value >> 32;
        return value == 0 ? 1 : value; // 0 marks a free slot
    }

private:
    static constexpr std::size_t kSmallest = 64; ///< a power of two, as every size

    bool place(std::uint64_t hash)
    {
        const std::size_t mask = m_slots.size() - 1;
        std::size_t at = hash & mask;
        while (m_slots[at] != 0) {
            if (m_slots[at] == hash)
                return false;
            at = (at + 1) & mask;
        }
        m_slots[at] = hash;
        ++m_count;
        return true;
    }

    void grow()
    {
        std::vector<std::uint64_t> old(std::max(kSmallest, m_slots.size() * 2), 0);
        old.swap(m_slots);
        m_count = 0;
        for (const std::uint64_t hash : old) {
            if (hash != 0)
                place(hash);
        }
    }

    std::vector<std::uint64_t> m_slots;
    std::size_t m_count = 0;
};

} // namespace tongchi
