#pragma once

#include "models/inventory/card_filter.h"

#include <QList>

namespace tongchi {

/// One line of the completion list.
struct FilterSuggestion
{
    QString insert;                     ///< what replaces the token under the cursor, canonical English
    QString text;                       ///< what is shown
    std::optional<std::uint32_t> count; ///< cards it would leave; not given for bare keys
};

/// What could be typed at `cursor`: keys that fit the letters, or values of the key with the number of cards
/// each would leave together with the other tokens. Best first, at most `most`.
QList<FilterSuggestion> filterSuggestions(const CardStore &store, const QString &text, qsizetype cursor,
                                          Instant now, int most = 12);

} // namespace tongchi
