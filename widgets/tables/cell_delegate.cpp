#include "widgets/tables/cell_delegate.h"

#include "widgets/theme/theme.h"

#include <QPainter>
#include <QStyleOptionViewItem>

namespace tongchi {

CellDelegate::CellDelegate(const Theme &theme, QObject *parent)
    : QAbstractItemDelegate(parent), m_theme(theme), m_painter(theme)
{
    connect(&theme, &Theme::changed, this, [this] { m_painter.clearCaches(); });
}

CellPaint CellDelegate::cellOf(const QModelIndex &index) const
{
    if (m_source)
        return m_source->cell(index);
    CellPaint cell;
    cell.tone = Tone::Secondary;
    cell.text = index.data(Qt::DisplayRole).toString();
    return cell;
}

void CellDelegate::paintRow(QPainter &painter, const QRect &rect, bool selected, bool hovered) const
{
    if (selected || hovered) {
        const ColorToken fill =
            selected ? (hovered ? ColorToken::BgSelectedHover : ColorToken::BgSelected) : ColorToken::BgHover;
        painter.fillRect(rect, m_theme.color(fill));
    }
    painter.fillRect(QRect(rect.left(), rect.bottom(), rect.width(), 1),
                     m_theme.color(ColorToken::BorderSubtle));
}

void CellDelegate::paint(QPainter *painter, const QStyleOptionViewItem &option,
                         const QModelIndex &index) const
{
    paintRow(*painter, option.rect, option.state & QStyle::State_Selected, index.row() == m_hoveredRow);
    painter->setRenderHint(QPainter::Antialiasing);
    const CellPaint cell = cellOf(index);
    m_painter.paint(*painter, option.rect, cell, cell.quiet, chipHeightOf(m_density));
    if (m_focusVisible && (option.state & QStyle::State_HasFocus)) {
        painter->setPen(QPen(m_theme.color(ColorToken::BorderFocus), 2));
        painter->setBrush(Qt::NoBrush);
        painter->drawRect(QRectF(option.rect).adjusted(1, 1, -1, -2));
    }
}

QSize CellDelegate::sizeHint(const QStyleOptionViewItem &, const QModelIndex &index) const
{
    return {m_painter.neededWidth(cellOf(index)), rowHeightOf(m_density)};
}

} // namespace tongchi
