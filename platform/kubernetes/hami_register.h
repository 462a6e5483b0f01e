#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// What HAMi's device plugins and its scheduler write into annotations (source: Project-HAMi/HAMi pkg/device/devices.go,
// docs/develop/protocol.md; forms differ between versions). Pure functions of text.

namespace tongchi {

/// One card of a node's register, as written.
struct HamiDevice
{
    std::string id;
    std::optional<std::int64_t> index; ///< number on the node; the oldest form has none: count the entries
    std::int64_t count = 0;            ///< how many tasks may share it; not a number of cards
    std::int64_t devmemMiB = 0;        ///< after over-subscription
    std::int64_t devcore = 0;          ///< per cent, or AI cores of an Ascend
    std::string type;                  ///< model as written; see modelName()
    std::int64_t numa = 0;
    std::optional<bool> health;        ///< the JSON form leaves out false, so there it is never absent
    std::string mode;                  ///< hami-core, mig, mps; empty: not said
    std::string raw;
};

struct HamiRegister
{
    std::vector<HamiDevice> devices;
    std::vector<std::string> unreadable; ///< entries that could not be read, as written (at most 4 KiB each)
    bool json = false;                   ///< the newer form
};

/// Reads both forms of hami.io/node-*-register; keeps its buffers. An entry that cannot be read is kept raw, one card
/// of which nothing is known; it never makes the others disappear.
class HamiRegisterParser
{
public:
    HamiRegisterParser();
    ~HamiRegisterParser();
    HamiRegister parse(std::string_view text);

private:
    struct Private;
    std::unique_ptr<Private> d;
};

/// The same for a single call.
HamiRegister parseHamiRegister(std::string_view text);

/// A register annotation's name taken apart: hami.io/node-nvidia-register, hami.io/node-register-Ascend910B3, ...
struct HamiRegisterKey
{
    std::string word;      ///< "nvidia", "Ascend910B3", "dcu"
    std::string handshake; ///< the annotation with the handshake of the same cards
};
std::optional<HamiRegisterKey> hamiRegisterKey(std::string_view annotation);

enum class HamiHandshakeState : std::uint8_t { Requesting, Reported, Deleted, Unknown };

/// Its stamp has no time zone and may be off on purpose: how old a mark is counts from when it was first seen.
struct HamiHandshake
{
    HamiHandshakeState state = HamiHandshakeState::Unknown;
    std::string stamp; ///< as written
};
HamiHandshake parseHamiHandshake(std::string_view text);

/// One card (or part of one) that a container of a pod was given.
struct HamiAllocation
{
    std::string id;          ///< of the card; a MIG suffix is cut off
    std::string migSlot;     ///< "7-9" of "GPU-...[7-9]"; empty: none
    std::string type;
    std::int64_t memoryMiB = 0;
    std::int64_t cores = 0;
};

struct HamiAllocations
{
    /// By container: init containers first, then containers, in the order of the spec; empty ones keep their place.
    std::vector<std::vector<HamiAllocation>> containers;
    std::vector<std::string> unreadable;
};

/// The value of hami.io/*-devices-allocated.
HamiAllocations parseHamiAllocations(std::string_view text);
/// "vgpu" of hami.io/vgpu-devices-allocated; nothing for other annotations.
std::optional<std::string> hamiAllocationWord(std::string_view annotation);

/// A model as it is shown: without the maker that some versions put in front once or twice ("NVIDIA-NVIDIA H100 80GB
/// HBM3" is "H100 80GB HBM3").
std::string modelName(std::string_view type);
/// What two spellings of one model have in common ("A100-SXM4-80GB" and "a100 sxm4 80gb").
std::string modelKey(std::string_view type);

} // namespace tongchi
