#pragma once

#include "platform/inventory/assembled_nodes.h"
#include "platform/kubernetes/object_records.h"

#include <functional>
#include <vector>

namespace tongchi {

/// What a pod says about the cards it has (facts 3.2, 3.3, 3.7): devices by annotations of HAMi, Ascend's
/// plug-in and Cambricon's, else units by its requests. `meaningOf` classifies resource names.
std::vector<Holding> readHoldings(const PodRecord &record, StringPool &pool,
                                  const std::function<const ResourceMeaning &(std::string_view)> &meaningOf);

/// Label tongchi.io/business; without it Jobs of any kind count as training, Deployments, ReplicaSets and
/// StatefulSets as inference, anything else as unknown.
BusinessLabel podBusiness(const PodRecord &record);
/// The owner's name (a ReplicaSet's without its hash), else the app label, else the pod's own name.
std::string_view podWorkload(const PodRecord &record);

} // namespace tongchi
