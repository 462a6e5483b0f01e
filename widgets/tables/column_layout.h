#pragma once

#include "widgets/tables/cell_paint.h"

#include <QHash>
#include <QObject>
#include <QSet>
#include <QString>
#include <vector>

QT_BEGIN_NAMESPACE
class QTableView;
QT_END_NAMESPACE

namespace tongchi {

/// Which columns a table shows and how wide: the operator's choice first, then, while the window is too
/// narrow, columns leave in the order of ColumnSpec::dropRank until nothing has to scroll sideways. Spare
/// width goes to the columns that stretch. Chosen widths are kept by column key.
class ColumnLayout final : public QObject
{
    Q_OBJECT

public:
    explicit ColumnLayout(QTableView *view);

    /// One a model column.
    void setSpecs(std::vector<ColumnSpec> specs);
    const std::vector<ColumnSpec> &specs() const { return m_specs; }

    /// Puts widths and hidden columns into effect for the view's present width.
    void apply();

    bool isChosen(const QString &key) const;
    void setChosen(const QString &key, bool shown);
    /// Chosen, but there is no room for it now.
    bool isDropped(const QString &key) const { return m_dropped.contains(key); }
    void resetToDefaults();

    /// "card=118,power=-,node" in visual order; for settings.
    QString state() const;
    void restoreState(const QString &state);

Q_SIGNALS:
    void changed();

private:
    int preferredWidth(int column) const;
    QString keyOf(int column) const;
    int columnOf(const QString &key) const;

    const ColumnSpec &spec(int column) const;

    QTableView *m_view;
    std::vector<ColumnSpec> m_specs;
    QHash<QString, int> m_widths;   ///< set by hand
    QHash<QString, bool> m_choices; ///< where the choice differs from the default
    QSet<QString> m_dropped;
    bool m_applying = false;
};

} // namespace tongchi
