#pragma once

#include "platform/inventory/card_identities.h"
#include "platform/inventory/device_catalog.h"
#include "platform/inventory/inventory_delta.h"
#include "platform/kubernetes/object_records.h"
#include "platform/kubernetes/resource_sink.h"

#include <functional>
#include <memory>
#include <optional>

namespace tongchi {

struct ResolvedPod;

/// Makes cards out of one cluster's Nodes, Pods, ResourceSlices, ResourceClaims and Ascend's ConfigMaps, and
/// hands over what changed. Lives in the cluster's thread. Rules: facts/inventory-and-telemetry section 3.
///
/// A node is handed over while it has a card or a note to tell; one that has neither any more is named among
/// the removed. Nodes without accelerators and without a note are never mentioned.
class CardAssembler final : public CardIdentities
{
public:
    CardAssembler(StringPool &pool, const DeviceCatalog &catalog, const Clock &clock);
    ~CardAssembler() override;

    ResourceSink<NodeRecord> &nodes();
    ResourceSink<PodRecord> &pods();
    /// The same for pods that another thread has resolved against the same pool and catalog.
    ResourceSink<ResolvedPod> &resolvedPods();
    ResourceSink<ResourceSliceRecord> &slices();
    ResourceSink<ResourceClaimRecord> &claims();
    ResourceSink<AscendDeviceInfoRecord> &deviceInfo();

    /// Called with the states that the five sinks are told, by resource: "nodes", "pods", "resourceslices",
    /// "resourceclaims", "configmaps".
    void onState(std::function<void(std::string_view resource, const WatchState &)> callback);
    /// Objects that could not be read since the last list of their resource began, newest last; at most 100
    /// are kept.
    struct Unreadable
    {
        std::int64_t count = 0;
        std::vector<UnreadableObject> objects;
    };
    const Unreadable &unreadableNodes() const;
    const Unreadable &unreadablePods() const;

    /// Exporters name the pod on a card where the API server does not say which card a pod has. Between
    /// beginning and end of a round every attachment is told again; one that is not told is dropped at the
    /// end.
    void beginAttachments();
    void attachFromTelemetry(std::uint32_t ordinal, std::string_view nameSpace, std::string_view pod);
    void endAttachments();

    bool hasChanges() const;
    /// Updates of at most so many changed nodes; nullopt: nothing changed. clusterId is left for the caller.
    std::optional<InventoryDelta> takeDelta(std::size_t nodeLimit);

    // CardIdentities
    std::span<const Match> byUuid(std::string_view uuid) const override;
    std::span<const Match> byVdieId(std::string_view vdieId) const override;
    Match bySlot(std::uint32_t node, Vendor vendor, std::uint32_t slot) const override;
    bool hasUuid(std::uint32_t ordinal) const override;
    std::uint32_t nodeByName(std::string_view name) const override;
    std::uint32_t nodeByHost(std::string_view host) const override;
    std::string_view nodeName(std::uint32_t node) const override;
    std::uint32_t cardCount() const override;

    /// Memory of what is kept of the cluster, strings apart.
    std::size_t bytes() const;

private:
    struct Private;
    std::unique_ptr<Private> d;
};

} // namespace tongchi
