#include "tests/models/pool_builder.h"

#include <cstdio>

namespace tongchi::test {

NodeUpdate PoolBuilder::node(const Node &description)
{
    NodeUpdate update;
    const std::string uid = description.uid.empty() ? "uid-" + description.name : description.uid;
    update.node.name = m_strings.intern(description.name);
    update.node.uid = m_strings.intern(uid);
    update.node.region = m_strings.intern(description.region);
    update.node.usability = description.usability;
    update.node.unschedulable = description.unschedulable;
    update.node.businessLabel = description.nodeLabel;
    update.node.cards = std::uint16_t(description.cards);
    update.node.free = std::uint16_t(description.cards);
    std::uint32_t first = m_nextOrdinal;
    bool known = false;
    for (const auto &[key, ordinal] : m_firstOrdinals) {
        if (key == uid) {
            first = ordinal;
            known = true;
        }
    }
    if (!known) {
        m_firstOrdinals.emplace_back(uid, first);
        m_nextOrdinal += std::uint32_t(description.cards);
    }
    for (int slot = 0; slot < description.cards; ++slot) {
        CardRecord card;
        card.ordinal = first + std::uint32_t(slot);
        card.slot = std::uint16_t(slot);
        card.vendor = description.vendor;
        card.vendorName = m_strings.intern(vendorKey(description.vendor));
        card.model = m_strings.intern(description.model);
        card.variant = m_strings.intern(description.variant);
        card.modelReported = m_strings.intern(description.model + " " + description.variant);
        char uuid[64];
        std::snprintf(uuid, sizeof uuid, "GPU-%08x-0000-4000-8000-%012x", card.ordinal,
                      unsigned(std::hash<std::string>{}(uid)&0xFFFFFFFFU));
        card.uuid = CardUuid::fromText(uuid, m_strings);
        card.memoryBytes = description.memoryBytes;
        card.health = description.health;
        card.label = description.label;
        card.sources = CardSource::VendorLabels;
        if (!description.workload.empty())
            card.workloads.push_back(m_strings.intern(description.workload));
        if (!description.pod.empty())
            card.pods.push_back(m_strings.intern(description.pod));
        update.cards.push_back(std::move(card));
    }
    return update;
}

InventoryDelta PoolBuilder::delta(const std::vector<Node> &nodes)
{
    InventoryDelta delta;
    delta.clusterId = m_clusterId;
    for (const Node &description : nodes)
        delta.upserts.push_back(node(description));
    delta.status = status();
    return delta;
}

TelemetryRecord PoolBuilder::telemetry(std::uint32_t ordinal, float utilization, Instant at,
                                       float temperature, float power)
{
    TelemetryRecord record;
    record.ordinal = ordinal;
    record.utilizationPercent = utilization;
    record.memoryUsedBytes = 10.0F * 1024 * 1024 * 1024;
    record.temperatureCelsius = temperature;
    record.powerWatts = power;
    record.sampledAt = at;
    return record;
}

std::shared_ptr<ClusterStatus> PoolBuilder::status(bool complete) const
{
    auto status = std::make_shared<ClusterStatus>();
    status->name = m_clusterName;
    status->complete = complete;
    status->telemetryComplete = complete;
    status->kubernetes.state = complete ? SourceState::Live : SourceState::Connecting;
    status->metrics.state = complete ? SourceState::Live : SourceState::Connecting;
    return status;
}

std::uint32_t PoolBuilder::firstOrdinalOf(const std::string &nodeName) const
{
    for (const auto &[uid, ordinal] : m_firstOrdinals) {
        if (uid == "uid-" + nodeName)
            return ordinal;
    }
    return noCard;
}

} // namespace tongchi::test
