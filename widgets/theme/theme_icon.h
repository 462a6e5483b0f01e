#pragma once

#include "widgets/theme/color_token.h"

#include <QIconEngine>
#include <QPointer>

namespace tongchi {

class Theme;

/// Paints a named icon in the theme's present colours, so that no widget has to be given new icons after a
/// switch.
class ThemeIcon final : public QIconEngine
{
public:
    ThemeIcon(const Theme *theme, const char *name, int size, ColorToken normal, ColorToken checked);

    void paint(QPainter *painter, const QRect &rect, QIcon::Mode mode, QIcon::State state) override;
    QPixmap pixmap(const QSize &size, QIcon::Mode mode, QIcon::State state) override;
    QPixmap scaledPixmap(const QSize &size, QIcon::Mode mode, QIcon::State state, qreal scale) override;
    QSize actualSize(const QSize &size, QIcon::Mode mode, QIcon::State state) override;
    QList<QSize> availableSizes(QIcon::Mode mode, QIcon::State state) override;
    QString iconName() override { return QString::fromLatin1(m_name); }
    bool isNull() override { return false; }
    QIconEngine *clone() const override;

private:
    QColor colorFor(QIcon::Mode mode, QIcon::State state) const;

    QPointer<const Theme> m_theme;
    const char *m_name;
    int m_size;
    ColorToken m_normal;
    ColorToken m_checked;
};

} // namespace tongchi
