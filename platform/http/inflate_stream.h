#pragma once

#include <QByteArray>
#include <memory>
#include <string_view>

namespace tongchi {

/// Undoes Content-Encoding gzip or deflate as the bytes arrive, into one buffer that is used again and again:
/// memory stays the same however large the body becomes. Pull style like HttpParser.
class InflateStream
{
public:
    enum class Coding { Identity, Gzip, Deflate, Unknown };
    enum class Event {
        NeedMore, ///< all input used
        Data,     ///< data() holds decoded bytes, valid until the next call
        Failed,   ///< not what the header promised; problem() says why
    };
    static constexpr qsizetype bufferBytes = 64 * 1024;

    explicit InflateStream(Coding coding);
    ~InflateStream();
    InflateStream(InflateStream &&) noexcept;
    InflateStream &operator=(InflateStream &&) noexcept;

    /// The coding that a Content-Encoding header names.
    static Coding codingOf(const QByteArray &contentEncoding);

    /// Consumes from the front of `input`. Call again until NeedMore.
    Event next(std::string_view &input);
    /// No more input will come: true if the last member was complete.
    bool complete() const;
    std::string_view data() const { return m_data; }
    const char *problem() const { return m_problem; }

private:
    struct Stream;
    std::unique_ptr<Stream> m_stream;
    std::string_view m_data;
    const char *m_problem = "";
};

} // namespace tongchi
