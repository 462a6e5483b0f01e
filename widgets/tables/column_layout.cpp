#include "widgets/tables/column_layout.h"

#include <QHeaderView>
#include <QTableView>
#include <algorithm>
#include <vector>

namespace tongchi {

namespace {

constexpr int leastColumnWidth = 44;

} // namespace

ColumnLayout::ColumnLayout(QTableView *view) : QObject(view), m_view(view)
{
    connect(view->horizontalHeader(), &QHeaderView::sectionResized, this, [this](int column, int, int width) {
        if (m_applying || width == 0)
            return;
        m_widths.insert(keyOf(column), width);
        Q_EMIT changed();
    });
    connect(view->horizontalHeader(), &QHeaderView::sectionMoved, this, [this] {
        if (!m_applying)
            Q_EMIT changed();
    });
}

void ColumnLayout::setSpecs(std::vector<ColumnSpec> specs)
{
    m_specs = std::move(specs);
    apply();
}

const ColumnSpec &ColumnLayout::spec(int column) const
{
    static const ColumnSpec none;
    return std::size_t(column) < m_specs.size() ? m_specs[std::size_t(column)] : none;
}

QString ColumnLayout::keyOf(int column) const
{
    const QString &key = spec(column).key;
    return key.isEmpty() ? QString::number(column) : key;
}

int ColumnLayout::columnOf(const QString &key) const
{
    for (int column = 0; column < m_view->model()->columnCount(); ++column) {
        if (keyOf(column) == key)
            return column;
    }
    return -1;
}

int ColumnLayout::preferredWidth(int column) const
{
    return m_widths.value(keyOf(column), spec(column).width);
}

bool ColumnLayout::isChosen(const QString &key) const
{
    const auto choice = m_choices.constFind(key);
    if (choice != m_choices.constEnd())
        return *choice;
    const int column = columnOf(key);
    return column >= 0 && !spec(column).hidden;
}

void ColumnLayout::setChosen(const QString &key, bool shown)
{
    m_choices.insert(key, shown);
    apply();
    Q_EMIT changed();
}

void ColumnLayout::resetToDefaults()
{
    m_choices.clear();
    m_widths.clear();
    m_applying = true;
    QHeaderView *header = m_view->horizontalHeader();
    for (int logical = 0; logical < header->count(); ++logical)
        header->moveSection(header->visualIndex(logical), logical);
    m_applying = false;
    apply();
    Q_EMIT changed();
}

void ColumnLayout::apply()
{
    if (!m_view->model() || m_applying)
        return;
    const int count = m_view->model()->columnCount();
    if (count == 0)
        return;
    struct Column
    {
        int width = 0;
        int rank = 0;
        int narrow = 0;
        int stretch = 0;
        bool shown = false;
    };
    std::vector<Column> columns(static_cast<std::size_t>(count));
    int total = 0;
    for (int i = 0; i < count; ++i) {
        Column &column = columns[std::size_t(i)];
        column.width = preferredWidth(i);
        column.rank = spec(i).dropRank;
        column.narrow = spec(i).narrowWidth;
        column.stretch = spec(i).stretch;
        column.shown = isChosen(keyOf(i));
        total += column.shown ? column.width : 0;
    }
    const int available = m_view->viewport()->width();
    std::vector<int> leaving;
    for (int i = 0; i < count; ++i) {
        if (columns[std::size_t(i)].shown && columns[std::size_t(i)].rank > 0)
            leaving.push_back(i);
    }
    std::stable_sort(leaving.begin(), leaving.end(), [&](int a, int b) {
        return columns[std::size_t(a)].rank < columns[std::size_t(b)].rank;
    });
    m_dropped.clear();
    for (const int i : leaving) {
        if (total <= available)
            break;
        Column &column = columns[std::size_t(i)];
        if (column.narrow > 0) {
            total -= column.width - column.narrow;
            column.width = column.narrow;
        } else {
            total -= column.width;
            column.shown = false;
            m_dropped.insert(keyOf(i));
        }
    }
    const int stretch = [&] {
        int sum = 0;
        for (const Column &column : columns)
            sum += column.shown ? column.stretch : 0;
        return sum;
    }();
    int spare = available - total;
    if (spare != 0 && stretch > 0) {
        const int share = spare / stretch;
        for (Column &column : columns) {
            if (column.shown && column.stretch > 0) {
                const int width = qMax(leastColumnWidth, column.width + share * column.stretch);
                spare -= width - column.width;
                column.width = width;
            }
        }
    }
    // What does not divide, and windows without a stretching column: the second column from the right edge
    // takes it, so that the last one stays at the edge.
    if (spare > 0) {
        for (int visual = m_view->horizontalHeader()->count() - 1, seen = 0; visual >= 0; --visual) {
            const int i = m_view->horizontalHeader()->logicalIndex(visual);
            if (columns[std::size_t(i)].shown && ++seen == 2) {
                columns[std::size_t(i)].width += spare;
                break;
            }
        }
    }
    m_applying = true;
    for (int i = 0; i < count; ++i) {
        const Column &column = columns[std::size_t(i)];
        if (m_view->isColumnHidden(i) == column.shown)
            m_view->setColumnHidden(i, !column.shown);
        if (column.shown && m_view->columnWidth(i) != column.width)
            m_view->setColumnWidth(i, column.width);
    }
    m_applying = false;
}

QString ColumnLayout::state() const
{
    QStringList parts;
    const QHeaderView *header = m_view->horizontalHeader();
    for (int visual = 0; visual < header->count(); ++visual) {
        const QString key = keyOf(header->logicalIndex(visual));
        QString part = key;
        if (m_choices.contains(key))
            part += m_choices.value(key) ? QStringLiteral("=+") : QStringLiteral("=-");
        if (m_widths.contains(key))
            part += u':' + QString::number(m_widths.value(key));
        parts.append(part);
    }
    return parts.join(u',');
}

void ColumnLayout::restoreState(const QString &state)
{
    if (!m_view->model())
        return;
    m_applying = true;
    int visual = 0;
    const QStringList parts = state.split(u',', Qt::SkipEmptyParts);
    for (const QString &part : parts) {
        const QStringList sized = part.split(u':');
        const QString key = sized[0].section(u'=', 0, 0);
        const int column = columnOf(key);
        if (column < 0)
            continue; // a column of another version
        const QString choice = sized[0].section(u'=', 1);
        if (!choice.isEmpty())
            m_choices.insert(key, choice == QLatin1String("+"));
        if (sized.size() > 1 && sized[1].toInt() >= leastColumnWidth)
            m_widths.insert(key, qMin(sized[1].toInt(), 2000));
        QHeaderView *header = m_view->horizontalHeader();
        header->moveSection(header->visualIndex(column), visual++);
    }
    m_applying = false;
    apply();
}

} // namespace tongchi
