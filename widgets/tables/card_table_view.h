#pragma once

#include "widgets/tables/cell_painter.h"
#include "widgets/tables/density.h"

#include <QTableView>
#include <vector>

namespace tongchi {

class CardHeader;
class CellDelegate;
class CheckGutter;
class ColumnLayout;
class OrderPill;
class OverlayScrollBar;
class SelectAllBox;
class Theme;

/// The live table: rows of one fixed height, everything painted by one delegate, whole rows selected, a check
/// column left of the cells. Built for 100,000 rows: no row widgets, no size hints of rows, no proxy.
///
/// Order: while the pointer is over the rows or anything is selected the model should hold its order
/// (orderHeldChanged); setHeldMoves() offers the rest in a pill.
/// Keys: Space checks the row, Enter opens it, Ctrl+A selects all shown rows, Home and End go to the first
/// and last row, Ctrl+C copies the selected rows as tab-separated text with a head line.
class CardTableView final : public QTableView
{
    Q_OBJECT

public:
    explicit CardTableView(const Theme &theme, QWidget *parent = nullptr);

    void setModel(QAbstractItemModel *model) override;

    /// Where the cells come from and what the columns are; the source outlives the view.
    void setCells(const CellSource *source, std::vector<ColumnSpec> columns);

    void setDensity(Density density);
    Density density() const { return m_density; }
    /// Texts from outside go through this before they are drawn.
    void setTextHook(CellPainter::TextHook hook);
    ColumnLayout &columns() const { return *m_columns; }

    bool isOrderHeld() const { return m_orderHeld; }
    /// How many rows a sort would move now; 0 hides the pill.
    void setHeldMoves(int rows);

    /// The selected rows in shown order; empty when nothing is selected.
    QList<int> selectedRowNumbers() const;
    int selectedRowCount() const;
    /// Selected rows, or the current one; what the operator sees, with a head line, columns in visual order.
    QString selectionAsText() const;

Q_SIGNALS:
    void rowActivated(const QModelIndex &index);
    void rowSelectionChanged();
    void orderHeldChanged(bool held);
    void sortNowRequested();
    /// First and last row that are at least partly on screen.
    void visibleRowsChanged(int first, int last);

protected:
    void keyPressEvent(QKeyEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void mouseDoubleClickEvent(QMouseEvent *event) override;
    bool viewportEvent(QEvent *event) override;
    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void updateGeometries() override;
    void selectionChanged(const QItemSelection &selected, const QItemSelection &deselected) override;
    void keyboardSearch(const QString &) override {} // letters are commands of the pane
    void changeEvent(QEvent *event) override;

private:
    void setHoveredRow(int row);
    void updateOrderHeld();
    void updateSelectAll();
    void updateVisibleRows();
    void placeChildren();
    bool showCellToolTip(QHelpEvent *event);

    const Theme &m_theme;
    CellDelegate *m_delegate;
    CardHeader *m_header;
    CheckGutter *m_gutter;
    SelectAllBox *m_selectAll;
    OrderPill *m_pill;
    bool m_inGeometries = false;
    OverlayScrollBar *m_scrollBar = nullptr;
    ColumnLayout *m_columns;
    Density m_density = Density::Regular;
    int m_firstVisible = -1;
    int m_lastVisible = -1;
    bool m_pointerInside = false;
    bool m_orderHeld = false;
};

} // namespace tongchi
