#include "ui/shell/status_line.h"

#include "ui/shell/source_button.h"
#include "widgets/theme/tabular.h"
#include "widgets/theme/theme.h"

#include <QEvent>
#include <QPainter>
#include <QToolButton>

namespace tongchi {

StatusLine::StatusLine(const Theme &theme, QWidget *parent)
    : QWidget(parent), m_theme(theme), m_density(new QToolButton(this)), m_language(new QToolButton(this)),
      m_themeButton(new QToolButton(this))
{
    setObjectName(QStringLiteral("statusBar"));
    setFixedHeight(lineHeight);
    const auto prepare = [&theme](QToolButton *button, const char *name, const char *icon) {
        button->setObjectName(QString::fromLatin1(name));
        button->setProperty("role", QStringLiteral("status"));
        button->setIcon(theme.icon(icon, 16, ColorToken::TextTertiary));
        button->setIconSize(QSize(16, 14));
        button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
        button->setFixedHeight(24);
        button->setFocusPolicy(Qt::TabFocus);
    };
    prepare(m_density, "statusDensity", "density");
    prepare(m_language, "statusLanguage", "language");
    prepare(m_themeButton, "statusTheme", "theme");
    connect(m_density, &QToolButton::clicked, this, &StatusLine::densityClicked);
    connect(m_language, &QToolButton::clicked, this, &StatusLine::languageClicked);
    connect(m_themeButton, &QToolButton::clicked, this, &StatusLine::themeClicked);
    connect(&theme, &Theme::changed, this, [this] {
        layOut();
        update();
    });
    retranslate();
}

void StatusLine::retranslate()
{
    setAccessibleName(tr("Status"));
    m_density->setToolTip(tr("Density"));
    m_language->setToolTip(tr("Language"));
    m_themeButton->setToolTip(tr("Theme"));
}

void StatusLine::changeEvent(QEvent *event)
{
    if (event->type() == QEvent::LanguageChange)
        retranslate();
    QWidget::changeEvent(event);
}

void StatusLine::setSources(const QList<SourceItem> &items)
{
    while (m_sources.size() < items.size()) {
        auto *button = new SourceButton(m_theme, this);
        connect(button, &QAbstractButton::clicked, this,
                [this, button] { Q_EMIT sourceClicked(button->item().id); });
        m_sources.append(button);
        if (m_sources.size() > 1)
            setTabOrder(m_sources[m_sources.size() - 2], button);
    }
    for (qsizetype i = 0; i < m_sources.size(); ++i) {
        m_sources[i]->setVisible(i < items.size());
        if (i < items.size())
            m_sources[i]->set(items[i]);
    }
    layOut();
}

void StatusLine::setTotals(const QString &totals, const QString &dataAge)
{
    if (totals == m_totals && dataAge == m_dataAge)
        return;
    m_totals = totals;
    m_dataAge = dataAge;
    layOut();
    update(m_totalsPlace);
}

void StatusLine::setChoices(const QString &density, const QString &language, const QString &themeName)
{
    m_density->setText(density);
    m_language->setText(language);
    m_themeButton->setText(themeName);
    layOut();
}

void StatusLine::setClock(const QString &clock, const QString &note)
{
    if (clock == m_clock)
        return;
    const bool wider = clock.size() != m_clock.size();
    m_clock = clock;
    setProperty("clockNote", note);
    if (wider)
        layOut();
    update(m_clockPlace);
}

void StatusLine::layOut()
{
    const QFont &font = m_theme.font(TextRole::Caption);
    int left = 12;
    for (SourceButton *button : std::as_const(m_sources)) {
        if (button->isHidden())
            continue;
        const int wide = button->sizeHint().width();
        button->setGeometry(left, 1, wide, 24);
        left += wide + 10;
    }
    const int clock = qCeil(tabularWidth(font, m_clock));
    int right = width() - 12 - clock;
    const QRect clockPlace(right, 0, clock + 2, height());
    if (clockPlace != m_clockPlace)
        update();
    m_clockPlace = clockPlace;
    right -= 22;
    for (QToolButton *button : {m_themeButton, m_language, m_density}) {
        const int wide = button->sizeHint().width();
        right -= wide;
        button->setGeometry(right, 1, wide, 24);
        right -= 2;
    }
    right -= 16;
    const QRect totals(left, 0, qMax(0, right - left), height());
    if (totals != m_totalsPlace)
        update();
    m_totalsPlace = totals;
}

void StatusLine::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    layOut();
}

void StatusLine::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.fillRect(rect(), m_theme.color(ColorToken::BgApp));
    painter.fillRect(0, 0, width(), 1, m_theme.color(ColorToken::BorderDefault));
    const QFont &font = m_theme.font(TextRole::Caption);
    painter.setPen(m_theme.color(ColorToken::TextTertiary));
    drawTabular(painter, QRectF(m_clockPlace), Qt::AlignLeft, m_clock, font);
    const QColor line = m_theme.color(ColorToken::BorderDefault);
    painter.fillRect(m_clockPlace.left() - 12, 6, 1, 14, line);
    painter.fillRect(m_density->x() - 9, 6, 1, 14, line);
    QString text = m_totals;
    if (!m_dataAge.isEmpty())
        text += QStringLiteral("    ") + m_dataAge;
    if (tabularWidth(font, text) > m_totalsPlace.width())
        text = m_dataAge;
    if (tabularWidth(font, text) <= m_totalsPlace.width())
        drawTabular(painter, QRectF(m_totalsPlace), Qt::AlignRight, text, font);
}

} // namespace tongchi
