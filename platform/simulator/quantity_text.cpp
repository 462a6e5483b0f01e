#include "platform/simulator/quantity_text.h"

#include <QString> // with it, "+" of byte arrays
#include <cstring>
#include <optional>

namespace tongchi::simulator {

namespace {

enum class Form { Decimal, Exponent, Binary };

struct ParsedQuantity
{
    bool negative = false;
    qint64 number = 0;
    int power = 0; ///< of ten, or of 1,024 with Form::Binary
    Form form = Form::Decimal;
    bool hadFraction = false;
};

constexpr int mostDigits = 18;
constexpr const char *decimalSuffixes = "numkMGTPE"; // 10^-9 on, by thousands; nothing stands for 10^0
constexpr const char *binarySuffixes = "KMGTPE";

bool isQuantityDigit(char c)
{
    return c >= '0' && c <= '9';
}

struct QuantityParts
{
    bool negative = false;
    QByteArray whole;
    QByteArray fraction;
    QByteArray suffix;
};

/// False: not of the form of a quantity at all.
bool splitQuantity(const QByteArray &text, QuantityParts *parts)
{
    qsizetype at = 0;
    if (text.startsWith('-') || text.startsWith('+')) {
        parts->negative = text.front() == '-';
        at = 1;
    }
    const auto digits = [&] {
        const qsizetype from = at;
        while (at < text.size() && isQuantityDigit(text.at(at)))
            ++at;
        return text.mid(from, at - from);
    };
    parts->whole = digits();
    if (at < text.size() && text.at(at) == '.') {
        ++at;
        parts->fraction = digits();
    }
    parts->suffix = text.mid(at);
    if (parts->whole.isEmpty() && parts->fraction.isEmpty())
        return false;
    qsizetype letters = 0;
    while (letters < parts->suffix.size() && std::strchr("eEinumkKMGTP", parts->suffix.at(letters)))
        ++letters;
    if (letters < parts->suffix.size() &&
        (parts->suffix.at(letters) == '-' || parts->suffix.at(letters) == '+'))
        ++letters;
    while (letters < parts->suffix.size() && isQuantityDigit(parts->suffix.at(letters)))
        ++letters;
    return letters == parts->suffix.size();
}

/// False: no suffix that there is.
bool readSuffix(const QByteArray &suffix, Form *form, int *power)
{
    *power = 0;
    *form = Form::Decimal;
    if (suffix.isEmpty())
        return true;
    if (suffix.size() == 2 && suffix.at(1) == 'i') {
        const char *found = std::strchr(binarySuffixes, suffix.at(0));
        *form = Form::Binary;
        *power = found ? int(found - binarySuffixes) + 1 : 0;
        return found != nullptr;
    }
    if (suffix.size() == 1) {
        const char *found = std::strchr(decimalSuffixes, suffix.at(0));
        if (!found)
            return false;
        const int step = int(found - decimalSuffixes);
        *power = 3 * (step < 3 ? step - 3 : step - 2);
        return true;
    }
    if (suffix.at(0) != 'e' && suffix.at(0) != 'E')
        return false;
    bool ok = false;
    *power = suffix.mid(1).toInt(&ok);
    *form = Form::Exponent;
    return ok;
}

std::optional<ParsedQuantity> parseQuantity(const QByteArray &text)
{
    QuantityParts parts;
    ParsedQuantity parsed;
    if (!splitQuantity(text, &parts) || !readSuffix(parts.suffix, &parsed.form, &parsed.power))
        return std::nullopt;
    const QByteArray digits = parts.whole + parts.fraction;
    if (digits.size() > mostDigits)
        return std::nullopt;
    parsed.negative = parts.negative;
    parsed.hadFraction = !parts.fraction.isEmpty();
    parsed.number = digits.toLongLong();
    if (parsed.form != Form::Binary) {
        parsed.power -= int(parts.fraction.size());
        return parsed;
    }
    // A fraction of a power of 1,024, as a number of ones: exact, or not at all.
    constexpr qint64 most = 999'999'999'999'999'999LL;
    qint64 value = parsed.number;
    for (int i = 0; i < parsed.power; ++i) {
        if (value > most / 1024)
            return std::nullopt;
        value *= 1024;
    }
    int fraction = int(parts.fraction.size());
    for (; fraction > 0 && value % 10 == 0; --fraction)
        value /= 10;
    parsed.number = value;
    parsed.power = -fraction;
    if (fraction > 0)
        parsed.form = Form::Decimal;
    return parsed;
}

/// `text` where nothing had to be changed for it: then it stays as it was written.
QByteArray decimalText(ParsedQuantity quantity, const QByteArray &text)
{
    const ParsedQuantity before = quantity;
    for (; quantity.power < -9; ++quantity.power)
        quantity.number = (quantity.number + 9) / 10; // nothing is finer than a billionth, and none is lost
    while (quantity.number % 10 == 0) {
        quantity.number /= 10;
        ++quantity.power;
    }
    while (quantity.power % 3 != 0) {
        quantity.number *= 10;
        --quantity.power;
    }
    if (quantity.number == before.number && quantity.power == before.power && !before.hadFraction &&
        before.form != Form::Binary)
        return text;
    QByteArray out = QByteArray::number(quantity.number);
    if (quantity.form == Form::Exponent)
        return quantity.power == 0 ? out : out + 'e' + QByteArray::number(quantity.power);
    const int step = quantity.power / 3;
    if (step < -3 || step > 6)
        return {};
    if (step != 0)
        out += decimalSuffixes[step < 0 ? step + 3 : step + 2];
    return out;
}

} // namespace

QByteArray canonicalQuantity(const QByteArray &text)
{
    const std::optional<ParsedQuantity> parsed = parseQuantity(text);
    if (!parsed)
        return text;
    if (parsed->number == 0)
        return "0";
    QByteArray out;
    if (parsed->form == Form::Binary && parsed->number >= 1024) {
        qint64 number = parsed->number;
        int step = 0;
        for (; number % 1024 == 0 && step < 6; ++step)
            number /= 1024;
        out = QByteArray::number(number);
        if (step > 0)
            out += QByteArray(1, binarySuffixes[step - 1]) + 'i';
    } else {
        out = decimalText(*parsed, text);
        if (out.isEmpty() || out == text)
            return text;
    }
    return parsed->negative ? '-' + out : out;
}

QByteArray quantityProblem(const QByteArray &text)
{
    QuantityParts parts;
    Form form = Form::Decimal;
    int power = 0;
    if (!splitQuantity(text, &parts))
        return "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";
    return readSuffix(parts.suffix, &form, &power) ? QByteArray()
                                                   : QByteArray("unable to parse quantity's suffix");
}

int quantitySign(const QByteArray &text)
{
    const std::optional<ParsedQuantity> parsed = parseQuantity(text);
    return !parsed || parsed->number == 0 ? 0 : parsed->negative ? -1 : 1;
}

bool isWholeQuantity(const QByteArray &text)
{
    const QByteArray canonical = canonicalQuantity(text);
    return !canonical.isEmpty() && !canonical.contains('.') && !std::strchr("num", canonical.back());
}

} // namespace tongchi::simulator
