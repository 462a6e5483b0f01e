#pragma once

#include "platform/simulator/fleet_plan.h"

#include <memory>

namespace tongchi {

/// The objects of the embedded pool's clusters and their life: pods come and go, HAMi's handshakes go round.
/// Everything follows from the seed and the clock; nothing is random and nothing is remembered but what was
/// told last.
class Fleet final : public FleetSource
{
public:
    Fleet(const PoolOptions &options, const SimulatedClock &clock);
    ~Fleet() override;

    const FleetPlan &plan() const { return *m_plan; }
    /// Shared with the pool's Prometheus, which shows the same cards and pods.
    std::shared_ptr<const FleetPlan> sharedPlan() const { return m_plan; }

    QStringList clusters() const override;
    /// In the order of an API server's storage: resource by resource, each by namespace and name.
    void forEachObject(int cluster, const std::function<void(SimulatedObject &&)> &take) override;
    /// Jumps of any length are fine: what came and went in between is left out.
    std::vector<ObjectChange> advance(int cluster, Instant now) override;

private:
    struct ClusterState;
    void replacePod(quint32 seat, qint64 before, qint64 nowMs, std::vector<ObjectChange> &changes) const;

    std::shared_ptr<const FleetPlan> m_plan;
    const SimulatedClock &m_clock;
    std::vector<std::unique_ptr<ClusterState>> m_clusters;
};

} // namespace tongchi
