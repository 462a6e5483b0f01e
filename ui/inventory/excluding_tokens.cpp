#include "ui/inventory/excluding_tokens.h"

namespace tongchi {

std::optional<std::pair<int, int>> excludingTokens(const CardStore &store, const QList<FilterToken> &tokens,
                                                   Instant now)
{
    constexpr qsizetype mostTried = 6; // pairs grow with the square, each is one pass over the store
    const int count = int(qMin(tokens.size(), mostTried));
    const auto leavesNothing = [&](const QList<FilterToken> &some) {
        return CardFilter(store, some, now).run().cards.empty();
    };
    for (int i = 0; i < count; ++i) {
        if (!tokens[i].error && leavesNothing({tokens[i]}))
            return std::pair{i, i};
    }
    for (int i = 0; i < count; ++i) {
        for (int j = i + 1; j < count; ++j) {
            if (!tokens[i].error && !tokens[j].error && leavesNothing({tokens[i], tokens[j]}))
                return std::pair{i, j};
        }
    }
    return std::nullopt;
}

} // namespace tongchi
