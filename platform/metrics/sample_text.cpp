#include "platform/metrics/sample_text.h"

#include <array>
#include <charconv>
#include <cmath>
#include <limits>

namespace tongchi {

std::optional<double> parseSampleText(std::string_view text)
{
    if (text.empty())
        return std::nullopt;
    // Only the spellings that servers use; from_chars would also take "infinity" and "nan(0x1)".
    if (text == "NaN")
        return std::numeric_limits<double>::quiet_NaN();
    if (text == "+Inf" || text == "Inf")
        return std::numeric_limits<double>::infinity();
    if (text == "-Inf")
        return -std::numeric_limits<double>::infinity();
    if (text.front() == '+')
        text.remove_prefix(1);
    const std::size_t first = !text.empty() && text.front() == '-' ? 1 : 0;
    if (text.size() <= first || !((text[first] >= '0' && text[first] <= '9') || text[first] == '.'))
        return std::nullopt;
    double value = 0;
    const char *const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, value);
    if (error != std::errc() || stop != end)
        return std::nullopt;
    return value;
}

QByteArray wireNumber(double value)
{
    if (std::isnan(value))
        return QByteArrayLiteral("NaN");
    if (std::isinf(value))
        return value > 0 ? QByteArrayLiteral("+Inf") : QByteArrayLiteral("-Inf");
    std::array<char, 32> buffer;
    const auto [stop, error] = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
    return error == std::errc() ? QByteArray(buffer.data(), stop - buffer.data()) : QByteArrayLiteral("0");
}

} // namespace tongchi
