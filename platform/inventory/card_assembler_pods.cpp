#include "platform/inventory/card_assembler_private.h"

#include <algorithm>

namespace tongchi {

std::uint32_t CardAssembler::Private::findPod(const CardUuid &uid) const
{
    return podsByUid.find(uid.hash(), [&](std::uint32_t i) { return pods[i].uid == uid; });
}

void CardAssembler::Private::upsertPod(const ResolvedPod &record)
{
    if (!record.keeps && podsByUid.size() == 0)
        return;
    const CardUuid uid = record.keeps ? record.podUid : podUidOf(record.key, pool);
    std::uint32_t index = findPod(uid);
    if (!record.keeps) {
        if (index != IndexTable::none)
            removePod(index);
        return;
    }

    const StringId name = record.nameId;
    const StringId nodeName = record.nodeId;
    const StringId workload = record.workloadId;
    const BusinessLabel business = record.podLabel;
    const std::vector<Holding> &wanted = record.holdings;
    const auto claims = std::uint16_t(std::min<std::size_t>(record.claims.size(), 65535));
    if (index != IndexTable::none) {
        AssembledPod &known = pods[index];
        known.seen = podEpoch;
        bool same = known.name == name && known.workload == workload && known.business == business &&
                    known.claims == claims && nodes[known.node].name == nodeName;
        std::uint32_t at = known.firstHolding;
        for (const Holding &holding : wanted) {
            if (!same || at == AssembledNode::none) {
                same = false;
                break;
            }
            Holding stored = holdings[at];
            at = std::exchange(stored.next, AssembledNode::none);
            same = stored == holding;
        }
        if (same && at == AssembledNode::none)
            return;
        removePod(index);
    }

    if (freePods.empty()) {
        index = std::uint32_t(pods.size());
        pods.emplace_back();
    } else {
        index = freePods.back();
        freePods.pop_back();
    }
    AssembledPod &pod = pods[index];
    pod = {};
    pod.uid = uid;
    pod.name = name;
    pod.workload = workload;
    pod.business = business;
    pod.claims = claims;
    pod.seen = podEpoch;
    pod.used = true;
    for (auto holding = wanted.rbegin(); holding != wanted.rend(); ++holding) {
        std::uint32_t at = std::uint32_t(holdings.size());
        if (freeHoldings.empty()) {
            holdings.push_back(*holding);
        } else {
            at = freeHoldings.back();
            freeHoldings.pop_back();
            holdings[at] = *holding;
        }
        holdings[at].next = pod.firstHolding;
        pod.firstHolding = at;
    }
    podsByUid.insert(uid.hash(), index, [this](std::uint32_t i) { return pods[i].uid.hash(); });
    if (claims)
        podsWithClaims[name] = index;
    pod.node = nodeFor(nodeName);
    AssembledNode &node = nodes[pod.node];
    pod.next = node.firstPod;
    if (pod.next != AssembledNode::none)
        pods[pod.next].previous = index;
    node.firstPod = index;
    markDirtyByPod(pod.node);
}

void CardAssembler::Private::removePod(std::uint32_t index)
{
    AssembledPod &pod = pods[index];
    podsByUid.remove(pod.uid.hash(), index, [this](std::uint32_t i) { return pods[i].uid.hash(); });
    for (std::uint32_t at = pod.firstHolding; at != AssembledNode::none; at = holdings[at].next)
        freeHoldings.push_back(at);
    if (const auto found = podsWithClaims.find(pod.name);
        found != podsWithClaims.end() && found->second == index)
        podsWithClaims.erase(found);
    AssembledNode &node = nodes[pod.node];
    if (pod.previous != AssembledNode::none)
        pods[pod.previous].next = pod.next;
    else
        node.firstPod = pod.next;
    if (pod.next != AssembledNode::none)
        pods[pod.next].previous = pod.previous;
    const std::uint32_t nodeIndex = pod.node;
    pod = {};
    freePods.push_back(index);
    markDirtyByPod(nodeIndex);
    dropIfGhost(nodeIndex);
}

AssemblerSink<ResolvedPod> CardAssembler::Private::makePodSink()
{
    return AssemblerSink<ResolvedPod>({
        .started = [this] { ++podEpoch; },
        .upsert = [this](const ResolvedPod &record) { upsertPod(record); },
        .removed =
            [this](const ObjectKey &key) {
                if (const std::uint32_t index = findPod(podUidOf(key, pool)); index != IndexTable::none)
                    removePod(index);
            },
        .unreadable =
            [this](const UnreadableObject &object) {
                if (const std::uint32_t index = findPod(podUidOf(object.key, pool));
                    index != IndexTable::none)
                    pods[index].seen = podEpoch;
            },
        .finished =
            [this] {
                for (std::uint32_t index = 0; index < pods.size(); ++index) {
                    if (pods[index].used && pods[index].seen != podEpoch)
                        removePod(index);
                }
                if (!std::exchange(podsKnown,
                                   true)) { // until now nobody could tell an idle card from an unknown one
                    takePostponed();
                    for (std::uint32_t index = 0; index < nodes.size(); ++index)
                        markDirty(index);
                }
            },
        .state = [this](const WatchState &state) { tellState("pods", state); },
    });
}

AssemblerSink<PodRecord> CardAssembler::Private::makePlainPodSink()
{
    return AssemblerSink<PodRecord>({
        .started = [this] { podSink.listStarted(); },
        .upsert =
            [this](const PodRecord &record) {
                static_cast<PodRecord &>(resolved) = record;
                resolver.resolve(resolved);
                podSink.upsert(resolved);
            },
        .removed = [this](const ObjectKey &key) { podSink.removed(key); },
        .unreadable = [this](const UnreadableObject &object) { podSink.unreadable(object); },
        .finished = [this] { podSink.listFinished(); },
        .state = [this](const WatchState &state) { podSink.stateChanged(state); },
    });
}

} // namespace tongchi
