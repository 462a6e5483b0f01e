#pragma once

#include "platform/inventory/card_history.h"
#include "platform/inventory/card_store.h"
#include "platform/inventory/card_traits.h"

#include <deque>
#include <unordered_map>
#include <unordered_set>

namespace tongchi {

/// How the store keeps its cards; card_store.cpp reads it, card_store_apply.cpp changes it.
struct CardStore::Private
{
    struct Cluster
    {
        std::vector<CardIndex> byOrdinal;
        std::shared_ptr<const ClusterStatus> status;
        bool clockSkewed = false; ///< its metrics source's clock is 30 s or more off
    };

    std::uint64_t shapeVersion = 0;

    explicit Private(StringPool &strings)
        : pool(strings), workloads(strings), exporterText(strings.intern("exporter"))
    {
    }

    // Reading
    std::uint32_t findNodeByName(quint32 clusterId, StringId name) const;
    std::uint32_t findNodeByUid(quint32 clusterId, StringId uid) const;
    const Cluster *clusterOf(CardIndex card) const;
    std::optional<std::int64_t> memoryBytes(const StoredCard &cell) const;
    CardFlags flags(CardIndex card) const;
    const CardTraits &traitsOf(const StoredCard &cell) const { return traits[cell.chunk.traits[cell.at]]; }
    CardUuid uuid(CardIndex card) const
    {
        const StoredCard cell = columns[card];
        return CardUuid::fromHalves({traitsOf(cell).uuidShared, cell.chunk.uuid[cell.at]});
    }
    std::span<const StringId> pods(const StoredCard &cell) const;

    // Changing
    void recycle();
    void removeNode(std::uint32_t index, StoreChange &change);
    void removeCluster(quint32 clusterId, StoreChange &change);
    void upsertNode(quint32 clusterId, Cluster &cluster, const NodeUpdate &update, StoreChange &change);
    CardIndex addCard(std::uint32_t node, Cluster &cluster, const CardRecord &record, StoreChange &change);
    void updateCard(CardIndex card, const CardRecord &record, StoreChange &change);
    void removeCard(CardIndex card, StoreChange &change);
    /// Writes everything but uuid, telemetry and place; says whether something visible or something
    /// filterable changed.
    struct Difference
    {
        bool values = false, identity = false;
    };
    Difference writeRecord(CardIndex card, const CardRecord &record);
    void setTraits(const StoredCard &cell, const CardTraits &wanted);
    void forgetTelemetry(CardIndex card);
    void listUuid(CardIndex card, StoreChange &change);
    void unlistUuid(CardIndex card, StoreChange &change);
    void refreshTwins(const CardUuid &uuid, StoreChange &change);
    bool setPods(CardIndex card, const std::vector<StringId> &pods);
    bool setSlices(CardIndex card, const std::vector<CardSlice> &slices);
    void applyPast(const Cluster &cluster, const TelemetryRecord &record, StoreChange &change);
    void applyTelemetry(const Cluster &cluster, const TelemetryRecord &record, Instant now,
                        StoreChange &change);
    void applyStatus(quint32 clusterId, Cluster &cluster, const std::shared_ptr<const ClusterStatus> &status,
                     StoreChange &change);
    void markIdentityChanged(CardIndex card, StoreChange &change);
    std::uint16_t modelOf(const CardRecord &record);
    void finish(StoreChange &change);

    std::size_t nodeNameHash(std::uint32_t node) const;
    std::size_t nodeUidHash(std::uint32_t node) const;

    StringPool &pool;
    CardColumns columns;
    CardHistory history;
    CardTraitTable traits;
    WorkloadSets workloads;
    std::unordered_map<quint32, Cluster> clusters;
    std::unordered_set<quint32> forgotten;

    std::deque<StoredNode> nodes;
    std::vector<std::uint32_t> freeNodes, restingNodes;
    IndexTable nodesByName, nodesByUid;

    std::vector<CardIndex> freeCards,
        restingCards; ///< resting: freed by the last apply, not to be reused by it
    std::uint32_t usedCards = 0;
    IndexTable cardsByUuid;

    std::vector<ModelFacts> models;
    IndexTable modelIndex;

    std::vector<std::vector<StringId>> podLists;
    std::vector<std::uint32_t> freePodLists;
    std::unordered_map<CardIndex, std::vector<CardSlice>> slices;
    std::uint32_t usedNodes = 0;
    StringId exporterText;
};

} // namespace tongchi
