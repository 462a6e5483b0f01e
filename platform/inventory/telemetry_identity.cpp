#include "platform/inventory/telemetry_identity.h"

#include <algorithm>
#include <charconv>

namespace tongchi {

namespace {

Vendor vendorOfSource(const TelemetrySource &source)
{
    for (const Vendor vendor : {Vendor::Nvidia, Vendor::Ascend, Vendor::Cambricon}) {
        if (source.vendor == vendorKey(vendor))
            return vendor;
    }
    return Vendor::Other;
}

/// "10.20.0.9:9400" -> "10.20.0.9"; "[fd00::1]:9400" -> "fd00::1"; "fd00::1" as it is.
std::string_view hostOfAddress(std::string_view address)
{
    if (address.starts_with('[')) {
        const auto close = address.find(']');
        return close == std::string_view::npos ? std::string_view() : address.substr(1, close - 1);
    }
    const auto colon = address.find(':');
    if (colon == std::string_view::npos || address.find(':', colon + 1) != std::string_view::npos)
        return address;
    return address.substr(0, colon);
}

} // namespace

bool TelemetryIdentity::Nodes::contains(std::uint32_t node) const
{
    return std::find(numbers.begin(), numbers.begin() + count, node) != numbers.begin() + count;
}

TelemetryIdentity::TelemetryIdentity(const TelemetryGroups &groups, const MetricCatalog &catalog,
                                     const CardIdentities &cards)
    : m_groups(groups), m_catalog(catalog), m_cards(cards)
{
}

TelemetryIdentity::Nodes TelemetryIdentity::nodesOf(const TelemetryGroup &group) const
{
    Nodes nodes;
    const auto add = [&nodes](std::uint32_t node) {
        if (node != CardIdentities::none && nodes.count < nodes.numbers.size() && !nodes.contains(node))
            nodes.numbers[nodes.count++] = node;
        return false;
    };
    const auto byNameOrHost = [this](std::string_view name) {
        const std::uint32_t node = m_cards.nodeByName(name);
        if (node != CardIdentities::none)
            return node;
        const std::uint32_t host = m_cards.nodeByHost(name);
        const auto dot = name.find('.');
        // "gpu-01.example.com" for a node that calls itself gpu-01; an address has no short form.
        const bool isName = std::any_of(name.begin(), name.end(),
                                        [](char c) { return (c | 0x20) >= 'a' && (c | 0x20) <= 'z'; });
        return host != CardIdentities::none || dot == std::string_view::npos || !isName
                   ? host
                   : m_cards.nodeByName(name.substr(0, dot));
    };
    for (const CardLabel kind : {CardLabel::Node, CardLabel::Host})
        m_groups.forEachLabel(group, kind, [&](std::string_view text) { return add(byNameOrHost(text)); });
    nodes.isExplicit = nodes.count > 0;
    m_groups.forEachLabel(group, CardLabel::Address,
                          [&](std::string_view text) { return add(byNameOrHost(hostOfAddress(text))); });
    return nodes;
}

IdentifiedGroup TelemetryIdentity::bySlot(const TelemetryGroup &group, const Nodes &nodes,
                                          bool namesUuid) const
{
    const std::string_view text = m_groups.label(group, CardLabel::Slot);
    std::uint32_t slot = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), slot);
    const bool isNumber = error == std::errc() && end == text.data() + text.size();
    if (!isNumber || nodes.count == 0)
        return {.reason = namesUuid ? Unassigned::UnknownCard : Unassigned::NoIdentity};
    const Vendor vendor = vendorOfSource(m_catalog.sources()[group.source]);
    for (std::size_t i = 0; i < nodes.count; ++i) {
        const CardIdentities::Match match = m_cards.bySlot(nodes.numbers[i], vendor, slot);
        if (match.ordinal == CardIdentities::none)
            continue;
        if (namesUuid && m_cards.hasUuid(match.ordinal))
            continue; // known under another UUID: another card has been in this slot
        // Two dies of one module come under one number and are told apart by their ids.
        std::uint32_t part = match.part;
        for (const char c : m_groups.label(group, CardLabel::Die))
            part = part * 31 + std::uint8_t(c) + 1;
        return {.match = match, .part = part};
    }
    return {.reason = Unassigned::UnknownCard};
}

IdentifiedGroup TelemetryIdentity::identify(const TelemetryGroup &group) const
{
    const Nodes nodes = nodesOf(group);
    const std::string_view uuid = m_groups.label(group, CardLabel::Uuid);
    const std::string_view die = m_groups.label(group, CardLabel::Die);
    std::span<const CardIdentities::Match> matches;
    if (!uuid.empty())
        matches = m_cards.byUuid(uuid);
    if (matches.empty() && !die.empty())
        matches = m_cards.byVdieId(die);
    if (matches.empty())
        return bySlot(group, nodes, !uuid.empty() || !die.empty());
    for (std::size_t i = 0; i < nodes.count; ++i) {
        for (const CardIdentities::Match &match : matches) {
            if (match.node == nodes.numbers[i])
                return {.match = match, .part = match.part};
        }
    }
    if (matches.size() > 1)
        return {.reason = nodes.isExplicit ? Unassigned::OtherNode : Unassigned::SeveralCards};
    if (!nodes.isExplicit) // an address may be that of a gateway; the UUID alone is enough
        return {.match = matches.front(), .part = matches.front().part};
    const IdentifiedGroup other = bySlot(group, nodes, true);
    return other.reason == Unassigned::Nothing ? other : IdentifiedGroup{.reason = Unassigned::OtherNode};
}

} // namespace tongchi
