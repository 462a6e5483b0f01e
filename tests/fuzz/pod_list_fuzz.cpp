#include "platform/kubernetes/pod_parser.h"
#include "tests/fuzz/list_fuzz.h"

// Any bytes as a list of pods and as one of them.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    tongchi::fuzz::readList<tongchi::PodRecord, tongchi::PodParser>(data, size);
    return 0;
}
