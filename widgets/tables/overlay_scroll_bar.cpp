#include "widgets/tables/overlay_scroll_bar.h"

#include <QAbstractScrollArea>

namespace tongchi {

OverlayScrollBar::OverlayScrollBar(QAbstractScrollArea *area) : QScrollBar(Qt::Vertical, area), m_area(area)
{
    area->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    QScrollBar *own = area->verticalScrollBar();
    setFocusPolicy(Qt::NoFocus);
    connect(own, &QScrollBar::rangeChanged, this, [this] { mirrorRange(); });
    connect(own, &QScrollBar::valueChanged, this, [this](int now) { setValue(now); });
    connect(this, &QScrollBar::valueChanged, own, [own](int now) { own->setValue(now); });
    mirrorRange();
}

void OverlayScrollBar::mirrorRange()
{
    const QScrollBar *own = m_area->verticalScrollBar();
    setRange(own->minimum(), own->maximum());
    setPageStep(own->pageStep());
    setSingleStep(own->singleStep());
    setValue(own->value());
    setVisible(own->maximum() > own->minimum());
}

void OverlayScrollBar::place(int top)
{
    setGeometry(m_area->width() - width, top, width, m_area->height() - top);
    mirrorRange();
    raise();
}

} // namespace tongchi
