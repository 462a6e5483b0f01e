#include "platform/inventory/card_history.h"

#include <algorithm>

namespace tongchi {
namespace {

std::uint8_t wholePercent(float percent)
{
    if (!(percent >= 0))
        return CardHistory::noValue;
    return std::uint8_t(std::min(percent, 100.0f) + 0.5f);
}

void addToMean(std::uint8_t sample, std::uint16_t &sum, std::uint8_t &count, std::uint8_t &value)
{
    if (sample == CardHistory::noValue || count == 255)
        return;
    sum = std::uint16_t(sum + sample);
    ++count;
    value = std::uint8_t((sum + count / 2) / count);
}

} // namespace

void CardHistory::advance(Ring &ring, std::uint32_t toStep)
{
    const std::uint32_t steps =
        ring.lastStep == 0 ? values : std::min<std::uint32_t>(toStep - ring.lastStep, values);
    if (steps >= values) {
        ring.utilization.fill(noValue);
        ring.memory.fill(noValue);
    }
    for (std::uint32_t i = 0; i < steps; ++i) {
        ring.head = std::uint8_t(ring.head + 1 == values ? 0 : ring.head + 1);
        ring.utilization[ring.head] = noValue;
        ring.memory[ring.head] = noValue;
    }
    ring.lastStep = toStep;
    ring.utilizationSum = ring.memorySum = 0;
    ring.utilizationCount = ring.memoryCount = 0;
}

void CardHistory::record(std::uint32_t card, Instant sampledAt, float utilizationPercent, float memoryPercent)
{
    const std::size_t block = card / blockCards;
    if (block >= m_blocks.size())
        m_blocks.resize(block + 1);
    if (!m_blocks[block])
        m_blocks[block] = std::make_unique<Block>();
    Ring &ring = (*m_blocks[block])[card % blockCards];

    const std::int64_t number = std::chrono::floor<std::chrono::seconds>(sampledAt.time_since_epoch()) / step;
    const auto sampleStep = std::uint32_t(std::clamp<std::int64_t>(number, 1, UINT32_MAX));
    const std::uint8_t utilization = wholePercent(utilizationPercent);
    const std::uint8_t memory = wholePercent(memoryPercent);
    if (ring.lastStep != 0 && sampleStep < ring.lastStep) {
        const std::uint32_t back = ring.lastStep - sampleStep;
        if (back < values) { // a late sample fills a gap, it never replaces a value
            const std::size_t at = (ring.head + values - back) % values;
            if (ring.utilization[at] == noValue)
                ring.utilization[at] = utilization;
            if (ring.memory[at] == noValue)
                ring.memory[at] = memory;
            return;
        }
        ring.lastStep = 0; // the clock went back by more than the hour shown: start anew
    }
    if (sampleStep != ring.lastStep)
        advance(ring, sampleStep);
    addToMean(utilization, ring.utilizationSum, ring.utilizationCount, ring.utilization[ring.head]);
    addToMean(memory, ring.memorySum, ring.memoryCount, ring.memory[ring.head]);
}

void CardHistory::recordPast(std::uint32_t card, Instant sampledAt, float utilizationPercent,
                             float memoryPercent)
{
    // record() takes what is older than the hour for a clock that was set back, and starts anew.
    const Ring *known = ring(card);
    if (known && end(card) - sampledAt > step * values)
        return;
    record(card, sampledAt, utilizationPercent, memoryPercent);
}

void CardHistory::forget(std::uint32_t card)
{
    if (const Ring *known = ring(card))
        const_cast<Ring *>(known)->lastStep = 0;
}

const CardHistory::Ring *CardHistory::ring(std::uint32_t card) const
{
    const std::size_t block = card / blockCards;
    if (block >= m_blocks.size() || !m_blocks[block])
        return nullptr;
    const Ring &found = (*m_blocks[block])[card % blockCards];
    return found.lastStep ? &found : nullptr;
}

std::span<const std::uint8_t> CardHistory::utilization(std::uint32_t card, int &firstIndex) const
{
    const Ring *found = ring(card);
    firstIndex = found ? (found->head + 1) % values : 0;
    return found ? std::span<const std::uint8_t>(found->utilization) : std::span<const std::uint8_t>();
}

std::span<const std::uint8_t> CardHistory::memory(std::uint32_t card, int &firstIndex) const
{
    const Ring *found = ring(card);
    firstIndex = found ? (found->head + 1) % values : 0;
    return found ? std::span<const std::uint8_t>(found->memory) : std::span<const std::uint8_t>();
}

Instant CardHistory::end(std::uint32_t card) const
{
    const Ring *found = ring(card);
    return found ? Instant(std::chrono::duration_cast<std::chrono::milliseconds>(
                       step * (std::int64_t(found->lastStep) + 1)))
                 : Instant{};
}

std::size_t CardHistory::bytes() const
{
    std::size_t blocks = 0;
    for (const auto &block : m_blocks)
        blocks += block ? sizeof(Block) : 0;
    return blocks + m_blocks.capacity() * sizeof(m_blocks[0]);
}

} // namespace tongchi
