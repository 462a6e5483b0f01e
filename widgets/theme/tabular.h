#pragma once

#include <QFont>
#include <QRectF>
#include <QString>

QT_BEGIN_NAMESPACE
class QGlyphRun;
class QPainter;
QT_END_NAMESPACE

namespace tongchi {

/// Draws a number so that all digits are equally wide: Inter's digits have nine widths and Qt 6.4 cannot
/// switch its tabular figures on. Each digit stands centred in a box as wide as the font's widest digit,
/// everything else keeps its own advance. Uses the painter's pen and font; never elides. Returns the width.
qreal drawTabular(QPainter &painter, const QRectF &rect, Qt::Alignment alignment, const QString &text);
/// The same with a font that is not set on the painter first.
qreal drawTabular(QPainter &painter, const QRectF &rect, Qt::Alignment alignment, const QString &text,
                  const QFont &font);

/// Glyphs of a text whose characters are all in the font's first family, positions from the start of the base
/// line; false when some are not (Chinese): those need a text layout.
bool tabularGlyphs(const QFont &font, const QString &text, QGlyphRun &glyphs, qreal &width);

/// The width drawTabular() takes.
qreal tabularWidth(const QFont &font, const QString &text);

} // namespace tongchi
