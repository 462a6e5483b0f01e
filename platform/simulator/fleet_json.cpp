#include "platform/simulator/fleet_json.h"

#include <array>
#include <cstdio>

namespace tongchi {

void appendJsonString(QByteArray &out, std::string_view text)
{
    const qsizetype before = out.size();
    out.resize(before + qsizetype(text.size()) + 2);
    char *to = out.data() + before;
    *to++ = '"';
    std::size_t i = 0;
    for (; i < text.size(); ++i) {
        const auto c = static_cast<unsigned char>(text[i]);
        if (c < 0x20 || c == '"' || c == '\\')
            break;
        *to++ = char(c);
    }
    if (i == text.size()) {
        *to = '"';
        return;
    }
    out.resize(before + 1 + qsizetype(i));
    for (; i < text.size(); ++i) {
        const auto c = static_cast<unsigned char>(text[i]);
        switch (c) {
        case '"':
            out.append("\\\"");
            break;
        case '\\':
            out.append("\\\\");
            break;
        case '\n':
            out.append("\\n");
            break;
        case '\t':
            out.append("\\t");
            break;
        case '\r':
            out.append("\\r");
            break;
        default:
            if (c < 0x20) {
                std::array<char, 8> escape{};
                std::snprintf(escape.data(), escape.size(), "\\u%04x", unsigned(c));
                out.append(escape.data());
            } else {
                out.append(char(c));
            }
        }
    }
    out.append('"');
}

QByteArray fleetTime(Instant instant)
{
    const auto day = std::chrono::floor<std::chrono::days>(instant);
    const std::chrono::year_month_day date(day);
    const std::chrono::hh_mm_ss time(std::chrono::floor<std::chrono::seconds>(instant - day));
    std::array<char, 40> text{};
    const int size =
        std::snprintf(text.data(), text.size(), "%04d-%02u-%02uT%02d:%02d:%02dZ", int(date.year()),
                      unsigned(date.month()), unsigned(date.day()), int(time.hours().count()),
                      int(time.minutes().count()), int(time.seconds().count()));
    return QByteArray(text.data(), size);
}

void FleetJson::separate()
{
    if (!m_first)
        m_out.append(',');
    m_first = false;
}

FleetJson &FleetJson::key(std::string_view name)
{
    separate();
    appendJsonString(m_out, name);
    m_out.append(':');
    m_first = true;
    return *this;
}

FleetJson &FleetJson::object()
{
    separate();
    m_out.append('{');
    m_first = true;
    return *this;
}

FleetJson &FleetJson::endObject()
{
    m_out.append('}');
    m_first = false;
    return *this;
}

FleetJson &FleetJson::array()
{
    separate();
    m_out.append('[');
    m_first = true;
    return *this;
}

FleetJson &FleetJson::endArray()
{
    m_out.append(']');
    m_first = false;
    return *this;
}

FleetJson &FleetJson::value(std::string_view text)
{
    separate();
    appendJsonString(m_out, text);
    return *this;
}

FleetJson &FleetJson::number(std::int64_t number)
{
    separate();
    m_out.append(QByteArray::number(qlonglong(number)));
    return *this;
}

FleetJson &FleetJson::boolean(bool on)
{
    separate();
    m_out.append(on ? "true" : "false");
    return *this;
}

FleetJson &FleetJson::raw(const QByteArray &json)
{
    separate();
    m_out.append(json);
    return *this;
}

} // namespace tongchi
