#include "platform/kubernetes/watch_framing.h"

#include <QUtf8StringView>
#include <cstring>
#include <optional>

namespace tongchi {

namespace {

struct EventParts
{
    std::string_view type, object;
};

const char *skipEventBlanks(const char *at, const char *end)
{
    while (at < end && isJsonBlank(*at))
        ++at;
    return at;
}

// The two fields of {"type": ..., "object": ...} in any order, others between them ignored.
std::optional<EventParts> eventParts(std::string_view text)
{
    const char *at = text.data();
    const char *const end = at + text.size();
    const auto nextIs = [&](char wanted) {
        at = skipEventBlanks(at, end);
        if (at == end || *at != wanted)
            return false;
        ++at;
        return true;
    };
    JsonValueScanner scanner;
    const auto value = [&]() -> std::string_view {
        at = skipEventBlanks(at, end);
        if (at == end)
            return {};
        const char *const begin = at;
        scanner.start(*begin);
        const char *const stop = scanner.scan(begin, end);
        if (!stop)
            return {};
        at = stop;
        return {begin, std::size_t(stop - begin)};
    };

    EventParts parts;
    if (!nextIs('{'))
        return std::nullopt;
    do {
        const std::string_view key = value();
        if (key.empty() || key.front() != '"' || !nextIs(':'))
            return std::nullopt;
        const std::string_view content = value();
        if (content.empty())
            return std::nullopt;
        if (key == "\"type\"")
            parts.type = content;
        else if (key == "\"object\"")
            parts.object = content;
    } while (nextIs(','));
    if (!nextIs('}') || skipEventBlanks(at, end) != end)
        return std::nullopt;
    return parts;
}

std::optional<WatchEventType> eventType(std::string_view quoted)
{
    if (quoted == "\"MODIFIED\"")
        return WatchEventType::Modified;
    if (quoted == "\"ADDED\"")
        return WatchEventType::Added;
    if (quoted == "\"DELETED\"")
        return WatchEventType::Deleted;
    if (quoted == "\"BOOKMARK\"")
        return WatchEventType::Bookmark;
    if (quoted == "\"ERROR\"")
        return WatchEventType::Error;
    return std::nullopt;
}

} // namespace

void WatchFraming::reset()
{
    m_size = 0;
    m_carry.clear();
    if (m_carry.capacity() > 1024 * 1024)
        m_carry.shrink_to_fit();
}

bool WatchFraming::feed(std::string_view bytes, WatchEventReceiver &receiver)
{
    const char *at = bytes.data();
    const char *const end = at + bytes.size();
    while (at < end) {
        const auto *const stop = static_cast<const char *>(std::memchr(at, '\n', std::size_t(end - at)));
        const std::string_view part(at, std::size_t((stop ? stop : end) - at));
        const bool whole = m_size == 0 && stop && std::size_t(end - stop) >= kJsonPadding;
        m_size += part.size();
        if (!whole)
            m_carry.append(part.substr(0, m_limit > m_carry.size() ? m_limit - m_carry.size() : 0));
        if (!stop)
            return true;
        at = stop + 1;
        bool more = true;
        if (whole) {
            more = line(part, receiver);
        } else {
            const std::size_t size = m_carry.size();
            m_carry.append(kJsonPadding, '\0');
            more = line(std::string_view(m_carry.data(), size), receiver);
        }
        m_size = 0;
        m_carry.clear();
        if (!more)
            return false;
    }
    return true;
}

void WatchFraming::finish(WatchEventReceiver &receiver)
{
    if (m_size > 0 && m_size <= m_limit) {
        const std::size_t size = m_carry.size();
        m_carry.append(kJsonPadding, '\0');
        // Only the end of a stream that was cut would be no JSON here; that is the transport's error, not the
        // line's.
        const std::string_view text(m_carry.data(), size);
        if (eventParts(text))
            line(text, receiver);
    }
    reset();
}

bool WatchFraming::line(std::string_view text, WatchEventReceiver &receiver)
{
    if (skipEventBlanks(text.data(), text.data() + text.size()) == text.data() + text.size())
        return true; // blank lines keep some proxies awake
    if (m_size > m_limit)
        return receiver.skippedLine(text, "the event is larger than the limit");
    // Looked at as a whole: of most of an event nothing is read, and damage there says that of the rest
    // nothing is certain either.
    if (!QUtf8StringView(text.data(), qsizetype(text.size())).isValidUtf8())
        return receiver.damagedLine(text, "the line is not text");
    const std::optional<EventParts> parts = eventParts(text);
    if (!parts)
        return receiver.damagedLine(text, "the line is not a watch event");
    const std::optional<WatchEventType> type = eventType(parts->type);
    if (!type)
        return receiver.skippedLine(text, "the event has an unknown type");
    if (parts->object.empty() || parts->object.front() != '{')
        return receiver.skippedLine(text, "the event has no object");
    return receiver.event(*type, parts->object);
}

} // namespace tongchi
