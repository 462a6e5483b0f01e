#include "widgets/feedback/popover_list.h"

#include "widgets/theme/tabular.h"
#include "widgets/theme/text_cache.h"
#include "widgets/theme/theme.h"

#include <QAbstractItemDelegate>
#include <QKeyEvent>
#include <QListView>
#include <QPainter>
#include <QStandardItemModel>
#include <QStyleOptionViewItem>
#include <QVBoxLayout>

namespace tongchi {

namespace {

class PopoverDelegate final : public QAbstractItemDelegate
{
public:
    PopoverDelegate(const Theme &theme, const QList<PopoverRow> &rows, const int &rowHeight, QObject *parent)
        : QAbstractItemDelegate(parent), m_theme(theme), m_rows(rows), m_rowHeight(rowHeight)
    {
    }

    QSize sizeHint(const QStyleOptionViewItem &, const QModelIndex &index) const override
    {
        return {120, m_rows.value(index.row()).isGroup ? 26 : m_rowHeight};
    }

    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override
    {
        if (index.row() >= m_rows.size())
            return;
        const PopoverRow &row = m_rows[index.row()];
        painter->setRenderHint(QPainter::Antialiasing);
        QRectF area(option.rect);
        const bool current = option.state & QStyle::State_Selected;
        const bool large = m_rowHeight > 30;
        if (current) {
            painter->setPen(Qt::NoPen);
            painter->setBrush(m_theme.color(large ? ColorToken::BgSelected : ColorToken::BgHover));
            painter->drawRoundedRect(large ? area : area.adjusted(0, 1, 0, -1), large ? 0 : 4, large ? 0 : 4);
            if (large)
                painter->fillRect(QRectF(area.left(), area.top(), 2, area.height()),
                                  m_theme.color(ColorToken::AccentBase));
        }
        area.adjust(large ? 14 : 8, 0, large ? -14 : -8, 0);
        if (row.isGroup) {
            painter->setPen(m_theme.color(ColorToken::TextTertiary));
            m_texts.draw(*painter, area, Qt::AlignLeft, row.text, m_theme.font(TextRole::Caption));
            return;
        }
        if (row.icon) {
            const int size = large ? 16 : 14;
            painter->drawPixmap(QPointF(area.left(), area.center().y() - size / 2.0),
                                m_theme.pixmap(row.icon, size, m_theme.color(ColorToken::TextSecondary),
                                               painter->device()->devicePixelRatioF()));
            area.adjust(size + (large ? 10 : 8), 0, 0, 0);
        }
        const QFont &font = m_theme.font(large ? TextRole::Body : TextRole::Table);
        if (row.isChecked) {
            painter->drawPixmap(QPointF(area.right() - 14, area.center().y() - 7),
                                m_theme.pixmap("check", 14, m_theme.color(ColorToken::AccentText),
                                               painter->device()->devicePixelRatioF()));
            area.adjust(0, 0, -20, 0);
        }
        if (!row.trailing.isEmpty()) {
            painter->setPen(m_theme.color(ColorToken::TextTertiary));
            const qreal width =
                drawTabular(*painter, area, Qt::AlignRight, row.trailing, m_theme.font(TextRole::Table));
            area.adjust(0, 0, -width - 12, 0);
        }
        painter->setPen(m_theme.color(row.isEnabled ? ColorToken::TextPrimary : ColorToken::TextDisabled));
        const qreal width = m_texts.draw(*painter, area, Qt::AlignLeft, row.text, font);
        painter->setPen(m_theme.color(ColorToken::TextTertiary));
        m_texts.draw(*painter, area.adjusted(width + 8, 0, 0, 0), Qt::AlignLeft, row.hint,
                     m_theme.font(TextRole::Table));
    }

private:
    const Theme &m_theme;
    const QList<PopoverRow> &m_rows;
    const int &m_rowHeight;
    mutable TextCache m_texts;
};

} // namespace

PopoverList::PopoverList(const Theme &theme, QWidget *owner)
    : QFrame(owner), m_theme(theme), m_model(new QStandardItemModel(this)), m_view(new QListView(this))
{
    setObjectName(QStringLiteral("popover"));
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(5, 5, 5, 5);
    layout->addWidget(m_view);
    m_view->setObjectName(QStringLiteral("popoverRows"));
    m_view->setModel(m_model);
    m_view->setItemDelegate(new PopoverDelegate(theme, m_rows, m_rowHeight, m_view));
    m_view->setFocusPolicy(Qt::NoFocus);
    m_view->setSelectionMode(QAbstractItemView::SingleSelection);
    m_view->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    m_view->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_view->setMouseTracking(true);
    m_view->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_view->setAttribute(Qt::WA_InputMethodEnabled, false);
    connect(m_view, &QListView::entered, this,
            [this](const QModelIndex &index) { setCurrentRow(index.row()); });
    connect(m_view, &QListView::clicked, this, [this](const QModelIndex &index) {
        const PopoverRow row = m_rows.value(index.row());
        if (!row.isGroup && row.isEnabled)
            Q_EMIT chosen(index.row());
    });
    hide();
}

void PopoverList::setRows(const QList<PopoverRow> &rows)
{
    m_rows = rows;
    m_model->clear();
    for (const PopoverRow &row : rows) {
        auto *item = new QStandardItem(row.hint.isEmpty() ? row.text : QString(row.text + u' ' + row.hint));
        item->setFlags(row.isGroup || !row.isEnabled ? Qt::NoItemFlags
                                                     : Qt::ItemIsEnabled | Qt::ItemIsSelectable);
        m_model->appendRow(item);
    }
    for (qsizetype i = 0; i < rows.size(); ++i) {
        if (!rows[i].isGroup && rows[i].isEnabled) {
            setCurrentRow(int(i));
            break;
        }
    }
}

int PopoverList::currentRow() const
{
    return m_view->currentIndex().row();
}

void PopoverList::setCurrentRow(int row)
{
    const PopoverRow wanted = m_rows.value(row);
    if (row < 0 || row >= m_rows.size() || wanted.isGroup || !wanted.isEnabled)
        return;
    m_view->setCurrentIndex(m_model->index(row, 0));
}

int PopoverList::heightOfRows() const
{
    int height = 0;
    for (qsizetype i = 0; i < qMin<qsizetype>(m_rows.size(), 10); ++i)
        height += m_rows[i].isGroup ? 26 : m_rowHeight;
    return height;
}

void PopoverList::openBelow(const QWidget *anchor, int width)
{
    QWidget *window = anchor->window();
    if (parentWidget() != window)
        setParent(window);
    const QPoint at = anchor->mapTo(window, QPoint(0, anchor->height() + 6));
    resize(qMax(width, 120), heightOfRows() + 10);
    move(qBound(4, at.x(), qMax(4, window->width() - this->width() - 4)),
         qMin(at.y(), qMax(0, window->height() - height() - 4)));
    show();
    raise();
}

void PopoverList::setEmbedded(int rowHeight)
{
    m_embedded = true;
    m_rowHeight = rowHeight;
    layout()->setContentsMargins(0, 0, 0, 0);
    show();
}

void PopoverList::step(int by)
{
    int row = currentRow();
    for (qsizetype tried = 0; tried < m_rows.size(); ++tried) {
        row += by > 0 ? 1 : -1;
        if (row < 0 || row >= m_rows.size())
            return;
        if (!m_rows[row].isGroup && m_rows[row].isEnabled) {
            setCurrentRow(row);
            return;
        }
    }
}

bool PopoverList::handleKey(QKeyEvent *event)
{
    switch (event->key()) {
    case Qt::Key_Down:
        step(1);
        return true;
    case Qt::Key_Up:
        step(-1);
        return true;
    case Qt::Key_PageDown:
        for (int i = 0; i < 9; ++i)
            step(1);
        return true;
    case Qt::Key_PageUp:
        for (int i = 0; i < 9; ++i)
            step(-1);
        return true;
    case Qt::Key_Tab:
        if (m_embedded)
            return false;
        [[fallthrough]];
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (currentRow() < 0)
            return false;
        Q_EMIT chosen(currentRow());
        return true;
    case Qt::Key_Escape:
        if (m_embedded)
            return false;
        close();
        return true;
    default:
        return false;
    }
}

void PopoverList::paintEvent(QPaintEvent *)
{
    if (m_embedded)
        return;
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(m_theme.color(ColorToken::BorderDefault), 1));
    painter.setBrush(m_theme.color(ColorToken::BgRaised));
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 8, 8);
}

void PopoverList::hideEvent(QHideEvent *event)
{
    QFrame::hideEvent(event);
    Q_EMIT closed();
}

} // namespace tongchi
