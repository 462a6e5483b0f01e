#include "platform/inventory/card_assembler.h"

#include "platform/inventory/card_assembler_private.h"

#include <algorithm>

namespace tongchi {
namespace {

std::size_t assembledModelHash(const ModelFacts &facts)
{
    std::size_t hash = std::size_t(facts.vendor) << 32 | facts.vendorName;
    for (const StringId id : {facts.model, facts.variant, facts.modelReported})
        hash = (hash ^ id) * 0x9E3779B97F4A7C15u;
    return hash ^ hash >> 31;
}

void mixInto(std::size_t &hash, std::uint64_t value)
{
    hash = (hash ^ value) * 0x9E3779B97F4A7C15u;
    hash ^= hash >> 32;
}

/// Everything that a reader of the update can see, apart from the resource version.
std::size_t updateHash(const NodeUpdate &update)
{
    const NodeFacts &node = update.node;
    std::size_t hash = node.uid;
    for (const std::uint64_t value :
         {std::uint64_t(node.name), std::uint64_t(node.region), std::uint64_t(node.zone),
          std::uint64_t(node.usability), std::uint64_t(node.usabilityReason),
          std::uint64_t(node.unschedulable), std::uint64_t(node.businessLabel),
          std::uint64_t(node.cards) << 48 | std::uint64_t(node.withdrawn) << 32 |
              std::uint64_t(node.held) << 16 | node.free,
          std::uint64_t(node.note), std::uint64_t(node.kubeletVersion)}) {
        mixInto(hash, value);
    }
    for (const CardRecord &card : update.cards) {
        for (const std::uint64_t value :
             {std::uint64_t(card.ordinal) << 32 | card.slot,
              std::uint64_t(card.vendor) << 32 | card.vendorName,
              std::uint64_t(card.model) << 32 | card.variant, std::uint64_t(card.modelReported),
              std::uint64_t(card.uuid.hash()), std::uint64_t(card.memoryBytes.value_or(-1)),
              std::uint64_t(card.numaNode.value_or(-1)), std::uint64_t(card.health) << 32 | card.healthReason,
              std::uint64_t(card.label) << 32 | card.sources.toInt(),
              std::uint64_t(card.flags.toInt()) << 16 | card.shares,
              std::uint64_t(card.driver) << 32 | card.resource,
              std::uint64_t(card.linkDomain) << 32 | card.memorySource,
              std::uint64_t(card.healthSource) << 32 | card.modelSource,
              std::uint64_t(card.pods.size()) << 32 | card.workloads.size(),
              std::uint64_t(card.slices.size())}) {
            mixInto(hash, value);
        }
        for (const StringId pod : card.pods)
            mixInto(hash, pod);
        for (const StringId workload : card.workloads)
            mixInto(hash, workload);
        for (const CardSlice &slice : card.slices) {
            mixInto(hash, std::uint64_t(slice.name) << 32 | slice.profile);
            mixInto(hash, std::uint64_t(slice.kind) << 32 | slice.workload);
            mixInto(hash, std::uint64_t(slice.memoryBytes.value_or(-1)));
        }
    }
    return hash ? hash : 1;
}

} // namespace

CardAssembler::Private::Private(StringPool &strings, const DeviceCatalog &devices, const Clock &time)
    : pool(strings), catalog(devices), clock(time), resolver(strings, devices), dra(strings, devices),
      nodeSink(makeNodeSink()), podSink(makePodSink()), plainPodSink(makePlainPodSink()),
      sliceSink(makeSliceSink()), claimSink(makeClaimSink()), deviceInfoSink(makeDeviceInfoSink())
{
}

void CardAssembler::Private::tellState(std::string_view resource, const WatchState &state) const
{
    if (stateCallback)
        stateCallback(resource, state);
}

std::uint16_t CardAssembler::Private::modelOf(const CardRecord &record)
{
    constexpr std::size_t most = 65'000;
    ModelFacts facts{record.vendor, record.vendorName, record.model, record.variant, record.modelReported};
    const auto same = [&](std::uint32_t i) { return models[i] == facts; };
    std::uint32_t found = modelIndex.find(assembledModelHash(facts), same);
    if (found == IndexTable::none && models.size() >= most) {
        facts = {.vendor = record.vendor}; // names made anew for each card: they are dropped before they hurt
        found = modelIndex.find(assembledModelHash(facts), same);
    }
    if (found == IndexTable::none) {
        found = std::uint32_t(models.size());
        models.push_back(facts);
        modelIndex.insert(assembledModelHash(facts), found,
                          [this](std::uint32_t i) { return assembledModelHash(models[i]); });
    }
    return std::uint16_t(found);
}

const CardIdentityIndex &CardAssembler::Private::identities() const
{
    if (!indexStale)
        return identityIndex;
    indexStale = false;
    identityIndex.clear();
    for (std::uint32_t n = 0; n < nodes.size(); ++n) {
        const AssembledNode &node = nodes[n];
        if (node.uid == 0)
            continue;
        const std::string_view name = pool.utf8(node.name);
        identityIndex.addHost(name, n);
        identityIndex.addHost(name.substr(0, name.find('.')), n);
        for (const StringId host : node.hosts)
            identityIndex.addHost(pool.utf8(host), n);
        for (const AssembledCard &card : node.cards)
            identityIndex.addUuid(card.uuid.toText(pool), {.ordinal = card.ordinal, .node = n});
        for (const DraDevices::Pool *devices : dra.poolsOf(node.name)) {
            const DraCards cards = draCardsOf(*devices, node.name, catalog, pool);
            for (const DraCards::Part &part : cards.parts) {
                const CardUuid &whole = cards.cards[part.card].record.uuid;
                const auto card = std::find_if(node.cards.begin(), node.cards.end(),
                                               [&](const AssembledCard &each) { return each.uuid == whole; });
                if (card != node.cards.end())
                    identityIndex.addUuid(part.uuid.toText(pool),
                                          {.ordinal = card->ordinal, .node = n, .slice = true});
            }
        }
    }
    identityIndex.finish();
    return identityIndex;
}

CardAssembler::CardAssembler(StringPool &pool, const DeviceCatalog &catalog, const Clock &clock)
    : d(std::make_unique<Private>(pool, catalog, clock))
{
}

CardAssembler::~CardAssembler() = default;

ResourceSink<NodeRecord> &CardAssembler::nodes()
{
    return d->nodeSink;
}

ResourceSink<PodRecord> &CardAssembler::pods()
{
    return d->plainPodSink;
}

ResourceSink<ResolvedPod> &CardAssembler::resolvedPods()
{
    return d->podSink;
}

ResourceSink<ResourceSliceRecord> &CardAssembler::slices()
{
    return d->sliceSink;
}

ResourceSink<ResourceClaimRecord> &CardAssembler::claims()
{
    return d->claimSink;
}

ResourceSink<AscendDeviceInfoRecord> &CardAssembler::deviceInfo()
{
    return d->deviceInfoSink;
}

void CardAssembler::onState(std::function<void(std::string_view, const WatchState &)> callback)
{
    d->stateCallback = std::move(callback);
}

const CardAssembler::Unreadable &CardAssembler::unreadableNodes() const
{
    return d->nodeSink.unreadableObjects();
}

const CardAssembler::Unreadable &CardAssembler::unreadablePods() const
{
    return d->podSink.unreadableObjects();
}

void CardAssembler::beginAttachments()
{
    d->attachmentRound.clear();
}

void CardAssembler::attachFromTelemetry(std::uint32_t ordinal, std::string_view nameSpace,
                                        std::string_view pod)
{
    if (ordinal >= d->nodeOfOrdinal.size() || pod.empty())
        return;
    const StringId name = d->pool.intern(std::string(nameSpace) + '/' + std::string(pod));
    std::vector<StringId> &names = d->attachmentRound[ordinal];
    if (std::find(names.begin(), names.end(), name) == names.end())
        names.push_back(name);
}

void CardAssembler::endAttachments()
{
    const auto changed = [this](std::uint32_t ordinal) {
        const std::uint32_t node =
            ordinal < d->nodeOfOrdinal.size() ? d->nodeOfOrdinal[ordinal] : AssembledNode::none;
        if (node != AssembledNode::none)
            d->markDirty(node);
    };
    for (auto &[ordinal, names] : d->attachmentRound) {
        std::sort(names.begin(), names.end());
        const auto before = d->attachments.find(ordinal);
        if (before == d->attachments.end() || before->second != names)
            changed(ordinal);
    }
    for (const auto &[ordinal, names] : d->attachments) {
        if (!d->attachmentRound.contains(ordinal))
            changed(ordinal);
    }
    d->attachments.swap(d->attachmentRound);
    d->attachmentRound.clear();
}

bool CardAssembler::hasChanges() const
{
    return !d->dirtyNodes.empty() || !d->removedUids.empty() || d->postponedAreDue();
}

std::optional<InventoryDelta> CardAssembler::takeDelta(std::size_t nodeLimit)
{
    d->checkOpenRequests();
    if (!hasChanges())
        return std::nullopt;
    if (d->postponedAreDue())
        d->takePostponed();
    InventoryDelta delta;
    std::size_t taken = 0;
    for (; taken < d->dirtyNodes.size() && delta.upserts.size() < nodeLimit; ++taken) {
        const std::uint32_t index = d->dirtyNodes[taken];
        AssembledNode &node = d->nodes[index];
        node.dirty = false;
        if (node.uid == 0) {
            d->dropIfGhost(index);
            continue;
        }
        NodeUpdate update = d->assemble(index);
        if (update.cards.empty() && update.node.note == 0) {
            if (node.emittedUid)
                d->removedUids.push_back(node.emittedUid);
            node.emittedUid = 0;
            node.emitted = 0;
            continue;
        }
        const std::size_t hash = updateHash(update);
        if (hash == node.emitted)
            continue;
        node.emitted = hash;
        node.emittedUid = node.uid;
        update.node.resourceVersion = d->pool.intern(node.resourceVersion);
        delta.upserts.push_back(std::move(update));
    }
    d->dirtyNodes.erase(d->dirtyNodes.begin(), d->dirtyNodes.begin() + std::ptrdiff_t(taken));
    delta.removedNodes.swap(d->removedUids);
    if (delta.upserts.empty() && delta.removedNodes.empty())
        return std::nullopt;
    return delta;
}

std::span<const CardIdentities::Match> CardAssembler::byUuid(std::string_view uuid) const
{
    return d->identities().byUuid(uuid);
}

std::span<const CardIdentities::Match> CardAssembler::byVdieId(std::string_view vdieId) const
{
    return d->identities().byUuid(vdieId);
}

CardIdentities::Match CardAssembler::bySlot(std::uint32_t node, Vendor vendor, std::uint32_t slot) const
{
    if (node >= d->nodes.size() || d->nodes[node].uid == 0)
        return {};
    for (const AssembledCard &card : d->nodes[node].cards) {
        const Vendor own = d->models[card.model].vendor;
        const std::uint32_t first = std::uint32_t(card.slot) * card.parts;
        if (own == vendor && slot >= first && slot < first + card.parts)
            return {.ordinal = card.ordinal, .node = node, .part = std::uint8_t(slot - first)};
    }
    return {};
}

bool CardAssembler::hasUuid(std::uint32_t ordinal) const
{
    const std::uint32_t node =
        ordinal < d->nodeOfOrdinal.size() ? d->nodeOfOrdinal[ordinal] : AssembledNode::none;
    if (node == AssembledNode::none)
        return false;
    const auto &cards = d->nodes[node].cards;
    return std::any_of(cards.begin(), cards.end(), [&](const AssembledCard &card) {
        return card.ordinal == ordinal && !card.uuid.isEmpty();
    });
}

std::uint32_t CardAssembler::nodeByName(std::string_view name) const
{
    const StringId id = d->pool.find(name);
    const std::uint32_t found = id ? d->findNode(id) : IndexTable::none;
    return found != IndexTable::none && d->nodes[found].uid != 0 ? found : none;
}

std::uint32_t CardAssembler::nodeByHost(std::string_view host) const
{
    return d->identities().byHost(host);
}

std::string_view CardAssembler::nodeName(std::uint32_t node) const
{
    return node < d->nodes.size() && d->nodes[node].uid != 0 ? d->pool.utf8(d->nodes[node].name)
                                                             : std::string_view();
}

std::uint32_t CardAssembler::cardCount() const
{
    return std::uint32_t(d->nodeOfOrdinal.size() - d->freeOrdinals.size());
}

std::size_t CardAssembler::bytes() const
{
    std::size_t bytes = d->nodes.size() * sizeof(AssembledNode) + d->nodesByName.bytes();
    for (const AssembledNode &node : d->nodes) {
        bytes += node.cards.capacity() * sizeof(AssembledCard) +
                 node.resources.capacity() * sizeof(NodeResource) + node.hosts.capacity() * sizeof(StringId);
        if (node.ownDrafts)
            bytes += node.ownDrafts->capacity() * sizeof(DraftCard);
    }
    bytes +=
        d->pods.size() * sizeof(AssembledPod) + d->holdings.size() * sizeof(Holding) + d->podsByUid.bytes();
    bytes += d->traits.bytes() + d->models.capacity() * sizeof(ModelFacts) + d->identityIndex.bytes() +
             d->dra.bytes();
    bytes += (d->nodeOfOrdinal.capacity() + d->freeOrdinals.capacity() + d->dirtyNodes.capacity()) *
             sizeof(std::uint32_t);
    return bytes + d->podsWithClaims.size() * 32 + (d->attachments.size() + d->deviceInfos.size()) * 72;
}

} // namespace tongchi
