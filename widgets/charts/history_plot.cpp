#include "widgets/charts/history_plot.h"

#include "widgets/theme/theme.h"

#include <QChart>
#include <QGraphicsLayout>
#include <QLegend>
#include <QMouseEvent>
#include <QPainter>
#include <QValueAxis>

namespace tongchi {

HistoryPlot::HistoryPlot(const Theme &theme, QWidget *parent)
    : QChartView(new QChart, parent), m_theme(theme), m_series(new DenseSeriesItem(chart())),
      m_timeAxis(new QValueAxis), m_valueAxis(new QValueAxis)
{
    chart()->legend()->hide();
    chart()->setMargins(QMargins(0, 0, 0, 0));
    chart()->setBackgroundVisible(false);
    chart()->setPlotAreaBackgroundVisible(true);
    chart()->setAnimationOptions(QChart::NoAnimation); // data never animates
    for (QValueAxis *axis : {m_timeAxis, m_valueAxis}) {
        axis->setLabelsVisible(false);
        axis->setLineVisible(false);
        axis->setMinorTickCount(0);
    }
    m_timeAxis->setGridLineVisible(false);
    m_timeAxis->setTickCount(2);
    m_valueAxis->setTickCount(3);
    chart()->addAxis(m_timeAxis, Qt::AlignBottom);
    chart()->addAxis(m_valueAxis, Qt::AlignLeft);
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setMouseTracking(true);
    setFocusPolicy(Qt::NoFocus);
    setAttribute(Qt::WA_InputMethodEnabled, false);
    setBackgroundBrush(Qt::NoBrush);
    viewport()->setAutoFillBackground(false);
    connect(&theme, &Theme::changed, this, [this] { applyTheme(); });
    chart()->layout()->setContentsMargins(0, 0, 0, 0);
    connect(chart(), &QChart::plotAreaChanged, this, [this] { place(); });
    applyTheme();
}

void HistoryPlot::applyTheme()
{
    chart()->setPlotAreaBackgroundBrush(m_theme.color(ColorToken::BgSunken));
    chart()->setPlotAreaBackgroundPen(Qt::NoPen);
    m_valueAxis->setGridLinePen(QPen(m_theme.color(ColorToken::ChartGrid), 1));
    m_series->setColor(m_theme.color(ColorToken::UtilLine));
    m_series->setStaleFrom(m_staleFrom, m_theme.color(ColorToken::BorderDefault));
    viewport()->update();
}

void HistoryPlot::setRange(qint64 from, qint64 to)
{
    m_from = from;
    m_to = to;
    place();
}

void HistoryPlot::setValues(std::vector<HistoryPoint> points, double low, double high)
{
    m_low = low;
    m_high = high;
    m_series->setPoints(std::move(points));
    place();
}

void HistoryPlot::setLimit(std::optional<double> limit, const QString &text)
{
    m_limit = limit;
    m_limitText = text;
    viewport()->update();
}

void HistoryPlot::setStaleFrom(qint64 time)
{
    m_staleFrom = time;
    m_series->setStaleFrom(time, m_theme.color(ColorToken::BorderDefault));
}

void HistoryPlot::setCrosshair(qint64 time)
{
    if (time == m_crosshair)
        return;
    m_crosshair = time;
    viewport()->update();
}

std::optional<float> HistoryPlot::valueAt(qint64 time) const
{
    const HistoryPoint *point = m_series->nearest(time, (m_to - m_from) / 30);
    return point ? std::optional<float>(point->value) : std::nullopt;
}

void HistoryPlot::place()
{
    // The layout of Qt Charts decides where the plot area is; our series follows it.
    const QRectF area = chart()->plotArea();
    m_timeAxis->setRange(0, double(m_to - m_from) / 1000.0);
    m_valueAxis->setRange(m_low, m_high);
    m_series->setPlot(area, m_from, m_to, m_low, m_high);
}

void HistoryPlot::resizeEvent(QResizeEvent *event)
{
    QChartView::resizeEvent(event);
    chart()->layout()->activate(); // else the plot keeps its old size until the next event
    place();
}

void HistoryPlot::mouseMoveEvent(QMouseEvent *event)
{
    Q_EMIT hovered(m_series->timeAt(event->position().x()));
}

void HistoryPlot::leaveEvent(QEvent *event)
{
    QChartView::leaveEvent(event);
    Q_EMIT hovered(0);
}

void HistoryPlot::drawForeground(QPainter *painter, const QRectF &)
{
    const QRectF area = chart()->plotArea();
    painter->setRenderHint(QPainter::Antialiasing, false);
    if (m_limit && *m_limit <= m_high) {
        const double y = std::round(m_series->y(*m_limit)) + 0.5;
        QPen pen(m_theme.color(ColorToken::ChartSlo), 1);
        pen.setDashPattern({6, 4});
        painter->setPen(pen);
        painter->drawLine(QPointF(area.left(), y), QPointF(area.right(), y));
        painter->setFont(m_theme.font(TextRole::Caption));
        painter->drawText(QPointF(area.left() + 4, y + 13), m_limitText);
    }
    if (m_crosshair <= 0)
        return;
    const HistoryPoint *point = m_series->nearest(m_crosshair, (m_to - m_from) / 30);
    const double x = point ? m_series->x(point->time) : m_series->x(m_crosshair);
    painter->setPen(QPen(m_theme.color(ColorToken::AccentBase), 1));
    painter->drawLine(QPointF(x, area.top()), QPointF(x, area.bottom()));
    if (!point)
        return;
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setBrush(m_theme.color(ColorToken::BgPanel));
    painter->setPen(QPen(m_theme.color(ColorToken::AccentBase), 1.5));
    painter->drawEllipse(QPointF(x, m_series->y(double(point->value))), 3, 3);
}

} // namespace tongchi
