#include "models/inventory/card_cell.h"

#include "models/inventory/inventory_text.h"
#include "platform/core/text_encoding.h"

#include <cmath>

namespace tongchi {
namespace {

QString shown(const StringPool &strings, StringId id)
{
    return id ? visibleText(strings.text(id)) : QString();
}

CellTone vendorTone(Vendor vendor)
{
    switch (vendor) {
    case Vendor::Nvidia:
        return CellTone::Nvidia;
    case Vendor::Ascend:
        return CellTone::Ascend;
    case Vendor::Cambricon:
        return CellTone::Cambricon;
    case Vendor::Other:
        return CellTone::OtherVendor;
    }
    return CellTone::OtherVendor;
}

const char *vendorIcon(Vendor vendor)
{
    switch (vendor) {
    case Vendor::Nvidia:
        return "vendor-nvidia";
    case Vendor::Ascend:
        return "vendor-ascend";
    case Vendor::Cambricon:
        return "vendor-cambricon";
    case Vendor::Other:
        return "vendor-other";
    }
    return "vendor-other";
}

void labelCell(CardCell &cell, BusinessLabel label)
{
    cell.text = label == BusinessLabel::Unknown ? QString() : labelText(label);
    switch (label) {
    case BusinessLabel::Unknown:
        cell.tone = CellTone::Tertiary;
        return;
    case BusinessLabel::Idle:
        cell.icon = "label-idle";
        cell.tone = CellTone::Idle;
        break;
    case BusinessLabel::Inference:
        cell.icon = "label-inference";
        cell.tone = CellTone::Inference;
        break;
    case BusinessLabel::Training:
        cell.icon = "label-training";
        cell.tone = CellTone::Training;
        break;
    case BusinessLabel::Mixed:
        cell.icon = "label-mixed";
        cell.tone = CellTone::Mixed;
        break;
    }
    cell.iconTone = cell.tone;
}

void conditionCell(CardCell &cell, CardCondition condition)
{
    cell.text = conditionText(condition);
    cell.tone = CellTone::Secondary;
    switch (condition) {
    case CardCondition::Healthy:
        return;
    case CardCondition::NotReported:
        cell.tone = CellTone::Tertiary;
        return;
    case CardCondition::Offline:
        cell.icon = "status-offline";
        cell.tone = CellTone::Neutral;
        break;
    case CardCondition::Fault:
        cell.icon = "status-critical";
        cell.tone = CellTone::Crit;
        break;
    case CardCondition::Hot:
        cell.icon = "status-warning";
        cell.tone = CellTone::Warn;
        break;
    case CardCondition::OutOfService:
    case CardCondition::Cordoned:
    case CardCondition::Tainted:
        cell.icon = "cordon";
        cell.tone = CellTone::Neutral;
        break;
    }
    cell.iconTone = cell.tone;
}

struct Age
{
    Freshness freshness = Freshness::Never;
    std::chrono::milliseconds value{};
    bool drawable = false;
};

Age ageOf(const CellContext &context, CardIndex card)
{
    const auto at = context.store.sampledAt(card);
    Age age;
    age.freshness = freshnessOf(at, context.now, context.limits);
    if (at) {
        age.value = std::max(std::chrono::milliseconds(0),
                             std::chrono::duration_cast<std::chrono::milliseconds>(context.now - *at));
        age.drawable = age.value <= context.limits.drawable;
    }
    return age;
}

bool isSilentNode(const CardStore &store, CardIndex card)
{
    const NodeUsability usability = store.node(store.nodeIndexOf(card)).facts.usability;
    return usability == NodeUsability::NotReady || usability == NodeUsability::NoContact;
}

} // namespace

const char *columnKey(CardColumn column)
{
    switch (column) {
    case CardColumn::Card:
        return "card";
    case CardColumn::Node:
        return "node";
    case CardColumn::Region:
        return "region";
    case CardColumn::Label:
        return "label";
    case CardColumn::Utilization:
        return "utilization";
    case CardColumn::Memory:
        return "memory";
    case CardColumn::Temperature:
        return "temperature";
    case CardColumn::Power:
        return "power";
    case CardColumn::Health:
        return "health";
    case CardColumn::Workload:
        return "workload";
    case CardColumn::Age:
        return "age";
    case CardColumn::Cluster:
        return "cluster";
    case CardColumn::Variant:
        return "variant";
    case CardColumn::Vendor:
        return "vendor";
    case CardColumn::Uuid:
        return "uuid";
    case CardColumn::Shares:
        return "shares";
    case CardColumn::Slices:
        return "slices";
    case CardColumn::Numa:
        return "numa";
    case CardColumn::Driver:
        return "driver";
    }
    return "";
}

QString columnTitle(CardColumn column)
{
    switch (column) {
    //: Column of the card table: model of the card.
    case CardColumn::Card:
        return InventoryText::tr("Card");
    case CardColumn::Node:
        return InventoryText::tr("Node / slot");
    case CardColumn::Region:
        return InventoryText::tr("Region");
    //: Column: business label.
    case CardColumn::Label:
        return InventoryText::tr("Label");
    case CardColumn::Utilization:
        return InventoryText::tr("Utilisation");
    case CardColumn::Memory:
        return InventoryText::tr("Memory");
    //: Column, narrow: temperature.
    case CardColumn::Temperature:
        return InventoryText::tr("Temp");
    case CardColumn::Power:
        return InventoryText::tr("Power");
    case CardColumn::Health:
        return InventoryText::tr("Health");
    case CardColumn::Workload:
        return InventoryText::tr("Workload");
    //: Column, narrow: age of the newest sample.
    case CardColumn::Age:
        return InventoryText::tr("Age");
    case CardColumn::Cluster:
        return InventoryText::tr("Cluster");
    //: Column: variant of the model, such as 910B3.
    case CardColumn::Variant:
        return InventoryText::tr("Variant");
    case CardColumn::Vendor:
        return InventoryText::tr("Vendor");
    case CardColumn::Uuid:
        return InventoryText::tr("UUID");
    //: Column: how many tasks may share the card.
    case CardColumn::Shares:
        return InventoryText::tr("Shares");
    //: Column: MIG, vNPU or sMLU slices of the card.
    case CardColumn::Slices:
        return InventoryText::tr("Slices");
    case CardColumn::Numa:
        return InventoryText::tr("NUMA");
    case CardColumn::Driver:
        return InventoryText::tr("Driver");
    }
    return {};
}

QString modelText(const CardStore &store, std::uint16_t modelIndex)
{
    const ModelFacts &facts = store.model(modelIndex);
    const QString model = visibleText(store.strings().text(facts.model));
    if (facts.vendor == Vendor::Ascend && model.startsWith(QLatin1String("Ascend ")))
        return vendorText(facts.vendor, {}) + model.mid(6);
    return model;
}

QByteArray utilizationSparkline(const CardStore &store, CardIndex card)
{
    int first = 0;
    const auto ring = store.utilizationHistory(card, first);
    if (ring.empty())
        return {};
    QByteArray line(qsizetype(ring.size()), Qt::Uninitialized);
    for (std::size_t i = 0; i < ring.size(); ++i)
        line[qsizetype(i)] = char(ring[(std::size_t(first) + i) % ring.size()]);
    return line;
}

CardCell cardCell(const CellContext &context, CardIndex card, CardColumn column)
{
    const CardStore &store = context.store;
    const StringPool &strings = store.strings();
    const StoredNode &node = store.node(store.nodeIndexOf(card));
    CardCell cell;
    switch (column) {
    case CardColumn::Card: {
        const std::uint16_t model = store.modelIndexOf(card);
        cell.text = modelText(store, model);
        cell.icon = vendorIcon(store.model(model).vendor);
        cell.iconTone = vendorTone(store.model(model).vendor);
        break;
    }
    case CardColumn::Node:
        cell.text =
            shown(strings, node.facts.name) + QStringLiteral(" / ") + QString::number(store.slotOf(card));
        cell.tone = CellTone::Secondary;
        break;
    case CardColumn::Region:
        cell.text = regionText(strings.text(node.facts.region));
        cell.tone = CellTone::Secondary;
        break;
    case CardColumn::Label:
        labelCell(cell, store.labelOf(card));
        cell.pending = context.pending && context.pending->businessLabel.has_value();
        break;
    case CardColumn::Utilization: {
        if (isSilentNode(store, card)) {
            cell.struck = true;
            cell.text = conditionText(CardCondition::Offline);
            cell.icon = "status-offline";
            cell.tone = CellTone::Neutral;
            cell.iconTone = CellTone::Neutral;
            break;
        }
        const Age age = ageOf(context, card);
        const float value = store.utilizationOf(card);
        cell.dimmed = age.freshness == Freshness::LastKnown;
        if (!std::isnan(value) && age.drawable) {
            cell.text = context.formatting.percent(double(value));
            cell.fraction = std::min(1.0F, std::max(0.0F, value / 100.0F));
        }
        cell.sparkline = utilizationSparkline(store, card);
        break;
    }
    case CardColumn::Memory: {
        const Age age = ageOf(context, card);
        const bool silent = isSilentNode(store, card);
        const auto total = store.memoryBytesOf(card);
        const auto used = age.drawable && !silent ? store.memoryUsedBytesOf(card) : std::nullopt;
        const QString pair = context.formatting.memoryPair(used, total);
        const auto slash = pair.indexOf(QLatin1String(" / "));
        cell.text = used ? pair.left(slash) : QString();
        cell.unit = total ? pair.mid(slash + 1) : QString();
        cell.dimmed = used && age.freshness == Freshness::LastKnown;
        if (used && total && *total > 0)
            cell.fraction = float(std::min(1.0, double(*used) / double(*total)));
        break;
    }
    case CardColumn::Temperature: {
        const Age age = ageOf(context, card);
        const float value = store.temperatureOf(card);
        if (!std::isnan(value) && age.drawable && !isSilentNode(store, card)) {
            cell.text = context.formatting.locale().toString(double(value), 'f', 0);
            cell.unit = QStringLiteral("°C");
            if (conditionOf(store, card) == CardCondition::Hot)
                cell.tone = CellTone::Warn;
            cell.dimmed = age.freshness == Freshness::LastKnown;
        }
        break;
    }
    case CardColumn::Power: {
        const Age age = ageOf(context, card);
        const float value = store.powerOf(card);
        if (!std::isnan(value) && age.drawable && !isSilentNode(store, card)) {
            cell.text = context.formatting.locale().toString(double(value), 'f', 0);
            cell.unit = QStringLiteral("W");
            cell.dimmed = age.freshness == Freshness::LastKnown;
        }
        break;
    }
    case CardColumn::Health:
        conditionCell(cell, conditionOf(store, card));
        if (context.pending && context.pending->unschedulable) {
            cell.pending = true;
            cell.icon = nullptr;
            cell.text = *context.pending->unschedulable ? conditionText(CardCondition::Cordoned)
                                                        : usabilityText(NodeUsability::Usable);
        }
        break;
    case CardColumn::Workload:
        cell.text = shown(strings, store.workloadText(card));
        break;
    case CardColumn::Age: {
        const Age age = ageOf(context, card);
        cell.tone = CellTone::Tertiary;
        if (age.freshness == Freshness::Never || isSilentNode(store, card))
            break;
        cell.text = context.formatting.age(age.value);
        if (age.freshness == Freshness::Late)
            cell.tone = CellTone::Secondary;
        if (age.freshness == Freshness::LastKnown) {
            cell.tone = CellTone::Warn;
            cell.icon = "status-stale";
            cell.iconTone = CellTone::Warn;
        }
        break;
    }
    case CardColumn::Cluster:
        if (const ClusterStatus *status = store.status(node.clusterId))
            cell.text = visibleText(status->name);
        cell.tone = CellTone::Secondary;
        break;
    case CardColumn::Variant:
        cell.text = shown(strings, store.model(store.modelIndexOf(card)).variant);
        cell.tone = CellTone::Secondary;
        break;
    case CardColumn::Vendor: {
        const ModelFacts &facts = store.model(store.modelIndexOf(card));
        cell.text = vendorText(facts.vendor, strings.text(facts.vendorName));
        cell.tone = CellTone::Secondary;
        break;
    }
    case CardColumn::Uuid:
        cell.text = visibleText(QString::fromStdString(store.uuidOf(card)));
        cell.tone = CellTone::Secondary;
        break;
    case CardColumn::Shares:
        if (store.sharesOf(card) > 1)
            cell.text = context.formatting.count(store.sharesOf(card));
        break;
    case CardColumn::Slices:
        if (const auto slices = store.slicesOf(card); !slices.empty())
            cell.text = context.formatting.count(qint64(slices.size()));
        break;
    case CardColumn::Numa:
        if (const auto numa = store.details(card).numaNode)
            cell.text = QString::number(*numa);
        break;
    case CardColumn::Driver:
        cell.text = shown(strings, store.details(card).driver);
        cell.tone = CellTone::Secondary;
        break;
    }
    return cell;
}

QString cardToolTip(const CellContext &context, CardIndex card, CardColumn column)
{
    const CardCell cell = cardCell(context, card, column);
    QStringList lines{columnTitle(column) + QStringLiteral(": ") +
                      (cell.text.isEmpty()
                           ? InventoryText::tr("not reported")
                           : cell.text + (cell.unit.isEmpty() ? QString() : u' ' + cell.unit))};
    const bool measured = column == CardColumn::Utilization || column == CardColumn::Memory ||
                          column == CardColumn::Temperature || column == CardColumn::Power ||
                          column == CardColumn::Age;
    if (measured) {
        const Age age = ageOf(context, card);
        if (age.freshness == Freshness::Never) {
            lines << InventoryText::tr("No sample has ever arrived for this card.");
        } else {
            lines << InventoryText::tr("Sampled %1 ago.").arg(context.formatting.duration(age.value));
            if (!age.drawable && column == CardColumn::Utilization &&
                !std::isnan(context.store.utilizationOf(card)))
                lines << InventoryText::tr("Last known: %1")
                             .arg(context.formatting.percent(double(context.store.utilizationOf(card))));
        }
    }
    if (cell.pending)
        lines << InventoryText::tr("Written, not confirmed by the cluster yet.");
    if (column == CardColumn::Health || column == CardColumn::Card) {
        const CardFlags flags = context.store.flagsOf(card);
        for (int bit = 0; bit < 16; ++bit) {
            const auto flag = CardFlag(1U << bit);
            if (flags.testFlag(flag))
                lines << flagText(flag);
        }
    }
    return lines.join(u'\n');
}

QString cardSentence(const CellContext &context, CardIndex card, CardColumn column)
{
    const CardCell cell = cardCell(context, card, column);
    const QString value = cell.text.isEmpty()
                              ? InventoryText::tr("not reported")
                              : cell.text + (cell.unit.isEmpty() ? QString() : u' ' + cell.unit);
    const Age age = ageOf(context, card);
    if (column == CardColumn::Utilization && age.freshness != Freshness::Never) {
        //: For a screen reader: column, value, age. "Utilisation 62%, 2 s old"
        return InventoryText::tr("%1 %2, %3 old")
            .arg(columnTitle(column), value, context.formatting.duration(age.value));
    }
    return columnTitle(column) + u' ' + value;
}

} // namespace tongchi
