#include "ui/inventory/inventory_pane.h"

#include "models/common/error_text.h"
#include "models/inventory/card_selection.h"
#include "platform/core/text_encoding.h"
#include "ui/common/window_settings.h"
#include "ui/inventory/action_sheet.h"
#include "ui/inventory/card_cells.h"
#include "ui/inventory/card_drawer.h"
#include "ui/inventory/card_filter_words.h"
#include "ui/inventory/selection_bar.h"
#include "ui/inventory/summary_figures.h"
#include "widgets/feedback/empty_state.h"
#include "widgets/feedback/figure_strip.h"
#include "widgets/feedback/labels.h"
#include "widgets/feedback/notice_strip.h"
#include "widgets/feedback/skeleton_rows.h"
#include "widgets/feedback/toast_stack.h"
#include "widgets/filter/facet_list.h"
#include "widgets/filter/filter_field.h"
#include "widgets/tables/card_table_view.h"
#include "widgets/tables/column_layout.h"
#include "widgets/theme/theme.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLineEdit>
#include <QMenu>
#include <QProgressBar>
#include <QShortcut>
#include <QStackedWidget>
#include <QToolButton>

namespace tongchi {

namespace {

constexpr int facetWidth = 196;
constexpr int narrowPane = 1280 - 60; // below a window of 1280 px the facets fold away

QToolButton *iconButton(const Theme &theme, const char *name, const char *icon, QWidget *parent)
{
    auto *button = new QToolButton(parent);
    button->setObjectName(QString::fromLatin1(name));
    button->setIcon(theme.icon(icon, 16));
    button->setIconSize(QSize(16, 16));
    button->setFixedSize(28, 28);
    button->setPopupMode(QToolButton::InstantPopup);
    button->setFocusPolicy(Qt::TabFocus);
    return button;
}

} // namespace

InventoryPane::InventoryPane(Services services, QWidget *parent)
    : QWidget(parent), m_services(std::move(services)), m_theme(m_services.theme),
      m_inventory(m_services.inventory), m_cells(std::make_unique<CardCells>(m_inventory.table())),
      m_words(std::make_unique<CardFilterWords>(m_inventory.table(), m_inventory.clock())),
      m_selection(new CardSelection(m_inventory.table(), this))
{
    setObjectName(QStringLiteral("inventoryPane"));
    setProperty("role", QStringLiteral("pane"));
    setAttribute(Qt::WA_StyledBackground);
    build();
    bind();
    retranslate();
    showFacets();
    showFigures();
    showState();
}

InventoryPane::~InventoryPane() = default;

void InventoryPane::build()
{
    const Theme &theme = m_theme;
    m_main = new QWidget(this);
    m_facets = new FacetList(theme, this);
    m_header = new QWidget(m_main);
    m_header->setProperty("role", QStringLiteral("header"));
    m_header->setAttribute(Qt::WA_StyledBackground);
    m_header->setFixedHeight(44);
    m_facetButton = iconButton(theme, "facetButton", "filter", m_header);
    m_facetButton->setCheckable(true);
    m_title = plainLabel("title", m_header);
    m_title->setObjectName(QStringLiteral("paneTitle"));
    m_extent = plainLabel("smallTertiary", m_header);
    auto *head = new QHBoxLayout(m_header);
    head->setContentsMargins(16, 0, 16, 0);
    head->setSpacing(10);
    head->addWidget(m_facetButton);
    head->addWidget(m_title);
    head->addWidget(m_extent);
    head->addStretch();

    m_figures = new FigureStrip(theme, m_main);
    m_notice = new NoticeStrip(theme, m_main);
    m_progress = new QProgressBar(m_notice);
    m_progress->setObjectName(QStringLiteral("loadingProgress"));
    m_progress->setTextVisible(false);
    m_progress->setFixedWidth(90);
    m_progress->setRange(0, 1000);
    m_notice->layout()->addWidget(m_progress);

    m_filterBar = new QWidget(m_main);
    m_filterBar->setProperty("role", QStringLiteral("header"));
    m_filterBar->setAttribute(Qt::WA_StyledBackground);
    m_filter = new FilterField(theme, *m_words, m_filterBar);
    m_columnButton = iconButton(theme, "columnButton", "columns", m_filterBar);
    m_densityButton = iconButton(theme, "densityButton", "density", m_filterBar);
    m_exportButton = iconButton(theme, "exportButton", "export", m_filterBar);
    m_columnMenu = new QMenu(this);
    m_columnMenu->setObjectName(QStringLiteral("columnMenu"));
    m_densityMenu = new QMenu(this);
    m_densityMenu->setObjectName(QStringLiteral("densityMenu"));
    m_exportMenu = new QMenu(this);
    m_exportMenu->setObjectName(QStringLiteral("exportMenu"));
    m_columnButton->setMenu(m_columnMenu);
    m_densityButton->setMenu(m_densityMenu);
    m_exportButton->setMenu(m_exportMenu);
    m_filterError = plainLabel("error", m_filterBar);
    m_filterError->setObjectName(QStringLiteral("filterError"));
    m_filterError->setWordWrap(true);
    m_filterError->hide();
    auto *row = new QHBoxLayout;
    row->setSpacing(8);
    row->addWidget(m_filter, 1);
    row->addWidget(m_columnButton);
    row->addWidget(m_densityButton);
    row->addWidget(m_exportButton);
    auto *bar = new QVBoxLayout(m_filterBar);
    bar->setContentsMargins(16, 8, 16, 8);
    bar->setSpacing(4);
    bar->addLayout(row);
    bar->addWidget(m_filterError);

    m_stack = new QStackedWidget(m_main);
    m_table = new CardTableView(theme, m_stack);
    m_table->setModel(&m_inventory.table());
    QItemSelectionModel *unused = m_table->selectionModel();
    m_table->setSelectionModel(m_selection);
    delete unused;
    m_table->setCells(m_cells.get(), CardCells::columns());
    m_skeleton = new SkeletonRows(theme, m_stack);
    m_empty = new EmptyState(theme, m_stack);
    m_stack->addWidget(m_table);
    m_stack->addWidget(m_skeleton);
    m_stack->addWidget(m_empty);

    auto *layout = new QVBoxLayout(m_main);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_header);
    layout->addWidget(m_figures);
    layout->addWidget(m_notice);
    layout->addWidget(m_filterBar);
    layout->addWidget(m_stack, 1);

    m_bar = new SelectionBar(theme, this);
    m_drawer = new CardDrawer(theme, m_inventory.table(), m_inventory.clock(), m_services.namer, this);
    m_drawer->setZone(m_services.zone);

    setTabOrder(m_facetButton, m_filter->editor());
    setTabOrder(m_filter->editor(), m_columnButton);
    setTabOrder(m_columnButton, m_densityButton);
    setTabOrder(m_densityButton, m_exportButton);
    setTabOrder(m_exportButton, m_table);
}

void InventoryPane::bind()
{
    CardTableModel &table = m_inventory.table();
    connect(&m_inventory, &InventoryController::summaryChanged, this, [this] {
        showFigures();
        showCount();
        m_drawer->refresh();
    });
    connect(&m_inventory, &InventoryController::statusChanged, this, [this] { showState(); });
    connect(&m_inventory, &InventoryController::sourcesChanged, this, [this] { showState(); });
    connect(&m_inventory, &InventoryController::completed, this, [this] { showState(); });
    connect(&m_inventory, &InventoryController::filterChanged, this, [this] {
        m_filter->setText(m_inventory.filterText());
        showCount();
        showState();
    });
    connect(&m_inventory, &InventoryController::cardsChanged, this, [this] {
        showState();
        showSelection();
        m_drawer->refresh();
    });
    connect(&m_inventory.facets(), &FacetModel::changed, this, [this] { showFacets(); });
    connect(&table, &CardTableModel::orderPending, m_table, &CardTableView::setHeldMoves);
    connect(m_table, &CardTableView::orderHeldChanged, &table, &CardTableModel::setOrderFrozen);
    connect(m_table, &CardTableView::sortNowRequested, this, [this] {
        m_inventory.table().sortNow();
        m_table->setHeldMoves(0);
    });
    connect(m_table, &CardTableView::visibleRowsChanged, &table, &CardTableModel::setVisibleRows);
    connect(m_table, &CardTableView::rowActivated, this, &InventoryPane::openDrawer);
    connect(m_selection, &QItemSelectionModel::currentRowChanged, this, [this](const QModelIndex &current) {
        if (!m_drawer->isHidden() && current.isValid())
            m_drawer->showCard(m_inventory.table().cardAt(current.row()));
    });
    connect(m_selection, &CardSelection::cardsChanged, this, [this] { showSelection(); });
    connect(m_filter, &FilterField::textChanged, this, [this](const QString &text) {
        m_inventory.setFilterText(text);
        const QString error = m_filter->error();
        m_filterError->setText(error);
        m_filterError->setVisible(!error.isEmpty());
    });
    connect(m_facets, &FacetList::clicked, this,
            [this](int section, const QString &key, FacetGesture gesture) {
                const FacetClick click = gesture == FacetGesture::Exclude      ? FacetClick::Exclude
                                         : gesture == FacetGesture::AddAnother ? FacetClick::Add
                                                                               : FacetClick::Only;
                m_filter->setText(m_inventory.facets().filterAfter(FilterKey(section), key, click));
            });
    connect(m_facetButton, &QToolButton::toggled, this, [this](bool on) {
        m_facetsOpen = on;
        layOut();
    });
    connect(m_notice, &NoticeStrip::actionTriggered, this, [this] { noticeAction(); });
    connect(m_empty, &EmptyState::firstTriggered, this, [this] {
        if (m_emptyFirst)
            m_emptyFirst();
    });
    connect(m_empty, &EmptyState::secondTriggered, this, [this] {
        if (m_emptySecond)
            m_emptySecond();
    });
    connect(m_bar, &SelectionBar::cordonRequested, this, [this] { cordonSelection(true); });
    connect(m_bar, &SelectionBar::uncordonRequested, this, [this] { cordonSelection(false); });
    connect(m_bar, &SelectionBar::labelRequested, this, &InventoryPane::labelSelection);
    connect(m_bar, &SelectionBar::clearRequested, m_table, &QTableView::clearSelection);
    connect(m_drawer, &CardDrawer::hourWanted, this, [this](CardIndex card) {
        m_inventory.readHour(card, m_drawer, [this, card](const InventoryController::Hour &hour) {
            m_drawer->setHour(card, hour);
        });
    });
    connect(m_drawer, &CardDrawer::closeRequested, this, [this] { closeDrawer(); });
    connect(m_drawer, &CardDrawer::cardRequested, this, [this](CardIndex card) {
        const int rowNumber = m_inventory.table().rowOf(card);
        if (rowNumber >= 0) {
            const QModelIndex index = m_inventory.table().index(rowNumber, 0);
            m_selection->setCurrentIndex(index, QItemSelectionModel::NoUpdate);
            m_table->scrollTo(index);
        }
        m_drawer->showCard(card); // also when the filter hides it
    });
    connect(m_drawer, &CardDrawer::cordonRequested, this,
            [this](bool cordon) { prepare({m_drawer->card()}, NodeChange{.unschedulable = cordon}); });
    connect(m_drawer, &CardDrawer::labelRequested, this,
            [this](BusinessLabel label) { prepare({m_drawer->card()}, NodeChange{.businessLabel = label}); });
    connect(&m_services.actions, &NodeActionController::finished, this, &InventoryPane::actionFinished);
    connect(&m_services.actions, &NodeActionController::permissionChanged, this, [this] { showSelection(); });
    connect(&m_table->columns(), &ColumnLayout::changed, this, [this] {
        m_services.settings.setValue(QStringLiteral("columns.cards"), m_table->columns().state());
    });
    connect(m_columnMenu, &QMenu::aboutToShow, this, [this] { fillColumnMenu(); });
    connect(m_densityMenu, &QMenu::aboutToShow, this, [this] { fillDensityMenu(); });
    connect(m_table->horizontalHeader(), &QHeaderView::sortIndicatorChanged, this,
            [this](int column, Qt::SortOrder order) {
                m_services.settings.setValue(
                    QStringLiteral("sort.cards"),
                    QString::fromLatin1(columnKey(CardColumn(qBound(0, column, cardColumnCount - 1)))) +
                        (order == Qt::AscendingOrder ? QStringLiteral("+") : QStringLiteral("-")));
            });
    const auto singleKey = [this](const char *keys, auto run) {
        auto *shortcut = new QShortcut(QKeySequence(QString::fromLatin1(keys)), this);
        shortcut->setContext(Qt::WidgetWithChildrenShortcut);
        connect(shortcut, &QShortcut::activated, this, run);
        m_singleKeys.append(shortcut);
    };
    singleKey("/", [this] { focusFilter(); });
    singleKey("C", [this] { cordonSelection(true); });
    singleKey("L, I", [this] { labelSelection(BusinessLabel::Inference); });
    singleKey("L, T", [this] { labelSelection(BusinessLabel::Training); });
    singleKey("L, M", [this] { labelSelection(BusinessLabel::Mixed); });
    m_filter->setText(
        m_inventory.filterText()); // the command line may have set one before the pane was there
    m_historyTimer.setInterval(30'000);
    connect(&m_historyTimer, &QTimer::timeout, this, [this] { recordHistory(); });
    m_historyTimer.start();
    m_explainTimer.setSingleShot(true);
    m_explainTimer.setInterval(150);
    connect(&m_explainTimer, &QTimer::timeout, this, [this] { explainNoMatch(); });

    m_table->columns().restoreState(m_services.settings.value(QStringLiteral("columns.cards")));
    const QString sort = m_services.settings.value(QStringLiteral("sort.cards"), QStringLiteral("node+"));
    for (int column = 0; column < cardColumnCount; ++column) {
        if (sort.chopped(1) == QLatin1String(columnKey(CardColumn(column))))
            m_table->sortByColumn(column, sort.endsWith(u'-') ? Qt::DescendingOrder : Qt::AscendingOrder);
    }
}

void InventoryPane::retranslate()
{
    m_title->setText(tr("Cards"));
    setAccessibleName(tr("Cards"));
    m_facets->setAccessibleName(tr("Facets"));
    m_table->setAccessibleName(tr("Cards"));
    m_filter->setPlaceholder(tr("Add filter: model, node, label, health…"));
    const auto name = [](QToolButton *button, const QString &text) {
        button->setAccessibleName(text);
        button->setToolTip(text);
    };
    name(m_facetButton, tr("Facets"));
    name(m_columnButton, tr("Columns"));
    name(m_densityButton, tr("Density"));
    name(m_exportButton, tr("Export"));
    m_exportMenu->clear();
    QAction *csv = m_exportMenu->addAction(tr("Export as CSV…"));
    csv->setObjectName(QStringLiteral("exportCsv"));
    connect(csv, &QAction::triggered, this, [this] { askExport(false); });
    QAction *json = m_exportMenu->addAction(tr("Export as JSON…"));
    json->setObjectName(QStringLiteral("exportJson"));
    connect(json, &QAction::triggered, this, [this] { askExport(true); });
    m_filter->refreshTokens();
    showFigures();
    showFacets();
    showCount();
    showSelection();
    showState();
}

void InventoryPane::changeEvent(QEvent *event)
{
    if (event->type() == QEvent::LanguageChange)
        retranslate();
    QWidget::changeEvent(event);
}

void InventoryPane::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    layOut();
}

void InventoryPane::layOut()
{
    const bool narrow = width() < narrowPane;
    m_facetButton->setVisible(narrow);
    const bool facets = !narrow || m_facetsOpen;
    m_facets->setVisible(facets);
    m_facets->setGeometry(0, narrow ? 44 : 0, facetWidth, height() - (narrow ? 44 : 0));
    const int left = narrow ? 0 : facetWidth;
    const int drawerWidth = m_drawer->isHidden() ? 0 : CardDrawer::panelWidth;
    m_main->setGeometry(left, 0, width() - left - drawerWidth, height());
    if (narrow && facets)
        m_facets->raise();
    m_drawer->setGeometry(width() - CardDrawer::panelWidth, 0, CardDrawer::panelWidth, height());
    m_drawer->raise();
    const QSize bar = m_bar->sizeHint();
    m_bar->setGeometry(left + (m_main->width() - bar.width()) / 2, height() - bar.height(), bar.width(),
                       bar.height());
    m_bar->raise();
}

void InventoryPane::setDensity(Density density)
{
    m_density = density;
    m_table->setDensity(density);
    m_skeleton->setDensity(density);
}

void InventoryPane::setSingleKeysEnabled(bool enabled)
{
    for (QShortcut *shortcut : std::as_const(m_singleKeys))
        shortcut->setEnabled(enabled);
}

void InventoryPane::focusFilter()
{
    m_filter->editor()->setFocus(Qt::ShortcutFocusReason);
}

bool InventoryPane::closeTopmost()
{
    if (m_facetsOpen && width() < narrowPane) {
        m_facetButton->setChecked(false);
        return true;
    }
    if (!m_drawer->isHidden()) {
        closeDrawer();
        return true;
    }
    if (m_selection->hasSelection()) {
        m_table->clearSelection();
        return true;
    }
    return false;
}

QList<QWidget *> InventoryPane::regions() const
{
    QList<QWidget *> list;
    if (m_facets->isVisible() && !m_facets->rows().isEmpty())
        list.append(m_facets->rows().constFirst());
    list.append(m_filter->editor());
    if (m_table->isVisible())
        list.append(m_table);
    if (m_drawer->isVisible())
        list.append(m_drawer->findChild<QWidget *>(QStringLiteral("drawerTabs")));
    return list;
}

int InventoryPane::selectedCards() const
{
    return m_selection->cardCount();
}

} // namespace tongchi
