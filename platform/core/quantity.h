#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string_view>

namespace tongchi {

/// A Kubernetes amount, exact to a billionth (source: apimachinery pkg/api/resource/quantity.go).
/// Binary suffixes Ki Mi Gi Ti Pi Ei, decimal n u m k M G T P E, exponent form 1e3 / 12E6; finer than a
/// billionth rounds away from zero. Range +-(2^63-1) units.
class Quantity
{
public:
    constexpr Quantity() = default;
    static constexpr Quantity fromUnits(std::int64_t units) { return Quantity(units, 0); }

    /// Nothing for text that is not an amount, or one outside the range. Takes time proportional to the text,
    /// whatever exponent it names.
    static std::optional<Quantity> parse(std::string_view text);

    constexpr std::int64_t units() const { return m_units; } ///< towards zero
    constexpr int nanos() const { return m_nanos; } ///< of the sign of the whole, -999999999..999999999
    constexpr std::int64_t roundedUp() const
    {
        return m_nanos > 0 && m_units != INT64_MAX ? m_units + 1 : m_units;
    }
    constexpr double toDouble() const { return double(m_units) + m_nanos / 1e9; }
    constexpr bool isNegative() const { return m_units < 0 || m_nanos < 0; }
    auto operator<=>(const Quantity &) const = default;

private:
    constexpr Quantity(std::int64_t units, int nanos) : m_units(units), m_nanos(nanos) {}
    std::int64_t m_units = 0;
    int m_nanos = 0;
};

} // namespace tongchi
