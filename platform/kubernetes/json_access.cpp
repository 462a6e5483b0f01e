#include "platform/kubernetes/json_access.h"

#include <QByteArray>
#include <QString>
#include <charconv>

namespace tongchi::json {

namespace {

bool readTwoDigits(std::string_view text, std::size_t at, int &into)
{
    if (at + 2 > text.size() || text[at] < '0' || text[at] > '9' || text[at + 1] < '0' || text[at + 1] > '9')
        return false;
    into = (text[at] - '0') * 10 + (text[at + 1] - '0');
    return true;
}

} // namespace

std::string_view scalarTextOf(ondemand::value value)
{
    std::string_view text = value.raw_json_token();
    if (text.empty() || text.front() == '{' || text.front() == '[')
        return {};
    if (text.front() == '"')
        return textOf(value);
    while (!text.empty() && isJsonBlank(text.back()))
        text.remove_suffix(1);
    return text;
}

std::string_view amountTextOf(ondemand::value value)
{
    return kindOf(value, ondemand::json_type::number) == Shape::Fine ? scalarTextOf(value) : textOf(value);
}

std::optional<Instant> parseTimestamp(std::string_view text)
{
    int century = 0, year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0;
    if (text.size() < 20 || !readTwoDigits(text, 0, century) || !readTwoDigits(text, 2, year) ||
        text[4] != '-' || !readTwoDigits(text, 5, month) || text[7] != '-' || !readTwoDigits(text, 8, day) ||
        (text[10] != 'T' && text[10] != 't' && text[10] != ' ') || !readTwoDigits(text, 11, hour) ||
        text[13] != ':' || !readTwoDigits(text, 14, minute) || text[16] != ':' ||
        !readTwoDigits(text, 17, second))
        return std::nullopt;
    std::size_t at = 19;
    int milliseconds = 0;
    if (text[at] == '.') {
        int scale = 100;
        for (++at; at < text.size() && text[at] >= '0' && text[at] <= '9'; ++at, scale /= 10)
            milliseconds += (text[at] - '0') * scale;
    }
    std::chrono::minutes offset{};
    if (at < text.size() && (text[at] == '+' || text[at] == '-')) {
        int hours = 0, minutes = 0;
        if (!readTwoDigits(text, at + 1, hours) || at + 6 != text.size() || text[at + 3] != ':' ||
            !readTwoDigits(text, at + 4, minutes))
            return std::nullopt;
        offset = std::chrono::minutes(hours * 60 + minutes) * (text[at] == '-' ? -1 : 1);
    } else if (at + 1 != text.size() || (text[at] != 'Z' && text[at] != 'z')) {
        return std::nullopt;
    }
    const std::chrono::year_month_day date{std::chrono::year(century * 100 + year),
                                           std::chrono::month(unsigned(month)),
                                           std::chrono::day(unsigned(day))};
    // A leap second counts as the first of the next minute.
    if (!date.ok() || hour > 23 || minute > 59 || second > 60)
        return std::nullopt;
    return Instant(std::chrono::sys_days(date).time_since_epoch() + std::chrono::hours(hour) +
                   std::chrono::minutes(minute) + std::chrono::seconds(second) +
                   std::chrono::milliseconds(milliseconds) - offset);
}

bool unreadable(std::string_view json, const char *reason, UnreadableObject &why)
{
    why.key = findIdentity(json).key;
    why.reason = reason;
    why.damaged = why.reason == notAnObject || why.reason == notValid;
    return false;
}

bool readCommonMetadata(ondemand::raw_json_string key, ondemand::value value, ObjectKey &into,
                        std::string &resourceVersion)
{
    std::string *target = key == "name"              ? &into.name
                          : key == "namespace"       ? &into.nameSpace
                          : key == "uid"             ? &into.uid
                          : key == "resourceVersion" ? &resourceVersion
                                                     : nullptr;
    if (!target)
        return false;
    readText(value, *target);
    return true;
}

std::string_view cutText(std::string_view text, std::size_t limit)
{
    if (text.size() <= limit)
        return text;
    while (limit > 0 && (static_cast<unsigned char>(text[limit]) & 0xC0) == 0x80)
        --limit;
    return text.substr(0, limit);
}

} // namespace tongchi::json

namespace tongchi {

namespace {

// A walk over text that may be anything: strings and nesting are followed, nothing is checked.
class IdentityWalk
{
public:
    explicit IdentityWalk(std::string_view text) : m_at(text.data()), m_end(text.data() + text.size()) {}

    ObjectIdentity run()
    {
        if (!enter())
            return {};
        while (readKey()) {
            if (m_key == "metadata" && enter()) {
                readMetadata();
                break;
            }
            skipValue();
        }
        return std::move(m_found);
    }

private:
    void readMetadata()
    {
        while (readKey()) {
            std::string *target = m_key == "name"              ? &m_found.key.name
                                  : m_key == "namespace"       ? &m_found.key.nameSpace
                                  : m_key == "uid"             ? &m_found.key.uid
                                  : m_key == "resourceVersion" ? &m_found.resourceVersion
                                                               : nullptr;
            skipBlanks();
            if (target && m_at < m_end && *m_at == '"') {
                const std::string_view text = string();
                *target = QString::fromUtf8(text.data(), qsizetype(std::min<std::size_t>(text.size(), 512)))
                              .toStdString();
            } else {
                skipValue();
            }
        }
    }

    void skipBlanks()
    {
        while (m_at < m_end && (isJsonBlank(*m_at) || *m_at == ',' || *m_at == ':'))
            ++m_at;
    }

    bool enter()
    {
        skipBlanks();
        if (m_at == m_end || *m_at != '{')
            return false;
        ++m_at;
        return true;
    }

    bool readKey()
    {
        skipBlanks();
        if (m_at == m_end || *m_at != '"')
            return false;
        m_key = string();
        return true;
    }

    std::string_view string()
    {
        const char *const begin = ++m_at;
        while (m_at < m_end && *m_at != '"')
            m_at += *m_at == '\\' && m_end - m_at > 1 ? 2 : 1;
        const std::string_view text(begin, std::size_t(m_at - begin));
        if (m_at < m_end)
            ++m_at;
        return text;
    }

    void skipValue()
    {
        skipBlanks();
        if (m_at == m_end)
            return;
        JsonValueScanner scanner;
        scanner.start(*m_at);
        const char *const stop = scanner.scan(m_at, m_end);
        m_at = stop ? stop : m_end;
    }

    const char *m_at;
    const char *m_end;
    std::string_view m_key;
    ObjectIdentity m_found;
};

} // namespace

ObjectIdentity findIdentity(std::string_view json)
{
    return IdentityWalk(json).run();
}

} // namespace tongchi
