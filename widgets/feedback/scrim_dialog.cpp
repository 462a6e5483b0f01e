#include "widgets/feedback/scrim_dialog.h"

#include "widgets/feedback/labels.h"
#include "widgets/feedback/shadow.h"
#include "widgets/theme/theme.h"

#include <QApplication>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QPainter>
#include <QPointer>
#include <QToolButton>
#include <QVBoxLayout>

namespace tongchi {

namespace {

/// Only the card's own ground; borders and shadow belong to the scrim so that they may lie outside.
class ScrimCard final : public QWidget
{
public:
    ScrimCard(const Theme &theme, QWidget *parent) : QWidget(parent), m_theme(theme) {}

protected:
    void paintEvent(QPaintEvent *) override
    {
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(QPen(m_theme.color(ColorToken::BorderDefault), 1));
        painter.setBrush(m_theme.color(ColorToken::BgPanel));
        painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 10, 10);
    }
    void mousePressEvent(QMouseEvent *event) override { event->accept(); }

private:
    const Theme &m_theme;
};

} // namespace

ScrimDialog::ScrimDialog(const Theme &theme, QWidget *window, const QSize &cardSize, QMargins insets)
    : QWidget(window), m_theme(theme), m_window(window), m_cardSize(cardSize), m_insets(insets),
      m_card(new ScrimCard(theme, this)), m_icon(new QLabel(m_card)), m_title(plainLabel("title", m_card)),
      m_close(new QToolButton(m_card)), m_body(new QVBoxLayout), m_foot(new QHBoxLayout)
{
    m_card->setObjectName(QStringLiteral("scrimCard"));
    m_title->setObjectName(QStringLiteral("dialogTitle"));
    m_close->setObjectName(QStringLiteral("dialogClose"));
    m_close->setIcon(theme.icon("close", 16));
    m_close->setIconSize(QSize(16, 16));
    m_close->setFixedSize(28, 28);
    m_close->setAccessibleName(tr("Close"));
    auto *head = new QHBoxLayout;
    head->setContentsMargins(16, 0, 12, 0);
    head->setSpacing(10);
    head->addWidget(m_icon);
    head->addWidget(m_title, 1);
    head->addWidget(m_close);
    auto *headArea = new QWidget(m_card);
    headArea->setFixedHeight(48);
    headArea->setLayout(head);
    auto *footArea = new QWidget(m_card);
    footArea->setFixedHeight(52);
    m_foot->setContentsMargins(16, 0, 16, 0);
    m_foot->setSpacing(8);
    footArea->setLayout(m_foot);
    m_body->setContentsMargins(0, 0, 0, 0);
    m_body->setSpacing(0);
    auto *layout = new QVBoxLayout(m_card);
    layout->setContentsMargins(1, 1, 1, 1);
    layout->setSpacing(0);
    layout->addWidget(headArea);
    layout->addWidget(hairline(m_card));
    layout->addLayout(m_body, 1);
    layout->addWidget(hairline(m_card));
    layout->addWidget(footArea);
    m_icon->hide();
    setFocusPolicy(Qt::NoFocus);
    connect(m_close, &QToolButton::clicked, this, &ScrimDialog::closeDialog);
    connect(&theme, &Theme::changed, this, [this] {
        if (m_iconName)
            m_icon->setPixmap(
                m_theme.pixmap(m_iconName, 20, m_theme.color(ColorToken::TextPrimary), devicePixelRatioF()));
        update();
    });
    window->installEventFilter(this);
    hide();
}

void ScrimDialog::setTitle(const QString &title, const char *icon)
{
    m_title->setText(title);
    setAccessibleName(title);
    m_iconName = icon;
    m_icon->setVisible(icon != nullptr);
    if (icon)
        m_icon->setPixmap(
            m_theme.pixmap(icon, 20, m_theme.color(ColorToken::TextPrimary), devicePixelRatioF()));
}

void ScrimDialog::setCardSize(const QSize &size)
{
    m_cardSize = size;
    layOut();
}

void ScrimDialog::fitHeight()
{
    m_card->layout()->activate();
    int height = m_card->layout()->hasHeightForWidth() ? m_card->layout()->heightForWidth(m_cardSize.width())
                                                       : m_card->layout()->sizeHint().height();
    m_cardSize.setHeight(height);
    layOut();
}

void ScrimDialog::layOut()
{
    setGeometry(m_insets.left(), m_insets.top(), m_window->width() - m_insets.left() - m_insets.right(),
                m_window->height() - m_insets.top() - m_insets.bottom());
    const QSize size = m_cardSize.boundedTo(this->size() - QSize(24, 24));
    m_card->setGeometry((width() - size.width()) / 2, qMax(12, (height() - size.height()) / 2), size.width(),
                        size.height());
}

QList<QWidget *> ScrimDialog::focusable() const
{
    QList<QWidget *> list;
    // The chain of the window in focus order, cut down to what lies in this dialog.
    const QWidget *start = m_card;
    for (QWidget *widget = start->nextInFocusChain(); widget != start; widget = widget->nextInFocusChain()) {
        if (m_card->isAncestorOf(widget) && widget->isVisible() && widget->isEnabled() &&
            (widget->focusPolicy() & Qt::TabFocus) && !widget->focusProxy())
            list.append(widget);
    }
    // The cross in the head comes last: what the dialog is about comes first.
    if (list.removeOne(m_close))
        list.append(m_close);
    return list;
}

void ScrimDialog::open()
{
    m_returnFocus = QApplication::focusWidget();
    layOut();
    show();
    raise();
    const QList<QWidget *> widgets = focusable();
    if (!widgets.isEmpty())
        widgets.constFirst()->setFocus(Qt::OtherFocusReason);
}

void ScrimDialog::closeDialog()
{
    if (m_busy || isHidden())
        return;
    hide();
    if (m_returnFocus && m_window->isAncestorOf(m_returnFocus))
        m_returnFocus->setFocus(Qt::OtherFocusReason);
    m_returnFocus = nullptr;
    Q_EMIT dismissed();
}

void ScrimDialog::setBusy(bool busy)
{
    m_busy = busy;
    m_close->setEnabled(!busy);
}

void ScrimDialog::keyPressEvent(QKeyEvent *event)
{
    if (event->key() == Qt::Key_Escape)
        closeDialog();
    // Nothing below the scrim may hear a key.
    event->accept();
}

bool ScrimDialog::focusNextPrevChild(bool next)
{
    const QList<QWidget *> widgets = focusable();
    if (widgets.isEmpty())
        return true;
    const qsizetype now = widgets.indexOf(QApplication::focusWidget());
    const qsizetype count = widgets.size();
    const qsizetype target = now < 0 ? (next ? 0 : count - 1) : (now + (next ? 1 : -1) + count) % count;
    widgets[target]->setFocus(next ? Qt::TabFocusReason : Qt::BacktabFocusReason);
    return true;
}

bool ScrimDialog::eventFilter(QObject *watched, QEvent *event)
{
    if (watched == m_window && event->type() == QEvent::Resize && !isHidden())
        layOut();
    return QWidget::eventFilter(watched, event);
}

void ScrimDialog::mousePressEvent(QMouseEvent *event)
{
    event->accept(); // a click beside the card neither closes nor reaches the pane
}

void ScrimDialog::changeEvent(QEvent *event)
{
    if (event->type() == QEvent::LanguageChange)
        m_close->setAccessibleName(tr("Close"));
    QWidget::changeEvent(event);
}

void ScrimDialog::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    QColor scrim = m_theme.color(ColorToken::BgScrim);
    scrim.setAlphaF(m_theme.isDark() ? 0.52f : 0.32f);
    painter.fillRect(rect(), scrim);
    paintShadow(painter, m_theme, QRectF(m_card->geometry()), 10, 24);
}

} // namespace tongchi
