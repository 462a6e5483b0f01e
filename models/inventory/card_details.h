#pragma once

#include "models/inventory/card_cell.h"

#include <QList>
#include <QStringList>
#include <functional>

namespace tongchi {

/// One fact of a card with where it comes from, for the drawer.
struct DetailRow
{
    QString label;
    QString value;  ///< plain text; empty: not reported
    QString source; ///< field or query, plain text, English names of APIs untranslated
    QString age;    ///< "2 s"; empty for facts that do not age
    CellTone tone = CellTone::Primary;
};

struct SliceRow
{
    QString name, kind, profile, memory, workload;
};

/// What a telemetry source is called; the application gives it from the metric catalogue. `quantity` is one
/// of "utilization", "memory_used", "memory_total", "temperature", "power", "health".
using SourceNamer = std::function<QString(std::uint8_t source, const char *quantity)>;

/// Everything the drawer shows of one card. A value object: made anew when the card changed.
struct CardDetails
{
    bool exists = false;
    QString title;    ///< model
    QString subtitle; ///< memory
    QString place;    ///< "bj-910b-024 / 1 · Beijing"
    const char *vendorIcon = nullptr;
    CellTone vendorTone = CellTone::OtherVendor;
    CardCell label;
    CardCell health;
    QString age;
    QList<DetailRow> measured;   ///< utilization, memory, temperature, power: value, source, age
    QList<DetailRow> properties; ///< UUID, driver, resource, shares, NUMA, interconnect, node, cluster
    QStringList flags;           ///< sentences
    QList<SliceRow> slices;
    QStringList pods;
    struct Neighbour
    {
        CardIndex card = noCard;
        std::uint16_t slot = 0;
        float utilization = notReported;
        bool isThis = false;
    };
    QList<Neighbour> neighbours; ///< cards of the same node in slot order
    QString nodeFacts;           ///< "8 cards · 2 withdrawn · 4 held · 1 free"
    QString nodeNote;
};

CardDetails cardDetails(const CellContext &context, CardIndex card, const SourceNamer &namer);

} // namespace tongchi
