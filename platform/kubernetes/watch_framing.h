#pragma once

#include "platform/kubernetes/json_scan.h"

#include <QtGlobal>
#include <cstddef>
#include <string>
#include <string_view>

namespace tongchi {

enum class WatchEventType : quint8 { Added, Modified, Deleted, Bookmark, Error };

class WatchEventReceiver
{
public:
    virtual ~WatchEventReceiver() = default;
    /// `object` is the text of the event's object; valid during the call, with kJsonPadding readable bytes
    /// behind it. False: nothing more of this stream is wanted.
    virtual bool event(WatchEventType type, std::string_view object) = 0;
    /// An event that we do not know, or do not want: an unknown type, no object, or larger than the limit.
    virtual bool skippedLine(std::string_view beginning, const char *reason) = 0;
    /// A line that no server has written so: no text, or no JSON. An event may be lost with it.
    virtual bool damagedLine(std::string_view beginning, const char *reason) = 0;
};

/// Splits a watch body, one JSON document a line (source: apimachinery streaming serializer), into events.
/// The pieces may be cut anywhere. A line inside one piece is not copied. Not thread-safe.
class WatchFraming
{
public:
    explicit WatchFraming(std::size_t lineLimit = 8 * 1024 * 1024) : m_limit(lineLimit) {}

    void reset();
    /// False when the receiver wanted no more.
    bool feed(std::string_view bytes, WatchEventReceiver &receiver);
    /// The body ended in an orderly way: a last line without its line end still counts if it is whole.
    void finish(WatchEventReceiver &receiver);

private:
    bool line(std::string_view text, WatchEventReceiver &receiver);

    std::size_t m_limit;
    std::size_t m_size = 0; ///< of the line so far, kept or not
    std::string m_carry;
};

} // namespace tongchi
