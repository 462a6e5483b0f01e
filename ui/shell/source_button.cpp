#include "ui/shell/source_button.h"

#include "widgets/theme/plain_tool_tip.h"
#include "widgets/theme/tabular.h"
#include "widgets/theme/theme.h"

#include <QPainter>

namespace tongchi {

SourceButton::SourceButton(const Theme &theme, QWidget *parent) : QAbstractButton(parent), m_theme(theme)
{
    setAttribute(Qt::WA_Hover);
    setFocusPolicy(Qt::TabFocus);
    connect(&theme, &Theme::changed, this, [this] { update(); });
}

void SourceButton::set(const SourceItem &item)
{
    if (item == m_item)
        return;
    m_item = item;
    setObjectName(QStringLiteral("source_") + item.id);
    setAccessibleName(item.name + u' ' + item.detail);
    setToolTip(plainToolTip(item.toolTip));
    updateGeometry();
    update();
}

QSize SourceButton::sizeHint() const
{
    const QFont &font = m_theme.font(TextRole::Caption);
    const double detail = m_item.detail.isEmpty() ? 0 : 6 + tabularWidth(font, m_item.detail);
    return {qCeil(12 + tabularWidth(font, m_item.name) + detail + 4), 24};
}

void SourceButton::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(m_theme.color(m_item.tone));
    painter.drawEllipse(QPointF(3, height() / 2.0), 3, 3);
    const QFont &font = m_theme.font(TextRole::Caption);
    painter.setPen(m_theme.color(underMouse() ? ColorToken::TextPrimary : ColorToken::TextSecondary));
    const double name =
        drawTabular(painter, QRectF(12, 0, width(), height()), Qt::AlignLeft, m_item.name, font);
    painter.setPen(m_theme.color(ColorToken::TextTertiary));
    drawTabular(painter, QRectF(12 + name + 6, 0, width(), height()), Qt::AlignLeft, m_item.detail, font);
    if (hasFocus()) {
        painter.setPen(QPen(m_theme.color(ColorToken::BorderFocus), 2));
        painter.setBrush(Qt::NoBrush);
        painter.drawRoundedRect(QRectF(rect()).adjusted(-1, 3, 0, -3), 3, 3);
    }
}

} // namespace tongchi
