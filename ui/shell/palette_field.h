#pragma once

#include <QAbstractButton>

namespace tongchi {

class Theme;

/// Looks like a field and opens the command palette: search icon, a hint, and the keys at the right.
class PaletteField final : public QAbstractButton
{
    Q_OBJECT

public:
    PaletteField(const Theme &theme, QWidget *parent);

    QSize sizeHint() const override { return {440, 28}; }

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    const Theme &m_theme;
};

} // namespace tongchi
