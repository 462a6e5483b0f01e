#include "platform/inventory/card_store.h"

#include "platform/inventory/card_store_private.h"

#include <algorithm>
#include <cmath>

namespace tongchi {
namespace {

/// GFD says 81920 MiB and DCGM 81559 for the same card; only more than that is a contradiction.
constexpr double toleratedMemoryDifference = 0.1;

char asciiLower(char c)
{
    return c >= 'A' && c <= 'Z' ? char(c + 32) : c;
}

} // namespace

std::uint32_t CardStore::Private::findNodeByName(quint32 clusterId, StringId name) const
{
    const std::size_t hash = (std::size_t(clusterId) << 32 | name) * 0x9E3779B97F4A7C15u >> 17;
    return nodesByName.find(hash, [&](std::uint32_t node) {
        return nodes[node].facts.name == name && nodes[node].clusterId == clusterId;
    });
}

std::uint32_t CardStore::Private::findNodeByUid(quint32 clusterId, StringId uid) const
{
    const std::size_t hash = (std::size_t(clusterId) << 32 | uid) * 0x9E3779B97F4A7C15u >> 17;
    return nodesByUid.find(hash, [&](std::uint32_t node) {
        return nodes[node].facts.uid == uid && nodes[node].clusterId == clusterId;
    });
}

std::size_t CardStore::Private::nodeNameHash(std::uint32_t node) const
{
    return (std::size_t(nodes[node].clusterId) << 32 | nodes[node].facts.name) * 0x9E3779B97F4A7C15u >> 17;
}

std::size_t CardStore::Private::nodeUidHash(std::uint32_t node) const
{
    return (std::size_t(nodes[node].clusterId) << 32 | nodes[node].facts.uid) * 0x9E3779B97F4A7C15u >> 17;
}

const CardStore::Private::Cluster *CardStore::Private::clusterOf(CardIndex card) const
{
    const StoredCard cell = columns[card];
    const auto found = clusters.find(nodes[cell.chunk.node[cell.at]].clusterId);
    return found == clusters.end() ? nullptr : &found->second;
}

std::optional<std::int64_t> CardStore::Private::memoryBytes(const StoredCard &cell) const
{
    const CardTraits &own = traitsOf(cell);
    if (own.memoryBytes != CardTraits::noMemory)
        return own.memoryBytes;
    return own.exporterTotal > 0 ? std::optional(std::int64_t(own.exporterTotal)) : std::nullopt;
}

CardFlags CardStore::Private::flags(CardIndex card) const
{
    const StoredCard cell = columns[card];
    const CardTraits &own = traitsOf(cell);
    auto flags = CardFlags::fromInt(CardFlags::Int(own.flags));
    flags.setFlag(CardFlag::SameUuidElsewhere, cell.is(CardChunk::sameUuid));
    if (cell.is(CardChunk::severalExporters))
        flags |= CardFlag::SeveralExporters;
    if (cell.is(CardChunk::errorReported))
        flags |= CardFlag::ErrorReported;
    if (cell.healthContradicted())
        flags |= CardFlag::HealthDiffers;
    const float total = own.exporterTotal;
    if (own.memoryBytes > 0 && total > 0 &&
        std::abs(double(total) - double(own.memoryBytes)) >
            toleratedMemoryDifference * double(own.memoryBytes)) {
        flags |= CardFlag::MemoryDiffers;
    }
    if (cell.sampled()) {
        const Cluster *cluster = clusterOf(card);
        if (cluster && cluster->clockSkewed)
            flags |= CardFlag::ClockSkewed;
    }
    return flags;
}

std::span<const StringId> CardStore::Private::pods(const StoredCard &cell) const
{
    const std::uint32_t &value = cell.chunk.pods[cell.at];
    if (value == 0)
        return {};
    if (value & CardChunk::manyPods)
        return podLists[value & ~CardChunk::manyPods];
    return {&value, 1};
}

CardStore::CardStore(StringPool &pool) : d(std::make_unique<Private>(pool)) {}

CardStore::~CardStore() = default;

const StringPool &CardStore::strings() const
{
    return d->pool;
}

CardIndex CardStore::cardSlots() const
{
    return d->columns.size();
}

bool CardStore::isUsed(CardIndex card) const
{
    return card < d->columns.size() && d->columns[card].is(CardChunk::used);
}

std::uint32_t CardStore::cardCount() const
{
    return d->usedCards;
}

std::uint32_t CardStore::nodeCount() const
{
    return d->usedNodes;
}

CardIndex CardStore::find(quint32 clusterId, StringId nodeName, Vendor vendor, std::uint16_t slot) const
{
    const std::uint32_t node = d->findNodeByName(clusterId, nodeName);
    if (node == IndexTable::none)
        return noCard;
    for (const CardIndex card : d->nodes[node].cards) {
        const StoredCard cell = d->columns[card];
        if (cell.chunk.slot[cell.at] == slot && d->models[cell.chunk.model[cell.at]].vendor == vendor)
            return card;
    }
    return noCard;
}

quint32 CardStore::clusterOf(CardIndex card) const
{
    return d->nodes[nodeIndexOf(card)].clusterId;
}

std::uint32_t CardStore::nodeIndexOf(CardIndex card) const
{
    const StoredCard cell = d->columns[card];
    return cell.chunk.node[cell.at];
}

const StoredNode &CardStore::node(std::uint32_t nodeIndex) const
{
    return d->nodes[nodeIndex];
}

std::uint32_t CardStore::nodeSlots() const
{
    return std::uint32_t(d->nodes.size());
}

std::uint16_t CardStore::modelIndexOf(CardIndex card) const
{
    const StoredCard cell = d->columns[card];
    return cell.chunk.model[cell.at];
}

const ModelFacts &CardStore::model(std::uint16_t modelIndex) const
{
    return d->models[modelIndex];
}

std::uint16_t CardStore::modelCount() const
{
    return std::uint16_t(d->models.size());
}

std::uint16_t CardStore::slotOf(CardIndex card) const
{
    const StoredCard cell = d->columns[card];
    return cell.chunk.slot[cell.at];
}

CardHealth CardStore::healthOf(CardIndex card) const
{
    return d->columns[card].health();
}

BusinessLabel CardStore::labelOf(CardIndex card) const
{
    return d->columns[card].label();
}

CardFlags CardStore::flagsOf(CardIndex card) const
{
    return d->flags(card);
}

CardSources CardStore::sourcesOf(CardIndex card) const
{
    const StoredCard cell = d->columns[card];
    auto sources = CardSources::fromInt(d->traitsOf(cell).sources);
    sources.setFlag(CardSource::Exporter, sources.testFlag(CardSource::Exporter) || cell.sampled());
    return sources;
}

std::uint16_t CardStore::sharesOf(CardIndex card) const
{
    const StoredCard cell = d->columns[card];
    return d->traitsOf(cell).shares;
}

std::optional<std::int64_t> CardStore::memoryBytesOf(CardIndex card) const
{
    return d->memoryBytes(d->columns[card]);
}

std::optional<std::int64_t> CardStore::memoryUsedBytesOf(CardIndex card) const
{
    const StoredCard cell = d->columns[card];
    const float used = cell.chunk.memoryUsed[cell.at];
    return used >= 0 ? std::optional(std::int64_t(used)) : std::nullopt;
}

float CardStore::utilizationOf(CardIndex card) const
{
    return d->columns[card].utilization();
}

float CardStore::temperatureOf(CardIndex card) const
{
    return d->columns[card].temperature();
}

float CardStore::powerOf(CardIndex card) const
{
    const StoredCard cell = d->columns[card];
    return cell.chunk.power[cell.at];
}

std::optional<Instant> CardStore::sampledAt(CardIndex card) const
{
    const StoredCard cell = d->columns[card];
    return cell.sampled() ? std::optional(cell.sampledAt()) : std::nullopt;
}

StringId CardStore::workloadText(CardIndex card) const
{
    const StoredCard cell = d->columns[card];
    return d->workloads.text(cell.chunk.workload[cell.at]);
}

std::vector<StringId> CardStore::workloadsOf(CardIndex card) const
{
    const StoredCard cell = d->columns[card];
    return d->workloads.members(cell.chunk.workload[cell.at]);
}

std::span<const StringId> CardStore::podsOf(CardIndex card) const
{
    return d->pods(d->columns[card]);
}

std::span<const CardSlice> CardStore::slicesOf(CardIndex card) const
{
    if (!d->columns[card].is(CardChunk::hasSlices))
        return {};
    const auto found = d->slices.find(card);
    return found == d->slices.end() ? std::span<const CardSlice>()
                                    : std::span<const CardSlice>(found->second);
}

std::string CardStore::uuidOf(CardIndex card) const
{
    return d->uuid(card).toText(d->pool);
}

std::uint64_t CardStore::shapeVersion() const
{
    return d->shapeVersion;
}

CardUuid CardStore::cardUuidOf(CardIndex card) const
{
    return d->uuid(card);
}

std::optional<int> CardStore::numaNodeOf(CardIndex card) const
{
    const int numa = d->traitsOf(d->columns[card]).numaNode;
    return numa >= 0 ? std::optional(numa) : std::nullopt;
}

StringId CardStore::driverOf(CardIndex card) const
{
    return d->traitsOf(d->columns[card]).driver;
}

CardRecord CardStore::details(CardIndex card) const
{
    const StoredCard cell = d->columns[card];
    const CardTraits &own = d->traitsOf(cell);
    const ModelFacts &facts = d->models[cell.chunk.model[cell.at]];
    CardRecord record;
    record.ordinal = cell.chunk.ordinal[cell.at];
    record.slot = cell.chunk.slot[cell.at];
    record.vendor = facts.vendor;
    record.vendorName = facts.vendorName;
    record.model = facts.model;
    record.variant = facts.variant;
    record.modelReported = facts.modelReported;
    record.uuid = d->uuid(card);
    record.memoryBytes = memoryBytesOf(card);
    if (own.numaNode >= 0)
        record.numaNode = own.numaNode;
    record.health = cell.health();
    record.healthReason = own.healthReason;
    record.label = cell.label();
    record.sources = sourcesOf(card);
    record.flags = d->flags(card);
    record.shares = own.shares;
    const auto slices = slicesOf(card);
    record.slices.assign(slices.begin(), slices.end());
    const auto pods = podsOf(card);
    record.pods.assign(pods.begin(), pods.end());
    record.workloads = workloadsOf(card);
    record.driver = own.driver;
    record.resource = own.resource;
    record.linkDomain = own.linkDomain;
    record.memorySource = own.memorySource;
    if (own.memoryBytes == CardTraits::noMemory && record.memoryBytes)
        record.memorySource = d->exporterText;
    record.healthSource = own.healthSource;
    if (record.health != cell.kubernetesHealth())
        record.healthSource = d->exporterText;
    record.modelSource = own.modelSource;
    return record;
}

std::uint8_t CardStore::telemetrySourceOf(CardIndex card) const
{
    const StoredCard cell = d->columns[card];
    return d->traitsOf(cell).telemetrySource;
}

const ClusterStatus *CardStore::status(quint32 clusterId) const
{
    const auto found = d->clusters.find(clusterId);
    return found == d->clusters.end() ? nullptr : found->second.status.get();
}

std::vector<quint32> CardStore::clusters() const
{
    std::vector<quint32> ids;
    ids.reserve(d->clusters.size());
    for (const auto &[id, cluster] : d->clusters)
        ids.push_back(id);
    std::sort(ids.begin(), ids.end());
    return ids;
}

std::span<const std::uint8_t> CardStore::utilizationHistory(CardIndex card, int &firstIndex) const
{
    return d->history.utilization(card, firstIndex);
}

std::span<const std::uint8_t> CardStore::memoryHistory(CardIndex card, int &firstIndex) const
{
    return d->history.memory(card, firstIndex);
}

std::optional<Instant> CardStore::historyEnd(CardIndex card) const
{
    const Instant end = d->history.end(card);
    return end == Instant{} ? std::nullopt : std::optional(end);
}

void CardStore::forEachUuidContaining(std::string_view needle,
                                      const std::function<void(CardIndex)> &match) const
{
    std::string lower(needle);
    std::transform(lower.begin(), lower.end(), lower.begin(), asciiLower);
    const bool mayBeHex = lower.find_first_not_of("0123456789abcdef-") == std::string::npos;
    bool prefixMatters = false;
    char text[CardUuid::longestBinaryText];
    std::size_t prefixLength = 0;
    std::uint32_t lastShared = 0;
    for (CardIndex card = 0; card < d->columns.size(); ++card) {
        const StoredCard cell = d->columns[card];
        if (!cell.is(CardChunk::used))
            continue;
        const std::uint32_t shared = d->traitsOf(cell).uuidShared;
        if (shared != 0) {
            if (shared != lastShared) { // the prefix is the same for thousands of cards
                lastShared = shared;
                prefixLength = d->uuid(card).lowerCaseInto(text, d->pool) - CardUuid::hexLength;
                const std::string_view prefix(text, prefixLength);
                prefixMatters = lower.empty() || prefix.find(lower.front()) != std::string_view::npos;
            }
            if (!mayBeHex && !prefixMatters)
                continue; // a match would have to begin within the prefix: most needles end here
            CardUuid::writeHex(cell.chunk.uuid[cell.at], text + prefixLength);
            const std::string_view all(text, prefixLength + CardUuid::hexLength);
            if (all.find(lower) != std::string_view::npos)
                match(card);
        } else {
            std::string all = d->uuid(card).toText(d->pool);
            std::transform(all.begin(), all.end(), all.begin(), asciiLower);
            if (!all.empty() && all.find(lower) != std::string::npos)
                match(card);
        }
    }
}

std::size_t CardStore::bytes() const
{
    std::size_t bytes = d->columns.bytes() + d->traits.bytes() + d->workloads.bytes();
    bytes += d->nodes.size() * sizeof(StoredNode);
    for (const StoredNode &node : d->nodes)
        bytes += node.cards.capacity() ? node.cards.capacity() * sizeof(CardIndex) + 16 : 0;
    bytes += d->nodesByName.bytes() + d->nodesByUid.bytes() + d->cardsByUuid.bytes() + d->modelIndex.bytes();
    for (const auto *list :
         {&d->freeCards, &d->restingCards, &d->freeNodes, &d->restingNodes, &d->freePodLists})
        bytes += list->capacity() * sizeof(std::uint32_t);
    for (const auto &[id, cluster] : d->clusters)
        bytes += sizeof(cluster) + cluster.byOrdinal.capacity() * sizeof(CardIndex);
    bytes += d->models.capacity() * sizeof(ModelFacts) + d->podLists.capacity() * sizeof(d->podLists[0]);
    for (const auto &list : d->podLists)
        bytes += list.capacity() ? list.capacity() * sizeof(StringId) + 16 : 0;
    for (const auto &[card, list] : d->slices)
        bytes += 64 + list.capacity() * sizeof(CardSlice);
    return bytes;
}

std::size_t CardStore::historyBytes() const
{
    return d->history.bytes();
}

} // namespace tongchi
