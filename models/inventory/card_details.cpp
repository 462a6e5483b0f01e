#include "models/inventory/card_details.h"

#include "models/inventory/inventory_text.h"
#include "models/inventory/source_text.h"
#include "platform/core/text_encoding.h"

#include <cmath>

namespace tongchi {
namespace {

QString visible(const StringPool &strings, StringId id)
{
    return visibleText(strings.text(id));
}

/// What the platform says of a card, in the interface's language.
QString told(const StringPool &strings, StringId id)
{
    return visibleText(sourceText(strings.text(id)));
}

/// Long texts from outside are cut for showing; copy and export keep them whole.
QString shortened(const QString &text, qsizetype most = 300)
{
    return text.size() > most ? text.left(most) + QChar(0x2026) : text;
}

/// What the one word of the health column rests on.
QString healthSource(const CardStore &store, CardIndex card, const CardRecord &record,
                     const QString &exporter)
{
    switch (conditionOf(store, card)) {
    case CardCondition::Offline:
        return InventoryText::tr("condition Ready of the node");
    case CardCondition::Cordoned:
        return QStringLiteral("spec.unschedulable");
    case CardCondition::Tainted:
        return InventoryText::tr("taint of the node");
    case CardCondition::Hot:
        return InventoryText::tr("its temperature");
    default:
        return record.healthSource ? told(store.strings(), record.healthSource) : exporter;
    }
}

} // namespace

CardDetails cardDetails(const CellContext &context, CardIndex card, const SourceNamer &namer)
{
    const CardStore &store = context.store;
    CardDetails details;
    if (card == noCard || !store.isUsed(card))
        return details;
    details.exists = true;
    const StringPool &strings = store.strings();
    const CardRecord record = store.details(card);
    const StoredNode &node = store.node(store.nodeIndexOf(card));
    const ClusterStatus *status = store.status(node.clusterId);
    const Formatting &format = context.formatting;

    const CardCell title = cardCell(context, card, CardColumn::Card);
    details.title = title.text;
    details.vendorIcon = title.icon;
    details.vendorTone = title.iconTone;
    if (const auto memory = store.memoryBytesOf(card))
        details.subtitle = nominalGigabytesText(*memory) + QStringLiteral(" GB");
    details.place = visible(strings, node.facts.name) + QStringLiteral(" / ") + QString::number(record.slot);
    if (node.facts.region)
        details.place += QStringLiteral(" · ") + regionText(strings.text(node.facts.region));
    details.label = cardCell(context, card, CardColumn::Label);
    details.health = cardCell(context, card, CardColumn::Health);
    details.age = cardCell(context, card, CardColumn::Age).text;

    const std::uint8_t source = store.telemetrySourceOf(card);
    const auto sourceName = [&](const char *quantity) {
        return namer && store.sampledAt(card) ? namer(source, quantity) : QString();
    };
    const auto measured = [&](CardColumn column, const char *quantity) {
        const CardCell cell = cardCell(context, card, column);
        DetailRow row{columnTitle(column), cell.text, sourceName(quantity), {}, cell.tone};
        if (!cell.text.isEmpty() && !cell.unit.isEmpty())
            row.value += u' ' + cell.unit;
        if (!cell.struck)
            row.age = details.age;
        else
            row.value.clear();
        if (row.value.isEmpty())
            row.age.clear();
        return row;
    };
    details.measured << measured(CardColumn::Utilization, "utilization")
                     << measured(CardColumn::Memory, "memory_used")
                     << measured(CardColumn::Temperature, "temperature")
                     << measured(CardColumn::Power, "power");

    const auto property = [&details](const QString &label, const QString &value, const QString &from = {}) {
        if (!value.isEmpty())
            details.properties << DetailRow{label, shortened(value), shortened(from), {}, CellTone::Primary};
    };
    property(InventoryText::tr("Reported model"), visible(strings, record.modelReported),
             told(strings, record.modelSource));
    property(columnTitle(CardColumn::Variant), visible(strings, record.variant));
    if (const auto memory = store.memoryBytesOf(card)) {
        property(InventoryText::tr("Own memory"),
                 format.locale().toString(double(*memory) / (1024.0 * 1024 * 1024), 'f', 1) +
                     QStringLiteral(" GiB"),
                 record.memorySource ? told(strings, record.memorySource) : sourceName("memory_total"));
    } else {
        details.properties << DetailRow{
            InventoryText::tr("Own memory"), {}, told(strings, record.memorySource), {}, CellTone::Primary};
    }
    property(InventoryText::tr("Health"), details.health.text,
             healthSource(store, card, record, sourceName("health")));
    property(InventoryText::tr("Health reason"), told(strings, record.healthReason));
    property(columnTitle(CardColumn::Uuid), visibleText(QString::fromStdString(store.uuidOf(card))));
    property(columnTitle(CardColumn::Driver), visible(strings, record.driver));
    property(InventoryText::tr("Resource"), visible(strings, record.resource));
    if (record.shares > 1)
        property(columnTitle(CardColumn::Shares), format.count(record.shares));
    if (record.numaNode)
        property(columnTitle(CardColumn::Numa), QString::number(*record.numaNode));
    property(InventoryText::tr("Interconnect"), told(strings, record.linkDomain));
    property(InventoryText::tr("Cluster"), status ? visibleText(status->name) : QString());
    property(InventoryText::tr("Node state"),
             usabilityText(node.facts.usability) +
                 (node.facts.usabilityReason
                      ? QStringLiteral(" · ") + told(strings, node.facts.usabilityReason)
                      : QString()));
    if (node.facts.businessLabel != BusinessLabel::Unknown)
        property(InventoryText::tr("Node is kept for"), labelText(node.facts.businessLabel),
                 QStringLiteral("label tongchi.io/business"));
    property(InventoryText::tr("Zone"), visible(strings, node.facts.zone));
    property(InventoryText::tr("Kubelet"), visible(strings, node.facts.kubeletVersion));

    const CardFlags flags = store.flagsOf(card);
    for (int bit = 0; bit < 16; ++bit) {
        if (flags.testFlag(CardFlag(1U << bit)))
            details.flags << flagText(CardFlag(1U << bit));
    }
    for (const CardSlice &slice : store.slicesOf(card)) {
        details.slices << SliceRow{
            visible(strings, slice.name), visible(strings, slice.kind), visible(strings, slice.profile),
            slice.memoryBytes ? nominalGigabytesText(*slice.memoryBytes) + QStringLiteral(" GB") : QString(),
            visible(strings, slice.workload)};
    }
    for (const StringId pod : store.podsOf(card))
        details.pods << visible(strings, pod);
    for (const CardIndex other : node.cards) {
        if (store.isUsed(other))
            details.neighbours << CardDetails::Neighbour{other, store.slotOf(other),
                                                         store.utilizationOf(other), other == card};
    }
    QStringList facts{InventoryText::tr("%n card(s)", "on one node", node.facts.cards)};
    if (node.facts.withdrawn)
        facts << InventoryText::tr("%n withdrawn", "cards that the node does not offer",
                                   node.facts.withdrawn);
    if (status && status->isHeldKnown())
        facts << InventoryText::tr("%n held", "cards held by pods", node.facts.held)
              << InventoryText::tr("%n free", "cards that may be taken", node.facts.free);
    details.nodeFacts = facts.join(QStringLiteral(" · "));
    details.nodeNote = shortened(told(strings, node.facts.note));
    return details;
}

} // namespace tongchi
