#pragma once

#include "models/inventory/card_cell.h"
#include "models/inventory/inventory_summary.h"

#include <QByteArray>
#include <span>

namespace tongchi {

/// The document of `tongchi inventory --output json` (reference: README, "Output of inventory"): clusters,
/// totals and the given cards in the given order. Values nobody reported are null.
QByteArray inventoryJson(const CardStore &store, std::span<const CardIndex> cards, Instant now);

/// One card as one JSON object, as in the document.
QByteArray cardJson(const CardStore &store, CardIndex card);

/// A table for spreadsheets: the JSON's flat fields as columns, in C locale, point and no grouping; UTF-8
/// without mark.
QByteArray inventoryCsv(const CardStore &store, std::span<const CardIndex> cards);

/// What is on screen: the given columns with their titles, values in C locale.
QByteArray screenCsv(const CardStore &store, std::span<const CardIndex> cards,
                     std::span<const CardColumn> columns);

/// YAML of the same document (a subset that every reader understands).
QByteArray inventoryYaml(const CardStore &store, std::span<const CardIndex> cards, Instant now);

/// A plain text table for a terminal, columns aligned, wide characters counted as two.
QByteArray inventoryTable(const CardStore &store, std::span<const CardIndex> cards,
                          const Formatting &formatting, Instant now);

/// A line of --watch that changes no card, with "clusters" as in inventoryJson(): one of them was lost or is
/// back.
QByteArray clustersLine(const CardStore &store, std::size_t cards, Instant now);

} // namespace tongchi
