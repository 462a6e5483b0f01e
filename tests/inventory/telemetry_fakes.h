#pragma once

#include "platform/inventory/card_identities.h"
#include "platform/metrics/instant_query_parser.h"

#include <QByteArray>
#include <algorithm>
#include <map>
#include <string>
#include <vector>

namespace tongchi::test {

/// Cards as a test writes them down.
class FakeIdentities final : public CardIdentities
{
public:
    std::uint32_t addNode(const std::string &name)
    {
        const auto place = std::find(m_nodes.begin(), m_nodes.end(), name);
        if (place == m_nodes.end())
            m_nodes.push_back(name);
        return std::uint32_t(std::find(m_nodes.begin(), m_nodes.end(), name) - m_nodes.begin());
    }
    void addHost(const std::string &node, const std::string &host) { m_hosts[host] = addNode(node); }
    std::uint32_t addCard(const std::string &node, Vendor vendor, std::uint16_t slot, const std::string &uuid)
    {
        const Match match{.ordinal = m_count++, .node = addNode(node)};
        m_slots[{match.node, vendor, slot}] = match;
        if (!uuid.empty())
            m_uuids[uuid].push_back(match);
        m_known.push_back(!uuid.empty());
        return match.ordinal;
    }
    std::uint32_t addDie(const std::string &node, std::uint16_t slot, const std::string &die)
    {
        const std::uint32_t ordinal = addCard(node, Vendor::Ascend, slot, {});
        m_dies[die].push_back({.ordinal = ordinal, .node = addNode(node)});
        m_known.back() = true;
        return ordinal;
    }
    /// One card that reports as several devices.
    std::uint32_t addChips(const std::string &node, Vendor vendor, std::uint16_t slot,
                           const std::vector<std::string> &uuids)
    {
        const std::uint32_t ordinal = addCard(node, vendor, slot, {});
        std::uint8_t part = 0;
        for (const std::string &uuid : uuids)
            m_uuids[uuid].push_back({.ordinal = ordinal, .node = addNode(node), .part = part++});
        m_known.back() = true;
        return ordinal;
    }

    std::span<const Match> byUuid(std::string_view uuid) const override { return found(m_uuids, uuid); }
    std::span<const Match> byVdieId(std::string_view die) const override { return found(m_dies, die); }
    Match bySlot(std::uint32_t node, Vendor vendor, std::uint32_t slot) const override
    {
        const auto place = m_slots.find({node, vendor, slot});
        return place == m_slots.end() ? Match{} : place->second;
    }
    bool hasUuid(std::uint32_t ordinal) const override { return m_known.at(ordinal); }
    std::uint32_t nodeByName(std::string_view name) const override
    {
        const auto place = std::find(m_nodes.begin(), m_nodes.end(), name);
        return place == m_nodes.end() ? none : std::uint32_t(place - m_nodes.begin());
    }
    std::uint32_t nodeByHost(std::string_view host) const override
    {
        const auto place = m_hosts.find(std::string(host));
        return place == m_hosts.end() ? none : place->second;
    }
    std::string_view nodeName(std::uint32_t node) const override { return m_nodes.at(node); }
    std::uint32_t cardCount() const override { return m_count; }

private:
    using Matches = std::map<std::string, std::vector<Match>, std::less<>>;
    static std::span<const Match> found(const Matches &matches, std::string_view key)
    {
        const auto place = matches.find(key);
        return place == matches.end() ? std::span<const Match>() : std::span<const Match>(place->second);
    }

    std::vector<std::string> m_nodes;
    std::map<std::string, std::uint32_t> m_hosts;
    Matches m_uuids, m_dies;
    std::map<std::tuple<std::uint32_t, Vendor, std::uint32_t>, Match> m_slots;
    std::vector<bool> m_known;
    std::uint32_t m_count = 0;
};

/// One series as a test writes it down.
struct SeriesLine
{
    std::vector<std::pair<std::string, std::string>> labels;
    double value = 0;

    std::string label(std::string_view name) const
    {
        for (const auto &[key, text] : labels) {
            if (key == name)
                return text;
        }
        return {};
    }
    SeriesLine withoutName(double newValue) const
    {
        SeriesLine copy{labels, newValue};
        std::erase_if(copy.labels, [](const auto &each) { return each.first == "__name__"; });
        return copy;
    }
    void handTo(const InstantQueryParser::Collector &collector, Instant time) const
    {
        std::vector<LabelView> views;
        for (const auto &[key, text] : labels)
            views.push_back({key, text});
        // As an answer has it: what was taken before is known by its text.
        std::string raw = "{";
        for (const auto &[key, text] : labels)
            raw += '"' + key + "\":\"" + text + "\",";
        raw.back() = '}';
        if (collector.recognise && collector.recognise(raw))
            collector.known(value, time);
        else
            collector.series(views, value, time);
    }
};

/// A series of this metric.
inline SeriesLine dcgm(const char *name, double value,
                       std::vector<std::pair<std::string, std::string>> labels)
{
    labels.emplace(labels.begin(), "__name__", name);
    return {std::move(labels), value};
}

/// Lines of the exposition format, as far as the shared cases use it.
inline std::vector<SeriesLine> seriesOfText(const QByteArray &text)
{
    std::vector<SeriesLine> lines;
    for (const QByteArray &line : text.split('\n')) {
        const qsizetype open = line.indexOf('{'), close = line.lastIndexOf('}');
        if (open < 0 || close < open)
            continue;
        SeriesLine series{{{"__name__", line.left(open).toStdString()}},
                          line.mid(close + 1).trimmed().toDouble()};
        for (qsizetype at = open + 1; at < close;) {
            const qsizetype equals = line.indexOf("=\"", at), end = line.indexOf('"', equals + 2);
            series.labels.emplace_back(line.mid(at, equals - at).toStdString(),
                                       line.mid(equals + 2, end - equals - 2).toStdString());
            at = end + 2;
        }
        lines.push_back(std::move(series));
    }
    return lines;
}

} // namespace tongchi::test
