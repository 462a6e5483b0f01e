#pragma once

#include "widgets/charts/dense_series_item.h"

#include <QChartView>
#include <optional>

QT_BEGIN_NAMESPACE
class QValueAxis;
QT_END_NAMESPACE

namespace tongchi {

class Theme;

/// One small plot: a Qt Charts frame whose axes give grid and range, a dense series of our own in it, a limit
/// line and the crosshair in the foreground.
class HistoryPlot final : public QChartView
{
    Q_OBJECT

public:
    explicit HistoryPlot(const Theme &theme, QWidget *parent = nullptr);

    void setRange(qint64 from, qint64 to);
    void setValues(std::vector<HistoryPoint> points, double low, double high);
    void setLimit(std::optional<double> limit, const QString &text);
    void setStaleFrom(qint64 time);
    void setGapAfter(qint64 milliseconds) { m_series->setGapAfter(milliseconds); }
    /// 0 takes the crosshair away.
    void setCrosshair(qint64 time);
    /// Value under the crosshair.
    std::optional<float> valueAt(qint64 time) const;

Q_SIGNALS:
    void hovered(qint64 time); ///< 0: the pointer left

protected:
    void drawForeground(QPainter *painter, const QRectF &rect) override;
    void resizeEvent(QResizeEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void leaveEvent(QEvent *event) override;

private:
    void place();
    void applyTheme();

    const Theme &m_theme;
    DenseSeriesItem *m_series;
    QValueAxis *m_timeAxis;
    QValueAxis *m_valueAxis;
    qint64 m_from = 0;
    qint64 m_to = 1;
    double m_low = 0;
    double m_high = 100;
    std::optional<double> m_limit;
    QString m_limitText;
    qint64 m_staleFrom = 0;
    qint64 m_crosshair = 0;
};

} // namespace tongchi
