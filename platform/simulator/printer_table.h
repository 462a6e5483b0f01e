#pragma once

#include "platform/core/clock.h"

#include <QByteArray>
#include <QByteArrayView>
#include <memory>

namespace tongchi::simulator {

struct ResourceType;

enum class IncludeObject { None, Metadata, Object };

/// A Table up to the opening bracket of its rows; `metadata` is a raw object.
QByteArray tableHead(const ResourceType &type, const QByteArray &metadata, bool withColumns);

/// Makes rows with the columns that kubectl shows. Keeps its parser, so use one for many rows.
class TableRows
{
public:
    TableRows(const ResourceType &type, Instant now);
    ~TableRows();
    TableRows(const TableRows &) = delete;
    TableRows &operator=(const TableRows &) = delete;

    /// Appends one row made from stored text.
    void append(QByteArray &out, QByteArrayView text, IncludeObject include);

private:
    struct State;
    std::unique_ptr<State> m_state;
};

/// "5d3h" as kubectl shortens durations.
QByteArray humanDuration(std::chrono::milliseconds duration);

} // namespace tongchi::simulator
