#pragma once

#include "platform/inventory/card_values.h"
#include "platform/inventory/device_catalog.h"
#include "platform/kubernetes/object_records.h"

#include <string>
#include <vector>

// From one Node object to its cards: each file *_cards.cpp reads one kind of source. Pure, apart from
// interning.

namespace tongchi {

/// One extended resource of a node that lends cards or parts of them.
struct NodeResource
{
    StringId name = 0;
    Vendor vendor = Vendor::Other;
    ResourceKind kind = ResourceKind::Cards;
    bool single = false; ///< one whole card for one task: units are cards
    StringId vendorName = 0;
    std::uint32_t capacity = 0; ///< units
    std::uint32_t allocatable = 0;
    std::uint32_t perCard = 1;        ///< units a card
    StringId profile = 0;             ///< of slices
    std::uint32_t sliceMemoryMiB = 0; ///< 0: unknown
};

/// A card before it has a number.
struct DraftCard
{
    CardRecord record;                ///< without ordinal, pods and label
    std::uint32_t shareMemoryMiB = 0; ///< what its shares' figures add up to (HAMi devmem); 0: unknown
    std::uint8_t parts = 1;           ///< chips that exporters and plug-ins number on their own
};

struct NodeDraft
{
    std::vector<DraftCard> cards;
    std::vector<NodeResource> resources;
    std::vector<std::string> notes; ///< English, plain
    std::string openRequest; ///< a handshake "Requesting..." that nobody answers while nothing is allocatable
};

/// A Node object with its names looked up.
class NodeReading
{
public:
    NodeReading(const NodeRecord &record, const DeviceCatalog &catalog, StringPool &pool);

    struct Resource
    {
        const ResourceAmount *amount = nullptr;
        ResourceMeaning meaning;
        bool readable = false;         ///< capacity is a number that can count cards
        std::uint32_t capacity = 0;    ///< larger of capacity and allocatable
        std::uint32_t allocatable = 0; ///< capacity where it is absent
        bool allocatableUnreadable = false;
    };

    std::string_view label(std::string_view key) const;
    std::string_view annotation(std::string_view key) const;
    std::optional<std::int64_t> numberLabel(std::string_view key) const; ///< not negative
    const std::vector<Resource> &resources() const { return m_resources; }
    /// Sum over the vendor's resources of this kind that can be read.
    std::uint32_t units(Vendor vendor, ResourceKind kind) const;
    const Resource *first(Vendor vendor, ResourceKind kind) const;
    StringId intern(std::string_view text) const { return m_pool.intern(text); }
    /// Fills model, variant and modelReported.
    CardModelName nameModel(CardRecord &record, std::string_view reported, std::string_view source) const;

    const NodeRecord &record() const { return m_record; }
    const DeviceCatalog &catalog() const { return m_catalog; }
    StringPool &pool() const { return m_pool; }

private:
    const NodeRecord &m_record;
    const DeviceCatalog &m_catalog;
    StringPool &m_pool;
    std::vector<Resource> m_resources;
};

/// Everything of it. Preference: HAMi registers, then vendor labels with capacity; DRA is joined later, from
/// its own objects (dra_cards.h).
NodeDraft draftNode(const NodeReading &node);

void addHamiCards(const NodeReading &node, NodeDraft &draft);
void addNvidiaCards(const NodeReading &node, NodeDraft &draft);
void addAscendCards(const NodeReading &node, NodeDraft &draft);
void addCambriconCards(const NodeReading &node, NodeDraft &draft);
void addOtherCards(const NodeReading &node, NodeDraft &draft);

/// Adds `count` alike cards with slots from 0.
void addAlikeCards(NodeDraft &draft, const CardRecord &pattern, std::uint32_t count, std::uint8_t parts = 1);
bool hasCardsOf(const NodeDraft &draft, Vendor vendor, StringId vendorName = 0);

/// How many instances of a MIG profile ("1g.10gb") fit on a card with this memory; 0: cannot be told.
std::uint32_t migInstancesPerCard(std::string_view profile, std::int64_t cardMemoryMiB);
/// Whole megabytes named at the end of a profile: "1g.10gb" -> 10240, "10c.3cpu.32g" -> 32768; 0: none.
std::uint32_t profileMemoryMiB(std::string_view profile);
std::optional<std::int64_t> wholeNumberOf(std::string_view text);

constexpr std::int64_t bytesPerMiB = 1024 * 1024;
constexpr std::uint32_t mostUnitsOfAResource = 1'000'000;
constexpr std::uint32_t mostCardsOfANode = 4096;

} // namespace tongchi
