#include "widgets/feedback/notice_strip.h"

#include "widgets/feedback/labels.h"
#include "widgets/theme/plain_tool_tip.h"
#include "widgets/theme/theme.h"

#include <QAccessible>
#include <QHBoxLayout>
#include <QPainter>
#include <QToolButton>

namespace tongchi {

NoticeStrip::NoticeStrip(const Theme &theme, QWidget *parent)
    : QWidget(parent), m_theme(theme), m_sentence(plainLabel("small", this)), m_action(new QToolButton(this))
{
    setObjectName(QStringLiteral("noticeStrip"));
    m_sentence->setObjectName(QStringLiteral("noticeSentence"));
    m_sentence->setWordWrap(true);
    m_sentence->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_action->setObjectName(QStringLiteral("noticeAction"));
    m_action->setProperty("role", QStringLiteral("link"));
    m_action->setToolButtonStyle(Qt::ToolButtonTextOnly);
    m_action->setMinimumHeight(24);
    auto *layout = new QHBoxLayout(this);
    layout->setContentsMargins(16 + 22, 6, 12, 6);
    layout->setSpacing(12);
    layout->addWidget(m_sentence, 1);
    layout->addWidget(m_action, 0, Qt::AlignVCenter);
    setMinimumHeight(32);
    connect(m_action, &QToolButton::clicked, this, &NoticeStrip::actionTriggered);
    connect(&theme, &Theme::changed, this, [this] { update(); });
    hide();
}

void NoticeStrip::say(Tone tone, const char *icon, const QString &sentence, const QString &action,
                      const QString &detail)
{
    const bool isNew = sentence != m_sentence->text() || isHidden();
    m_tone = tone;
    m_icon = icon;
    m_sentence->setText(sentence);
    m_sentence->setToolTip(plainToolTip(detail));
    m_action->setText(buttonText(action));
    m_action->setVisible(!action.isEmpty());
    setVisible(!sentence.isEmpty());
    update();
    if (isNew && tone == Tone::Crit && !sentence.isEmpty()) {
        QAccessibleEvent event(m_sentence, QAccessible::Alert);
        QAccessible::updateAccessibility(&event);
    }
}

void NoticeStrip::clear()
{
    m_sentence->clear();
    hide();
}

QString NoticeStrip::sentence() const
{
    return isHidden() ? QString() : m_sentence->text();
}

void NoticeStrip::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    const QColor tint = m_theme.tint(m_tone);
    painter.fillRect(rect(), tint.isValid() ? tint : m_theme.color(ColorToken::BgPanel));
    painter.fillRect(0, height() - 1, width(), 1, m_theme.color(ColorToken::BorderSubtle));
    if (m_icon)
        painter.drawPixmap(16, (height() - 14) / 2,
                           m_theme.pixmap(m_icon, 14, m_theme.color(m_tone), devicePixelRatioF()));
}

} // namespace tongchi
