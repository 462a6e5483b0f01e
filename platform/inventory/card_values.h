#pragma once

#include "platform/core/clock.h"
#include "platform/core/string_pool.h"

#include <QFlags>
#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tongchi {

enum class Vendor : std::uint8_t { Nvidia, Ascend, Cambricon, Other };

/// As the sources say it; what the table shows beside it (hot, offline, cordoned) is condition().
enum class CardHealth : std::uint8_t { NotReported, Healthy, Unhealthy };

/// What runs on a card now, from its pods (both kinds: Mixed; none: Idle). Unknown where no source says which
/// card of the node a pod has. On a node: what it is kept for, Unknown when the label is not set.
enum class BusinessLabel : std::uint8_t { Unknown, Idle, Inference, Training, Mixed };

/// Why a node takes no new work; the strongest reason.
enum class NodeUsability : std::uint8_t { Usable, Cordoned, Tainted, NotReady, NoContact };

/// Where facts about a card came from (JSON "sources").
enum class CardSource : std::uint8_t {
    Dra = 1,
    Hami = 2,
    VendorLabels = 4,
    Capacity = 8,
    DeviceInfo = 16,
    Exporter = 32
};
Q_DECLARE_FLAGS(CardSources, CardSource)

/// Marks on a card that the operator should see explained (JSON "flags" carries flagName()).
enum class CardFlag : std::uint32_t {
    SameUuidElsewhere = 1 << 0, ///< same UUID on another node
    LabelDiffers = 1 << 1,      ///< runs something else than its node is kept for
    MoreHeldThanAllocatable = 1 << 2,
    Withdrawn = 1 << 3,         ///< its node offers fewer cards than it has
    RegistrationStale = 1 << 4, ///< HAMi handshake says the plug-in is gone
    RegistrationUnreadable = 1 << 5,
    MemoryScaled = 1 << 6, ///< only an over-subscribed figure is known
    SeveralExporters = 1 << 7,
    ModelsDiffer = 1 << 8, ///< sources name different models
    MemoryDiffers = 1 << 9,
    HealthDiffers = 1 << 10,    ///< Kubernetes lends it, another source calls it faulty
    DeviceTaint = 1 << 11,      ///< DRA taint on the device
    OutOfService = 1 << 12,     ///< taken out by hand (DeviceTaintRule, hami.io/device-cordon)
    AmountUnreadable = 1 << 13, ///< capacity of its node could not be read
    ErrorReported = 1 << 14,    ///< XID or error code; may be long past
    ClockSkewed = 1 << 15,      ///< its exporter's clock and ours differ by 30 s or more
};
Q_DECLARE_FLAGS(CardFlags, CardFlag)

/// Stable lower-case names for JSON and the filter ("same_uuid_elsewhere").
const char *flagName(CardFlag flag);
const char *vendorKey(Vendor vendor);      ///< "nvidia", "huawei", "cambricon", "other"
const char *labelKey(BusinessLabel label); ///< "inference", ...; Unknown: ""
const char *healthKey(CardHealth health);  ///< "healthy", "unhealthy", "not_reported"
const char *usabilityKey(NodeUsability usability);

/// A card's UUID in 20 bytes: a prefix ("GPU-") and sixteen bytes for the usual form, else one interned
/// string. The text comes back exactly as it was given.
class CardUuid
{
public:
    CardUuid() = default;
    static CardUuid fromText(std::string_view text, StringPool &pool);
    bool isEmpty() const { return m_text == 0 && m_form == Interned; }
    std::string toText(const StringPool &pool) const;
    bool operator==(const CardUuid &) const = default;
    std::size_t hash() const;

    /// Writes sixteen bytes as 8-4-4-4-12 in lower case: hexLength characters.
    static constexpr std::size_t hexLength = 36;
    static void writeHex(const std::array<std::uint8_t, 16> &bytes, char *to);
    /// Longest prefix plus 8-4-4-4-12; what lowerCaseInto() may write.
    static constexpr std::size_t longestBinaryText = 16 + 36;
    /// Writes the text in lower case and returns its length; 0: not of the usual form, use toText().
    std::size_t lowerCaseInto(char (&to)[longestBinaryText], const StringPool &pool) const;
    /// Interned part: the prefix, or all of it where isBinary() is false.
    StringId textPart() const { return m_text; }
    bool isBinary() const { return m_form != Interned; }
    const std::array<std::uint8_t, 16> &bytes() const { return m_bytes; } ///< zero where isBinary() is false

    /// For storing it in two halves: what the UUIDs of many cards share, and sixteen bytes of its own.
    struct Halves
    {
        std::uint32_t shared = 0;
        std::array<std::uint8_t, 16> own{};
    };
    Halves halves() const;
    static CardUuid fromHalves(const Halves &halves);

private:
    enum Form : std::uint32_t { Interned, LowerCase, UpperCase };
    std::uint32_t m_text : 30 = 0;
    std::uint32_t m_form : 2 = Interned;
    std::array<std::uint8_t, 16> m_bytes{};
};
static_assert(sizeof(CardUuid) == 20);

/// A part of a physical card that Kubernetes lends on its own: MIG or vNPU or sMLU instance, chip, or shares.
struct CardSlice
{
    StringId name = 0;
    StringId kind = 0;    ///< "mig", "vnpu", "smlu", "chip", "share"
    StringId profile = 0; ///< "1g.10gb", "vir10_3c_32g"
    std::optional<std::int64_t> memoryBytes;
    StringId workload = 0; ///< "namespace/pod"
    bool operator==(const CardSlice &) const = default;
};

/// One physical card as the assembler hands it over. Everything textual is interned.
struct CardRecord
{
    std::uint32_t ordinal =
        0;                  ///< number of the card within its cluster, stable while it exists, reused later
    std::uint16_t slot = 0; ///< within (node, vendor)
    Vendor vendor = Vendor::Other;
    StringId vendorName = 0;    ///< JSON vendor key; for Other the domain or word of the data file
    StringId model = 0;         ///< short name: "H100", "Ascend 910B"; an unknown resource: its name
    StringId variant = 0;       ///< "SXM5-80GB", "910B3"
    StringId modelReported = 0; ///< as the source spells it
    CardUuid uuid;
    std::optional<std::int64_t> memoryBytes; ///< the card's own, never scaled
    std::optional<std::int8_t> numaNode;
    CardHealth health = CardHealth::NotReported;
    StringId healthReason = 0;
    BusinessLabel label = BusinessLabel::Unknown;
    CardSources sources;
    CardFlags flags;
    std::uint16_t shares = 1; ///< how many tasks may share it; 1: not shared
    std::vector<CardSlice> slices;
    std::vector<StringId> pods;      ///< "namespace/pod"
    std::vector<StringId> workloads; ///< owners' names, without repeats
    StringId driver = 0;
    StringId resource = 0;   ///< "nvidia.com/gpu"
    StringId linkDomain = 0; ///< NVLink clique, HCCS group, super node
    StringId memorySource = 0, healthSource = 0,
             modelSource = 0; ///< "label nvidia.com/gpu.memory", "hami.io/node-nvidia-register devmem", ...
};

/// A node and its counts. Withdrawn, held and free as in the operator's arithmetic: cards = larger of
/// capacity and allocatable; withdrawn = capacity - allocatable; free = allocatable - held, never below zero.
struct NodeFacts
{
    StringId name = 0, uid = 0, region = 0, zone = 0;
    StringId resourceVersion = 0; ///< not interned for comparing, only for guarded patches
    NodeUsability usability = NodeUsability::Usable;
    StringId usabilityReason = 0; ///< taint key, condition reason
    bool unschedulable = false;
    BusinessLabel businessLabel = BusinessLabel::Unknown;
    std::uint16_t cards = 0, withdrawn = 0, held = 0, free = 0;
    StringId note = 0; ///< "registration could not be read: ...", English; empty: nothing to say
    StringId kubeletVersion = 0;
};

constexpr float notReported = std::numeric_limits<float>::quiet_NaN();

/// What an exporter said of one card at one time. NaN is "not reported"; sentinels are gone already.
struct TelemetryRecord
{
    std::uint32_t ordinal = 0;
    float utilizationPercent = notReported;
    float memoryUsedBytes = notReported;
    float memoryTotalBytes = notReported;
    float temperatureCelsius = notReported;
    float powerWatts = notReported;
    CardHealth health = CardHealth::NotReported;
    std::uint8_t source = 0; ///< index into the table of telemetry sources (MetricCatalog)
    bool severalExporters = false;
    bool errorReported = false;
    Instant sampledAt{}; ///< by the source's clock, moved to ours by the measured skew
};

} // namespace tongchi

Q_DECLARE_OPERATORS_FOR_FLAGS(tongchi::CardSources)
Q_DECLARE_OPERATORS_FOR_FLAGS(tongchi::CardFlags)
