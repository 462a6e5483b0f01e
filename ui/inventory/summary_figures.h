#pragma once

#include "models/common/formatting.h"
#include "models/inventory/inventory_summary.h"
#include "widgets/feedback/figure_strip.h"

namespace tongchi {

/// The seven figures above the table. A sum over fewer cards than there are says so in its tool tip and with
/// a sign: "≥ 242.9" when some did not report.
QList<StripFigure> summaryFigures(const InventorySummary &summary, const Formatting &formatting,
                                  const QByteArray &utilizationHistory, const QByteArray &powerHistory);

} // namespace tongchi
