#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// What HAMi writes into annotations (facts: inventory-and-telemetry 3.5, 3.7). Pure functions over text from
// outside.

namespace tongchi {

/// One entry of a node's register.
struct HamiDevice
{
    std::string id;                        ///< "GPU-...", VDIE id or whatever the vendor has
    std::string type;                      ///< model as HAMi spells it
    std::string mode;                      ///< "hami-core", "mig", "mps"; may be empty
    std::uint32_t index = 0;               ///< in text of seven fields: counted
    std::int64_t count = 0;                ///< tasks that may share it
    std::optional<std::int64_t> memoryMiB; ///< after scaling
    std::optional<std::int64_t> cores;     ///< per cent (NVIDIA) or AI cores (Ascend)
    std::optional<int> numa;
    bool healthy = false;
    std::optional<std::int64_t> networkId; ///< custominfo.NetworkID
    bool operator==(const HamiDevice &) const = default;
};

struct HamiRegister
{
    std::vector<HamiDevice> devices;
    std::vector<std::string> unreadable; ///< entries that fit no form, as they were (cut at 256 bytes)
};

/// Text of seven to nine fields an entry, or JSON. Never fails: what cannot be read is listed.
HamiRegister parseHamiRegister(std::string_view text);

/// One device of a pod's "...-devices-allocated".
struct HamiAllocation
{
    std::string id; ///< without the "[template-slot]" of older dynamic MIG
    std::int64_t memoryMiB = 0;
    std::int64_t cores = 0;
    bool operator==(const HamiAllocation &) const = default;
};

/// All containers together; pieces that fit no form are left out.
std::vector<HamiAllocation> parseHamiAllocations(std::string_view text);

/// Ascend pods also carry huawei.com/Ascend910B3 = [{"UUID","temp","memory","core"}].
struct HamiTemplateUse
{
    std::string id;
    std::string profile; ///< "vir10_3c_32g"; empty: the whole card
    std::int64_t memoryMiB = 0;
};
std::vector<HamiTemplateUse> parseHamiTemplates(std::string_view json);

/// A value of hami.io/node-handshake*.
enum class HamiHandshake : std::uint8_t { Missing, Requesting, Reported, Deleted };
HamiHandshake parseHamiHandshake(std::string_view text);

} // namespace tongchi
