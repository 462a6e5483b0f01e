#include "platform/simulator/exporter_metrics.h"

#include <array>

namespace tongchi {

namespace {

using F = ExporterFamily;
using V = ExporterValue;
constexpr std::string_view G = "gauge";
constexpr std::string_view C = "counter";

/// Names, types and units of facts sections 4.1 to 4.3 and 4.5.
constexpr std::array exporterTable{
    ExporterMetric{"DCGM_FI_DEV_GPU_UTIL", G, "GPU utilization (in %).", F::Dcgm, V::GpuUtil},
    ExporterMetric{"DCGM_FI_DEV_MEM_COPY_UTIL", G, "Memory utilization (in %).", F::Dcgm, V::MemCopyUtil},
    ExporterMetric{"DCGM_FI_DEV_ENC_UTIL", G, "Encoder utilization (in %).", F::Dcgm, V::EncUtil},
    ExporterMetric{"DCGM_FI_DEV_DEC_UTIL", G, "Decoder utilization (in %).", F::Dcgm, V::DecUtil},
    ExporterMetric{"DCGM_FI_DEV_FB_USED", G, "Framebuffer memory used (in MiB).", F::Dcgm, V::FbUsed},
    ExporterMetric{"DCGM_FI_DEV_FB_FREE", G, "Framebuffer memory free (in MiB).", F::Dcgm, V::FbFree},
    ExporterMetric{"DCGM_FI_DEV_FB_RESERVED", G, "Framebuffer memory reserved (in MiB).", F::Dcgm,
                   V::FbReserved},
    ExporterMetric{"DCGM_FI_DEV_GPU_TEMP", G, "GPU temperature (in C).", F::Dcgm, V::GpuTemp},
    ExporterMetric{"DCGM_FI_DEV_MEMORY_TEMP", G, "Memory temperature (in C).", F::Dcgm, V::MemoryTemp},
    ExporterMetric{"DCGM_FI_DEV_POWER_USAGE", G, "Power draw (in W).", F::Dcgm, V::Power},
    ExporterMetric{"DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION", C, "Total energy consumption since boot (in mJ).",
                   F::Dcgm, V::Energy},
    ExporterMetric{"DCGM_FI_DEV_SM_CLOCK", G, "SM clock frequency (in MHz).", F::Dcgm, V::SmClock},
    ExporterMetric{"DCGM_FI_DEV_MEM_CLOCK", G, "Memory clock frequency (in MHz).", F::Dcgm, V::MemClock},
    ExporterMetric{"DCGM_FI_DEV_XID_ERRORS", G, "Value of the last XID error encountered.", F::Dcgm, V::Xid},
    ExporterMetric{"DCGM_FI_DEV_PCIE_REPLAY_COUNTER", C, "Total number of PCIe retries.", F::Dcgm,
                   V::PcieReplay},
    ExporterMetric{"DCGM_FI_DEV_NVLINK_BANDWIDTH_TOTAL", C,
                   "Total number of NVLink bandwidth counters for all lanes.", F::DcgmProfile, V::Nvlink},
    ExporterMetric{"DCGM_FI_DEV_UNCORRECTABLE_REMAPPED_ROWS", C,
                   "Number of remapped rows for uncorrectable errors.", F::DcgmProfile, V::UncorrectableRows},
    ExporterMetric{"DCGM_FI_DEV_CORRECTABLE_REMAPPED_ROWS", C,
                   "Number of remapped rows for correctable errors.", F::DcgmProfile, V::CorrectableRows},
    ExporterMetric{"DCGM_FI_DEV_ROW_REMAP_FAILURE", G, "Whether remapping of rows has failed.",
                   F::DcgmProfile, V::RowRemapFailure},
    ExporterMetric{"DCGM_FI_DEV_VGPU_LICENSE_STATUS", G, "vGPU License status.", F::Dcgm, V::VgpuLicense},
    ExporterMetric{"DCGM_FI_PROF_GR_ENGINE_ACTIVE", G, "Ratio of time the graphics engine is active.",
                   F::DcgmProfile, V::GrActive},
    ExporterMetric{"DCGM_FI_PROF_PIPE_TENSOR_ACTIVE", G, "Ratio of cycles the tensor (HMMA) pipe is active.",
                   F::DcgmProfile, V::TensorActive},
    ExporterMetric{"DCGM_FI_PROF_DRAM_ACTIVE", G, "Ratio of cycles the device memory interface is active.",
                   F::DcgmProfile, V::DramActive},
    ExporterMetric{"DCGM_FI_PROF_PCIE_TX_BYTES", G,
                   "The rate of data transmitted over the PCIe bus (in bytes per second).", F::DcgmProfile,
                   V::PcieTx},
    ExporterMetric{"DCGM_FI_PROF_PCIE_RX_BYTES", G,
                   "The rate of data received over the PCIe bus (in bytes per second).", F::DcgmProfile,
                   V::PcieRx},

    ExporterMetric{"npu_chip_info_utilization", G, "the ai core utilization", F::Npu, V::NpuUtilization},
    ExporterMetric{"npu_chip_info_overall_utilization", G, "the overall utilization of npu", F::Npu,
                   V::NpuOverall},
    ExporterMetric{"npu_chip_info_hbm_used_memory", G, "the npu hbm used memory", F::Npu, V::NpuHbmUsed},
    ExporterMetric{"npu_chip_info_hbm_total_memory", G, "the npu hbm total memory", F::Npu, V::NpuHbmTotal},
    ExporterMetric{"npu_chip_info_hbm_utilization", G, "the npu hbm utilization", F::Npu,
                   V::NpuHbmUtilization},
    ExporterMetric{"npu_chip_info_temperature", G, "the npu temperature", F::Npu, V::NpuTemperature},
    ExporterMetric{"npu_chip_info_hbm_temperature", G, "the npu hbm temperature", F::Npu,
                   V::NpuHbmTemperature},
    ExporterMetric{"npu_chip_info_power", G, "the npu power", F::Npu, V::NpuPower},
    ExporterMetric{"npu_chip_info_voltage", G, "the npu voltage", F::Npu, V::NpuVoltage},
    ExporterMetric{"npu_chip_info_aicore_current_freq", G, "the npu ai core current frequency", F::Npu,
                   V::NpuFrequency},
    ExporterMetric{"npu_chip_info_health_status", G, "the npu health status", F::Npu, V::NpuHealth},
    ExporterMetric{"npu_chip_info_network_status", G, "the npu network health status", F::Npu, V::NpuNetwork},
    ExporterMetric{"npu_chip_info_link_status", G, "the npu link status", F::Npu, V::NpuLink},
    ExporterMetric{"npu_chip_info_error_code", G, "the npu error code", F::NpuError, V::NpuErrorCode},
    ExporterMetric{"npu_chip_info_bandwidth_rx", G, "the npu interface real-time receive rate", F::Npu,
                   V::NpuRx},
    ExporterMetric{"npu_chip_info_bandwidth_tx", G, "the npu interface real-time transport rate", F::Npu,
                   V::NpuTx},
    ExporterMetric{"npu_chip_info_hbm_ecc_total_double_bit_error_cnt", G,
                   "the npu hbm total double bit error count", F::Npu, V::NpuEccDouble},
    ExporterMetric{"machine_npu_nums", G, "Amount of npu installed on the machine.", F::NpuNode, V::NpuCount},
    ExporterMetric{"machine_card_nums", G, "Amount of npu card installed on the machine.", F::NpuNode,
                   V::NpuCount},
    ExporterMetric{"machine_healthy_npu_nums", G, "Amount of healthy npu.", F::NpuNode, V::NpuHealthy},
    ExporterMetric{"machine_unhealthy_npu_nums", G, "Amount of unhealthy npu.", F::NpuNode, V::NpuUnhealthy},
    ExporterMetric{"machine_unknown_npu_nums", G, "Amount of unknown npu.", F::NpuNode, V::NpuUnknown},

    ExporterMetric{"mlu_utilization", G, "The utilization of the MLU (in %).", F::Mlu, V::MluUtilization},
    ExporterMetric{"mlu_memory_utilization", G, "The memory utilization of the MLU (in %).", F::Mlu,
                   V::MluMemoryUtilization},
    ExporterMetric{"mlu_memory_used", G, "Used physical memory (in bytes).", F::MluCard, V::MluMemoryUsed},
    ExporterMetric{"mlu_memory_total", G, "Total physical memory (in bytes).", F::MluCard, V::MluMemoryTotal},
    ExporterMetric{"mlu_memory_free", G, "Free physical memory (in bytes).", F::MluCard, V::MluMemoryFree},
    ExporterMetric{"mlu_temperature", G, "Board temperature (in C).", F::MluCard, V::MluBoardTemperature},
    ExporterMetric{"mlu_chip_temperature", G, "Chip temperature (in C).", F::MluCard, V::MluChipTemperature},
    ExporterMetric{"mlu_power_usage", G, "Power usage (in W).", F::Mlu, V::MluPower},
    ExporterMetric{"mlu_power_default_limit", G, "Default power limit (in W).", F::MluCard, V::MluPowerLimit},
    ExporterMetric{"mlu_health", G, "Health state, 1 healthy, 0 not.", F::MluCard, V::MluHealth},
    ExporterMetric{"mlu_driver_state", G, "Driver state, 1 running.", F::MluCard, V::MluDriverState},
    ExporterMetric{"mlu_virtual_mode", G, "0 full, 1 MIM, 2 sMLU, 3 env-share.", F::MluCard,
                   V::MluVirtualMode},
    ExporterMetric{"mlu_frequency", G, "Frequency (in MHz).", F::MluCard, V::MluFrequency},
    ExporterMetric{"mlu_fan_speed", G, "Fan speed (in rpm), -1: no fan.", F::MluCard, V::MluFan},
    ExporterMetric{"mlu_xid_error_count", C, "Number of XID errors.", F::MluCard, V::MluXidCount},
    ExporterMetric{"mlu_container", G, "1 allocated, 0 idle.", F::MluContainer, V::MluContainer},
    ExporterMetric{"mlu_machine_mlu_nums", G, "Number of MLUs of the machine.", F::MluNode, V::MluCount},
    ExporterMetric{"mlu_allocated", G, "Number of allocated MLUs.", F::MluNode, V::MluAllocated},

    ExporterMetric{"up", G, "", F::Target, V::Up},
    ExporterMetric{"scrape_duration_seconds", G, "", F::Target, V::ScrapeDuration},
    ExporterMetric{"kube_node_info", G, "Information about a cluster node.", F::KubeNode, V::One},
    ExporterMetric{"kube_node_labels", G, "Kubernetes labels converted to Prometheus labels.", F::KubeNode,
                   V::One},
    ExporterMetric{"kube_node_spec_unschedulable", G, "Whether a node can schedule new pods.", F::KubeNode,
                   V::Unschedulable},
    ExporterMetric{"kube_node_status_capacity", G, "The total amount of resources available for a node.",
                   F::KubeNodeResource, V::Capacity},
    ExporterMetric{"kube_node_status_allocatable", G, "The allocatable resources of a node.",
                   F::KubeNodeResource, V::Allocatable},
    ExporterMetric{"kube_node_status_condition", G, "The condition of a cluster node.", F::KubeNodeCondition,
                   V::Condition},
    ExporterMetric{"kube_pod_info", G, "Information about pod.", F::KubePod, V::One},
    ExporterMetric{"kube_pod_labels", G, "Kubernetes labels converted to Prometheus labels.", F::KubePod,
                   V::One},
    ExporterMetric{"kube_pod_container_status_restarts_total", C, "The number of container restarts.",
                   F::KubePod, V::Zero},
    ExporterMetric{"kube_pod_status_phase", G, "The pods current phase.", F::KubePodPhase, V::PodPhase},
    ExporterMetric{"kube_pod_container_resource_requests", G,
                   "The number of requested resources by a container.", F::KubePodRequest, V::PodRequest},
};

} // namespace

std::span<const ExporterMetric> exporterMetrics()
{
    return exporterTable;
}

} // namespace tongchi
