#pragma once

#include "platform/simulator/fleet_card_model.h"
#include "platform/simulator/simulated_object.h"

#include <cstdint>
#include <vector>

namespace tongchi {

struct SimulatedNode
{
    QByteArray name;
    quint8 cluster = 0;
    FleetRegion region = FleetRegion::Beijing;
    CardModel model = CardModel::H100;
    CardEncoding encoding = CardEncoding::NvidiaLabels;
    Business business = Business::Inference;
    quint8 cards = 8;
    bool smallMemory = false; ///< Ascend 910B4: 32 GB
    bool offline = false;     ///< NotReady, its exporter is gone too
    bool cordoned = false;
    bool silent = false; ///< Ready, but its exporter has said nothing for over two minutes
    qint8 faultySlot = -1;
    quint16 number = 0; ///< in its region and model, from 1
    quint32 firstCard = 0;
    quint32 firstSeat = 0;
    quint16 seats = 0;

    int memoryMiB() const { return smallMemory ? 32768 : cardSpec(model).memoryMiB; }
};

/// A place that a pod fills; when one pod goes the next takes it, so totals stay as they are.
struct PodSeat
{
    quint32 node = 0;
    quint32 owner = 0;   ///< index in FleetPlan::owners
    quint32 replica = 0; ///< within the owner
    quint8 firstSlot = 0;
    quint8 cards = 1;   ///< consecutive slots
    quint8 share = 0;   ///< which share, MIG instance or vNPU of the card
    qint64 phaseMs = 0; ///< pods of this seat begin at phase + n * lifetime (Unix time)
    qint64 lifetimeMs = 0;
};

/// A Deployment, StatefulSet or Job.
struct PodOwner
{
    QByteArray name;
    QByteArray baseName; ///< without the number that tells owners of one kind apart
    quint8 cluster = 0;
    FleetRegion region = FleetRegion::Beijing;
    quint8 cards = 1; ///< a pod
    quint8 workload = 0;
    CardModel model = CardModel::H100;
    CardEncoding encoding = CardEncoding::NvidiaLabels;
    bool smallMemory = false;
    quint32 replicas = 0;
    qint64 lifetimeMs = 0;
    qint64 phaseMs = 0;
};

/// One pod of a seat: a pure function of seat and instant.
struct SeatPod
{
    qint64 generation = 0;
    qint64 startMs = 0;   ///< created and bound (Unix time)
    qint64 runningMs = 0; ///< its containers run from here
    qint64 endMs = 0;     ///< gone, the next one stands in its place
};

/// What exists: nodes, seats for pods and their owners. Immutable after construction, so thread-safe.
///
/// The default size is the fleet of the design's pictures exactly (numbers by region and model in
/// fleet_layout.cpp); any other number of cards keeps the proportions. Share of each way in which cards
/// appear, of the nodes of a vendor: NVIDIA labels 40 % (a third of it without leading NVIDIA-), HAMi 29 %
/// (JSON half of it), time slicing 12 %, MPS 5 %, DRA 7 % and MIG 6 % (both only H100 and A100); Ascend
/// vendor plugin 43 %, HAMi 44 % (a third of it by templates), static vNPU 13 %; Cambricon plugin 60 % (a
/// third of it with the type in the resource), dynamic sMLU 40 %. Cards that serve inference and training at
/// once are always on nodes of a kind that shares cards. Above 20,000 cards every card has exactly one pod.
class FleetPlan
{
public:
    FleetPlan(const PoolOptions &options, Instant start);

    quint64 seed() const { return m_seed; }
    Instant start() const { return m_start; }
    const QStringList &clusters() const { return m_clusters; }
    const std::vector<SimulatedNode> &nodes() const { return m_nodes; }
    const std::vector<PodSeat> &seats() const { return m_seats; }
    const std::vector<PodOwner> &owners() const { return m_owners; }
    quint32 cardCount() const { return m_cards; }
    bool onePodACard() const { return m_onePodACard; }

    SeatPod podAt(const PodSeat &seat, qint64 unixMs) const;
    QByteArray podName(quint32 seat, const SeatPod &pod) const;
    QByteArray podUid(quint32 seat, const SeatPod &pod) const;
    QByteArray ownerHash(const PodOwner &owner,
                         const SeatPod &pod) const; ///< pod-template-hash or job generation

    QByteArray cardUuid(const SimulatedNode &node, int slot) const; ///< GPU-..., VDIE id or MLU-...
    QByteArray migUuid(const SimulatedNode &node, int slot, int instance) const;
    QByteArray nodeAddress(const SimulatedNode &node) const;      ///< 10.x.y.z
    QByteArray pciBus(const SimulatedNode &node, int slot) const; ///< 00000000:1B:00.0
    /// From when a node's exporter is silent (offline or silent nodes); others: far future.
    Instant silentSince(const SimulatedNode &node) const;

private:
    void layNodes(int cards);
    void markNodes();
    void chooseEncodings();
    void placeSeats();
    void addSeats(quint32 node);
    quint32 ownerFor(const SimulatedNode &node, int workload, quint32 cards);

    quint64 m_seed;
    Instant m_start;
    QStringList m_clusters;
    std::vector<SimulatedNode> m_nodes;
    std::vector<PodSeat> m_seats;
    std::vector<PodOwner> m_owners;
    quint32 m_cards = 0;
    bool m_onePodACard = false;
};

/// Deployments have pods in the form name-hash-suffix, stateful sets name-n, jobs name-n-suffix.
constexpr qint64 podStartMs = 6000; ///< from bound to running

} // namespace tongchi
