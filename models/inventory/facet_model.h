#pragma once

#include "models/inventory/card_table_model.h"

#include <QObject>

namespace tongchi {

/// One value of a facet with the number of cards it would leave.
struct FacetRow
{
    QString key;  ///< canonical filter value
    QString text; ///< in the interface's language
    const char *icon = nullptr;
    CellTone iconTone = CellTone::Secondary;
    std::uint32_t count = 0;
    double share = 0; ///< of the largest count in its facet, for the bar behind the text
    bool chosen = false;
    bool excluded = false;
    bool isVariant = false; ///< a variant below its model
};

struct FacetGroup
{
    FilterKey key = FilterKey::Vendor;
    QString title;
    QList<FacetRow> rows;
};

/// How a click changes the filter.
enum class FacetClick { Only, Add, Exclude };

/// The facet column: groups in the order of the design, counts from the table's last pass.
class FacetModel : public QObject
{
    Q_OBJECT
public:
    explicit FacetModel(const CardTableModel &table, QObject *parent = nullptr);

    const QList<FacetGroup> &groups() const { return m_groups; }
    /// Builds the rows anew, also after a change of language.
    void refresh();
    /// The filter after a click on a value, as canonical text: plain adds the token or takes it away, Ctrl
    /// adds another value, Alt excludes.
    QString filterAfter(FilterKey key, const QString &value, FacetClick click) const;

Q_SIGNALS:
    void changed();

private:
    const CardTableModel &m_table;
    QList<FacetGroup> m_groups;
};

} // namespace tongchi
