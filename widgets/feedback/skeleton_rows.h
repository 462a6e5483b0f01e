#pragma once

#include "widgets/tables/density.h"

#include <QTimer>
#include <QWidget>

namespace tongchi {

class Theme;

/// Grey bars where rows will be, at the table's density. Nothing is shown for the first 150 ms; the shimmer
/// stops when motion is reduced.
class SkeletonRows final : public QWidget
{
    Q_OBJECT

public:
    explicit SkeletonRows(const Theme &theme, QWidget *parent = nullptr);

    void setDensity(Density density);

protected:
    void paintEvent(QPaintEvent *event) override;
    void showEvent(QShowEvent *event) override;
    void hideEvent(QHideEvent *event) override;

private:
    const Theme &m_theme;
    Density m_density = Density::Regular;
    QTimer m_delay;
    QTimer m_shimmer;
    bool m_visible = false;
    int m_phase = 0;
};

} // namespace tongchi
