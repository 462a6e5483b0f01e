#include "platform/inventory/card_identity_index.h"

#include <algorithm>

namespace tongchi {

std::uint64_t CardIdentityIndex::lowerCaseHash(std::string_view text)
{
    std::uint64_t hash = 0xCBF29CE484222325u;
    for (const char c : text) {
        hash ^= std::uint8_t(c >= 'A' && c <= 'Z' ? c + 32 : c);
        hash *= 0x100000001B3u;
    }
    return hash ^ hash >> 29;
}

void CardIdentityIndex::clear()
{
    m_unsorted.clear();
    m_hosts.clear();
}

void CardIdentityIndex::addUuid(std::string_view uuid, const CardIdentities::Match &match)
{
    if (!uuid.empty())
        m_unsorted.push_back({lowerCaseHash(uuid), match});
}

void CardIdentityIndex::addHost(std::string_view host, std::uint32_t node)
{
    if (!host.empty())
        m_hosts.push_back({lowerCaseHash(host), node});
}

void CardIdentityIndex::finish()
{
    std::sort(m_unsorted.begin(), m_unsorted.end(), [](const Uuid &a, const Uuid &b) {
        return a.hash != b.hash ? a.hash < b.hash : a.match.ordinal < b.match.ordinal;
    });
    m_hashes.clear();
    m_matches.clear();
    m_hashes.reserve(m_unsorted.size());
    m_matches.reserve(m_unsorted.size());
    for (const Uuid &uuid : m_unsorted) {
        m_hashes.push_back(uuid.hash);
        m_matches.push_back(uuid.match);
    }
    m_unsorted = {};
    std::sort(m_hosts.begin(), m_hosts.end(), [](const Host &a, const Host &b) {
        return a.hash != b.hash ? a.hash < b.hash : a.node < b.node;
    });
    m_hosts.erase(
        std::unique(m_hosts.begin(), m_hosts.end(),
                    [](const Host &a, const Host &b) { return a.hash == b.hash && a.node == b.node; }),
        m_hosts.end());
    m_hosts.shrink_to_fit();
}

std::span<const CardIdentities::Match> CardIdentityIndex::byUuid(std::string_view uuid) const
{
    if (uuid.empty())
        return {};
    const auto [from, to] = std::equal_range(m_hashes.begin(), m_hashes.end(), lowerCaseHash(uuid));
    return std::span(m_matches).subspan(std::size_t(from - m_hashes.begin()), std::size_t(to - from));
}

std::uint32_t CardIdentityIndex::byHost(std::string_view host) const
{
    if (host.empty())
        return CardIdentities::none;
    const std::uint64_t hash = lowerCaseHash(host);
    const auto found =
        std::lower_bound(m_hosts.begin(), m_hosts.end(), hash,
                         [](const Host &entry, std::uint64_t wanted) { return entry.hash < wanted; });
    if (found == m_hosts.end() || found->hash != hash)
        return CardIdentities::none;
    const auto next = found + 1;
    return next != m_hosts.end() && next->hash == hash ? CardIdentities::none : found->node;
}

std::size_t CardIdentityIndex::bytes() const
{
    return m_hashes.capacity() * 8 + m_matches.capacity() * sizeof(CardIdentities::Match) +
           m_hosts.capacity() * sizeof(Host);
}

} // namespace tongchi
