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
    hash = mixedHash(hash, std::uint64_t(std::bit_cast<std::uint32_t>(traits.exporterTotal)) << 32 | traits.uuidShared);
    return mixedHash(hash, std::uint64_t(traits.telemetrySource) << 32 | std::uint64_t(traits.shares) << 16 | std::uint64_t(traits.sources) << 8
                               | std::uint8_t(traits.numaNode));
}

std::uint32_t CardTraitTable::acquire(const CardTraits &traits)
{
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
    return found;
}

void CardTraitTable::release(std::uint32_t index)
{
    Entry &entry = m_entries[index];
    if (--entry.users > 0)
        return;
    m_index.remove(hashOf(entry.traits), index, [this](std::uint32_t i) { return hashOf(m_entries[i].traits); });
    m_free.push_back(index);
}

std::size_t CardTraitTable::bytes() const
{
    return m_entries.capacity() * sizeof(Entry) + m_free.capacity() * sizeof(std::uint32_t) + m_index.bytes();
}

std::uint32_t WorkloadSets::find(std::vector<StringId> workloads)
{
    std::erase(workloads, StringId(0));
    if (workloads.empty())
        return 0;
    std::sort(workloads.begin(), workloads.end(),
              [this](StringId a, StringId b) { return m_pool.utf8(a) < m_pool.utf8(b); });
    workloads.erase(std::unique(workloads.begin(), workloads.end()), workloads.end());
    std::string text;
    for (const StringId workload : workloads)
        text.append(text.empty() ? "" : " + ").append(m_pool.utf8(workload));
    // Two sets can share a text only where a name contains " + "; the members decide.
    const StringId id = m_pool.intern(text);
    const auto same = [&](std::uint32_t set) { return m_sets[set].text == id && members(set) == workloads; };
    const auto hash = [this](std::uint32_t set) { return mixedHash(0, m_sets[set].text); };
    if (const std::uint32_t found = m_index.find(mixedHash(0, id), same); found != IndexTable::none)
        return found;
    Set set{.text = id};
    if (workloads.size() > 1) {
        set.first = std::uint32_t(m_members.size());
        set.count = std::uint32_t(workloads.size());
        m_members.insert(m_members.end(), workloads.begin(), workloads.end());
    }
    m_sets.push_back(set);
    const auto index = std::uint32_t(m_sets.size() - 1);
    m_index.insert(mixedHash(0, id), index, hash);
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
