#include "platform/simulator/fleet_hash.h"

namespace tongchi {

QByteArray fleetSuffix(std::uint64_t hash, int length)
{
    static constexpr char alphabet[] = "bcdfghjklmnpqrstvwxz2456789";
    QByteArray text(length, Qt::Uninitialized);
    for (int i = 0; i < length; ++i) {
        text[i] = alphabet[hash % 27];
        hash = i % 10 == 9 ? fleetMix(hash) : hash / 27;
    }
    return text;
}

QByteArray fleetHex(std::uint64_t hash, int digits)
{
    static constexpr char alphabet[] = "0123456789abcdef";
    QByteArray text(digits, Qt::Uninitialized);
    for (int i = 0; i < digits; ++i) {
        if (i > 0 && i % 16 == 0)
            hash = fleetMix(hash);
        text[i] = alphabet[(hash >> (4 * (i % 16))) & 15];
    }
    return text;
}

QByteArray fleetUuid(std::uint64_t hash)
{
    const QByteArray hex = fleetHex(fleetMix(hash), 32);
    QByteArray text;
    text.reserve(36);
    text.append(hex.constData(), 8)
        .append('-')
        .append(hex.constData() + 8, 4)
        .append("-4")
        .append(hex.constData() + 13, 3);
    text.append("-a").append(hex.constData() + 17, 3).append('-').append(hex.constData() + 20, 12);
    return text;
}

} // namespace tongchi
