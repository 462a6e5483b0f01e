#pragma once

#include "platform/inventory/inventory_delta.h"

#include <QString>
#include <functional>
#include <memory>
#include <span>
#include <string>

namespace tongchi {

using CardIndex = std::uint32_t;
constexpr CardIndex noCard = std::numeric_limits<CardIndex>::max();

/// What is the same for many cards: found once, referred to by number.
struct ModelFacts
{
    Vendor vendor = Vendor::Other;
    StringId vendorName = 0, model = 0, variant = 0, modelReported = 0;
    bool operator==(const ModelFacts &) const = default;
};

/// A node as the store keeps it.
struct StoredNode
{
    NodeFacts facts;
    quint32 clusterId = 0;
    std::vector<CardIndex> cards; ///< in slot order
};

/// What one apply() did, for models: they decide how to tell their views.
struct StoreChange
{
    std::vector<CardIndex> added;
    std::vector<CardIndex> removed;  ///< the indices may be reused by the next apply()
    bool valuesChanged = false;      ///< of cards that stayed, other than what was measured
    std::vector<CardIndex> measured; ///< whose telemetry changed; may have repeats
    bool historyChanged = false;     ///< of the last hour; no present value
    bool statusChanged = false;
    std::vector<CardIndex> identityChanged; ///< model, label, health, workload, flags or node facts: may
                                            ///< change filters and facets
};

/// All cards of all connected clusters, in columns (at most 150 bytes a card with its search text). GUI
/// thread only. Values of a lost cluster stay, with their age, until forgetCluster().
class CardStore
{
public:
    explicit CardStore(StringPool &pool);
    ~CardStore();
    CardStore(const CardStore &) = delete;
    CardStore &operator=(const CardStore &) = delete;

    StoreChange apply(const InventoryDelta &delta, Instant now);
    StoreChange forgetCluster(quint32 clusterId);

    const StringPool &strings() const;
    CardIndex cardSlots() const; ///< indices are below this; some may be free
    bool isUsed(CardIndex card) const;
    std::uint32_t cardCount() const;
    std::uint32_t nodeCount() const;
    /// Another number whenever cards or nodes came, went or moved.
    std::uint64_t shapeVersion() const;
    CardIndex find(quint32 clusterId, StringId nodeName, Vendor vendor, std::uint16_t slot) const;

    // One lookup each; card must be in use.
    quint32 clusterOf(CardIndex card) const;
    std::uint32_t nodeIndexOf(CardIndex card) const;
    const StoredNode &node(std::uint32_t nodeIndex) const;
    std::uint32_t nodeSlots() const; ///< node indices are below this; a node with uid 0 is free
    std::uint16_t modelIndexOf(CardIndex card) const;
    const ModelFacts &model(std::uint16_t modelIndex) const;
    std::uint16_t modelCount() const;
    std::uint16_t slotOf(CardIndex card) const;
    CardHealth healthOf(CardIndex card) const; ///< Kubernetes and exporter together; the worse of the two
    BusinessLabel labelOf(CardIndex card) const;
    CardFlags flagsOf(CardIndex card) const;
    CardSources sourcesOf(CardIndex card) const;
    std::uint16_t sharesOf(CardIndex card) const;
    std::optional<std::int64_t> memoryBytesOf(CardIndex card) const;
    std::optional<std::int64_t> memoryUsedBytesOf(CardIndex card) const;
    float utilizationOf(CardIndex card) const;               ///< per cent; NaN: not reported
    float temperatureOf(CardIndex card) const;               ///< degrees Celsius; NaN: not reported
    float powerOf(CardIndex card) const;                     ///< watts; NaN: not reported
    std::optional<Instant> sampledAt(CardIndex card) const;  ///< nullopt: never
    StringId workloadText(CardIndex card) const;             ///< "a + b", interned; 0: none
    std::vector<StringId> workloadsOf(CardIndex card) const; ///< by name, without repeats
    std::span<const StringId> podsOf(CardIndex card) const;
    std::span<const CardSlice> slicesOf(CardIndex card) const;
    std::string uuidOf(CardIndex card) const;
    CardUuid cardUuidOf(CardIndex card) const;
    std::optional<int> numaNodeOf(CardIndex card) const;
    StringId driverOf(CardIndex card) const;
    /// Everything of one card, for the drawer, JSON and "where this number comes from".
    CardRecord details(CardIndex card) const;
    std::uint8_t telemetrySourceOf(CardIndex card) const;

    const ClusterStatus *status(quint32 clusterId) const; ///< null: unknown cluster
    std::vector<quint32> clusters() const;

    /// Utilization (per cent, 255: no value) and memory (per cent of total) of the last hour, oldest first,
    /// one value each 30 s, 120 in all. Kept apart from the columns: 256 bytes a card, allocated with the
    /// first sample.
    std::span<const std::uint8_t> utilizationHistory(CardIndex card, int &firstIndex) const;
    std::span<const std::uint8_t> memoryHistory(CardIndex card, int &firstIndex) const;
    /// End of the newest 30 s of the history, by the samples' clock; nullopt: no sample yet (both spans are
    /// empty).
    std::optional<Instant> historyEnd(CardIndex card) const;

    /// Calls `match` with every used card whose UUID contains `needle` (ASCII, case ignored).
    void forEachUuidContaining(std::string_view needle, const std::function<void(CardIndex)> &match) const;

    std::size_t bytes() const; ///< columns, indices and side tables, history apart
    std::size_t historyBytes() const;

private:
    struct Private;
    std::unique_ptr<Private> d;
};

} // namespace tongchi
