#include "ui/shell/welcome_page.h"

#include "widgets/feedback/labels.h"
#include "widgets/theme/theme.h"
#include "widgets/theme/vendor_mark.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QPainter>
#include <QPushButton>
#include <QVBoxLayout>

namespace tongchi {

WelcomePage::WelcomePage(const Theme &theme, QWidget *parent)
    : QWidget(parent), m_theme(theme), m_markPlace(new QWidget(this)), m_title(plainLabel("verdict", this)),
      m_text(plainLabel("secondary", this)), m_demo(new QPushButton(this)), m_connect(new QPushButton(this)),
      m_note(plainLabel("smallTertiary", this))
{
    setObjectName(QStringLiteral("welcomePage"));
    m_markPlace->setFixedSize(64, 64);
    m_demo->setObjectName(QStringLiteral("welcomeDemo"));
    m_demo->setProperty("kind", QStringLiteral("primary"));
    m_connect->setObjectName(QStringLiteral("welcomeConnect"));
    for (QLabel *label : {m_title, m_text, m_note}) {
        label->setAlignment(Qt::AlignCenter);
        label->setWordWrap(true);
    }
    auto *buttons = new QHBoxLayout;
    buttons->setSpacing(8);
    buttons->addStretch();
    buttons->addWidget(m_demo);
    buttons->addWidget(m_connect);
    buttons->addStretch();
    auto *layout = new QVBoxLayout(this);
    layout->addStretch(4);
    layout->addWidget(m_markPlace, 0, Qt::AlignHCenter);
    layout->addSpacing(8);
    layout->addWidget(m_title, 0, Qt::AlignHCenter);
    layout->addSpacing(4);
    layout->addWidget(m_text, 0, Qt::AlignHCenter);
    layout->addSpacing(12);
    layout->addLayout(buttons);
    layout->addSpacing(12);
    layout->addWidget(m_note, 0, Qt::AlignHCenter);
    layout->addStretch(5);
    connect(m_demo, &QPushButton::clicked, this, &WelcomePage::demoRequested);
    connect(m_connect, &QPushButton::clicked, this, &WelcomePage::connectRequested);
    // The smallest text has another size in Chinese.
    connect(&theme, &Theme::changed, this, [this] { retranslate(); });
    retranslate();
}

void WelcomePage::retranslate()
{
    m_title->setText(QStringLiteral("Tongchi 同池"));
    m_text->setText(tr("Every accelerator card of your clusters in one table, live: NVIDIA, Ascend, "
                       "Cambricon and others, with the age and the source of each number."));
    m_demo->setText(tr("Start demo pool"));
    m_connect->setText(tr("Connect a cluster…"));
    m_note->setText(tr("The demo pool runs inside this program: 7,500 simulated cards in four regions, no "
                       "cluster needed. No cluster is contacted before you say so."));
    fitWrapped(m_title, 460);
    fitWrapped(m_text, 460);
    fitWrapped(m_note, 460);
}

void WelcomePage::changeEvent(QEvent *event)
{
    if (event->type() == QEvent::LanguageChange)
        retranslate();
    QWidget::changeEvent(event);
}

void WelcomePage::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.fillRect(rect(), m_theme.color(ColorToken::BgPanel));
    paintProductMark(painter, QRectF(m_markPlace->geometry()), m_theme.color(ColorToken::TextPrimary),
                     m_theme.color(ColorToken::AccentBase));
}

} // namespace tongchi
