#include "platform/simulator/exporter_values.h"

#include "platform/simulator/fleet_encoding.h"
#include "platform/simulator/fleet_hash.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace tongchi {

namespace {

using V = ExporterValue;

constexpr double dcgmBlank = 9223372036854775794.0; // DCGM_INT64_BLANK
constexpr double mib = 1048576;

/// To `places` decimals, without a tail of binary dust.
double rounded(double value, int places)
{
    double scale = 1;
    for (int i = 0; i < places; ++i)
        scale *= 10;
    return std::round(value * scale) / scale;
}

/// Memory the driver keeps for itself, in MiB.
double reservedMiB(const SimulatedNode &node)
{
    return std::round(node.memoryMiB() * 0.0075);
}

} // namespace

int ExporterValues::lastXid(const SimulatedNode &node, int slot) const
{
    if (node.faultySlot == slot)
        return 79;
    static constexpr std::array<int, 3> harmless{13, 31, 43};
    const quint64 hash = fleetHash(m_plan.seed(), 800, node.firstCard + quint64(slot));
    return hash % 251 == 0 ? harmless[(hash >> 20) % harmless.size()] : 0;
}

bool ExporterValues::isPowerlessVgpu(const SimulatedNode &node) const
{
    return node.model == CardModel::A10 && node.region == FleetRegion::Shenzhen && node.number == 3;
}

bool ExporterValues::hasSecondExporter(const SimulatedNode &node) const
{
    return node.region == FleetRegion::Ulanqab && node.model == CardModel::A100 && node.number % 17 == 5;
}

bool ExporterValues::exists(V value, const SimulatedNode &node, int slot, quint16 part) const
{
    switch (value) {
    case V::GpuUtil:
    case V::MemCopyUtil:
        return !isMig(node.encoding);
    case V::FbReserved:
        return node.encoding != CardEncoding::NvidiaLabelsShort; // an older exporter
    case V::Nvlink:
        return node.model == CardModel::A100 || node.model == CardModel::H100;
    case V::NpuPower:
        // On one node the modules of two dies show their power at the first die only.
        return !(node.region == FleetRegion::Guiyang && node.number == 9 && slot % 2 == 1);
    case V::NpuErrorCode:
        return slot == node.faultySlot;
    case V::MluMemoryUtilization:
        return part == ExporterPart::whole;
    default:
        return true;
    }
}

double ExporterValues::ofMigInstance(V value, const SimulatedNode &node, int slot, int instance,
                                     const CardSample &sample, qint64 unixMs) const
{
    const MigInstance &mig = migInstance(node.encoding, instance);
    // Busy instances are those with a pod; the card's load is theirs.
    int seats = 0;
    int slices = 0;
    bool busy = false;
    for (quint32 i = node.firstSeat; i < node.firstSeat + node.seats; ++i) {
        const PodSeat &seat = m_plan.seats()[i];
        if (seat.firstSlot != slot)
            continue;
        ++seats;
        slices += migInstance(node.encoding, seat.share).slices;
        busy = busy || seat.share == instance;
    }
    const double load = seats == 0 ? sample.utilization / 100
                        : busy     ? std::min(1.0, sample.utilization / 100 * 7 / slices)
                                   : 0;
    const double wobble = 0.92 + 0.08 * m_load.shareOf(node, slot, 0, unixMs + instance * 77'000);
    const double used = seats == 0 ? 30
                        : busy
                            ? std::round(mig.memoryMiB * std::min(0.95, sample.memoryMiB / node.memoryMiB()))
                            : 12;
    switch (value) {
    case V::FbUsed:
        return used;
    case V::FbFree:
        return mig.memoryMiB - used - 11;
    case V::FbReserved:
        return 11;
    case V::GrActive:
        return rounded(load * wobble, 6);
    case V::TensorActive:
        return rounded(load * wobble * 0.41, 6);
    case V::DramActive:
        return rounded(load * wobble * 0.53, 6);
    default:
        return 0;
    }
}

double ExporterValues::ofCard(V value, const SimulatedNode &node, int slot, quint16 part, qint64 unixMs) const
{
    const CardSpec &spec = cardSpec(node.model);
    const quint64 card = node.firstCard + quint64(slot);
    // Constants first: they need no load.
    switch (value) {
    case V::Xid:
        return lastXid(node, slot);
    case V::Energy:
        return std::floor(m_load.joules(node, slot, unixMs) * 1000);
    case V::Nvlink:
        return std::floor(m_load.joules(node, slot, unixMs) * 37);
    case V::MemClock:
        return spec.memoryClockMHz;
    case V::PcieReplay:
        return double(fleetHash(m_plan.seed(), 801, card) % 97 == 0 ? 3 : 0);
    case V::CorrectableRows:
        return double(fleetHash(m_plan.seed(), 802, card) % 61 == 0 ? 1 : 0);
    case V::UncorrectableRows:
    case V::RowRemapFailure:
    case V::VgpuLicense:
    case V::EncUtil:
    case V::NpuEccDouble:
    case V::MluXidCount:
        return 0;
    case V::NpuHbmTotal:
        return node.memoryMiB();
    case V::NpuHealth:
        return slot == node.faultySlot ? 0 : 1;
    case V::NpuNetwork:
    case V::NpuLink:
    case V::MluDriverState:
        return 1;
    case V::NpuErrorCode:
        return 2162262021.0; // 80E18005
    case V::NpuVoltage:
        return 0.87;
    case V::NpuFrequency:
        return spec.smClockMHz;
    case V::MluMemoryTotal:
        return node.memoryMiB() * mib;
    case V::MluPowerLimit:
        return 250;
    case V::MluHealth:
        return slot == node.faultySlot ? 0 : 1;
    case V::MluVirtualMode:
        return node.encoding == CardEncoding::MluDynamic ? 2 : 0;
    case V::MluFrequency:
        return spec.smClockMHz;
    case V::MluFan:
        return -1;
    default:
        break;
    }
    CardSample sample = m_load.sample(node, slot, unixMs);
    if (part == ExporterPart::secondExporter)
        sample.utilization =
            std::min(100.0, sample.utilization + (fleetMix(card + quint64(unixMs / 10'000)) % 2 ? 1 : 0));
    const bool function = part != ExporterPart::whole && part != ExporterPart::secondExporter;
    if (function && isMig(node.encoding) &&
        (value == V::FbUsed || value == V::FbFree || value == V::FbReserved || value == V::GrActive ||
         value == V::TensorActive || value == V::DramActive))
        return ofMigInstance(value, node, slot, part - 1, sample, unixMs);
    const double load = sample.utilization / 100;
    const double share = function ? m_load.shareOf(node, slot, part - 1, unixMs) : 1;
    switch (value) {
    case V::GpuUtil:
    case V::NpuUtilization:
        return sample.utilization;
    case V::MemCopyUtil:
        return std::round(sample.utilization * 0.55);
    case V::DecUtil:
        return node.business == Business::Inference && card % 23 == 0 ? std::round(load * 20) : 0;
    case V::FbUsed:
        return sample.memoryMiB;
    case V::FbFree:
        return node.memoryMiB() - sample.memoryMiB - reservedMiB(node);
    case V::FbReserved:
        return reservedMiB(node);
    case V::GpuTemp:
    case V::NpuTemperature:
    case V::MluChipTemperature:
        return sample.celsius;
    case V::MemoryTemp:
        if (node.model == CardModel::T4 || node.model == CardModel::A10)
            return dcgmBlank;
        return node.model == CardModel::Rtx4090 ? 0 : sample.memoryCelsius;
    case V::NpuHbmTemperature:
        return sample.memoryCelsius;
    case V::MluBoardTemperature:
        return sample.celsius - 8;
    case V::Power:
        return isPowerlessVgpu(node) ? 0 : rounded(sample.watts, 3);
    case V::NpuPower:
        return rounded(sample.watts, 1);
    case V::MluPower:
        return std::round(sample.watts * share);
    case V::SmClock:
        return load > 0.02 ? std::round(spec.smClockMHz * (1 - 0.04 * load)) : 210;
    case V::GrActive:
        return rounded(load, 6);
    case V::TensorActive:
        return rounded(load * 0.42, 6);
    case V::DramActive:
        return rounded(load * 0.55, 6);
    case V::PcieTx:
        return std::round(load * 1.9e9);
    case V::PcieRx:
        return std::round(load * 2.6e9);
    case V::NpuOverall:
        return std::min(100.0, sample.utilization + 2);
    case V::NpuHbmUsed:
        return sample.memoryMiB;
    case V::NpuHbmUtilization:
        return std::round(100 * sample.memoryMiB / node.memoryMiB());
    case V::NpuRx:
        return rounded(load * 812, 2);
    case V::NpuTx:
        return rounded(load * 803, 2);
    case V::MluUtilization:
        return std::round(sample.utilization * share);
    case V::MluMemoryUtilization:
        return std::round(100 * sample.memoryMiB / node.memoryMiB());
    case V::MluMemoryUsed:
        return sample.memoryMiB * mib;
    case V::MluMemoryFree:
        return (node.memoryMiB() - sample.memoryMiB) * mib;
    default:
        return 0;
    }
}

double ExporterValues::ofNode(V value, const SimulatedNode &node, quint16 part) const
{
    switch (value) {
    case V::NpuCount:
    case V::MluCount:
        return node.cards;
    case V::NpuHealthy:
        return node.cards - (node.faultySlot >= 0 ? 1 : 0);
    case V::NpuUnhealthy:
        return node.faultySlot >= 0 ? 1 : 0;
    case V::MluAllocated:
        return node.seats == 0 ? 0 : node.cards;
    case V::Unschedulable:
        return node.cordoned ? 1 : 0;
    case V::One:
        return 1;
    // Rows true, false, unknown.
    case V::Condition:
        return part == (node.offline ? 2 : 0) ? 1 : 0;
    case V::ScrapeDuration:
        return 0.011 + double(node.firstCard % 97) * 0.0007;
    default:
        return 0;
    }
}

} // namespace tongchi
