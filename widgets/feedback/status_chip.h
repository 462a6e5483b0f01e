#pragma once

#include "widgets/tables/cell_painter.h"

#include <QWidget>

namespace tongchi {

/// A chip outside a table: icon and word on the tint of its tone, 20 px high. Never a button.
class StatusChip final : public QWidget
{
    Q_OBJECT

public:
    explicit StatusChip(const Theme &theme, QWidget *parent = nullptr);

    void set(Tone tone, const char *icon, const QString &text);
    QString text() const { return m_cell.text; }
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    mutable CellPainter m_painter;
    CellPaint m_cell;
};

} // namespace tongchi
