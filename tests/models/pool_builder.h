#pragma once

#include "platform/inventory/card_store.h"

namespace tongchi::test {

/// Builds deltas by count, all invented: node-1 ... with eight cards each.
class PoolBuilder
{
public:
    explicit PoolBuilder(StringPool &strings, quint32 clusterId = 1,
                         QString clusterName = QStringLiteral("bj-prod"))
        : m_strings(strings), m_clusterId(clusterId), m_clusterName(std::move(clusterName))
    {
    }

    struct Node
    {
        std::string name = "node-1";
        std::string uid; ///< empty: "uid-" + name
        std::string region = "beijing";
        Vendor vendor = Vendor::Nvidia;
        std::string model = "A100";
        std::string variant = "SXM4-80GB";
        int cards = 8;
        NodeUsability usability = NodeUsability::Usable;
        BusinessLabel label = BusinessLabel::Idle;
        CardHealth health = CardHealth::Healthy;
        std::string workload;
        std::string pod;
        std::int64_t memoryBytes = 80LL << 30;
        bool unschedulable = false;
        BusinessLabel nodeLabel = BusinessLabel::Unknown;
    };

    NodeUpdate node(const Node &description);
    InventoryDelta delta(const std::vector<Node> &nodes);
    /// Telemetry for the cards with these ordinals.
    TelemetryRecord telemetry(std::uint32_t ordinal, float utilization, Instant at, float temperature = 50,
                              float power = 200);
    std::shared_ptr<ClusterStatus> status(bool complete = true) const;
    std::uint32_t firstOrdinalOf(const std::string &nodeName) const;
    std::uint32_t cardCount() const { return m_nextOrdinal; }
    StringPool &strings() { return m_strings; }

private:
    StringPool &m_strings;
    quint32 m_clusterId;
    QString m_clusterName;
    std::uint32_t m_nextOrdinal = 0;
    std::vector<std::pair<std::string, std::uint32_t>> m_firstOrdinals;
};

} // namespace tongchi::test
