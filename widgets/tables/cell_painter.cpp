#include "widgets/tables/cell_painter.h"

#include "widgets/theme/tabular.h"
#include "widgets/theme/theme.h"

#include <QPaintDevice>
#include <QPainter>
#include <QPainterPath>
#include <cmath>

namespace tongchi {

namespace {

const QString cellDash = QStringLiteral("\u2014");
constexpr quint8 sparklineGap = 255;
/// Steps are 30 s; exporters scraped once a minute leave every other one empty. From this many on it is a
/// gap.
constexpr qsizetype sparklineGapSteps = 3;

} // namespace

CellPainter::CellPainter(const Theme &theme)
    : m_theme(theme), m_texts(/*tabularDigits=*/true), m_sparklines(400)
{
}

void CellPainter::setTextHook(TextHook hook)
{
    m_hook = std::move(hook);
}

void CellPainter::clearCaches()
{
    m_texts.clear();
    m_sparklines.clear();
}

void CellPainter::icon(QPainter &painter, const QPointF &topLeft, const char *name, int size,
                       const QColor &color) const
{
    painter.drawPixmap(topLeft, m_theme.pixmap(name, size, color, painter.device()->devicePixelRatioF()));
}

void CellPainter::bar(QPainter &painter, const QRectF &rect, double fraction, const QColor &fill) const
{
    const QColor track = m_theme.color(m_theme.isDark() ? ColorToken::BgPressed : ColorToken::BorderSubtle);
    painter.setPen(Qt::NoPen);
    painter.setBrush(track);
    painter.drawRoundedRect(rect, 1.5, 1.5);
    if (!(fraction > 0)) // NaN and zero: the track alone
        return;
    QRectF filled = rect;
    filled.setWidth(qMax(1.0, rect.width() * qMin(fraction, 1.0)));
    painter.setBrush(fill);
    const qreal radius = qMin(1.5, filled.width() / 2);
    painter.drawRoundedRect(filled, radius, radius);
}

void CellPainter::sparkline(QPainter &painter, const QRectF &rect, const QByteArray &steps)
{
    if (steps.isEmpty())
        return;
    const qreal ratio = painter.device()->devicePixelRatioF();
    QByteArray key = steps;
    key.append(char(qRound(rect.width())))
        .append(char(qRound(rect.height())))
        .append(char(qRound(ratio * 16)));
    const QPixmap *picture = m_sparklines.object(key);
    if (!picture) {
        auto *made = new QPixmap(QSize(qCeil(rect.width() * ratio), qCeil(rect.height() * ratio)));
        made->setDevicePixelRatio(ratio);
        made->fill(Qt::transparent);
        QPainter into(made);
        into.setRenderHint(QPainter::Antialiasing);
        strokeSparkline(into, QRectF(QPointF(0, 0), rect.size()), steps);
        into.end();
        picture = made;
        m_sparklines.insert(key, made);
    }
    painter.drawPixmap(rect.topLeft(), *picture);
}

void CellPainter::strokeSparkline(QPainter &painter, const QRectF &rect, const QByteArray &steps) const
{
    const QColor line = m_theme.color(ColorToken::UtilLine);
    QColor area = line;
    area.setAlphaF(0.14f);
    const qsizetype count = steps.size();
    const qreal step = count > 1 ? rect.width() / qreal(count - 1) : 0;
    const qreal top = rect.top() + 0.75;
    const qreal height = rect.height() - 1.5;
    QPolygonF points;
    points.reserve(count + 2);
    const auto flush = [&] {
        if (points.isEmpty())
            return;
        if (points.size() == 1)
            points.append(points.constFirst() + QPointF(1, 0));
        QPolygonF below = points;
        below.append(QPointF(points.constLast().x(), rect.bottom()));
        below.append(QPointF(points.constFirst().x(), rect.bottom()));
        painter.setPen(Qt::NoPen);
        painter.setBrush(area);
        painter.drawPolygon(below);
        painter.setPen(QPen(line, 1.25));
        painter.setBrush(Qt::NoBrush);
        painter.drawPolyline(points);
        points.clear();
    };
    for (qsizetype i = 0; i < count; ++i) {
        const quint8 value = quint8(steps[i]);
        if (value == sparklineGap) {
            qsizetype end = i + 1;
            while (end < count && quint8(steps[end]) == sparklineGap)
                ++end;
            if (end - i >= sparklineGapSteps)
                flush();
            i = end - 1;
            continue;
        }
        const qreal ratio = qMin<int>(value, 100) / 100.0;
        points.append(QPointF(rect.left() + qreal(i) * step, top + (1 - ratio) * height));
    }
    flush();
}

void CellPainter::noAnswerLine(QPainter &painter, const QRectF &rect) const
{
    painter.setPen(QPen(m_theme.color(ColorToken::BorderStrong), 1, Qt::DashLine));
    const qreal y = std::floor(rect.bottom()) - 0.5;
    painter.drawLine(QPointF(rect.left(), y), QPointF(rect.right(), y));
}

int CellPainter::chipWidth(const CellPaint &cell)
{
    const qreal text = m_texts.width(shown(cell.text), m_theme.font(TextRole::Table));
    return qCeil(5 + (cell.icon ? 14 + 4 : 2) + text + 7);
}

int CellPainter::chip(QPainter &painter, const QPoint &topLeft, int height, const CellPaint &cell,
                      int maximumWidth)
{
    const int width = qMin(chipWidth(cell), maximumWidth);
    const QRectF box(topLeft.x(), topLeft.y(), width, height);
    const QColor tint = m_theme.tint(cell.tone);
    const QColor text = m_theme.color(cell.tone);
    if (tint.isValid()) {
        painter.setPen(Qt::NoPen);
        painter.setBrush(tint);
        painter.drawRoundedRect(box, 4, 4);
    } else {
        // Idle has no fill: an outline says that the place is free.
        painter.setPen(QPen(m_theme.color(ColorToken::BorderDefault), 1));
        painter.setBrush(Qt::NoBrush);
        painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), 4, 4);
    }
    qreal x = box.left() + 5;
    if (cell.icon) {
        icon(painter, QPointF(x, box.top() + (height - 14) / 2), cell.icon, 14, text);
        x += 14 + 4;
    } else {
        x += 2;
    }
    painter.setPen(text);
    m_texts.draw(painter, QRectF(x, box.top(), box.right() - 6 - x, height), Qt::AlignLeft, shown(cell.text),
                 m_theme.font(TextRole::Table));
    return width;
}

void CellPainter::value(QPainter &painter, const QRectF &rect, const CellPaint &cell, const QColor &color,
                        Qt::Alignment align)
{
    const QFont &font = m_theme.font(TextRole::Table);
    if (cell.text.isEmpty()) {
        painter.setPen(m_theme.color(ColorToken::TextTertiary));
        m_texts.draw(painter, rect, align, cellDash, font);
        return;
    }
    const qreal unitWidth = cell.unit.isEmpty() ? 0 : tabularWidth(font, cell.unit) + 3;
    const qreal textWidth = tabularWidth(font, cell.text);
    QRectF place = rect;
    if (align & Qt::AlignRight)
        place.setLeft(rect.right() - textWidth - unitWidth);
    painter.setPen(color);
    drawTabular(painter, place, Qt::AlignLeft, cell.text, font);
    if (!cell.unit.isEmpty()) {
        painter.setPen(cell.tone == Tone::Primary || cell.tone == Tone::Secondary
                           ? m_theme.color(ColorToken::TextTertiary)
                           : color);
        drawTabular(painter, place.adjusted(textWidth + 3, 0, 0, 0), Qt::AlignLeft, cell.unit, font);
    }
}

void CellPainter::paint(QPainter &painter, const QRect &rect, const CellPaint &cell, bool quiet,
                        int chipHeight)
{
    QRectF area = QRectF(rect).adjusted(padding, 0, -padding, -1);
    if (area.width() <= 0)
        return;
    const qreal middle = area.center().y();
    QColor color = m_theme.color(cell.pending ? Tone::Accent : quiet ? Tone::Tertiary : cell.tone);
    const qreal opacity = painter.opacity();
    if (cell.dimmed)
        painter.setOpacity(opacity * 0.5);

    switch (cell.kind) {
    case CellKind::Text:
    case CellKind::Strong:
    case CellKind::Word: {
        if (cell.icon) {
            const bool mark = qstrncmp(cell.icon, "vendor-", 7) == 0;
            const int size = mark ? 12 : 14;
            icon(painter, QPointF(area.left(), std::round(middle - size / 2.0)), cell.icon, size,
                 m_theme.color(cell.iconTone));
            area.adjust(18, 0, 0, 0);
        }
        if (cell.pending) {
            painter.setPen(QPen(color, 1.2));
            painter.setBrush(Qt::NoBrush);
            painter.drawEllipse(QPointF(area.left() + 3, middle), 2.6, 2.6);
            area.adjust(11, 0, 0, 0);
        }
        const bool strong = cell.kind == CellKind::Strong;
        painter.setPen(cell.text.isEmpty() ? m_theme.color(ColorToken::TextTertiary) : color);
        m_texts.draw(painter, area, Qt::AlignLeft, cell.text.isEmpty() ? cellDash : shown(cell.text),
                     m_theme.font(strong && !quiet ? TextRole::TableStrong : TextRole::Table));
        break;
    }
    case CellKind::Chip: {
        if (cell.text.isEmpty()) {
            painter.setPen(m_theme.color(ColorToken::TextTertiary));
            m_texts.draw(painter, area, Qt::AlignLeft, cellDash, m_theme.font(TextRole::Table));
            break;
        }
        const QPoint at(rect.left() + padding, rect.top() + (rect.height() - chipHeight) / 2 - 1);
        // A chip may reach into the right padding: it ends in a tint and needs no air of its own.
        const int width = chip(painter, at, chipHeight, cell, int(area.width()) + padding - 1);
        if (cell.pending) {
            painter.setPen(QPen(m_theme.color(Tone::Accent), 1.2));
            painter.setBrush(Qt::NoBrush);
            painter.drawEllipse(QPointF(at.x() + width + 7, middle), 2.6, 2.6);
        }
        break;
    }
    case CellKind::Utilization: {
        const bool missing = std::isnan(cell.fraction);
        if (missing && !cell.text.isEmpty()) {
            // "no answer" or "Offline" instead of a value.
            if (cell.icon) {
                icon(painter, QPointF(area.left(), std::round(middle - 7)), cell.icon, 14, color);
                area.adjust(18, 0, 0, 0);
            }
            painter.setPen(m_theme.color(Tone::Secondary));
            m_texts.draw(painter, area, Qt::AlignLeft, shown(cell.text), m_theme.font(TextRole::Table));
            break;
        }
        bar(painter, QRectF(area.left(), std::round(middle - 3), 40, 6), cell.fraction,
            m_theme.color(ColorToken::UtilLine));
        const QRectF number(area.left() + 48, area.top(), 34, area.height());
        value(painter, number, cell, color, Qt::AlignRight);
        const qreal sparkWidth = qMin<qreal>(68, area.right() - (number.right() + 9));
        const QRectF spark(number.right() + 9, std::round(middle - 8), sparkWidth, 16);
        if (spark.width() > 20) {
            if (cell.struck)
                noAnswerLine(painter, spark);
            else
                sparkline(painter, spark, cell.sparkline);
        }
        break;
    }
    case CellKind::Memory: {
        const bool roomForBar = area.width() > 110;
        if (roomForBar)
            bar(painter, QRectF(area.left(), std::round(middle - 3), 36, 6), cell.fraction,
                m_theme.color(ColorToken::TextTertiary));
        value(painter, area.adjusted(roomForBar ? 44 : 0, 0, 0, 0), cell, color, Qt::AlignLeft);
        break;
    }
    case CellKind::Number:
        value(painter, area, cell, color, Qt::AlignRight);
        break;
    case CellKind::Age: {
        const QFont &font = m_theme.font(TextRole::Table);
        const qreal width =
            tabularWidth(font, cell.text) + (cell.unit.isEmpty() ? 0 : 3 + tabularWidth(font, cell.unit));
        if (cell.icon)
            icon(painter, QPointF(area.right() - width - 18, std::round(middle - 7)), cell.icon, 14, color);
        value(painter, area, cell, color, Qt::AlignRight);
        break;
    }
    }
    painter.setOpacity(opacity);
}

bool CellPainter::isCut(const CellPaint &cell, int cellWidth)
{
    return neededWidth(cell) > cellWidth;
}

int CellPainter::neededWidth(const CellPaint &cell)
{
    const QFont &font = m_theme.font(TextRole::Table);
    switch (cell.kind) {
    case CellKind::Text:
    case CellKind::Strong:
    case CellKind::Word:
        return qCeil(
            2 * padding + (cell.icon ? 18 : 0) + (cell.pending ? 11 : 0) +
            m_texts.width(shown(cell.text), m_theme.font(cell.kind == CellKind::Strong ? TextRole::TableStrong
                                                                                       : TextRole::Table)));
    case CellKind::Chip:
        return padding + 1 + chipWidth(cell);
    case CellKind::Utilization:
        return 2 * padding + 159;
    case CellKind::Memory:
        return qCeil(2 * padding + 44 + tabularWidth(font, cell.text + cell.unit) + 3);
    case CellKind::Number:
    case CellKind::Age:
        return qCeil(2 * padding + (cell.icon ? 18 : 0) + tabularWidth(font, cell.text + cell.unit) + 3);
    }
    return 0;
}

} // namespace tongchi
