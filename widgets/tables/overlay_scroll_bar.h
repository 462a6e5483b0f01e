#pragma once

#include <QScrollBar>

QT_BEGIN_NAMESPACE
class QAbstractScrollArea;
QT_END_NAMESPACE

namespace tongchi {

/// A vertical scroll bar in a strip of its own at the right edge, there or not, so that the last column ends
/// at the same place with and without it. It mirrors the area's own bar, whose policy it turns off.
class OverlayScrollBar final : public QScrollBar
{
    Q_OBJECT

public:
    static constexpr int width = 8;

    explicit OverlayScrollBar(QAbstractScrollArea *area);

    /// Call from resizeEvent() of the area; `top` is the height of a header above the content.
    void place(int top);

private:
    void mirrorRange();

    QAbstractScrollArea *m_area;
};

} // namespace tongchi
