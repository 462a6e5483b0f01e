#pragma once

#include <QAbstractButton>

namespace tongchi {

class Theme;

/// 52 x 50: icon of 20 px over a word; the active one on accent.tint with a bar at the window's edge.
class RailButton final : public QAbstractButton
{
    Q_OBJECT

public:
    RailButton(const Theme &theme, const char *name, const char *icon, QWidget *parent);

    void setActive(bool active);
    bool isActive() const { return m_active; }
    QSize sizeHint() const override { return {60, 50}; }

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    const Theme &m_theme;
    const char *m_icon;
    bool m_active = false;
};

} // namespace tongchi
