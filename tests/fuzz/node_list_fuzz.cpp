#include "platform/kubernetes/node_parser.h"
#include "tests/fuzz/list_fuzz.h"

// Any bytes as a list of nodes and as one of them.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    tongchi::fuzz::readList<tongchi::NodeRecord, tongchi::NodeParser>(data, size);
    return 0;
}
