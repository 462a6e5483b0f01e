#pragma once

#include "widgets/tables/cell_painter.h"

#include <QWidget>

namespace tongchi {

/// One figure of the strip above a table.
struct StripFigure
{
    struct Part
    {
        QString text;
        const char *icon = nullptr;
        Tone tone = Tone::Primary;
        bool operator==(const Part &) const = default;
    };
    QString key; ///< stable name: object of a click
    QString title;
    QList<Part> parts; ///< "7,455", or several with an icon each
    QString unit;      ///< "/ 7,500"
    QByteArray sparkline;
    int sparkWidth = 0;
    QString detail;  ///< tool tip: how many reported, from where
    int urgency = 0; ///< where there is no room for all, those with the least leave first
    bool operator==(const StripFigure &) const = default;
};

/// Cells of 50 px height side by side, each a caption and a value with tabular digits. Where there is no room
/// for all, the sparklines leave, then whole cells: the least urgent, of these the last.
class FigureStrip final : public QWidget
{
    Q_OBJECT

public:
    explicit FigureStrip(const Theme &theme, QWidget *parent = nullptr);

    void setFigures(const QList<StripFigure> &figures);
    const QList<StripFigure> &figures() const { return m_figures; }
    /// Keys of those that there is room for.
    QStringList shownKeys() { return arrange(), m_shownKeys; }
    QSize sizeHint() const override { return {800, 50}; }
    QSize minimumSizeHint() const override { return {200, 50}; }

protected:
    void paintEvent(QPaintEvent *event) override;
    bool event(QEvent *event) override;

private:
    double figureWidth(const StripFigure &figure, bool sparklines);
    void arrange();

    const Theme &m_theme;
    CellPainter m_painter;
    QList<StripFigure> m_figures;
    QList<QRectF> m_places; ///< by figure; empty: no room for it
    QStringList m_shownKeys;
    bool m_sparklines = true;
};

} // namespace tongchi
