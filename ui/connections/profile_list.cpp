#include "ui/connections/profile_list.h"

#include "widgets/feedback/labels.h"
#include "widgets/theme/theme.h"

#include <QFontMetricsF>
#include <QKeyEvent>
#include <QPainter>
#include <QVBoxLayout>

namespace tongchi {

ProfileButton::ProfileButton(const Theme &theme, QWidget *parent) : QAbstractButton(parent), m_theme(theme)
{
    setAttribute(Qt::WA_Hover);
    setFixedHeight(50);
    setFocusPolicy(Qt::TabFocus);
    connect(&theme, &Theme::changed, this, [this] { update(); });
}

void ProfileButton::set(const ConnectionProfile &profile, bool current)
{
    m_profile = profile;
    m_current = current;
    QString name = profile.title + QStringLiteral(", ") + profile.subtitle;
    if (profile.isTroubled)
        name = tr("%1, does not answer").arg(name);
    else if (profile.isConnected)
        name = tr("%1, connected").arg(name);
    setAccessibleName(name);
    update();
}

void ProfileButton::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    if (m_current || underMouse())
        painter.fillRect(rect(), m_theme.color(m_current ? ColorToken::BgSelected : ColorToken::BgHover));
    if (m_current)
        painter.fillRect(0, 0, 2, height(), m_theme.color(ColorToken::AccentBase));
    painter.drawPixmap(15, 17,
                       m_theme.pixmap(m_profile.isDemo ? "pool" : "connection", 16,
                                      m_theme.color(ColorToken::TextSecondary), devicePixelRatioF()));
    const double room = width() - 39 - 24;
    const QFont &titleFont = m_theme.font(TextRole::Body);
    const QFont &subFont = m_theme.font(TextRole::Caption);
    painter.setFont(titleFont);
    painter.setPen(m_theme.color(ColorToken::TextPrimary));
    painter.drawText(QPointF(39, 21),
                     QFontMetricsF(titleFont).elidedText(m_profile.title, Qt::ElideRight, room));
    painter.setFont(subFont);
    painter.setPen(m_theme.color(ColorToken::TextTertiary));
    painter.drawText(QPointF(39, 38),
                     QFontMetricsF(subFont).elidedText(m_profile.subtitle, Qt::ElideMiddle, room));
    if (m_profile.isConnected || m_profile.isBusy) {
        painter.setPen(m_profile.isBusy ? QPen(m_theme.color(ColorToken::AccentBase), 1.4) : QPen(Qt::NoPen));
        painter.setBrush(m_profile.isBusy
                             ? QBrush(Qt::NoBrush)
                             : QBrush(m_theme.color(m_profile.isTroubled ? ColorToken::StatusCrit
                                                                         : ColorToken::StatusOk)));
        painter.drawEllipse(QPointF(width() - 16, 17), 3, 3);
    }
    if (hasFocus()) {
        painter.setPen(QPen(m_theme.color(ColorToken::BorderFocus), 2));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(QRectF(rect()).adjusted(1, 1, -1, -1));
    }
}

void ProfileButton::keyPressEvent(QKeyEvent *event)
{
    if (event->key() == Qt::Key_Up || event->key() == Qt::Key_Down)
        Q_EMIT moveRequested(event->key() == Qt::Key_Up ? -1 : 1);
    else if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter)
        click();
    else
        QAbstractButton::keyPressEvent(event);
}

ProfileList::ProfileList(const Theme &theme, QWidget *parent)
    : QWidget(parent), m_theme(theme), m_layout(new QVBoxLayout(this)), m_line(new QWidget(this))
{
    m_layout->setContentsMargins(0, 8, 0, 0);
    m_layout->setSpacing(2);
    auto *inset = new QVBoxLayout(m_line);
    inset->setContentsMargins(14, 7, 14, 7);
    inset->addWidget(hairline(m_line));
}

ProfileButton *ProfileList::currentButton() const
{
    for (ProfileButton *button : m_buttons) {
        if (!button->isHidden() && button->profile().id == m_current)
            return button;
    }
    return nullptr;
}

void ProfileList::setProfiles(const QList<ConnectionProfile> &profiles, const QString &current)
{
    m_current = current;
    while (m_buttons.size() < profiles.size()) {
        auto *button = new ProfileButton(m_theme, this);
        button->setObjectName(QStringLiteral("profile%1").arg(m_buttons.size()));
        connect(button, &QAbstractButton::clicked, this,
                [this, button] { Q_EMIT chosen(button->profile().id); });
        connect(button, &ProfileButton::moveRequested, this, [this, button](int by) {
            const qsizetype target = m_buttons.indexOf(button) + by;
            if (target >= 0 && target < m_buttons.size() && m_buttons[target]->isVisible()) {
                m_buttons[target]->setFocus(Qt::OtherFocusReason);
                Q_EMIT chosen(m_buttons[target]->profile().id);
            }
        });
        m_layout->addWidget(button);
        if (!m_buttons.isEmpty())
            setTabOrder(m_buttons.constLast(), button);
        m_buttons.append(button);
        if (m_buttons.size() == 1)
            m_layout->addWidget(m_line);
    }
    for (qsizetype i = 0; i < m_buttons.size(); ++i) {
        m_buttons[i]->setVisible(i < profiles.size());
        if (i < profiles.size())
            m_buttons[i]->set(profiles[i], profiles[i].id == current);
    }
}

} // namespace tongchi
