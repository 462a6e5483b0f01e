#include "ui/shell/live_switch.h"

#include "widgets/theme/tabular.h"
#include "widgets/theme/theme.h"

#include <QPainter>

namespace tongchi {

LiveSwitch::LiveSwitch(const Theme &theme, QWidget *parent) : QAbstractButton(parent), m_theme(theme)
{
    setObjectName(QStringLiteral("liveSwitch"));
    setAttribute(Qt::WA_Hover);
    setFocusPolicy(Qt::TabFocus);
    connect(&theme, &Theme::changed, this, [this] { update(); });
}

void LiveSwitch::set(bool paused, ColorToken dot, const QString &word, const QString &detail)
{
    if (paused == m_paused && dot == m_dot && word == m_word && detail == m_detail)
        return;
    m_paused = paused;
    m_dot = dot;
    m_word = word;
    m_detail = detail;
    updateGeometry();
    update();
}

QSize LiveSwitch::sizeHint() const
{
    const QFont &font = m_theme.font(TextRole::Table);
    return {qCeil(22 + tabularWidth(font, m_word) + 6 + tabularWidth(font, m_detail) + 8 + 14 + 7), 28};
}

void LiveSwitch::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    if (underMouse()) {
        painter.setPen(Qt::NoPen);
        painter.setBrush(m_theme.color(ColorToken::BgHover));
        painter.drawRoundedRect(rect(), 5, 5);
    }
    painter.setPen(Qt::NoPen);
    painter.setBrush(m_theme.color(m_dot));
    painter.drawEllipse(QPointF(11, height() / 2.0), 3, 3);
    const QFont &font = m_theme.font(TextRole::Table);
    painter.setPen(m_theme.color(ColorToken::TextSecondary));
    double x = 20;
    x += drawTabular(painter, QRectF(x, 0, width(), height()), Qt::AlignLeft, m_word, font) + 6;
    painter.setPen(m_theme.color(ColorToken::TextTertiary));
    drawTabular(painter, QRectF(x, 0, width(), height()), Qt::AlignLeft, m_detail, font);
    painter.drawPixmap(QPointF(width() - 21, (height() - 14) / 2),
                       m_theme.pixmap(m_paused ? "play" : "pause", 14,
                                      m_theme.color(ColorToken::TextSecondary), devicePixelRatioF()));
    if (hasFocus()) {
        painter.setPen(QPen(m_theme.color(ColorToken::BorderFocus), 2));
        painter.setBrush(Qt::NoBrush);
        painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), 5, 5);
    }
}

} // namespace tongchi
