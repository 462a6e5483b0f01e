#include "ui/shell/pool_button.h"

#include "widgets/theme/theme.h"

#include <QFontMetricsF>
#include <QPainter>

namespace tongchi {

namespace {

constexpr int longestPoolName = 280;

} // namespace

PoolButton::PoolButton(const Theme &theme, QWidget *parent) : QToolButton(parent), m_theme(theme)
{
    setObjectName(QStringLiteral("poolButton"));
    setAttribute(Qt::WA_Hover);
    setFocusPolicy(Qt::TabFocus);
    connect(&theme, &Theme::changed, this, [this] { elide(); });
}

void PoolButton::set(const QString &name, const QString &extent)
{
    if (name == m_fullName && extent == m_extent)
        return;
    m_fullName = name;
    m_extent = extent;
    setAccessibleName(extent.isEmpty() ? name : name + QStringLiteral(", ") + extent);
    elide();
}

void PoolButton::elide()
{
    m_name = QFontMetricsF(m_theme.font(TextRole::BodyStrong))
                 .elidedText(m_fullName, Qt::ElideMiddle, longestPoolName);
    updateGeometry();
    update();
}

QSize PoolButton::sizeHint() const
{
    const double name = QFontMetricsF(m_theme.font(TextRole::BodyStrong)).horizontalAdvance(m_name);
    const double extent = QFontMetricsF(m_theme.font(TextRole::Table)).horizontalAdvance(m_extent);
    return {qCeil(8 + 14 + 7 + name + (m_extent.isEmpty() ? 0 : 7 + extent) + 7 + 12 + 8), 28};
}

void PoolButton::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    if (underMouse()) {
        painter.setPen(Qt::NoPen);
        painter.setBrush(m_theme.color(ColorToken::BgHover));
        painter.drawRoundedRect(rect(), 5, 5);
    }
    const double middle = height() / 2.0;
    painter.drawPixmap(
        QPointF(8, middle - 7),
        m_theme.pixmap("pool", 14, m_theme.color(ColorToken::TextPrimary), devicePixelRatioF()));
    double x = 29;
    const QFont &strong = m_theme.font(TextRole::BodyStrong);
    painter.setFont(strong);
    painter.setPen(m_theme.color(ColorToken::TextPrimary));
    painter.drawText(QRectF(x, 0, width(), height()), int(Qt::AlignVCenter) | int(Qt::AlignLeft), m_name);
    x += QFontMetricsF(strong).horizontalAdvance(m_name) + 7;
    if (!m_extent.isEmpty()) {
        const QFont &small = m_theme.font(TextRole::Table);
        painter.setFont(small);
        painter.setPen(m_theme.color(ColorToken::TextTertiary));
        painter.drawText(QRectF(x, 0, width(), height()), int(Qt::AlignVCenter) | int(Qt::AlignLeft),
                         m_extent);
        x += QFontMetricsF(small).horizontalAdvance(m_extent) + 7;
    }
    painter.drawPixmap(
        QPointF(x, middle - 6),
        m_theme.pixmap("chevron-down", 12, m_theme.color(ColorToken::TextSecondary), devicePixelRatioF()));
    if (hasFocus()) {
        painter.setPen(QPen(m_theme.color(ColorToken::BorderFocus), 2));
        painter.setBrush(Qt::NoBrush);
        painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), 5, 5);
    }
}

} // namespace tongchi
