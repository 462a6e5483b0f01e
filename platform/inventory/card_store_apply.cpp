#include "platform/inventory/card_store_private.h"

#include <algorithm>
#include <cmath>

namespace tongchi {
namespace {

constexpr std::size_t mostModels = 65'000; // room for one entry a vendor beyond that
constexpr std::chrono::seconds skewWorthAFlag{30};

std::size_t modelHash(const ModelFacts &facts)
{
    std::size_t hash = std::size_t(facts.vendor) << 32 | facts.vendorName;
    for (const StringId id : {facts.model, facts.variant, facts.modelReported})
        hash = (hash ^ id) * 0x9E3779B97F4A7C15u;
    return hash ^ hash >> 31;
}

bool sameNodeFacts(const NodeFacts &a, const NodeFacts &b)
{
    return a.name == b.name && a.region == b.region && a.zone == b.zone && a.usability == b.usability &&
           a.usabilityReason == b.usabilityReason && a.unschedulable == b.unschedulable &&
           a.businessLabel == b.businessLabel && a.cards == b.cards && a.withdrawn == b.withdrawn &&
           a.held == b.held && a.free == b.free && a.note == b.note && a.kubeletVersion == b.kubeletVersion;
}

/// What a record says; what the exporter said stays.
CardTraits recordTraits(const CardRecord &record, const CardTraits &known)
{
    CardTraits traits{.exporterTotal = known.exporterTotal, .telemetrySource = known.telemetrySource};
    if (record.memoryBytes && *record.memoryBytes >= 0)
        traits.memoryBytes = *record.memoryBytes;
    traits.driver = record.driver;
    traits.resource = record.resource;
    traits.linkDomain = record.linkDomain;
    traits.healthReason = record.healthReason;
    traits.memorySource = record.memorySource;
    traits.healthSource = record.healthSource;
    traits.modelSource = record.modelSource;
    traits.flags = std::uint32_t(record.flags.toInt());
    traits.shares = record.shares;
    traits.sources = std::uint8_t(record.sources.toInt());
    traits.numaNode = record.numaNode.value_or(-1);
    traits.uuidShared = record.uuid.halves().shared;
    return traits;
}

} // namespace

StoreChange CardStore::apply(const InventoryDelta &delta, Instant now)
{
    StoreChange change;
    if (d->forgotten.contains(delta.clusterId))
        return change;
    d->recycle();
    if (delta.restart || !delta.removedNodes.empty() || !delta.upserts.empty())
        ++d->shapeVersion;
    Private::Cluster &cluster = d->clusters[delta.clusterId];
    if (delta.restart)
        d->removeCluster(delta.clusterId, change);
    for (const StringId uid : delta.removedNodes) {
        const std::uint32_t node = d->findNodeByUid(delta.clusterId, uid);
        if (node != IndexTable::none)
            d->removeNode(node, change);
    }
    for (const NodeUpdate &update : delta.upserts)
        d->upsertNode(delta.clusterId, cluster, update, change);
    for (const TelemetryRecord &record : delta.telemetry)
        d->applyTelemetry(cluster, record, now, change);
    for (const TelemetryRecord &record : delta.past)
        d->applyPast(cluster, record, change);
    if (delta.status)
        d->applyStatus(delta.clusterId, cluster, delta.status, change);
    d->finish(change);
    return change;
}

StoreChange CardStore::forgetCluster(quint32 clusterId)
{
    StoreChange change;
    d->recycle();
    ++d->shapeVersion;
    d->forgotten.insert(clusterId);
    d->removeCluster(clusterId, change);
    change.statusChanged = d->clusters.erase(clusterId) > 0;
    d->finish(change);
    return change;
}

void CardStore::Private::recycle()
{
    freeCards.insert(freeCards.end(), restingCards.begin(), restingCards.end());
    restingCards.clear();
    freeNodes.insert(freeNodes.end(), restingNodes.begin(), restingNodes.end());
    restingNodes.clear();
}

void CardStore::Private::removeCluster(quint32 clusterId, StoreChange &change)
{
    for (std::uint32_t node = 0; node < nodes.size(); ++node) {
        if (nodes[node].facts.uid != 0 && nodes[node].clusterId == clusterId)
            removeNode(node, change);
    }
}

void CardStore::Private::removeNode(std::uint32_t index, StoreChange &change)
{
    StoredNode &node = nodes[index];
    for (const CardIndex card : node.cards)
        removeCard(card, change);
    nodesByName.remove(nodeNameHash(index), index, [this](std::uint32_t i) { return nodeNameHash(i); });
    nodesByUid.remove(nodeUidHash(index), index, [this](std::uint32_t i) { return nodeUidHash(i); });
    node.cards = {};
    node.facts = {};
    restingNodes.push_back(index);
    --usedNodes;
}

void CardStore::Private::upsertNode(quint32 clusterId, Cluster &cluster, const NodeUpdate &update,
                                    StoreChange &change)
{
    if (update.node.uid == 0)
        return;
    std::uint32_t index = findNodeByUid(clusterId, update.node.uid);
    const std::uint32_t namesake = findNodeByName(clusterId, update.node.name);
    if (namesake != IndexTable::none && namesake != index)
        removeNode(namesake, change); // replaced under the same name; its removal may come later, or never
    bool factsChanged = false;
    if (index == IndexTable::none) {
        if (freeNodes.empty()) {
            index = std::uint32_t(nodes.size());
            nodes.emplace_back();
        } else {
            index = freeNodes.back();
            freeNodes.pop_back();
        }
        nodes[index].facts = update.node;
        nodes[index].clusterId = clusterId;
        nodesByName.insert(nodeNameHash(index), index, [this](std::uint32_t i) { return nodeNameHash(i); });
        nodesByUid.insert(nodeUidHash(index), index, [this](std::uint32_t i) { return nodeUidHash(i); });
        ++usedNodes;
    } else {
        NodeFacts &facts = nodes[index].facts;
        factsChanged = !sameNodeFacts(facts, update.node);
        if (facts.name != update.node.name) { // cannot happen in Kubernetes
            nodesByName.remove(nodeNameHash(index), index,
                               [this](std::uint32_t i) { return nodeNameHash(i); });
            facts.name = update.node.name;
            nodesByName.insert(nodeNameHash(index), index,
                               [this](std::uint32_t i) { return nodeNameHash(i); });
        }
        facts = update.node;
    }

    StoredNode &node = nodes[index];
    std::vector<CardIndex> cards;
    cards.reserve(update.cards.size());
    for (const CardRecord &record : update.cards) {
        if (record.ordinal >= ThreeByteNumber::limit)
            continue; // more cards than one cluster can have
        CardIndex card =
            record.ordinal < cluster.byOrdinal.size() ? cluster.byOrdinal[record.ordinal] : noCard;
        const bool known = card != noCard && columns[card].is(CardChunk::used) &&
                           columns[card].chunk.node[columns[card].at] == index &&
                           !columns[card].is(CardChunk::marked);
        if (known)
            updateCard(card, record, change);
        else
            card = addCard(index, cluster, record, change);
        columns[card].set(CardChunk::marked, true);
        cards.push_back(card);
    }
    for (const CardIndex card : node.cards) {
        if (!columns[card].is(CardChunk::marked))
            removeCard(card, change);
    }
    for (const CardIndex card : cards)
        columns[card].set(CardChunk::marked, false);
    std::sort(cards.begin(), cards.end(), [this](CardIndex a, CardIndex b) {
        const StoredCard one = columns[a];
        const StoredCard other = columns[b];
        const Vendor vendors[]{models[one.chunk.model[one.at]].vendor,
                               models[other.chunk.model[other.at]].vendor};
        return vendors[0] != vendors[1] ? vendors[0] < vendors[1]
                                        : one.chunk.slot[one.at] < other.chunk.slot[other.at];
    });
    if (factsChanged) {
        change.valuesChanged = true;
        for (const CardIndex card : cards)
            markIdentityChanged(card, change);
    }
    node.cards = std::move(cards);
}

CardIndex CardStore::Private::addCard(std::uint32_t node, Cluster &cluster, const CardRecord &record,
                                      StoreChange &change)
{
    CardIndex card = noCard;
    if (freeCards.empty()) {
        card = columns.append();
    } else {
        card = freeCards.back();
        freeCards.pop_back();
    }
    StoredCard cell = columns[card];
    cell.chunk.live[cell.at] = CardChunk::used | CardChunk::fresh;
    cell.chunk.node[cell.at] = node;
    cell.chunk.ordinal[cell.at] = record.ordinal;
    cell.chunk.traits[cell.at] = traits.acquire({});
    cell.chunk.workload[cell.at] = 0;
    cell.chunk.pods[cell.at] = 0;
    cell.chunk.uuid[cell.at] = {};
    cell.setState(record.label, record.health, CardHealth::NotReported);
    cell.forgetTelemetry();
    history.forget(card);
    writeRecord(card, record);
    listUuid(card, change);
    if (record.ordinal >= cluster.byOrdinal.size()) {
        if (record.ordinal >= cluster.byOrdinal.capacity()) // by an eighth: doubling would leave slack behind
            cluster.byOrdinal.reserve(record.ordinal + record.ordinal / 8 + 64);
        cluster.byOrdinal.resize(record.ordinal + 1, noCard);
    }
    cluster.byOrdinal[record.ordinal] = card;
    ++usedCards;
    change.added.push_back(card);
    return card;
}

void CardStore::Private::updateCard(CardIndex card, const CardRecord &record, StoreChange &change)
{
    StoredCard cell = columns[card];
    const CardFlags flagsBefore = flags(card);
    const CardHealth healthBefore = cell.health();
    const CardUuid uuidBefore = uuid(card);
    const bool renamed = !(uuidBefore == record.uuid);
    if (renamed) {
        unlistUuid(card, change);
        if (!uuidBefore.isEmpty() && !record.uuid.isEmpty()) {
            forgetTelemetry(card); // another card in the same place: nothing measured belongs to it
            change.measured.push_back(card);
        }
    }
    Difference difference = writeRecord(card, record);
    if (renamed)
        listUuid(card, change);
    if (renamed || difference.identity || flags(card) != flagsBefore || cell.health() != healthBefore) {
        difference.values = true;
        markIdentityChanged(card, change);
    }
    change.valuesChanged = change.valuesChanged || difference.values;
}

void CardStore::Private::setTraits(const StoredCard &cell, const CardTraits &wanted)
{
    const std::uint32_t old = cell.chunk.traits[cell.at];
    if (traits[old] == wanted)
        return;
    cell.chunk.traits[cell.at] = traits.acquire(wanted);
    traits.release(old);
}

void CardStore::Private::forgetTelemetry(CardIndex card)
{
    StoredCard cell = columns[card];
    CardTraits wanted = traitsOf(cell);
    wanted.exporterTotal = 0;
    wanted.telemetrySource = 0;
    setTraits(cell, wanted);
    cell.forgetTelemetry();
    cell.setState(cell.label(), cell.kubernetesHealth(), CardHealth::NotReported);
    cell.set(CardChunk::severalExporters, false);
    cell.set(CardChunk::errorReported, false);
    history.forget(card);
}

CardStore::Private::Difference CardStore::Private::writeRecord(CardIndex card, const CardRecord &record)
{
    StoredCard cell = columns[card];
    Difference difference;
    const CardTraits &known = traitsOf(cell);
    const CardTraits wanted = recordTraits(record, known);
    if (!(known == wanted)) {
        difference.values = true;
        difference.identity = known.sources != wanted.sources || known.driver != wanted.driver ||
                              known.memoryBytes != wanted.memoryBytes;
        setTraits(cell, wanted);
    }
    cell.chunk.uuid[cell.at] = record.uuid.halves().own;
    const std::uint16_t model = modelOf(record);
    const std::uint32_t workload = workloads.find(record.workloads);
    if (cell.chunk.model[cell.at] != model || cell.chunk.slot[cell.at] != record.slot ||
        cell.chunk.workload[cell.at] != workload || cell.label() != record.label) {
        difference.identity = true;
    }
    cell.chunk.model[cell.at] = model;
    cell.chunk.slot[cell.at] = record.slot;
    cell.chunk.workload[cell.at] = workload;
    cell.setState(record.label, record.health, cell.exporterHealth());
    if (setPods(card, record.pods))
        difference.identity = true; // free text finds a card by its pods
    if (setSlices(card, record.slices))
        difference.values = true;
    return difference;
}

void CardStore::Private::removeCard(CardIndex card, StoreChange &change)
{
    StoredCard cell = columns[card];
    unlistUuid(card, change);
    traits.release(cell.chunk.traits[cell.at]);
    setPods(card, {});
    setSlices(card, {});
    Cluster &cluster = clusters[nodes[cell.chunk.node[cell.at]].clusterId];
    const std::uint32_t ordinal = cell.chunk.ordinal[cell.at];
    if (cluster.byOrdinal[ordinal] == card) // the number may have gone to another card already
        cluster.byOrdinal[ordinal] = noCard;
    if (cell.is(CardChunk::fresh))
        std::erase(change.added, card);
    else
        change.removed.push_back(card);
    cell.chunk.live[cell.at] = 0;
    restingCards.push_back(card);
    --usedCards;
}

void CardStore::Private::listUuid(CardIndex card, StoreChange &change)
{
    const CardUuid own = uuid(card);
    if (own.isEmpty())
        return;
    cardsByUuid.insert(own.hash(), card, [this](std::uint32_t i) { return uuid(i).hash(); });
    refreshTwins(own, change);
}

void CardStore::Private::unlistUuid(CardIndex card, StoreChange &change)
{
    const CardUuid own = uuid(card);
    if (own.isEmpty())
        return;
    cardsByUuid.remove(own.hash(), card, [this](std::uint32_t i) { return uuid(i).hash(); });
    StoredCard cell = columns[card];
    if (cell.is(CardChunk::sameUuid)) {
        cell.set(CardChunk::sameUuid, false);
        refreshTwins(own, change);
    }
}

/// Marks the cards of this UUID that some other node shows too, and unmarks the others.
void CardStore::Private::refreshTwins(const CardUuid &shared, StoreChange &change)
{
    std::uint32_t first = IndexTable::none;
    bool several = false;
    cardsByUuid.forEach(shared.hash(), [&](std::uint32_t card) {
        if (!(uuid(card) == shared))
            return;
        const std::uint32_t node = columns[card].chunk.node[columns[card].at];
        several = several || (first != IndexTable::none && node != first);
        first = node;
    });
    cardsByUuid.forEach(shared.hash(), [&](std::uint32_t card) {
        StoredCard cell = columns[card];
        if (!(uuid(card) == shared) || cell.is(CardChunk::sameUuid) == several)
            return;
        cell.set(CardChunk::sameUuid, several);
        change.valuesChanged = true;
        markIdentityChanged(card, change);
    });
}

bool CardStore::Private::setPods(CardIndex card, const std::vector<StringId> &wanted)
{
    StoredCard cell = columns[card];
    const auto known = pods(cell);
    if (std::equal(known.begin(), known.end(), wanted.begin(), wanted.end()))
        return false;
    std::uint32_t &value = cell.chunk.pods[cell.at];
    if (value & CardChunk::manyPods) {
        podLists[value & ~CardChunk::manyPods] = {};
        freePodLists.push_back(value & ~CardChunk::manyPods);
    }
    value = wanted.size() == 1 ? wanted.front() : 0;
    if (wanted.size() > 1) {
        std::uint32_t list = std::uint32_t(podLists.size());
        if (freePodLists.empty()) {
            podLists.push_back(wanted);
        } else {
            list = freePodLists.back();
            freePodLists.pop_back();
            podLists[list] = wanted;
        }
        value = CardChunk::manyPods | list;
    }
    return true;
}

bool CardStore::Private::setSlices(CardIndex card, const std::vector<CardSlice> &wanted)
{
    StoredCard cell = columns[card];
    if (wanted.empty()) {
        const bool had = cell.is(CardChunk::hasSlices);
        if (had)
            slices.erase(card);
        cell.set(CardChunk::hasSlices, false);
        return had;
    }
    cell.set(CardChunk::hasSlices, true);
    std::vector<CardSlice> &known = slices[card];
    if (known == wanted)
        return false;
    known = wanted;
    return true;
}

void CardStore::Private::applyTelemetry(const Cluster &cluster, const TelemetryRecord &record, Instant now,
                                        StoreChange &change)
{
    if (record.ordinal >= cluster.byOrdinal.size() || cluster.byOrdinal[record.ordinal] == noCard)
        return;
    const CardIndex card = cluster.byOrdinal[record.ordinal];
    StoredCard cell = columns[card];
    const std::uint8_t liveBefore = cell.chunk.live[cell.at];
    const std::uint8_t stateBefore = cell.chunk.state[cell.at];
    const bool first = !cell.sampled();
    const float exporterTotal = record.memoryTotalBytes > 0 ? record.memoryTotalBytes : 0;
    const CardTraits &known = traitsOf(cell);
    const bool totalChanged = known.exporterTotal != exporterTotal;
    if (totalChanged || known.telemetrySource != record.source) {
        CardTraits wanted = known;
        wanted.exporterTotal = exporterTotal;
        wanted.telemetrySource = record.source;
        setTraits(cell, wanted);
    }

    cell.setUtilization(record.utilizationPercent);
    cell.setTemperature(record.temperatureCelsius);
    cell.chunk.memoryUsed[cell.at] = record.memoryUsedBytes;
    cell.chunk.power[cell.at] = record.powerWatts;
    const Instant sampledAt = record.sampledAt == Instant{} ? now : record.sampledAt;
    cell.setSampledAt(sampledAt);
    cell.setState(cell.label(), cell.kubernetesHealth(), record.health);
    cell.set(CardChunk::severalExporters, record.severalExporters);
    cell.set(CardChunk::errorReported, record.errorReported);

    const auto total = memoryBytes(cell);
    const float memoryPercent =
        total && *total > 0 ? 100 * record.memoryUsedBytes / float(*total) : notReported;
    history.record(card, sampledAt, record.utilizationPercent, memoryPercent);
    change.measured.push_back(card);
    if (first || totalChanged || liveBefore != cell.chunk.live[cell.at] ||
        stateBefore != cell.chunk.state[cell.at]) {
        change.valuesChanged = true;
        markIdentityChanged(card, change);
    }
}

void CardStore::Private::applyPast(const Cluster &cluster, const TelemetryRecord &record, StoreChange &change)
{
    if (record.ordinal >= cluster.byOrdinal.size() || cluster.byOrdinal[record.ordinal] == noCard)
        return;
    const CardIndex card = cluster.byOrdinal[record.ordinal];
    const auto known = memoryBytes(columns[card]);
    const float total = record.memoryTotalBytes > 0 ? record.memoryTotalBytes : known ? float(*known) : 0;
    history.recordPast(card, record.sampledAt, record.utilizationPercent,
                       total > 0 ? 100 * record.memoryUsedBytes / total : notReported);
    change.historyChanged = true;
}

void CardStore::Private::applyStatus(quint32 clusterId, Cluster &cluster,
                                     const std::shared_ptr<const ClusterStatus> &status, StoreChange &change)
{
    change.statusChanged = true;
    change.valuesChanged = change.valuesChanged || !cluster.status || cluster.status->name != status->name;
    cluster.status = status;
    const auto skew = status->metrics.clockSkew;
    const bool skewed = skew && (*skew >= skewWorthAFlag || *skew <= -skewWorthAFlag);
    if (skewed == cluster.clockSkewed)
        return;
    cluster.clockSkewed = skewed;
    change.valuesChanged = true;
    for (const StoredNode &node : nodes) {
        if (node.facts.uid == 0 || node.clusterId != clusterId)
            continue;
        for (const CardIndex card : node.cards) {
            if (columns[card].sampled())
                markIdentityChanged(card, change);
        }
    }
}

void CardStore::Private::markIdentityChanged(CardIndex card, StoreChange &change)
{
    if (!columns[card].is(CardChunk::fresh))
        change.identityChanged.push_back(card);
}

std::uint16_t CardStore::Private::modelOf(const CardRecord &record)
{
    ModelFacts facts{record.vendor, record.vendorName, record.model, record.variant, record.modelReported};
    const auto same = [&](std::uint32_t i) { return models[i] == facts; };
    std::uint32_t found = modelIndex.find(modelHash(facts), same);
    if (found == IndexTable::none && models.size() >= mostModels) {
        facts = {.vendor = record.vendor}; // nobody has that many models; a name made anew for each card does
                                           // not break the rest
        found = modelIndex.find(modelHash(facts), same);
    }
    if (found == IndexTable::none) {
        found = std::uint32_t(models.size());
        models.push_back(facts);
        modelIndex.insert(modelHash(facts), found, [this](std::uint32_t i) { return modelHash(models[i]); });
    }
    return std::uint16_t(found);
}

void CardStore::Private::finish(StoreChange &change)
{
    for (const CardIndex card : change.added)
        columns[card].set(CardChunk::fresh, false);
    std::erase_if(change.identityChanged,
                  [this](CardIndex card) { return !columns[card].is(CardChunk::used); });
    std::sort(change.identityChanged.begin(), change.identityChanged.end());
    change.identityChanged.erase(std::unique(change.identityChanged.begin(), change.identityChanged.end()),
                                 change.identityChanged.end());
}

} // namespace tongchi
