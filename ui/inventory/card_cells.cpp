#include "ui/inventory/card_cells.h"

#include "models/inventory/card_table_model.h"

namespace tongchi {

Tone CardCells::tone(CellTone tone)
{
    switch (tone) {
    case CellTone::Primary:
        return Tone::Primary;
    case CellTone::Secondary:
        return Tone::Secondary;
    case CellTone::Tertiary:
        return Tone::Tertiary;
    case CellTone::Warn:
        return Tone::Warn;
    case CellTone::Crit:
        return Tone::Crit;
    case CellTone::Neutral:
        return Tone::Neutral;
    case CellTone::Inference:
        return Tone::Inference;
    case CellTone::Training:
        return Tone::Training;
    case CellTone::Mixed:
        return Tone::Mixed;
    case CellTone::Idle:
        return Tone::Idle;
    case CellTone::Nvidia:
        return Tone::Nvidia;
    case CellTone::Ascend:
        return Tone::Ascend;
    case CellTone::Cambricon:
        return Tone::Cambricon;
    case CellTone::OtherVendor:
        return Tone::OtherVendor;
    }
    return Tone::Primary;
}

CellPaint CardCells::cell(const QModelIndex &index) const
{
    const auto column = CardColumn(index.column());
    CardCell card = m_table.cell(index.row(), column);
    CellPaint cell;
    cell.tone = tone(card.tone);
    cell.iconTone = tone(card.iconTone);
    cell.dimmed = card.dimmed;
    cell.struck = card.struck;
    cell.pending = card.pending;
    cell.icon = card.icon;
    cell.text = std::move(card.text);
    cell.unit = std::move(card.unit);
    cell.fraction = card.fraction;
    cell.sparkline = std::move(card.sparkline);
    switch (column) {
    case CardColumn::Card:
        cell.kind = CellKind::Strong;
        break;
    case CardColumn::Label:
        cell.kind = CellKind::Chip;
        break;
    case CardColumn::Utilization:
        cell.kind = CellKind::Utilization;
        break;
    case CardColumn::Memory:
        cell.kind = CellKind::Memory;
        break;
    case CardColumn::Health:
        cell.kind = CellKind::Word;
        if (!cell.icon && !cell.pending) // healthy is quiet
            cell.tone = Tone::Tertiary;
        break;
    case CardColumn::Temperature:
    case CardColumn::Power:
        cell.kind = CellKind::Number;
        if (cell.tone == Tone::Primary)
            cell.tone = Tone::Secondary;
        break;
    case CardColumn::Shares:
    case CardColumn::Slices:
    case CardColumn::Numa:
        cell.kind = CellKind::Number;
        cell.tone = Tone::Secondary;
        break;
    case CardColumn::Age:
        cell.kind = CellKind::Age;
        break;
    default:
        break;
    }
    return cell;
}

std::vector<ColumnSpec> CardCells::columns()
{
    std::vector<ColumnSpec> specs(cardColumnCount);
    const auto set = [&specs](CardColumn column, ColumnSpec spec) {
        spec.key = QString::fromLatin1(columnKey(column));
        specs[std::size_t(column)] = std::move(spec);
    };
    set(CardColumn::Card, {.width = 118});
    set(CardColumn::Node, {.width = 120});
    set(CardColumn::Region, {.width = 72, .dropRank = 2});
    set(CardColumn::Label, {.width = 92});
    set(CardColumn::Utilization,
        {.width = 172, .dropRank = 6, .narrowWidth = 100}); // the sparkline goes last
    set(CardColumn::Memory, {.width = 134, .dropRank = 5, .narrowWidth = 98});
    set(CardColumn::Temperature, {.width = 66, .dropRank = 3, .alignRight = true});
    set(CardColumn::Power, {.width = 58, .dropRank = 1, .alignRight = true});
    set(CardColumn::Health, {.width = 88});
    set(CardColumn::Workload, {.width = 120, .stretch = 1, .dropRank = 4});
    set(CardColumn::Age, {.width = 52, .alignRight = true});
    set(CardColumn::Cluster, {.width = 100, .dropRank = 1, .hidden = true});
    set(CardColumn::Variant, {.width = 100, .dropRank = 1, .hidden = true});
    set(CardColumn::Vendor, {.width = 84, .dropRank = 1, .hidden = true});
    set(CardColumn::Uuid, {.width = 270, .dropRank = 1, .hidden = true});
    set(CardColumn::Shares, {.width = 64, .dropRank = 1, .hidden = true, .alignRight = true});
    set(CardColumn::Slices, {.width = 64, .dropRank = 1, .hidden = true, .alignRight = true});
    set(CardColumn::Numa, {.width = 60, .dropRank = 1, .hidden = true, .alignRight = true});
    set(CardColumn::Driver, {.width = 110, .dropRank = 1, .hidden = true});
    return specs;
}

} // namespace tongchi
