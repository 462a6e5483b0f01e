// HAMi's registers, allocations, templates and handshakes: text that any node or pod may carry.

#include "platform/inventory/hami_text.h"

#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    const std::string_view text(reinterpret_cast<const char *>(data), size);
    const tongchi::HamiRegister parsed = tongchi::parseHamiRegister(text);
    if (parsed.devices.size() + parsed.unreadable.size() > 4096)
        std::abort();
    for (const tongchi::HamiDevice &device : parsed.devices) {
        if (device.id.empty() || device.index > 65535)
            std::abort();
    }
    for (const tongchi::HamiAllocation &allocation : tongchi::parseHamiAllocations(text)) {
        if (allocation.id.empty())
            std::abort();
    }
    (void)tongchi::parseHamiTemplates(text);
    (void)tongchi::parseHamiHandshake(text);
    return 0;
}
