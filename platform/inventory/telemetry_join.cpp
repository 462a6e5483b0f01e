#include "platform/inventory/telemetry_join.h"

#include "platform/inventory/telemetry_combine.h"
#include "platform/metrics/metric_catalog.h"

#include <algorithm>
#include <functional>
#include <map>

namespace tongchi {

namespace {

constexpr std::int64_t tellClockAheadMs = 30'000;
constexpr qsizetype mostNamed = 5;

const char *reasonText(Unassigned reason)
{
    switch (reason) {
    case Unassigned::Nothing:
        return "";
    case Unassigned::NoIdentity:
        return "they name neither a UUID nor a number on a known node";
    case Unassigned::UnknownCard:
        return "no node has such a card";
    case Unassigned::SeveralCards:
        return "several nodes have this UUID, and the series name none of them";
    case Unassigned::OtherNode:
        return "they name another node than the card's";
    }
    return "";
}

QString quotedLabel(std::string_view text)
{
    constexpr std::size_t longest = 80;
    return QString::fromUtf8(text.data(), qsizetype(std::min(text.size(), longest)));
}

/// The series without a card, by source and reason.
struct UnassignedSeries
{
    std::int64_t series = 0;
    std::vector<std::size_t> cards; ///< hashes of their names, with repeats
    QStringList named;              ///< the first few
};

/// Sorts, drops repeats, counts.
std::size_t countDifferent(std::vector<std::size_t> &hashes)
{
    std::sort(hashes.begin(), hashes.end());
    hashes.erase(std::unique(hashes.begin(), hashes.end()), hashes.end());
    return hashes.size();
}

} // namespace

struct TelemetryJoin::Private
{
    Private(const MetricCatalog *catalog_, StringPool *pool_)
        : catalog(*catalog_), pool(*pool_), groups(*catalog_), skews(catalog_->sources().size()),
          broken(catalog_->sources().size())
    {
    }

    /// What takes the series of an answer: those not seen before with `add`.
    InstantQueryParser::Collector collect(std::size_t source, TelemetryGroups::Asked asked,
                                          void (TelemetryGroups::*add)(std::size_t, LabelViews, double,
                                                                       Instant));
    QString cardName(const TelemetryGroup &group) const;
    std::size_t cardHash(const TelemetryGroup &group) const;
    void identifyAll(const CardIdentities &cards, TelemetryResult &result);
    void addRecord(std::uint32_t ordinal, Instant now, TelemetryResult &result);
    void writeNotes(TelemetryResult &result);

    const MetricCatalog &catalog;
    StringPool &pool;
    TelemetryGroups groups;
    std::vector<std::chrono::milliseconds> skews;
    std::vector<bool> broken;
    QStringList warnings;

    struct Assigned
    {
        std::uint32_t ordinal = 0;
        std::uint32_t part = 0;
        std::uint32_t group = 0;
    };
    std::vector<Assigned> assigned;
    std::map<std::pair<std::uint8_t, Unassigned>, UnassignedSeries> unassigned;
    std::vector<CardGroup> cardGroups;
    CombinedReading reading;
    std::string podName;
    std::uint32_t cardsAhead = 0;
    std::int64_t furthestAheadMs = 0;
};

TelemetryJoin::TelemetryJoin(const MetricCatalog *catalog, StringPool *pool)
    : d(std::make_unique<Private>(catalog, pool))
{
}
TelemetryJoin::~TelemetryJoin() = default;

void TelemetryJoin::begin()
{
    d->groups.clear();
    d->assigned.clear();
    d->warnings.clear();
    std::fill(d->broken.begin(), d->broken.end(), false);
}

InstantQueryParser::Collector
TelemetryJoin::Private::collect(std::size_t source, TelemetryGroups::Asked asked,
                                void (TelemetryGroups::*add)(std::size_t, LabelViews, double, Instant))
{
    return {[this, source, add](LabelViews labels, double value, Instant time) {
                (groups.*add)(source, labels, value, time);
            },
            [this, source, asked](std::string_view rawLabels) {
                return groups.recognise(source, asked, rawLabels);
            },
            [this](double value, Instant time) { groups.addKnown(value, time); }};
}

InstantQueryParser::Collector TelemetryJoin::collectValues(std::size_t source)
{
    return d->collect(source, TelemetryGroups::Asked::Values, &TelemetryGroups::addValue);
}

InstantQueryParser::Collector TelemetryJoin::collectSampleTimes(std::size_t source)
{
    return d->collect(source, TelemetryGroups::Asked::SampleTimes, &TelemetryGroups::addSampleTime);
}

void TelemetryJoin::answered(std::size_t source, const PrometheusAnswer &answer,
                             std::optional<std::chrono::milliseconds> clockSkew)
{
    if (clockSkew)
        d->skews[source] = *clockSkew;
    for (const QString &warning : answer.warnings) {
        if (!d->warnings.contains(warning))
            d->warnings << warning;
    }
}

void TelemetryJoin::failed(std::size_t source)
{
    d->broken[source] = true;
}

QString TelemetryJoin::Private::cardName(const TelemetryGroup &group) const
{
    QString name = quotedLabel(groups.label(group, CardLabel::Uuid));
    if (name.isEmpty())
        name = quotedLabel(groups.label(group, CardLabel::Die));
    if (name.isEmpty())
        name = QStringLiteral("card ") + quotedLabel(groups.label(group, CardLabel::Slot));
    for (const CardLabel kind : {CardLabel::Node, CardLabel::Host, CardLabel::Address}) {
        if (const std::string_view place = groups.label(group, kind); !place.empty())
            return name + QStringLiteral(" at ") + quotedLabel(place);
    }
    return name;
}

/// Equal for series that tell of the same card, as far as their labels say.
std::size_t TelemetryJoin::Private::cardHash(const TelemetryGroup &group) const
{
    std::size_t hash = 0;
    for (const CardLabel kind : {CardLabel::Uuid, CardLabel::Die}) {
        if (const std::string_view text = groups.label(group, kind); !text.empty())
            return std::hash<std::string_view>()(text);
    }
    for (const CardLabel kind : {CardLabel::Node, CardLabel::Host, CardLabel::Address, CardLabel::Slot})
        hash = hash * 31 + std::hash<std::string_view>()(groups.label(group, kind));
    return hash;
}

void TelemetryJoin::Private::identifyAll(const CardIdentities &cards, TelemetryResult &result)
{
    const TelemetryIdentity identity(groups, catalog, cards);
    assigned.clear();
    unassigned.clear();
    const auto &all = groups.groups();
    for (std::uint32_t i = 0; i < all.size(); ++i) {
        if (broken[all[i].source])
            continue;
        result.series += all[i].series;
        if (all[i].series == 0) // a sample time of something that reported nothing
            continue;
        const IdentifiedGroup found = identity.identify(all[i]);
        if (found.reason == Unassigned::Nothing && !found.match.slice)
            assigned.push_back({found.match.ordinal, found.part, i});
        if (found.reason == Unassigned::Nothing)
            continue;
        UnassignedSeries &lost = unassigned[{all[i].source, found.reason}];
        lost.series += all[i].series;
        lost.cards.push_back(cardHash(all[i]));
        if (lost.named.size() < mostNamed) {
            const QString name = cardName(all[i]);
            if (!lost.named.contains(name))
                lost.named << name;
        }
    }
}

void TelemetryJoin::Private::addRecord(std::uint32_t ordinal, Instant now, TelemetryResult &result)
{
    combineCard(cardGroups, groups, reading);
    TelemetryRecord &record = reading.record;
    record.ordinal = ordinal;
    const Instant sampled = Instant(std::chrono::milliseconds(reading.sampledMs)) - skews[record.source];
    const auto aheadMs = (sampled - now).count();
    if (aheadMs >= tellClockAheadMs) {
        ++cardsAhead;
        furthestAheadMs = std::max<std::int64_t>(furthestAheadMs, aheadMs);
    }
    record.sampledAt = std::min(sampled, now);
    result.records.push_back(record);
    const std::size_t firstPod = result.pods.size();
    for (const TelemetryGroup *holder : reading.holders) {
        podName.assign(groups.label(*holder, CardLabel::Namespace));
        podName += '/';
        podName += groups.label(*holder, CardLabel::Pod);
        const PodAttachment attachment{ordinal, pool.intern(podName)};
        if (std::find(result.pods.begin() + std::ptrdiff_t(firstPod), result.pods.end(), attachment) ==
            result.pods.end())
            result.pods.push_back(attachment);
    }
}

void TelemetryJoin::Private::writeNotes(TelemetryResult &result)
{
    std::vector<std::size_t> lostCards;
    for (auto &[key, lost] : unassigned) {
        result.unassignedSeries += lost.series;
        const auto different = qsizetype(countDifferent(lost.cards));
        lostCards.insert(lostCards.end(), lost.cards.begin(), lost.cards.end());
        if (different > lost.named.size())
            lost.named << QStringLiteral("and %1 more").arg(different - lost.named.size());
        result.notes << QStringLiteral("%1 series of ").arg(lost.series) + catalog.sources()[key.first].name +
                            QStringLiteral(" belong to no card, because ") +
                            QLatin1String(reasonText(key.second)) + QStringLiteral(": ") +
                            lost.named.join(QStringLiteral(", "));
    }
    result.unassignedCards = std::uint32_t(countDifferent(lostCards));
    if (cardsAhead > 0) {
        result.notes << QStringLiteral("The clock of the exporters of %1 cards is ahead by up to %2 seconds")
                            .arg(cardsAhead)
                            .arg(furthestAheadMs / 1000);
    }
}

void TelemetryJoin::finish(const CardIdentities &cards, Instant now, TelemetryResult &result)
{
    result.records.clear();
    result.pods.clear();
    result.notes.clear();
    result.warnings = d->warnings;
    result.incomplete =
        !d->warnings.isEmpty() || std::find(d->broken.begin(), d->broken.end(), true) != d->broken.end();
    result.series = result.unassignedSeries = 0;
    result.unassignedCards = 0;
    d->cardsAhead = 0;
    d->furthestAheadMs = 0;
    d->identifyAll(cards, result);
    auto &assigned = d->assigned;
    const auto byOrdinal = [](const Private::Assigned &a, const Private::Assigned &b) {
        return a.ordinal < b.ordinal;
    };
    if (!std::is_sorted(assigned.begin(), assigned.end(), byOrdinal))
        std::sort(assigned.begin(), assigned.end(), byOrdinal);
    for (std::size_t first = 0; first < assigned.size();) {
        d->cardGroups.clear();
        std::size_t last = first;
        for (; last < assigned.size() && assigned[last].ordinal == assigned[first].ordinal; ++last)
            d->cardGroups.push_back({&d->groups.groups()[assigned[last].group], assigned[last].part});
        d->addRecord(assigned[first].ordinal, now, result);
        first = last;
    }
    d->writeNotes(result);
}

std::vector<TelemetryJoin::CardLabels> TelemetryJoin::labelsOf(std::uint32_t ordinal) const
{
    std::vector<CardLabels> all;
    auto at = std::lower_bound(
        d->assigned.begin(), d->assigned.end(), ordinal,
        [](const Private::Assigned &each, std::uint32_t wanted) { return each.ordinal < wanted; });
    for (; at != d->assigned.end() && at->ordinal == ordinal; ++at) {
        const TelemetryGroup &group = d->groups.groups()[at->group];
        CardLabels labels{group.source, {}};
        for (const CardLabel kind : {CardLabel::Uuid, CardLabel::Die, CardLabel::Slot, CardLabel::Node,
                                     CardLabel::Host, CardLabel::Address}) {
            if (const std::string_view text = d->groups.label(group, kind); !text.empty())
                labels.labels.emplace_back(kind, text);
        }
        all.push_back(std::move(labels));
    }
    return all;
}

std::size_t TelemetryJoin::bytes() const
{
    return d->groups.bytes() + d->assigned.capacity() * sizeof(Private::Assigned);
}

} // namespace tongchi
