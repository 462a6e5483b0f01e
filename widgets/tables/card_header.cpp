#include "widgets/tables/card_header.h"

#include "widgets/tables/cell_painter.h"
#include "widgets/theme/theme.h"

#include <QMouseEvent>
#include <QPainter>

namespace tongchi {

CardHeader::CardHeader(const Theme &theme, QWidget *parent)
    : QHeaderView(Qt::Horizontal, parent), m_theme(theme)
{
    setSectionsMovable(true);
    setSectionsClickable(true);
    setHighlightSections(false);
    setMinimumSectionSize(36);
    setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    setSortIndicatorShown(false); // painted here
    setFirstSectionMovable(false);
    setAttribute(Qt::WA_InputMethodEnabled, false);
    connect(&theme, &Theme::changed, this, [this] {
        m_texts.clear();
        viewport()->update();
    });
}

void CardHeader::paintEvent(QPaintEvent *event)
{
    QPainter painter(viewport());
    painter.fillRect(viewport()->rect(), m_theme.color(ColorToken::BgSunken));
    painter.fillRect(0, viewport()->height() - 1, viewport()->width(), 1,
                     m_theme.color(ColorToken::BorderDefault));
    painter.end();
    QHeaderView::paintEvent(event);
}

void CardHeader::paintSection(QPainter *painter, const QRect &rect, int logicalIndex) const
{
    if (!rect.isValid())
        return;
    painter->save();
    painter->setClipRect(rect);
    painter->fillRect(rect, m_theme.color(ColorToken::BgSunken));
    painter->fillRect(QRect(rect.left(), rect.bottom(), rect.width(), 1),
                      m_theme.color(ColorToken::BorderDefault));
    const bool sorted = logicalIndex == sortIndicatorSection();
    const QFont &font = m_theme.font(TextRole::TableStrong);
    const QString title = model()->headerData(logicalIndex, Qt::Horizontal, Qt::DisplayRole).toString();
    const bool alignRight = m_specs && std::size_t(logicalIndex) < m_specs->size() &&
                            (*m_specs)[std::size_t(logicalIndex)].alignRight;
    QRectF area = QRectF(rect).adjusted(CellPainter::padding, 0, -CellPainter::padding, -1);
    constexpr int chevron = 12;
    const qreal available = area.width() - (sorted ? chevron + 2 : 0);
    const qreal width = qMin(available, m_texts.width(title, font));
    const qreal left = alignRight ? area.right() - width - (sorted ? chevron + 2 : 0) : area.left();
    painter->setPen(m_theme.color(sorted ? ColorToken::TextPrimary : ColorToken::TextTertiary));
    m_texts.draw(*painter, QRectF(left, area.top(), available, area.height()), Qt::AlignLeft, title, font);
    if (sorted) {
        const QPixmap mark = m_theme.pixmap("chevron-down", chevron, m_theme.color(ColorToken::TextPrimary),
                                            painter->device()->devicePixelRatioF());
        const QPointF centre(left + width + 3 + chevron / 2.0, std::round(area.center().y()) + 1);
        painter->translate(centre);
        if (sortIndicatorOrder() == Qt::AscendingOrder)
            painter->rotate(180);
        painter->drawPixmap(QPointF(-chevron / 2.0, -chevron / 2.0), mark);
    }
    painter->restore();
}

QSize CardHeader::sectionSizeFromContents(int logicalIndex) const
{
    return {const_cast<CardHeader *>(this)->neededWidth(logicalIndex), 28};
}

int CardHeader::neededWidth(int logicalIndex)
{
    const QString title = model()->headerData(logicalIndex, Qt::Horizontal, Qt::DisplayRole).toString();
    return qCeil(m_texts.width(title, m_theme.font(TextRole::TableStrong))) + 2 * CellPainter::padding + 15;
}

} // namespace tongchi
