// Queries that anybody may send to the simulated Prometheus.

#include "platform/simulator/promql_parser.h"

#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    using namespace tongchi;
    const std::string_view text(reinterpret_cast<const char *>(data), size);
    std::string error;
    const auto expression = parsePromql(text, error);
    if (!expression && error.empty())
        std::abort(); // refused without a word
    std::vector<PromMatcher> matchers;
    error.clear();
    if (!parsePromSelector(text, matchers, error) && error.empty())
        std::abort();
    return 0;
}
