#include "platform/inventory/node_draft.h"

#include <algorithm>

namespace tongchi {
namespace {

std::string_view nvidiaProductOf(const NodeReading &node)
{
    return node.label("nvidia.com/gpu.product");
}

std::string nvidiaDriverOf(const NodeReading &node)
{
    if (const auto full = node.label("nvidia.com/cuda.driver-version.full"); !full.empty())
        return std::string(full);
    std::string text(node.label("nvidia.com/cuda.driver.major"));
    for (const char *key : {"nvidia.com/cuda.driver.minor", "nvidia.com/cuda.driver.rev"}) {
        if (const auto part = node.label(key); !text.empty() && !part.empty())
            text.append(".").append(part);
    }
    return text;
}

std::int64_t largestMemoryOf(const NodeReading &node, const CardRecord &pattern)
{
    const std::string_view variant = node.pool().utf8(pattern.variant);
    const std::size_t gb = variant.find("GB");
    if (gb != std::string_view::npos) { // "SXM4-40GB" names it
        std::size_t from = gb;
        while (from > 0 && variant[from - 1] >= '0' && variant[from - 1] <= '9')
            --from;
        if (const auto size = wholeNumberOf(variant.substr(from, gb - from)))
            return *size * 1024;
    }
    const auto sizes = node.catalog().memoryMiB(node.pool().utf8(pattern.model));
    return sizes.empty() ? 0 : *std::max_element(sizes.begin(), sizes.end());
}

std::uint32_t roundedUpQuotient(std::uint32_t units, std::uint32_t by)
{
    return by > 1 ? (units + by - 1) / by : units;
}

/// The number of physical cards behind labels and amounts: never the shares, never the MIG devices.
std::uint32_t physicalCards(const NodeReading &node, const CardRecord &pattern)
{
    const std::uint32_t whole = node.units(Vendor::Nvidia, ResourceKind::Cards);
    const std::uint32_t shared = node.units(Vendor::Nvidia, ResourceKind::Shares);
    const auto replicas = std::uint32_t(node.numberLabel("nvidia.com/gpu.replicas").value_or(1));
    const auto counted = std::uint32_t(node.numberLabel("nvidia.com/gpu.count").value_or(0));
    const std::string_view product = nvidiaProductOf(node);
    const std::int64_t memory = largestMemoryOf(node, pattern);

    if (const std::size_t mig = product.find("-MIG-"); mig != std::string_view::npos) {
        const std::uint32_t instances =
            counted ? counted : roundedUpQuotient(std::max(whole, shared), std::max(1u, replicas));
        return roundedUpQuotient(instances,
                                 std::max(1u, migInstancesPerCard(product.substr(mig + 5), memory)));
    }
    if (counted && counted <= mostCardsOfANode) {
        // More is offered than GFD counts: shares, unless sharing is denied and the label is simply old.
        const bool shares = replicas > 1 || node.numberLabel("nvidia.com/gpu.replicas") == std::nullopt;
        return whole > counted && !shares ? whole : counted;
    }
    std::uint32_t cards = roundedUpQuotient(whole, replicas) + roundedUpQuotient(shared, replicas);
    double migCards = 0;
    for (const auto &resource : node.resources()) {
        if (resource.readable && resource.meaning.vendor == Vendor::Nvidia &&
            resource.meaning.kind == ResourceKind::Slices) {
            const std::uint32_t fitting = migInstancesPerCard(resource.meaning.profile, memory);
            migCards += fitting ? double(resource.capacity) / fitting : 0;
        }
    }
    cards += std::uint32_t(migCards + 0.999);
    if (cards == 0) // a plug-in may offer the cards under a name of the site's own
        cards = roundedUpQuotient(node.units(Vendor::Nvidia, ResourceKind::Unknown), replicas);
    return cards;
}

/// The register lists the cards; labels know what it does not: the memory before scaling and the driver.
void enrichNvidiaCards(const NodeReading &node, NodeDraft &draft)
{
    const std::string driver = nvidiaDriverOf(node);
    const auto memory = node.numberLabel("nvidia.com/gpu.memory");
    const bool instances = nvidiaProductOf(node).find("-MIG-") != std::string_view::npos;
    CardRecord labelled{.vendor = Vendor::Nvidia, .vendorName = node.intern("nvidia")};
    const CardModelName name =
        node.nameModel(labelled, nvidiaProductOf(node), "label nvidia.com/gpu.product");
    const StringId memorySource = node.intern("label nvidia.com/gpu.memory");
    for (DraftCard &card : draft.cards) {
        CardRecord &record = card.record;
        if (record.vendor != Vendor::Nvidia)
            continue;
        if (!name.model.empty() || memory || !driver.empty())
            record.sources |= CardSource::VendorLabels;
        if (record.driver == 0)
            record.driver = node.intern(driver);
        if (record.linkDomain == 0)
            record.linkDomain = node.intern(node.label("nvidia.com/gpu.clique"));
        if (record.model == 0 && !name.model.empty()) {
            record.model = labelled.model;
            record.variant = labelled.variant;
            record.modelReported = labelled.modelReported;
            record.modelSource = labelled.modelSource;
        }
        // The label speaks for all cards of the node; with two models it is wrong for one of them.
        const bool sameModel = name.model.empty() || record.model == labelled.model;
        if (memory && *memory > 0 && sameModel && !instances) {
            record.memoryBytes = *memory * bytesPerMiB;
            record.memorySource = memorySource;
            record.flags &= ~CardFlags(CardFlag::MemoryScaled);
        }
    }
}

} // namespace

void addNvidiaCards(const NodeReading &node, NodeDraft &draft)
{
    if (hasCardsOf(draft, Vendor::Nvidia)) {
        enrichNvidiaCards(node, draft);
        return;
    }
    CardRecord pattern{
        .vendor = Vendor::Nvidia, .vendorName = node.intern("nvidia"), .sources = CardSource::Capacity};
    const std::string_view product = nvidiaProductOf(node);
    node.nameModel(pattern, product, "label nvidia.com/gpu.product");
    const auto memory = node.numberLabel("nvidia.com/gpu.memory");
    if (!product.empty() || memory)
        pattern.sources |= CardSource::VendorLabels;
    if (memory && *memory > 0 && product.find("-MIG-") == std::string_view::npos) {
        pattern.memoryBytes = *memory * bytesPerMiB;
        pattern.memorySource = node.intern("label nvidia.com/gpu.memory");
    }
    pattern.driver = node.intern(nvidiaDriverOf(node));
    pattern.linkDomain = node.intern(node.label("nvidia.com/gpu.clique"));

    // A register that nobody can read: what is offered are shares, so only a count of cards helps.
    const bool brokenRegister = !node.annotation("hami.io/node-nvidia-register").empty();
    if (brokenRegister) {
        if (!node.numberLabel("nvidia.com/gpu.count"))
            return;
        pattern.flags |= CardFlag::RegistrationUnreadable;
    }
    const std::uint32_t offered =
        node.units(Vendor::Nvidia, ResourceKind::Cards) + node.units(Vendor::Nvidia, ResourceKind::Shares) +
        node.units(Vendor::Nvidia, ResourceKind::Slices) + node.units(Vendor::Nvidia, ResourceKind::Unknown);
    if (offered == 0)
        return; // labels alone outlive the cards
    const std::uint32_t cards = physicalCards(node, pattern);
    for (const ResourceKind kind :
         {ResourceKind::Cards, ResourceKind::Shares, ResourceKind::Slices, ResourceKind::Unknown}) {
        const auto *resource = node.first(Vendor::Nvidia, kind);
        if (resource && resource->capacity > 0 && pattern.resource == 0)
            pattern.resource = node.intern(resource->amount->name);
        const std::uint32_t units = node.units(Vendor::Nvidia, kind);
        if (cards && kind != ResourceKind::Slices && units >= 2 * cards &&
            product.find("-MIG-") == std::string_view::npos)
            pattern.shares = std::uint16_t(std::min(units / cards, 65535u));
    }
    addAlikeCards(draft, pattern, cards);
}

} // namespace tongchi
