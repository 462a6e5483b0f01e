#pragma once

#include <QToolButton>

namespace tongchi {

class Theme;

/// Pool icon, what is connected in 500, how many regions in grey, a chevron.
class PoolButton final : public QToolButton
{
    Q_OBJECT

public:
    PoolButton(const Theme &theme, QWidget *parent);

    void set(const QString &name, const QString &extent);
    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    void elide();

    const Theme &m_theme;
    QString m_fullName;
    QString m_name; ///< as much of it as there is room for
    QString m_extent;
};

} // namespace tongchi
