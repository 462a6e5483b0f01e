#include "platform/core/quantity.h"

#include <limits>
#include <string>

namespace tongchi {
namespace {

__extension__ typedef unsigned __int128 Wide;

constexpr bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}

struct Scale
{
    Wide binary = 1; // multiply by this
    int decimal = 0; // and by ten to this
};

std::optional<Scale> scaleOf(std::string_view suffix)
{
    if (suffix.empty())
        return Scale{};
    if (suffix.size() == 2 && suffix[1] == 'i') {
        constexpr std::string_view order = "KMGTPE";
        const auto at = order.find(suffix[0]);
        if (at == std::string_view::npos)
            return std::nullopt;
        return Scale{Wide(1) << (10 * (at + 1)), 0};
    }
    if (suffix.size() == 1) {
        switch (suffix[0]) {
        case 'n':
            return Scale{1, -9};
        case 'u':
            return Scale{1, -6};
        case 'm':
            return Scale{1, -3};
        case 'k':
            return Scale{1, 3};
        case 'M':
            return Scale{1, 6};
        case 'G':
            return Scale{1, 9};
        case 'T':
            return Scale{1, 12};
        case 'P':
            return Scale{1, 15};
        case 'E':
            return Scale{1, 18};
        default:
            return std::nullopt;
        }
    }
    if (suffix[0] != 'e' && suffix[0] != 'E')
        return std::nullopt;
    suffix.remove_prefix(1);
    bool negative = false;
    if (!suffix.empty() && (suffix[0] == '+' || suffix[0] == '-')) {
        negative = suffix[0] == '-';
        suffix.remove_prefix(1);
    }
    if (suffix.empty())
        return std::nullopt;
    int exponent = 0;
    for (const char c : suffix) {
        if (!isDigit(c))
            return std::nullopt;
        if (exponent < 100'000)
            exponent = exponent * 10 + (c - '0');
    }
    return Scale{1, negative ? -exponent : exponent};
}

} // namespace

std::optional<Quantity> Quantity::parse(std::string_view text)
{
    bool negative = false;
    if (!text.empty() && (text[0] == '+' || text[0] == '-')) {
        negative = text[0] == '-';
        text.remove_prefix(1);
    }
    std::string digits;
    int fraction = 0;
    std::size_t i = 0;
    bool seenPoint = false;
    bool seenDigit = false;
    for (; i < text.size(); ++i) {
        const char c = text[i];
        if (isDigit(c)) {
            seenDigit = true;
            digits += c;
            fraction += seenPoint ? 1 : 0;
        } else if (c == '.' && !seenPoint) {
            seenPoint = true;
        } else {
            break;
        }
    }
    if (!seenDigit)
        return std::nullopt;
    const auto scale = scaleOf(text.substr(i));
    if (!scale)
        return std::nullopt;

    // value = digits * binary * 10^(decimal - fraction), wanted in billionths, rounded away from zero.
    const auto firstSignificant = digits.find_first_not_of('0');
    if (firstSignificant == std::string::npos)
        return Quantity{};
    digits.erase(0, firstSignificant);
    int exponent = scale->decimal - fraction + 9;
    while (!digits.empty() && digits.back() == '0') { // trailing zeros only cost room
        digits.pop_back();
        ++exponent;
    }
    constexpr int mostDigits = 38;
    bool lostSomething = false;
    const std::size_t keep = scale->binary > 1 ? 20 : 31;
    if (digits.size() > keep) { // more than the range holds once scaled down; keep what can matter
        if (int(digits.size()) + exponent > mostDigits)
            return std::nullopt;
        exponent += int(digits.size() - keep);
        lostSomething = true;
        digits.resize(keep);
    }
    if (int(digits.size()) + exponent > mostDigits)
        return std::nullopt; // beyond 2^63 at any scale
    Wide value = 0;
    for (const char c : digits)
        value = value * 10 + Wide(c - '0');
    constexpr Wide limit = Wide(std::numeric_limits<std::int64_t>::max()) * 1'000'000'000;
    const auto multiply = [&value](Wide factor) {
        if (factor != 0 && value > ~Wide(0) / factor)
            return false;
        value *= factor;
        return true;
    };
    if (!multiply(scale->binary))
        return std::nullopt;
    for (; exponent > 0; --exponent) {
        if (!multiply(10) || value > limit * 1000)
            return std::nullopt;
    }
    for (; exponent < 0 && value != 0; ++exponent) {
        lostSomething = lostSomething || value % 10 != 0;
        value /= 10;
    }
    if (lostSomething)
        value += 1;
    if (value > limit)
        return std::nullopt;
    auto units = std::int64_t(value / 1'000'000'000);
    auto nanos = int(value % 1'000'000'000);
    return negative ? Quantity(-units, -nanos) : Quantity(units, nanos);
}

} // namespace tongchi
