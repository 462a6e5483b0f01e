#pragma once

#include "models/inventory/card_details.h"
#include "models/inventory/card_table_model.h"
#include "widgets/charts/dense_series_item.h"

#include <QTimeZone>
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
/// Utilisation and memory come from the store's hour; temperature and power are not kept there, so their
/// plots begin when the drawer was opened on this card and say so.
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

Q_SIGNALS:
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
