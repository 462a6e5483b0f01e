#include "widgets/feedback/shadow.h"

#include "widgets/theme/theme.h"

#include <QPainter>
#include <QPainterPath>

namespace tongchi {

void paintShadow(QPainter &painter, const Theme &theme, const QRectF &card, double radius, int reach)
{
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    QPainterPath outside;
    outside.addRect(card.adjusted(-reach, -reach, reach, reach + 8));
    QPainterPath inside;
    inside.addRoundedRect(card, radius, radius);
    painter.setClipPath(outside.subtracted(inside));
    const double total = theme.isDark() ? 0.50 : 0.14;
    painter.setBrush(Qt::NoBrush);
    for (int i = 0; i < reach; ++i) {
        const double fall = 1.0 - double(i) / reach;
        QColor color(14, 18, 21);
        color.setAlphaF(float(total * fall * fall * 0.55));
        painter.setPen(QPen(color, 1.5));
        const double down = i * 0.33;
        painter.drawRoundedRect(card.adjusted(-i, -i + down, i, i + down), radius + i, radius + i);
    }
    painter.restore();
}

} // namespace tongchi
