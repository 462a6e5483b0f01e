#pragma once

#include <QByteArray>
#include <QtGlobal>

namespace tongchi {

enum class CardModel : quint8 { H100, A100, Rtx4090, A10, T4, Ascend910B, Mlu370X8 };
enum class CardVendor : quint8 { Nvidia, Ascend, Cambricon };
enum class FleetRegion : quint8 { Beijing, Ulanqab, Guiyang, Shenzhen };
/// What runs on a card now; also the value of the pod label tongchi.io/business (except Mixed and Idle).
enum class Business : quint8 { Inference, Training, Mixed, Idle };

/// How a node's cards appear in Kubernetes (facts section 3).
enum class CardEncoding : quint8 {
    NvidiaLabels,        ///< device plugin, GPU Feature Discovery, product with leading NVIDIA-
    NvidiaLabelsShort,   ///< the same without leading NVIDIA-, old spelling of the driver labels
    TimeSlicing,         ///< replicas 4, nvidia.com/gpu not renamed, product -SHARED
    TimeSlicingRenamed,  ///< replicas 4, nvidia.com/gpu.shared
    Mps,                 ///< replicas 4, sharing-strategy mps
    MigSingle,           ///< seven 1g.10gb a card, offered as nvidia.com/gpu
    MigMixed,            ///< 3g.40gb + 2g.20gb + two 1g.10gb a card, offered by profile
    HamiText7,           ///< HAMi up to 2.4.1
    HamiText9,           ///< HAMi 2.5 to 2.7, memory scaled by 1.5, with GPU Feature Discovery
    HamiJson,            ///< HAMi from 2.8
    Dra,                 ///< ResourceSlice, whole cards
    DraMig,              ///< ResourceSlices with shared counters: whole cards and their possible MIG devices
    AscendPlugin,        ///< huawei.com/Ascend910, health in the device-info ConfigMap
    AscendStaticVnpu,    ///< two static vNPUs a card
    HamiAscend,          ///< register annotation, whole cards
    HamiAscendOld,       ///< the same under the word Ascend910B (HAMi 2.4 to 2.6)
    HamiAscendTemplates, ///< register annotation, two vir10 templates a card
    MluDefault,          ///< cambricon.com/mlu
    MluTyped,            ///< cambricon.com/mlu370
    MluDynamic,          ///< cambricon.com/mlu.smlu.vcore and .vmemory
};

/// Figures of a model (facts section 6). Power in watts, memory in MiB.
struct CardSpec
{
    CardModel model;
    CardVendor vendor;
    const char *nodeWord;     ///< in node names: "h100", "910b"
    const char *reportedName; ///< as the driver says: "NVIDIA A100-SXM4-80GB"
    const char *productLabel; ///< nvidia.com/gpu.product
    const char *family;
    int memoryMiB;
    double idleWatts;
    double peakWatts;
    double idleCelsius;
    double peakCelsius; ///< at full load in an ordinary slot
    int smClockMHz;
    int memoryClockMHz;
    bool profiling; ///< has DCGM_FI_PROF_* series
};

const CardSpec &cardSpec(CardModel model);

const char *regionName(FleetRegion region);   ///< "beijing": topology.kubernetes.io/region
const char *regionPrefix(FleetRegion region); ///< "bj": node names
const char *businessName(Business business);  ///< "inference"; Idle: ""

constexpr bool encodingSharesCards(CardEncoding encoding)
{
    switch (encoding) {
    case CardEncoding::TimeSlicing:
    case CardEncoding::TimeSlicingRenamed:
    case CardEncoding::Mps:
    case CardEncoding::MigSingle:
    case CardEncoding::MigMixed:
    case CardEncoding::HamiText7:
    case CardEncoding::HamiText9:
    case CardEncoding::HamiJson:
    case CardEncoding::DraMig:
    case CardEncoding::AscendStaticVnpu:
    case CardEncoding::HamiAscendTemplates:
    case CardEncoding::MluDynamic:
        return true;
    default:
        return false;
    }
}

} // namespace tongchi
