#include "widgets/tables/order_pill.h"

#include "widgets/theme/tabular.h"
#include "widgets/theme/theme.h"

#include <QEvent>
#include <QPainter>

namespace tongchi {

OrderPill::OrderPill(const Theme &theme, QWidget *parent) : QPushButton(parent), m_theme(theme)
{
    setObjectName(QStringLiteral("orderPill"));
    setCursor(Qt::PointingHandCursor);
    connect(&theme, &Theme::changed, this, [this] { update(); });
    hide();
}

void OrderPill::retranslate()
{
    m_statement = tr("%n row(s) would move", nullptr, m_rows);
    m_action = tr("Sort now");
    setAccessibleName(m_statement + QStringLiteral(" · ") + m_action);
    adjustSize();
    update();
}

void OrderPill::changeEvent(QEvent *event)
{
    if (event->type() == QEvent::LanguageChange)
        retranslate();
    QPushButton::changeEvent(event);
}

void OrderPill::setRows(int rows)
{
    if (rows == m_rows)
        return;
    m_rows = rows;
    if (rows > 0)
        retranslate();
    setVisible(rows > 0);
}

QSize OrderPill::sizeHint() const
{
    const qreal width = tabularWidth(m_theme.font(TextRole::Table), m_statement) +
                        tabularWidth(m_theme.font(TextRole::TableStrong), m_action);
    return {qCeil(width) + 12 + 14 + 12, 26};
}

void OrderPill::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(m_theme.color(hasFocus() ? ColorToken::BorderFocus : ColorToken::BorderDefault),
                        hasFocus() ? 2 : 1));
    painter.setBrush(m_theme.color(underMouse() ? ColorToken::BgHover : ColorToken::BgRaised));
    painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), 12, 12);
    QRectF area = QRectF(rect()).adjusted(12, 0, -12, 0);
    painter.setPen(m_theme.color(Tone::Secondary));
    const qreal width = drawTabular(painter, area, Qt::AlignLeft, m_statement, m_theme.font(TextRole::Table));
    drawTabular(painter, area.adjusted(width, 0, 0, 0), Qt::AlignLeft, QStringLiteral(" · "),
                m_theme.font(TextRole::Table));
    painter.setPen(m_theme.color(Tone::Accent));
    drawTabular(painter, area, Qt::AlignRight, m_action, m_theme.font(TextRole::TableStrong));
}

} // namespace tongchi
