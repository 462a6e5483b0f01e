#include "ui/shell/rail_button.h"

#include "widgets/theme/theme.h"

#include <QPainter>

namespace tongchi {

RailButton::RailButton(const Theme &theme, const char *name, const char *icon, QWidget *parent)
    : QAbstractButton(parent), m_theme(theme), m_icon(icon)
{
    setObjectName(QString::fromLatin1(name));
    setAttribute(Qt::WA_Hover);
    setFixedSize(60, 50);
    setFocusPolicy(Qt::TabFocus);
    connect(&theme, &Theme::changed, this, [this] { update(); });
}

void RailButton::setActive(bool active)
{
    if (active == m_active)
        return;
    m_active = active;
    update();
}

void RailButton::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF box(4, 0, 52, 50);
    if (m_active || underMouse()) {
        painter.setPen(Qt::NoPen);
        painter.setBrush(m_theme.color(m_active ? ColorToken::AccentTint : ColorToken::BgHover));
        painter.drawRoundedRect(box, 6, 6);
    }
    if (m_active)
        painter.fillRect(QRectF(0, 10, 2, 30), m_theme.color(ColorToken::AccentBase));
    const QColor color = m_theme.color(m_active ? ColorToken::AccentText : ColorToken::TextSecondary);
    painter.drawPixmap(QPointF(20, 7), m_theme.pixmap(m_icon, 20, color, devicePixelRatioF()));
    QFont font = m_theme.font(TextRole::Caption);
    font.setWeight(m_active ? QFont::Medium : QFont::Normal);
    painter.setFont(font);
    painter.setPen(color);
    painter.drawText(QRectF(0, 29, 60, 16), Qt::AlignCenter, text());
    if (hasFocus()) {
        painter.setPen(QPen(m_theme.color(ColorToken::BorderFocus), 2));
        painter.setBrush(Qt::NoBrush);
        painter.drawRoundedRect(box.adjusted(1, 1, -1, -1), 6, 6);
    }
}

} // namespace tongchi
