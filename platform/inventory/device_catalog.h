#pragma once

#include "platform/core/result.h"
#include "platform/inventory/card_values.h"

#include <QByteArray>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace tongchi {

/// What the amount of an extended resource counts.
enum class ResourceKind : std::uint8_t {
    Cards,      ///< physical cards, or shares of them where a register or label says so
    Shares,     ///< shares of cards that another source counts
    Slices,     ///< MIG devices, vNPU templates and the like
    Hundredths, ///< hundredths of a card (cambricon vcore)
    Count,      ///< the number of physical cards, not lent itself (cambricon.com/real-mlu-counts)
    Unknown,    ///< nobody we know; shown as cards under its own name
    Ignored,    ///< memory, cores, network, ...: no card
};

/// A resource name, understood.
struct ResourceMeaning
{
    ResourceKind kind = ResourceKind::Ignored;
    Vendor vendor = Vendor::Other;
    std::string vendorName; ///< JSON vendor key; of an unknown one its domain
    std::string profile;    ///< slices: "1g.10gb", "10c.3cpu.32g"
    std::string model;      ///< what to call its cards where nothing else names them; may be empty
};

/// A reported model name, taken apart.
struct CardModelName
{
    std::string model;    ///< "H100", "Ascend 910B", "MLU370-X8"
    std::string variant;  ///< "SXM5-80GB", "910B3"
    std::string reported; ///< the one spelling of what was reported: "H100 80GB HBM3"
};

/// Vendors, resources, register annotations and models, from a data file (resources/data/accelerators.json),
/// so that another vendor is a line there. Immutable and thread-safe after loading.
class DeviceCatalog
{
public:
    /// The file that is compiled in. Its correctness is tested, so there is no failure to handle.
    static DeviceCatalog builtIn();
    [[nodiscard]] static Result<DeviceCatalog> fromJson(const QByteArray &json);

    ResourceMeaning meaningOf(std::string_view resource) const;

    struct Owner
    {
        Vendor vendor = Vendor::Other;
        std::string vendorName;
        std::string model; ///< general name of its cards
    };
    /// The vendor that writes this HAMi (or own) register annotation on nodes; null: no register.
    const Owner *registerOwner(std::string_view annotation) const;
    /// The vendor of a DRA driver; an unknown one by its name. Nothing for drivers of networks and the like.
    std::optional<Owner> driverOwner(std::string_view driver) const;
    /// True for the domains of accelerator vendors, for instance the key of a taint "nvidia.com/gpu".
    bool isAcceleratorKey(std::string_view key) const;

    /// `reported` in any of the spellings of drivers, labels and registers.
    CardModelName modelName(Vendor vendor, std::string_view vendorName, std::string_view reported) const;
    /// Marketed memory sizes of a short model name, MiB; empty: unknown.
    std::span<const std::int64_t> memoryMiB(std::string_view model) const;
    /// Memory of an Ascend chip ("910B3"), MiB.
    std::optional<std::int64_t> ascendMemoryMiB(std::string_view chip) const;

private:
    struct Rule
    {
        std::string pattern;
        ResourceKind kind = ResourceKind::Ignored;
        std::string profileAfter;
        std::string modelPattern;
    };
    struct VendorEntry
    {
        Owner owner;
        std::vector<std::string> domains, words, dropped, registers, drivers;
        std::vector<Rule> rules;
    };
    struct ModelEntry
    {
        std::vector<std::int64_t> memoryMiB;
        std::vector<std::pair<std::string, std::string>> variants;
    };
    struct AscendChip
    {
        std::string chip, model, variant;
        std::optional<std::int64_t> memoryMiB;
    };

    const VendorEntry *vendorOfDomain(std::string_view domain) const;
    const AscendChip *ascendChip(std::string_view name) const;
    CardModelName ascendModelName(std::string_view reported) const;
    bool isKnownNonAccelerator(std::string_view resource) const;

    std::vector<VendorEntry> m_vendors;
    std::vector<std::string> m_notAccelerators, m_notAcceleratorWords, m_notAcceleratorDrivers;
    std::unordered_map<std::string, ModelEntry> m_models;
    std::vector<AscendChip> m_ascend;
};

/// Glob with * and ?; case matters.
bool matchesGlob(std::string_view text, std::string_view pattern);

} // namespace tongchi
