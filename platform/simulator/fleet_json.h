#pragma once

#include "platform/core/clock.h"

#include <QByteArray>
#include <cstdint>
#include <string_view>

namespace tongchi {

/// Writes JSON text by appending; QJsonDocument would cost ten times as much on a pool of 100,000 cards.
class FleetJson
{
public:
    explicit FleetJson(qsizetype reserve = 2048) { m_out.reserve(reserve); }

    FleetJson &key(std::string_view name);
    FleetJson &key(const char *name) { return key(std::string_view(name)); }
    FleetJson &key(const QByteArray &name)
    {
        return key(std::string_view(name.constData(), std::size_t(name.size())));
    }
    FleetJson &object();
    FleetJson &object(const char *name) { return key(name).object(); }
    FleetJson &endObject();
    FleetJson &array();
    FleetJson &array(const char *name) { return key(name).array(); }
    FleetJson &endArray();
    FleetJson &value(std::string_view text);
    FleetJson &value(const QByteArray &text)
    {
        return value(std::string_view(text.constData(), std::size_t(text.size())));
    }
    FleetJson &value(const char *text) { return value(std::string_view(text)); }
    FleetJson &number(std::int64_t number);
    FleetJson &boolean(bool on);
    /// Text that is JSON already.
    FleetJson &raw(const QByteArray &json);
    template <typename Text> FleetJson &text(const char *name, const Text &content)
    {
        return key(name).value(content);
    }
    template <typename Text> FleetJson &text(const QByteArray &name, const Text &content)
    {
        return key(name).value(content);
    }
    FleetJson &number(const char *name, std::int64_t content) { return key(name).number(content); }
    FleetJson &boolean(const char *name, bool on) { return key(name).boolean(on); }

    const QByteArray &bytes() const { return m_out; }
    QByteArray take() { return std::move(m_out); }

private:
    void separate();
    QByteArray m_out;
    bool m_first = true;
};

/// Appends the text with quotes and escapes.
void appendJsonString(QByteArray &out, std::string_view text);
/// "2026-12-30T06:42:08Z"
QByteArray fleetTime(Instant instant);

} // namespace tongchi
