#pragma once

#include "widgets/charts/dense_series_item.h"

#include <QWidget>
#include <functional>
#include <optional>

QT_BEGIN_NAMESPACE
class QLabel;
QT_END_NAMESPACE

namespace tongchi {

class FigureLabel;
class HistoryPlot;
class Theme;

/// One measured quantity of a card over time.
struct HistoryQuantity
{
    QString title;
    std::vector<HistoryPoint> points;
    double low = 0;
    double high = 100;
    QString unit;                        ///< "%", "/ 64 GB"
    std::function<QString(double)> text; ///< value as it is written before the unit
    std::optional<double> limit;         ///< dashed line with its text
    QString limitText;
    QString instead; ///< a sentence in place of the plot: the driver does not report it
};

/// Plots on one time axis with a shared crosshair; the figure at the right of each title is the newest value,
/// or the one under the crosshair. Its description sums up range, last, least and greatest value for screen
/// readers.
class HistoryChart final : public QWidget
{
    Q_OBJECT

public:
    explicit HistoryChart(const Theme &theme, QWidget *parent = nullptr);

    /// Milliseconds, UTC. `staleFrom`: no sample since then, hatched to the right edge; 0: fresh.
    void setRange(qint64 from, qint64 to, qint64 staleFrom = 0);
    void setTimeText(std::function<QString(qint64)> text);
    void setQuantities(std::vector<HistoryQuantity> quantities);
    void setGapAfter(qint64 milliseconds);
    void setCrosshair(qint64 time);

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    struct Row
    {
        QLabel *title;
        FigureLabel *value;
        QLabel *instead;
        HistoryPlot *plot;
    };
    void showValues();

    const Theme &m_theme;
    std::vector<HistoryQuantity> m_quantities;
    std::vector<Row> m_rows;
    std::function<QString(qint64)> m_timeText;
    qint64 m_from = 0;
    qint64 m_to = 1;
    qint64 m_staleFrom = 0;
    qint64 m_crosshair = 0;
    qint64 m_gapAfter = 180'000;
};

} // namespace tongchi
