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

bool isWordCharacter(char c)
{
    return (isPromLetter(c) && c != ':') || isPromDigit(c);
}

/// Cuts numbers and durations out of a query as Prometheus does: what follows decides which of the two it is.
class NumberScanner
{
public:
    NumberScanner(std::string_view query, std::size_t at) : m_query(query), m_start(at), m_at(at) {}

    /// True: a number ends here; the next character belongs to something else.
    bool number()
    {
        const bool hex = accept("0") && accept("xX");
        run(hex ? "0123456789abcdefABCDEF" : "0123456789");
        if (accept("."))
            run(hex ? "0123456789abcdefABCDEF" : "0123456789");
        if (accept("eE")) {
            accept("+-");
            run("0123456789");
        }
        return m_at >= m_query.size() || !isWordCharacter(m_query[m_at]);
    }

    /// After number() said no: true when the rest makes it a duration.
    bool duration()
    {
        do {
            if (!accept("smhdwy"))
                return false;
            accept("s");
            if (!run("0123456789"))
                break;
        } while (true);
        if (m_at >= m_query.size() || !isWordCharacter(m_query[m_at]))
            return true;
        ++m_at; // shown in the message
        return false;
    }

    std::string text() const { return std::string(m_query.substr(m_start, m_at - m_start)); }
    std::size_t end() const { return m_at; }

private:
    bool accept(std::string_view characters)
    {
        if (m_at >= m_query.size() || characters.find(m_query[m_at]) == std::string_view::npos)
            return false;
        ++m_at;
        return true;
    }
    bool run(std::string_view characters)
    {
        const std::size_t from = m_at;
        while (accept(characters)) {
        }
        return m_at > from;
    }

    std::string_view m_query;
    std::size_t m_start;
    std::size_t m_at;
};

/// Go's ParseInt with base 0, then ParseFloat.
bool readPromNumber(const std::string &text, double &number)
{
    const bool hex = text.size() > 2 && (text[1] == 'x' || text[1] == 'X');
    const bool octal =
        text.size() > 1 && text[0] == '0' && text.find_first_not_of("01234567") == std::string::npos;
    if (octal) {
        qint64 whole = 0;
        std::from_chars(text.data(), text.data() + text.size(), whole, 8);
        number = double(whole);
        return true;
    }
    const char *begin = text.data() + (hex ? 2 : 0);
    const char *last = text.data() + text.size();
    const auto [stop, fault] =
        std::from_chars(begin, last, number, hex ? std::chars_format::hex : std::chars_format::general);
    return fault == std::errc() && stop == last;
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
    const auto fail = [&](std::size_t position, std::string text) {
        error = {position, std::move(text)};
        PromqlToken broken;
        broken.kind = PromqlToken::Kind::Broken;
        broken.position = position;
        tokens.push_back(std::move(broken));
        return false;
    };
    std::size_t at = 0;
    int brackets = 0;
    bool afterBracket = false; // nothing but a duration may stand there
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
        } else if (afterBracket || isPromDigit(c) ||
                   (c == '.' && at + 1 < query.size() && isPromDigit(query[at + 1]))) {
            NumberScanner scanner(query, at);
            const bool isNumber = scanner.number();
            if (isNumber && afterBracket)
                return fail(at, "missing unit character in duration");
            const bool isDuration = !isNumber && scanner.duration();
            token.text = scanner.text();
            token.kind = isNumber ? PromqlToken::Kind::Number : PromqlToken::Kind::Duration;
            if (!isNumber && !isDuration)
                return fail(at,
                            (afterBracket ? "bad duration syntax: \"" : "bad number or duration syntax: \"") +
                                token.text + '"');
            if (isDuration && !parsePromDuration(token.text, token.durationMs))
                return fail(at, "not a valid duration string: \"" + token.text + '"');
            if (isNumber && !readPromNumber(token.text, token.number))
                return fail(at, "error parsing number: strconv.ParseFloat: parsing \"" + token.text +
                                    "\": invalid syntax");
            at = scanner.end();
            afterBracket = false;
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
            afterBracket = found == "[";
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
