#include "platform/inventory/telemetry_groups.h"

#include <QHashFunctions>
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace tongchi {

namespace {

constexpr float noReading = std::numeric_limits<float>::quiet_NaN();
constexpr std::uint32_t emptySlot = std::numeric_limits<std::uint32_t>::max();
constexpr std::size_t longestLabel = 512; // longer ones name nothing that we know
// Six megabytes. The series of larger clusters are read every time: there, memory is dearer than time.
constexpr std::size_t mostGroups = 20'000, mostKnown = 130'000;

std::uint64_t hashOfText(std::string_view text, std::uint64_t seed = 0)
{
    return qHashBits(text.data(), text.size(), seed ^ std::uint64_t(QHashSeed::globalSeed()));
}

/// Two series of one group and metric differ in a label that says nothing about the card (a container): the
/// larger number stands, the worse health, never the sum.
float mergedValue(CardQuantity quantity, float before, float value)
{
    if (std::isnan(before))
        return value;
    return quantity == CardQuantity::Health ? std::min(before, value) : std::max(before, value);
}

bool isSampleTime(double seconds, Instant evaluated)
{
    const double newest = double(evaluated.time_since_epoch().count()) / 1000 + 24 * 3600;
    return seconds > 0 && seconds < newest;
}

void addTime(TelemetryGroup &group, double seconds)
{
    group.sampledMs = std::max<std::int64_t>(group.sampledMs, std::llround(seconds * 1000));
}

} // namespace

TelemetryGroups::TelemetryGroups(const MetricCatalog &catalog)
    : m_catalog(catalog), m_roles(catalog.sources().size())
{
    m_table.assign(1024, emptySlot);
}

void TelemetryGroups::clear()
{
    // Groups and series that no longer come, such as those of pods that are gone, go with all others when
    // they have become many.
    constexpr std::size_t few = 256;
    if (m_groups.size() > 2 * m_groupsOfPoll + few || m_knownCount > 2 * m_seriesOfPoll + few)
        forgetAll();
    for (TelemetryGroup &group : m_groups) {
        group.evaluatedMs = 0;
        group.sampledMs = 0;
        group.series = 0;
        group.values.fill(noReading);
        group.ranks.fill(std::numeric_limits<std::uint8_t>::max());
        group.otherUtilization = noReading;
    }
    m_seriesOfPoll = m_groupsOfPoll = 0;
    m_addedHash = 0;
    m_expected = 0;
}

void TelemetryGroups::forgetAll()
{
    m_groups.clear();
    m_text.clear();
    std::fill(m_table.begin(), m_table.end(), emptySlot);
    std::fill(m_known.begin(), m_known.end(), KnownSeries{});
    m_knownCount = 0;
}

TelemetryGroups::KnownSeries *TelemetryGroups::slotOf(std::uint64_t hash)
{
    std::size_t at = hash & (m_known.size() - 1);
    while (m_known[at].hash != 0 && m_known[at].hash != hash)
        at = (at + 1) & (m_known.size() - 1);
    return &m_known[at];
}

bool TelemetryGroups::recognise(std::size_t source, Asked asked, std::string_view rawLabels)
{
    if (m_groups.size() > mostGroups) {
        m_addedHash = 0;
        return false;
    }
    // The seed is the process' own: nobody can make up labels that meet another series' hash.
    m_addedHash = std::max<std::uint64_t>(1, hashOfText(rawLabels, 2 + 2 * source + std::uint64_t(asked)));
    if (m_known.empty())
        return false;
    m_recognised = *slotOf(m_addedHash);
    return m_recognised.hash == m_addedHash;
}

void TelemetryGroups::remember(Asked asked, const CatalogMetric *metric, std::uint32_t group)
{
    const std::uint64_t hash = std::exchange(m_addedHash, 0);
    if (m_groups.size() > mostGroups && m_knownCount > 0) {
        std::vector<KnownSeries>().swap(m_known);
        m_knownCount = 0;
    }
    if (hash == 0 || m_groups.size() > mostGroups || m_knownCount >= mostKnown)
        return;
    if (m_knownCount * 2 >= m_known.size()) {
        std::vector<KnownSeries> old(std::max<std::size_t>(1024, m_known.size() * 2));
        old.swap(m_known);
        for (const KnownSeries &each : old) {
            if (each.hash != 0)
                *slotOf(each.hash) = each;
        }
    }
    *slotOf(hash) = {hash, metric, group, asked};
    ++m_knownCount;
}

TelemetryGroup &TelemetryGroups::touched(std::uint32_t index, Instant evaluated)
{
    TelemetryGroup &group = m_groups[index];
    if (group.evaluatedMs == 0) {
        group.evaluatedMs = evaluated.time_since_epoch().count();
        ++m_groupsOfPoll;
    }
    return group;
}

void TelemetryGroups::addKnown(double value, Instant evaluated)
{
    ++m_seriesOfPoll;
    if (m_recognised.group == noGroup)
        return;
    if (m_recognised.asked == Asked::Values)
        addReading(touched(m_recognised.group, evaluated), *m_recognised.metric, value);
    else if (isSampleTime(value, evaluated))
        addTime(touched(m_recognised.group, evaluated), value);
}

const TelemetryGroups::LabelRole &TelemetryGroups::roleOf(std::size_t source, std::size_t position,
                                                          std::string_view name)
{
    constexpr std::size_t mostRemembered = 64;
    auto &roles = m_roles[source];
    const std::size_t at = std::min(position, mostRemembered);
    if (roles.size() <= at)
        roles.resize(at + 1);
    LabelRole &role = roles[at];
    if (role.name == name)
        return role;
    role = {.name = std::string(name), .isName = name == "__name__"};
    const TelemetrySource &from = m_catalog.sources()[source];
    for (std::size_t kind = 0; kind < cardLabelCount; ++kind) {
        const auto &names = from.labels[kind];
        const auto place = std::find(names.begin(), names.end(), name);
        if (place != names.end()) {
            role.kind = std::int8_t(kind);
            role.priority =
                std::uint8_t(std::min<std::size_t>(std::size_t(place - names.begin()), mostAlternatives - 1));
            break;
        }
    }
    return role;
}

std::string_view TelemetryGroups::sortLabels(std::size_t source, LabelViews labels)
{
    for (std::size_t kind = 0; kind < cardLabelCount; ++kind) {
        std::fill_n(m_found[kind].begin(), m_foundSizes[kind], std::string_view());
        m_foundSizes[kind] = 0;
    }
    std::string_view name;
    for (std::size_t i = 0; i < labels.size(); ++i) {
        const LabelRole &role = roleOf(source, i, labels[i].name);
        if (role.isName)
            name = labels[i].value;
        if (role.kind < 0 || labels[i].value.empty())
            continue;
        const auto kind = std::size_t(role.kind);
        m_found[kind][role.priority] = labels[i].value.substr(0, longestLabel);
        m_foundSizes[kind] = std::max<std::uint8_t>(m_foundSizes[kind], std::uint8_t(role.priority + 1));
    }
    return name;
}

std::string_view TelemetryGroups::found(CardLabel kind) const
{
    for (std::size_t i = 0; i < m_foundSizes[std::size_t(kind)]; ++i) {
        if (!m_found[std::size_t(kind)][i].empty())
            return m_found[std::size_t(kind)][i];
    }
    return {};
}

/// Where the scrape configuration lacks honorLabels, or the card is idle, `pod` is the exporter's own. What
/// was moved out of the way to exported_* never is.
bool TelemetryGroups::isOwnPod(std::size_t source, std::string_view pod) const
{
    const auto &names = m_catalog.sources()[source].labelsFor(CardLabel::Pod);
    for (std::size_t i = 0; i < names.size() && i < m_foundSizes[std::size_t(CardLabel::Pod)]; ++i) {
        if (!m_found[std::size_t(CardLabel::Pod)][i].empty() && names[i].starts_with("exported_"))
            return false;
    }
    const std::string_view job = found(CardLabel::Job);
    if (!job.empty() && pod.starts_with(job))
        return true;
    bool own = found(CardLabel::Container).find("exporter") != std::string_view::npos;
    for (std::size_t i = 0; i < m_foundSizes[std::size_t(CardLabel::Host)]; ++i)
        own = own || m_found[std::size_t(CardLabel::Host)][i] == pod;
    return own;
}

void TelemetryGroups::appendKey(CardLabel kind, std::string_view text)
{
    const char head[] = {char(kind), char(text.size() & 0xff), char(text.size() >> 8)};
    m_key.append(head, sizeof head);
    m_key.append(text);
}

void TelemetryGroups::growTable()
{
    m_table.assign(m_table.size() * 2, emptySlot);
    const std::size_t mask = m_table.size() - 1;
    for (std::uint32_t i = 0; i < m_groups.size(); ++i) {
        std::size_t at = m_groups[i].hash & mask;
        while (m_table[at] != emptySlot)
            at = (at + 1) & mask;
        m_table[at] = i;
    }
}

std::uint32_t TelemetryGroups::groupOfFound(std::size_t source)
{
    const std::string_view pod = found(CardLabel::Pod);
    const bool hasPod = !pod.empty() && !isOwnPod(source, pod);
    m_key.clear();
    m_key += char(source);
    for (const CardLabel kind : {CardLabel::Job, CardLabel::Node, CardLabel::Host, CardLabel::Address}) {
        for (std::size_t i = 0; i < m_foundSizes[std::size_t(kind)]; ++i) {
            if (!m_found[std::size_t(kind)][i].empty())
                appendKey(kind, m_found[std::size_t(kind)][i]);
        }
    }
    const std::size_t exporterBytes = m_key.size();
    for (const CardLabel kind : {CardLabel::Uuid, CardLabel::Die, CardLabel::Slot, CardLabel::InstanceId}) {
        if (const std::string_view text = found(kind); !text.empty())
            appendKey(kind, text);
    }
    if (hasPod) {
        appendKey(CardLabel::Pod, pod);
        appendKey(CardLabel::Namespace, found(CardLabel::Namespace));
    }

    const std::string_view key(m_key);
    const auto hasKey = [this, key](const TelemetryGroup &group) {
        return group.textBytes + 1 == key.size() &&
               std::string_view(m_text).substr(group.text - 1, key.size()) == key;
    };
    // Servers give the cards in the same order for every metric: mostly it is the one after the last.
    if (m_expected < m_groups.size() && hasKey(m_groups[m_expected]))
        return std::uint32_t(m_expected++);
    const std::uint64_t hash = hashOfText(key);
    std::size_t at = hash & (m_table.size() - 1);
    for (; m_table[at] != emptySlot; at = (at + 1) & (m_table.size() - 1)) {
        const TelemetryGroup &group = m_groups[m_table[at]];
        if (group.hash == hash && hasKey(group)) {
            m_expected = m_table[at] + 1;
            return m_table[at];
        }
    }
    TelemetryGroup group;
    group.hash = hash;
    group.exporter = hashOfText(key.substr(0, exporterBytes), 1);
    group.text = std::uint32_t(m_text.size() + 1); // behind the source's number
    group.textBytes = std::uint32_t(key.size() - 1);
    group.source = std::uint8_t(source);
    group.hasPod = hasPod;
    group.isPart = !found(CardLabel::InstanceId).empty();
    group.values.fill(noReading);
    group.ranks.fill(std::numeric_limits<std::uint8_t>::max());
    group.otherUtilization = noReading;
    m_text += key;
    m_table[at] = std::uint32_t(m_groups.size());
    m_groups.push_back(group);
    m_expected = m_groups.size();
    if (m_groups.size() * 2 > m_table.size())
        growTable();
    return std::uint32_t(m_groups.size() - 1);
}

void TelemetryGroups::addValue(std::size_t source, LabelViews labels, double value, Instant evaluated)
{
    ++m_seriesOfPoll;
    const std::string_view name = sortLabels(source, labels);
    if (!m_lastMetric || m_lastSource != source || m_lastName != name) {
        m_lastMetric = m_catalog.sources()[source].find(name);
        m_lastSource = source;
        m_lastName = name;
    }
    // Another exporter's series (a server that does not look at the query), or of an instance of a shared
    // card.
    if (!m_lastMetric || !found(CardLabel::Virtual).empty()) {
        remember(Asked::Values, nullptr, noGroup);
        return;
    }
    const CatalogMetric &metric = *m_lastMetric;
    if (metric.quantity == CardQuantity::Holder) {
        m_addedHash = 0; // whether its labels name anybody hangs on the value
        const auto reported = reportedValue(metric.unit, value);
        if (!(reported && *reported == 1))
            return; // an idle card: its labels name nobody
    }
    const std::uint32_t group = groupOfFound(source);
    remember(Asked::Values, &metric, group);
    addReading(touched(group, evaluated), metric, value);
}

void TelemetryGroups::addReading(TelemetryGroup &group, const CatalogMetric &metric, double value)
{
    const auto reported = reportedValue(metric.unit, value);
    ++group.series;
    if (!reported || (metric.quantity == CardQuantity::MemoryTotal && *reported == 0))
        return;
    const auto at = std::size_t(metric.quantity);
    if (metric.quantity == CardQuantity::Utilization && metric.rank > 0)
        group.otherUtilization = mergedValue(metric.quantity, group.otherUtilization, float(*reported));
    if (metric.rank > group.ranks[at])
        return;
    if (metric.rank < group.ranks[at])
        group.values[at] = noReading;
    group.values[at] = mergedValue(metric.quantity, group.values[at], float(*reported));
    group.ranks[at] = metric.rank;
}

void TelemetryGroups::addSampleTime(std::size_t source, LabelViews labels, double seconds, Instant evaluated)
{
    ++m_seriesOfPoll;
    const std::string_view name = sortLabels(source, labels);
    // timestamp() drops the name; what has one is an answer to something else.
    if (!name.empty() || !found(CardLabel::Virtual).empty()) {
        remember(Asked::SampleTimes, nullptr, noGroup);
        return;
    }
    if (!isSampleTime(seconds, evaluated)) {
        m_addedHash = 0;
        return;
    }
    const std::uint32_t group = groupOfFound(source);
    remember(Asked::SampleTimes, nullptr, group);
    addTime(touched(group, evaluated), seconds);
}

std::string_view TelemetryGroups::label(const TelemetryGroup &group, CardLabel kind) const
{
    std::string_view first;
    forEachLabel(group, kind, [&first](std::string_view text) {
        first = text;
        return true;
    });
    return first;
}

std::size_t TelemetryGroups::bytes() const
{
    return m_groups.capacity() * sizeof(TelemetryGroup) + m_table.capacity() * sizeof(std::uint32_t) +
           m_text.capacity() + m_known.capacity() * sizeof(KnownSeries);
}

} // namespace tongchi
