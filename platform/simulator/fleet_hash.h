#pragma once

#include <QByteArray>
#include <cstdint>

namespace tongchi {

/// Mixes 64 bits well (splitmix64's finalizer). Everything random in the fleet is one of these over seed and
/// identity, so that nothing has to be stored and any past instant can be asked for.
constexpr std::uint64_t fleetMix(std::uint64_t x)
{
    x += 0x9e3779b97f4a7c15ULL;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
    return x ^ (x >> 31);
}

constexpr std::uint64_t fleetHash(std::uint64_t seed, std::uint64_t a, std::uint64_t b = 0)
{
    return fleetMix(fleetMix(seed ^ (a * 0xd6e8feb86659fd93ULL)) + b);
}

/// In [0, 1).
constexpr double fleetUnit(std::uint64_t hash)
{
    return double(hash >> 11) * (1.0 / 9007199254740992.0);
}

/// Kubernetes' alphabet for generated names.
QByteArray fleetSuffix(std::uint64_t hash, int length);
QByteArray fleetHex(std::uint64_t hash, int digits);
/// "8dcd427f-483b-448f-97e5-75fb19a52b76"
QByteArray fleetUuid(std::uint64_t hash);

} // namespace tongchi
