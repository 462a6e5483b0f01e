#pragma once

#include "platform/inventory/card_store.h"
#include "platform/inventory/card_traits.h"
#include "platform/inventory/node_draft.h"

#include <memory>
#include <unordered_map>

namespace tongchi {

/// A card as the assembler keeps it: what is the same for many lies in the tables of traits and models.
struct AssembledCard
{
    std::uint32_t ordinal = 0;
    std::uint32_t traits = 0;
    CardUuid uuid;
    std::uint16_t slot = 0;
    std::uint16_t model = 0;
    CardHealth health = CardHealth::NotReported;
    std::uint8_t parts = 1;
    std::uint32_t shareMemoryMiB = 0;
};

/// The Ascend plug-in's word on the cards of one node.
struct AscendNodeHealth
{
    std::vector<std::pair<std::uint32_t, StringId>> unhealthy; ///< number of the card, reason
    bool operator==(const AscendNodeHealth &) const = default;
};

/// What is kept of one Node object and of what else speaks of the node. Known by name: pods and ConfigMaps
/// may come before their node, whose uid is 0 until then.
struct AssembledNode
{
    StringId name = 0, uid = 0, emittedUid = 0;
    StringId region = 0, zone = 0, usabilityReason = 0, kubeletVersion = 0, note = 0;
    std::string resourceVersion;
    NodeUsability usability = NodeUsability::Usable;
    BusinessLabel businessLabel = BusinessLabel::Unknown;
    bool unschedulable = false, ready = false;
    bool dirty = false, fromRequest = false;
    bool postponed = false; ///< pods came since it was handed over, and more are coming
    std::uint32_t seen = 0;
    std::size_t evidence = 0; ///< hash of everything that cards are made from
    std::size_t emitted = 0;  ///< hash of the update handed over last
    std::vector<StringId> hosts;
    std::vector<NodeResource> resources;
    std::vector<AssembledCard> cards;
    std::unique_ptr<std::vector<DraftCard>>
        ownDrafts; ///< cards of the Node object, kept while DRA has some too
    std::unique_ptr<AscendNodeHealth> health;
    std::size_t requestHash = 0; ///< of the unanswered handshake; 0: none
    Monotonic requestSince{};
    bool registrationGone = false; ///< it has been unanswered for a minute
    std::uint32_t firstPod = none;
    std::uint32_t pools = 0; ///< DRA pools with devices here

    static constexpr std::uint32_t none = 0xFFFFFFFF;
};

/// Which cards, or how many units of what, a pod holds.
struct Holding
{
    enum Kind : std::uint8_t { Units, Uuid, Slot, UnhealthyUuid };
    CardUuid uuid;
    StringId resource = 0;       ///< of Units
    std::uint32_t amount = 0;    ///< units, or the slot
    StringId profile = 0;        ///< vNPU template or MIG profile
    std::uint32_t memoryMiB = 0; ///< its share of the card; 0: not said
    std::uint32_t next = AssembledNode::none;
    Kind kind = Units;
    Vendor vendor = Vendor::Other;
    std::uint16_t instance = 0; ///< of a vNPU: its number, plus one
    bool operator==(const Holding &) const = default;
};

/// A pod that holds cards.
struct AssembledPod
{
    CardUuid uid;
    StringId name = 0; ///< "namespace/pod"
    std::uint32_t node = AssembledNode::none;
    StringId workload = 0;
    std::uint32_t firstHolding = AssembledNode::none;
    std::uint32_t next = AssembledNode::none, previous = AssembledNode::none; ///< on its node
    std::uint32_t seen = 0;
    BusinessLabel business = BusinessLabel::Unknown;
    bool used = false;
    std::uint16_t claims = 0; ///< it names ResourceClaims
};

} // namespace tongchi
