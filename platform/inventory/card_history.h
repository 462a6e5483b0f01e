#pragma once

#include "platform/core/clock.h"

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace tongchi {

/// The last hour of every card: 120 values each 30 s of two series, 256 bytes a card, allocated for 256 cards
/// at a time when one of them has its first sample.
class CardHistory
{
public:
    static constexpr int values = 120;
    static constexpr std::uint8_t noValue = 255;
    static constexpr std::chrono::seconds step{30};

    /// Several samples within 30 s count with their mean; what is older than the hour is dropped.
    void record(std::uint32_t card, Instant sampledAt, float utilizationPercent, float memoryPercent);
    /// A value from before, read later: fills a gap or is dropped, whatever its time.
    void recordPast(std::uint32_t card, Instant sampledAt, float utilizationPercent, float memoryPercent);
    void forget(std::uint32_t card);

    std::span<const std::uint8_t> utilization(std::uint32_t card, int &firstIndex) const;
    std::span<const std::uint8_t> memory(std::uint32_t card, int &firstIndex) const;
    /// End of the newest 30 s; epoch: no sample yet.
    Instant end(std::uint32_t card) const;
    std::size_t bytes() const;

private:
    struct Ring
    {
        std::uint32_t lastStep = 0; ///< number of the newest 30 s since 1970; 0: no sample yet
        std::uint16_t utilizationSum = 0, memorySum = 0; ///< of the samples within the newest 30 s
        std::uint8_t utilizationCount = 0, memoryCount = 0;
        std::uint8_t head = 0; ///< where the newest value is
        std::uint8_t unused[5] = {};
        std::array<std::uint8_t, values> utilization;
        std::array<std::uint8_t, values> memory;
    };
    static_assert(sizeof(Ring) == 256);
    static constexpr std::size_t blockCards = 256;
    using Block = std::array<Ring, blockCards>;

    const Ring *ring(std::uint32_t card) const;
    static void advance(Ring &ring, std::uint32_t toStep);

    std::vector<std::unique_ptr<Block>> m_blocks;
};

} // namespace tongchi
