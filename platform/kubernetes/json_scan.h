#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>

// Finds where a JSON value ends without understanding it: strings, escapes and nesting only. Works on 64
// bytes at a time, so that a list of hundreds of megabytes can be cut into its elements at the speed of
// memory.

namespace tongchi {

/// Bytes behind a view handed to a parser that may be read, whatever they hold. At least simdjson's own
/// padding.
inline constexpr std::size_t kJsonPadding = 64;

/// Where the bytes that structure JSON stand in a block of 64; bit i is byte i.
struct JsonBlockMasks
{
    std::uint64_t quotes = 0;
    std::uint64_t backslashes = 0;
    std::uint64_t opens = 0;  ///< { and [
    std::uint64_t closes = 0; ///< } and ]
};

/// `block` has 64 readable bytes. Uses SSE2 or NEON where the compiler targets them.
JsonBlockMasks jsonBlockMasks(const char *block);
/// The same without vector instructions: the path for other machines, and the measure for the tests.
JsonBlockMasks jsonBlockMasksPortable(const char *block);

/// Looks for the end of one value whose text arrives in pieces.
class JsonValueScanner
{
public:
    /// `first` is the first byte of the value; scan() then starts at that byte.
    void start(char first, int depthLimit = std::numeric_limits<int>::max());
    /// One past the value's last byte, or null when the value goes on after `end`.
    const char *scan(const char *begin, const char *end);
    /// Nesting went beyond the limit somewhere in the value scanned last. The end is found all the same.
    bool isTooDeep() const { return m_state.tooDeep; }
    /// As on machines without the vector instructions that are looked for at run time. For tests.
    void usePlainBlocks() { m_plain = true; }

    /// Where a container's text is between two blocks.
    struct BlockState
    {
        std::uint64_t inString = 0; ///< all ones inside a string
        int depth = 0;
        int depthLimit = 0;
        bool escaped = false; ///< the next byte follows an unescaped backslash
        bool tooDeep = false;
    };

private:
    enum class Kind : std::uint8_t { Container, String, Scalar };

    const char *scanString(const char *begin, const char *end);

    Kind m_kind = Kind::Scalar;
    bool m_first = false; ///< the opening quote of a string is still to come
    bool m_plain = false;
    BlockState m_state;
};

constexpr bool isJsonBlank(char c)
{
    return c == ' ' || c == '\n' || c == '\r' || c == '\t';
}

} // namespace tongchi
