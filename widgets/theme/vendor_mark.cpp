#include "widgets/theme/vendor_mark.h"

#include <QByteArray>
#include <QColor>
#include <QPainter>
#include <QPainterPath>

namespace tongchi {

bool paintVendorMark(QPainter &painter, const QByteArray &name, const QRectF &box, const QColor &color)
{
    if (!name.startsWith("vendor-"))
        return false;
    const qreal unit = box.width() / 12.0;
    const auto at = [&](qreal x, qreal y) { return box.topLeft() + QPointF(x * unit, y * unit); };
    painter.setPen(Qt::NoPen);
    painter.setBrush(color);
    if (name == "vendor-nvidia") {
        QPolygonF body({at(1.5, 1.5), at(7.3, 1.5), at(10.5, 4.7), at(10.5, 10.5), at(1.5, 10.5)});
        painter.drawPolygon(body);
        QColor fold = color;
        fold.setAlphaF(0.25f);
        painter.setBrush(fold);
        painter.drawPolygon(QPolygonF({at(7.3, 1.5), at(10.5, 1.5), at(10.5, 4.7)}));
    } else if (name == "vendor-ascend") {
        painter.drawPolygon(
            QPolygonF({at(6, 1.3), at(11, 10.6), at(8.5, 10.6), at(6, 6.8), at(3.5, 10.6), at(1, 10.6)}));
    } else if (name == "vendor-cambricon") {
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(color, 2 * unit));
        painter.drawEllipse(at(6, 6), 4 * unit, 4 * unit);
    } else {
        painter.drawPolygon(QPolygonF({at(6, 0.8), at(11.2, 6), at(6, 11.2), at(0.8, 6)}));
    }
    return true;
}

void paintProductMark(QPainter &painter, const QRectF &box, const QColor &line, const QColor &fill)
{
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    const qreal unit = box.width() / 26.0;
    const QPointF middle = box.center();
    const qreal radius = 7.7 * unit;
    const QPointF shift(3.7 * unit, 0);
    QPainterPath left;
    left.addEllipse(middle - shift, radius, radius);
    QPainterPath right;
    right.addEllipse(middle + shift, radius, radius);
    painter.fillPath(left.intersected(right), fill);
    painter.setPen(QPen(line, 1.7 * unit));
    painter.setBrush(Qt::NoBrush);
    painter.drawPath(left);
    painter.drawPath(right);
    painter.restore();
}

} // namespace tongchi
