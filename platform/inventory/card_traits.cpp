#include "platform/inventory/card_traits.h"

#include <algorithm>
#include <bit>
#include <string>

namespace tongchi {
namespace {

std::size_t mixedHash(std::size_t hash, std::uint64_t value)
{
    hash = (hash ^ value) * 0x9E3779B97F4A7C15u;
    return hash ^ hash >> 29;
}

} // namespace

std::size_t CardTraitTable::hashOf(const CardTraits &traits)
{
    std::size_t hash = 0;
    hash = mixedHash(hash, std::uint64_t(traits.memoryBytes));
    for (const StringId id : {traits.driver, traits.resource, traits.linkDomain, traits.healthReason,
                              traits.memorySource, traits.healthSource, traits.modelSource, traits.flags}) {
        hash = mixedHash(hash, id);
    }
    hash = mixedHash(hash, std::uint64_t(std::bit_cast<std::uint32_t>(traits.exporterTotal)) << 32 |
                               traits.uuidShared);
    return mixedHash(hash, std::uint64_t(traits.telemetrySource) << 32 | std::uint64_t(traits.shares) << 16 |
                               std::uint64_t(traits.sources) << 8 | std::uint8_t(traits.numaNode));
}

std::uint32_t CardTraitTable::acquire(const CardTraits &traits)
{
    if (m_last < m_entries.size() && m_entries[m_last].users > 0 && m_entries[m_last].traits == traits) {
        ++m_entries[m_last].users;
        return m_last;
    }
    const std::size_t hash = hashOf(traits);
    std::uint32_t found = m_index.find(hash, [&](std::uint32_t i) { return m_entries[i].traits == traits; });
    if (found == IndexTable::none) {
        if (m_free.empty()) {
            found = std::uint32_t(m_entries.size());
            m_entries.push_back({traits});
        } else {
            found = m_free.back();
            m_free.pop_back();
            m_entries[found] = {traits};
        }
        m_index.insert(hash, found, [this](std::uint32_t i) { return hashOf(m_entries[i].traits); });
    }
    ++m_entries[found].users;
    m_last = found;
    return found;
}

void CardTraitTable::release(std::uint32_t index)
{
    Entry &entry = m_entries[index];
    if (--entry.users > 0)
        return;
    m_index.remove(hashOf(entry.traits), index,
                   [this](std::uint32_t i) { return hashOf(m_entries[i].traits); });
    m_free.push_back(index);
}

std::size_t CardTraitTable::bytes() const
{
    return m_entries.capacity() * sizeof(Entry) + m_free.capacity() * sizeof(std::uint32_t) + m_index.bytes();
}

std::uint32_t WorkloadSets::find(const std::vector<StringId> &workloads)
{
    if (workloads.empty() || (workloads.size() == 1 && workloads.front() == 0))
        return 0;
    if (workloads.size() == 1)
        return findSet(workloads.front(), workloads);
    std::vector<StringId> sorted = workloads;
    std::erase(sorted, StringId(0));
    std::sort(sorted.begin(), sorted.end(),
              [this](StringId a, StringId b) { return m_pool.utf8(a) < m_pool.utf8(b); });
    sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
    if (sorted.empty())
        return 0;
    std::string text;
    for (const StringId workload : sorted)
        text.append(text.empty() ? "" : " + ").append(m_pool.utf8(workload));
    return findSet(m_pool.intern(text), sorted);
}

std::uint32_t WorkloadSets::findSet(StringId text, const std::vector<StringId> &sorted)
{
    // Two sets can share a text only where a name contains " + "; the members decide.
    const auto same = [&](std::uint32_t set) {
        const Set &entry = m_sets[set];
        if (entry.text != text)
            return false;
        return entry.count == 0 ? sorted.size() == 1
                                : std::equal(sorted.begin(), sorted.end(), m_members.begin() + entry.first,
                                             m_members.begin() + entry.first + entry.count);
    };
    if (const std::uint32_t found = m_index.find(mixedHash(0, text), same); found != IndexTable::none)
        return found;
    Set set{.text = text};
    if (sorted.size() > 1) {
        set.first = std::uint32_t(m_members.size());
        set.count = std::uint32_t(sorted.size());
        m_members.insert(m_members.end(), sorted.begin(), sorted.end());
    }
    m_sets.push_back(set);
    const auto index = std::uint32_t(m_sets.size() - 1);
    m_index.insert(mixedHash(0, text), index,
                   [this](std::uint32_t each) { return mixedHash(0, m_sets[each].text); });
    return index;
}

std::vector<StringId> WorkloadSets::members(std::uint32_t set) const
{
    const Set &entry = m_sets[set];
    if (entry.count == 0)
        return entry.text ? std::vector<StringId>{entry.text} : std::vector<StringId>{};
    return {m_members.begin() + entry.first, m_members.begin() + entry.first + entry.count};
}

std::size_t WorkloadSets::bytes() const
{
    return m_sets.capacity() * sizeof(Set) + m_members.capacity() * sizeof(StringId) + m_index.bytes();
}

} // namespace tongchi
