#include "models/inventory/facet_model.h"

#include "models/inventory/inventory_text.h"
#include <QMap>
#include <algorithm>

namespace tongchi {
namespace {

void finish(FacetGroup &group, const QList<FilterToken> &tokens, bool byCount)
{
    for (FacetRow &row : group.rows) {
        for (const FilterToken &token : tokens) {
            const bool sameKey =
                token.key == group.key || (row.isVariant && token.key == FilterKey::Variant) ||
                (group.key == FilterKey::Model && token.key == FilterKey::Variant && row.isVariant);
            if (token.error || !sameKey || (token.key == FilterKey::Variant) != row.isVariant)
                continue;
            if (token.values.contains(row.key))
                (token.negated ? row.excluded : row.chosen) = true;
        }
    }
    group.rows.removeIf([](const FacetRow &row) { return row.count == 0 && !row.chosen && !row.excluded; });
    if (byCount)
        std::stable_sort(group.rows.begin(), group.rows.end(),
                         [](const FacetRow &a, const FacetRow &b) { return a.count > b.count; });
    std::uint32_t most = 0;
    for (const FacetRow &row : group.rows)
        most = std::max(most, row.count);
    for (FacetRow &row : group.rows)
        row.share = most ? double(row.count) / most : 0;
}

} // namespace

FacetModel::FacetModel(const CardTableModel &table, QObject *parent) : QObject(parent), m_table(table)
{
    connect(&m_table, &CardTableModel::facetsChanged, this, &FacetModel::refresh);
    refresh();
}

void FacetModel::refresh()
{
    const CardStore &store = m_table.store();
    const StringPool &strings = store.strings();
    const FacetCounts &counts = m_table.facets();
    const QList<FilterToken> &tokens = m_table.filter();
    m_groups.clear();

    const auto vendorCellTone = [](Vendor vendor) {
        return vendor == Vendor::Nvidia      ? CellTone::Nvidia
               : vendor == Vendor::Ascend    ? CellTone::Ascend
               : vendor == Vendor::Cambricon ? CellTone::Cambricon
                                             : CellTone::OtherVendor;
    };
    const auto vendorCellIcon = [](Vendor vendor) {
        return vendor == Vendor::Nvidia      ? "vendor-nvidia"
               : vendor == Vendor::Ascend    ? "vendor-ascend"
               : vendor == Vendor::Cambricon ? "vendor-cambricon"
                                             : "vendor-other";
    };

    FacetGroup vendors{FilterKey::Vendor, InventoryText::tr("Vendor"), {}};
    QMap<QString, std::pair<ModelFacts, std::uint32_t>> byVendor;
    for (std::uint16_t i = 0; i < store.modelCount() && i < counts.byModelAsVendor.size(); ++i) {
        const ModelFacts &facts = store.model(i);
        const QString key = facts.vendor == Vendor::Nvidia      ? QStringLiteral("nvidia")
                            : facts.vendor == Vendor::Ascend    ? QStringLiteral("ascend")
                            : facts.vendor == Vendor::Cambricon ? QStringLiteral("cambricon")
                                                                : strings.text(facts.vendorName).toLower();
        auto &entry = byVendor[key];
        entry.first = facts;
        entry.second += counts.byModelAsVendor[i];
    }
    for (auto it = byVendor.cbegin(); it != byVendor.cend(); ++it) {
        const auto &[facts, count] = it.value();
        vendors.rows << FacetRow{it.key(), vendorText(facts.vendor, strings.text(facts.vendorName)),
                                 vendorCellIcon(facts.vendor), vendorCellTone(facts.vendor), count};
    }
    finish(vendors, tokens, /*byCount=*/true);
    m_groups << vendors;

    FacetGroup regions{FilterKey::Region, InventoryText::tr("Region"), {}};
    for (const auto &[id, count] : counts.byRegion) {
        const QString region = strings.text(id);
        if (!region.isEmpty())
            regions.rows << FacetRow{region.toLower(), regionText(region), "region", CellTone::Tertiary,
                                     count};
    }
    std::sort(regions.rows.begin(), regions.rows.end(),
              [](const FacetRow &a, const FacetRow &b) { return a.key < b.key; });
    finish(regions, tokens, /*byCount=*/true);
    m_groups << regions;

    FacetGroup models{FilterKey::Model, InventoryText::tr("Model"), {}};
    struct ModelCount
    {
        std::uint16_t first = 0;
        std::uint32_t count = 0;
        QMap<QString, std::uint32_t> variants;
    };
    QMap<QString, ModelCount> byModel;
    for (std::uint16_t i = 0; i < store.modelCount() && i < counts.byModel.size(); ++i) {
        const ModelFacts &facts = store.model(i);
        ModelCount &entry = byModel[strings.text(facts.model)];
        entry.first = i;
        entry.count += counts.byModel[i];
        if (facts.variant)
            entry.variants[strings.text(facts.variant)] += counts.byModel[i];
    }
    QList<std::pair<QString, ModelCount>> ordered;
    for (auto it = byModel.cbegin(); it != byModel.cend(); ++it)
        ordered << std::pair(it.key(), it.value());
    std::stable_sort(ordered.begin(), ordered.end(),
                     [](const auto &a, const auto &b) { return a.second.count > b.second.count; });
    for (const auto &[name, entry] : ordered) {
        const ModelFacts &facts = store.model(entry.first);
        models.rows << FacetRow{name.toLower(), modelText(store, entry.first), vendorCellIcon(facts.vendor),
                                vendorCellTone(facts.vendor), entry.count};
        std::uint32_t used = 0;
        for (const std::uint32_t count : entry.variants)
            used += count > 0 ? 1U : 0U;
        if (used < 2)
            continue; // one variant says nothing that the model does not
        for (auto variant = entry.variants.cbegin(); variant != entry.variants.cend(); ++variant) {
            FacetRow row{variant.key().toLower(), variant.key(), nullptr, CellTone::Tertiary,
                         variant.value()};
            row.isVariant = true;
            models.rows << row;
        }
    }
    finish(models, tokens, /*byCount=*/false);
    m_groups << models;

    FacetGroup labels{FilterKey::Label, InventoryText::tr("Business label"), {}};
    constexpr std::array labelOrder{BusinessLabel::Inference, BusinessLabel::Training, BusinessLabel::Mixed,
                                    BusinessLabel::Idle, BusinessLabel::Unknown};
    for (const BusinessLabel label : labelOrder) {
        const char *icon = label == BusinessLabel::Inference  ? "label-inference"
                           : label == BusinessLabel::Training ? "label-training"
                           : label == BusinessLabel::Mixed    ? "label-mixed"
                           : label == BusinessLabel::Idle     ? "label-idle"
                                                              : "status-unknown";
        const CellTone tone = label == BusinessLabel::Inference  ? CellTone::Inference
                              : label == BusinessLabel::Training ? CellTone::Training
                              : label == BusinessLabel::Mixed    ? CellTone::Mixed
                                                                 : CellTone::Idle;
        labels.rows << FacetRow{label == BusinessLabel::Unknown ? QStringLiteral("unknown")
                                                                : QString::fromLatin1(labelKey(label)),
                                //: Facet value: no source says what runs on the card.
                                label == BusinessLabel::Unknown ? InventoryText::tr("Not known")
                                                                : labelText(label),
                                icon, tone, counts.byLabel[std::size_t(label)]};
    }
    finish(labels, tokens, /*byCount=*/false);
    m_groups << labels;

    FacetGroup health{FilterKey::Health, InventoryText::tr("Health"), {}};
    constexpr std::array conditionOrder{CardCondition::Healthy,      CardCondition::NotReported,
                                        CardCondition::Hot,          CardCondition::Fault,
                                        CardCondition::OutOfService, CardCondition::Cordoned,
                                        CardCondition::Tainted,      CardCondition::Offline};
    for (const CardCondition condition : conditionOrder) {
        const char *icon = nullptr;
        CellTone tone = CellTone::Secondary;
        switch (condition) {
        case CardCondition::Healthy:
            icon = "status-ok";
            break;
        case CardCondition::NotReported:
            icon = "status-unknown";
            break;
        case CardCondition::Hot:
            icon = "status-warning";
            tone = CellTone::Warn;
            break;
        case CardCondition::Fault:
            icon = "status-critical";
            tone = CellTone::Crit;
            break;
        case CardCondition::OutOfService:
        case CardCondition::Cordoned:
        case CardCondition::Tainted:
            icon = "cordon";
            break;
        case CardCondition::Offline:
            icon = "status-offline";
            break;
        }
        health.rows << FacetRow{QString::fromLatin1(conditionKey(condition)), conditionText(condition), icon,
                                tone, counts.byCondition[std::size_t(condition)]};
    }
    finish(health, tokens, /*byCount=*/false);
    m_groups << health;
    Q_EMIT changed();
}

QString FacetModel::filterAfter(FilterKey key, const QString &value, FacetClick click) const
{
    QList<FilterToken> tokens = m_table.filter();
    const bool negated = click == FacetClick::Exclude;
    bool wasThere = false;
    for (qsizetype i = 0; i < tokens.size() && !wasThere; ++i) {
        FilterToken &token = tokens[i];
        if (token.error || token.key != key || token.op != FilterOperator::Equals)
            continue;
        if (token.values.contains(value) && (token.negated == negated || click == FacetClick::Only)) {
            token.values.removeAll(value);
            if (token.values.isEmpty())
                tokens.removeAt(i);
            wasThere = true;
        }
    }
    if (!wasThere) {
        bool joined = false;
        for (qsizetype i = 0; i < tokens.size(); ++i) {
            FilterToken &token = tokens[i];
            if (token.error || token.key != key || token.op != FilterOperator::Equals ||
                token.negated != negated)
                continue;
            if (click == FacetClick::Only)
                token.values = {value};
            else
                token.values << value;
            joined = true;
            break;
        }
        if (!joined) {
            FilterToken token;
            token.key = key;
            token.negated = negated;
            token.values = {value};
            tokens << token;
        }
    }
    return canonicalFilter(tokens);
}

} // namespace tongchi
