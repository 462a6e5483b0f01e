#pragma once

#include <span>
#include <string_view>

namespace tongchi {

/// Which exporter a metric comes from and what it has a series for.
enum class ExporterFamily : unsigned char {
    Dcgm,        ///< a card, or a MIG instance
    DcgmProfile, ///< the same, only of cards with profiling counters
    Npu,         ///< an Ascend chip
    NpuError,    ///< an Ascend chip with an error
    NpuNode,
    Mlu,          ///< a card, and its sMLU instances as vf
    MluCard,      ///< a card only
    MluContainer, ///< an allocation
    MluNode,
    Target, ///< any scrape target
    KubeNode,
    KubeNodeResource,
    KubeNodeCondition,
    KubePod,
    KubePodPhase,
    KubePodRequest,
};

enum class ExporterValue : unsigned char {
    GpuUtil,
    MemCopyUtil,
    EncUtil,
    DecUtil,
    FbUsed,
    FbFree,
    FbReserved,
    GpuTemp,
    MemoryTemp,
    Power,
    Energy,
    SmClock,
    MemClock,
    Xid,
    PcieReplay,
    Nvlink,
    UncorrectableRows,
    CorrectableRows,
    RowRemapFailure,
    VgpuLicense,
    GrActive,
    TensorActive,
    DramActive,
    PcieTx,
    PcieRx,
    NpuUtilization,
    NpuOverall,
    NpuHbmUsed,
    NpuHbmTotal,
    NpuHbmUtilization,
    NpuTemperature,
    NpuHbmTemperature,
    NpuPower,
    NpuVoltage,
    NpuFrequency,
    NpuHealth,
    NpuNetwork,
    NpuLink,
    NpuErrorCode,
    NpuRx,
    NpuTx,
    NpuEccDouble,
    NpuCount,
    NpuHealthy,
    NpuUnhealthy,
    NpuUnknown,
    MluUtilization,
    MluMemoryUtilization,
    MluMemoryUsed,
    MluMemoryTotal,
    MluMemoryFree,
    MluBoardTemperature,
    MluChipTemperature,
    MluPower,
    MluPowerLimit,
    MluHealth,
    MluDriverState,
    MluVirtualMode,
    MluFrequency,
    MluFan,
    MluXidCount,
    MluCount,
    MluAllocated,
    MluContainer,
    Up,
    ScrapeDuration,
    One,
    Unschedulable,
    Capacity,
    Allocatable,
    Condition,
    PodPhase,
    PodRequest,
    Zero,
};

struct ExporterMetric
{
    std::string_view name;
    std::string_view type; ///< gauge, counter
    std::string_view help;
    ExporterFamily family;
    ExporterValue value;
};

std::span<const ExporterMetric> exporterMetrics();

} // namespace tongchi
