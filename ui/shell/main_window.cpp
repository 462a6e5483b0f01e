#include "ui/shell/main_window.h"

#include "platform/core/text_encoding.h"
#include "ui/common/window_settings.h"
#include "ui/connections/connections_dialog.h"
#include "ui/shell/command_palette.h"
#include "ui/shell/settings_dialog.h"
#include "ui/shell/side_rail.h"
#include "ui/shell/status_line.h"
#include "ui/shell/top_bar.h"
#include "ui/shell/welcome_page.h"
#include "widgets/feedback/labels.h"
#include "widgets/feedback/toast_stack.h"
#include "widgets/tables/card_table_view.h"

#include <QApplication>
#include <QCloseEvent>
#include <QGridLayout>
#include <QMenu>
#include <QScreen>
#include <QStackedWidget>
#include <QToolButton>

namespace tongchi {

MainWindow::MainWindow(Services services)
    : m_services(std::move(services)), m_theme(m_services.theme), m_inventory(m_services.inventory),
      m_rail(new SideRail(m_theme, this)), m_topBar(new TopBar(m_theme, this)),
      m_pages(new QStackedWidget(this)), m_welcome(new WelcomePage(m_theme, m_pages)),
      m_toasts(new ToastStack(m_theme, this)), m_status(new StatusLine(m_theme, this)),
      m_menu(new QMenu(this))
{
    setObjectName(QStringLiteral("mainWindow"));
    setMinimumSize(1120, 700);
    build();
    restore();
    bind();
    addKeys();
    retranslate();
    m_welcome->setFocus(Qt::OtherFocusReason);
    showPage();
}

MainWindow::~MainWindow() = default;

void MainWindow::build()
{
    m_pages->addWidget(m_welcome);
    m_welcome->setFocusPolicy(
        Qt::StrongFocus); // takes the first focus, so that no button wears a ring unasked
    auto *grid = new QGridLayout(this);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setSpacing(0);
    grid->addWidget(m_rail, 0, 0, 2, 1);
    grid->addWidget(m_topBar, 0, 1);
    grid->addWidget(m_pages, 1, 1);
    grid->addWidget(m_status, 2, 0, 1, 2);
    grid->setRowStretch(1, 1);
    m_menu->setObjectName(QStringLiteral("shellMenu"));
    m_clockTimer.setInterval(1000);
    m_clockTimer.start();
}

InventoryPane *MainWindow::inventoryPane()
{
    if (!m_inventoryPane) {
        m_inventoryPane =
            new InventoryPane({m_theme, m_inventory, m_services.actions, *m_toasts, m_services.files,
                               m_services.settings, m_services.namer, m_services.zone},
                              m_pages);
        m_inventoryPane->setDensity(m_density);
        m_inventoryPane->setSingleKeysEnabled(m_singleKeys);
        m_pages->addWidget(m_inventoryPane);
        connect(m_inventoryPane, &InventoryPane::connectionsRequested, this, &MainWindow::openConnections);
        connect(m_inventoryPane, &InventoryPane::demoRequested, this,
                [this] { m_services.connections.startDemo(); });
        connect(m_inventoryPane, &InventoryPane::densityRequested, this, &MainWindow::setDensity);
    }
    return m_inventoryPane;
}

CommandPalette &MainWindow::palette()
{
    if (!m_palette)
        m_palette = new CommandPalette(m_theme, this);
    return *m_palette;
}

void MainWindow::paintEvent(QPaintEvent *event)
{
    QWidget::paintEvent(event);
    if (m_painted)
        return;
    m_painted = true;
    // Behind the first paint, in front of the first click.
    QTimer::singleShot(0, this, [this] { inventoryPane(); });
}

void MainWindow::bind()
{
    connect(&m_clockTimer, &QTimer::timeout, this, [this] {
        showClock();
        showLive();
    });
    connect(&m_inventory, &InventoryController::summaryChanged, this, [this] {
        showStatus();
        showLive();
    });
    connect(&m_inventory, &InventoryController::statusChanged, this, [this] {
        showStatus();
        showLive();
    });
    connect(&m_inventory, &InventoryController::sourcesChanged, this, [this] {
        showPage();
        showStatus();
    });
    connect(&m_inventory, &InventoryController::pausedChanged, this, [this] { showLive(); });
    connect(m_topBar, &TopBar::paletteRequested, this, &MainWindow::openPalette);
    connect(m_topBar, &TopBar::poolsRequested, this, [this] { openPoolMenu(); });
    connect(m_topBar, &TopBar::pauseToggled, this,
            [this] { m_inventory.setPaused(!m_inventory.isPaused()); });
    connect(m_topBar, &TopBar::refreshRequested, this, [this] { m_inventory.refreshAll(); });
    connect(m_rail, &SideRail::connectRequested, this, &MainWindow::openConnections);
    connect(m_rail, &SideRail::settingsRequested, this, &MainWindow::openSettings);
    connect(m_rail, &SideRail::cardsRequested, this, [this] { inventoryPane()->focusFilter(); });
    connect(m_welcome, &WelcomePage::connectRequested, this, &MainWindow::openConnections);
    connect(m_welcome, &WelcomePage::demoRequested, this, [this] { m_services.connections.startDemo(); });
    connect(m_status, &StatusLine::sourceClicked, this, [this] { openConnections(); });
    connect(m_status, &StatusLine::languageClicked, this, [this] { setLanguage(!m_chinese); });
    connect(m_status, &StatusLine::themeClicked, this, [this] {
        m_menu->clear();
        const auto add = [this](ThemeMode mode, const QString &text, const char *name) {
            QAction *action = m_menu->addAction(text);
            action->setObjectName(QString::fromLatin1(name));
            action->setCheckable(true);
            action->setChecked(m_theme.mode() == mode);
            connect(action, &QAction::triggered, this, [this, mode] { setThemeMode(mode); });
        };
        add(ThemeMode::Light, tr("Light"), "themeLight");
        add(ThemeMode::Dark, tr("Dark"), "themeDark");
        add(ThemeMode::System, tr("Follow system"), "themeSystem");
        m_menu->popup(m_status->themeButton()->mapToGlobal(QPoint(0, -m_menu->sizeHint().height() - 2)));
    });
    connect(m_status, &StatusLine::densityClicked, this,
            [this] { setDensity(Density((int(m_density) + 1) % 3)); });
    connect(&m_services.connections, &ConnectionsView::connected, this, [this] { showPage(); });
    connect(&m_theme, &Theme::changed, this, [this] { retranslate(); });
}

void MainWindow::showPage()
{
    const bool welcome = m_inventory.sources().isEmpty();
    QWidget *page = welcome ? static_cast<QWidget *>(m_welcome) : inventoryPane();
    if (page == m_pages->currentWidget())
        return;
    m_pages->setCurrentWidget(page);
    // The keyboard starts where the work is, not on the first button of the rail.
    if (!welcome && !(m_connectionsDialog && m_connectionsDialog->isOpen()))
        m_inventoryPane->tableView()->setFocus(Qt::OtherFocusReason);
}

void MainWindow::showStatus()
{
    const QList<ClusterStatus> statuses = m_inventory.statuses();
    const Formatting &formatting = m_inventory.table().formatting();
    const InventorySummary &summary = m_inventory.summary();
    m_status->setSources(sourceItems(statuses, m_inventory.clock().now(), formatting));
    QStringList names;
    QStringList simulated;
    for (const ClusterStatus &status : statuses) {
        names.append(visibleText(status.name));
        if (status.simulated)
            simulated.append(visibleText(status.name));
    }
    m_topBar->setPools(names, int(summary.regions), formatting);
    m_topBar->setSimulated(simulated);
    QString totals;
    QString age;
    if (statuses.isEmpty() || (summary.cards == 0 && !summary.complete)) {
        totals = tr("No data yet");
    } else {
        const QString atLeast = summary.complete ? QString() : QStringLiteral("\u2265 ");
        totals = atLeast + tr("%1 cards").arg(formatting.count(summary.cards)) + QStringLiteral(" · ") +
                 tr("%1 nodes").arg(formatting.count(summary.nodes));
        if (summary.oldestSample) {
            const auto old = std::max(std::chrono::milliseconds(0),
                                      std::chrono::duration_cast<std::chrono::milliseconds>(
                                          m_inventory.clock().now() - *summary.newestSample));
            age = tr("Data age %1").arg(formatting.age(old));
        }
    }
    m_status->setTotals(totals, age);
}

void MainWindow::showLive()
{
    const Formatting &formatting = m_inventory.table().formatting();
    const auto &newest = m_inventory.summary().newestSample;
    const Instant now = m_inventory.clock().now();
    TopBar::Liveness liveness;
    for (const ClusterStatus &status : m_inventory.statuses()) {
        const SourceState state = status.kubernetes.state;
        ++liveness.clusters;
        liveness.live += state == SourceState::Live || state == SourceState::Late;
        liveness.connecting += state == SourceState::Connecting || state == SourceState::Idle;
    }
    liveness.age =
        newest
            ? formatting.age(std::max(std::chrono::milliseconds(0),
                                      std::chrono::duration_cast<std::chrono::milliseconds>(now - *newest)))
            : Formatting::missing();
    if (m_inventory.pausedAt())
        liveness.frozenAt = formatting.timeOfDay(*m_inventory.pausedAt(), m_services.zone);
    m_topBar->setLive(liveness);
}

void MainWindow::showClock()
{
    m_status->setClock(m_inventory.table().formatting().clockLine(m_inventory.clock().now(), m_services.zone),
                       QString::fromUtf8(m_services.zone.id()));
}

void MainWindow::retranslate()
{
    setWindowTitle(tr("Tongchi"));
    const QString density = m_density == Density::Compact   ? tr("Compact")
                            : m_density == Density::Regular ? tr("Regular")
                                                            : tr("Comfortable");
    const QString themeName = m_theme.mode() == ThemeMode::Light  ? tr("Light")
                              : m_theme.mode() == ThemeMode::Dark ? tr("Dark")
                                                                  : tr("System");
    m_status->setChoices(density, m_chinese ? QStringLiteral("中文") : QStringLiteral("English"), themeName);
    m_status->densityButton()->setAccessibleName(tr("Density: %1").arg(density));
    m_status->languageButton()->setAccessibleName(tr("Language: %1").arg(m_status->languageButton()->text()));
    m_status->themeButton()->setAccessibleName(tr("Theme: %1").arg(themeName));
    showStatus();
    showClock();
    showLive();
}

void MainWindow::changeEvent(QEvent *event)
{
    if (event->type() == QEvent::LanguageChange)
        retranslate();
    QWidget::changeEvent(event);
}

void MainWindow::setLanguage(bool chinese)
{
    m_chinese = chinese;
    m_services.settings.setValue(QStringLiteral("language"),
                                 chinese ? QStringLiteral("zh") : QStringLiteral("en"));
    // Formats first: the texts that follow the LanguageChange are built with them.
    m_inventory.setFormatting(
        Formatting(chinese ? QLocale(QLocale::Chinese, QLocale::China) : QLocale(QLocale::English)));
    if (m_services.useLanguage)
        m_services.useLanguage(chinese ? QStringLiteral("zh") : QStringLiteral("en"));
    m_theme.setChinese(chinese);
    if (m_settingsDialog)
        m_settingsDialog->setChoices({m_chinese, m_theme.mode(), m_density, m_singleKeys, m_reducedMotion});
}

void MainWindow::setThemeMode(ThemeMode mode)
{
    m_theme.setMode(mode);
    m_services.settings.setValue(QStringLiteral("theme"), mode == ThemeMode::Light ? QStringLiteral("light")
                                                          : mode == ThemeMode::Dark
                                                              ? QStringLiteral("dark")
                                                              : QStringLiteral("system"));
    if (m_settingsDialog)
        m_settingsDialog->setChoices({m_chinese, mode, m_density, m_singleKeys, m_reducedMotion});
    retranslate();
}

void MainWindow::setDensity(Density density)
{
    m_density = density;
    if (m_inventoryPane)
        m_inventoryPane->setDensity(density);
    m_services.settings.setValue(QStringLiteral("density"), QString::number(int(density)));
    if (m_settingsDialog)
        m_settingsDialog->setChoices({m_chinese, m_theme.mode(), density, m_singleKeys, m_reducedMotion});
    retranslate();
}

void MainWindow::openConnections()
{
    if (!m_connectionsDialog) {
        m_connectionsDialog =
            new ConnectionsDialog(m_theme, m_services.connections, m_services.files, this,
                                  QMargins(SideRail::railWidth, 44, 0, StatusLine::lineHeight));
        connect(m_connectionsDialog, &ScrimDialog::dismissed, this,
                [this] { m_rail->setConnectActive(false); });
    }
    m_rail->setConnectActive(true);
    m_connectionsDialog->openDialog();
}

void MainWindow::openSettings()
{
    if (!m_settingsDialog) {
        m_settingsDialog =
            new SettingsDialog(m_theme, this, QMargins(SideRail::railWidth, 44, 0, StatusLine::lineHeight));
        connect(m_settingsDialog, &ScrimDialog::dismissed, this,
                [this] { m_rail->setSettingsActive(false); });
        connect(m_settingsDialog, &SettingsDialog::languageChosen, this, &MainWindow::setLanguage);
        connect(m_settingsDialog, &SettingsDialog::themeChosen, this, &MainWindow::setThemeMode);
        connect(m_settingsDialog, &SettingsDialog::densityChosen, this, &MainWindow::setDensity);
        connect(m_settingsDialog, &SettingsDialog::singleKeysChosen, this, [this](bool on) {
            m_singleKeys = on;
            inventoryPane()->setSingleKeysEnabled(on);
            m_services.settings.setValue(QStringLiteral("singleKeys"),
                                         on ? QStringLiteral("1") : QStringLiteral("0"));
        });
        connect(m_settingsDialog, &SettingsDialog::reducedMotionChosen, this, [this](bool on) {
            m_reducedMotion = on;
            m_theme.setReducedMotion(on);
            m_services.settings.setValue(QStringLiteral("reducedMotion"),
                                         on ? QStringLiteral("1") : QStringLiteral("0"));
        });
    }
    m_settingsDialog->setChoices({m_chinese, m_theme.mode(), m_density, m_singleKeys, m_reducedMotion});
    m_rail->setSettingsActive(true);
    m_settingsDialog->open();
}

void MainWindow::openPoolMenu()
{
    m_menu->clear();
    for (const ClusterStatus &status : m_inventory.statuses()) {
        const QString server = status.server.isEmpty() ? QString() : QStringLiteral("   ") + status.server;
        QAction *action = m_menu->addAction(buttonText(visibleText(status.name) + server));
        action->setToolTip(status.kubernetesVersion);
        connect(action, &QAction::triggered, this, [this, name = status.name] {
            m_inventory.setFilterText(QStringLiteral("cluster:\"%1\"").arg(name));
        });
    }
    if (!m_menu->isEmpty())
        m_menu->addSeparator();
    QAction *connections = m_menu->addAction(m_theme.icon("connection"), tr("Connections…"));
    connections->setObjectName(QStringLiteral("poolConnections"));
    connect(connections, &QAction::triggered, this, &MainWindow::openConnections);
    m_menu->popup(m_topBar->poolButton()->mapToGlobal(QPoint(0, m_topBar->poolButton()->height() + 2)));
}

void MainWindow::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    placeFloating();
}

void MainWindow::placeFloating()
{
    m_toasts->placeAt(QPoint(SideRail::railWidth + 16, height() - StatusLine::lineHeight - 12));
}

void MainWindow::restore()
{
    const WindowSettings &settings = m_services.settings;
    const QStringList size = settings.value(QStringLiteral("window")).split(u'x');
    resize(1440, 900);
    if (size.size() == 2 && size[0].toInt() >= 400 && size[1].toInt() >= 300)
        resize(qMin(size[0].toInt(), 16000), qMin(size[1].toInt(), 16000));
    // Another screen than last time must not leave the window larger than it.
    if (const QScreen *now = screen(); now && now->availableSize().width() >= minimumWidth())
        resize(this->size().boundedTo(now->availableSize().expandedTo(minimumSize())));
    // A theme of the command line is set already and wins over what was kept; the same holds for the
    // language.
    const QString theme = settings.value(QStringLiteral("theme"));
    if (m_theme.mode() == ThemeMode::System && !theme.isEmpty())
        m_theme.setMode(theme == QLatin1String("light")  ? ThemeMode::Light
                        : theme == QLatin1String("dark") ? ThemeMode::Dark
                                                         : ThemeMode::System);
    m_density = Density(qBound(0, settings.value(QStringLiteral("density"), QStringLiteral("1")).toInt(), 2));
    m_singleKeys = settings.value(QStringLiteral("singleKeys"), QStringLiteral("1")) != QLatin1String("0");
    m_reducedMotion = settings.value(QStringLiteral("reducedMotion")) == QLatin1String("1");
    m_theme.setReducedMotion(m_reducedMotion);
    m_chinese = m_inventory.table().formatting().isChinese();
    m_theme.setChinese(m_chinese);
    if (settings.value(QStringLiteral("maximized")) == QLatin1String("1"))
        setWindowState(Qt::WindowMaximized);
}

void MainWindow::save()
{
    m_services.settings.setValue(QStringLiteral("maximized"),
                                 isMaximized() ? QStringLiteral("1") : QStringLiteral("0"));
    if (!isMaximized())
        m_services.settings.setValue(QStringLiteral("window"),
                                     QStringLiteral("%1x%2").arg(width()).arg(height()));
}

void MainWindow::closeEvent(QCloseEvent *event)
{
    save();
    QWidget::closeEvent(event);
}

} // namespace tongchi
