#include "platform/kubernetes/ascend_info_parser.h"
#include "platform/kubernetes/resource_claim_parser.h"
#include "platform/kubernetes/resource_slice_parser.h"
#include "tests/fuzz/list_fuzz.h"

// Any bytes as lists of slices, claims and the Ascend plugin's ConfigMaps, and as one of each.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    using namespace tongchi;
    fuzz::readList<ResourceSliceRecord, ResourceSliceParser>(data, size);
    fuzz::readList<ResourceClaimRecord, ResourceClaimParser>(data, size);
    fuzz::readList<AscendDeviceInfoRecord, AscendInfoParser>(data, size);
    return 0;
}
