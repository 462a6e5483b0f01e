#include "widgets/charts/dense_series_item.h"

#include <QPainter>
#include <algorithm>
#include <cmath>

namespace tongchi {

DenseSeriesItem::DenseSeriesItem(QGraphicsItem *parent) : QGraphicsItem(parent)
{
    setZValue(5);
}

void DenseSeriesItem::setPoints(std::vector<HistoryPoint> points)
{
    m_points = std::move(points);
    update();
}

void DenseSeriesItem::setPlot(const QRectF &area, qint64 from, qint64 to, double low, double high)
{
    prepareGeometryChange();
    m_area = area;
    m_from = from;
    m_to = std::max(to, from + 1);
    m_low = low;
    m_high = high > low ? high : low + 1;
    update();
}

void DenseSeriesItem::setColor(const QColor &line)
{
    m_line = line;
    update();
}

void DenseSeriesItem::setStaleFrom(qint64 time, const QColor &hatch)
{
    m_staleFrom = time;
    m_hatch = hatch;
    update();
}

double DenseSeriesItem::x(qint64 time) const
{
    return m_area.left() + double(time - m_from) / double(m_to - m_from) * m_area.width();
}

double DenseSeriesItem::y(double value) const
{
    const double ratio = std::clamp((value - m_low) / (m_high - m_low), 0.0, 1.0);
    return m_area.bottom() - 0.75 - ratio * (m_area.height() - 1.5);
}

qint64 DenseSeriesItem::timeAt(double x) const
{
    return m_from + qint64((x - m_area.left()) / std::max(1.0, m_area.width()) * double(m_to - m_from));
}

const HistoryPoint *DenseSeriesItem::nearest(qint64 time, qint64 reach) const
{
    auto after =
        std::lower_bound(m_points.begin(), m_points.end(), time,
                         [](const HistoryPoint &point, qint64 wanted) { return point.time < wanted; });
    const HistoryPoint *best = nullptr;
    const auto consider = [&](const HistoryPoint &point) {
        const qint64 distance = std::abs(point.time - time);
        if (!std::isnan(point.value) && distance <= reach &&
            (!best || distance < std::abs(best->time - time)))
            best = &point;
    };
    if (after != m_points.end())
        consider(*after);
    if (after != m_points.begin())
        consider(*std::prev(after));
    return best;
}

void DenseSeriesItem::paint(QPainter *painter, const QStyleOptionGraphicsItem *, QWidget *)
{
    if (m_staleFrom > 0 && m_staleFrom < m_to) {
        const double left = std::max(m_area.left(), x(m_staleFrom));
        QBrush brush(m_hatch, Qt::BDiagPattern);
        painter->fillRect(QRectF(left, m_area.top(), m_area.right() - left, m_area.height()), brush);
    }
    QColor area = m_line;
    area.setAlphaF(0.14f);
    QPolygonF line;
    double firstX = 0;
    double lastX = 0;
    const auto flush = [&] {
        if (line.isEmpty())
            return;
        if (line.size() == 1)
            line.append(line.constFirst() + QPointF(1, 0));
        QPolygonF below = line;
        below.append(QPointF(lastX > firstX ? lastX : line.constLast().x(), m_area.bottom()));
        below.append(QPointF(firstX, m_area.bottom()));
        painter->setRenderHint(QPainter::Antialiasing);
        painter->setPen(Qt::NoPen);
        painter->setBrush(area);
        painter->drawPolygon(below);
        painter->setPen(QPen(m_line, 1.25));
        painter->setBrush(Qt::NoBrush);
        painter->drawPolyline(line);
        line.clear();
    };
    // One step down the sorted samples; every pixel column leaves at most two points: its least and greatest
    // value.
    qint64 previous = 0;
    std::size_t i = 0;
    while (i < m_points.size() && m_points[i].time < m_from)
        ++i;
    while (i < m_points.size() && m_points[i].time <= m_to) {
        const HistoryPoint &point = m_points[i];
        if (std::isnan(point.value) || (!line.isEmpty() && point.time - previous > m_gapAfter)) {
            flush();
            if (std::isnan(point.value)) {
                ++i;
                continue;
            }
        }
        const double column = x(point.time);
        float least = point.value;
        float greatest = point.value;
        previous = point.time;
        std::size_t end = i + 1;
        while (end < m_points.size() && !std::isnan(m_points[end].value) &&
               x(m_points[end].time) < column + 1 && m_points[end].time <= m_to) {
            least = std::min(least, m_points[end].value);
            greatest = std::max(greatest, m_points[end].value);
            previous = m_points[end].time;
            ++end;
        }
        if (line.isEmpty())
            firstX = column;
        lastX = column;
        line.append(QPointF(column, y(double(greatest))));
        if (least != greatest)
            line.append(QPointF(column, y(double(least))));
        i = end;
    }
    flush();
}

} // namespace tongchi
