#pragma once

#include "models/common/formatting.h"
#include "platform/inventory/inventory_delta.h"

#include <QTimeZone>
#include <functional>

namespace tongchi {

/// What is wrong with the pane's sources, strongest first: permission denied, error, partial, stale, loading,
/// a part that may not be read.
struct PaneNotice
{
    enum class Kind { None, Denied, Loading, Stale, Partial, Error, Forbidden };
    Kind kind = Kind::None;
    QString sentence;
    QString remedy;
    QString action;           ///< text of the one button
    double progress = -1;     ///< 0..1 while loading with a known total
    bool allClusters = false; ///< nothing answers: without rows the pane has nothing to show
};

/// `cardsOf(cluster name)` counts the last known cards of a cluster, for "2,176 cards in wlcb-train".
PaneNotice paneNotice(const QList<ClusterStatus> &clusters,
                      const std::function<qint64(const QString &)> &cardsOf, Instant now,
                      const Formatting &formatting, const QTimeZone &zone);

/// The rule an administrator may paste to let a user read what the pane needs.
QString inventoryRbacRule();

} // namespace tongchi
