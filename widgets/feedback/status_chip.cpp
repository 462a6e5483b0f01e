#include "widgets/feedback/status_chip.h"

#include "widgets/theme/theme.h"

#include <QPainter>

namespace tongchi {

StatusChip::StatusChip(const Theme &theme, QWidget *parent) : QWidget(parent), m_painter(theme)
{
    m_cell.kind = CellKind::Chip;
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    connect(&theme, &Theme::changed, this, [this] {
        m_painter.clearCaches();
        updateGeometry();
        update();
    });
}

void StatusChip::set(Tone tone, const char *icon, const QString &text)
{
    m_cell.tone = tone;
    m_cell.icon = icon;
    m_cell.text = text;
    setAccessibleName(text);
    updateGeometry();
    update();
}

QSize StatusChip::sizeHint() const
{
    return {m_painter.chipWidth(m_cell), 20};
}

void StatusChip::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    m_painter.chip(painter, QPoint(0, 0), 20, m_cell, width());
}

} // namespace tongchi
