#pragma once

#include "platform/simulator/fleet_card_model.h"

#include <cstdint>

namespace tongchi {

/// Something a team runs. Names of open models are real, teams and jobs are invented.
struct WorkloadKind
{
    enum class Owner : quint8 { Deployment, StatefulSet, Job };
    const char *name;
    const char *nameSpace;
    const char *image;
    const char *team;
    Business business; ///< Inference or Training
    Owner owner;
    int memoryGiB;  ///< of card memory it wants; decides on which cards it is placed
    int wholeCards; ///< cards a pod takes on a node whose cards are not shared; 8: the whole node
};

int workloadCount();
const WorkloadKind &workloadKind(int index);

/// The workload for a seat of `business` with that much card memory; a pure function of the hash.
int pickWorkload(Business business, int memoryGiB, bool sharedCard, std::uint64_t hash);

} // namespace tongchi
