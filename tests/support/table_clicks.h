#pragma once

#include <QTableView>
#include <QTest>

namespace tongchi::test {

/// Selects a row as an operator does. QTableView::selectRow() asks which modifier keys are down, and a key of
/// an earlier test may have left one there.
inline void clickRow(QTableView &view, int row, int column = 1)
{
    QTest::mouseClick(view.viewport(), Qt::LeftButton, {},
                      view.visualRect(view.model()->index(row, column)).center());
}

} // namespace tongchi::test
