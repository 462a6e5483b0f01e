#include "platform/inventory/card_assembler_private.h"
#include "platform/inventory/hami_text.h"

#include <algorithm>

namespace tongchi {
namespace {

/// The scheduler gives a plug-in up after this long (facts 3.5).
constexpr std::chrono::seconds unansweredLimit{60};

/// How long a node that is on the screen waits for the rest of its pods while the first list of them is read.
constexpr std::chrono::seconds postponement{2};

bool holdsCardFacts(std::string_view annotation, const DeviceCatalog &catalog)
{
    if (annotation == "baseDeviceInfos" || annotation == "superPodID" ||
        annotation == "hami.io/device-cordon")
        return true;
    return catalog.registerOwner(annotation) != nullptr;
}

std::size_t assembledNameHash(StringId name)
{
    return std::size_t(name * 0x9E3779B97F4A7C15u >> 32);
}

void mixText(std::size_t &hash, std::string_view text)
{
    hash = (hash ^ std::hash<std::string_view>{}(text)) * 0x9E3779B97F4A7C15u;
    hash ^= hash >> 32;
}

/// Of everything that cards are made from. HAMi rewrites its handshakes several times a minute: they count
/// only where they say that a plug-in is gone, or may be.
std::size_t evidenceOf(const NodeRecord &record, const DeviceCatalog &catalog)
{
    std::size_t hash = 0;
    bool nothingAllocatable = record.resources.empty();
    for (const ResourceAmount &amount : record.resources) {
        mixText(hash, amount.name);
        mixText(hash, amount.rawCapacity.empty() && amount.capacity ? std::to_string(amount.capacity->units())
                                                                    : amount.rawCapacity);
        mixText(hash, amount.rawAllocatable.empty() && amount.allocatable
                          ? std::to_string(amount.allocatable->units())
                          : amount.rawAllocatable);
        nothingAllocatable = nothingAllocatable || !amount.allocatable || amount.allocatable->units() == 0;
    }
    for (const auto &[key, value] : record.labels) {
        if (key.ends_with(".timestamp") || key.ends_with("-timestamp"))
            continue; // GFD and NFD stamp their labels each time
        mixText(hash, key);
        mixText(hash, value);
    }
    for (const auto &[key, value] : record.annotations) {
        if (key.starts_with("hami.io/node-handshake")) {
            const HamiHandshake handshake = parseHamiHandshake(value);
            if (handshake == HamiHandshake::Deleted ||
                (handshake == HamiHandshake::Requesting && nothingAllocatable)) {
                mixText(hash, key);
                mixText(hash, value);
            }
        } else if (holdsCardFacts(key, catalog)) {
            mixText(hash, key);
            mixText(hash, value);
        }
    }
    mixText(hash, record.key.name);
    return hash ? hash : 1;
}

BusinessLabel businessOfNode(std::string_view value)
{
    return value == "inference"  ? BusinessLabel::Inference
           : value == "training" ? BusinessLabel::Training
           : value == "mixed"    ? BusinessLabel::Mixed
                                 : BusinessLabel::Unknown;
}

std::string_view nodeLabelOf(const NodeRecord &record, std::initializer_list<std::string_view> keys)
{
    for (const std::string_view key : keys) {
        for (const auto &[name, value] : record.labels) {
            if (name == key && !value.empty())
                return value;
        }
    }
    return {};
}

template <typename Value> bool replaceValue(Value &target, Value value)
{
    if (target == value)
        return false;
    target = std::move(value);
    return true;
}

std::string joinedNotes(const std::vector<std::string> &notes)
{
    constexpr std::size_t longest = 600;
    std::string text;
    for (const std::string &note : notes)
        text.append(text.empty() ? "" : "; ").append(note);
    if (text.size() > longest) {
        std::size_t end = longest; // not within a character
        while (end > 0 && (std::uint8_t(text[end]) & 0xC0) == 0x80)
            --end;
        text.resize(end);
        text.append("...");
    }
    return text;
}

} // namespace

std::uint32_t CardAssembler::Private::findNode(StringId name) const
{
    return nodesByName.find(assembledNameHash(name), [&](std::uint32_t i) { return nodes[i].name == name; });
}

std::uint32_t CardAssembler::Private::nodeFor(StringId name)
{
    std::uint32_t index = findNode(name);
    if (index != IndexTable::none)
        return index;
    if (freeNodes.empty()) {
        index = std::uint32_t(nodes.size());
        nodes.emplace_back();
    } else {
        index = freeNodes.back();
        freeNodes.pop_back();
    }
    nodes[index].name = name;
    nodesByName.insert(assembledNameHash(name), index,
                       [this](std::uint32_t i) { return assembledNameHash(nodes[i].name); });
    return index;
}

void CardAssembler::Private::dropIfGhost(std::uint32_t index)
{
    AssembledNode &node = nodes[index];
    if (node.name == 0 || node.uid != 0 || node.firstPod != AssembledNode::none || node.health || node.dirty)
        return;
    nodesByName.remove(assembledNameHash(node.name), index,
                       [this](std::uint32_t i) { return assembledNameHash(nodes[i].name); });
    node = {};
    freeNodes.push_back(index);
}

void CardAssembler::Private::markDirty(std::uint32_t index)
{
    AssembledNode &node = nodes[index];
    if (node.dirty || node.uid == 0)
        return;
    node.dirty = true;
    dirtyNodes.push_back(index);
}

// The pods of a node lie all over the first list. A node that was handed over already waits for more of them:
// put together for each, it would cost more than reading the list.
void CardAssembler::Private::markDirtyByPod(std::uint32_t index)
{
    AssembledNode &node = nodes[index];
    if (podsKnown || node.emitted == 0) {
        markDirty(index);
        return;
    }
    if (node.dirty || std::exchange(node.postponed, true))
        return;
    if (postponedNodes.empty())
        postponedSince = clock.monotonic();
    postponedNodes.push_back(index);
}

bool CardAssembler::Private::postponedAreDue() const
{
    return !postponedNodes.empty() && clock.monotonic() - postponedSince >= postponement;
}

void CardAssembler::Private::takePostponed()
{
    for (const std::uint32_t index : postponedNodes) {
        nodes[index].postponed = false;
        markDirty(index);
    }
    postponedNodes = {};
}

void CardAssembler::Private::markDirtyByName(const std::vector<StringId> &names, bool devicesChanged)
{
    for (const StringId name : names) {
        const std::uint32_t found = findNode(name);
        if (found == IndexTable::none || nodes[found].uid == 0)
            continue;
        AssembledNode &node = nodes[found];
        if (devicesChanged) {
            std::vector<DraftCard> own;
            if (node.ownDrafts) {
                own = std::move(*node.ownDrafts);
            } else {
                for (const AssembledCard &card : node.cards)
                    own.push_back({.record = recordOf(card),
                                   .shareMemoryMiB = card.shareMemoryMiB,
                                   .parts = card.parts});
            }
            rebuildCards(found, std::move(own));
        }
        markDirty(found);
    }
}

CardRecord CardAssembler::Private::recordOf(const AssembledCard &card) const
{
    const CardTraits &facts = traits[card.traits];
    const ModelFacts &model = models[card.model];
    CardRecord record;
    record.ordinal = card.ordinal;
    record.slot = card.slot;
    record.vendor = model.vendor;
    record.vendorName = model.vendorName;
    record.model = model.model;
    record.variant = model.variant;
    record.modelReported = model.modelReported;
    record.uuid = card.uuid;
    if (facts.memoryBytes != CardTraits::noMemory)
        record.memoryBytes = facts.memoryBytes;
    if (facts.numaNode >= 0)
        record.numaNode = facts.numaNode;
    record.health = card.health;
    record.healthReason = facts.healthReason;
    record.sources = CardSources::fromInt(facts.sources);
    record.flags = CardFlags::fromInt(CardFlags::Int(facts.flags));
    record.shares = facts.shares;
    record.driver = facts.driver;
    record.resource = facts.resource;
    record.linkDomain = facts.linkDomain;
    record.memorySource = facts.memorySource;
    record.healthSource = facts.healthSource;
    record.modelSource = facts.modelSource;
    return record;
}

void CardAssembler::Private::readUsability(AssembledNode &node, const NodeRecord &record)
{
    node.ready = record.ready == ConditionStatus::True;
    node.unschedulable = record.unschedulable;
    node.usability = NodeUsability::Usable;
    std::string_view reason;
    if (record.ready == ConditionStatus::Unknown || record.ready == ConditionStatus::Missing) {
        node.usability = NodeUsability::NoContact;
        reason = record.ready == ConditionStatus::Missing ? std::string_view("no Ready condition")
                                                          : std::string_view(record.readyReason);
    } else if (record.ready == ConditionStatus::False) {
        node.usability = NodeUsability::NotReady;
        reason = record.readyReason;
    } else {
        for (const TaintRecord &taint : record.taints) {
            const bool blocks = taint.effect == "NoSchedule" || taint.effect == "NoExecute";
            // The cordon has its own word; work of the pool tolerates the taint that keeps other work away
            // from cards.
            const bool own =
                taint.key == "node.kubernetes.io/unschedulable" || catalog.isAcceleratorKey(taint.key) ||
                std::any_of(record.resources.begin(), record.resources.end(),
                            [&](const ResourceAmount &amount) { return amount.name == taint.key; });
            if (blocks && !own) {
                node.usability = NodeUsability::Tainted;
                reason = taint.key;
                break;
            }
        }
        if (node.usability == NodeUsability::Usable && record.unschedulable)
            node.usability = NodeUsability::Cordoned;
    }
    node.usabilityReason = pool.intern(reason);
}

void CardAssembler::Private::upsertNode(const NodeRecord &record)
{
    const StringId name = pool.intern(record.key.name);
    const StringId uid = pool.intern(record.key.uid.empty() ? "name:" + record.key.name : record.key.uid);
    if (name == 0)
        return;
    const std::uint32_t index = nodeFor(name);
    if (nodes[index].uid != 0 && nodes[index].uid != uid)
        forgetNode(index); // another machine under the same name: nothing of the old one is carried over
    AssembledNode &node = nodes[index];
    const bool isNew = node.uid == 0;
    node.uid = uid;
    node.seen = nodeEpoch;
    node.resourceVersion = record.resourceVersion;

    const auto before = std::tuple(node.usability, node.usabilityReason, node.unschedulable, node.ready);
    readUsability(node, record);
    bool changed =
        isNew || before != std::tuple(node.usability, node.usabilityReason, node.unschedulable, node.ready);
    changed |= replaceValue(node.kubeletVersion, pool.intern(record.kubeletVersion));

    std::vector<StringId> hosts;
    const std::string_view hostname = nodeLabelOf(record, {"kubernetes.io/hostname"});
    if (!hostname.empty() && hostname != record.key.name)
        hosts.push_back(pool.intern(hostname));
    for (const std::string &address : record.addresses) {
        if (address != record.key.name && address != hostname)
            hosts.push_back(pool.intern(address));
    }
    if (node.hosts != hosts || isNew) {
        node.hosts = std::move(hosts);
        node.hosts.shrink_to_fit();
        indexStale = true;
    }

    const std::size_t evidence = evidenceOf(record, catalog);
    if (evidence != node.evidence) {
        node.evidence = evidence;
        changed = true;
        node.region = pool.intern(nodeLabelOf(
            record, {"topology.kubernetes.io/region", "failure-domain.beta.kubernetes.io/region"}));
        node.zone = pool.intern(
            nodeLabelOf(record, {"topology.kubernetes.io/zone", "failure-domain.beta.kubernetes.io/zone"}));
        node.businessLabel = businessOfNode(nodeLabelOf(record, {"tongchi.io/business"}));
        NodeDraft draft = draftNode(NodeReading(record, catalog, pool));
        if (record.ready == ConditionStatus::Missing)
            draft.notes.insert(draft.notes.begin(), "the node reports no state");
        node.note = pool.intern(joinedNotes(draft.notes));
        node.resources = std::move(draft.resources);
        node.resources.shrink_to_fit();
        const std::size_t request =
            draft.openRequest.empty() ? 0 : std::hash<std::string>{}(draft.openRequest) | 1;
        if (request != node.requestHash) {
            node.requestHash = request;
            node.requestSince = clock.monotonic();
            node.registrationGone = false;
            if (request && std::find(openRequests.begin(), openRequests.end(), index) == openRequests.end())
                openRequests.push_back(index);
        }
        rebuildCards(index, std::move(draft.cards));
    }
    if (changed)
        markDirty(index);
}

void CardAssembler::Private::checkOpenRequests()
{
    const Monotonic now = clock.monotonic();
    std::erase_if(openRequests, [&](std::uint32_t index) {
        AssembledNode &node = nodes[index];
        if (node.uid == 0 || node.requestHash == 0)
            return true;
        if (now - node.requestSince < unansweredLimit)
            return false;
        node.registrationGone = true;
        markDirty(index);
        return true;
    });
}

void CardAssembler::Private::rebuildCards(std::uint32_t index, std::vector<DraftCard> own)
{
    AssembledNode &node = nodes[index];
    std::vector<DraftCard> cards;
    std::uint32_t pools = 0;
    for (const DraDevices::Pool *devices : dra.poolsOf(node.name)) {
        DraCards found = draCardsOf(*devices, node.name, catalog, pool);
        for (DraftCard &card : found.cards) {
            // Two drivers of one vendor number their devices on their own.
            for (const DraftCard &other : cards) {
                if (other.record.vendor == card.record.vendor && card.record.slot <= other.record.slot &&
                    pools > 0)
                    card.record.slot = std::uint16_t(other.record.slot + 1);
            }
            cards.push_back(std::move(card));
        }
        ++pools;
    }
    node.pools = pools;
    if (cards.empty()) {
        node.ownDrafts.reset();
        setCards(index, std::move(own));
        return;
    }
    mergeDraCards(cards, own);
    node.ownDrafts = std::make_unique<std::vector<DraftCard>>(std::move(own));
    setCards(index, std::move(cards));
}

void CardAssembler::Private::setCards(std::uint32_t index, std::vector<DraftCard> drafts)
{
    AssembledNode &node = nodes[index];
    std::stable_sort(drafts.begin(), drafts.end(), [](const DraftCard &a, const DraftCard &b) {
        return a.record.vendor != b.record.vendor ? a.record.vendor < b.record.vendor
                                                  : a.record.slot < b.record.slot;
    });
    std::vector<AssembledCard> old = std::move(node.cards);
    std::vector<bool> taken(old.size(), false);
    std::vector<AssembledCard> cards(drafts.size());
    std::vector<bool> placed(drafts.size(), false);
    // A card keeps its number while its UUID does, or while nobody knows its UUID and it stays in its place.
    for (const bool byUuid : {true, false}) {
        for (std::size_t i = 0; i < drafts.size(); ++i) {
            const CardRecord &record = drafts[i].record;
            for (std::size_t k = 0; k < old.size() && !placed[i]; ++k) {
                if (taken[k] || models[old[k].model].vendor != record.vendor)
                    continue;
                const bool unknown = old[k].uuid.isEmpty() || record.uuid.isEmpty();
                const bool same =
                    byUuid ? !unknown && old[k].uuid == record.uuid : unknown && old[k].slot == record.slot;
                if (!same)
                    continue;
                taken[k] = placed[i] = true;
                cards[i].ordinal = old[k].ordinal;
            }
        }
    }
    bool identityChanged = false;
    for (std::size_t k = 0; k < old.size(); ++k) {
        traits.release(old[k].traits);
        if (!taken[k]) {
            nodeOfOrdinal[old[k].ordinal] = AssembledNode::none;
            freeOrdinals.push_back(old[k].ordinal);
            attachments.erase(old[k].ordinal);
            identityChanged = true;
        }
    }
    for (std::size_t i = 0; i < drafts.size(); ++i) {
        const CardRecord &record = drafts[i].record;
        AssembledCard &card = cards[i];
        if (!placed[i]) {
            if (freeOrdinals.empty()) {
                card.ordinal = std::uint32_t(nodeOfOrdinal.size());
                nodeOfOrdinal.push_back(index);
            } else {
                card.ordinal = freeOrdinals.back();
                freeOrdinals.pop_back();
                nodeOfOrdinal[card.ordinal] = index;
            }
            identityChanged = true;
        }
        CardTraits facts;
        facts.memoryBytes = record.memoryBytes.value_or(CardTraits::noMemory);
        facts.driver = record.driver;
        facts.resource = record.resource;
        facts.linkDomain = record.linkDomain;
        facts.healthReason = record.healthReason;
        facts.memorySource = record.memorySource;
        facts.healthSource = record.healthSource;
        facts.modelSource = record.modelSource;
        facts.flags = std::uint32_t(record.flags.toInt());
        facts.shares = record.shares;
        facts.sources = std::uint8_t(record.sources.toInt());
        facts.numaNode = record.numaNode.value_or(-1);
        card.traits = traits.acquire(facts);
        card.uuid = record.uuid;
        card.slot = record.slot;
        card.model = modelOf(record);
        card.health = record.health;
        card.parts = drafts[i].parts;
        card.shareMemoryMiB = drafts[i].shareMemoryMiB;
    }
    for (std::size_t i = 0; i < cards.size() && !identityChanged; ++i)
        identityChanged =
            i >= old.size() || !(cards[i].uuid == old[i].uuid) || cards[i].ordinal != old[i].ordinal;
    indexStale = indexStale || identityChanged || node.pools > 0;
    node.cards = std::move(cards);
}

void CardAssembler::Private::forgetNode(std::uint32_t index)
{
    setCards(index, {});
    AssembledNode &node = nodes[index];
    if (node.emittedUid)
        removedUids.push_back(node.emittedUid);
    AssembledNode empty;
    empty.name = node.name;
    empty.firstPod = node.firstPod;
    empty.health = std::move(node.health);
    empty.dirty = node.dirty;
    node = std::move(empty);
    indexStale = true;
}

void CardAssembler::Private::removeNode(const ObjectKey &key)
{
    const std::uint32_t index = findNode(pool.find(key.name));
    if (index == IndexTable::none)
        return;
    const AssembledNode &node = nodes[index];
    if (node.uid == 0 ||
        (!key.uid.empty() && pool.utf8(node.uid) != key.uid && !pool.utf8(node.uid).starts_with("name:")))
        return; // a late farewell of the machine that had this name before
    forgetNode(index);
    dropIfGhost(index);
}

AssemblerSink<NodeRecord> CardAssembler::Private::makeNodeSink()
{
    return AssemblerSink<NodeRecord>({
        .started = [this] { ++nodeEpoch; },
        .upsert = [this](const NodeRecord &record) { upsertNode(record); },
        .removed = [this](const ObjectKey &key) { removeNode(key); },
        .unreadable =
            [this](const UnreadableObject &object) {
                // What was known of it stays: it is there, only this version of it cannot be read.
                if (const std::uint32_t index = findNode(pool.find(object.key.name));
                    index != IndexTable::none)
                    nodes[index].seen = nodeEpoch;
            },
        .finished =
            [this] {
                for (std::uint32_t index = 0; index < nodes.size(); ++index) {
                    if (nodes[index].uid != 0 && nodes[index].seen != nodeEpoch) {
                        forgetNode(index);
                        dropIfGhost(index);
                    }
                }
            },
        .state = [this](const WatchState &state) { tellState("nodes", state); },
    });
}

} // namespace tongchi
