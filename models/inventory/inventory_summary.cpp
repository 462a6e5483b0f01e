#include "models/inventory/inventory_summary.h"

#include "models/common/formatting.h"

#include <algorithm>
#include <cmath>

namespace tongchi {
namespace {

constexpr std::uint8_t seenAsRegion = 1, seenAsWorkload = 2;

/// Whether this is the first time; `seen` grows for what came after the pass began.
bool isNew(std::vector<std::uint8_t> &seen, std::size_t index, std::uint8_t as)
{
    if (index >= seen.size())
        seen.resize(index + 1, 0);
    const bool first = !(seen[index] & as);
    seen[index] |= as;
    return first;
}

} // namespace

void SummaryPass::Tally::add(double value)
{
    if (!std::isnan(value)) {
        sum += value;
        ++count;
    }
}

SummaryPass::SummaryPass(const CardStore &store, FreshnessLimits limits) : m_store(store), m_limits(limits) {}

void SummaryPass::begin(Instant now)
{
    m_now = now;
    m_next = {};
    m_utilization = m_used = m_total = m_power = m_temperature = {};
    m_nodeSeen.assign(m_store.nodeSlots(), 0);
    m_stringSeen.assign(m_store.strings().size(), 0);
    m_card = 0;
    m_running = true;
}

bool SummaryPass::step(CardIndex cards)
{
    const CardIndex slots = m_store.cardSlots();
    const CardIndex end = slots - std::min(slots, m_card) > cards ? m_card + cards : slots;
    for (; m_card < end; ++m_card) {
        if (m_store.isUsed(m_card))
            look(m_card);
    }
    if (m_card < slots)
        return false;
    finish();
    return true;
}

void SummaryPass::look(CardIndex card)
{
    ++m_next.cards;
    const std::uint32_t nodeIndex = m_store.nodeIndexOf(card);
    if (isNew(m_nodeSeen, nodeIndex, 1)) {
        ++m_next.nodes;
        const StringId region = m_store.node(nodeIndex).facts.region;
        m_next.regions += region && isNew(m_stringSeen, region, seenAsRegion);
    }
    const CardCondition condition = conditionOf(m_store, card);
    const bool offline = condition == CardCondition::Offline;
    m_next.faulty += condition == CardCondition::Fault;
    m_next.offline += offline;
    m_next.hot += condition == CardCondition::Hot;
    m_next.available += condition != CardCondition::Fault && !offline;
    m_next.schedulable += isSchedulable(m_store, card);
    const BusinessLabel label = m_store.labelOf(card);
    m_next.labelKnown += !offline && label != BusinessLabel::Unknown;
    m_next.idle += !offline && label == BusinessLabel::Idle;
    const StringId workload = m_store.workloadText(card);
    m_next.workloads += workload && isNew(m_stringSeen, workload, seenAsWorkload);
    const auto memory = m_store.memoryBytesOf(card);
    if (memory)
        m_total.add(nominalGigabytes(*memory));
    const auto at = m_store.sampledAt(card);
    if (!at)
        return;
    if (!m_next.oldestSample || *at < *m_next.oldestSample)
        m_next.oldestSample = at;
    if (!m_next.newestSample || *at > *m_next.newestSample)
        m_next.newestSample = at;
    const auto age = m_now - *at;
    m_next.stale += !offline && age > m_limits.late;
    if (age > m_limits.drawable || offline)
        return;
    m_utilization.add(double(m_store.utilizationOf(card)));
    if (const auto bytes = m_store.memoryUsedBytesOf(card))
        m_used.add(usedGigabytes(*bytes, memory));
    m_power.add(double(m_store.powerOf(card)));
    m_temperature.add(double(m_store.temperatureOf(card)));
}

void SummaryPass::finish()
{
    m_running = false;
    m_next.utilizationMean = m_utilization.mean();
    m_next.utilizationReported = m_utilization.count;
    m_next.memoryUsedGigabytes = m_used.sum;
    m_next.memoryUsedReported = m_used.count;
    m_next.memoryTotalGigabytes = m_total.sum;
    m_next.memoryTotalKnown = m_total.count;
    m_next.powerWatts = m_power.sum;
    m_next.powerReported = m_power.count;
    m_next.temperatureMean = m_temperature.mean();
    m_next.temperatureReported = m_temperature.count;
    for (const quint32 id : m_store.clusters()) {
        const ClusterStatus *status = m_store.status(id);
        ++m_next.clusters;
        const bool silent =
            !status || !status->complete ||
            (status->kubernetes.state != SourceState::Live && status->kubernetes.state != SourceState::Late);
        m_next.clustersSilent += silent;
        m_next.complete = m_next.complete && !silent;
    }
    m_summary = m_next;
}

} // namespace tongchi
