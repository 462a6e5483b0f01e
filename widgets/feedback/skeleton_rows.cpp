#include "widgets/feedback/skeleton_rows.h"

#include "widgets/theme/theme.h"

#include <QPainter>
#include <cmath>

namespace tongchi {

namespace {

constexpr int shimmerSteps = 14; // of 100 ms: one pass in 1,400 ms

} // namespace

SkeletonRows::SkeletonRows(const Theme &theme, QWidget *parent) : QWidget(parent), m_theme(theme)
{
    setObjectName(QStringLiteral("skeletonRows"));
    m_delay.setSingleShot(true);
    m_delay.setInterval(150);
    connect(&m_delay, &QTimer::timeout, this, [this] {
        m_visible = true;
        update();
        if (m_theme.duration("normal") > 0)
            m_shimmer.start();
    });
    m_shimmer.setInterval(100);
    connect(&m_shimmer, &QTimer::timeout, this, [this] {
        m_phase = (m_phase + 1) % shimmerSteps;
        update();
    });
    connect(&theme, &Theme::changed, this, [this] { update(); });
}

void SkeletonRows::setDensity(Density density)
{
    m_density = density;
    update();
}

void SkeletonRows::showEvent(QShowEvent *event)
{
    m_visible = false;
    m_delay.start();
    QWidget::showEvent(event);
}

void SkeletonRows::hideEvent(QHideEvent *event)
{
    m_delay.stop();
    m_shimmer.stop();
    QWidget::hideEvent(event);
}

void SkeletonRows::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.fillRect(rect(), m_theme.color(ColorToken::BgPanel));
    if (!m_visible)
        return;
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    const int height = rowHeightOf(m_density);
    // Widths differ from row to row as real names do, the same in every run.
    static constexpr int names[] = {78, 120, 110, 108, 106, 102, 112, 108, 92, 90};
    static constexpr int nodes[] = {58, 86, 64, 66, 70, 84, 64, 76, 80, 82};
    for (int row = 0; row * height < this->height(); ++row) {
        const int y = row * height;
        painter.fillRect(0, y + height - 1, width(), 1, m_theme.color(ColorToken::BorderSubtle));
        QColor bar = m_theme.color(ColorToken::BgPressed);
        const double wave = std::sin((m_phase / double(shimmerSteps) + row * 0.06) * 2 * 3.14159265);
        bar.setAlphaF(float(0.5 + 0.12 * wave));
        painter.setBrush(bar);
        const double middle = y + (height - 1) / 2.0;
        painter.drawRoundedRect(QRectF(14, middle - 6, 12, 12), 3, 3);
        painter.drawRoundedRect(QRectF(44, middle - 4, names[row % 10], 8), 3, 3);
        painter.drawRoundedRect(QRectF(44 + 128, middle - 4, nodes[row % 10], 8), 3, 3);
        painter.drawRoundedRect(QRectF(354, middle - 4, 70, 8), 3, 3);
        painter.drawRoundedRect(QRectF(446, middle - 4, 150, 8), 3, 3);
        painter.drawRoundedRect(QRectF(width() - 92, middle - 4, 70, 8), 3, 3);
    }
}

} // namespace tongchi
