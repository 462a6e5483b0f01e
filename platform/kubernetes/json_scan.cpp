#include "platform/kubernetes/json_scan.h"

#include <bit>
#include <cstring>

#if defined(__SSE2__)
#include <emmintrin.h>
#elif defined(__aarch64__) && defined(__ARM_NEON)
#include <arm_neon.h>
#endif

namespace tongchi {

namespace {

constexpr std::uint64_t kScanLowBits = 0x0101010101010101ULL;

// One bit a byte that equals `wanted`, for eight bytes loaded in memory order (byte 0 in the lowest bits).
std::uint64_t equalBytes(std::uint64_t bytes, unsigned char wanted)
{
    const std::uint64_t difference = bytes ^ (kScanLowBits * wanted);
    // High bit of each byte set where the byte of `difference` is zero; exact, no borrow runs into a
    // neighbour.
    const std::uint64_t low7 = difference & (kScanLowBits * 0x7F);
    const std::uint64_t zero = ~((low7 + kScanLowBits * 0x7F) | difference) & (kScanLowBits * 0x80);
    return ((zero >> 7) * 0x0102040810204080ULL) >> 56;
}

std::uint64_t loadLittleEndian(const char *from)
{
    std::uint64_t bytes = 0;
    std::memcpy(&bytes, from, sizeof bytes);
    if constexpr (std::endian::native == std::endian::big) {
        std::uint64_t turned = 0;
        for (int i = 0; i < 8; ++i)
            turned |= ((bytes >> (8 * i)) & 0xFF) << (56 - 8 * i);
        bytes = turned;
    }
    return bytes;
}

// Bit i is the parity of bits 0..i: turns the positions of quotes into the stretches between them.
std::uint64_t runningParity(std::uint64_t bits)
{
    bits ^= bits << 1;
    bits ^= bits << 2;
    bits ^= bits << 4;
    bits ^= bits << 8;
    bits ^= bits << 16;
    bits ^= bits << 32;
    return bits;
}

inline JsonBlockMasks masksWithoutVectors(const char *block)
{
    JsonBlockMasks masks;
    for (int i = 0; i < 8; ++i) {
        const std::uint64_t bytes = loadLittleEndian(block + 8 * i);
        // '[' and '{' differ in one bit only, and so do ']' and '}'.
        const std::uint64_t folded = bytes | (kScanLowBits * 0x20);
        masks.quotes |= equalBytes(bytes, '"') << (8 * i);
        masks.backslashes |= equalBytes(bytes, '\\') << (8 * i);
        masks.opens |= equalBytes(folded, '{') << (8 * i);
        masks.closes |= equalBytes(folded, '}') << (8 * i);
    }
    return masks;
}

#if defined(__SSE2__)

inline JsonBlockMasks masksOf(const char *block)
{
    const __m128i quote = _mm_set1_epi8('"');
    const __m128i backslash = _mm_set1_epi8('\\');
    const __m128i fold = _mm_set1_epi8(0x20);
    const __m128i open = _mm_set1_epi8('{');
    const __m128i close = _mm_set1_epi8('}');
    const auto bits = [](__m128i equal, int part) {
        return std::uint64_t(std::uint32_t(_mm_movemask_epi8(equal))) << (16 * part);
    };
    JsonBlockMasks masks;
    for (int part = 0; part < 4; ++part) {
        const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i *>(block + 16 * part));
        const __m128i folded = _mm_or_si128(bytes, fold);
        masks.quotes |= bits(_mm_cmpeq_epi8(bytes, quote), part);
        masks.backslashes |= bits(_mm_cmpeq_epi8(bytes, backslash), part);
        masks.opens |= bits(_mm_cmpeq_epi8(folded, open), part);
        masks.closes |= bits(_mm_cmpeq_epi8(folded, close), part);
    }
    return masks;
}

#elif defined(__aarch64__) && defined(__ARM_NEON)

inline JsonBlockMasks masksOf(const char *block)
{
    // De-interleaving load: lane j of vector k is byte 4j + k, so that four comparisons can be shifted into
    // one another.
    const uint8x16x4_t bytes = vld4q_u8(reinterpret_cast<const std::uint8_t *>(block));
    const uint8x16_t fold = vdupq_n_u8(0x20);
    const auto bits = [](uint8x16_t e0, uint8x16_t e1, uint8x16_t e2, uint8x16_t e3) {
        const uint8x16_t t0 = vsriq_n_u8(e1, e0, 1);
        const uint8x16_t t1 = vsriq_n_u8(e3, e2, 1);
        const uint8x16_t nibbles = vsriq_n_u8(t1, t0, 2);
        const uint8x16_t doubled = vsriq_n_u8(nibbles, nibbles, 4);
        return vget_lane_u64(vreinterpret_u64_u8(vshrn_n_u16(vreinterpretq_u16_u8(doubled), 4)), 0);
    };
    const auto equal = [&](unsigned char wanted, bool folded) {
        const uint8x16_t value = vdupq_n_u8(wanted);
        const auto one = [&](uint8x16_t lane) {
            return vceqq_u8(folded ? vorrq_u8(lane, fold) : lane, value);
        };
        return bits(one(bytes.val[0]), one(bytes.val[1]), one(bytes.val[2]), one(bytes.val[3]));
    };
    return {equal('"', false), equal('\\', false), equal('{', true), equal('}', true)};
}

#else

inline JsonBlockMasks masksOf(const char *block)
{
    return masksWithoutVectors(block);
}

#endif

} // namespace

JsonBlockMasks jsonBlockMasks(const char *block)
{
    return masksOf(block);
}

JsonBlockMasks jsonBlockMasksPortable(const char *block)
{
    return masksWithoutVectors(block);
}

void JsonValueScanner::start(char first)
{
    m_kind = first == '{' || first == '[' ? Kind::Container : first == '"' ? Kind::String : Kind::Scalar;
    m_first = true;
    m_escaped = false;
    m_inString = 0;
    m_depth = 0;
    m_deepest = 0;
}

// Index of the bracket that closes the value, or -1. `valid` bytes of the block count; the others are blanks.
int JsonValueScanner::findEnd(const JsonBlockMasks &masks, int valid)
{
    std::uint64_t escaped = m_escaped ? 1 : 0;
    m_escaped = false;
    // Each backslash that is not escaped itself escapes the byte after it. Few blocks have any.
    for (std::uint64_t left = masks.backslashes & ~escaped; left != 0;) {
        const int at = std::countr_zero(left);
        if (at + 1 >= valid) {
            m_escaped = true;
            break;
        }
        escaped |= std::uint64_t(2) << at;
        left &= ~(std::uint64_t(3) << at);
    }
    const std::uint64_t strings = runningParity(masks.quotes & ~escaped) ^ m_inString;
    m_inString = strings >> 63 ? ~std::uint64_t(0) : 0;

    const std::uint64_t opens = masks.opens & ~strings;
    for (std::uint64_t left = opens | (masks.closes & ~strings); left != 0; left &= left - 1) {
        const int at = std::countr_zero(left);
        if ((opens >> at) & 1) {
            if (++m_depth > m_deepest)
                m_deepest = m_depth;
        } else if (--m_depth == 0) {
            return at;
        }
    }
    return -1;
}

const char *JsonValueScanner::scanString(const char *begin, const char *end)
{
    for (const char *at = begin; at < end; ++at) {
        if (m_first)
            m_first = false;
        else if (m_escaped)
            m_escaped = false;
        else if (*at == '\\')
            m_escaped = true;
        else if (*at == '"')
            return at + 1;
    }
    return nullptr;
}

const char *JsonValueScanner::scan(const char *begin, const char *end)
{
    if (m_kind == Kind::String)
        return scanString(begin, end);
    if (m_kind == Kind::Scalar) {
        for (const char *at = begin; at < end; ++at) {
            if (*at == ',' || *at == '}' || *at == ']' || isJsonBlank(*at))
                return at;
        }
        return nullptr;
    }
    const char *at = begin;
    for (; end - at >= 64; at += 64) {
        const int found = findEnd(masksOf(at), 64);
        if (found >= 0)
            return at + found + 1;
    }
    if (at < end) {
        char rest[64];
        std::memset(rest, ' ', sizeof rest);
        std::memcpy(rest, at, std::size_t(end - at));
        const int found = findEnd(masksOf(rest), int(end - at));
        if (found >= 0)
            return at + found + 1;
    }
    return nullptr;
}

} // namespace tongchi
