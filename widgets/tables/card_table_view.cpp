#include "widgets/tables/card_table_view.h"

#include "widgets/tables/card_header.h"
#include "widgets/tables/cell_delegate.h"
#include "widgets/tables/check_gutter.h"
#include "widgets/tables/column_layout.h"
#include "widgets/tables/order_pill.h"
#include "widgets/tables/overlay_scroll_bar.h"
#include "widgets/theme/plain_tool_tip.h"
#include "widgets/theme/theme.h"

#include <QApplication>
#include <QClipboard>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QPaintEvent>
#include <QPainter>
#include <QScrollBar>
#include <QToolTip>

namespace tongchi {

CardTableView::CardTableView(const Theme &theme, QWidget *parent)
    : QTableView(parent), m_theme(theme), m_delegate(new CellDelegate(theme, this)),
      m_header(new CardHeader(theme, this)), m_gutter(new CheckGutter(theme, *m_delegate, this)),
      m_selectAll(new SelectAllBox(theme, this)), m_pill(new OrderPill(theme, this))
{
    setObjectName(QStringLiteral("cardTable"));
    setItemDelegate(m_delegate);
    setHorizontalHeader(m_header);
    setVerticalHeader(m_gutter);
    setCornerButtonEnabled(false);
    setSelectionBehavior(QAbstractItemView::SelectRows);
    setSelectionMode(QAbstractItemView::ExtendedSelection);
    setEditTriggers(QAbstractItemView::NoEditTriggers);
    setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    setWordWrap(false);
    setShowGrid(false);
    setTabKeyNavigation(false);
    setAutoScroll(false); // a click on a cut column must not move the table sideways
    setMouseTracking(true);
    viewport()->setMouseTracking(true);
    // paintEvent() leaves no pixel out, so that scrolling moves what is there and paints only the rows that
    // appear.
    viewport()->setAttribute(Qt::WA_OpaquePaintEvent);
    setAttribute(Qt::WA_InputMethodEnabled, false);
    setFrameShape(QFrame::NoFrame);
    m_columns = new ColumnLayout(this);
    m_scrollBar = new OverlayScrollBar(this);
    setDensity(Density::Regular);
    setSortingEnabled(true);
    connect(m_selectAll, &SelectAllBox::toggled, this, [this] {
        if (m_selectAll->state() == Qt::Checked)
            clearSelection();
        else
            selectAll();
    });
    connect(verticalScrollBar(), &QScrollBar::valueChanged, this, [this] { updateVisibleRows(); });
    connect(this, &QAbstractItemView::activated, this, &CardTableView::rowActivated);
    connect(m_pill, &QPushButton::clicked, this, &CardTableView::sortNowRequested);
    connect(&theme, &Theme::changed, this, [this] { viewport()->update(); });
}

void CardTableView::setModel(QAbstractItemModel *model)
{
    if (this->model())
        disconnect(this->model(), nullptr, this, nullptr);
    QTableView::setModel(model);
    if (model) {
        connect(model, &QAbstractItemModel::modelReset, this, [this] {
            m_columns->apply();
            updateSelectAll();
            updateOrderHeld();
        });
        connect(model, &QAbstractItemModel::rowsInserted, this, [this] { updateSelectAll(); });
        connect(model, &QAbstractItemModel::rowsRemoved, this, [this] {
            updateSelectAll();
            updateOrderHeld();
        });
    }
    m_columns->apply();
    updateSelectAll();
}

void CardTableView::setCells(const CellSource *source, std::vector<ColumnSpec> columns)
{
    m_delegate->setSource(source);
    m_columns->setSpecs(std::move(columns));
    m_header->setSpecs(&m_columns->specs());
    viewport()->update();
}

void CardTableView::updateVisibleRows()
{
    const int rows = model() ? model()->rowCount() : 0;
    const int height = rowHeightOf(m_density);
    const int first = verticalScrollBar()->value() / height;
    const int last = qMin(rows - 1, (verticalScrollBar()->value() + viewport()->height()) / height);
    if (first == m_firstVisible && last == m_lastVisible)
        return;
    m_firstVisible = first;
    m_lastVisible = last;
    Q_EMIT visibleRowsChanged(first, last);
}

void CardTableView::setDensity(Density density)
{
    const int row = verticalScrollBar()->value() / qMax(1, rowHeightOf(m_density));
    m_density = density;
    m_delegate->setDensity(density);
    m_gutter->setDefaultSectionSize(rowHeightOf(density));
    m_header->setFixedHeight(headerHeightOf(density));
    verticalScrollBar()->setSingleStep(rowHeightOf(density));
    updateGeometries();
    verticalScrollBar()->setValue(row * rowHeightOf(density)); // the same row stays at the top
    viewport()->update();
}

void CardTableView::setTextHook(CellPainter::TextHook hook)
{
    m_delegate->painter().setTextHook(std::move(hook));
    viewport()->update();
}

void CardTableView::setHeldMoves(int rows)
{
    m_pill->setRows(m_orderHeld ? rows : 0);
    placeChildren();
}

QList<int> CardTableView::selectedRowNumbers() const
{
    QList<int> rows;
    if (!selectionModel())
        return rows;
    const QItemSelection selection = selectionModel()->selection();
    for (const QItemSelectionRange &range : selection) {
        for (int row = range.top(); row <= range.bottom(); ++row)
            rows.append(row);
    }
    std::sort(rows.begin(), rows.end());
    rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
    return rows;
}

int CardTableView::selectedRowCount() const
{
    if (!selectionModel())
        return 0;
    int count = 0;
    const QItemSelection selection = selectionModel()->selection();
    for (const QItemSelectionRange &range : selection)
        count += range.height();
    return count;
}

QString CardTableView::selectionAsText() const
{
    if (!model())
        return {};
    QList<int> rows = selectedRowNumbers();
    if (rows.isEmpty() && currentIndex().isValid())
        rows.append(currentIndex().row());
    if (rows.isEmpty())
        return {};
    QList<int> columns;
    for (int visual = 0; visual < m_header->count(); ++visual) {
        const int logical = m_header->logicalIndex(visual);
        if (!isColumnHidden(logical))
            columns.append(logical);
    }
    QString text;
    const auto put = [&text](QString value, bool last) {
        // A tab or a line break inside a value would make another cell of it.
        value.replace(u'\t', u' ').replace(u'\n', u' ').replace(u'\r', u' ');
        text += value;
        text += last ? u'\n' : u'\t';
    };
    for (const int column : columns)
        put(model()->headerData(column, Qt::Horizontal, Qt::DisplayRole).toString(),
            column == columns.constLast());
    for (const int row : rows) {
        for (const int column : columns)
            put(model()->index(row, column).data(Qt::DisplayRole).toString(), column == columns.constLast());
    }
    return text;
}

void CardTableView::keyPressEvent(QKeyEvent *event)
{
    m_delegate->setFocusVisible(true);
    const auto moveTo = [this, event](int row) {
        const QModelIndex target = model()->index(row, qMax(0, currentIndex().column()));
        if (event->modifiers() & Qt::ShiftModifier) {
            const int anchor = qMax(0, currentIndex().row());
            selectionModel()->setCurrentIndex(target, QItemSelectionModel::NoUpdate);
            selectionModel()->select(
                QItemSelection(model()->index(qMin(anchor, row), 0),
                               model()->index(qMax(anchor, row), model()->columnCount() - 1)),
                QItemSelectionModel::ClearAndSelect);
        } else {
            setCurrentIndex(target);
        }
        scrollTo(target);
    };
    const int rows = model() ? model()->rowCount() : 0;
    if (event->matches(QKeySequence::Copy)) {
        QApplication::clipboard()->setText(selectionAsText());
    } else if (event->key() == Qt::Key_Space && !(event->modifiers() & ~Qt::ShiftModifier)) {
        if (currentIndex().isValid())
            selectionModel()->select(currentIndex(), QItemSelectionModel::Toggle | QItemSelectionModel::Rows);
    } else if ((event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) &&
               currentIndex().isValid()) {
        Q_EMIT rowActivated(currentIndex());
    } else if (event->key() == Qt::Key_Home && rows > 0) {
        moveTo(0);
    } else if (event->key() == Qt::Key_End && rows > 0) {
        moveTo(rows - 1);
    } else if (event->key() == Qt::Key_Escape) {
        event->ignore(); // the pane knows what is topmost
    } else {
        QTableView::keyPressEvent(event);
        // With auto scroll off the base class leaves the current row where it is.
        if (currentIndex().isValid() && (event->key() == Qt::Key_Up || event->key() == Qt::Key_Down ||
                                         event->key() == Qt::Key_PageUp || event->key() == Qt::Key_PageDown ||
                                         event->key() == Qt::Key_Left || event->key() == Qt::Key_Right)) {
            scrollTo(currentIndex());
        }
        return;
    }
    if (event->key() != Qt::Key_Escape)
        event->accept();
}

void CardTableView::mousePressEvent(QMouseEvent *event)
{
    m_delegate->setFocusVisible(false);
    QTableView::mousePressEvent(event);
}

void CardTableView::mouseMoveEvent(QMouseEvent *event)
{
    setHoveredRow(rowAt(event->pos().y()));
    QTableView::mouseMoveEvent(event);
}

void CardTableView::mouseDoubleClickEvent(QMouseEvent *event)
{
    const QModelIndex index = indexAt(event->pos());
    if (event->button() == Qt::LeftButton && index.isValid())
        Q_EMIT rowActivated(index);
}

void CardTableView::setHoveredRow(int row)
{
    const int before = m_delegate->hoveredRow();
    if (row == before)
        return;
    m_delegate->setHoveredRow(row);
    for (const int changed : {before, row}) {
        if (changed < 0)
            continue;
        const int y = rowViewportPosition(changed);
        viewport()->update(0, y, viewport()->width(), rowHeightOf(m_density));
        m_gutter->viewport()->update(0, y, CheckGutter::width, rowHeightOf(m_density));
    }
}

bool CardTableView::viewportEvent(QEvent *event)
{
    switch (event->type()) {
    case QEvent::Enter:
        m_pointerInside = true;
        updateOrderHeld();
        break;
    case QEvent::Leave:
        m_pointerInside = false;
        setHoveredRow(-1);
        updateOrderHeld();
        break;
    case QEvent::ToolTip:
        return showCellToolTip(static_cast<QHelpEvent *>(event));
    default:
        break;
    }
    return QTableView::viewportEvent(event);
}

bool CardTableView::showCellToolTip(QHelpEvent *event)
{
    const QModelIndex index = indexAt(event->pos());
    QString text = index.data(Qt::ToolTipRole).toString();
    if (text.isEmpty() && index.isValid()) {
        const CellPaint cell = m_delegate->cellOf(index);
        if (m_delegate->painter().isCut(cell, columnWidth(index.column())))
            text = m_delegate->painter().shown(cell.text);
    } else {
        text = m_delegate->painter().shown(text);
    }
    if (text.isEmpty())
        QToolTip::hideText();
    else
        QToolTip::showText(event->globalPos(), plainToolTip(text), viewport(), visualRect(index));
    return true;
}

void CardTableView::paintEvent(QPaintEvent *event)
{
    QPainter painter(viewport());
    for (const QRect &rect : event->region())
        painter.fillRect(rect, m_theme.color(ColorToken::BgPanel));
    painter.end();
    QTableView::paintEvent(event);
}

void CardTableView::resizeEvent(QResizeEvent *event)
{
    QTableView::resizeEvent(event);
    m_columns->apply();
    updateGeometries(); // the base class has set the sideways range for the old widths
}

void CardTableView::updateGeometries()
{
    if (m_inGeometries) // both margins below resize the viewport, which asks for the same again
        return;
    m_inGeometries = true;
    QTableView::updateGeometries();
    // The base class leaves no room at the right. Where a widget lies over the viewport, Qt paints all of it
    // anew for each step of scrolling.
    QMargins margins = viewportMargins();
    margins.setRight(OverlayScrollBar::width);
    setViewportMargins(margins);
    m_inGeometries = false;
    placeChildren();
    updateVisibleRows();
}

void CardTableView::placeChildren()
{
    m_selectAll->setGeometry(0, 0, CheckGutter::width, m_header->height());
    m_selectAll->raise();
    if (m_scrollBar)
        m_scrollBar->place(m_header->height());
    m_pill->resize(m_pill->sizeHint());
    m_pill->move((width() - m_pill->width()) / 2, m_header->height() + 8);
    m_pill->raise();
}

void CardTableView::selectionChanged(const QItemSelection &selected, const QItemSelection &deselected)
{
    QTableView::selectionChanged(selected, deselected);
    updateSelectAll();
    updateOrderHeld();
    Q_EMIT rowSelectionChanged();
}

void CardTableView::changeEvent(QEvent *event)
{
    QTableView::changeEvent(event);
    if (event->type() == QEvent::LanguageChange)
        m_header->viewport()->update();
}

void CardTableView::updateOrderHeld()
{
    const bool held = m_pointerInside || (selectionModel() && selectionModel()->hasSelection());
    if (held == m_orderHeld)
        return;
    m_orderHeld = held;
    if (!held)
        m_pill->setRows(0);
    Q_EMIT orderHeldChanged(held);
}

void CardTableView::updateSelectAll()
{
    const int selected = selectedRowCount();
    const int rows = model() ? model()->rowCount() : 0;
    m_selectAll->setState(selected == 0      ? Qt::Unchecked
                          : selected >= rows ? Qt::Checked
                                             : Qt::PartiallyChecked);
}

} // namespace tongchi
