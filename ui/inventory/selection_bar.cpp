#include "ui/inventory/selection_bar.h"

#include "models/inventory/card_condition.h"
#include "widgets/feedback/shadow.h"
#include "widgets/theme/figure_label.h"
#include "widgets/theme/plain_tool_tip.h"
#include "widgets/theme/theme.h"

#include <QCoreApplication>
#include <QEvent>
#include <QFrame>
#include <QHBoxLayout>
#include <QMenu>
#include <QPainter>
#include <QPushButton>
#include <QToolButton>

namespace tongchi {

namespace {

constexpr int barMargin = 16; // room for the shadow

} // namespace

void fillLabelMenu(QMenu &menu, const Theme &theme, QObject *context,
                   const std::function<void(BusinessLabel)> &chosen)
{
    menu.clear();
    const auto add = [&](const char *name, const char *icon, BusinessLabel label, const QString &text,
                         const QString &key) {
        QAction *action = menu.addAction(theme.icon(icon), text);
        action->setObjectName(QString::fromLatin1(name));
        if (!key.isEmpty())
            action->setText(text + u'\t' + key);
        QObject::connect(action, &QAction::triggered, context, [chosen, label] { chosen(label); });
    };
    add("labelInference", "label-inference", BusinessLabel::Inference, labelText(BusinessLabel::Inference),
        QStringLiteral("L I"));
    add("labelTraining", "label-training", BusinessLabel::Training, labelText(BusinessLabel::Training),
        QStringLiteral("L T"));
    add("labelMixed", "label-mixed", BusinessLabel::Mixed, labelText(BusinessLabel::Mixed),
        QStringLiteral("L M"));
    menu.addSeparator();
    add("labelRemove", "label-idle", BusinessLabel::Unknown,
        QCoreApplication::translate("SelectionBar", "Remove the label"), {});
}

SelectionBar::SelectionBar(const Theme &theme, QWidget *parent)
    : QWidget(parent), m_theme(theme), m_count(new FigureLabel(theme, TextRole::TableStrong, this)),
      m_extent(new FigureLabel(theme, TextRole::Table, this)), m_cordon(new QPushButton(this)),
      m_uncordon(new QPushButton(this)), m_label(new QPushButton(this)), m_labelMenu(new QMenu(this)),
      m_close(new QToolButton(this))
{
    setObjectName(QStringLiteral("selectionBar"));
    m_count->setObjectName(QStringLiteral("selectionCount"));
    m_extent->setTone(Tone::Tertiary);
    m_cordon->setObjectName(QStringLiteral("cordonButton"));
    m_cordon->setIcon(theme.icon("cordon", 16, ColorToken::TextPrimary));
    m_uncordon->setObjectName(QStringLiteral("uncordonButton"));
    m_uncordon->setIcon(theme.icon("status-ok", 16, ColorToken::TextPrimary));
    m_label->setObjectName(QStringLiteral("labelButton"));
    m_label->setIcon(theme.icon("label", 16, ColorToken::TextPrimary));
    m_label->setMenu(m_labelMenu);
    m_label->setProperty("menuButton", true);
    m_labelMenu->setObjectName(QStringLiteral("labelMenu"));
    for (QPushButton *button : {m_cordon, m_uncordon, m_label}) {
        button->setProperty("small", true);
        button->setIconSize(QSize(17, 14));
        button->setAutoDefault(false);
        button->setFocusPolicy(Qt::TabFocus); // a click with the mouse leaves the keyboard in the table
    }
    m_close->setObjectName(QStringLiteral("clearSelectionButton"));
    m_close->setIcon(theme.icon("close"));
    m_close->setIconSize(QSize(16, 16));
    m_close->setFixedSize(24, 24);
    auto *layout = new QHBoxLayout(this);
    layout->setContentsMargins(barMargin + 14, barMargin + 9, barMargin + 10, barMargin + 9);
    layout->setSpacing(8);
    layout->addWidget(m_count);
    layout->addWidget(m_extent);
    auto *line = new QFrame(this);
    line->setProperty("role", QStringLiteral("divider"));
    line->setFixedSize(1, 16);
    layout->addSpacing(2);
    layout->addWidget(line);
    layout->addSpacing(2);
    layout->addWidget(m_cordon);
    layout->addWidget(m_uncordon);
    layout->addWidget(m_label);
    layout->addWidget(m_close);
    connect(m_cordon, &QPushButton::clicked, this, &SelectionBar::cordonRequested);
    connect(m_uncordon, &QPushButton::clicked, this, &SelectionBar::uncordonRequested);
    connect(m_close, &QToolButton::clicked, this, &SelectionBar::clearRequested);
    connect(&theme, &Theme::changed, this, [this] { update(); });
    retranslate();
    hide();
}

void SelectionBar::retranslate()
{
    m_count->setText(tr("%n selected", nullptr, m_cards));
    const QString memory =
        m_gigabytes > 0 ? m_formatting.gigabytes(m_gigabytes, 0) + QStringLiteral(" GB · ") : QString();
    m_extent->setText(memory + tr("%n node(s)", nullptr, m_nodes));
    m_cordon->setText(tr("Cordon"));
    m_uncordon->setText(tr("Uncordon"));
    m_label->setText(tr("Label"));
    m_close->setAccessibleName(tr("Clear selection"));
    m_close->setToolTip(tr("Clear selection"));
    fillLabelMenu(*m_labelMenu, m_theme, this, [this](BusinessLabel label) { Q_EMIT labelRequested(label); });
    setAllowed(m_cordon->isEnabled(), m_reason);
    adjustSize();
}

void SelectionBar::changeEvent(QEvent *event)
{
    if (event->type() == QEvent::LanguageChange)
        retranslate();
    QWidget::changeEvent(event);
}

void SelectionBar::setSelection(int cards, double gigabytes, int nodes, const Formatting &formatting)
{
    m_cards = cards;
    m_gigabytes = gigabytes;
    m_nodes = nodes;
    m_formatting = formatting;
    retranslate();
}

void SelectionBar::setAllowed(bool allowed, const QString &reason)
{
    m_reason = reason;
    for (QPushButton *button : {m_cordon, m_uncordon, m_label}) {
        button->setEnabled(allowed);
        button->setToolTip(plainToolTip(reason));
        button->setAccessibleDescription(reason);
    }
    if (allowed && reason.isEmpty())
        m_cordon->setToolTip(plainToolTip(tr("No new work is placed on these nodes; what runs goes on")));
}

void SelectionBar::openLabelMenu()
{
    if (m_label->isEnabled())
        m_labelMenu->popup(m_label->mapToGlobal(QPoint(0, m_label->height() + 2)));
}

QSize SelectionBar::sizeHint() const
{
    return {layout()->sizeHint().width(), 44 + 2 * barMargin};
}

void SelectionBar::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF card = QRectF(rect()).adjusted(barMargin, barMargin, -barMargin, -barMargin);
    paintShadow(painter, m_theme, card, 8, barMargin - 2);
    painter.setPen(QPen(m_theme.color(ColorToken::BorderDefault), 1));
    painter.setBrush(m_theme.color(ColorToken::BgRaised));
    painter.drawRoundedRect(card.adjusted(0.5, 0.5, -0.5, -0.5), 8, 8);
}

} // namespace tongchi
