#include "platform/simulator/fleet_plan.h"

#include "platform/simulator/fleet_hash.h"
#include "platform/simulator/workload_names.h"

#include <algorithm>
#include <array>
#include <map>

namespace tongchi {

namespace {

constexpr qint64 minuteMs = 60'000;
constexpr qint64 hourMs = 60 * minuteMs;
constexpr int onePodThreshold = 20'000;
constexpr quint32 replicasOfAJob = 4;

/// How many pods share one card of a node.
int seatsACard(const SimulatedNode &node, quint64 hash)
{
    switch (node.encoding) {
    case CardEncoding::MigSingle:
    case CardEncoding::MigMixed:
        return 3;
    case CardEncoding::HamiText7:
    case CardEncoding::HamiText9:
    case CardEncoding::HamiJson:
        if (node.business == Business::Mixed)
            return 2;
        return node.business == Business::Training ? 1 : 1 + int(hash % 3 == 0);
    default:
        return encodingSharesCards(node.encoding) ? 2 : 1;
    }
}

const char *encodingWord(CardEncoding encoding)
{
    switch (encoding) {
    case CardEncoding::TimeSlicing:
    case CardEncoding::TimeSlicingRenamed:
        return "-ts";
    case CardEncoding::Mps:
        return "-mps";
    case CardEncoding::MigSingle:
    case CardEncoding::MigMixed:
        return "-mig";
    case CardEncoding::HamiText7:
    case CardEncoding::HamiText9:
    case CardEncoding::HamiJson:
    case CardEncoding::HamiAscend:
    case CardEncoding::HamiAscendOld:
        return "-hami";
    case CardEncoding::Dra:
        return "-dra";
    case CardEncoding::DraMig:
        return "-dramig";
    case CardEncoding::AscendStaticVnpu:
    case CardEncoding::HamiAscendTemplates:
        return "-vnpu";
    case CardEncoding::MluDynamic:
        return "-smlu";
    default:
        return "";
    }
}

} // namespace

FleetPlan::FleetPlan(const PoolOptions &options, Instant start)
    : m_seed(fleetMix(options.seed)), m_start(start)
{
    const int cards = std::clamp(options.cards, 1, 1'000'000);
    const int clusters = std::clamp(options.clusters, 1, 64);
    static constexpr std::array<const char *, 3> names{"bj-prod", "wlcb-train", "south-prod"};
    for (int i = 0; i < clusters; ++i)
        m_clusters << (i < 3 ? QLatin1String(names[std::size_t(i)])
                             : QStringLiteral("pool-%1").arg(i + 1, 2, 10, QLatin1Char('0')));
    m_onePodACard = cards > onePodThreshold;
    layNodes(cards);
    chooseEncodings();
    markNodes();
    placeSeats();
}

void FleetPlan::placeSeats()
{
    m_seats.reserve(m_cards + m_cards / 4);
    for (quint32 i = 0; i < m_nodes.size(); ++i) {
        m_nodes[i].firstSeat = quint32(m_seats.size());
        addSeats(i);
        m_nodes[i].seats = quint16(m_seats.size() - m_nodes[i].firstSeat);
    }
    for (PodSeat &seat : m_seats) {
        // A rolling update walks through the replicas, at most half an hour in all.
        const PodOwner &owner = m_owners[seat.owner];
        const bool job = workloadKind(owner.workload).owner == WorkloadKind::Owner::Job;
        const qint64 step =
            job ? 300 : std::min<qint64>(20'000, 30 * minuteMs / std::max<quint32>(1, owner.replicas));
        seat.phaseMs = owner.phaseMs + step * seat.replica;
        seat.lifetimeMs = owner.lifetimeMs;
    }
}

void FleetPlan::addSeats(quint32 nodeIndex)
{
    const SimulatedNode &node = m_nodes[nodeIndex];
    if (node.business == Business::Idle && !m_onePodACard)
        return;
    const auto add = [&](int slot, int cards, int share, int workload) {
        PodSeat seat;
        seat.node = nodeIndex;
        seat.owner = ownerFor(node, workload, quint32(cards));
        seat.replica = m_owners[seat.owner].replicas++;
        seat.firstSlot = quint8(slot);
        seat.cards = quint8(cards);
        seat.share = quint8(share);
        m_seats.push_back(seat);
    };
    const int gib = node.memoryMiB() / 1000;
    const bool training = node.business == Business::Training || node.business == Business::Idle;
    const Business whole = training ? Business::Training : Business::Inference;
    for (int slot = 0; slot < node.cards;) {
        const quint64 hash = fleetHash(m_seed, 200 + node.firstCard, quint64(slot));
        const int shares = m_onePodACard ? 1 : seatsACard(node, hash);
        if (shares == 1) {
            const int workload = pickWorkload(whole, gib, false, fleetMix(hash));
            const int wanted = m_onePodACard ? 1 : workloadKind(workload).wholeCards;
            int cards = 1;
            while (cards * 2 <= wanted && slot + cards * 2 <= node.cards)
                cards *= 2;
            add(slot, cards, 0, workload);
            slot += cards;
            continue;
        }
        for (int share = 0; share < shares; ++share) {
            const bool trains =
                node.business == Business::Training || (node.business == Business::Mixed && share % 2 == 1);
            int shareGib = gib / shares;
            if (node.encoding == CardEncoding::MigSingle)
                shareGib = 9;
            else if (node.encoding == CardEncoding::MigMixed)
                shareGib = share == 0 ? 38 : share == 1 ? 19 : 9;
            add(slot, 1, share,
                pickWorkload(trains ? Business::Training : Business::Inference, shareGib, true,
                             fleetMix(hash + quint64(share))));
        }
        ++slot;
    }
}

quint32 FleetPlan::ownerFor(const SimulatedNode &node, int workload, quint32 cards)
{
    const WorkloadKind &kind = workloadKind(workload);
    const bool job = kind.owner == WorkloadKind::Owner::Job;
    // Newest first, so only the last owner of a key is looked at: jobs are filled up and then a new one
    // begins.
    static constexpr quint32 deploymentReplicas = 400;
    const quint32 limit = job ? (cards >= 8 ? replicasOfAJob : 8) : deploymentReplicas;
    for (std::size_t i = m_owners.size(); i-- > 0 && i + 600 > m_owners.size();) {
        const PodOwner &owner = m_owners[i];
        if (owner.cluster == node.cluster && owner.workload == workload && owner.model == node.model &&
            owner.encoding == node.encoding && owner.smallMemory == node.smallMemory &&
            owner.replicas < limit && owner.region == node.region && owner.cards == cards)
            return quint32(i);
    }
    PodOwner owner;
    owner.cluster = node.cluster;
    owner.region = node.region;
    owner.cards = quint8(cards);
    owner.workload = quint8(workload);
    owner.model = node.model;
    owner.encoding = node.encoding;
    owner.smallMemory = node.smallMemory;
    const quint64 hash = fleetHash(m_seed, 300, m_owners.size());
    owner.lifetimeMs = job ? 2 * hourMs + qint64(hash % quint64(10 * hourMs))
                           : 30 * hourMs + qint64(hash % quint64(110 * hourMs));
    owner.phaseMs = qint64(fleetMix(hash) % quint64(owner.lifetimeMs));
    QByteArray word(kind.name);
    if (kind.owner == WorkloadKind::Owner::StatefulSet)
        word.replace('.', '-'); // its pods are hosts, and their names have no dots
    owner.name = word + '-' + cardSpec(node.model).nodeWord + encodingWord(node.encoding);
    int same = 0;
    for (const PodOwner &other : m_owners)
        same += other.cluster == owner.cluster && other.baseName == owner.name ? 1 : 0;
    owner.baseName = owner.name;
    if (same > 0)
        owner.name += '-' + QByteArray::number(same + 1);
    m_owners.push_back(owner);
    return quint32(m_owners.size() - 1);
}

SeatPod FleetPlan::podAt(const PodSeat &seat, qint64 unixMs) const
{
    SeatPod pod;
    const qint64 since = unixMs - seat.phaseMs;
    pod.generation =
        since >= 0 ? since / seat.lifetimeMs : -((-since + seat.lifetimeMs - 1) / seat.lifetimeMs);
    pod.startMs = seat.phaseMs + pod.generation * seat.lifetimeMs;
    pod.runningMs = pod.startMs + podStartMs;
    pod.endMs = pod.startMs + seat.lifetimeMs;
    return pod;
}

QByteArray FleetPlan::ownerHash(const PodOwner &owner, const SeatPod &pod) const
{
    return fleetSuffix(fleetHash(m_seed, 400 + quint64(&owner - m_owners.data()), quint64(pod.generation)),
                       9);
}

QByteArray FleetPlan::podName(quint32 seatIndex, const SeatPod &pod) const
{
    const PodSeat &seat = m_seats[seatIndex];
    const PodOwner &owner = m_owners[seat.owner];
    const QByteArray suffix =
        fleetSuffix(fleetHash(m_seed, (quint64(seatIndex) << 24) + 500, quint64(pod.generation)), 5);
    switch (workloadKind(owner.workload).owner) {
    case WorkloadKind::Owner::Deployment:
        return owner.name + '-' + ownerHash(owner, pod) + '-' + suffix;
    case WorkloadKind::Owner::StatefulSet:
        return owner.name + '-' + QByteArray::number(seat.replica);
    case WorkloadKind::Owner::Job:
        break;
    }
    return owner.name + "-r" + QByteArray::number(pod.generation % 10'000) + '-' +
           QByteArray::number(seat.replica) + '-' + suffix;
}

QByteArray FleetPlan::podUid(quint32 seat, const SeatPod &pod) const
{
    return fleetUuid(fleetHash(m_seed, (quint64(seat) << 24) + 501, quint64(pod.generation)));
}

QByteArray FleetPlan::cardUuid(const SimulatedNode &node, int slot) const
{
    const quint64 hash = fleetHash(m_seed, 600, node.firstCard + quint64(slot));
    switch (cardSpec(node.model).vendor) {
    case CardVendor::Nvidia:
        return "GPU-" + fleetUuid(hash);
    case CardVendor::Ascend: {
        // A VDIE id is five words of eight hexadecimal digits.
        const QByteArray hex = fleetHex(hash, 40).toUpper();
        return hex.mid(0, 8) + '-' + hex.mid(8, 8) + '-' + hex.mid(16, 8) + '-' + hex.mid(24, 8) + '-' +
               hex.mid(32, 8);
    }
    case CardVendor::Cambricon:
        break;
    }
    return "MLU-" + fleetUuid(hash);
}

QByteArray FleetPlan::migUuid(const SimulatedNode &node, int slot, int instance) const
{
    return "MIG-" + fleetUuid(fleetHash(m_seed, 601 + quint64(instance), node.firstCard + quint64(slot)));
}

QByteArray FleetPlan::nodeAddress(const SimulatedNode &node) const
{
    const auto index = quint32(&node - m_nodes.data()) + 10;
    return "10." + QByteArray::number(64 + (index >> 16)) + '.' + QByteArray::number((index >> 8) & 255) +
           '.' + QByteArray::number(index & 255);
}

QByteArray FleetPlan::pciBus(const SimulatedNode &, int slot) const
{
    static constexpr std::array<const char *, 8> buses{"07", "0F", "47", "4E", "87", "90", "B7", "BD"};
    return QByteArray("00000000:") + buses[std::size_t(slot) & 7] + ":00.0";
}

Instant FleetPlan::silentSince(const SimulatedNode &node) const
{
    if (node.offline)
        return m_start - std::chrono::hours(3) - std::chrono::seconds(node.firstCard % 5000);
    if (node.silent)
        return m_start - std::chrono::seconds(130);
    return Instant::max();
}

} // namespace tongchi
