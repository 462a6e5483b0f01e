#include "platform/inventory/node_draft.h"

#define SIMDJSON_EXCEPTIONS 0
#include <simdjson.h>

#include <algorithm>

namespace tongchi {
namespace {

/// Physical numbers that the vendor's plug-in lists in baseDeviceInfos ({"Ascend910-0":{"IP":...},...}).
std::vector<std::uint16_t> listedNumbers(std::string_view baseDeviceInfos)
{
    std::vector<std::uint16_t> numbers;
    simdjson::dom::parser parser;
    simdjson::dom::object object;
    if (baseDeviceInfos.empty() || parser.parse(baseDeviceInfos.data(), baseDeviceInfos.size()).get(object))
        return numbers;
    for (const auto &[key, value] : object) {
        const auto number = wholeNumberOf(key.substr(std::min(key.rfind('-'), key.size() - 1) + 1));
        if (key.starts_with("Ascend") && number && *number >= 0 && *number < mostCardsOfANode)
            numbers.push_back(std::uint16_t(*number));
    }
    std::sort(numbers.begin(), numbers.end());
    numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
    return numbers;
}

/// "64G" -> 65536
std::optional<std::int64_t> chipMemoryMiB(std::string_view label)
{
    if (label.ends_with('G') || label.ends_with('g'))
        label.remove_suffix(1);
    const auto gigabytes = wholeNumberOf(label);
    return gigabytes && *gigabytes > 0 && *gigabytes < 4096 ? std::optional(*gigabytes * 1024) : std::nullopt;
}

/// Cards behind static vNPU templates ("10c.3cpu.32g"), by their AI cores; 20 is the least that a 910B has.
std::uint32_t cardsBehindTemplates(const NodeReading &node)
{
    double cards = 0;
    for (const auto &resource : node.resources()) {
        if (!resource.readable || resource.meaning.vendor != Vendor::Ascend ||
            resource.meaning.kind != ResourceKind::Slices)
            continue;
        const std::string_view profile = resource.meaning.profile;
        const auto cores = wholeNumberOf(profile.substr(0, std::min(profile.find('c'), profile.size())));
        const bool small = resource.amount->name.find("Ascend310P") != std::string::npos;
        if (cores && *cores > 0)
            cards += double(resource.capacity) * double(*cores) / (small ? 8 : 20);
    }
    return std::uint32_t(cards + 0.999);
}

std::string_view ascendNameOf(const NodeReading &node, std::string_view &source)
{
    if (const auto chip = node.label("node.kubernetes.io/npu.chip.name"); !chip.empty()) {
        source = "label node.kubernetes.io/npu.chip.name";
        return chip;
    }
    for (const ResourceKind kind : {ResourceKind::Cards, ResourceKind::Slices}) {
        for (const auto &resource : node.resources()) {
            if (resource.meaning.vendor != Vendor::Ascend || resource.meaning.kind != kind)
                continue;
            std::string_view name = resource.amount->name;
            name.remove_prefix(std::min(name.find('/') + 1, name.size()));
            source = "name of the resource";
            if (kind == ResourceKind::Slices)
                name = name.substr(0, name.find('-'));
            if (name.starts_with("Ascend"))
                return name;
        }
    }
    if (const auto accelerator = node.label("accelerator"); accelerator.starts_with("huawei-")) {
        source = "label accelerator";
        return accelerator.substr(7);
    }
    return {};
}

} // namespace

void addAscendCards(const NodeReading &node, NodeDraft &draft)
{
    const StringId driver = node.intern(node.label("huawei.com/driver.version"));
    const StringId superPod = node.annotation("superPodID").empty()
                                  ? 0
                                  : node.intern("super node " + std::string(node.annotation("superPodID")));
    if (hasCardsOf(draft, Vendor::Ascend)) {
        for (DraftCard &card : draft.cards) {
            if (card.record.vendor != Vendor::Ascend)
                continue;
            if (driver)
                card.record.sources |= CardSource::VendorLabels;
            card.record.driver = driver;
            if (card.record.linkDomain == 0)
                card.record.linkDomain = superPod;
        }
        return;
    }
    const std::uint32_t whole = node.units(Vendor::Ascend, ResourceKind::Cards);
    const std::uint32_t templates = node.units(Vendor::Ascend, ResourceKind::Slices);
    const std::uint32_t others = node.units(Vendor::Ascend, ResourceKind::Unknown);
    if (whole + templates + others == 0)
        return;
    bool registered = false;
    for (const auto &[key, value] : node.record().annotations) {
        const auto *owner = value.empty() ? nullptr : node.catalog().registerOwner(key);
        registered = registered || (owner && owner->vendor == Vendor::Ascend);
    }
    if (registered)
        return; // a register that nobody can read: the amounts may be shares

    CardRecord pattern{
        .vendor = Vendor::Ascend, .vendorName = node.intern("huawei"), .sources = CardSource::Capacity};
    std::string_view source;
    const std::string_view reported = ascendNameOf(node, source);
    const CardModelName name = node.nameModel(pattern, reported, source);
    if (source.starts_with("label"))
        pattern.sources |= CardSource::VendorLabels;
    if (const auto labelled = chipMemoryMiB(node.label("mind-cluster/npu-chip-memory"))) {
        pattern.memoryBytes = *labelled * bytesPerMiB;
        pattern.memorySource = node.intern("label mind-cluster/npu-chip-memory");
    } else if (const auto known = node.catalog().ascendMemoryMiB(name.variant)) {
        pattern.memoryBytes = *known * bytesPerMiB;
        pattern.memorySource = node.intern("model of the chip");
    }
    pattern.driver = driver;
    pattern.linkDomain = superPod;
    for (const ResourceKind kind : {ResourceKind::Cards, ResourceKind::Slices, ResourceKind::Unknown}) {
        const auto *resource = node.first(Vendor::Ascend, kind);
        if (resource && resource->capacity > 0 && pattern.resource == 0)
            pattern.resource = node.intern(resource->amount->name);
    }

    const std::vector<std::uint16_t> numbers = listedNumbers(node.annotation("baseDeviceInfos"));
    const std::uint32_t cards = whole + cardsBehindTemplates(node) + (whole + templates ? 0 : others);
    if (!numbers.empty() && numbers.size() >= whole) {
        for (const std::uint16_t number : numbers) {
            draft.cards.push_back({.record = pattern});
            draft.cards.back().record.slot = number;
        }
        return;
    }
    addAlikeCards(draft, pattern, cards);
}

} // namespace tongchi
