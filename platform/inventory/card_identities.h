#pragma once

#include "platform/inventory/card_values.h"

#include <cstdint>
#include <limits>
#include <span>
#include <string_view>

namespace tongchi {

/// What the cluster's cards are called by other sources, for joining telemetry (facts:
/// inventory-and-telemetry 3.9). Implemented by the assembler of the cluster; used in the cluster's thread
/// only. Every answer is valid until the next change of the cluster's cards or nodes. All names are UTF-8 as
/// the API server sent them.
class CardIdentities
{
public:
    static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

    /// A card, or a part of one that an exporter reports on its own (second die of a module, second chip of
    /// an MLU370-X8, slice with a UUID of its own).
    struct Match
    {
        std::uint32_t ordinal = none; ///< CardRecord::ordinal
        std::uint32_t node = none; ///< number of the node within the cluster, for comparing with nodeBy...()
        std::uint8_t part = 0;     ///< which die or chip of the card, from 0; 0 for a whole card
        bool slice = false;        ///< a MIG device, vNPU or sMLU instance: its values are not the card's
        bool operator==(const Match &) const = default;
    };

    virtual ~CardIdentities() = default;

    /// All cards with this UUID; more than one when two nodes carry the same (case of letters ignored).
    /// Covers the UUIDs of HAMi registers, of DRA devices (also of MIG devices, as slice) and of vendor
    /// annotations.
    virtual std::span<const Match> byUuid(std::string_view uuid) const = 0;
    /// Ascend: the die id that HAMi's register and npu-exporter's `vdie_id` share; blanks are kept as sent.
    virtual std::span<const Match> byVdieId(std::string_view vdieId) const = 0;
    /// The card with this number on a node (Ascend910-{n}, mlu slot, dcgm `gpu`); ordinal `none` when there
    /// is none. Vendor Other: any card of the node that has that number and is of none of the named vendors.
    virtual Match bySlot(std::uint32_t node, Vendor vendor, std::uint32_t slot) const = 0;

    /// Whether any source on the Kubernetes side told a UUID or die id of this card: then a series with
    /// another one on the same slot is not of this card.
    virtual bool hasUuid(std::uint32_t ordinal) const = 0;

    /// By metadata.name; `none` when unknown.
    virtual std::uint32_t nodeByName(std::string_view name) const = 0;
    /// By whatever else a host is called: label kubernetes.io/hostname, an address of status.addresses (no
    /// port, IPv6 without brackets), or the part of its name before the first dot. Case ignored. `none` when
    /// unknown or when several nodes answer to it.
    virtual std::uint32_t nodeByHost(std::string_view host) const = 0;
    /// For notes; empty for an unknown number.
    virtual std::string_view nodeName(std::uint32_t node) const = 0;
    /// Number of physical cards now, for reserving.
    virtual std::uint32_t cardCount() const = 0;
};

} // namespace tongchi
