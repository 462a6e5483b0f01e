#include "platform/simulator/exporter_selection.h"

#include "platform/simulator/exporter_series.h"
#include "platform/simulator/fleet_encoding.h"
#include "platform/simulator/fleet_hash.h"

#include <algorithm>
#include <limits>

namespace tongchi {

ExporterSelection::ExporterSelection(const FleetPlan &plan, PromSymbols &symbols,
                                     const ExporterValues &values, const std::vector<PromMatcher> &matchers,
                                     qint64 fromMs, qint64 toMs)
    : m_plan(plan), m_symbols(symbols), m_values(values), m_labels(plan, symbols), m_fromMs(fromMs),
      m_toMs(toMs), m_oldestMs(plan.start().time_since_epoch().count() - ExporterSeries::retentionMs)
{
    for (const PromMatcher &matcher : matchers) {
        if (matcher.name() == "__name__")
            m_nameFilters.push_back(matcher);
        else
            m_filters.push_back({matcher, symbols.intern(std::string_view(matcher.name())), {}});
    }
}

void ExporterSelection::chooseMetrics(const std::vector<StringId> &names)
{
    for (std::size_t i = 0; i < names.size(); ++i) {
        const ExporterMetric &metric = exporterMetrics()[i];
        const bool wanted =
            std::all_of(m_nameFilters.begin(), m_nameFilters.end(),
                        [&metric](const PromMatcher &matcher) { return matcher.matches(metric.name); });
        if (!wanted)
            continue;
        m_metrics[std::size_t(metric.family)].push_back({quint16(i), names[i]});
        m_some = true;
    }
}

void ExporterSelection::leaveOut(quint16 metric)
{
    m_some = false;
    for (std::vector<Metric> &metrics : m_metrics) {
        std::erase_if(metrics, [metric](const Metric &each) { return each.index == metric; });
        m_some = m_some || !metrics.empty();
    }
}

bool ExporterSelection::isStuck(const SimulatedNode &node)
{
    return node.silent && cardSpec(node.model).vendor == CardVendor::Ascend;
}

ExporterSelection::Span ExporterSelection::nodeSpan(const SimulatedNode &node) const
{
    const Instant silent = m_plan.silentSince(node);
    const bool ends = silent != Instant::max() && !isStuck(node);
    return {m_oldestMs, ends ? silent.time_since_epoch().count() : std::numeric_limits<qint64>::max()};
}

bool ExporterSelection::matches(const List &list)
{
    for (Filter &filter : m_filters) {
        StringId value = 0;
        for (const PromLabel &label : list) {
            if (label.name == filter.name)
                value = label.value; // the last one given wins
        }
        auto known = filter.known.find(value);
        if (known == filter.known.end())
            known = filter.known.emplace(value, filter.matcher.matches(m_symbols.text(value))).first;
        if (!known->second)
            return false;
    }
    return true;
}

void ExporterSelection::addFamily(ExporterFamily family, List &list, quint32 entity, quint16 part, Span span)
{
    const std::vector<Metric> &metrics = of(family);
    if (metrics.empty() || !matches(list))
        return;
    const PromLabels labels = m_symbols.make(list);
    for (const Metric &metric : metrics)
        addSeries(metric, labels, entity, part, span);
}

void ExporterSelection::addSeries(const Metric &metric, const PromLabels &labels, quint32 entity,
                                  quint16 part, Span span)
{
    const ExporterMetric &what = exporterMetrics()[metric.index];
    const bool card = what.family <= ExporterFamily::NpuError || what.family == ExporterFamily::Mlu ||
                      what.family == ExporterFamily::MluCard;
    if (card && !m_values.exists(what.value, *m_node, int(entity - m_node->firstCard), part))
        return;
    std::vector<PromLabel> named;
    named.reserve(labels.all().size() + 1);
    bool placed = false;
    for (const PromLabel &label : labels.all()) {
        if (!placed && m_symbols.text(label.name) > std::string_view("__name__")) {
            named.push_back({m_symbols.metricName(), metric.name});
            placed = true;
        }
        named.push_back(label);
    }
    if (!placed)
        named.push_back({m_symbols.metricName(), metric.name});
    PromSeries series;
    series.labels = std::make_shared<const PromLabels>(std::move(named));
    series.fromMs = span.fromMs;
    series.toMs = span.toMs;
    series.entity = entity;
    series.metric = metric.index;
    series.part = part;
    const bool npu = what.family == ExporterFamily::Npu || what.family == ExporterFamily::NpuError;
    series.lingers = npu;
    if (m_node != nullptr) {
        series.phaseMs = qint32(fleetHash(m_plan.seed(), 2400, m_node->firstCard) % ExporterSeries::scrapeMs);
        series.stuck = npu && isStuck(*m_node);
    }
    m_series.push_back(std::move(series));
}

template <typename Take> void ExporterSelection::forEachPod(quint32 seatIndex, Span span, Take take) const
{
    const PodSeat &seat = m_plan.seats()[seatIndex];
    // On a lost node no pod is replaced any more after it was lost.
    const qint64 from = std::max(m_fromMs, span.fromMs);
    const qint64 to =
        std::min(m_toMs, span.toMs == std::numeric_limits<qint64>::max() ? span.toMs : span.toMs - 1);
    for (qint64 ms = from; ms <= to;) {
        const SeatPod pod = m_plan.podAt(seat, ms);
        take(pod, Span{std::max(span.fromMs, pod.startMs), std::min(span.toMs, pod.endMs)});
        ms = pod.endMs;
    }
}

void ExporterSelection::addDcgmCard(const SimulatedNode &node, int slot, ExporterLabels::Site site,
                                    quint16 part, int instance)
{
    List base;
    base.reserve(24);
    m_labels.dcgmCard(base, node, slot, site);
    if (instance >= 0)
        m_labels.migInstance(base, node, instance);
    const quint32 card = node.firstCard + quint32(slot);
    const Span span = nodeSpan(node);
    const auto both = [&](List &list, Span when) {
        addFamily(ExporterFamily::Dcgm, list, card, part, when);
        if (cardSpec(node.model).profiling)
            addFamily(ExporterFamily::DcgmProfile, list, card, part, when);
    };
    bool held = false;
    // The kubelet's pod resources tell nothing about cards that HAMi lends.
    const bool mapped = !isHamiNvidia(node.encoding) && site != ExporterLabels::Site::SecondDcgm;
    for (quint32 i = node.firstSeat; mapped && i < node.firstSeat + node.seats; ++i) {
        const PodSeat &seat = m_plan.seats()[i];
        if (slot < seat.firstSlot || slot >= seat.firstSlot + seat.cards)
            continue;
        if (isMig(node.encoding) && instance != seat.share)
            continue;
        held = true;
        forEachPod(i, span, [&](const SeatPod &pod, Span when) {
            List list = base;
            m_labels.dcgmPod(list, node, i, pod);
            both(list, when);
        });
    }
    if (!held)
        both(base, span);
}

void ExporterSelection::addDcgm(const SimulatedNode &node)
{
    if (of(ExporterFamily::Dcgm).empty() && of(ExporterFamily::DcgmProfile).empty())
        return;
    for (int slot = 0; slot < node.cards; ++slot) {
        // "Flex" exporters show instances only, the others card and instances.
        if (node.encoding != CardEncoding::MigSingle)
            addDcgmCard(node, slot, ExporterLabels::Site::Dcgm, ExporterPart::whole, -1);
        for (int instance = 0; instance < migInstanceCount(node.encoding); ++instance)
            addDcgmCard(node, slot, ExporterLabels::Site::Dcgm, ExporterPart::instance(instance), instance);
        if (m_values.hasSecondExporter(node) && !isMig(node.encoding))
            addDcgmCard(node, slot, ExporterLabels::Site::SecondDcgm, ExporterPart::secondExporter, -1);
    }
}

void ExporterSelection::addNpu(const SimulatedNode &node)
{
    const Span span = nodeSpan(node);
    const bool cards = !of(ExporterFamily::Npu).empty() || !of(ExporterFamily::NpuError).empty();
    for (int slot = 0; cards && slot < node.cards; ++slot) {
        List base;
        base.reserve(16);
        m_labels.npuCard(base, node, slot);
        const quint32 card = node.firstCard + quint32(slot);
        const auto both = [&](List &list, Span when) {
            addFamily(ExporterFamily::Npu, list, card, 0, when);
            if (slot == node.faultySlot)
                addFamily(ExporterFamily::NpuError, list, card, 0, when);
        };
        const PodSeat *holder = nullptr;
        quint32 holderIndex = 0;
        int holders = 0;
        for (quint32 i = node.firstSeat; i < node.firstSeat + node.seats; ++i) {
            const PodSeat &seat = m_plan.seats()[i];
            if (slot < seat.firstSlot || slot >= seat.firstSlot + seat.cards)
                continue;
            holder = &seat;
            holderIndex = i;
            ++holders;
        }
        // A chip cut into vNPUs belongs to no one container.
        if (holder == nullptr || holders > 1) {
            both(base, span);
            continue;
        }
        forEachPod(holderIndex, span, [&](const SeatPod &pod, Span when) {
            List list = base;
            m_labels.npuPod(list, node, holderIndex, pod);
            both(list, when);
        });
    }
    List list;
    m_labels.target(list, node, ExporterLabels::Site::Npu);
    addFamily(ExporterFamily::NpuNode, list, quint32(&node - m_plan.nodes().data()), 0, span);
}

void ExporterSelection::addMluCard(const SimulatedNode &node, int slot)
{
    const Span span = nodeSpan(node);
    const quint32 card = node.firstCard + quint32(slot);
    List base;
    base.reserve(20);
    m_labels.mluCard(base, node, slot);
    addFamily(ExporterFamily::Mlu, base, card, ExporterPart::whole, span);
    List health = base;
    if (slot == node.faultySlot)
        m_labels.add(health, "unhealth_reason", "Device lost heartbeat");
    addFamily(ExporterFamily::MluCard, health, card, ExporterPart::whole, span);
    bool held = false;
    for (quint32 i = node.firstSeat; i < node.firstSeat + node.seats; ++i) {
        const PodSeat &seat = m_plan.seats()[i];
        if (slot < seat.firstSlot || slot >= seat.firstSlot + seat.cards)
            continue;
        held = true;
        const bool dynamic = node.encoding == CardEncoding::MluDynamic;
        if (dynamic) {
            List list = base;
            m_labels.mluFunction(list, node, slot, seat.share);
            addFamily(ExporterFamily::Mlu, list, card, ExporterPart::instance(seat.share), span);
        }
        forEachPod(i, span, [&](const SeatPod &pod, Span when) {
            // A dynamic allocation is listed once for its cores and once for its memory.
            for (const char *kind : {".smlu.vcore", ".smlu.vmemory"}) {
                List list = base;
                if (dynamic) {
                    m_labels.add(list, "type", QByteArray("mlu370") + kind);
                    m_labels.add(list, "vf", QByteArray::number(seat.share + 1));
                }
                m_labels.mluPod(list, node, i, pod);
                addFamily(ExporterFamily::MluContainer, list, card, 1, when);
                if (!dynamic)
                    break;
            }
        });
    }
    if (!held)
        addFamily(ExporterFamily::MluContainer, base, card, 0, span);
}

void ExporterSelection::addMlu(const SimulatedNode &node)
{
    const bool cards = !of(ExporterFamily::Mlu).empty() || !of(ExporterFamily::MluCard).empty() ||
                       !of(ExporterFamily::MluContainer).empty();
    for (int slot = 0; cards && slot < node.cards; ++slot)
        addMluCard(node, slot);
    List list;
    m_labels.target(list, node, ExporterLabels::Site::Mlu);
    m_labels.add(list, "node", node.name);
    addFamily(ExporterFamily::MluNode, list, quint32(&node - m_plan.nodes().data()), 0, nodeSpan(node));
}

void ExporterSelection::addNode(quint32 nodeIndex)
{
    const SimulatedNode &node = m_plan.nodes()[nodeIndex];
    m_node = &node;
    const ExporterLabels::Site site = ExporterLabels::siteOf(node);
    switch (site) {
    case ExporterLabels::Site::Npu:
        addNpu(node);
        break;
    case ExporterLabels::Site::Mlu:
        addMlu(node);
        break;
    default:
        addDcgm(node);
    }
    constexpr Span always{0, std::numeric_limits<qint64>::max()};
    if (!of(ExporterFamily::Target).empty()) {
        List list;
        m_labels.target(list, node, site);
        addFamily(ExporterFamily::Target, list, nodeIndex, 0, {m_oldestMs, always.toMs});
        if (site == ExporterLabels::Site::Dcgm && m_values.hasSecondExporter(node) && !isMig(node.encoding)) {
            List second;
            m_labels.target(second, node, ExporterLabels::Site::SecondDcgm);
            addFamily(ExporterFamily::Target, second, nodeIndex, 0, {m_oldestMs, always.toMs});
        }
    }
    addKube(nodeIndex);
}

} // namespace tongchi
