#pragma once

#include <QColor>
#include <QGraphicsItem>
#include <vector>

namespace tongchi {

/// One sample; NaN is a gap.
struct HistoryPoint
{
    qint64 time = 0; ///< milliseconds, UTC
    float value = 0;
};

/// A dense line with the area below it, drawn inside a chart's plot area from the least and the greatest
/// value of each pixel column: Qt Charts' own series cost 10 times as much from a few thousand points on. A
/// gap in the data, and a pause longer than `gapAfter`, is a gap in the line. GUI thread.
class DenseSeriesItem final : public QGraphicsItem
{
public:
    explicit DenseSeriesItem(QGraphicsItem *parent = nullptr);

    void setPoints(std::vector<HistoryPoint> points);
    const std::vector<HistoryPoint> &points() const { return m_points; }
    void setPlot(const QRectF &area, qint64 from, qint64 to, double low, double high);
    void setGapAfter(qint64 milliseconds) { m_gapAfter = milliseconds; }
    void setColor(const QColor &line);
    /// Everything right of this time has no data yet and is hatched; 0: nothing.
    void setStaleFrom(qint64 time, const QColor &hatch);

    double x(qint64 time) const;
    double y(double value) const;
    qint64 timeAt(double x) const;
    /// The sample nearest to a time, or null when there is none within `reach`.
    const HistoryPoint *nearest(qint64 time, qint64 reach) const;

    QRectF boundingRect() const override { return m_area; }
    void paint(QPainter *painter, const QStyleOptionGraphicsItem *option, QWidget *widget) override;

private:
    std::vector<HistoryPoint> m_points;
    QRectF m_area;
    qint64 m_from = 0;
    qint64 m_to = 1;
    double m_low = 0;
    double m_high = 1;
    qint64 m_gapAfter = 180'000;
    qint64 m_staleFrom = 0;
    QColor m_line;
    QColor m_hatch;
};

} // namespace tongchi
