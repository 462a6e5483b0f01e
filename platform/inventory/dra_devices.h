#pragma once

#include "platform/inventory/node_draft.h"

#include <unordered_map>

namespace tongchi {

/// One device of a ResourceSlice as far as it matters: a card, or a part of one.
struct DraDevice
{
    StringId name = 0;
    StringId node = 0;
    StringId product = 0, driverVersion = 0, profile = 0, taint = 0;
    CardUuid uuid, parent;
    std::int64_t memoryBytes = -1;
    std::int16_t numa = -1;
    std::uint16_t number = 0xFFFF; ///< "gpu-3" -> 3
    bool card = false;             ///< a physical card; else a part that can be lent
    bool possible = false;         ///< a part that need not exist until it is lent (shared counters)
    bool faulty = false, tainted = false;
};

/// A device that a claim holds, with the pods it is reserved for.
struct DraUse
{
    StringId device = 0;
    std::vector<StringId> pods; ///< "namespace/pod"
};

/// ResourceSlices and ResourceClaims of one cluster. Applies the rule of highest generation and completeness:
/// while a pool is being replaced, the previous devices stay.
class DraDevices
{
public:
    DraDevices(StringPool &pool, const DeviceCatalog &catalog) : m_pool(pool), m_catalog(catalog) {}

    // Each returns the names of nodes whose cards may have changed.
    std::vector<StringId> upsertSlice(const ResourceSliceRecord &record);
    std::vector<StringId> removeSlice(StringId uid);
    std::vector<StringId> upsertClaim(const ResourceClaimRecord &record);
    std::vector<StringId> removeClaim(StringId uid);

    struct Pool
    {
        StringId driver = 0, name = 0;
        DeviceCatalog::Owner owner;
        std::vector<StringId> slices;   ///< uids
        std::vector<DraDevice> devices; ///< shown now
        std::int64_t generation = -1;   ///< of what is shown
        bool complete = false;
        std::vector<StringId> nodes; ///< of the devices shown
    };
    std::vector<const Pool *> poolsOf(StringId node) const;
    std::vector<DraUse> usesOf(const Pool &pool) const;
    std::vector<StringId> sliceUids() const;
    std::vector<StringId> claimUids() const;
    bool empty() const { return m_pools.empty(); }
    std::size_t bytes() const;

private:
    struct Slice
    {
        std::uint64_t pool = 0;
        std::int64_t generation = 0, count = 1;
        std::size_t content = 0; ///< hash, so that an unchanged slice changes nothing
        std::vector<DraDevice> devices;
    };
    struct Claim
    {
        std::vector<std::pair<std::uint64_t, StringId>> devices; ///< pool, device
        std::vector<StringId> pods;
        bool operator==(const Claim &) const = default;
    };
    static std::uint64_t keyOf(StringId driver, StringId pool) { return std::uint64_t(driver) << 32 | pool; }
    void refresh(std::uint64_t key, std::vector<StringId> &changed);
    void unlink(StringId uid, const Slice &slice);
    void forgetClaim(StringId uid, std::vector<StringId> &changed);

    StringPool &m_pool;
    const DeviceCatalog &m_catalog;
    std::unordered_map<StringId, Slice> m_slices;
    std::unordered_map<StringId, Claim> m_claims;
    std::unordered_map<std::uint64_t, Pool> m_pools;
    std::unordered_map<StringId, std::vector<std::uint64_t>> m_poolsOfNode;
    std::unordered_map<std::uint64_t, std::vector<StringId>> m_claimsOfPool;
};

/// Cards and their fixed parts out of a pool's devices on one node.
struct DraCards
{
    struct Part
    {
        CardUuid uuid;
        StringId device = 0, profile = 0;
        std::int64_t memoryBytes = -1;
        std::size_t card = 0; ///< index in `cards`
        bool possible = false;
    };
    std::vector<DraftCard> cards;
    std::vector<StringId> deviceNames; ///< of each card
    std::vector<Part> parts;
};
DraCards draCardsOf(const DraDevices::Pool &pool, StringId node, const DeviceCatalog &catalog,
                    StringPool &strings);

/// Joins cards of the two sources of one vendor; those of DRA lead. Nothing is doubled.
void mergeDraCards(std::vector<DraftCard> &dra, const std::vector<DraftCard> &own);

} // namespace tongchi
