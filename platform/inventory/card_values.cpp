#include "platform/inventory/card_values.h"

#include "platform/inventory/inventory_delta.h"

#include <bit>
#include <cstring>

namespace tongchi {
namespace {

constexpr std::array<std::size_t, 5> uuidGroups{8, 4, 4, 4, 12};

constexpr std::uint8_t isUpperHex = 0x10, isLowerHex = 0x20, isNoHex = 0x80;

/// The value of each hexadecimal digit, with the bits above; isNoHex for everything else.
constexpr std::array<std::uint8_t, 256> hexDigits = [] {
    std::array<std::uint8_t, 256> table{};
    table.fill(isNoHex);
    for (int i = 0; i < 10; ++i)
        table[std::size_t('0' + i)] = std::uint8_t(i);
    for (int i = 0; i < 6; ++i) {
        table[std::size_t('A' + i)] = std::uint8_t(10 + i) | isUpperHex;
        table[std::size_t('a' + i)] = std::uint8_t(10 + i) | isLowerHex;
    }
    return table;
}();

/// Reads 8-4-4-4-12 into sixteen bytes. `upper` and `lower` say which letters were seen.
bool readHexGroups(std::string_view text, std::array<std::uint8_t, 16> &bytes, bool &upper, bool &lower)
{
    std::size_t at = 0;
    std::size_t byte = 0;
    unsigned seen = 0; // of all digits together: each UUID of a large pool comes through here
    for (std::size_t group = 0; group < uuidGroups.size(); ++group) {
        if (group > 0 && text[at++] != '-')
            return false;
        for (std::size_t i = 0; i < uuidGroups[group]; i += 2, at += 2) {
            const std::uint8_t high = hexDigits[std::uint8_t(text[at])];
            const std::uint8_t low = hexDigits[std::uint8_t(text[at + 1])];
            seen |= unsigned(high | low);
            bytes[byte++] = std::uint8_t(high << 4 | (low & 15));
        }
    }
    upper = seen & isUpperHex;
    lower = seen & isLowerHex;
    return !(seen & isNoHex);
}

void writeHexGroups(const std::array<std::uint8_t, 16> &bytes, const char *digits, char *to)
{
    std::size_t byte = 0;
    for (std::size_t group = 0; group < uuidGroups.size(); ++group) {
        if (group > 0)
            *to++ = '-';
        for (std::size_t i = 0; i < uuidGroups[group]; i += 2) {
            *to++ = digits[bytes[byte] >> 4];
            *to++ = digits[bytes[byte] & 15];
            ++byte;
        }
    }
}

} // namespace

const char *flagName(CardFlag flag)
{
    switch (flag) {
    case CardFlag::SameUuidElsewhere:
        return "same_uuid_elsewhere";
    case CardFlag::LabelDiffers:
        return "label_differs";
    case CardFlag::MoreHeldThanAllocatable:
        return "more_held_than_allocatable";
    case CardFlag::Withdrawn:
        return "withdrawn";
    case CardFlag::RegistrationStale:
        return "registration_stale";
    case CardFlag::RegistrationUnreadable:
        return "registration_unreadable";
    case CardFlag::MemoryScaled:
        return "memory_scaled";
    case CardFlag::SeveralExporters:
        return "several_exporters";
    case CardFlag::ModelsDiffer:
        return "models_differ";
    case CardFlag::MemoryDiffers:
        return "memory_differs";
    case CardFlag::HealthDiffers:
        return "health_differs";
    case CardFlag::DeviceTaint:
        return "device_taint";
    case CardFlag::OutOfService:
        return "out_of_service";
    case CardFlag::AmountUnreadable:
        return "amount_unreadable";
    case CardFlag::ErrorReported:
        return "error_reported";
    case CardFlag::ClockSkewed:
        return "clock_skewed";
    }
    return "";
}

const char *vendorKey(Vendor vendor)
{
    switch (vendor) {
    case Vendor::Nvidia:
        return "nvidia";
    case Vendor::Ascend:
        return "huawei";
    case Vendor::Cambricon:
        return "cambricon";
    case Vendor::Other:
        break;
    }
    return "other";
}

const char *labelKey(BusinessLabel label)
{
    switch (label) {
    case BusinessLabel::Unknown:
        break;
    case BusinessLabel::Idle:
        return "idle";
    case BusinessLabel::Inference:
        return "inference";
    case BusinessLabel::Training:
        return "training";
    case BusinessLabel::Mixed:
        return "mixed";
    }
    return "";
}

const char *healthKey(CardHealth health)
{
    switch (health) {
    case CardHealth::NotReported:
        break;
    case CardHealth::Healthy:
        return "healthy";
    case CardHealth::Unhealthy:
        return "unhealthy";
    }
    return "not_reported";
}

const char *usabilityKey(NodeUsability usability)
{
    switch (usability) {
    case NodeUsability::Usable:
        break;
    case NodeUsability::Cordoned:
        return "cordoned";
    case NodeUsability::Tainted:
        return "tainted";
    case NodeUsability::NotReady:
        return "not_ready";
    case NodeUsability::NoContact:
        return "no_contact";
    }
    return "usable";
}

const char *sourceStateKey(SourceState state)
{
    switch (state) {
    case SourceState::Idle:
    case SourceState::Connecting:
    case SourceState::Late:
        break;
    case SourceState::Live:
        return "live";
    case SourceState::Lost:
        return "lost";
    case SourceState::Forbidden:
        return "forbidden";
    case SourceState::Failed:
        return "failed";
    case SourceState::Missing:
        return "missing";
    }
    return "late";
}

CardUuid CardUuid::fromText(std::string_view text, StringPool &pool)
{
    CardUuid uuid;
    constexpr std::size_t tail = 36;
    if (text.size() >= tail && text.size() <= longestBinaryText) {
        bool upper = false;
        bool lower = false;
        if (readHexGroups(text.substr(text.size() - tail), uuid.m_bytes, upper, lower) && !(upper && lower)) {
            uuid.m_text = pool.intern(text.substr(0, text.size() - tail)) & ((1u << 30) - 1);
            uuid.m_form = upper ? UpperCase : LowerCase;
            return uuid;
        }
        uuid.m_bytes = {};
    }
    uuid.m_text = pool.intern(text) & ((1u << 30) - 1); // the pool holds at most 2^24 strings
    return uuid;
}

CardUuid::Halves CardUuid::halves() const
{
    Halves halves{.own = m_bytes};
    if (m_form == Interned) {
        const std::uint32_t text = m_text;
        std::memcpy(halves.own.data(), &text, sizeof text);
    } else {
        halves.shared = m_text << 2 | m_form;
    }
    return halves;
}

CardUuid CardUuid::fromHalves(const Halves &halves)
{
    CardUuid uuid;
    if (halves.shared == 0) {
        std::uint32_t text = 0;
        std::memcpy(&text, halves.own.data(), sizeof text);
        uuid.m_text = text & ((1u << 30) - 1);
    } else {
        uuid.m_text = halves.shared >> 2;
        uuid.m_form = halves.shared & 3;
        uuid.m_bytes = halves.own;
    }
    return uuid;
}

std::string CardUuid::toText(const StringPool &pool) const
{
    std::string text(pool.utf8(m_text));
    if (m_form != Interned) {
        const std::size_t prefix = text.size();
        text.resize(prefix + 36);
        writeHexGroups(m_bytes, m_form == UpperCase ? "0123456789ABCDEF" : "0123456789abcdef",
                       text.data() + prefix);
    }
    return text;
}

void CardUuid::writeHex(const std::array<std::uint8_t, 16> &bytes, char *to)
{
    static constexpr auto pairs = [] {
        std::array<std::array<char, 2>, 256> table{};
        for (std::size_t byte = 0; byte < table.size(); ++byte)
            table[byte] = {"0123456789abcdef"[byte >> 4], "0123456789abcdef"[byte & 15]};
        return table;
    }();
    static constexpr std::uint8_t places[16]{0, 2, 4, 6, 9, 11, 14, 16, 19, 21, 24, 26, 28, 30, 32, 34};
    for (std::size_t i = 0; i < bytes.size(); ++i)
        std::memcpy(to + places[i], pairs[bytes[i]].data(), 2);
    to[8] = to[13] = to[18] = to[23] = '-';
}

std::size_t CardUuid::lowerCaseInto(char (&to)[longestBinaryText], const StringPool &pool) const
{
    if (m_form == Interned)
        return 0;
    std::size_t length = 0;
    for (const char c : pool.utf8(m_text))
        to[length++] = c >= 'A' && c <= 'Z' ? char(c + 32) : c;
    writeHex(m_bytes, to + length);
    return length + hexLength;
}

std::size_t CardUuid::hash() const
{
    const auto halves = std::bit_cast<std::array<std::uint64_t, 2>>(m_bytes);
    std::uint64_t hash = (std::uint64_t(m_text) << 2 | m_form) * 0x9E3779B97F4A7C15u;
    for (const std::uint64_t half : halves) {
        hash ^= half;
        hash *= 0xD6E8FEB86659FD93u;
        hash ^= hash >> 32;
    }
    return std::size_t(hash);
}

} // namespace tongchi
