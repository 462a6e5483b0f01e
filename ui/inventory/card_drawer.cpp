#include "ui/inventory/card_drawer.h"

#include "models/common/error_text.h"
#include "ui/inventory/card_cells.h"
#include "ui/inventory/detail_rows.h"
#include "ui/inventory/selection_bar.h"
#include "widgets/charts/history_chart.h"
#include "widgets/feedback/labels.h"
#include "widgets/feedback/status_chip.h"
#include "widgets/theme/plain_tool_tip.h"
#include "widgets/theme/theme.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QMenu>
#include <QPainter>
#include <QPushButton>
#include <QScrollArea>
#include <QStackedWidget>
#include <QTabBar>
#include <QToolButton>

namespace tongchi {

CardDrawer::CardDrawer(const Theme &theme, const CardTableModel &table, const Clock &clock, SourceNamer namer,
                       QWidget *parent)
    : QWidget(parent), m_theme(theme), m_table(table), m_clock(clock), m_namer(std::move(namer)),
      m_mark(new QLabel(this)), m_title(plainLabel("title", this)), m_subtitle(plainLabel("secondary", this)),
      m_place(plainLabel("smallSecondary", this)), m_close(new QToolButton(this)),
      m_labelChip(new StatusChip(theme, this)), m_healthChip(new StatusChip(theme, this)),
      m_tabs(new QTabBar(this)), m_pages(new QStackedWidget(this)), m_cordon(new QPushButton(this)),
      m_label(new QPushButton(this)), m_labelMenu(new QMenu(this))
{
    setObjectName(QStringLiteral("cardDrawer"));
    // Not for each card that is passed by on the way to another.
    constexpr std::chrono::milliseconds shownForAMoment{300};
    m_hourTimer.setSingleShot(true);
    m_hourTimer.setInterval(shownForAMoment);
    connect(&m_hourTimer, &QTimer::timeout, this, [this] {
        if (!isHidden() && m_card != noCard)
            Q_EMIT hourWanted(m_card);
    });
    setFixedWidth(panelWidth);
    m_title->setObjectName(QStringLiteral("drawerTitle"));
    m_place->setObjectName(QStringLiteral("drawerPlace"));
    m_place->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_close->setObjectName(QStringLiteral("drawerClose"));
    m_close->setIcon(theme.icon("close", 16));
    m_close->setIconSize(QSize(16, 16));
    m_close->setFixedSize(28, 28);
    m_tabs->setObjectName(QStringLiteral("drawerTabs"));
    m_tabs->setDrawBase(false);
    m_tabs->setExpanding(false);
    m_tabs->addTab(QString());
    m_tabs->addTab(QString());

    auto *head = new QHBoxLayout;
    head->setContentsMargins(0, 0, 0, 0);
    head->setSpacing(8);
    head->addWidget(m_mark);
    head->addWidget(m_title);
    head->addWidget(m_subtitle);
    head->addStretch();
    head->addWidget(m_close);
    auto *chips = new QHBoxLayout;
    chips->setSpacing(8);
    chips->addWidget(m_labelChip);
    chips->addWidget(m_healthChip);
    chips->addStretch();
    auto *top = new QVBoxLayout;
    top->setContentsMargins(17, 10, 10, 0);
    top->setSpacing(5);
    top->addLayout(head);
    top->addWidget(m_place);
    top->addLayout(chips);
    top->addSpacing(2);
    top->addWidget(m_tabs);

    m_pages->addWidget(buildOverview());
    m_pages->addWidget(buildHistory());
    m_pages->setAutoFillBackground(false);
    m_pages->setStyleSheet(QStringLiteral("QStackedWidget#drawerPages { background: transparent; }"));
    m_pages->setObjectName(QStringLiteral("drawerPages"));

    m_cordon->setObjectName(QStringLiteral("drawerCordon"));
    m_cordon->setIcon(theme.icon("cordon", 16, ColorToken::TextPrimary));
    m_label->setObjectName(QStringLiteral("drawerLabel"));
    m_label->setIcon(theme.icon("label", 16, ColorToken::TextPrimary));
    m_label->setMenu(m_labelMenu);
    m_label->setProperty("menuButton", true);
    for (QPushButton *button : {m_cordon, m_label}) {
        button->setProperty("small", true);
        button->setIconSize(QSize(17, 14));
    }
    auto *foot = new QHBoxLayout;
    foot->setContentsMargins(17, 8, 16, 12);
    foot->setSpacing(8);
    foot->addWidget(m_cordon);
    foot->addWidget(m_label);
    foot->addStretch();

    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(top);
    layout->addWidget(hairline(this));
    layout->addWidget(m_pages, 1);
    layout->addLayout(foot);

    connect(m_close, &QToolButton::clicked, this, &CardDrawer::closeRequested);
    connect(m_tabs, &QTabBar::currentChanged, this, [this](int tab) {
        m_pages->setCurrentIndex(tab);
        refresh();
    });
    connect(m_cordon, &QPushButton::clicked, this, [this] { Q_EMIT cordonRequested(!m_cordoned); });
    connect(&theme, &Theme::changed, this, [this] { refresh(); });
    retranslate();
    hide();
}

QWidget *CardDrawer::buildOverview()
{
    auto *area = new QScrollArea(this);
    area->setObjectName(QStringLiteral("drawerOverview"));
    area->setWidgetResizable(true);
    area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    area->setFocusPolicy(Qt::NoFocus);
    area->viewport()->setAutoFillBackground(false);
    auto *page = new QWidget;
    page->setAutoFillBackground(false);
    auto *layout = new QVBoxLayout(page);
    layout->setContentsMargins(17, 10, 16, 10);
    layout->setSpacing(0);
    const auto section = [&](QLabel *&title, QWidget *body) {
        title = plainLabel("smallTertiary", page);
        layout->addWidget(title);
        layout->addSpacing(2);
        layout->addWidget(body);
        layout->addSpacing(12);
    };
    m_flags = plainLabel("warn", page);
    m_flags->setObjectName(QStringLiteral("drawerFlags"));
    m_flags->setWordWrap(true);
    layout->addWidget(m_flags);
    section(m_measuredTitle, m_measured = new DetailRows(page));
    section(m_propertiesTitle, m_properties = new DetailRows(page));
    section(m_slicesTitle, m_slices = new DetailRows(page));
    m_pods = plainLabel("small", page);
    m_pods->setObjectName(QStringLiteral("drawerPods"));
    m_pods->setWordWrap(true);
    m_pods->setTextInteractionFlags(Qt::TextSelectableByMouse);
    section(m_podsTitle, m_pods);
    m_neighbours = new QWidget(page);
    auto *row = new QHBoxLayout(m_neighbours);
    row->setContentsMargins(0, 2, 0, 0);
    row->setSpacing(3);
    section(m_nodeTitle, m_neighbours);
    m_nodeFacts = plainLabel("caption", page);
    m_nodeFacts->setWordWrap(true);
    layout->addWidget(m_nodeFacts);
    layout->addStretch();
    area->setWidget(page);
    page->setAutoFillBackground(false); // setWidget() has turned it on
    return area;
}

QWidget *CardDrawer::buildHistory()
{
    auto *page = new QWidget(this);
    auto *layout = new QVBoxLayout(page);
    layout->setContentsMargins(17, 6, 16, 8);
    layout->setSpacing(0);
    m_history = new HistoryChart(m_theme, page);
    m_history->setObjectName(QStringLiteral("drawerHistory"));
    m_history->setGapAfter(100'000);
    m_historyNote = plainLabel("caption", page);
    m_historyNote->setObjectName(QStringLiteral("historyNote"));
    m_historyNote->setWordWrap(true);
    layout->addWidget(m_history);
    layout->addSpacing(4);
    layout->addWidget(m_historyNote);
    layout->addStretch();
    return page;
}

void CardDrawer::retranslate()
{
    setAccessibleName(tr("Card"));
    m_close->setAccessibleName(tr("Close"));
    m_close->setToolTip(tr("Close"));
    m_tabs->setTabText(0, tr("Overview"));
    m_tabs->setTabText(1, tr("History"));
    m_tabs->setAccessibleName(tr("Card views"));
    m_measuredTitle->setText(tr("Measured"));
    m_propertiesTitle->setText(tr("Properties"));
    m_slicesTitle->setText(tr("Slices and shares"));
    m_podsTitle->setText(tr("Pods"));
    m_nodeTitle->setText(tr("Same node"));
    m_label->setText(tr("Label"));
    fillLabelMenu(*m_labelMenu, m_theme, this, [this](BusinessLabel label) { Q_EMIT labelRequested(label); });
    refresh();
}

void CardDrawer::changeEvent(QEvent *event)
{
    if (event->type() == QEvent::LanguageChange)
        retranslate();
    QWidget::changeEvent(event);
}

void CardDrawer::showCard(CardIndex card)
{
    if (card != m_card) {
        m_temperatures.clear();
        m_powers.clear();
        m_openedAt = m_clock.now();
        m_hour = Hour::Wanted;
        m_hourProblem.clear();
        m_hourTimer.start();
    }
    m_card = card;
    refresh();
}

void CardDrawer::setHour(CardIndex card, const InventoryController::Hour &hour)
{
    if (card != m_card || m_hour == Hour::Read)
        return;
    if (!hour) {
        if (hour.error().code == ErrorCode::Cancelled)
            return;
        m_hour = Hour::Missing;
        m_hourProblem = errorText(hour.error()).sentence;
        fillHistory();
        return;
    }
    m_hour = Hour::Read;
    std::vector<HistoryPoint> temperatures, powers;
    for (const TelemetryRecord &record : *hour) {
        const qint64 time = record.sampledAt.time_since_epoch().count();
        if (!m_temperatures.empty() && time >= m_temperatures.front().time)
            break; // from here on the samples of the polls are finer
        temperatures.push_back({time, record.temperatureCelsius});
        powers.push_back({time, record.powerWatts});
    }
    m_temperatures.insert(m_temperatures.begin(), temperatures.begin(), temperatures.end());
    m_powers.insert(m_powers.begin(), powers.begin(), powers.end());
    fillHistory();
}

/// What the plots of temperature and power lack of the hour.
QString CardDrawer::hourNote() const
{
    const QString opened = m_table.formatting().timeOfDay(m_openedAt, m_zone);
    switch (m_hour) {
    case Hour::Wanted:
        return tr("Temperature and power before %1 are being read.").arg(opened);
    case Hour::Missing:
        return sentencesText(tr("Temperature and power are recorded since %1.").arg(opened), m_hourProblem);
    case Hour::Read:
        break;
    }
    return {};
}

void CardDrawer::setAllowed(bool allowed, const QString &reason)
{
    for (QPushButton *button : {m_cordon, m_label}) {
        button->setEnabled(allowed);
        button->setToolTip(plainToolTip(reason));
        button->setAccessibleDescription(reason);
    }
}

void CardDrawer::sample()
{
    const CardStore &store = m_table.store();
    const auto at = store.sampledAt(m_card);
    if (!at)
        return;
    const qint64 time = at->time_since_epoch().count();
    if (!m_temperatures.empty() && m_temperatures.back().time >= time)
        return;
    m_temperatures.push_back({time, store.temperatureOf(m_card)});
    m_powers.push_back({time, store.powerOf(m_card)});
    constexpr std::size_t mostSamples = 3600;
    if (m_temperatures.size() > mostSamples) {
        m_temperatures.erase(m_temperatures.begin());
        m_powers.erase(m_powers.begin());
    }
}

void CardDrawer::refresh()
{
    if (m_card == noCard || m_card >= m_table.store().cardSlots() || !m_table.store().isUsed(m_card))
        return;
    sample();
    if (isHidden())
        return;
    const CardDetails details = cardDetails(m_table.context(m_card), m_card, m_namer);
    if (!details.exists)
        return;
    m_mark->setPixmap(details.vendorIcon ? m_theme.pixmap(details.vendorIcon, 14,
                                                          m_theme.color(CardCells::tone(details.vendorTone)),
                                                          devicePixelRatioF())
                                         : QPixmap());
    m_title->setText(details.title);
    m_subtitle->setText(details.subtitle);
    m_place->setText(details.age.isEmpty()
                         ? details.place
                         : details.place + QStringLiteral("  ·  ") + tr("data age %1").arg(details.age));
    m_labelChip->set(CardCells::tone(details.label.tone), details.label.icon, details.label.text);
    m_labelChip->setVisible(!details.label.text.isEmpty());
    const Tone health = CardCells::tone(details.health.tone);
    m_healthChip->set(health == Tone::Secondary || health == Tone::Tertiary ? Tone::Neutral : health,
                      details.health.icon ? details.health.icon : "status-ok", details.health.text);
    const StoredNode &node = m_table.store().node(m_table.store().nodeIndexOf(m_card));
    m_cordoned = node.facts.unschedulable;
    m_cordon->setText(m_cordoned ? tr("Uncordon") : tr("Cordon"));
    if (m_pages->currentIndex() == 0)
        fillOverview(details);
    else
        fillHistory();
}

void CardDrawer::fillOverview(const CardDetails &details)
{
    QStringList flags = details.flags;
    if (!details.nodeNote.isEmpty())
        flags.append(details.nodeNote.left(240));
    m_flags->setText(flags.join(u'\n'));
    m_flags->setVisible(!flags.isEmpty());
    m_measured->setRows(details.measured);
    m_properties->setRows(details.properties);
    QList<DetailRow> slices;
    for (const SliceRow &slice : details.slices) {
        DetailRow row;
        row.label = slice.profile.isEmpty() ? slice.name : slice.profile;
        row.value = slice.memory;
        row.age = slice.kind;
        row.source = slice.workload;
        slices.append(row);
    }
    m_slices->setRows(slices);
    m_slices->setVisible(!slices.isEmpty());
    m_slicesTitle->setVisible(!slices.isEmpty());
    constexpr qsizetype mostPods = 12;
    QString pods = details.pods.mid(0, mostPods).join(u'\n');
    if (details.pods.size() > mostPods)
        pods += u'\n' + tr("and %n more", nullptr, int(details.pods.size() - mostPods));
    m_pods->setText(pods.isEmpty() ? tr("No pod holds this card.") : pods);
    m_nodeFacts->setText(details.nodeFacts);
    auto *row = m_neighbours->layout();
    while (m_neighbourButtons.size() < qMin<qsizetype>(details.neighbours.size(), 8)) {
        auto *button = new QPushButton(m_neighbours);
        button->setObjectName(QStringLiteral("neighbour%1").arg(m_neighbourButtons.size()));
        button->setProperty("small", true);
        button->setMinimumWidth(24);
        button->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
        button->setStyleSheet(QStringLiteral("QPushButton { padding: 0; }"));
        connect(button, &QPushButton::clicked, this,
                [this, button] { Q_EMIT cardRequested(CardIndex(button->property("card").toUInt())); });
        row->addWidget(button);
        m_neighbourButtons.append(button);
    }
    for (qsizetype i = 0; i < m_neighbourButtons.size(); ++i) {
        QPushButton *button = m_neighbourButtons[i];
        button->setVisible(i < details.neighbours.size());
        if (i >= details.neighbours.size())
            continue;
        const CardDetails::Neighbour &neighbour = details.neighbours[i];
        const QString value = std::isnan(neighbour.utilization)
                                  ? Formatting::missing()
                                  : m_table.formatting().percent(double(neighbour.utilization));
        button->setText(value);
        button->setProperty("card", neighbour.card);
        setStyleRole(button, "kind", neighbour.isThis ? QStringLiteral("primary") : QString());
        //: Another card of the same node: slot and utilisation.
        button->setAccessibleName(tr("Slot %1: %2").arg(QString::number(neighbour.slot), value));
        button->setToolTip(button->accessibleName());
    }
}

void CardDrawer::fillHistory()
{
    const CardStore &store = m_table.store();
    const Formatting formatting = m_table.formatting();
    const qint64 now = m_clock.now().time_since_epoch().count();
    constexpr qint64 hour = 3'600'000;
    constexpr qint64 step = 30'000;
    const auto end = store.historyEnd(m_card);
    const auto ring = [&](std::span<const std::uint8_t> values, int first) {
        std::vector<HistoryPoint> points;
        if (!end)
            return points;
        points.reserve(values.size());
        const qint64 last = end->time_since_epoch().count();
        for (std::size_t i = 0; i < values.size(); ++i) {
            const std::uint8_t value = values[(std::size_t(first) + i) % values.size()];
            if (value != 255) // pauses become gaps by their length: a scrape a minute fills every other step
                points.push_back({last - qint64(values.size() - 1 - i) * step, float(value)});
        }
        return points;
    };
    std::vector<HistoryQuantity> quantities(4);
    int first = 0;
    quantities[0].title = tr("Utilisation");
    quantities[0].unit = QStringLiteral("%");
    const auto utilization = store.utilizationHistory(m_card, first);
    quantities[0].points = ring(utilization, first);
    quantities[1].title = tr("Memory");
    const auto memory = store.memoryHistory(m_card, first);
    quantities[1].points = ring(memory, first);
    if (const auto total = store.memoryBytesOf(m_card)) {
        quantities[1].unit = QStringLiteral("/ %1 GB").arg(nominalGigabytesText(*total));
        quantities[1].text = [formatting, total = *total](double percent) {
            return formatting.gigabytes(usedGigabytes(std::int64_t(double(total) * percent / 100), total));
        };
    } else {
        quantities[1].unit = QStringLiteral("%");
    }
    const bool hasTemperature = !std::isnan(store.temperatureOf(m_card));
    quantities[2].title = tr("Temperature");
    quantities[2].unit = QStringLiteral("°C");
    quantities[2].points = m_temperatures;
    quantities[2].high = 100;
    const ModelFacts &model = store.model(store.modelIndexOf(m_card));
    quantities[2].limit = double(hotThresholdCelsius(store.strings().utf8(model.model)));
    //: Dashed line in the temperature plot: above it a card is called hot.
    quantities[2].limitText =
        tr("hot above %1 °C").arg(formatting.locale().toString(*quantities[2].limit, 'f', 0));
    if (!hasTemperature)
        quantities[2].instead = tr("Temperature is not exported for this card.");
    quantities[3].title = tr("Power");
    quantities[3].unit = QStringLiteral("W");
    quantities[3].points = m_powers;
    double most = 100;
    for (const HistoryPoint &point : m_powers)
        most = std::isnan(point.value) ? most : std::max(most, double(point.value) * 1.15);
    quantities[3].high = most;
    if (std::isnan(store.powerOf(m_card)))
        quantities[3].instead = tr("Power is not exported for this card.");
    const auto sampled = store.sampledAt(m_card);
    const bool stale = sampled && now - sampled->time_since_epoch().count() > 90'000;
    m_history->setQuantities(std::move(quantities));
    m_history->setRange(now - hour, now, stale ? sampled->time_since_epoch().count() : 0);
    const QTimeZone zone = m_zone;
    m_history->setTimeText([formatting, zone](qint64 time) {
        return formatting.timeOfDay(Instant(std::chrono::milliseconds(time)), zone).left(5);
    });
    QStringList notes;
    if (!sampled)
        notes.append(tr("No history yet: no sample has arrived for this card."));
    else if (stale)
        notes.append(tr("Last sample %1, %2 ago")
                         .arg(formatting.timeOfDay(*sampled, zone),
                              formatting.duration(
                                  std::chrono::milliseconds(now - sampled->time_since_epoch().count()))));
    if (const QString note = hourNote(); hasTemperature && !note.isEmpty())
        notes.append(note);
    m_historyNote->setText(notes.join(u'\n'));
}

void CardDrawer::keyPressEvent(QKeyEvent *event)
{
    if (event->key() == Qt::Key_Escape)
        Q_EMIT closeRequested();
    else
        QWidget::keyPressEvent(event);
}

void CardDrawer::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.fillRect(rect(), m_theme.color(ColorToken::BgRaised));
    painter.fillRect(0, 0, 1, height(), m_theme.color(ColorToken::BorderDefault));
}

} // namespace tongchi
