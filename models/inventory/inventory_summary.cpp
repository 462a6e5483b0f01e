#include "models/inventory/inventory_summary.h"

#include <cmath>
#include <vector>

namespace tongchi {
namespace {

struct Tally
{
    double sum = 0;
    std::uint32_t count = 0;
    void add(double value)
    {
        if (!std::isnan(value)) {
            sum += value;
            ++count;
        }
    }
    double mean() const { return count ? sum / count : 0; }
};

} // namespace

InventorySummary summarize(const CardStore &store, Instant now, FreshnessLimits limits)
{
    InventorySummary summary;
    summary.cards = store.cardCount();
    std::vector<std::uint8_t> nodeSeen(store.nodeSlots(), 0);
    std::vector<std::uint8_t> stringSeen(store.strings().size(), 0); // bit 1: region, bit 2: workload
    Tally utilization, used, total, power, temperature;
    const CardIndex end = store.cardSlots();
    for (CardIndex card = 0; card < end; ++card) {
        if (!store.isUsed(card))
            continue;
        const std::uint32_t nodeIndex = store.nodeIndexOf(card);
        if (!nodeSeen[nodeIndex]) {
            nodeSeen[nodeIndex] = 1;
            ++summary.nodes;
            const StringId region = store.node(nodeIndex).facts.region;
            if (region && region < stringSeen.size() && !(stringSeen[region] & 1)) {
                stringSeen[region] |= 1;
                ++summary.regions;
            }
        }
        const CardCondition condition = conditionOf(store, card);
        summary.faulty += condition == CardCondition::Fault;
        summary.offline += condition == CardCondition::Offline;
        summary.hot += condition == CardCondition::Hot;
        summary.available += condition != CardCondition::Fault && condition != CardCondition::Offline;
        summary.schedulable += isSchedulable(store, card);
        const BusinessLabel label = store.labelOf(card);
        summary.labelKnown += label != BusinessLabel::Unknown;
        summary.idle += label == BusinessLabel::Idle;
        const StringId workload = store.workloadText(card);
        if (workload && workload < stringSeen.size() && !(stringSeen[workload] & 2)) {
            stringSeen[workload] |= 2;
            ++summary.workloads;
        }
        if (const auto bytes = store.memoryBytesOf(card))
            total.add(double(*bytes));
        const auto at = store.sampledAt(card);
        if (!at)
            continue;
        if (!summary.oldestSample || *at < *summary.oldestSample)
            summary.oldestSample = at;
        if (!summary.newestSample || *at > *summary.newestSample)
            summary.newestSample = at;
        const auto age = now - *at;
        if (condition != CardCondition::Offline)
            summary.stale += age > limits.late;
        if (age > limits.drawable || condition == CardCondition::Offline)
            continue;
        utilization.add(double(store.utilizationOf(card)));
        if (const auto bytes = store.memoryUsedBytesOf(card))
            used.add(double(*bytes));
        power.add(double(store.powerOf(card)));
        temperature.add(double(store.temperatureOf(card)));
    }
    summary.utilizationMean = utilization.mean();
    summary.utilizationReported = utilization.count;
    summary.memoryUsedBytes = used.sum;
    summary.memoryUsedReported = used.count;
    summary.memoryTotalBytes = total.sum;
    summary.memoryTotalKnown = total.count;
    summary.powerWatts = power.sum;
    summary.powerReported = power.count;
    summary.temperatureMean = temperature.mean();
    summary.temperatureReported = temperature.count;
    for (const quint32 id : store.clusters()) {
        const ClusterStatus *status = store.status(id);
        ++summary.clusters;
        const bool silent =
            !status || !status->complete ||
            (status->kubernetes.state != SourceState::Live && status->kubernetes.state != SourceState::Late);
        summary.clustersSilent += silent;
        summary.complete = summary.complete && !silent;
    }
    return summary;
}

} // namespace tongchi
