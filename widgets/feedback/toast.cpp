#include "widgets/feedback/toast.h"

#include "widgets/feedback/labels.h"
#include "widgets/feedback/shadow.h"
#include "widgets/theme/theme.h"

#include <QAccessible>
#include <QEvent>
#include <QHBoxLayout>
#include <QPainter>
#include <QToolButton>

namespace tongchi {

namespace {

const char *toastIcon(Tone tone)
{
    switch (tone) {
    case Tone::Crit:
        return "status-critical";
    case Tone::Warn:
        return "status-warning";
    case Tone::Ok:
        return "status-ok";
    default:
        return "status-info";
    }
}

} // namespace

Toast::Toast(const Theme &theme, Tone tone, const QString &text, const QString &action,
             std::chrono::milliseconds life, QWidget *parent)
    : QWidget(parent), m_theme(theme), m_tone(tone), m_text(plainLabel("body", this, text)),
      m_action(new QToolButton(this)), m_close(new QToolButton(this))
{
    setObjectName(QStringLiteral("toast"));
    m_text->setObjectName(QStringLiteral("toastText"));
    m_text->setWordWrap(true);
    m_action->setObjectName(QStringLiteral("toastAction"));
    m_action->setProperty("role", QStringLiteral("link"));
    m_action->setText(buttonText(action));
    m_action->setVisible(!action.isEmpty());
    m_action->setMinimumHeight(24);
    m_close->setObjectName(QStringLiteral("toastClose"));
    m_close->setIcon(theme.icon("close"));
    m_close->setIconSize(QSize(14, 14));
    m_close->setFixedSize(24, 24);
    m_close->setAccessibleName(tr("Close"));
    auto *layout = new QHBoxLayout(this);
    layout->setContentsMargins(margin + 35, margin + 5, margin + 6, margin + 5);
    layout->setSpacing(6);
    layout->addWidget(m_text, 1);
    layout->addWidget(m_action);
    layout->addWidget(m_close);
    connect(m_close, &QToolButton::clicked, this, &Toast::finished);
    connect(m_action, &QToolButton::clicked, this, [this] {
        Q_EMIT actionTriggered();
        Q_EMIT finished();
    });
    connect(&m_timer, &QTimer::timeout, this, &Toast::finished);
    connect(&theme, &Theme::changed, this, [this] { update(); });
    m_timer.setSingleShot(true);
    if (tone != Tone::Crit) {
        m_timer.start(life);
    } else {
        QAccessibleEvent event(m_text, QAccessible::Alert);
        QAccessible::updateAccessibility(&event);
    }
}

QString Toast::text() const
{
    return m_text->text();
}

QSize Toast::sizeHint() const
{
    const int width = 328 + 2 * margin;
    const int needed =
        layout()->hasHeightForWidth() ? layout()->heightForWidth(width) : layout()->sizeHint().height();
    return {width, qMax(36 + 2 * margin, needed)};
}

void Toast::enterEvent(QEnterEvent *event)
{
    m_timer.stop();
    QWidget::enterEvent(event);
}

void Toast::leaveEvent(QEvent *event)
{
    if (m_tone != Tone::Crit)
        m_timer.start();
    QWidget::leaveEvent(event);
}

void Toast::changeEvent(QEvent *event)
{
    if (event->type() == QEvent::LanguageChange)
        m_close->setAccessibleName(tr("Close"));
    QWidget::changeEvent(event);
}

void Toast::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF card = QRectF(rect()).adjusted(margin, margin, -margin, -margin);
    paintShadow(painter, m_theme, card, 8, margin - 2);
    painter.setPen(QPen(m_theme.color(ColorToken::BorderDefault), 1));
    painter.setBrush(m_theme.color(ColorToken::BgRaised));
    painter.drawRoundedRect(card.adjusted(0.5, 0.5, -0.5, -0.5), 8, 8);
    painter.drawPixmap(QPointF(card.left() + 12, card.center().y() - 7),
                       m_theme.pixmap(toastIcon(m_tone), 14, m_theme.color(m_tone), devicePixelRatioF()));
}

} // namespace tongchi
