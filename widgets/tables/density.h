#pragma once

#include <QtGlobal>

namespace tongchi {

enum class Density : quint8 { Compact, Regular, Comfortable };

constexpr int rowHeightOf(Density density)
{
    return density == Density::Compact ? 24 : density == Density::Regular ? 28 : 36;
}

constexpr int headerHeightOf(Density density)
{
    return density == Density::Comfortable ? 32 : 28;
}

constexpr int chipHeightOf(Density density)
{
    return density == Density::Comfortable ? 22 : 20;
}

} // namespace tongchi
