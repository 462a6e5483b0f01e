#include "ui/shell/top_bar.h"

#include "ui/shell/live_switch.h"
#include "ui/shell/palette_field.h"
#include "ui/shell/pool_button.h"
#include "widgets/feedback/status_chip.h"
#include "widgets/theme/plain_tool_tip.h"
#include "widgets/theme/theme.h"

#include <QEvent>
#include <QPainter>
#include <QToolButton>

namespace tongchi {

TopBar::TopBar(const Theme &theme, QWidget *parent)
    : QWidget(parent), m_theme(theme), m_pools(new PoolButton(theme, this)),
      m_simulated(new StatusChip(theme, this)), m_field(new PaletteField(theme, this)),
      m_live(new LiveSwitch(theme, this)), m_refresh(new QToolButton(this))
{
    setObjectName(QStringLiteral("topBar"));
    setFixedHeight(44);
    m_refresh->setObjectName(QStringLiteral("refreshButton"));
    m_refresh->setIcon(theme.icon("refresh", 16));
    m_refresh->setIconSize(QSize(16, 16));
    m_refresh->setFixedSize(28, 28);
    m_refresh->setFocusPolicy(Qt::TabFocus);
    m_simulated->setObjectName(QStringLiteral("simulatedChip"));
    m_simulated->hide();
    connect(m_pools, &QToolButton::clicked, this, &TopBar::poolsRequested);
    connect(m_field, &QAbstractButton::clicked, this, &TopBar::paletteRequested);
    connect(m_live, &QAbstractButton::clicked, this, &TopBar::pauseToggled);
    connect(m_refresh, &QToolButton::clicked, this, &TopBar::refreshRequested);
    connect(&theme, &Theme::changed, this, [this] {
        layOut();
        update();
    });
    retranslate();
}

void TopBar::retranslate()
{
    m_field->setText(tr("Search cards, nodes, workloads, or run a command"));
    m_field->setAccessibleName(m_field->text());
    m_refresh->setAccessibleName(tr("Refresh now"));
    m_refresh->setToolTip(tr("Refresh now") + QStringLiteral(" (F5)"));
    setPools(m_clusters, m_regions, m_formatting);
    showSimulated();
}

void TopBar::changeEvent(QEvent *event)
{
    if (event->type() == QEvent::LanguageChange)
        retranslate();
    QWidget::changeEvent(event);
}

void TopBar::setPools(const QStringList &clusters, int regions, const Formatting &formatting)
{
    m_clusters = clusters;
    m_regions = regions;
    m_formatting = formatting;
    auto *pools = static_cast<PoolButton *>(m_pools);
    if (clusters.isEmpty())
        pools->set(tr("Not connected"), {});
    else
        pools->set(clusters.size() == 1 ? clusters.constFirst() : tr("All pools"),
                   regions > 0 ? tr("%n region(s)", nullptr, regions) : QString());
    m_pools->setToolTip(tr("Connected clusters"));
    layOut();
}

void TopBar::setSimulated(const QStringList &clusters)
{
    if (clusters == m_simulatedClusters)
        return;
    m_simulatedClusters = clusters;
    showSimulated();
}

void TopBar::showSimulated()
{
    const bool all = m_simulatedClusters.size() >= m_clusters.size();
    //: A chip in the top bar, where only some of the connected clusters are simulated.
    m_simulated->set(Tone::Info, "status-info", all ? tr("Simulated") : tr("Partly simulated"));
    m_simulated->setToolTip(
        plainToolTip(tr("The data of these clusters is made up by Tongchi's simulated pool: %1.")
                         .arg(listText(m_simulatedClusters))));
    m_simulated->setVisible(!m_simulatedClusters.isEmpty());
    layOut();
}

void TopBar::setLive(const Liveness &liveness)
{
    const bool connected = liveness.clusters > 0;
    const bool paused = !liveness.frozenAt.isEmpty();
    const int lost = liveness.clusters - liveness.live - liveness.connecting;
    m_live->setVisible(connected);
    m_refresh->setVisible(connected);
    QString word;
    ColorToken dot = ColorToken::StatusNeutral;
    if (paused) {
        word = tr("Paused");
    } else if (lost == 0 && liveness.live > 0) {
        word = tr("Live");
        dot = ColorToken::AccentBase;
    } else if (lost == 0) {
        word = tr("Connecting");
    } else if (liveness.live > 0) {
        //: In the top bar, when some clusters do not answer: 2 of 3 clusters.
        word = tr("Live: %1 of %n cluster(s)", nullptr, liveness.clusters).arg(liveness.live);
        dot = ColorToken::StatusWarn;
    } else {
        //: In the top bar: no cluster answers.
        word = tr("Not live");
        dot = ColorToken::StatusCrit;
    }
    m_live->set(paused, dot, word, paused ? liveness.frozenAt : liveness.age);
    m_live->setAccessibleName(paused ? tr("Paused at %1. Resume live data").arg(liveness.frozenAt)
                                     : tr("%1, newest data %2 old. Pause").arg(word, liveness.age));
    m_live->setToolTip(paused ? tr("Resume live data") : tr("Pause live data"));
    layOut();
}

void TopBar::layOut()
{
    constexpr int rail = 60;
    const int middle = 22;
    const auto place = [middle](QWidget *widget, int x, int width) {
        widget->setGeometry(x, middle - 14, width, 28);
    };
    int left = 12;
    place(m_pools, left, m_pools->sizeHint().width());
    left += m_pools->width() + 12;
    if (!m_simulated->isHidden()) {
        m_simulated->move(left, middle - 10);
        m_simulated->resize(m_simulated->sizeHint());
        left += m_simulated->width() + 12;
    }
    int right = width() - 10;
    if (!m_refresh->isHidden()) {
        right -= 28;
        place(m_refresh, right, 28);
        const int live = m_live->sizeHint().width();
        right -= live + 6;
        place(m_live, right, live);
    }
    right -= 12;
    // Centred in the window, not in what the rail leaves of it, as long as there is room.
    const int fieldWidth = qBound(160, right - left, 440);
    const int wanted = (width() + rail - fieldWidth) / 2 - rail;
    place(m_field, qBound(left, wanted, qMax(left, right - fieldWidth)), fieldWidth);
    m_field->setVisible(right - left >= 160);
}

void TopBar::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    layOut();
}

void TopBar::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.fillRect(rect(), m_theme.color(ColorToken::BgApp));
    painter.fillRect(0, height() - 1, width(), 1, m_theme.color(ColorToken::BorderDefault));
}

} // namespace tongchi
