#pragma once

#include "widgets/tables/cell_painter.h"
#include "widgets/tables/density.h"

#include <QAbstractItemDelegate>

namespace tongchi {

/// Paints cells from what a CellSource says: one call a cell, no style options, no text layout that was not
/// made before. Without a source Qt::DisplayRole is painted as plain text.
class CellDelegate final : public QAbstractItemDelegate
{
    Q_OBJECT

public:
    explicit CellDelegate(const Theme &theme, QObject *parent = nullptr);

    void setSource(const CellSource *source) { m_source = source; }
    void setDensity(Density density) { m_density = density; }
    void setHoveredRow(int row) { m_hoveredRow = row; }
    void setFocusVisible(bool visible) { m_focusVisible = visible; }
    CellPainter &painter() { return m_painter; }

    void paint(QPainter *painter, const QStyleOptionViewItem &option,
               const QModelIndex &index) const override;
    QSize sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const override;
    /// Tool tips are the view's business.
    bool helpEvent(QHelpEvent *, QAbstractItemView *, const QStyleOptionViewItem &,
                   const QModelIndex &) override
    {
        return false;
    }

    /// Background and base line of a row, shared with the check gutter.
    void paintRow(QPainter &painter, const QRect &rect, bool selected, bool hovered) const;
    int hoveredRow() const { return m_hoveredRow; }
    CellPaint cellOf(const QModelIndex &index) const;

private:
    const Theme &m_theme;
    mutable CellPainter m_painter;
    const CellSource *m_source = nullptr;
    Density m_density = Density::Regular;
    int m_hoveredRow = -1;
    bool m_focusVisible = false;
};

} // namespace tongchi
