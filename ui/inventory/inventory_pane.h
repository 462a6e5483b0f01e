#pragma once

#include "models/inventory/card_details.h"
#include "models/inventory/node_action_controller.h"
#include "widgets/tables/density.h"

#include <QTimeZone>
#include <QTimer>
#include <QWidget>
#include <functional>
#include <memory>
#include <vector>

QT_BEGIN_NAMESPACE
class QLabel;
class QMenu;
class QProgressBar;
class QShortcut;
class QStackedWidget;
class QToolButton;
QT_END_NAMESPACE

namespace tongchi {

class ActionSheet;
class CardCells;
class CardDrawer;
class CardFilterWords;
class CardSelection;
class CardTableView;
class EmptyState;
class FacetList;
class FigureStrip;
class FilePicker;
class FilterField;
class NoticeStrip;
class SelectionBar;
class SkeletonRows;
class Theme;
class ToastStack;
class WindowSettings;
struct PaneNotice;

/// Cards: facets, figures, filter, table, selection bar, drawer, and what stands in their place when there is
/// nothing to show. Arranges and binds; what the numbers are is the models' business.
class InventoryPane final : public QWidget
{
    Q_OBJECT

public:
    struct Services
    {
        const Theme &theme;
        InventoryController &inventory;
        NodeActionController &actions;
        ToastStack &toasts;
        FilePicker &files;
        WindowSettings &settings;
        SourceNamer namer;
        QTimeZone zone;
    };

    explicit InventoryPane(Services services, QWidget *parent = nullptr);
    ~InventoryPane() override;

    void setDensity(Density density);
    void setSingleKeysEnabled(bool enabled);
    void focusFilter();
    /// Escape: closes the drawer, else clears the selection. False: there was nothing to close.
    bool closeTopmost();
    /// Widgets that F6 walks through, in reading order.
    QList<QWidget *> regions() const;
    void cordonSelection(bool cordon);
    void labelSelection(BusinessLabel label);
    int selectedCards() const;
    void exportTo(const QString &file, bool json);

    CardTableView *tableView() const { return m_table; }
    FilterField *filterField() const { return m_filter; }
    CardDrawer *drawer() const { return m_drawer; }
    ActionSheet *actionSheet() const { return m_sheet; }

Q_SIGNALS:
    void connectionsRequested();
    void demoRequested();
    void densityRequested(tongchi::Density density);

protected:
    void resizeEvent(QResizeEvent *event) override;
    void changeEvent(QEvent *event) override;

private:
    void build();
    void bind();
    void retranslate();
    void layOut();
    void showFigures();
    void showFacets();
    void showState();
    void showEmpty(const PaneNotice &notice);
    void explainNoMatch();
    void showSelection();
    void showCount();
    void noticeAction();
    void openDrawer(const QModelIndex &index);
    void closeDrawer();
    void prepare(const std::vector<CardIndex> &cards, const NodeChange &change);
    void actionFinished(int done, int failed);
    void fillColumnMenu();
    void fillDensityMenu();
    void askExport(bool json);
    void recordHistory();

    Services m_services;
    const Theme &m_theme;
    InventoryController &m_inventory;
    std::unique_ptr<CardCells> m_cells;
    std::unique_ptr<CardFilterWords> m_words;
    CardSelection *m_selection;

    FacetList *m_facets;
    QWidget *m_main;
    QWidget *m_header;
    QToolButton *m_facetButton;
    QLabel *m_title;
    QLabel *m_extent;
    FigureStrip *m_figures;
    NoticeStrip *m_notice;
    QProgressBar *m_progress;
    QWidget *m_filterBar;
    FilterField *m_filter;
    QLabel *m_filterError;
    QToolButton *m_columnButton;
    QToolButton *m_densityButton;
    QToolButton *m_exportButton;
    QMenu *m_columnMenu;
    QMenu *m_densityMenu;
    QMenu *m_exportMenu;
    QStackedWidget *m_stack;
    CardTableView *m_table;
    SkeletonRows *m_skeleton;
    EmptyState *m_empty;
    SelectionBar *m_bar;
    CardDrawer *m_drawer;
    ActionSheet *m_sheet = nullptr;
    QList<QShortcut *> m_singleKeys;
    std::function<void()> m_emptyFirst;
    std::function<void()> m_emptySecond;
    int m_noticeKind = 0;
    bool m_facetsOpen = false;
    bool m_wasComplete = false;
    std::vector<quint8> m_utilizationHistory;
    std::vector<double> m_powerHistory;
    QTimer m_historyTimer;
    QTimer m_explainTimer; ///< finding out which words exclude each other waits until the keys rest
    Density m_density = Density::Regular;
};

} // namespace tongchi
