#include "widgets/theme/figure_label.h"

#include "widgets/theme/tabular.h"

#include <QFontMetrics>
#include <QPainter>

namespace tongchi {

FigureLabel::FigureLabel(const Theme &theme, TextRole role, QWidget *parent)
    : QWidget(parent), m_theme(theme), m_role(role)
{
    connect(&theme, &Theme::changed, this, [this] {
        updateGeometry();
        update();
    });
}

void FigureLabel::setText(const QString &text, const QString &unit)
{
    if (text == m_text && unit == m_unit)
        return;
    m_text = text;
    m_unit = unit;
    setAccessibleName(unit.isEmpty() ? text : text + u' ' + unit);
    updateGeometry();
    update();
}

void FigureLabel::setTone(Tone tone)
{
    if (tone == m_tone)
        return;
    m_tone = tone;
    update();
}

void FigureLabel::setUnitRole(TextRole role)
{
    m_unitRole = role;
    updateGeometry();
}

void FigureLabel::setAlignment(Qt::Alignment alignment)
{
    m_alignment = alignment;
    update();
}

QSize FigureLabel::sizeHint() const
{
    const QFont &font = m_theme.font(m_role);
    qreal width = tabularWidth(font, m_text);
    if (!m_unit.isEmpty())
        width += 5 + tabularWidth(m_theme.font(m_unitRole), m_unit);
    return {qCeil(width), qCeil(font.pixelSize() * 1.34)};
}

void FigureLabel::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    QRectF area = rect();
    const QFont &font = m_theme.font(m_role);
    const QFont &unitFont = m_theme.font(m_unitRole);
    qreal x = area.left();
    if (m_alignment & Qt::AlignRight) {
        const qreal unitPart = m_unit.isEmpty() ? 0 : 5 + tabularWidth(unitFont, m_unit);
        x = area.right() - tabularWidth(font, m_text) - unitPart;
    }
    painter.setPen(m_theme.color(m_tone));
    const qreal taken =
        drawTabular(painter, QRectF(x, area.top(), area.width(), area.height()), Qt::AlignLeft, m_text, font);
    if (m_unit.isEmpty())
        return;
    painter.setPen(m_theme.color(Tone::Tertiary));
    // Both parts stand on the base line of the larger one.
    const qreal shift = (font.pixelSize() - unitFont.pixelSize()) * 0.36;
    drawTabular(painter, QRectF(x + taken + 5, area.top() + shift, area.width(), area.height()),
                Qt::AlignLeft, m_unit, unitFont);
}

} // namespace tongchi
