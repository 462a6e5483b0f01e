#pragma once

#include <QString>
#include <string>
#include <string_view>
#include <vector>

namespace tongchi {

/// A PromQL query that cannot be read. `position` counts from 0; the answer says line 1, column position + 1.
struct PromqlError
{
    std::size_t position = 0;
    std::string text;
};

struct PromqlToken
{
    enum class Kind { End, Broken, Number, Text, Word, Duration, Operator };
    Kind kind = Kind::End;
    std::string text;      ///< unquoted for Text; as written otherwise
    double number = 0;     ///< Number
    qint64 durationMs = 0; ///< Duration
    std::size_t position = 0;
};

/// Cuts a query into tokens. At the first thing that is no token it ends with a Broken one, fills `error` and
/// returns false: what is wrong before it comes first.
bool lexPromql(std::string_view query, std::vector<PromqlToken> &tokens, PromqlError &error);

/// "5m", "1h30m"; false: no duration.
bool parsePromDuration(std::string_view text, qint64 &milliseconds);

} // namespace tongchi
