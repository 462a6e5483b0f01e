#pragma once

#include "models/common/formatting.h"
#include "models/inventory/card_condition.h"
#include "platform/core/reading.h"

#include <QByteArray>
#include <QString>

namespace tongchi {

enum class CardColumn {
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
    Cluster,
    Variant,
    Vendor,
    Uuid,
    Shares,
    Slices,
    Numa,
    Driver,
};
constexpr int cardColumnCount = 19;

/// Stable name kept in settings and used in exports ("card", "utilization").
const char *columnKey(CardColumn column);
/// Title in the interface's language.
QString columnTitle(CardColumn column);

/// How a cell is meant; the view decides colours.
enum class CellTone {
    Primary,
    Secondary,
    Tertiary,
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
    OtherVendor
};

/// What one cell shows. Texts are plain, in the interface's language, control characters made visible.
struct CardCell
{
    QString text; ///< empty: a dash
    QString unit;
    const char *icon = nullptr; ///< icon name, or "vendor-nvidia" and so on
    CellTone tone = CellTone::Primary;
    CellTone iconTone = CellTone::Primary;
    float fraction = notReported; ///< 0..1 of a bar
    QByteArray sparkline;         ///< 0..100, 255: gap; oldest first
    bool dimmed = false;          ///< last known value
    bool struck = false;          ///< no answer
    bool pending = false;         ///< written, not confirmed by the watch
};

/// What the operator wrote to a node and the watch has not shown yet.
struct PendingNodeChange
{
    std::optional<bool> unschedulable;
    std::optional<BusinessLabel> businessLabel;
};

/// Everything a cell needs besides the store.
struct CellContext
{
    const CardStore &store;
    const Formatting &formatting;
    Instant now;
    FreshnessLimits limits;
    const PendingNodeChange *pending = nullptr; ///< of the card's node; null: none
};

CardCell cardCell(const CellContext &context, CardIndex card, CardColumn column);
/// One line for the tooltip: full text, age, source.
QString cardToolTip(const CellContext &context, CardIndex card, CardColumn column);
/// A sentence for a screen reader: "Utilisation 62 percent, 2 seconds old".
QString cardSentence(const CellContext &context, CardIndex card, CardColumn column);
/// The last hour of utilization, oldest first.
QByteArray utilizationSparkline(const CardStore &store, CardIndex card);
/// Name of a model as the interface's language has it ("昇腾 910B" in Chinese).
QString modelText(const CardStore &store, std::uint16_t modelIndex);

} // namespace tongchi
