#pragma once

#include "models/inventory/card_details.h"
#include "models/inventory/card_table_model.h"
#include "models/inventory/inventory_controller.h"
#include "widgets/charts/dense_series_item.h"

#include <QTimeZone>
#include <QTimer>
#include <QWidget>

QT_BEGIN_NAMESPACE
class QHBoxLayout;
class QLabel;
class QMenu;
class QPushButton;
class QStackedWidget;
class QTabBar;
class QToolButton;
class QVBoxLayout;
QT_END_NAMESPACE

namespace tongchi {

class DetailRows;
class HistoryChart;
class StatusChip;
class Theme;

/// Everything about one card, 340 px wide over the table's right side: an overview in which each number names
/// its source and age, and the last hour. Follows the table's current row while it is open; refresh() once a
/// second.
///
/// Utilisation and memory come from the store's hour; temperature and power are not kept there: the hour
/// before is asked for when a card is shown, and while it is not there the plots begin with the drawer and
/// say so.
class CardDrawer final : public QWidget
{
    Q_OBJECT

public:
    static constexpr int panelWidth = 340;

    CardDrawer(const Theme &theme, const CardTableModel &table, const Clock &clock, SourceNamer namer,
               QWidget *parent = nullptr);

    void showCard(CardIndex card);
    CardIndex card() const { return m_card; }
    /// Reads the card again: ages, values, history.
    void refresh();
    void setZone(const QTimeZone &zone) { m_zone = zone; }
    void setAllowed(bool allowed, const QString &reason);
    /// What was measured in the last hour on the card, as far as its cluster still knows; an error: why not.
    /// Answers to an earlier hourWanted() are ignored.
    void setHour(CardIndex card, const InventoryController::Hour &hour);

Q_SIGNALS:
    /// The card has been shown for a moment: its hour is worth asking for.
    void hourWanted(tongchi::CardIndex card);
    void closeRequested();
    void cardRequested(tongchi::CardIndex card);
    void cordonRequested(bool cordon);
    void labelRequested(tongchi::BusinessLabel label);

protected:
    void paintEvent(QPaintEvent *event) override;
    void changeEvent(QEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;

private:
    void retranslate();
    QWidget *buildOverview();
    QWidget *buildHistory();
    void fillOverview(const CardDetails &details);
    void fillHistory();
    void sample();
    QString hourNote() const;

    const Theme &m_theme;
    const CardTableModel &m_table;
    const Clock &m_clock;
    SourceNamer m_namer;
    QTimeZone m_zone;
    CardIndex m_card = noCard;
    bool m_cordoned = false;
    Instant m_openedAt{};
    std::vector<HistoryPoint> m_temperatures;
    std::vector<HistoryPoint> m_powers;
    enum class Hour { Wanted, Read, Missing } m_hour = Hour::Wanted;
    QString m_hourProblem;
    QTimer m_hourTimer;

    QLabel *m_mark;
    QLabel *m_title;
    QLabel *m_subtitle;
    QLabel *m_place;
    QToolButton *m_close;
    StatusChip *m_labelChip;
    StatusChip *m_healthChip;
    QTabBar *m_tabs;
    QStackedWidget *m_pages;
    QLabel *m_flags = nullptr;
    QLabel *m_measuredTitle = nullptr;
    DetailRows *m_measured = nullptr;
    QLabel *m_propertiesTitle = nullptr;
    DetailRows *m_properties = nullptr;
    QLabel *m_slicesTitle = nullptr;
    DetailRows *m_slices = nullptr;
    QLabel *m_podsTitle = nullptr;
    QLabel *m_pods = nullptr;
    QLabel *m_nodeTitle = nullptr;
    QLabel *m_nodeFacts = nullptr;
    QWidget *m_neighbours = nullptr;
    QList<QPushButton *> m_neighbourButtons;
    HistoryChart *m_history = nullptr;
    QLabel *m_historyNote = nullptr;
    QPushButton *m_cordon;
    QPushButton *m_label;
    QMenu *m_labelMenu;
};

} // namespace tongchi
