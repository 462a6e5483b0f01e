#include "widgets/tables/check_gutter.h"

#include "widgets/tables/cell_delegate.h"
#include "widgets/theme/theme.h"

#include <QItemSelectionModel>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

namespace tongchi {

void paintCheckBox(QPainter &painter, const Theme &theme, const QPoint &topLeft, Qt::CheckState state)
{
    painter.setRenderHint(QPainter::Antialiasing);
    const bool filled = state != Qt::Unchecked;
    painter.setPen(QPen(theme.color(filled ? ColorToken::AccentBase : ColorToken::BorderStrong), 1));
    painter.setBrush(filled ? QBrush(theme.color(ColorToken::AccentBase)) : QBrush(Qt::NoBrush));
    painter.drawRoundedRect(QRectF(topLeft, QSizeF(14, 14)).adjusted(0.5, 0.5, -0.5, -0.5), 3, 3);
    if (!filled)
        return;
    const QPixmap mark =
        theme.pixmap(state == Qt::Checked ? "check" : "minus", 12, theme.color(ColorToken::TextOnAccent),
                     painter.device()->devicePixelRatioF());
    painter.drawPixmap(topLeft + QPoint(1, 1), mark);
}

CheckGutter::CheckGutter(const Theme &theme, const CellDelegate &delegate, QWidget *parent)
    : QHeaderView(Qt::Vertical, parent), m_theme(theme), m_delegate(delegate)
{
    setSectionResizeMode(QHeaderView::Fixed);
    setMinimumSectionSize(16);
    setHighlightSections(false);
    setSectionsClickable(false);
    setFixedWidth(width);
    setFocusPolicy(Qt::NoFocus);
    viewport()->setAttribute(Qt::WA_OpaquePaintEvent); // see CardTableView
    connect(&theme, &Theme::changed, this, [this] { viewport()->update(); });
}

void CheckGutter::paintEvent(QPaintEvent *event)
{
    QPainter painter(viewport());
    for (const QRect &rect : event->region())
        painter.fillRect(rect, m_theme.color(ColorToken::BgPanel));
    painter.end();
    QHeaderView::paintEvent(event);
}

void CheckGutter::paintSection(QPainter *painter, const QRect &rect, int logicalIndex) const
{
    if (!rect.isValid())
        return;
    // Selection is always of whole rows, so one column answers for all.
    const bool selected =
        selectionModel() && selectionModel()->isSelected(model()->index(logicalIndex, 0, rootIndex()));
    painter->save();
    painter->fillRect(rect, m_theme.color(ColorToken::BgPanel));
    m_delegate.paintRow(*painter, rect, selected, logicalIndex == m_delegate.hoveredRow());
    if (selected)
        painter->fillRect(QRect(rect.left(), rect.top(), 2, rect.height() - 1),
                          m_theme.color(ColorToken::AccentBase));
    paintCheckBox(*painter, m_theme, QPoint(rect.left() + 14, rect.top() + (rect.height() - 16) / 2),
                  selected ? Qt::Checked : Qt::Unchecked);
    painter->restore();
}

void CheckGutter::paintRows(int from, int to)
{
    const QModelIndex first = model()->index(qMin(from, to), 0);
    const QModelIndex last = model()->index(qMax(from, to), model()->columnCount() - 1);
    selectionModel()->select(QItemSelection(first, last),
                             m_checking ? QItemSelectionModel::Select : QItemSelectionModel::Deselect);
}

void CheckGutter::mousePressEvent(QMouseEvent *event)
{
    const int row = logicalIndexAt(event->pos());
    if (event->button() != Qt::LeftButton || row < 0 || !selectionModel())
        return;
    const QModelIndex index = model()->index(row, 0);
    const QModelIndex current = selectionModel()->currentIndex();
    if ((event->modifiers() & Qt::ShiftModifier) && current.isValid()) {
        m_checking = true;
        paintRows(current.row(), row);
    } else {
        m_checking = !selectionModel()->isSelected(index);
        paintRows(row, row);
        selectionModel()->setCurrentIndex(index, QItemSelectionModel::NoUpdate);
    }
    m_lastRow = row;
}

void CheckGutter::mouseMoveEvent(QMouseEvent *event)
{
    if (m_lastRow < 0 || !(event->buttons() & Qt::LeftButton))
        return;
    const int row = logicalIndexAt(event->pos());
    if (row < 0 || row == m_lastRow)
        return;
    paintRows(m_lastRow, row); // a fast pointer skips rows: fill what lies between
    m_lastRow = row;
}

void CheckGutter::mouseReleaseEvent(QMouseEvent *)
{
    m_lastRow = -1;
}

SelectAllBox::SelectAllBox(const Theme &theme, QWidget *parent) : QWidget(parent), m_theme(theme)
{
    setObjectName(QStringLiteral("selectAllBox"));
    setFocusPolicy(Qt::TabFocus);
    connect(&theme, &Theme::changed, this, [this] { update(); });
    retranslate();
}

void SelectAllBox::retranslate()
{
    setAccessibleName(tr("Select all rows"));
}

void SelectAllBox::changeEvent(QEvent *event)
{
    if (event->type() == QEvent::LanguageChange)
        retranslate();
    QWidget::changeEvent(event);
}

void SelectAllBox::setState(Qt::CheckState state)
{
    if (state == m_state)
        return;
    m_state = state;
    update();
}

void SelectAllBox::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.fillRect(rect(), m_theme.color(ColorToken::BgSunken));
    painter.fillRect(0, height() - 1, width(), 1, m_theme.color(ColorToken::BorderDefault));
    const QPoint box(14, (height() - 16) / 2);
    paintCheckBox(painter, m_theme, box, m_state);
    if (hasFocus()) {
        painter.setPen(QPen(m_theme.color(ColorToken::BorderFocus), 2));
        painter.setBrush(Qt::NoBrush);
        painter.drawRoundedRect(QRectF(box, QSizeF(14, 14)).adjusted(-2, -2, 2, 2), 4, 4);
    }
}

void SelectAllBox::mouseReleaseEvent(QMouseEvent *event)
{
    if (event->button() == Qt::LeftButton && rect().contains(event->pos()))
        Q_EMIT toggled();
}

void SelectAllBox::keyPressEvent(QKeyEvent *event)
{
    if (event->key() == Qt::Key_Space)
        Q_EMIT toggled();
    else
        QWidget::keyPressEvent(event);
}

} // namespace tongchi
