#include "platform/simulator/fleet.h"

#include "platform/simulator/fleet_cluster_objects.h"
#include "platform/simulator/fleet_dra_objects.h"
#include "platform/simulator/fleet_node_objects.h"
#include "platform/simulator/fleet_pod_objects.h"
#include "platform/simulator/workload_names.h"

#include <algorithm>
#include <limits>

namespace tongchi {

namespace {

constexpr qint64 never = std::numeric_limits<qint64>::max();

qint64 toUnixMs(Instant instant)
{
    return instant.time_since_epoch().count();
}

bool isJobOwner(const PodOwner &owner)
{
    return workloadKind(owner.workload).owner == WorkloadKind::Owner::Job;
}

} // namespace

struct Fleet::ClusterState
{
    struct Seat
    {
        quint32 index;
        qint64 toldMs; ///< the instant whose pod was told last
        qint64 nextMs; ///< when there is something new to tell
    };
    struct Handshake
    {
        quint32 node;
        qint64 nextMs;
    };
    std::vector<quint32> nodes;  ///< by name
    std::vector<quint32> owners; ///< by namespace and name
    std::vector<Seat> seats;
    std::vector<Handshake> handshakes;
    bool told = false;
};

Fleet::Fleet(const PoolOptions &options, const SimulatedClock &clock)
    : m_plan(std::make_shared<const FleetPlan>(options, clock.start())), m_clock(clock)
{
    for (qsizetype i = 0; i < m_plan->clusters().size(); ++i)
        m_clusters.push_back(std::make_unique<ClusterState>());
    const auto &nodes = m_plan->nodes();
    for (quint32 i = 0; i < nodes.size(); ++i) {
        ClusterState &state = *m_clusters[nodes[i].cluster];
        state.nodes.push_back(i);
        for (quint32 seat = nodes[i].firstSeat; seat < nodes[i].firstSeat + nodes[i].seats; ++seat)
            state.seats.push_back({seat, 0, never});
    }
    for (quint32 i = 0; i < m_plan->owners().size(); ++i)
        m_clusters[m_plan->owners()[i].cluster]->owners.push_back(i);
    for (auto &state : m_clusters) {
        std::sort(state->nodes.begin(), state->nodes.end(),
                  [&](quint32 a, quint32 b) { return nodes[a].name < nodes[b].name; });
        for (const quint32 node : state->nodes) {
            if (handshakePeriodMs(nodes[node]) > 0)
                state->handshakes.push_back({node, never});
        }
    }
}

Fleet::~Fleet() = default;

QStringList Fleet::clusters() const
{
    return m_plan->clusters();
}

void Fleet::forEachObject(int cluster, const std::function<void(SimulatedObject &&)> &take)
{
    ClusterState &state = *m_clusters[std::size_t(cluster)];
    const FleetPlan &plan = *m_plan;
    const Instant now = m_clock.now();
    const qint64 nowMs = toUnixMs(now);
    const auto takeAll = [&take](std::vector<SimulatedObject> objects) {
        std::sort(objects.begin(), objects.end(), [](const SimulatedObject &a, const SimulatedObject &b) {
            return a.nameSpace == b.nameSpace ? a.name < b.name : a.nameSpace < b.nameSpace;
        });
        for (SimulatedObject &object : objects)
            take(std::move(object));
    };
    takeAll(namespaceObjects(plan, cluster));
    takeAll(serviceObjects(plan, cluster));
    for (const quint32 node : state.nodes)
        take(nodeObject(plan, plan.nodes()[node], now));
    for (const quint32 index : state.nodes) {
        const SimulatedNode &node = plan.nodes()[index];
        if (node.encoding == CardEncoding::AscendPlugin || node.encoding == CardEncoding::AscendStaticVnpu)
            take(deviceInfoObject(plan, node));
    }

    struct Named
    {
        QByteArray key;
        std::size_t place;
    };
    std::vector<Named> order;
    std::vector<SimulatedObject> claims;
    std::vector<SimulatedObject> strays = strayPodObjects(plan, cluster);
    for (std::size_t i = 0; i < state.seats.size(); ++i) {
        auto &seat = state.seats[i];
        const PodSeat &place = plan.seats()[seat.index];
        const SeatPod pod = plan.podAt(place, nowMs);
        seat.toldMs = nowMs;
        const PodStage stage = podStage(plan, place, pod, nowMs);
        seat.nextMs = stage == PodStage::Succeeded  ? never
                      : stage == PodStage::Starting ? pod.runningMs
                                                    : pod.endMs;
        const SimulatedObject address = podAddress(plan, seat.index, pod);
        order.push_back({address.nameSpace + '/' + address.name, i});
        if (usesClaim(plan, place))
            claims.push_back(claimObject(plan, seat.index, pod));
    }
    for (std::size_t i = 0; i < strays.size(); ++i)
        order.push_back({strays[i].nameSpace + '/' + strays[i].name, state.seats.size() + i});
    std::sort(order.begin(), order.end(), [](const Named &a, const Named &b) { return a.key < b.key; });
    for (const Named &named : order) {
        if (named.place >= state.seats.size()) {
            take(std::move(strays[named.place - state.seats.size()]));
            continue;
        }
        const quint32 seat = state.seats[named.place].index;
        const SeatPod pod = plan.podAt(plan.seats()[seat], nowMs);
        take(podObject(plan, seat, pod, podStage(plan, plan.seats()[seat], pod, nowMs)));
    }

    std::vector<SimulatedObject> owners;
    std::vector<SimulatedObject> templates;
    for (const quint32 index : state.owners) {
        const PodOwner &owner = plan.owners()[index];
        PodSeat first;
        first.phaseMs = owner.phaseMs;
        first.lifetimeMs = owner.lifetimeMs;
        owners.push_back(ownerObject(plan, index, plan.podAt(first, nowMs)));
        if (owner.encoding == CardEncoding::Dra || owner.encoding == CardEncoding::DraMig)
            templates.push_back(claimTemplateObject(plan, index));
    }
    for (const char *resource : {"deployments", "statefulsets", "jobs"}) {
        std::vector<SimulatedObject> some;
        for (const SimulatedObject &owner : owners) {
            if (owner.resource == resource)
                some.push_back(owner);
        }
        takeAll(std::move(some));
    }
    takeAll(deviceClassObjects(plan, cluster));
    takeAll(std::move(templates));
    takeAll(std::move(claims));
    std::vector<SimulatedObject> slices;
    for (const quint32 index : state.nodes) {
        const SimulatedNode &node = plan.nodes()[index];
        if (node.encoding != CardEncoding::Dra && node.encoding != CardEncoding::DraMig)
            continue;
        for (SimulatedObject &slice : sliceObjects(plan, node))
            slices.push_back(std::move(slice));
    }
    takeAll(std::move(slices));
    takeAll(eventObjects(plan, cluster));

    for (auto &handshake : state.handshakes)
        handshake.nextMs = nextHandshakeMs(plan, plan.nodes()[handshake.node], nowMs);
    state.told = true;
}

void Fleet::replacePod(quint32 seat, qint64 before, qint64 nowMs, std::vector<ObjectChange> &changes) const
{
    const FleetPlan &plan = *m_plan;
    const PodSeat &place = plan.seats()[seat];
    const SeatPod old = plan.podAt(place, before);
    const SeatPod pod = plan.podAt(place, nowMs);
    if (old.generation != pod.generation) {
        changes.push_back({ObjectChange::Kind::Delete, podAddress(plan, seat, old)});
        const PodOwner &owner = plan.owners()[place.owner];
        if (place.replica == 0 && isJobOwner(owner)) {
            changes.push_back({ObjectChange::Kind::Delete, ownerAddress(plan, place.owner, old)});
            changes.push_back({ObjectChange::Kind::Upsert, ownerObject(plan, place.owner, pod)});
        }
        if (usesClaim(plan, place)) {
            SimulatedObject claim = claimObject(plan, seat, old);
            claim.json.clear();
            changes.push_back({ObjectChange::Kind::Delete, std::move(claim)});
            changes.push_back({ObjectChange::Kind::Upsert, claimObject(plan, seat, pod)});
        }
    }
    changes.push_back(
        {ObjectChange::Kind::Upsert, podObject(plan, seat, pod, podStage(plan, place, pod, nowMs))});
}

std::vector<ObjectChange> Fleet::advance(int cluster, Instant now)
{
    ClusterState &state = *m_clusters[std::size_t(cluster)];
    std::vector<ObjectChange> changes;
    if (!state.told)
        return changes;
    const FleetPlan &plan = *m_plan;
    const qint64 nowMs = toUnixMs(now);
    for (auto &seat : state.seats) {
        if (seat.nextMs > nowMs)
            continue;
        const PodSeat &place = plan.seats()[seat.index];
        // A lost node's kubelet takes no new pods; the old ones stay as they were last seen.
        if (plan.nodes()[place.node].offline) {
            seat.nextMs = never;
            continue;
        }
        replacePod(seat.index, seat.toldMs, nowMs, changes);
        const SeatPod pod = plan.podAt(place, nowMs);
        seat.toldMs = nowMs;
        seat.nextMs = nowMs < pod.runningMs ? pod.runningMs : pod.endMs;
    }
    for (auto &handshake : state.handshakes) {
        if (handshake.nextMs > nowMs)
            continue;
        const SimulatedNode &node = plan.nodes()[handshake.node];
        changes.push_back({ObjectChange::Kind::Upsert, nodeObject(plan, node, now)});
        handshake.nextMs = nextHandshakeMs(plan, node, nowMs);
    }
    return changes;
}

} // namespace tongchi
