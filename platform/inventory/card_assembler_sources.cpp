#include "platform/inventory/card_assembler_private.h"

#include <algorithm>

namespace tongchi {
namespace {

/// "Ascend910-4" -> 4
std::optional<std::uint32_t> numberOfAscendCard(std::string_view name)
{
    const std::size_t dash = name.rfind('-');
    const auto number = dash == std::string_view::npos ? std::nullopt : wholeNumberOf(name.substr(dash + 1));
    return number && *number >= 0 && *number < mostCardsOfANode ? std::optional(std::uint32_t(*number))
                                                                : std::nullopt;
}

} // namespace

void CardAssembler::Private::setNodeHealth(StringId name, std::unique_ptr<AscendNodeHealth> health)
{
    const std::uint32_t index = nodeFor(name);
    AssembledNode &node = nodes[index];
    const bool same = health && node.health ? *health == *node.health : !health && !node.health;
    if (!same) {
        node.health = std::move(health);
        markDirty(index);
    }
    dropIfGhost(index);
}

void CardAssembler::Private::upsertDeviceInfo(const AscendDeviceInfoRecord &record)
{
    const StringId uid =
        pool.intern(record.key.uid.empty() ? record.key.nameSpace + '/' + record.key.name : record.key.uid);
    if (seenDeviceInfos)
        seenDeviceInfos->insert(uid);
    std::vector<StringId> names;
    for (const AscendDeviceInfo &info : record.nodes) {
        if (info.node.empty())
            continue;
        const StringId name = pool.intern(info.node);
        names.push_back(name);
        auto health = std::make_unique<AscendNodeHealth>();
        const auto reasonOf = [&](const std::string &card, const char *otherwise) {
            for (const auto &[faulty, text] : info.faults) {
                if (faulty == card && !text.empty())
                    return pool.intern(text);
            }
            return pool.intern(otherwise);
        };
        const auto add = [&](const std::vector<std::string> &cards, const char *otherwise) {
            for (const std::string &card : cards) {
                const auto number = numberOfAscendCard(card);
                const bool known =
                    number && std::any_of(health->unhealthy.begin(), health->unhealthy.end(),
                                          [&](const auto &entry) { return entry.first == *number; });
                if (number && !known)
                    health->unhealthy.emplace_back(*number, reasonOf(card, otherwise));
            }
        };
        add(info.unhealthy, "the device plug-in reports the card unhealthy");
        add(info.networkUnhealthy, "the device plug-in reports the card's network unhealthy");
        std::sort(health->unhealthy.begin(), health->unhealthy.end());
        setNodeHealth(name, std::move(health));
    }
    std::vector<StringId> &before = deviceInfos[uid];
    for (const StringId name : before) {
        if (std::find(names.begin(), names.end(), name) == names.end())
            setNodeHealth(name, nullptr);
    }
    before = std::move(names);
}

void CardAssembler::Private::removeDeviceInfo(StringId uid)
{
    const auto found = deviceInfos.find(uid);
    if (found == deviceInfos.end())
        return;
    const std::vector<StringId> names = std::move(found->second);
    deviceInfos.erase(found);
    for (const StringId name : names)
        setNodeHealth(name, nullptr);
}

AssemblerSink<ResourceSliceRecord> CardAssembler::Private::makeSliceSink()
{
    const auto uidOf = [this](const ObjectKey &key) {
        return pool.intern(key.uid.empty() ? key.name : key.uid);
    };
    return AssemblerSink<ResourceSliceRecord>({
        .started = [this] { seenSlices.emplace(); },
        .upsert =
            [this, uidOf](const ResourceSliceRecord &record) {
                if (seenSlices)
                    seenSlices->insert(uidOf(record.key));
                markDirtyByName(dra.upsertSlice(record), true);
            },
        .removed =
            [this, uidOf](const ObjectKey &key) {
                if (seenSlices)
                    seenSlices->erase(uidOf(key));
                markDirtyByName(dra.removeSlice(uidOf(key)), true);
            },
        .unreadable =
            [this, uidOf](const UnreadableObject &object) {
                if (seenSlices)
                    seenSlices->insert(uidOf(object.key));
            },
        .finished =
            [this] {
                for (const StringId uid : dra.sliceUids()) {
                    if (seenSlices && !seenSlices->contains(uid))
                        markDirtyByName(dra.removeSlice(uid), true);
                }
                seenSlices.reset();
            },
        .state = [this](const WatchState &state) { tellState("resourceslices", state); },
    });
}

AssemblerSink<ResourceClaimRecord> CardAssembler::Private::makeClaimSink()
{
    const auto uidOf = [this](const ObjectKey &key) {
        return pool.intern(key.uid.empty() ? key.nameSpace + '/' + key.name : key.uid);
    };
    return AssemblerSink<ResourceClaimRecord>({
        .started = [this] { seenClaims.emplace(); },
        .upsert =
            [this, uidOf](const ResourceClaimRecord &record) {
                if (seenClaims)
                    seenClaims->insert(uidOf(record.key));
                markDirtyByName(dra.upsertClaim(record), false);
            },
        .removed =
            [this, uidOf](const ObjectKey &key) {
                if (seenClaims)
                    seenClaims->erase(uidOf(key));
                markDirtyByName(dra.removeClaim(uidOf(key)), false);
            },
        .unreadable =
            [this, uidOf](const UnreadableObject &object) {
                if (seenClaims)
                    seenClaims->insert(uidOf(object.key));
            },
        .finished =
            [this] {
                for (const StringId uid : dra.claimUids()) {
                    if (seenClaims && !seenClaims->contains(uid))
                        markDirtyByName(dra.removeClaim(uid), false);
                }
                seenClaims.reset();
            },
        .state = [this](const WatchState &state) { tellState("resourceclaims", state); },
    });
}

AssemblerSink<AscendDeviceInfoRecord> CardAssembler::Private::makeDeviceInfoSink()
{
    const auto uidOf = [this](const ObjectKey &key) {
        return pool.intern(key.uid.empty() ? key.nameSpace + '/' + key.name : key.uid);
    };
    return AssemblerSink<AscendDeviceInfoRecord>({
        .started = [this] { seenDeviceInfos.emplace(); },
        .upsert = [this](const AscendDeviceInfoRecord &record) { upsertDeviceInfo(record); },
        .removed = [this, uidOf](const ObjectKey &key) { removeDeviceInfo(uidOf(key)); },
        .unreadable =
            [this, uidOf](const UnreadableObject &object) {
                if (seenDeviceInfos)
                    seenDeviceInfos->insert(uidOf(object.key));
            },
        .finished =
            [this] {
                std::vector<StringId> gone;
                for (const auto &[uid, names] : deviceInfos) {
                    if (seenDeviceInfos && !seenDeviceInfos->contains(uid))
                        gone.push_back(uid);
                }
                for (const StringId uid : gone)
                    removeDeviceInfo(uid);
                seenDeviceInfos.reset();
            },
        .state = [this](const WatchState &state) { tellState("configmaps", state); },
    });
}

} // namespace tongchi
