#pragma once

#include <QString>
#include <cstdint>
#include <memory>
#include <string_view>

namespace tongchi {

using StringId = std::uint32_t; ///< index in a StringPool; 0 is the empty string

/// Append-only store of shared strings (node names, regions, models, workloads), so that 100,000 cards hold
/// numbers. Thread-safe: intern() takes a lock, utf8() does not; a view stays valid as long as the pool.
/// Owned by the application, passed by reference. Grows with the number of different strings ever seen; see
/// bytes().
class StringPool
{
public:
    /// Holds at most 16.7 million strings, or `limit` (for tests; at least 2). Beyond that every new string
    /// is one and the same, which says so.
    explicit StringPool(std::uint32_t limit = 0);
    ~StringPool();
    StringPool(const StringPool &) = delete;
    StringPool &operator=(const StringPool &) = delete;

    StringId intern(std::string_view utf8);
    StringId internText(const QString &text)
    {
        const QByteArray utf8 = text.toUtf8();
        return intern(std::string_view(utf8.constData(), std::size_t(utf8.size())));
    }
    /// The id if the string is known already; 0 otherwise (also for the empty string).
    StringId find(std::string_view utf8) const;
    std::string_view utf8(StringId id) const;
    /// Invalid UTF-8 becomes U+FFFD here; the bytes stay as they are in utf8().
    QString text(StringId id) const;
    std::uint32_t size() const;
    std::size_t bytes() const;

private:
    StringId internLocked(std::string_view utf8, std::uint32_t hash);

    struct State;
    std::unique_ptr<State> m_state;
};

} // namespace tongchi
