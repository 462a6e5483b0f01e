#pragma once

#include "widgets/tables/cell_paint.h"

#include <QWidget>
#include <chrono>
#include <functional>

namespace tongchi {

class Theme;
class Toast;

/// Short messages at the bottom left above the status bar: at most three, six seconds each, pausing while the
/// pointer is over them; failures stay until they are closed. Lies over the window's content, no larger than
/// its cards.
class ToastStack final : public QWidget
{
    Q_OBJECT

public:
    ToastStack(const Theme &theme, QWidget *window, std::chrono::milliseconds life = std::chrono::seconds(6));

    /// `done` runs when the action is used; the toast closes by itself then.
    void add(Tone tone, const QString &text, const QString &action = {}, std::function<void()> done = {});
    int count() const;
    QStringList texts() const;
    /// Bottom left corner in the window, kept by the owner on resize.
    void placeAt(const QPoint &bottomLeft);
    /// Texts of this session, newest last, for the list behind the bell.
    const QStringList &history() const { return m_history; }

private:
    void layOut();

    const Theme &m_theme;
    std::chrono::milliseconds m_life;
    QList<Toast *> m_toasts;
    QPoint m_bottomLeft;
    QStringList m_history;
};

} // namespace tongchi
