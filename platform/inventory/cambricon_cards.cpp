#include "platform/inventory/node_draft.h"

#include <algorithm>

namespace tongchi {
namespace {

/// "cambricon.com/mlu370.smlu.vcore" -> "MLU370"; the untyped "mlu" says nothing.
std::string typeFromResource(std::string_view resource)
{
    std::string_view type = resource.substr(std::min(resource.find('/') + 1, resource.size()));
    type = type.substr(0, type.find('.'));
    if (type.size() <= 3 || !type.starts_with("mlu"))
        return {};
    return "MLU" + std::string(type.substr(3));
}

/// HAMi registers vmemory in units of 256 MiB; the vendor's plug-in in hundredths of a card, which name no
/// memory.
std::optional<std::int64_t> memoryFromUnits(const NodeReading &node, std::uint32_t cards,
                                            std::string_view model)
{
    const auto sizes = node.catalog().memoryMiB(model);
    for (const auto &resource : node.resources()) {
        const std::string &name = resource.amount->name;
        if (!name.starts_with("cambricon.com/") || !name.ends_with(".smlu.vmemory") || !resource.readable ||
            cards == 0)
            continue;
        const std::int64_t perCard = std::int64_t(resource.capacity) / cards;
        const bool fits = std::any_of(sizes.begin(), sizes.end(), [&](std::int64_t size) {
            return perCard * 256 >= size * 9 / 10 && perCard * 256 <= size * 102 / 100;
        });
        if (perCard != 100 && fits)
            return perCard * 256;
    }
    return std::nullopt;
}

} // namespace

void addCambriconCards(const NodeReading &node, NodeDraft &draft)
{
    if (hasCardsOf(draft, Vendor::Cambricon))
        return;
    const std::uint32_t real = node.units(Vendor::Cambricon, ResourceKind::Count);
    const std::uint32_t whole = node.units(Vendor::Cambricon, ResourceKind::Cards);
    const std::uint32_t hundredths = node.units(Vendor::Cambricon, ResourceKind::Hundredths);
    const std::uint32_t shares = node.units(Vendor::Cambricon, ResourceKind::Shares);
    const std::uint32_t slices = node.units(Vendor::Cambricon, ResourceKind::Slices);
    const std::uint32_t others = node.units(Vendor::Cambricon, ResourceKind::Unknown);
    std::uint32_t cards = real;
    if (cards == 0)
        cards = whole + (hundredths + 99) / 100;
    if (cards == 0)
        cards = others;
    if (cards == 0) {
        if (shares + slices > 0)
            draft.notes.push_back("cambricon.com: only shares are reported, not how many cards there are");
        return;
    }
    CardRecord pattern{
        .vendor = Vendor::Cambricon, .vendorName = node.intern("cambricon"), .sources = CardSource::Capacity};
    const std::string_view labelled = node.label("Model");
    std::string type;
    for (const auto &resource : node.resources()) {
        const bool counts = resource.meaning.vendor == Vendor::Cambricon && resource.capacity > 0;
        if (!counts || resource.meaning.kind == ResourceKind::Ignored)
            continue;
        if (type.empty())
            type = typeFromResource(resource.amount->name);
        if (pattern.resource == 0 && resource.meaning.kind != ResourceKind::Count)
            pattern.resource = node.intern(resource.amount->name);
    }
    if (labelled.starts_with("MLU")) {
        node.nameModel(pattern, labelled, "label Model");
        pattern.sources |= CardSource::VendorLabels;
    } else {
        node.nameModel(pattern, type, "name of the resource");
    }
    if (labelled.starts_with("MLU"))
        pattern.driver =
            node.intern(node.label("DriverVersion")); // without a prefix: only ours beside the Model
    if (const auto memory = memoryFromUnits(node, cards, node.pool().utf8(pattern.model))) {
        pattern.memoryBytes = *memory * bytesPerMiB;
        pattern.memorySource = node.intern("cambricon.com/mlu.smlu.vmemory");
    }
    if (shares >= 2 * cards)
        pattern.shares = std::uint16_t(std::min(shares / cards, 65535u));
    // An MLU370-X8 is two chips on one card; plug-ins that number chips offer twice as many as there are
    // cards.
    const bool chips = real > 0 && whole == 2 * real;
    addAlikeCards(draft, pattern, cards, chips ? 2 : 1);
}

} // namespace tongchi
