#include "platform/kubernetes/json_scan.h"

#include <bit>
#include <cstring>

#if defined(__SSE2__)
#include <emmintrin.h>
#elif defined(__aarch64__) && defined(__ARM_NEON)
#include <arm_neon.h>
#endif

#if defined(__x86_64__) && defined(__GNUC__)
#include <immintrin.h>
#define TONGCHI_JSON_WIDE_BLOCKS 1
#endif

#if defined(__GNUC__)
#define TONGCHI_INLINE inline __attribute__((always_inline))
#else
#define TONGCHI_INLINE inline
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

/// Index of the bracket that closes the value, or -1. `valid` bytes of the block count; the others are
/// blanks.
template <auto parity>
TONGCHI_INLINE int endInBlock(const JsonBlockMasks &masks, int valid, JsonValueScanner::BlockState &state)
{
    std::uint64_t escaped = state.escaped ? 1 : 0;
    state.escaped = false;
    // Each backslash that is not escaped itself escapes the byte after it. Few blocks have any.
    for (std::uint64_t left = masks.backslashes & ~escaped; left != 0;) {
        const int at = std::countr_zero(left);
        if (at + 1 >= valid) {
            state.escaped = true;
            break;
        }
        escaped |= std::uint64_t(2) << at;
        left &= ~(std::uint64_t(3) << at);
    }
    const std::uint64_t strings = parity(masks.quotes & ~escaped) ^ state.inString;
    state.inString = strings >> 63 ? ~std::uint64_t(0) : 0;

    const std::uint64_t opens = masks.opens & ~strings;
    const std::uint64_t closes = masks.closes & ~strings;
    const int opened = std::popcount(opens);
    const int closed = std::popcount(closes);
    // In most blocks the value cannot end, nor go too deep, whatever the order of their brackets.
    if (state.depth > closed && opened <= state.depthLimit && state.depth <= state.depthLimit - opened) {
        state.depth += opened - closed;
        return -1;
    }
    for (std::uint64_t left = opens | closes; left != 0; left &= left - 1) {
        const int at = std::countr_zero(left);
        if ((opens >> at) & 1)
            state.tooDeep |= ++state.depth > state.depthLimit;
        else if (--state.depth == 0)
            return at;
    }
    return -1;
}

template <auto masksOfBlock, auto parity>
TONGCHI_INLINE const char *scanBlocks(const char *begin, const char *end, JsonValueScanner::BlockState &kept)
{
    JsonValueScanner::BlockState state = kept; // in registers
    const char *at = begin;
    int found = -1;
    for (; found < 0 && end - at >= 64; at += found < 0 ? 64 : 0)
        found = endInBlock<parity>(masksOfBlock(at), 64, state);
    if (found < 0 && at < end) {
        char rest[64];
        std::memset(rest, ' ', sizeof rest);
        std::memcpy(rest, at, std::size_t(end - at));
        found = endInBlock<parity>(masksOfBlock(rest), int(end - at), state);
    }
    kept = state;
    return found < 0 ? nullptr : at + found + 1;
}

#if TONGCHI_JSON_WIDE_BLOCKS

#define TONGCHI_WIDE __attribute__((target("avx2,pclmul,popcnt,bmi,lzcnt")))

TONGCHI_WIDE inline JsonBlockMasks wideMasksOf(const char *block)
{
    const __m256i low = _mm256_loadu_si256(reinterpret_cast<const __m256i *>(block));
    const __m256i high = _mm256_loadu_si256(reinterpret_cast<const __m256i *>(block + 32));
    const __m256i fold = _mm256_set1_epi8(0x20);
    const __m256i lowFolded = _mm256_or_si256(low, fold);
    const __m256i highFolded = _mm256_or_si256(high, fold);
    const auto equal = [](__m256i a, __m256i b, char wanted) TONGCHI_WIDE {
        const __m256i value = _mm256_set1_epi8(wanted);
        return std::uint64_t(std::uint32_t(_mm256_movemask_epi8(_mm256_cmpeq_epi8(a, value)))) |
               std::uint64_t(std::uint32_t(_mm256_movemask_epi8(_mm256_cmpeq_epi8(b, value)))) << 32;
    };
    return {equal(low, high, '"'), equal(low, high, '\\'), equal(lowFolded, highFolded, '{'),
            equal(lowFolded, highFolded, '}')};
}

/// Multiplication without carries by all ones is the running parity.
TONGCHI_WIDE inline std::uint64_t wideParity(std::uint64_t bits)
{
    const __m128i product =
        _mm_clmulepi64_si128(_mm_set_epi64x(0, (long long)bits), _mm_set1_epi8(char(0xFF)), 0);
    return std::uint64_t(_mm_cvtsi128_si64(product));
}

TONGCHI_WIDE const char *scanWide(const char *begin, const char *end, JsonValueScanner::BlockState &state)
{
    return scanBlocks<wideMasksOf, wideParity>(begin, end, state);
}

bool hasWideBlocks()
{
    static const bool has = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("pclmul") &&
                            __builtin_cpu_supports("popcnt") && __builtin_cpu_supports("bmi");
    return has;
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

void JsonValueScanner::start(char first, int depthLimit)
{
    m_kind = first == '{' || first == '[' ? Kind::Container : first == '"' ? Kind::String : Kind::Scalar;
    m_first = true;
    m_state = {.depthLimit = depthLimit};
}

const char *JsonValueScanner::scanString(const char *begin, const char *end)
{
    for (const char *at = begin; at < end; ++at) {
        if (m_first)
            m_first = false;
        else if (m_state.escaped)
            m_state.escaped = false;
        else if (*at == '\\')
            m_state.escaped = true;
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
#if TONGCHI_JSON_WIDE_BLOCKS
    if (!m_plain && hasWideBlocks())
        return scanWide(begin, end, m_state);
#endif
    return scanBlocks<masksOf, runningParity>(begin, end, m_state);
}

} // namespace tongchi
