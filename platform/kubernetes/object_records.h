#pragma once

#include "platform/core/clock.h"
#include "platform/core/quantity.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// What the console keeps of Kubernetes objects. Records are filled by the parsers straight from the bytes of
// one list element or watch event, are reused from one object to the next, and are only lent to their sink:
// copy what is needed. Strings are UTF-8 as sent by the server. A field that was null, absent or of the wrong
// kind is empty or nullopt.

namespace tongchi {

using StringPairs = std::vector<std::pair<std::string, std::string>>;

struct ObjectKey
{
    std::string nameSpace; ///< empty for cluster-scoped objects
    std::string name;
    std::string uid;
};

enum class ConditionStatus : std::uint8_t { Missing, True, False, Unknown };

struct TaintRecord
{
    std::string key, value, effect; ///< NoSchedule, PreferNoSchedule, NoExecute
};

/// One entry of status.capacity and status.allocatable that may be a card: every name with a domain except
/// hugepages and the like ("example.com/thing" stays, unknown or not).
struct ResourceAmount
{
    std::string name;
    std::optional<Quantity> capacity; ///< nullopt: absent, unreadable or negative; see the raw texts
    std::optional<Quantity> allocatable;
    std::string rawCapacity, rawAllocatable;
};

struct NodeRecord
{
    ObjectKey key;
    std::string resourceVersion;
    std::optional<Instant> created;
    StringPairs labels;      ///< all of them; at most 64 KiB in all
    StringPairs annotations; ///< all but kubectl's last-applied; one value is cut at 256 KiB
    bool unschedulable = false;
    std::vector<TaintRecord> taints;
    ConditionStatus ready = ConditionStatus::Missing;
    std::string readyReason;
    std::vector<std::string> pressures; ///< conditions other than Ready that are True (DiskPressure, ...)
    std::vector<ResourceAmount> resources;
    std::vector<std::string> addresses; ///< InternalIP and Hostname, for joins with exporters
    std::string kubeletVersion, operatingSystem, architecture;
};

enum class PodPhase : std::uint8_t { Unknown, Pending, Running, Succeeded, Failed };

struct PodRecord
{
    ObjectKey key;
    std::string resourceVersion;
    std::string node; ///< empty: not bound
    PodPhase phase = PodPhase::Unknown;
    bool terminating = false;         ///< metadata.deletionTimestamp is set
    std::string businessLabel;        ///< label tongchi.io/business
    std::string ownerKind, ownerName; ///< controller among ownerReferences
    std::string appName;              ///< label app.kubernetes.io/name, else app
    StringPairs cardAnnotations; ///< hami.io/*, huawei.com/*, CAMBRICON_*, ascend.kubectl.kubernetes.io/*,
                                 ///< ... that say which card
    /// Requests of domain-qualified resources: per resource the larger of the largest init container (with
    /// the sidecars started before it) and the sum of the containers and sidecars. Limits stand in where
    /// requests are absent.
    std::vector<std::pair<std::string, std::int64_t>> requests;
    std::vector<std::string> claims;           ///< names of ResourceClaims in its namespace
                                               ///< (status.resourceClaimStatuses, spec.resourceClaims)
    std::vector<std::string> unhealthyDevices; ///< Unhealthy resourceIDs of allocatedResourcesStatus

    /// Finished pods and pods without a node hold nothing.
    bool holdsCards() const
    {
        return !node.empty() && phase != PodPhase::Succeeded && phase != PodPhase::Failed;
    }
};

struct DeviceTaint
{
    std::string key, value, effect;
};

/// One device of a ResourceSlice, all API versions alike.
struct DeviceRecord
{
    std::string name;
    std::string node;       ///< own nodeName, else the slice's
    StringPairs attributes; ///< name without the driver's own domain -> text form of whichever kind it had
    std::vector<std::pair<std::string, Quantity>> capacity;
    std::vector<DeviceTaint> taints;
    std::vector<std::string> counterSets; ///< sets it consumes counters from

    std::string_view attribute(std::string_view name_) const
    {
        for (const auto &[key, value] : attributes) {
            if (key == name_)
                return value;
        }
        return {};
    }
};

struct ResourceSliceRecord
{
    ObjectKey key;
    std::string resourceVersion;
    std::string driver, node, pool;
    std::int64_t poolGeneration = 0;
    std::int64_t poolSliceCount = 1;
    std::vector<DeviceRecord> devices;
};

struct ClaimResult
{
    std::string driver, pool, device, request;
    bool adminAccess = false;
};

struct ResourceClaimRecord
{
    ObjectKey key;
    std::string resourceVersion;
    std::vector<ClaimResult> results;
    std::vector<std::string> reservedForPods; ///< names in the claim's namespace
};

/// ConfigMap mindx-dl-deviceinfo-<node> or cluster-info-device-<n>, its three levels of text undone.
struct AscendDeviceInfo
{
    std::string node;
    std::optional<Instant> updated;
    std::vector<std::string> unhealthy; ///< "Ascend910-4"
    std::vector<std::string> networkUnhealthy;
    StringPairs faults; ///< card name -> "80E18005 RestartNPU"
};

struct AscendDeviceInfoRecord
{
    ObjectKey key;
    std::string resourceVersion;
    std::vector<AscendDeviceInfo> nodes;
};

/// An object that could not be read; it is counted and named, and disturbs nothing else.
struct UnreadableObject
{
    ObjectKey key;        ///< whatever could be found of it
    std::string reason;   ///< English, technical
    bool damaged = false; ///< no server has written it so: it is no JSON
};

} // namespace tongchi
