#pragma once

#include <QtGlobal>

QT_BEGIN_NAMESPACE
class QByteArray;
class QColor;
class QPainter;
class QRectF;
QT_END_NAMESPACE

namespace tongchi {

/// Vendor marks are drawn shapes and no logos: "vendor-nvidia" a square with its top right corner folded,
/// "vendor-ascend" a chevron, "vendor-cambricon" a ring, "vendor-other" a diamond. False: not the name of a
/// mark.
bool paintVendorMark(QPainter &painter, const QByteArray &name, const QRectF &box, const QColor &color);

/// The product's mark, two overlapping rings whose common part is filled.
void paintProductMark(QPainter &painter, const QRectF &box, const QColor &line, const QColor &fill);

} // namespace tongchi
