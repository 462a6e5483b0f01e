#include "ui/shell/palette_field.h"

#include "widgets/theme/theme.h"

#include <QFontMetricsF>
#include <QPainter>

namespace tongchi {

PaletteField::PaletteField(const Theme &theme, QWidget *parent) : QAbstractButton(parent), m_theme(theme)
{
    setObjectName(QStringLiteral("paletteField"));
    setAttribute(Qt::WA_Hover);
    setFocusPolicy(Qt::TabFocus);
    setCursor(Qt::IBeamCursor);
    connect(&theme, &Theme::changed, this, [this] { update(); });
}

void PaletteField::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const double pen = hasFocus() ? 2 : 1;
    painter.setPen(
        QPen(m_theme.color(hasFocus() ? ColorToken::BorderFocus : ColorToken::BorderDefault), pen));
    painter.setBrush(m_theme.color(ColorToken::BgPanel));
    painter.drawRoundedRect(QRectF(rect()).adjusted(pen / 2, pen / 2, -pen / 2, -pen / 2), 5, 5);
    painter.drawPixmap(QPointF(9, 7), m_theme.pixmap("search", 14, m_theme.color(ColorToken::TextTertiary),
                                                     devicePixelRatioF()));
    const QString keys = QStringLiteral("Ctrl K");
    const QFont &small = m_theme.font(TextRole::Caption);
    const double keysWidth = QFontMetricsF(small).horizontalAdvance(keys) + 12;
    const QRectF box(width() - keysWidth - 9, 5, keysWidth, 18);
    painter.setPen(QPen(m_theme.color(ColorToken::BorderDefault), 1));
    painter.setBrush(m_theme.color(ColorToken::BgSunken));
    painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), 3, 3);
    painter.setFont(small);
    painter.setPen(m_theme.color(ColorToken::TextTertiary));
    painter.drawText(box, Qt::AlignCenter, keys);
    const QFont &font = m_theme.font(TextRole::Body);
    painter.setFont(font);
    const QRectF area(30, 0, box.left() - 38, height());
    painter.drawText(area, int(Qt::AlignVCenter) | int(Qt::AlignLeft),
                     QFontMetricsF(font).elidedText(text(), Qt::ElideRight, area.width()));
}

} // namespace tongchi
