// Amounts of resources, as any node or pod may carry them.

#include "platform/core/quantity.h"

#include <cstdlib>
#include <string>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    using tongchi::Quantity;
    const std::string_view text(reinterpret_cast<const char *>(data), size);
    const auto parsed = Quantity::parse(text);
    if (!parsed)
        return 0;
    const int nanos = parsed->nanos();
    if (nanos <= -1'000'000'000 || nanos >= 1'000'000'000)
        std::abort();
    if ((parsed->units() > 0 && nanos < 0) || (parsed->units() < 0 && nanos > 0))
        std::abort(); // two signs in one number
    if (parsed->roundedUp() < parsed->units())
        std::abort();
    // The whole part written out is the same number.
    const auto again = Quantity::parse(std::to_string(parsed->units()));
    if (!again || again->units() != parsed->units() || again->nanos() != 0)
        std::abort();
    return 0;
}
