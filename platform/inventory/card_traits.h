#pragma once

#include "platform/inventory/card_columns.h"
#include "platform/inventory/index_table.h"

namespace tongchi {

/// The different CardTraits in use, each with the number of cards that have it.
class CardTraitTable
{
public:
    std::uint32_t acquire(const CardTraits &traits);
    void release(std::uint32_t index);
    const CardTraits &operator[](std::uint32_t index) const { return m_entries[index].traits; }
    std::size_t bytes() const;

private:
    struct Entry
    {
        CardTraits traits;
        std::uint32_t users = 0;
    };
    static std::size_t hashOf(const CardTraits &traits);

    std::vector<Entry> m_entries;
    std::vector<std::uint32_t> m_free;
    IndexTable m_index;
    std::uint32_t m_last = 0; ///< the cards of a node are alike: most calls end here
};

/// The different sets of workloads ever seen, as numbers; 0 is the empty set. A set knows its text, "a + b".
class WorkloadSets
{
public:
    explicit WorkloadSets(StringPool &pool) : m_pool(pool), m_sets(1) {}
    std::uint32_t find(const std::vector<StringId> &workloads);
    StringId text(std::uint32_t set) const { return m_sets[set].text; }
    std::vector<StringId> members(std::uint32_t set) const;
    std::size_t bytes() const;

private:
    std::uint32_t findSet(StringId text, const std::vector<StringId> &members);
    struct Set
    {
        StringId text = 0;
        std::uint32_t first = 0, count = 0; ///< in m_members; a set of one has none, its text is the member
    };
    StringPool &m_pool;
    std::vector<Set> m_sets;
    std::vector<StringId> m_members;
    IndexTable m_index;
};

} // namespace tongchi
