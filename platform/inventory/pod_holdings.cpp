#include "platform/inventory/pod_holdings.h"

#include "platform/inventory/hami_text.h"

#include <algorithm>

namespace tongchi {
namespace {

constexpr std::size_t mostHoldings = 1024;

std::string_view podAnnotation(const PodRecord &record, std::string_view key)
{
    for (const auto &[name, value] : record.cardAnnotations) {
        if (name == key)
            return value;
    }
    return {};
}

Vendor vendorOfAllocationKey(std::string_view key)
{
    if (key.starts_with("hami.io/vgpu-"))
        return Vendor::Nvidia;
    if (key.starts_with("hami.io/Ascend"))
        return Vendor::Ascend;
    return key.starts_with("hami.io/cambricon") ? Vendor::Cambricon : Vendor::Other;
}

/// HAMi makes up ids "{node}-cambricon-mlu-3" where the vendor registers none.
std::optional<std::uint32_t> slotOfMadeUpId(std::string_view id, std::string_view node)
{
    if (node.empty() || !id.starts_with(node) || id.size() <= node.size() || id[node.size()] != '-')
        return std::nullopt;
    const std::size_t dash = id.rfind('-');
    const auto number = wholeNumberOf(id.substr(dash + 1));
    return number && *number >= 0 && *number < mostCardsOfANode ? std::optional(std::uint32_t(*number))
                                                                : std::nullopt;
}

void readHamiHoldings(const PodRecord &record, StringPool &pool, std::vector<Holding> &holdings)
{
    for (const auto &[key, value] : record.cardAnnotations) {
        if (!key.starts_with("hami.io/") || !key.ends_with("-devices-allocated"))
            continue;
        const Vendor vendor = vendorOfAllocationKey(key);
        for (const HamiAllocation &allocation : parseHamiAllocations(value)) {
            Holding holding{.kind = Holding::Uuid, .vendor = vendor};
            if (const auto slot = slotOfMadeUpId(allocation.id, record.node)) {
                holding.kind = Holding::Slot;
                holding.amount = *slot;
            } else {
                holding.uuid = CardUuid::fromText(allocation.id, pool);
            }
            if (allocation.memoryMiB > 0)
                holding.memoryMiB = std::uint32_t(std::min<std::int64_t>(allocation.memoryMiB, UINT32_MAX));
            if (holdings.size() < mostHoldings)
                holdings.push_back(holding);
        }
    }
    // Ascend: which template a share was cut by.
    for (const auto &[key, value] : record.cardAnnotations) {
        if (!key.starts_with("huawei.com/Ascend") || !value.starts_with('['))
            continue;
        for (const HamiTemplateUse &use : parseHamiTemplates(value)) {
            const CardUuid uuid = CardUuid::fromText(use.id, pool);
            for (Holding &holding : holdings) {
                if (holding.kind == Holding::Uuid && holding.uuid == uuid && holding.profile == 0) {
                    holding.profile = pool.intern(use.profile);
                    break;
                }
            }
        }
    }
}

/// "Ascend910-3" or, a vNPU, "Ascend910-10c.3cpu.32g-100-3": template, number of the vNPU, number of the
/// card.
std::optional<Holding> ascendHolding(std::string_view item, StringPool &pool)
{
    while (item.starts_with(' '))
        item.remove_prefix(1);
    while (item.ends_with(' '))
        item.remove_suffix(1);
    const std::size_t last = item.rfind('-');
    if (!item.starts_with("Ascend") && !item.starts_with("npu"))
        return std::nullopt;
    const auto slot = last == std::string_view::npos ? std::nullopt : wholeNumberOf(item.substr(last + 1));
    if (!slot || *slot < 0 || *slot >= mostCardsOfANode)
        return std::nullopt;
    Holding holding{.amount = std::uint32_t(*slot), .kind = Holding::Slot, .vendor = Vendor::Ascend};
    const std::string_view front = item.substr(0, last);
    const std::size_t second = front.rfind('-');
    const std::size_t first = front.find('-');
    if (second != std::string_view::npos && first < second) {
        const auto instance = wholeNumberOf(front.substr(second + 1));
        if (instance && *instance >= 0 && *instance < 65535)
            holding.instance = std::uint16_t(*instance + 1);
        holding.profile = pool.intern(front.substr(first + 1, second - first - 1));
        holding.memoryMiB = profileMemoryMiB(front.substr(first + 1, second - first - 1));
    }
    return holding;
}

void readAscendHoldings(const PodRecord &record, StringPool &pool, std::vector<Holding> &holdings)
{
    std::string_view list = podAnnotation(record, "huawei.com/AscendReal"); // really mounted
    for (const auto &[key, value] : record.cardAnnotations) {               // chosen by Volcano
        if (list.empty() && key.starts_with("huawei.com/Ascend") && !value.starts_with('['))
            list = value;
    }
    if (list.empty())
        list = podAnnotation(record, "huawei.com/npu");
    while (!list.empty() && holdings.size() < mostHoldings) {
        const std::size_t comma = list.find(',');
        if (const auto holding = ascendHolding(list.substr(0, comma), pool))
            holdings.push_back(*holding);
        list = comma == std::string_view::npos ? std::string_view() : list.substr(comma + 1);
    }
    if (const auto dynamic = podAnnotation(record, "huawei.com/npu-core"); !dynamic.empty()) { // "0-vir04"
        const std::size_t dash = dynamic.find('-');
        const auto slot = wholeNumberOf(dynamic.substr(0, dash));
        const bool known = std::any_of(holdings.begin(), holdings.end(),
                                       [&](const Holding &each) { return each.vendor == Vendor::Ascend; });
        if (slot && *slot >= 0 && *slot < mostCardsOfANode && !known) {
            Holding holding{.amount = std::uint32_t(*slot), .kind = Holding::Slot, .vendor = Vendor::Ascend};
            if (dash != std::string_view::npos)
                holding.profile = pool.intern(dynamic.substr(dash + 1));
            holdings.push_back(holding);
        }
    }
}

/// CAMBRICON_DSMLU_PROFILE = slot_vcore_vmemory
void readCambriconHoldings(const PodRecord &record, StringPool &pool, std::vector<Holding> &holdings)
{
    const std::string_view profile = podAnnotation(record, "CAMBRICON_DSMLU_PROFILE");
    const std::size_t first = profile.find('_');
    const std::size_t second = first == std::string_view::npos ? first : profile.find('_', first + 1);
    if (second == std::string_view::npos)
        return;
    const auto slot = wholeNumberOf(profile.substr(0, first));
    const auto cores = wholeNumberOf(profile.substr(first + 1, second - first - 1));
    const auto memory = wholeNumberOf(profile.substr(second + 1));
    if (!slot || *slot < 0 || *slot >= mostCardsOfANode || !cores || !memory)
        return;
    Holding holding{.amount = std::uint32_t(*slot), .kind = Holding::Slot, .vendor = Vendor::Cambricon};
    holding.profile = pool.intern("vcore " + std::to_string(*cores) + ", vmemory " + std::to_string(*memory));
    holdings.push_back(holding);
}

} // namespace

std::vector<Holding> readHoldings(const PodRecord &record, StringPool &pool,
                                  const std::function<const ResourceMeaning &(std::string_view)> &meaningOf)
{
    std::vector<Holding> holdings;
    if (!record.cardAnnotations.empty()) {
        readHamiHoldings(record, pool, holdings);
        const bool byHami = !holdings.empty();
        if (!byHami || std::none_of(holdings.begin(), holdings.end(),
                                    [](const Holding &h) { return h.vendor == Vendor::Ascend; }))
            readAscendHoldings(record, pool, holdings);
        if (std::none_of(holdings.begin(), holdings.end(),
                         [](const Holding &h) { return h.vendor == Vendor::Cambricon; }))
            readCambriconHoldings(record, pool, holdings);
    }
    const std::size_t devices = holdings.size();
    for (const auto &[name, amount] : record.requests) {
        const ResourceMeaning &meaning = meaningOf(name);
        if (meaning.kind == ResourceKind::Ignored || meaning.kind == ResourceKind::Count || amount <= 0)
            continue;
        // The devices say it better; HAMi's word for other vendors ("dcu", "xpu") covers them together.
        const bool named = std::any_of(holdings.begin(), holdings.begin() + std::ptrdiff_t(devices),
                                       [&](const Holding &each) { return each.vendor == meaning.vendor; });
        if (named)
            continue;
        holdings.push_back({.resource = pool.intern(name),
                            .amount = std::uint32_t(std::min<std::int64_t>(amount, mostUnitsOfAResource)),
                            .kind = Holding::Units,
                            .vendor = meaning.vendor});
    }
    for (const std::string &device : record.unhealthyDevices) {
        if (holdings.size() < mostHoldings)
            holdings.push_back({.uuid = CardUuid::fromText(device, pool), .kind = Holding::UnhealthyUuid});
    }
    return holdings;
}

BusinessLabel podBusiness(const PodRecord &record)
{
    if (record.businessLabel == "inference")
        return BusinessLabel::Inference;
    if (record.businessLabel == "training")
        return BusinessLabel::Training;
    if (record.businessLabel == "mixed")
        return BusinessLabel::Mixed;
    if (record.ownerKind.ends_with("Job"))
        return BusinessLabel::Training;
    if (record.ownerKind == "Deployment" || record.ownerKind == "ReplicaSet" ||
        record.ownerKind == "StatefulSet")
        return BusinessLabel::Inference;
    return BusinessLabel::Unknown;
}

std::string_view podWorkload(const PodRecord &record)
{
    const std::string_view owner = record.ownerName;
    if (owner.empty())
        return record.appName.empty() ? record.key.name : record.appName;
    if (record.ownerKind != "ReplicaSet")
        return owner;
    const std::size_t dash = owner.rfind('-');
    return dash == std::string_view::npos || dash == 0 ? owner : owner.substr(0, dash);
}

} // namespace tongchi
