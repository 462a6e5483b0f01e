// The part of InventoryPane that brings models to the screen and actions back; building and layout are in
// inventory_pane.cpp.

#include "ui/inventory/inventory_pane.h"

#include "models/common/error_text.h"
#include "models/inventory/card_selection.h"
#include "models/inventory/inventory_export.h"
#include "platform/core/text_encoding.h"
#include "ui/common/file_picker.h"
#include "ui/inventory/action_sheet.h"
#include "ui/inventory/card_cells.h"
#include "ui/inventory/card_drawer.h"
#include "ui/inventory/excluding_tokens.h"
#include "ui/inventory/pane_notice.h"
#include "ui/inventory/selection_bar.h"
#include "ui/inventory/summary_figures.h"
#include "widgets/feedback/empty_state.h"
#include "widgets/feedback/figure_strip.h"
#include "widgets/feedback/notice_strip.h"
#include "widgets/feedback/skeleton_rows.h"
#include "widgets/feedback/toast_stack.h"
#include "widgets/filter/facet_list.h"
#include "widgets/filter/filter_field.h"
#include "widgets/tables/card_table_view.h"
#include "widgets/tables/column_layout.h"
#include "widgets/theme/theme.h"

#include <QApplication>
#include <QClipboard>
#include <QHeaderView>
#include <QLabel>
#include <QMenu>
#include <QProgressBar>
#include <QSaveFile>
#include <QStackedWidget>
#include <set>

namespace tongchi {

namespace {

QByteArray scaledHistory(const std::vector<double> &values)
{
    if (values.size() < 2)
        return {};
    const double most = *std::max_element(values.begin(), values.end());
    QByteArray steps;
    for (const double value : values)
        steps.append(most > 0 ? char(value / most * 80) : char(0));
    return steps;
}

qint64 cardsOfCluster(const CardStore &store, const QString &name)
{
    qint64 count = 0;
    for (std::uint32_t i = 0; i < store.nodeSlots(); ++i) {
        const StoredNode &node = store.node(i);
        if (node.facts.uid == 0)
            continue;
        const ClusterStatus *status = store.status(node.clusterId);
        if (status && status->name == name)
            count += qint64(node.cards.size());
    }
    return count;
}

} // namespace

void InventoryPane::recordHistory()
{
    const InventorySummary &summary = m_inventory.summary();
    if (summary.cards == 0 || m_inventory.isPaused())
        return;
    constexpr std::size_t most = 120;
    m_utilizationHistory.push_back(
        summary.utilizationReported > 0 ? quint8(qBound(0.0, summary.utilizationMean, 100.0)) : 255);
    m_powerHistory.push_back(summary.powerWatts);
    if (m_utilizationHistory.size() > most) {
        m_utilizationHistory.erase(m_utilizationHistory.begin());
        m_powerHistory.erase(m_powerHistory.begin());
    }
}

void InventoryPane::showFigures()
{
    if (m_utilizationHistory.empty() && m_inventory.summary().utilizationReported > 0)
        recordHistory();
    QByteArray utilization;
    if (m_utilizationHistory.size() > 1) {
        for (const quint8 value : m_utilizationHistory)
            utilization.append(char(value));
    }
    m_figures->setFigures(summaryFigures(m_inventory.summary(), m_inventory.table().formatting(), utilization,
                                         scaledHistory(m_powerHistory)));
}

void InventoryPane::showFacets()
{
    QList<FacetSection> sections;
    const Formatting &formatting = m_inventory.table().formatting();
    for (const FacetGroup &group : m_inventory.facets().groups()) {
        FacetSection section;
        section.id = int(group.key);
        section.title = group.title;
        for (const FacetRow &row : group.rows) {
            FacetEntry entry;
            entry.key = row.key;
            entry.text = visibleText(row.text);
            entry.count = formatting.count(row.count);
            entry.icon = row.icon;
            entry.iconTone = CardCells::tone(row.iconTone);
            entry.share = row.share;
            entry.chosen = row.chosen;
            entry.excluded = row.excluded;
            entry.indent = row.isVariant ? 1 : 0;
            section.entries.append(entry);
        }
        if (!section.entries.isEmpty())
            sections.append(section);
    }
    m_facets->setSections(sections);
}

void InventoryPane::showCount()
{
    const Formatting &formatting = m_inventory.table().formatting();
    const int shown = m_inventory.table().rowCount();
    const quint32 all = m_inventory.store().cardCount();
    m_filter->setCount(m_inventory.filterText().isEmpty() || all == 0
                           ? QString()
                           //: Shown cards of all cards, beside the filter.
                           : tr("%1 of %2").arg(formatting.count(shown), formatting.count(all)));
}

void InventoryPane::showState()
{
    const QList<ClusterStatus> statuses = m_inventory.statuses();
    const CardStore &store = m_inventory.store();
    const PaneNotice notice = paneNotice(
        statuses, [&store](const QString &name) { return cardsOfCluster(store, name); },
        m_inventory.clock().now(), m_inventory.table().formatting(), m_services.zone);
    m_noticeKind = int(notice.kind);
    const bool rows = m_inventory.table().rowCount() > 0;
    using Kind = PaneNotice::Kind;
    switch (notice.kind) {
    case Kind::None:
        m_notice->clear();
        break;
    case Kind::Denied:
        m_notice->say(Tone::Warn, "lock", notice.sentence, notice.action, notice.remedy);
        break;
    case Kind::Loading:
        m_notice->say(Tone::Secondary, "refresh", notice.sentence);
        break;
    case Kind::Stale:
        m_notice->say(Tone::Warn, "status-stale", notice.sentence, notice.action, notice.remedy);
        break;
    case Kind::Partial:
        m_notice->say(Tone::Warn, "status-warning", notice.sentence, notice.action, notice.remedy);
        break;
    case Kind::Error:
        m_notice->say(Tone::Crit, "status-critical", notice.sentence, notice.action, notice.remedy);
        break;
    case Kind::Forbidden:
        m_notice->say(Tone::Crit, "lock", notice.sentence, notice.action, notice.remedy);
        break;
    }
    m_progress->setVisible(notice.kind == Kind::Loading && notice.progress >= 0);
    m_progress->setValue(int(notice.progress * 1000));
    if (rows) {
        m_stack->setCurrentWidget(m_table);
    } else if (store.cardCount() > 0 && m_inventory.filterTokens().isEmpty()) {
        m_stack->setCurrentWidget(m_table); // rows are about to be told
    } else if (notice.kind == Kind::Loading && store.cardCount() == 0) {
        m_stack->setCurrentWidget(m_skeleton);
    } else {
        showEmpty(notice);
        m_stack->setCurrentWidget(m_empty);
        if (notice.allClusters)
            m_notice->clear(); // the picture says it already
    }
}

void InventoryPane::showEmpty(const PaneNotice &notice)
{
    m_emptyFirst = [this] { Q_EMIT connectionsRequested(); };
    m_emptySecond = [this] { Q_EMIT demoRequested(); };
    if (m_inventory.sources().isEmpty()) {
        m_empty->set(EmptyPicture::NoConnection, tr("No cluster is connected"),
                     tr("Choose a context of your kubeconfig, or start the demo pool: 7,500 simulated cards, "
                        "no cluster needed."),
                     tr("Connections"), tr("Start demo pool"));
        return;
    }
    if (notice.allClusters && notice.kind == PaneNotice::Kind::Forbidden) {
        m_empty->set(EmptyPicture::NoPermission, notice.sentence, notice.remedy, notice.action,
                     tr("Connections"), false);
        m_emptyFirst = [] { QApplication::clipboard()->setText(inventoryRbacRule()); };
        m_emptySecond = [this] { Q_EMIT connectionsRequested(); };
        return;
    }
    if (notice.allClusters) {
        m_empty->set(EmptyPicture::NoConnection, notice.sentence, notice.remedy, tr("Try again now"),
                     tr("Connections"));
        m_emptyFirst = [this] { m_inventory.refreshAll(); };
        m_emptySecond = [this] { Q_EMIT connectionsRequested(); };
        return;
    }
    const QList<FilterToken> &tokens = m_inventory.filterTokens();
    if (!tokens.isEmpty() && m_inventory.store().cardCount() > 0) {
        m_emptyFirst = [this] { m_filter->clear(); };
        m_emptySecond = nullptr;
        const QString remedy = tokens.size() == 1
                                   ? tr("No card fits %1.").arg(visibleText(tokens[0].canonical()))
                                   : tr("Take a word out of the filter to see cards again.");
        m_empty->set(EmptyPicture::NoMatch, tr("No card matches"), remedy, tr("Clear filters"), {}, false);
        if (tokens.size() > 1)
            m_explainTimer.start();
        return;
    }
    m_empty->set(EmptyPicture::NoCards, tr("No accelerators in the connected clusters"),
                 tr("No node advertises a card through a device plugin, HAMi, DRA or vendor labels."),
                 tr("Connections"), tr("Start demo pool"), false);
}

void InventoryPane::explainNoMatch()
{
    const QList<FilterToken> &tokens = m_inventory.filterTokens();
    if (m_stack->currentWidget() != m_empty || tokens.size() < 2 || m_inventory.store().cardCount() == 0)
        return;
    const auto pair = excludingTokens(m_inventory.store(), tokens, m_inventory.clock().now());
    if (!pair)
        return;
    const QString first = visibleText(tokens[pair->first].canonical());
    const QString other = visibleText(tokens[pair->second].canonical());
    const QString remedy = pair->first == pair->second
                               ? tr("No card fits %1.").arg(first)
                               : tr("%1 and %2 exclude each other.").arg(first, other);
    const int drop = pair->second;
    m_emptySecond = [this, drop] {
        QList<FilterToken> rest = m_inventory.filterTokens();
        if (drop < rest.size()) {
            rest.removeAt(drop);
            m_filter->setText(canonicalFilter(rest));
        }
    };
    m_empty->set(EmptyPicture::NoMatch, tr("No card matches"), remedy, tr("Clear filters"),
                 tr("Drop %1").arg(other), false);
}

void InventoryPane::noticeAction()
{
    using Kind = PaneNotice::Kind;
    switch (Kind(m_noticeKind)) {
    case Kind::Forbidden:
    case Kind::Denied:
        QApplication::clipboard()->setText(inventoryRbacRule());
        m_services.toasts.add(Tone::Info, tr("The RBAC rule is on the clipboard."));
        break;
    case Kind::Stale:
        Q_EMIT connectionsRequested();
        break;
    default:
        m_inventory.refreshAll();
    }
}

void InventoryPane::showSelection()
{
    const std::vector<CardIndex> cards = m_selection->cards();
    const CardStore &store = m_inventory.store();
    double gigabytes = 0;
    std::set<std::uint32_t> nodes;
    for (const CardIndex card : cards) {
        if (const auto bytes = store.memoryBytesOf(card))
            gigabytes += nominalGigabytes(*bytes);
        nodes.insert(store.nodeIndexOf(card));
    }
    const bool show = !cards.empty();
    if (show) {
        m_bar->setSelection(int(cards.size()), gigabytes, int(nodes.size()),
                            m_inventory.table().formatting());
        const auto allowed = m_services.actions.allowed(cards);
        m_bar->setAllowed(allowed.known && allowed.allowed,
                          !allowed.known    ? tr("Asking the cluster whether you may change nodes.")
                          : allowed.allowed ? QString()
                                            : visibleText(allowed.reason));
    }
    m_bar->setVisible(show);
    if (!m_drawer->isHidden() && m_drawer->card() != noCard && store.isUsed(m_drawer->card())) {
        const auto allowed = m_services.actions.allowed({m_drawer->card()});
        m_drawer->setAllowed(allowed.known && allowed.allowed,
                             allowed.known ? visibleText(allowed.reason) : QString());
    }
    layOut();
}

void InventoryPane::openDrawer(const QModelIndex &index)
{
    const CardIndex card = m_inventory.table().cardAt(index.row());
    if (card == noCard)
        return;
    m_drawer->show();
    m_drawer->showCard(card);
    showSelection();
    m_table->scrollTo(index);
}

void InventoryPane::closeDrawer()
{
    const bool hadFocus = m_drawer->isAncestorOf(QApplication::focusWidget());
    m_drawer->hide();
    layOut();
    if (hadFocus)
        m_table->setFocus(Qt::OtherFocusReason);
}

void InventoryPane::cordonSelection(bool cordon)
{
    prepare(m_selection->cards(), NodeChange{.unschedulable = cordon});
}

void InventoryPane::labelSelection(BusinessLabel label)
{
    prepare(m_selection->cards(), NodeChange{.businessLabel = label});
}

void InventoryPane::prepare(const std::vector<CardIndex> &cards, const NodeChange &change)
{
    if (cards.empty())
        return;
    const auto allowed = m_services.actions.allowed(cards);
    if (allowed.known && !allowed.allowed) {
        m_services.toasts.add(Tone::Crit, visibleText(allowed.reason));
        return;
    }
    if (!m_sheet)
        m_sheet = new ActionSheet(m_theme, m_services.actions, window());
    if (m_services.actions.prepare(cards, change))
        m_sheet->openFor(m_inventory.table().formatting());
}

void InventoryPane::actionFinished(int done, int failed)
{
    const NodeChange &change = m_services.actions.change();
    if (done > 0) {
        QString text;
        if (m_services.actions.isUndo())
            text = tr("Undone on %n node(s)", nullptr, done);
        else if (change.unschedulable)
            text = *change.unschedulable ? tr("%n node(s) cordoned", nullptr, done)
                                         : tr("%n node(s) uncordoned", nullptr, done);
        else
            text = tr("%n node(s) labelled", nullptr, done);
        if (m_services.actions.canUndo())
            m_services.toasts.add(Tone::Ok, text, tr("Undo"), [this] { m_services.actions.undo(); });
        else
            m_services.toasts.add(Tone::Ok, text);
    }
    if (failed > 0) {
        QString reason;
        for (const NodeActionLine &line : m_services.actions.lines()) {
            if (line.error) {
                reason = visibleText(line.node) + QStringLiteral(": ") + errorLine(*line.error);
                break;
            }
        }
        m_services.toasts.add(Tone::Crit,
                              sentencesText(tr("%n node(s) not changed.", nullptr, failed), reason));
    }
}

void InventoryPane::fillColumnMenu()
{
    m_columnMenu->clear();
    ColumnLayout &columns = m_table->columns();
    for (int i = 0; i < cardColumnCount; ++i) {
        const QString key = QString::fromLatin1(columnKey(CardColumn(i)));
        QAction *action = m_columnMenu->addAction(columnTitle(CardColumn(i)));
        action->setObjectName(QStringLiteral("column_") + key);
        action->setCheckable(true);
        action->setChecked(columns.isChosen(key));
        action->setEnabled(CardColumn(i) != CardColumn::Card);
        if (columns.isDropped(key))
            action->setText(tr("%1 (no room now)").arg(columnTitle(CardColumn(i))));
        connect(action, &QAction::toggled, this,
                [this, key](bool on) { m_table->columns().setChosen(key, on); });
    }
    m_columnMenu->addSeparator();
    QAction *reset = m_columnMenu->addAction(tr("Reset columns"));
    reset->setObjectName(QStringLiteral("columnReset"));
    connect(reset, &QAction::triggered, this, [this] { m_table->columns().resetToDefaults(); });
}

void InventoryPane::fillDensityMenu()
{
    m_densityMenu->clear();
    const auto add = [this](Density density, const QString &text, const char *name) {
        QAction *action = m_densityMenu->addAction(text);
        action->setObjectName(QString::fromLatin1(name));
        action->setCheckable(true);
        action->setChecked(m_density == density);
        connect(action, &QAction::triggered, this, [this, density] { Q_EMIT densityRequested(density); });
    };
    add(Density::Compact, tr("Compact"), "densityCompact");
    add(Density::Regular, tr("Regular"), "densityRegular");
    add(Density::Comfortable, tr("Comfortable"), "densityComfortable");
}

void InventoryPane::askExport(bool json)
{
    const QString name = json ? QStringLiteral("cards.json") : QStringLiteral("cards.csv");
    const QString filter = json ? tr("JSON files (*.json)") : tr("CSV files (*.csv)");
    m_services.files.pickSaveFile(this, tr("Export cards"), name, filter,
                                  [this, json](const QString &file) { exportTo(file, json); });
}

void InventoryPane::exportTo(const QString &file, bool json)
{
    const CardTableModel &table = m_inventory.table();
    QByteArray bytes;
    if (json) {
        bytes = inventoryJson(m_inventory.store(), table.rows(), m_inventory.clock().now());
    } else {
        std::vector<CardColumn> columns;
        const QHeaderView *header = m_table->horizontalHeader();
        for (int visual = 0; visual < header->count(); ++visual) {
            const int logical = header->logicalIndex(visual);
            // A column that only lacks room in this window is part of the export all the same.
            if (m_table->columns().isChosen(QString::fromLatin1(columnKey(CardColumn(logical)))))
                columns.push_back(CardColumn(logical));
        }
        bytes = screenCsv(m_inventory.store(), table.rows(), columns);
    }
    QSaveFile target(file);
    const bool written =
        target.open(QIODevice::WriteOnly) && target.write(bytes) == bytes.size() && target.commit();
    if (written)
        m_services.toasts.add(
            Tone::Ok,
            tr("%n card(s) written to %1", nullptr, int(table.rows().size())).arg(visibleText(file)));
    else
        m_services.toasts.add(Tone::Crit, tr("%1 could not be written: %2. Choose another folder.")
                                              .arg(visibleText(file), target.errorString()));
}

} // namespace tongchi
