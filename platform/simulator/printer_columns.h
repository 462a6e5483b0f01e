#pragma once

#include "platform/core/clock.h"

#include <QByteArray>
#include <QByteArrayList>
#include <QString>
#include <simdjson.h>
#include <vector>

namespace tongchi::simulator {

using JsonElement = simdjson::dom::element;

/// One column of a kind's Table.
struct PrinterColumn
{
    const char *name;
    const char *type = "string";
    const char *format = "";
    int priority = 0;
};

/// Cells of one row as raw JSON. `out` already holds the name.
using CellMaker = void (*)(JsonElement object, Instant now, std::vector<QByteArray> &out);

struct PrinterColumns
{
    const char *kind;
    std::vector<PrinterColumn> columns; ///< the name first
    CellMaker cells;
};

/// The kind's own columns; Name and Age for kinds without.
const PrinterColumns &printerColumns(const char *kind);

// Small readers for cell makers. Missing is empty.
QByteArray elementText(JsonElement object, const char *pointer);
qint64 elementNumber(JsonElement object, const char *pointer, qint64 fallback = 0);
qsizetype elementCount(JsonElement object, const char *pointer);
QByteArray cellText(const QByteArray &text); ///< as a JSON string
QByteArray textOr(const QByteArray &text, const char *fallback);
QByteArray ageCell(JsonElement object, const char *pointer, Instant now);
/// "a=b,c=d" of a map, sorted.
QByteArray selectorText(JsonElement object, const char *pointer);

} // namespace tongchi::simulator
