#include "platform/simulator/printer_table.h"

#include "platform/simulator/object_text.h"
#include "platform/simulator/printer_columns.h"
#include "platform/simulator/resource_types.h"

namespace tongchi::simulator {

struct TableRows::State
{
    const ResourceType &type;
    const PrinterColumns &columns;
    Instant now;
    simdjson::dom::parser parser = simdjson::dom::parser();
    std::vector<QByteArray> cells = {};
};

QByteArray tableHead(const ResourceType &type, const QByteArray &metadata, bool withColumns)
{
    QByteArray out = "{\"kind\":\"Table\",\"apiVersion\":\"meta.k8s.io/v1\",\"metadata\":" + metadata +
                     ",\"columnDefinitions\":";
    if (!withColumns)
        return out + "null,\"rows\":[";
    out += '[';
    bool first = true;
    for (const PrinterColumn &column : printerColumns(type.kind).columns) {
        if (!first)
            out += ',';
        first = false;
        out += "{\"name\":\"" + QByteArray(column.name) + "\",\"type\":\"" + column.type +
               "\",\"format\":\"" + column.format +
               "\",\"description\":\"\",\"priority\":" + QByteArray::number(column.priority) + '}';
    }
    return out + "],\"rows\":[";
}

TableRows::TableRows(const ResourceType &type, Instant now)
    : m_state(new State{type, printerColumns(type.kind), now})
{
}

TableRows::~TableRows() = default;

void TableRows::append(QByteArray &out, QByteArrayView text, IncludeObject include)
{
    m_state->cells.clear();
    JsonElement element;
    if (m_state->parser.parse(text.data(), std::size_t(text.size())).get(element) == simdjson::SUCCESS)
        m_state->columns.cells(element, m_state->now, m_state->cells);
    out += "{\"cells\":[";
    for (std::size_t i = 0; i < m_state->cells.size(); ++i) {
        if (i > 0)
            out += ',';
        out += m_state->cells[i];
    }
    out += ']';
    switch (include) {
    case IncludeObject::None:
        out += ",\"object\":null";
        break;
    case IncludeObject::Metadata:
        out +=
            ",\"object\":{\"kind\":\"PartialObjectMetadata\",\"apiVersion\":\"meta.k8s.io/v1\",\"metadata\":";
        out.append(rawMember(text, "metadata"));
        out += '}';
        break;
    case IncludeObject::Object:
        out += ",\"object\":" + completeText(text, m_state->type.kind, m_state->type.apiVersion());
        break;
    }
    out += '}';
}

QByteArray humanDuration(std::chrono::milliseconds duration)
{
    const qint64 seconds = duration.count() / 1000;
    if (seconds < -1)
        return "<invalid>";
    if (seconds < 0)
        return "0s";
    const auto number = [](qint64 value, char unit) { return QByteArray(QByteArray::number(value) + unit); };
    const auto both = [&](qint64 whole, char unit, qint64 rest, char restUnit) {
        return rest == 0 ? number(whole, unit) : QByteArray(number(whole, unit) + number(rest, restUnit));
    };
    const qint64 minutes = seconds / 60;
    const qint64 hours = minutes / 60;
    const qint64 days = hours / 24;
    const qint64 years = days / 365;
    if (seconds < 120)
        return number(seconds, 's');
    if (minutes < 10)
        return both(minutes, 'm', seconds % 60, 's');
    if (minutes < 180)
        return number(minutes, 'm');
    if (hours < 8)
        return both(hours, 'h', minutes % 60, 'm');
    if (hours < 48)
        return number(hours, 'h');
    if (days < 8)
        return both(days, 'd', hours % 24, 'h');
    if (days < 2 * 365)
        return number(days, 'd');
    if (years < 8)
        return both(years, 'y', days % 365, 'd');
    return number(years, 'y');
}

} // namespace tongchi::simulator
