#pragma once

#include "tests/real/twins/twin_answer.h"
#include "tests/real/twins/twin_call.h"

#include <optional>

namespace tongchi::twins {

/// In which respect two answers are not the same.
enum class Place {
    Transport,  ///< no complete answer
    Status,     ///< the HTTP status
    Header,     ///< one that clients read
    Shape,      ///< keys and types
    Value,      ///< of a key that both have
    ErrorClass, ///< reason, errorType, code, details: what programs act on
    Words,      ///< what people read
    Order       ///< the same elements or events, otherwise arranged
};
const char *placeName(Place place);
std::optional<Place> placeOf(const QByteArray &name);

struct Difference
{
    QByteArray step;
    Place place = Place::Status;
    QByteArray path; ///< pointer into the body, or the name of a header
    QByteArray real;
    QByteArray embedded;
};

/// All differences of two runs of a call.
std::vector<Difference> differencesOf(const TwinCall &call, const Transcript &real,
                                      const Transcript &embedded);

/// For a person, several lines.
QByteArray describe(const Difference &difference);

/// "/items/0/name" and the pattern "/items/*/name"; a pattern's last step "**" stands for all
/// the rest, also for none.
bool pathMatches(const QByteArray &path, const QByteArray &pattern);

} // namespace tongchi::twins
