#include "platform/simulator/promql_lexer.h"

#include <QByteArray>
#include <array>
#include <charconv>
#include <limits>

namespace tongchi {

namespace {

bool isPromLetter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == ':';
}

bool isPromDigit(char c)
{
    return c >= '0' && c <= '9';
}

/// Reads an escape after a backslash; false: unknown.
bool unescape(std::string_view query, std::size_t &at, std::string &out)
{
    const char c = query[at++];
    switch (c) {
    case 'n':
        out += '\n';
        return true;
    case 't':
        out += '\t';
        return true;
    case 'r':
        out += '\r';
        return true;
    case 'a':
        out += '\a';
        return true;
    case 'b':
        out += '\b';
        return true;
    case 'f':
        out += '\f';
        return true;
    case 'v':
        out += '\v';
        return true;
    case '\\':
    case '"':
    case '\'':
        out += c;
        return true;
    case 'x':
    case 'u':
    case 'U': {
        const std::size_t digits = c == 'x' ? 2 : c == 'u' ? 4 : 8;
        if (at + digits > query.size())
            return false;
        unsigned value = 0;
        const auto [end, fault] = std::from_chars(query.data() + at, query.data() + at + digits, value, 16);
        if (fault != std::errc() || end != query.data() + at + digits)
            return false;
        at += digits;
        if (c == 'x')
            out += char(value);
        else {
            const auto codePoint = char32_t(value);
            out += QString::fromUcs4(&codePoint, 1).toStdString();
        }
        return true;
    }
    default:
        return false;
    }
}

} // namespace

bool parsePromDuration(std::string_view text, qint64 &milliseconds)
{
    static constexpr std::array<std::pair<std::string_view, qint64>, 7> units{{
        {"ms", 1},
        {"s", 1000},
        {"m", 60'000},
        {"h", 3'600'000},
        {"d", 86'400'000},
        {"w", 604'800'000},
        {"y", 31'536'000'000},
    }};
    if (text.empty())
        return false;
    qint64 total = 0;
    qint64 lastUnit = std::numeric_limits<qint64>::max();
    std::size_t at = 0;
    while (at < text.size()) {
        qint64 amount = 0;
        const auto [end, fault] = std::from_chars(text.data() + at, text.data() + text.size(), amount);
        if (fault != std::errc() || amount < 0 || amount > 10'000'000'000'000)
            return false;
        at = std::size_t(end - text.data());
        std::size_t letters = at;
        while (letters < text.size() && text[letters] >= 'a' && text[letters] <= 'z')
            ++letters;
        const std::string_view unit = text.substr(at, letters - at);
        qint64 scale = 0;
        for (const auto &[name, size] : units) {
            if (name == unit)
                scale = size;
        }
        // Units go from large to small, each once.
        // Go counts nanoseconds in 64 bits, so nothing is longer than 292 years.
        constexpr qint64 longest = 9'223'372'036'854;
        if (scale == 0 || scale >= lastUnit || amount > longest / scale)
            return false;
        lastUnit = scale;
        total += amount * scale;
        if (total > longest)
            return false;
        at = letters;
    }
    milliseconds = total;
    return true;
}

bool lexPromql(std::string_view query, std::vector<PromqlToken> &tokens, PromqlError &error)
{
    const auto fail = [&error](std::size_t position, std::string text) {
        error = {position, std::move(text)};
        return false;
    };
    std::size_t at = 0;
    int brackets = 0;
    while (at < query.size()) {
        const char c = query[at];
        if (c == ' ' || c == '\t' || c == '\n' || c == '\r') {
            ++at;
            continue;
        }
        if (c == '#') {
            while (at < query.size() && query[at] != '\n')
                ++at;
            continue;
        }
        PromqlToken token;
        token.position = at;
        if (c == '"' || c == '\'' || c == '`') {
            token.kind = PromqlToken::Kind::Text;
            ++at;
            while (true) {
                if (at >= query.size() || (c != '`' && query[at] == '\n'))
                    return fail(token.position,
                                c == '`' ? "unterminated raw string" : "unterminated quoted string");
                if (query[at] == c)
                    break;
                if (query[at] == '\\' && c != '`') {
                    const std::size_t escape = ++at;
                    if (at >= query.size())
                        return fail(token.position, "escape sequence not terminated");
                    if (!unescape(query, at, token.text)) {
                        const QByteArray code =
                            QByteArray::number(static_cast<unsigned char>(query[escape]), 16).toUpper();
                        return fail(token.position, "unknown escape sequence U+" +
                                                        code.rightJustified(4, '0').toStdString() + " '" +
                                                        query[escape] + "'");
                    }
                    continue;
                }
                token.text += query[at++];
            }
            ++at;
        } else if (isPromDigit(c) || (c == '.' && at + 1 < query.size() && isPromDigit(query[at + 1]))) {
            std::size_t end = at;
            const bool hex =
                c == '0' && at + 1 < query.size() && (query[at + 1] == 'x' || query[at + 1] == 'X');
            while (end < query.size()) {
                const char d = query[end];
                const bool sign =
                    (d == '+' || d == '-') && !hex && (query[end - 1] == 'e' || query[end - 1] == 'E');
                if (!(isPromDigit(d) || isPromLetter(d) || d == '.' || sign) || (d == ':' && brackets > 0))
                    break;
                ++end;
            }
            token.text = std::string(query.substr(at, end - at));
            if (parsePromDuration(token.text, token.durationMs)) {
                token.kind = PromqlToken::Kind::Duration;
            } else {
                token.kind = PromqlToken::Kind::Number;
                const char *begin = token.text.data() + (hex ? 2 : 0);
                const char *last = token.text.data() + token.text.size();
                const auto [stop, fault] = std::from_chars(
                    begin, last, token.number, hex ? std::chars_format::hex : std::chars_format::general);
                if (fault != std::errc() || stop != last)
                    return fail(at, (brackets > 0 ? "not a valid duration string: \""
                                                  : "bad number or duration syntax: \"") +
                                        token.text + "\"");
            }
            at = end;
        } else if (isPromLetter(c) && !(c == ':' && brackets > 0)) {
            std::size_t end = at;
            while (end < query.size() && (isPromLetter(query[end]) || isPromDigit(query[end])))
                ++end;
            token.kind = PromqlToken::Kind::Word;
            token.text = std::string(query.substr(at, end - at));
            at = end;
        } else {
            static constexpr std::array<std::string_view, 27> operators{
                "==", "!=", ">=", "<=", "=~", "!~", "+", "-", "*", "/", "%", "^", ">", "<",
                "=",  "(",  ")",  "{",  "}",  "[",  "]", ",", "@", ":", "",  "",  ""};
            std::string_view found;
            for (const std::string_view candidate : operators) {
                if (!candidate.empty() && query.substr(at, candidate.size()) == candidate) {
                    found = candidate;
                    break;
                }
            }
            if (found.empty() && c == '!' && at + 1 < query.size())
                return fail(at, std::string("unexpected character after '!': '") + query[at + 1] + "'");
            if (found.empty())
                return fail(at, std::string("unexpected character: '") + c + "'");
            token.kind = PromqlToken::Kind::Operator;
            token.text = std::string(found);
            brackets += found == "[" ? 1 : found == "]" ? -1 : 0;
            at += found.size();
        }
        tokens.push_back(std::move(token));
    }
    PromqlToken end;
    end.position = query.size();
    tokens.push_back(end);
    return true;
}

} // namespace tongchi
