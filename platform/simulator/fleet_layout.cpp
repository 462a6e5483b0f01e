#include "platform/simulator/fleet_hash.h"
#include "platform/simulator/fleet_plan.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <span>

namespace tongchi {

namespace {

constexpr int regionCount = 4;
constexpr int modelCount = 7;
constexpr int defaultNodes = 938;

/// Nodes of the design's fleet: regions by H100, A100, RTX 4090, A10, T4, Ascend 910B, MLU370-X8.
constexpr std::array<std::array<int, modelCount>, regionCount> layoutNodes{{
    {32, 64, 48, 24, 20, 112, 26},
    {48, 56, 72, 16, 0, 80, 0},
    {16, 24, 64, 24, 12, 48, 20},
    {0, 16, 48, 16, 20, 16, 16},
}};

/// Nodes that serve inference, train, do both, are idle; the last of Shenzhen's mixed nodes has four cards.
constexpr std::array<std::array<int, 4>, regionCount> layoutBusiness{{
    {171, 77, 41, 37},
    {146, 75, 25, 26},
    {133, 28, 21, 26},
    {93, 12, 17, 10},
}};

/// Where training and idle nodes are found, relative to a model's nodes. Beijing's idle nodes are the
/// picture's.
constexpr std::array<double, modelCount> trainingWeights{2.6, 1.1, 0.45, 0.0, 0.0, 1.15, 0.8};
constexpr std::array<double, modelCount> idleWeights{0.7, 1.0, 1.1, 1.0, 0.3, 1.1, 1.0};
constexpr std::array<double, modelCount> beijingIdleNodes{3, 8, 6, 3, 0, 12, 5};

using E = CardEncoding;
constexpr std::array dataCentreInference{
    E::NvidiaLabels, E::NvidiaLabelsShort, E::Dra,          E::HamiText9, E::MigSingle, E::NvidiaLabels,
    E::HamiJson,     E::MigMixed,          E::NvidiaLabels, E::Dra,       E::HamiText7, E::NvidiaLabelsShort,
    E::DraMig,       E::TimeSlicing,       E::NvidiaLabels, E::HamiJson};
constexpr std::array dataCentreTraining{E::NvidiaLabels, E::Dra,          E::NvidiaLabelsShort,
                                        E::NvidiaLabels, E::HamiJson,     E::NvidiaLabels,
                                        E::Dra,          E::NvidiaLabels, E::NvidiaLabelsShort};
constexpr std::array dataCentreMixed{E::HamiJson,    E::MigMixed, E::HamiText9,
                                     E::TimeSlicing, E::DraMig,   E::HamiText7,
                                     E::MigSingle,   E::Mps,      E::TimeSlicingRenamed};
constexpr std::array smallInference{E::NvidiaLabels, E::HamiJson,           E::NvidiaLabelsShort,
                                    E::TimeSlicing,  E::HamiText9,          E::NvidiaLabels,
                                    E::HamiText7,    E::TimeSlicingRenamed, E::NvidiaLabels,
                                    E::Mps,          E::NvidiaLabelsShort,  E::HamiJson};
constexpr std::array smallTraining{E::NvidiaLabels, E::NvidiaLabelsShort, E::HamiJson, E::NvidiaLabels};
constexpr std::array smallMixed{E::HamiJson, E::TimeSlicing, E::HamiText9,
                                E::Mps,      E::HamiText7,   E::TimeSlicingRenamed};
constexpr std::array ascendInference{E::AscendPlugin,        E::HamiAscend,    E::AscendPlugin,
                                     E::AscendStaticVnpu,    E::HamiAscendOld, E::AscendPlugin,
                                     E::HamiAscendTemplates, E::AscendPlugin,  E::HamiAscend};
constexpr std::array ascendTraining{E::AscendPlugin, E::AscendPlugin, E::HamiAscend, E::AscendPlugin,
                                    E::HamiAscendOld};
constexpr std::array ascendMixed{E::HamiAscendTemplates, E::AscendStaticVnpu};
constexpr std::array mluInference{E::MluDefault, E::MluDynamic, E::MluDefault, E::MluTyped, E::MluDynamic};
constexpr std::array mluTraining{E::MluDefault, E::MluTyped, E::MluDefault};
constexpr std::array mluMixed{E::MluDynamic};

std::span<const CardEncoding> encodingCycle(CardModel model, Business business)
{
    const bool training = business == Business::Training;
    const bool mixed = business == Business::Mixed;
    const auto choose = [&](std::span<const CardEncoding> serving, std::span<const CardEncoding> jobs,
                            std::span<const CardEncoding> both) {
        return training ? jobs : mixed ? both : serving;
    };
    switch (model) {
    case CardModel::H100:
    case CardModel::A100:
        return choose(dataCentreInference, dataCentreTraining, dataCentreMixed);
    case CardModel::Ascend910B:
        return choose(ascendInference, ascendTraining, ascendMixed);
    case CardModel::Mlu370X8:
        return choose(mluInference, mluTraining, mluMixed);
    default:
        return choose(smallInference, smallTraining, smallMixed);
    }
}

/// Shares `total` out by weight, largest remainder first, no part above its cap.
template <std::size_t N>
std::array<int, N> apportion(int total, const std::array<double, N> &weights, const std::array<int, N> &caps)
{
    std::array<int, N> parts{};
    int left = std::min(total, std::accumulate(caps.begin(), caps.end(), 0));
    while (left > 0) {
        double sum = 0;
        for (std::size_t i = 0; i < N; ++i)
            sum += parts[i] < caps[i] ? weights[i] : 0;
        const bool even = sum <= 0;
        std::array<double, N> remainder{};
        const int round = left;
        for (std::size_t i = 0; i < N; ++i) {
            if (parts[i] >= caps[i])
                continue;
            const double exact = even ? double(round) / double(N) : round * weights[i] / sum;
            const int whole = std::min({int(exact + 1e-9), caps[i] - parts[i], left});
            parts[i] += whole;
            left -= whole;
            remainder[i] = parts[i] < caps[i] ? exact - whole + 1e-12 : 0;
        }
        while (left > 0) {
            const auto best = std::max_element(remainder.begin(), remainder.end());
            if (*best <= 0)
                break;
            *best = 0;
            ++parts[std::size_t(best - remainder.begin())];
            --left;
        }
    }
    return parts;
}

struct MarkWanted
{
    FleetRegion region;
    CardModel model;
    int encoding; ///< -1: any
    bool idle;
};

constexpr std::array<MarkWanted, 5> offlineWanted{{
    {FleetRegion::Beijing, CardModel::Ascend910B, -1, true},
    {FleetRegion::Beijing, CardModel::Ascend910B, -1, true},
    {FleetRegion::Beijing, CardModel::A10, -1, false},
    {FleetRegion::Guiyang, CardModel::A100, int(E::NvidiaLabels), false},
    {FleetRegion::Shenzhen, CardModel::Rtx4090, int(E::HamiJson), false},
}};

constexpr std::array<MarkWanted, 5> faultyWanted{{
    {FleetRegion::Beijing, CardModel::A100, int(E::NvidiaLabels), false},
    {FleetRegion::Ulanqab, CardModel::H100, int(E::Dra), false},
    {FleetRegion::Ulanqab, CardModel::Ascend910B, int(E::AscendPlugin), false},
    {FleetRegion::Guiyang, CardModel::Rtx4090, int(E::HamiJson), false},
    {FleetRegion::Shenzhen, CardModel::Mlu370X8, int(E::MluDefault), false},
}};

constexpr std::array<MarkWanted, 7> cordonedWanted{{
    {FleetRegion::Beijing, CardModel::T4, -1, false},
    {FleetRegion::Beijing, CardModel::Ascend910B, -1, false},
    {FleetRegion::Ulanqab, CardModel::A100, -1, false},
    {FleetRegion::Ulanqab, CardModel::A100, -1, false},
    {FleetRegion::Guiyang, CardModel::A10, -1, false},
    {FleetRegion::Shenzhen, CardModel::Ascend910B, -1, false},
    {FleetRegion::Shenzhen, CardModel::Mlu370X8, -1, false},
}};

constexpr std::array<MarkWanted, 2> silentWanted{{
    {FleetRegion::Beijing, CardModel::A100, int(E::NvidiaLabels), false},
    {FleetRegion::Guiyang, CardModel::Ascend910B, int(E::AscendPlugin), false},
}};

} // namespace

void FleetPlan::layNodes(int cards)
{
    const int nodes = (cards + 7) / 8;
    std::array<double, regionCount * modelCount> weights{};
    std::array<int, regionCount * modelCount> caps{};
    caps.fill(nodes);
    for (int r = 0; r < regionCount; ++r) {
        for (int m = 0; m < modelCount; ++m)
            weights[std::size_t(r * modelCount + m)] = layoutNodes[std::size_t(r)][std::size_t(m)];
    }
    const auto groups = apportion(nodes, weights, caps);
    m_nodes.reserve(std::size_t(nodes));
    for (int r = 0; r < regionCount; ++r) {
        std::array<int, modelCount> left{};
        for (int m = 0; m < modelCount; ++m)
            left[std::size_t(m)] = groups[std::size_t(r * modelCount + m)];
        const int regionNodes = std::accumulate(left.begin(), left.end(), 0);
        std::array<double, 4> shares{};
        for (std::size_t b = 0; b < 4; ++b)
            shares[b] = layoutBusiness[std::size_t(r)][b];
        const auto quota = apportion(regionNodes, shares,
                                     std::array<int, 4>{regionNodes, regionNodes, regionNodes, regionNodes});
        const auto weigh = [&](const std::array<double, modelCount> &factors, bool absolute) {
            std::array<double, modelCount> result{};
            for (std::size_t m = 0; m < modelCount; ++m)
                result[m] = absolute ? factors[m] : factors[m] * groups[std::size_t(r) * modelCount + m];
            return result;
        };
        const auto idle =
            apportion(quota[3], r == 0 ? weigh(beijingIdleNodes, true) : weigh(idleWeights, false), left);
        for (std::size_t m = 0; m < modelCount; ++m)
            left[m] -= idle[m];
        const auto training = apportion(quota[1], weigh(trainingWeights, false), left);
        for (std::size_t m = 0; m < modelCount; ++m)
            left[m] -= training[m];
        const auto mixed = apportion(quota[2], weigh({1, 1, 1, 1, 1, 1, 1}, false), left);

        for (int m = 0; m < modelCount; ++m) {
            const int count = groups[std::size_t(r * modelCount + m)];
            std::vector<std::pair<quint64, int>> order;
            for (int i = 0; i < count; ++i)
                order.emplace_back(fleetHash(m_seed, quint64(r * modelCount + m + 1), quint64(i)), i);
            // The node with the odd cards is one of the mixed nodes, so that the totals of the labels come
            // out.
            if (r == 3 && m == modelCount - 1 && count > 0)
                order.back().first = 0;
            std::sort(order.begin(), order.end());
            std::vector<Business> business(std::size_t(count), Business::Inference);
            int place = 0;
            const auto fill = [&](int number, Business what) {
                for (int i = 0; i < number && place < count; ++i, ++place)
                    business[std::size_t(order[std::size_t(place)].second)] = what;
            };
            fill(mixed[std::size_t(m)], Business::Mixed);
            fill(training[std::size_t(m)], Business::Training);
            fill(idle[std::size_t(m)], Business::Idle);
            for (int i = 0; i < count; ++i) {
                SimulatedNode node;
                node.region = FleetRegion(r);
                node.model = CardModel(m);
                node.number = quint16(i + 1);
                node.business = business[std::size_t(i)];
                if (m_onePodACard && node.business == Business::Mixed)
                    node.business = Business::Inference;
                node.smallMemory = node.model == CardModel::Ascend910B && i >= count - (count + 2) / 4;
                node.name = QByteArray(regionPrefix(node.region)) + '-' + cardSpec(node.model).nodeWord +
                            '-' + QByteArray::number(i + 1).rightJustified(nodes > 5000 ? 4 : 3, '0');
                m_nodes.push_back(node);
            }
        }
    }
    if (cards % 8 != 0 && !m_nodes.empty())
        m_nodes.back().cards = quint8(cards % 8);
    const int clusterCount = int(m_clusters.size());
    for (std::size_t i = 0; i < m_nodes.size(); ++i) {
        const int region = int(m_nodes[i].region);
        m_nodes[i].cluster = quint8(clusterCount == 3 ? std::min(region, 2) : int(i) % clusterCount);
        m_nodes[i].firstCard = m_cards;
        m_cards += m_nodes[i].cards;
    }
}

void FleetPlan::chooseEncodings()
{
    std::array<int, std::size_t(regionCount) * modelCount * 4> turns{};
    for (SimulatedNode &node : m_nodes) {
        const auto cycle = encodingCycle(node.model, node.business);
        const std::size_t group = (std::size_t(node.region) * modelCount + std::size_t(node.model)) * 4 +
                                  std::size_t(node.business);
        // Each group starts elsewhere in its cycle, so that small groups together still have every kind.
        const std::size_t turn =
            std::size_t(turns[group]++) + std::size_t(node.region) * 2 + std::size_t(node.model) * 3;
        node.encoding = cycle[turn % cycle.size()];
        if (node.smallMemory && node.encoding == CardEncoding::HamiAscendOld)
            node.encoding = CardEncoding::HamiAscend; // the old word meant the 64 GB chip only
    }
}

void FleetPlan::markNodes()
{
    const double scale = double(m_nodes.size()) / defaultNodes;
    const auto mark = [&](auto wanted, quint64 salt, auto apply) {
        int count = int(double(wanted.size()) * scale + 0.5);
        if (count == 0 && m_nodes.size() >= 16)
            count = 1;
        for (int n = 0; n < count; ++n) {
            const MarkWanted &want = wanted[std::size_t(n) % wanted.size()];
            // If the pool is too small to have such a node, any other will do.
            for (int pass = 0; pass < 2; ++pass) {
                std::vector<SimulatedNode *> candidates;
                for (SimulatedNode &node : m_nodes) {
                    const bool taken = node.offline || node.cordoned || node.silent || node.faultySlot >= 0 ||
                                       node.cards < 8;
                    const bool fits = node.region == want.region && node.model == want.model &&
                                      (node.business == Business::Idle) == want.idle &&
                                      (want.encoding < 0 || int(node.encoding) == want.encoding);
                    if (!taken && (pass == 1 || fits))
                        candidates.push_back(&node);
                }
                if (candidates.empty())
                    continue;
                apply(*candidates[fleetHash(m_seed, salt, quint64(n)) % candidates.size()], n);
                break;
            }
        }
    };
    mark(offlineWanted, 101, [](SimulatedNode &node, int) { node.offline = true; });
    mark(faultyWanted, 102, [](SimulatedNode &node, int n) { node.faultySlot = qint8((n * 5 + 6) % 8); });
    mark(cordonedWanted, 103, [](SimulatedNode &node, int) { node.cordoned = true; });
    mark(silentWanted, 104, [](SimulatedNode &node, int) { node.silent = true; });
}

} // namespace tongchi
