#pragma once

#include "models/inventory/card_filter.h"

#include <optional>
#include <utility>

namespace tongchi {

/// When a filter leaves nothing: the two tokens that exclude each other, or one that leaves nothing by itself
/// (twice the same number). None when only more than two together do.
std::optional<std::pair<int, int>> excludingTokens(const CardStore &store, const QList<FilterToken> &tokens,
                                                   Instant now);

} // namespace tongchi
