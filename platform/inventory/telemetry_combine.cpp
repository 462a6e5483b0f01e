#include "platform/inventory/telemetry_combine.h"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace tongchi {

namespace {

/// Longer than the usual intervals of two exporters are apart, shorter than the five minutes for which a
/// server goes on telling the last value of a series with its own timestamps.
constexpr std::int64_t pastAfterMs = 90'000;
/// Series of one scrape.
constexpr std::int64_t sameScrapeMs = 2'000;

constexpr std::array shownQuantities{CardQuantity::Utilization, CardQuantity::MemoryUsed,
                                     CardQuantity::MemoryFree,  CardQuantity::MemoryTotal,
                                     CardQuantity::Temperature, CardQuantity::Power};

int shownCount(const TelemetryGroup &group)
{
    return int(std::count_if(shownQuantities.begin(), shownQuantities.end(),
                             [&group](CardQuantity quantity) { return !std::isnan(group.value(quantity)); }));
}

/// Only tells a pod (mlu_container); it has no sample of its own.
bool isHolderOnly(const TelemetryGroup &group)
{
    for (std::size_t i = 0; i < cardQuantityCount; ++i) {
        if (CardQuantity(i) != CardQuantity::Holder && !std::isnan(group.values[i]))
            return false;
    }
    return !std::isnan(group.value(CardQuantity::Holder));
}

void addUp(float &sum, float value)
{
    if (!std::isnan(value))
        sum = std::isnan(sum) ? value : sum + value;
}

void keepLarger(float &largest, float value)
{
    if (!std::isnan(value))
        largest = std::isnan(largest) ? value : std::max(largest, value);
}

/// One die or chip, or the whole card.
struct PartReading
{
    PartReading() { values.fill(notReported); }
    void fillFrom(const TelemetryGroup &group)
    {
        bool used = false;
        for (std::size_t i = 0; i < cardQuantityCount; ++i) {
            if (std::isnan(values[i]) && !std::isnan(group.values[i])) {
                values[i] = group.values[i];
                used = true;
            }
        }
        if (std::isnan(otherUtilization))
            otherUtilization = group.otherUtilization;
        if (used && sampledMs == 0)
            sampledMs = group.timeMs();
    }
    float value(CardQuantity quantity) const { return values[std::size_t(quantity)]; }
    float &value(CardQuantity quantity) { return values[std::size_t(quantity)]; }
    /// FB_TOTAL is not among the exporter's defaults, and FB_RESERVED is missing in older ones.
    float memoryTotal() const
    {
        if (!std::isnan(value(CardQuantity::MemoryTotal)))
            return value(CardQuantity::MemoryTotal);
        const float reserved = value(CardQuantity::MemoryReserved);
        return value(CardQuantity::MemoryUsed) + value(CardQuantity::MemoryFree) +
               (std::isnan(reserved) ? 0 : reserved);
    }

    std::array<float, cardQuantityCount> values;
    float otherUtilization = notReported;
    std::int64_t sampledMs = 0;
};

/// What MIG instances can tell of their card: they all show its temperature and power, and share its memory.
void fillFromInstances(PartReading &whole, const std::vector<CardGroup> &groups,
                       const TelemetryGroups &labels)
{
    float temperature = notReported, power = notReported, used = notReported;
    std::int64_t sampledMs = 0;
    for (std::size_t i = 0; i < groups.size(); ++i) {
        const TelemetryGroup &group = *groups[i].group;
        if (!group.isPart)
            continue;
        keepLarger(temperature, group.value(CardQuantity::Temperature));
        keepLarger(power, group.value(CardQuantity::Power));
        const std::string_view instance = labels.label(group, CardLabel::InstanceId);
        const bool isFirst =
            std::none_of(groups.begin(), groups.begin() + std::ptrdiff_t(i), [&](const CardGroup &other) {
                return other.group->isPart && labels.label(*other.group, CardLabel::InstanceId) == instance;
            });
        if (isFirst)
            addUp(used, group.value(CardQuantity::MemoryUsed));
        sampledMs = std::max(sampledMs, group.timeMs());
    }
    const auto fill = [&whole, sampledMs](CardQuantity quantity, float value) {
        if (std::isnan(whole.value(quantity)) && !std::isnan(value)) {
            whole.value(quantity) = value;
            if (whole.sampledMs == 0)
                whole.sampledMs = sampledMs;
        }
    };
    fill(CardQuantity::Temperature, temperature);
    fill(CardQuantity::Power, power);
    fill(CardQuantity::MemoryUsed, used);
}

/// Drops what is the past (a series whose sample time is not known is taken for present), and every source
/// but the first of the table that has something to show.
void keepPresent(std::vector<CardGroup> &groups)
{
    std::int64_t freshest = 0;
    for (const CardGroup &each : groups)
        freshest = std::max(freshest, each.group->sampledMs);
    std::erase_if(groups, [freshest](const CardGroup &each) {
        return each.group->sampledMs != 0 && each.group->sampledMs < freshest - pastAfterMs;
    });
    std::uint8_t source = 255;
    for (const CardGroup &each : groups) {
        if (shownCount(*each.group) > 0)
            source = std::min(source, each.group->source);
    }
    if (source == 255) { // nothing shown by any: the first that answers at all
        for (const CardGroup &each : groups)
            source = std::min(source, each.group->source);
    }
    std::erase_if(groups, [source](const CardGroup &each) { return each.group->source != source; });
}

void combineParts(const std::vector<CardGroup> &groups, const TelemetryGroups &labels,
                  CombinedReading &reading)
{
    TelemetryRecord &record = reading.record;
    const bool hasInstances =
        std::any_of(groups.begin(), groups.end(), [](const CardGroup &each) { return each.group->isPart; });
    float utilizationSum = notReported, health = notReported;
    int utilizationParts = 0;
    reading.sampledMs = 0;
    for (std::size_t first = 0; first < groups.size();) {
        PartReading part;
        std::size_t last = first;
        for (; last < groups.size() && groups[last].part == groups[first].part; ++last) {
            if (!groups[last].group->isPart)
                part.fillFrom(*groups[last].group);
        }
        first = last;
        if (hasInstances) {
            fillFromInstances(part, groups, labels);
            if (part.value(CardQuantity::Utilization) == 0)
                part.value(CardQuantity::Utilization) = part.otherUtilization;
        }
        if (!std::isnan(part.value(CardQuantity::Utilization))) {
            addUp(utilizationSum, part.value(CardQuantity::Utilization));
            ++utilizationParts;
        }
        addUp(record.memoryUsedBytes, part.value(CardQuantity::MemoryUsed));
        addUp(record.memoryTotalBytes, part.memoryTotal());
        keepLarger(record.temperatureCelsius, part.value(CardQuantity::Temperature));
        addUp(record.powerWatts, part.value(CardQuantity::Power));
        if (!std::isnan(part.value(CardQuantity::Health)))
            health = std::isnan(health) ? part.value(CardQuantity::Health)
                                        : std::min(health, part.value(CardQuantity::Health));
        record.errorReported = record.errorReported || part.value(CardQuantity::ErrorCode) > 0;
        // The older of the parts: a number is no fresher than its oldest piece.
        if (part.sampledMs != 0)
            reading.sampledMs =
                reading.sampledMs == 0 ? part.sampledMs : std::min(reading.sampledMs, part.sampledMs);
    }
    if (utilizationParts > 0)
        record.utilizationPercent = utilizationSum / float(utilizationParts);
    if (!std::isnan(health))
        record.health = health > 0 ? CardHealth::Healthy : CardHealth::Unhealthy;
}

} // namespace

void combineCard(std::vector<CardGroup> &groups, const TelemetryGroups &labels, CombinedReading &reading)
{
    reading.record = {};
    reading.holders.clear();
    keepPresent(groups);
    if (groups.size() > 1) {
        std::sort(groups.begin(), groups.end(), [](const CardGroup &a, const CardGroup &b) {
            const auto rank = [](const CardGroup &each) {
                const TelemetryGroup &group = *each.group;
                return std::tuple(each.part, group.isPart, isHolderOnly(group), group.sampledMs == 0,
                                  -group.timeMs(), !group.hasPod, -shownCount(group), group.exporter,
                                  group.hash);
            };
            return rank(a) < rank(b);
        });
    }
    combineParts(groups, labels, reading);
    std::int64_t freshest = 0;
    reading.record.source = groups.front().group->source;
    const std::uint64_t exporter = groups.front().group->exporter;
    for (const CardGroup &each : groups) {
        const TelemetryGroup &group = *each.group;
        freshest = std::max(freshest, isHolderOnly(group) ? 0 : group.timeMs());
        reading.record.severalExporters =
            reading.record.severalExporters ||
            (group.exporter != exporter && !isHolderOnly(group) && !isHolderOnly(*groups.front().group));
        if (!group.hasPod)
            continue;
        // Several pods may share a card; one that left is not in its exporter's latest scrape.
        const bool isLatest = std::none_of(groups.begin(), groups.end(), [&group](const CardGroup &other) {
            return other.group->exporter == group.exporter && group.sampledMs != 0 &&
                   other.group->sampledMs > group.sampledMs + sameScrapeMs;
        });
        if (isLatest || isHolderOnly(group))
            reading.holders.push_back(&group);
    }
    if (reading.sampledMs == 0) // nothing reported but the series themselves
        reading.sampledMs = freshest != 0 ? freshest : groups.front().group->timeMs();
}

} // namespace tongchi
