#include "widgets/theme/theme_icon.h"

#include "widgets/theme/theme.h"

#include <QPainter>

namespace tongchi {

ThemeIcon::ThemeIcon(const Theme *theme, const char *name, int size, ColorToken normal, ColorToken checked)
    : m_theme(theme), m_name(name), m_size(size), m_normal(normal), m_checked(checked)
{
}

QColor ThemeIcon::colorFor(QIcon::Mode mode, QIcon::State state) const
{
    if (mode == QIcon::Disabled)
        return m_theme->color(ColorToken::TextDisabled);
    return m_theme->color(state == QIcon::On ? m_checked : m_normal);
}

void ThemeIcon::paint(QPainter *painter, const QRect &rect, QIcon::Mode mode, QIcon::State state)
{
    if (!m_theme)
        return;
    const QPixmap picture =
        m_theme->pixmap(m_name, m_size, colorFor(mode, state), painter->device()->devicePixelRatioF());
    const int x = rect.x() + (rect.width() - m_size) / 2;
    const int y = rect.y() + (rect.height() - m_size) / 2;
    painter->drawPixmap(x, y, picture);
}

QPixmap ThemeIcon::pixmap(const QSize &size, QIcon::Mode mode, QIcon::State state)
{
    return scaledPixmap(size, mode, state, 1.0);
}

QPixmap ThemeIcon::scaledPixmap(const QSize &size, QIcon::Mode mode, QIcon::State state, qreal scale)
{
    if (!m_theme)
        return {};
    // `size` is in device pixels here.
    const int logical = qRound(qMin(size.width(), size.height()) / scale);
    const QPixmap picture =
        m_theme->pixmap(m_name, logical > 0 ? logical : m_size, colorFor(mode, state), scale);
    if (size.width() <= size.height())
        return picture;
    // Wider than high: air at the right, since a style sheet cannot set the gap between a button's icon and
    // its text.
    QPixmap wide(size);
    wide.setDevicePixelRatio(scale);
    wide.fill(Qt::transparent);
    QPainter painter(&wide);
    painter.drawPixmap(0, 0, picture);
    return wide;
}

QSize ThemeIcon::actualSize(const QSize &size, QIcon::Mode, QIcon::State)
{
    return size;
}

QList<QSize> ThemeIcon::availableSizes(QIcon::Mode, QIcon::State)
{
    return {QSize(m_size, m_size)};
}

QIconEngine *ThemeIcon::clone() const
{
    return new ThemeIcon(*this);
}

} // namespace tongchi
