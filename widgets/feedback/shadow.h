#pragma once

#include <QtGlobal>

QT_BEGIN_NAMESPACE
class QPainter;
class QRectF;
QT_END_NAMESPACE

namespace tongchi {

class Theme;

/// The soft shadow of a floating card, drawn outside `card`: a ring of rounded rectangles of falling opacity,
/// which at these sizes cannot be told from a blur and costs nothing to keep.
void paintShadow(QPainter &painter, const Theme &theme, const QRectF &card, double radius, int reach);

} // namespace tongchi
