#pragma once

#include "widgets/tables/cell_paint.h"

#include <QAbstractTableModel>
#include <vector>

namespace tongchi::test {

/// A made-up card table for tests and pictures: every kind of cell, any number of rows, values from a fixed
/// seed.
class SampleTable : public QAbstractTableModel, public CellSource
{
    Q_OBJECT

public:
    enum Column {
        Card,
        Node,
        Region,
        Label,
        Utilization,
        Memory,
        Temperature,
        Power,
        Health,
        Workload,
        Age,
        ColumnCount
    };

    explicit SampleTable(int rows, QObject *parent = nullptr);

    int rowCount(const QModelIndex &parent = {}) const override { return parent.isValid() ? 0 : m_count; }
    int columnCount(const QModelIndex &parent = {}) const override
    {
        return parent.isValid() ? 0 : ColumnCount;
    }
    QVariant data(const QModelIndex &index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    void sort(int column, Qt::SortOrder order) override;
    CellPaint cell(const QModelIndex &index) const override;

    /// The columns of the Cards pane.
    static std::vector<ColumnSpec> columns();
    /// All values move; one dataChanged.
    void step();
    void setNodeName(int row, const QString &name);
    void removeFirst(int rows);
    int sortedBy = -1;

private:
    struct Row
    {
        int model;
        int label;
        int utilization;
        int temperature;
        int watts;
        int age;
        QString node;
    };
    Row row(int number) const;

    int m_count;
    int m_step = 0;
    QHash<int, QString> m_names;
};

} // namespace tongchi::test
