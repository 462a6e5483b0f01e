#pragma once

#include <QByteArray>
#include <QMetaType>
#include <QString>
#include <qnamespace.h>
#include <limits>

namespace tongchi {

/// How a cell is drawn. The words in brackets say which members of CellPaint it reads besides tone and dimmed.
enum class CellKind : quint8 {
    Text,        ///< plain text, elided right [text, icon]
    Strong,      ///< key column, weight 500 [text, icon: a mark before it, iconTone]
    Chip,        ///< label chip on its tint, never a button [text, icon]
    Utilization, ///< bar, percentage, sparkline [fraction, text: "62%", sparkline]
    Memory,      ///< bar, used and total [fraction, text: "51.2", unit: "/ 64 GB"]
    Number,      ///< right-aligned tabular digits and a unit in text.tertiary [text, unit]
    Status,      ///< a word with a shape before it unless healthy [text, icon]
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

/// Everything a delegate needs to paint one cell, served by one call of data(index, CellPaintRole). Cheap to copy: the
/// texts are shared, the icon is a name in static storage. All texts are plain text and already in the interface
/// language; they are never read as markup.
struct CellPaint
{
    CellKind kind = CellKind::Text;
    Tone tone = Tone::Primary;            ///< of the text
    Tone iconTone = Tone::Primary;        ///< of the icon or mark
    bool dimmed = false;                  ///< last known value: drawn at half opacity
    bool quiet = false;                   ///< the card gives no answer: the text is drawn in text.tertiary
    bool pending = false;                 ///< written but not confirmed by the watch: accent text and a hollow dot
    bool struck = false;                  ///< contradicted or no answer: dashed base line instead of a sparkline
    const char *icon = nullptr;           ///< file name below resources/icons without ".svg", or "vendor-nvidia",
                                          ///< "vendor-ascend", "vendor-cambricon", "vendor-other"
    QString text;                         ///< empty: a dash is drawn
    QString unit;                         ///< drawn after the text in text.tertiary
    float fraction = std::numeric_limits<float>::quiet_NaN(); ///< 0..1 of the bar; NaN: no value, only the track
    QByteArray sparkline;                 ///< one byte a step, oldest first, 0..100; 255 is a gap. Empty: none
};

/// Item roles of the tables. Models serve Qt::DisplayRole (plain text for copy), Qt::ToolTipRole (plain text),
/// Qt::AccessibleTextRole (a sentence) and these:
enum CellRole : int {
    CellPaintRole = Qt::UserRole + 0x100, ///< CellPaint
    SortRole,                             ///< QVariant that compares like the cell's value
};

/// Header roles of the horizontal header.
enum HeaderRole : int {
    ColumnKeyRole = Qt::UserRole + 0x200, ///< QString, stable name kept in settings ("card", "utilization")
    ColumnWidthRole,                      ///< int, preferred width in px at the regular density
    ColumnStretchRole,                    ///< int, share of spare width; 0: fixed
    ColumnDropRankRole,                   ///< int, order in which columns leave a narrow window; 0: never leaves
    ColumnNarrowWidthRole,                ///< int, a column with this shrinks to it at its rank instead of leaving
    ColumnDefaultHiddenRole,              ///< bool, offered by the column chooser but not shown at first
};

} // namespace tongchi

Q_DECLARE_METATYPE(tongchi::CellPaint)
