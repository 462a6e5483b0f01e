#include "platform/simulator/fleet_encoding.h"

#include <array>

namespace tongchi {

namespace {

constexpr std::array<MigInstance, 7> singleInstances{{
    {"1g.10gb", 7, 9728, 1, 19, 0},
    {"1g.10gb", 8, 9728, 1, 19, 1},
    {"1g.10gb", 9, 9728, 1, 19, 2},
    {"1g.10gb", 10, 9728, 1, 19, 3},
    {"1g.10gb", 11, 9728, 1, 19, 4},
    {"1g.10gb", 12, 9728, 1, 19, 5},
    {"1g.10gb", 13, 9728, 1, 19, 6},
}};
constexpr std::array<MigInstance, 4> mixedInstances{{
    {"3g.40gb", 1, 40192, 3, 9, 4},
    {"2g.20gb", 3, 19968, 2, 14, 0},
    {"1g.10gb", 9, 9728, 1, 19, 2},
    {"1g.10gb", 10, 9728, 1, 19, 3},
}};
constexpr std::array<MigInstance, 2> draInstances{
    {{"3g.40gb", 1, 40448, 3, 9, 0}, {"3g.40gb", 2, 40448, 3, 9, 4}}};

} // namespace

QByteArray countedResource(const SimulatedNode &node, int share)
{
    switch (node.encoding) {
    case CardEncoding::TimeSlicingRenamed:
        return "nvidia.com/gpu.shared";
    case CardEncoding::MigMixed:
        return QByteArray("nvidia.com/mig-") + migInstance(node.encoding, share).profile;
    case CardEncoding::Dra:
    case CardEncoding::DraMig:
        return {};
    case CardEncoding::AscendPlugin:
        return "huawei.com/Ascend910";
    case CardEncoding::AscendStaticVnpu:
        return "huawei.com/Ascend910-" + ascendStaticTemplate(node);
    case CardEncoding::HamiAscend:
    case CardEncoding::HamiAscendOld:
    case CardEncoding::HamiAscendTemplates:
        return "huawei.com/" + ascendWord(node);
    case CardEncoding::MluDefault:
        return "cambricon.com/mlu";
    case CardEncoding::MluTyped:
        return "cambricon.com/mlu370";
    case CardEncoding::MluDynamic:
        return "cambricon.com/mlu.smlu.vcore";
    default:
        return "nvidia.com/gpu";
    }
}

std::vector<std::pair<QByteArray, int>> cardResources(const SimulatedNode &node, bool allocatable)
{
    const int lost = allocatable && node.faultySlot >= 0 ? 1 : 0;
    // HAMi's scheduler takes a lost node's cards away; other plugins' numbers stay as they were.
    const int cards = node.offline && allocatable && isHamiNvidia(node.encoding) ? 0 : node.cards - lost;
    switch (node.encoding) {
    case CardEncoding::Dra:
    case CardEncoding::DraMig:
        return {};
    case CardEncoding::AscendPlugin:
        return {{"huawei.com/Ascend910", cards}};
    case CardEncoding::TimeSlicingRenamed:
        return {{"nvidia.com/gpu", 0}, {"nvidia.com/gpu.shared", cards * 4}};
    case CardEncoding::MigSingle:
        return {{"nvidia.com/gpu", cards * migInstanceCount(node.encoding)}};
    case CardEncoding::MigMixed:
        return {{"nvidia.com/gpu", 0},
                {"nvidia.com/mig-1g.10gb", cards * 2},
                {"nvidia.com/mig-2g.20gb", cards},
                {"nvidia.com/mig-3g.40gb", cards}};
    case CardEncoding::AscendStaticVnpu:
        return {{"huawei.com/Ascend910", 0}, {countedResource(node), cards * 2}};
    case CardEncoding::HamiAscendOld:
        return {{countedResource(node), cards * sharesACard(node.encoding)}};
    case CardEncoding::HamiAscend:
    case CardEncoding::HamiAscendTemplates:
        return {{countedResource(node), cards * sharesACard(node.encoding)},
                {countedResource(node) + "-memory", cards * node.memoryMiB()}};
    case CardEncoding::MluDefault:
    case CardEncoding::MluTyped:
        return {{countedResource(node), cards}, {"cambricon.com/real-mlu-counts", node.cards}};
    case CardEncoding::MluDynamic:
        return {{"cambricon.com/mlu.smlu.vcore", cards * 100},
                {"cambricon.com/mlu.smlu.vmemory", cards * 100},
                {"cambricon.com/real-mlu-counts", node.cards}};
    default:
        return {{"nvidia.com/gpu", cards * sharesACard(node.encoding)}};
    }
}

int countedRequest(const SimulatedNode &node, int cards)
{
    return node.encoding == CardEncoding::MluDynamic ? 40 : cards;
}

QByteArray ascendChip(const SimulatedNode &node)
{
    return node.smallMemory ? "910B4" : "910B3";
}

QByteArray ascendWord(const SimulatedNode &node)
{
    return node.encoding == CardEncoding::HamiAscendOld ? QByteArray("Ascend910B")
                                                        : "Ascend" + ascendChip(node);
}

QByteArray ascendTemplate(const SimulatedNode &node)
{
    return node.smallMemory ? "vir10_3c_16g" : "vir10_3c_32g";
}

QByteArray ascendStaticTemplate(const SimulatedNode &node)
{
    return node.smallMemory ? "10c.3cpu.16g" : "10c.3cpu.32g";
}

int sharesACard(CardEncoding encoding)
{
    switch (encoding) {
    case CardEncoding::TimeSlicing:
    case CardEncoding::TimeSlicingRenamed:
    case CardEncoding::Mps:
        return 4;
    case CardEncoding::HamiText7:
    case CardEncoding::HamiText9:
    case CardEncoding::HamiJson:
        return 10;
    case CardEncoding::HamiAscend:
    case CardEncoding::HamiAscendOld:
    case CardEncoding::HamiAscendTemplates:
        return 4; // memory over the smallest template's, 64/16 as well as 32/8
    default:
        return 1;
    }
}

int hamiMemoryMiB(const SimulatedNode &node)
{
    return node.encoding == CardEncoding::HamiText9 ? node.memoryMiB() * 3 / 2 : node.memoryMiB();
}

QByteArray hamiType(const SimulatedNode &node)
{
    const QByteArray reported = cardSpec(node.model).reportedName;
    if (isHamiAscend(node.encoding))
        return ascendWord(node);
    // Up to 2.7 the plugin always puts the vendor in front, later only where it is missing.
    if (node.encoding == CardEncoding::HamiJson && reported.startsWith("NVIDIA"))
        return reported;
    return "NVIDIA-" + reported;
}

bool isHamiNvidia(CardEncoding encoding)
{
    return encoding == CardEncoding::HamiText7 || encoding == CardEncoding::HamiText9 ||
           encoding == CardEncoding::HamiJson;
}

bool isHamiAscend(CardEncoding encoding)
{
    return encoding == CardEncoding::HamiAscend || encoding == CardEncoding::HamiAscendOld ||
           encoding == CardEncoding::HamiAscendTemplates;
}

bool isMig(CardEncoding encoding)
{
    return encoding == CardEncoding::MigSingle || encoding == CardEncoding::MigMixed ||
           encoding == CardEncoding::DraMig;
}

int migInstanceCount(CardEncoding encoding)
{
    switch (encoding) {
    case CardEncoding::MigSingle:
        return int(singleInstances.size());
    case CardEncoding::MigMixed:
        return int(mixedInstances.size());
    case CardEncoding::DraMig:
        return int(draInstances.size());
    default:
        return 0;
    }
}

const MigInstance &migInstance(CardEncoding encoding, int share)
{
    const auto at = [share](const auto &table) -> const MigInstance & {
        return table[std::size_t(share) % table.size()];
    };
    if (encoding == CardEncoding::MigSingle)
        return at(singleInstances);
    return encoding == CardEncoding::MigMixed ? at(mixedInstances) : at(draInstances);
}

QByteArray driverVersion(const SimulatedNode &node)
{
    switch (cardSpec(node.model).vendor) {
    case CardVendor::Nvidia:
        return node.encoding == CardEncoding::NvidiaLabelsShort ? "535.161.08" : "570.86.15";
    case CardVendor::Ascend:
        return "24.1.rc3";
    case CardVendor::Cambricon:
        break;
    }
    return "v5.10.29";
}

} // namespace tongchi
