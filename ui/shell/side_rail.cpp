#include "ui/shell/side_rail.h"

#include "ui/shell/rail_button.h"
#include "widgets/theme/theme.h"
#include "widgets/theme/vendor_mark.h"

#include <QEvent>
#include <QPainter>
#include <QVBoxLayout>

namespace tongchi {

SideRail::SideRail(const Theme &theme, QWidget *parent)
    : QWidget(parent), m_theme(theme), m_cards(new RailButton(theme, "railCards", "nav-inventory", this)),
      m_connect(new RailButton(theme, "railConnect", "connection", this)),
      m_settings(new RailButton(theme, "railSettings", "settings", this))
{
    setObjectName(QStringLiteral("rail"));
    setFixedWidth(railWidth);
    m_cards->setActive(true);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 46, 0, 4);
    layout->setSpacing(2);
    layout->addWidget(m_cards);
    layout->addStretch();
    layout->addWidget(m_connect);
    layout->addWidget(m_settings);
    connect(m_cards, &QAbstractButton::clicked, this, &SideRail::cardsRequested);
    connect(m_connect, &QAbstractButton::clicked, this, &SideRail::connectRequested);
    connect(m_settings, &QAbstractButton::clicked, this, &SideRail::settingsRequested);
    connect(&theme, &Theme::changed, this, [this] { update(); });
    retranslate();
}

void SideRail::retranslate()
{
    setAccessibleName(tr("Panes"));
    m_cards->setText(tr("Cards"));
    //: Rail: opens the connections.
    m_connect->setText(tr("Connect"));
    m_settings->setText(tr("Settings"));
    for (RailButton *button : {m_cards, m_connect, m_settings})
        button->setAccessibleName(button->text());
}

void SideRail::changeEvent(QEvent *event)
{
    if (event->type() == QEvent::LanguageChange)
        retranslate();
    QWidget::changeEvent(event);
}

void SideRail::setConnectActive(bool active)
{
    m_connect->setActive(active);
    m_cards->setActive(!active && !m_settings->isActive());
}

void SideRail::setSettingsActive(bool active)
{
    m_settings->setActive(active);
    m_cards->setActive(!active && !m_connect->isActive());
}

void SideRail::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.fillRect(rect(), m_theme.color(ColorToken::BgApp));
    painter.fillRect(width() - 1, 0, 1, height(), m_theme.color(ColorToken::BorderDefault));
    paintProductMark(painter, QRectF(17, 9, 26, 26), m_theme.color(ColorToken::TextPrimary),
                     m_theme.color(ColorToken::AccentBase));
}

} // namespace tongchi
