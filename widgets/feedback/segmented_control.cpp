#include "widgets/feedback/segmented_control.h"

#include "widgets/theme/tabular.h"
#include "widgets/theme/theme.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

namespace tongchi {

SegmentedControl::SegmentedControl(const Theme &theme, QWidget *parent) : QWidget(parent), m_theme(theme)
{
    setFocusPolicy(Qt::TabFocus);
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    connect(&theme, &Theme::changed, this, [this] {
        updateGeometry();
        update();
    });
}

void SegmentedControl::setChoices(const QList<Choice> &choices)
{
    m_choices = choices;
    m_current = qBound(0, m_current, qMax(0, int(choices.size()) - 1));
    updateGeometry();
    update();
}

void SegmentedControl::setCurrent(int index)
{
    if (index == m_current || index < 0 || index >= m_choices.size())
        return;
    m_current = index;
    setAccessibleDescription(m_choices[index].text);
    update();
}

void SegmentedControl::choose(int index)
{
    if (index < 0 || index >= m_choices.size() || index == m_current)
        return;
    setCurrent(index);
    Q_EMIT currentChanged(index);
}

QList<double> SegmentedControl::widths() const
{
    QList<double> list;
    for (const Choice &choice : m_choices)
        list.append(tabularWidth(m_theme.font(TextRole::Table), choice.text) + 20 + (choice.icon ? 20 : 0));
    return list;
}

QSize SegmentedControl::sizeHint() const
{
    double width = 4;
    for (const double part : widths())
        width += part;
    return {qCeil(width), 24};
}

void SegmentedControl::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(m_theme.color(ColorToken::BgPressed));
    painter.drawRoundedRect(rect(), 6, 6);
    double x = 2;
    const QList<double> parts = widths();
    for (qsizetype i = 0; i < m_choices.size(); ++i) {
        const QRectF box(x, 2, parts[i], height() - 4);
        const bool chosen = i == m_current;
        if (chosen) {
            const QColor border =
                m_theme.color(m_theme.isDark() ? ColorToken::BgPressed : ColorToken::BorderDefault);
            painter.setPen(
                QPen(hasFocus() ? m_theme.color(ColorToken::BorderFocus) : border, hasFocus() ? 2 : 1));
            painter.setBrush(
                m_theme.color(m_theme.isDark() ? ColorToken::BorderDefault : ColorToken::BgPanel));
            painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), 5, 5);
        }
        const QColor color = m_theme.color(chosen ? ColorToken::TextPrimary : ColorToken::TextSecondary);
        double left = box.left() + 10;
        if (m_choices[i].icon) {
            painter.drawPixmap(QPointF(left - 1, box.center().y() - 7),
                               m_theme.pixmap(m_choices[i].icon, 14, color, devicePixelRatioF()));
            left += 20;
        }
        painter.setPen(color);
        drawTabular(painter, QRectF(left, box.top(), box.right() - left, box.height()), Qt::AlignLeft,
                    m_choices[i].text, m_theme.font(chosen ? TextRole::TableStrong : TextRole::Table));
        x += parts[i];
    }
}

void SegmentedControl::mousePressEvent(QMouseEvent *event)
{
    double x = 2;
    const QList<double> parts = widths();
    for (qsizetype i = 0; i < parts.size(); ++i) {
        if (event->position().x() >= x && event->position().x() < x + parts[i])
            choose(int(i));
        x += parts[i];
    }
}

void SegmentedControl::keyPressEvent(QKeyEvent *event)
{
    switch (event->key()) {
    case Qt::Key_Left:
    case Qt::Key_Up:
        choose(m_current - 1);
        break;
    case Qt::Key_Right:
    case Qt::Key_Down:
        choose(m_current + 1);
        break;
    default:
        QWidget::keyPressEvent(event);
    }
}

} // namespace tongchi
