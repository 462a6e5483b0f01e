#pragma once

#include <QByteArray>
#include <QString>
#include <limits>

QT_BEGIN_NAMESPACE
class QModelIndex;
QT_END_NAMESPACE

namespace tongchi {

/// How a cell is drawn. The words in brackets say which members of CellPaint it reads besides tone and
/// dimmed.
enum class CellKind : quint8 {
    Text,        ///< plain text, elided right [text, icon]
    Strong,      ///< key column, weight 500 [text, icon: a mark before it, iconTone]
    Chip,        ///< label chip on its tint, never a button [text, icon]
    Utilization, ///< bar, percentage, sparkline [fraction, text: "62%", sparkline]
    Memory,      ///< bar, used and total [fraction, text: "51.2", unit: "/ 64 GB"]
    Number,      ///< right-aligned tabular digits and a unit in text.tertiary [text, unit]
    Word,        ///< a word with a shape before it unless healthy [text, icon]
    Age,         ///< right-aligned, clock icon when old [text, icon]
};

/// A colour by meaning. Each tone has a text colour; those with a tint also a chip background.
enum class Tone : quint8 {
    Primary,
    Secondary,
    Tertiary,
    Disabled,
    Accent,
    Ok,
    Info,
    Warn,
    Crit,
    Neutral,
    Inference,
    Training,
    Mixed,
    Idle,
    Nvidia,
    Ascend,
    Cambricon,
    OtherVendor,
};

/// Everything a delegate needs to paint one cell, handed over in one call of CellSource::cell(). Cheap to
/// copy: the texts are shared, the icon is a name in static storage. All texts are plain text and already in
/// the interface language; they are never read as markup.
struct CellPaint
{
    CellKind kind = CellKind::Text;
    Tone tone = Tone::Primary;     ///< of the text
    Tone iconTone = Tone::Primary; ///< of the icon or mark
    bool dimmed = false;           ///< last known value: drawn at half opacity
    bool quiet = false;            ///< the card gives no answer: the text is drawn in text.tertiary
    bool pending = false;          ///< written but not confirmed by the watch: accent text and a hollow dot
    bool struck = false;           ///< contradicted or no answer: dashed base line instead of a sparkline
    const char *icon = nullptr;    ///< file name below resources/icons without ".svg", or "vendor-nvidia",
                                   ///< "vendor-ascend", "vendor-cambricon", "vendor-other"
    QString text;                  ///< empty: a dash is drawn
    QString unit;                  ///< drawn after the text in text.tertiary
    float fraction =
        std::numeric_limits<float>::quiet_NaN(); ///< 0..1 of the bar; NaN: no value, only the track
    QByteArray sparkline; ///< one byte a step, oldest first, 0..100; 255 is a gap. Empty: none
};

/// Where a table's cells come from. The view asks once a painted cell; texts for copying, tool tips and
/// screen readers come from the item model's own roles (Qt::DisplayRole, Qt::ToolTipRole,
/// Qt::AccessibleTextRole), all plain text.
class CellSource
{
public:
    virtual ~CellSource() = default;
    virtual CellPaint cell(const QModelIndex &index) const = 0;
};

/// What a table has to know of a column beside its title.
struct ColumnSpec
{
    QString key;             ///< stable name kept in settings ("card", "utilization")
    int width = 100;         ///< preferred, px
    int stretch = 0;         ///< share of spare width; 0: fixed
    int dropRank = 0;        ///< order in which columns leave a narrow window; 0: never leaves
    int narrowWidth = 0;     ///< a column with this shrinks to it at its rank instead of leaving
    bool hidden = false;     ///< offered by the column chooser, not shown at first
    bool alignRight = false; ///< numbers
};

} // namespace tongchi
