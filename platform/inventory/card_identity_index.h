#pragma once

#include "platform/inventory/card_identities.h"

#include <string_view>
#include <vector>

namespace tongchi {

/// UUIDs and host names of a cluster, made anew when cards or nodes changed and somebody asks. Found by
/// 64-bit hashes of the lower-cased text: 20 bytes a card, 12 a name.
class CardIdentityIndex
{
public:
    void clear();
    void addUuid(std::string_view uuid, const CardIdentities::Match &match);
    void addHost(std::string_view host, std::uint32_t node);
    void finish();

    std::span<const CardIdentities::Match> byUuid(std::string_view uuid) const;
    /// none: unknown, or more than one node.
    std::uint32_t byHost(std::string_view host) const;
    std::size_t bytes() const;

private:
    struct Uuid
    {
        std::uint64_t hash = 0;
        CardIdentities::Match match;
    };
    struct Host
    {
        std::uint64_t hash = 0;
        std::uint32_t node = 0;
    };
    static std::uint64_t lowerCaseHash(std::string_view text);

    std::vector<Uuid> m_unsorted;
    std::vector<std::uint64_t> m_hashes;
    std::vector<CardIdentities::Match> m_matches;
    std::vector<Host> m_hosts;
};

} // namespace tongchi
