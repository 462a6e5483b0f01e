#pragma once

#include "models/inventory/card_cell.h"
#include "widgets/tables/cell_paint.h"

#include <vector>

namespace tongchi {

class CardTableModel;

/// Cells of the card table for the view: the model says what a cell means, here that becomes what is drawn.
class CardCells final : public CellSource
{
public:
    explicit CardCells(const CardTableModel &table) : m_table(table) {}

    CellPaint cell(const QModelIndex &index) const override;

    /// Widths of the picture, the order in which columns leave, and which are offered but not shown at first.
    static std::vector<ColumnSpec> columns();
    static Tone tone(CellTone tone);

private:
    const CardTableModel &m_table;
};

} // namespace tongchi
