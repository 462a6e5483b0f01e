#pragma once

#include "platform/inventory/assembled_nodes.h"
#include "platform/inventory/card_assembler.h"
#include "platform/inventory/card_identity_index.h"
#include "platform/inventory/dra_devices.h"
#include "platform/inventory/index_table.h"
#include "platform/inventory/resolved_pod.h"

#include <deque>
#include <unordered_map>
#include <unordered_set>

namespace tongchi {

/// Forwards one resource's objects to the assembler and tells states on.
template <typename Record> class AssemblerSink final : public ResourceSink<Record>
{
public:
    struct Target
    {
        std::function<void()> started;
        std::function<void(const Record &)> upsert;
        std::function<void(const ObjectKey &)> removed;
        std::function<void(const UnreadableObject &)> unreadable;
        std::function<void()> finished;
        std::function<void(const WatchState &)> state;
    };
    explicit AssemblerSink(Target target) : m_target(std::move(target)) {}

    void listStarted() override
    {
        m_unreadable = {};
        m_target.started();
    }
    void upsert(const Record &record) override { m_target.upsert(record); }
    void removed(const ObjectKey &key) override { m_target.removed(key); }
    void unreadable(const UnreadableObject &object) override
    {
        constexpr std::size_t most = 100;
        ++m_unreadable.count;
        if (m_unreadable.objects.size() == most)
            m_unreadable.objects.erase(m_unreadable.objects.begin());
        m_unreadable.objects.push_back(object);
        m_target.unreadable(object);
    }
    void listFinished() override { m_target.finished(); }
    void stateChanged(const WatchState &state) override { m_target.state(state); }
    const CardAssembler::Unreadable &unreadableObjects() const { return m_unreadable; }

private:
    Target m_target;
    CardAssembler::Unreadable m_unreadable;
};

struct CardAssembler::Private
{
    Private(StringPool &strings, const DeviceCatalog &devices, const Clock &time);

    // card_assembler_nodes.cpp
    /// IndexTable::none: nobody has spoken of it.
    std::uint32_t findNode(StringId name) const;
    std::uint32_t nodeFor(StringId name);
    void upsertNode(const NodeRecord &record);
    void removeNode(const ObjectKey &key);
    void forgetNode(std::uint32_t index);
    void dropIfGhost(std::uint32_t index);
    void readUsability(AssembledNode &node, const NodeRecord &record);
    void rebuildCards(std::uint32_t index, std::vector<DraftCard> own);
    CardRecord recordOf(const AssembledCard &card) const;
    void setCards(std::uint32_t index, std::vector<DraftCard> drafts);
    void markDirty(std::uint32_t index);
    void markDirtyByPod(std::uint32_t index);
    bool postponedAreDue() const;
    void takePostponed();
    void markDirtyByName(const std::vector<StringId> &names, bool devicesChanged);
    void checkOpenRequests();

    // card_assembler_pods.cpp
    void upsertPod(const ResolvedPod &record);
    void removePod(std::uint32_t index);
    std::uint32_t findPod(const CardUuid &uid) const;

    // card_assembler_sources.cpp
    void upsertDeviceInfo(const AscendDeviceInfoRecord &record);
    void removeDeviceInfo(StringId uid);
    void setNodeHealth(StringId name, std::unique_ptr<AscendNodeHealth> health);

    // pod_placement.cpp
    NodeUpdate assemble(std::uint32_t index);

    // card_assembler.cpp
    std::uint16_t modelOf(const CardRecord &record);
    AssemblerSink<NodeRecord> makeNodeSink();
    AssemblerSink<ResolvedPod> makePodSink();
    AssemblerSink<PodRecord> makePlainPodSink();
    AssemblerSink<ResourceSliceRecord> makeSliceSink();
    AssemblerSink<ResourceClaimRecord> makeClaimSink();
    AssemblerSink<AscendDeviceInfoRecord> makeDeviceInfoSink();
    void tellState(std::string_view resource, const WatchState &state) const;
    const CardIdentityIndex &identities() const;

    StringPool &pool;
    const DeviceCatalog &catalog;
    const Clock &clock;

    std::deque<AssembledNode> nodes;
    std::vector<std::uint32_t> freeNodes;
    IndexTable nodesByName;
    std::uint32_t nodeEpoch = 0;
    std::vector<std::uint32_t> dirtyNodes;
    std::vector<std::uint32_t> postponedNodes;
    Monotonic postponedSince{}; ///< the first of them
    std::vector<StringId> removedUids;
    std::vector<std::uint32_t> openRequests; ///< nodes whose handshake nobody answers

    std::deque<AssembledPod> pods;
    std::vector<std::uint32_t> freePods;
    IndexTable podsByUid;
    std::deque<Holding> holdings;
    std::vector<std::uint32_t> freeHoldings;
    std::uint32_t podEpoch = 0;
    bool podsKnown = false;                                     ///< a whole list of them was read once
    std::unordered_map<StringId, std::uint32_t> podsWithClaims; ///< by "namespace/name"
    PodResolver resolver;                                       ///< of pods that come without
    ResolvedPod resolved;

    DraDevices dra;
    using SeenUids = std::optional<std::unordered_set<StringId>>; ///< while a list is being read
    SeenUids seenSlices, seenClaims, seenDeviceInfos;
    std::unordered_map<StringId, std::vector<StringId>> deviceInfos; ///< object uid -> nodes it speaks of

    CardTraitTable traits;
    std::vector<ModelFacts> models;
    IndexTable modelIndex;
    std::vector<std::uint32_t> nodeOfOrdinal;
    std::vector<std::uint32_t> freeOrdinals;
    std::unordered_map<std::uint32_t, std::vector<StringId>> attachments, attachmentRound;

    mutable CardIdentityIndex identityIndex;
    mutable bool indexStale = true;

    std::function<void(std::string_view, const WatchState &)> stateCallback;
    AssemblerSink<NodeRecord> nodeSink;
    AssemblerSink<ResolvedPod> podSink;
    AssemblerSink<PodRecord> plainPodSink;
    AssemblerSink<ResourceSliceRecord> sliceSink;
    AssemblerSink<ResourceClaimRecord> claimSink;
    AssemblerSink<AscendDeviceInfoRecord> deviceInfoSink;
};

} // namespace tongchi
