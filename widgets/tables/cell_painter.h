#pragma once

#include "widgets/tables/cell_paint.h"
#include "widgets/theme/text_cache.h"

#include <QCache>
#include <QPixmap>
#include <QRect>
#include <functional>

QT_BEGIN_NAMESPACE
class QPainter;
QT_END_NAMESPACE

namespace tongchi {

class Theme;

/// Draws the marks and values of design.md section 9 "Chip", "Utilisation bar", "Sparkline", "Data age". Used
/// by the table's delegate and by everything else that shows the same things. GUI thread.
class CellPainter
{
public:
    using TextHook = std::function<QString(const QString &)>;

    explicit CellPainter(const Theme &theme);

    /// Texts from outside pass through this before they are drawn (control characters made visible).
    void setTextHook(TextHook hook);
    void clearCaches();

    /// One cell; `rect` is the whole cell, padding included. `quiet`: the row has no answer, texts in
    /// text.tertiary.
    void paint(QPainter &painter, const QRect &rect, const CellPaint &cell, bool quiet, int chipHeight);
    /// Whether the text would be elided in that width.
    bool isCut(const CellPaint &cell, int cellWidth);
    /// The width that shows all of a cell, padding included.
    int neededWidth(const CellPaint &cell);

    void bar(QPainter &painter, const QRectF &rect, double fraction, const QColor &fill) const;
    /// One byte a step, 0..100, 255 a gap; newest at the right edge. Kept as a picture: a row's line changes
    /// every half minute, its age every second, and stroking it is the dearest part of a row.
    void sparkline(QPainter &painter, const QRectF &rect, const QByteArray &steps);
    void noAnswerLine(QPainter &painter, const QRectF &rect) const;
    /// Returns the chip's width.
    int chip(QPainter &painter, const QPoint &topLeft, int height, const CellPaint &cell, int maximumWidth);
    int chipWidth(const CellPaint &cell);
    void icon(QPainter &painter, const QPointF &topLeft, const char *name, int size,
              const QColor &color) const;

    QString shown(const QString &text) const { return m_hook ? m_hook(text) : text; }
    TextCache &texts() { return m_texts; }
    static constexpr int padding = 8;

private:
    void value(QPainter &painter, const QRectF &rect, const CellPaint &cell, const QColor &color,
               Qt::Alignment align);

    void strokeSparkline(QPainter &painter, const QRectF &rect, const QByteArray &steps) const;

    const Theme &m_theme;
    TextCache m_texts;
    QCache<QByteArray, QPixmap> m_sparklines;
    TextHook m_hook;
};

} // namespace tongchi
