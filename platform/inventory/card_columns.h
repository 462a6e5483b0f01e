#pragma once

#include "platform/inventory/card_values.h"

#include <memory>
#include <vector>

namespace tongchi {

/// What many cards have in common besides their model, kept once and counted (see CardTraitTable).
struct CardTraits
{
    static constexpr std::int64_t noMemory = -1;
    std::int64_t memoryBytes = noMemory; ///< Kubernetes' figure
    StringId driver = 0, resource = 0, linkDomain = 0, healthReason = 0;
    StringId memorySource = 0, healthSource = 0, modelSource = 0;
    std::uint32_t flags = 0; ///< as the assembler gave them
    std::uint16_t shares = 1;
    std::uint8_t sources = 0;
    std::int8_t numaNode = -1;    ///< -1: not reported
    std::uint32_t uuidShared = 0; ///< CardUuid::Halves
    float exporterTotal = 0;      ///< memory in bytes by the exporter; 0: not reported
    std::uint8_t telemetrySource = 0;
    bool operator==(const CardTraits &) const = default;
};

/// A number below 2^24 in three bytes: four columns of them save as much as the slack of a growing table
/// costs.
class ThreeByteNumber
{
public:
    static constexpr std::uint32_t limit = 1u << 24;
    operator std::uint32_t() const
    {
        return m_bytes[0] | std::uint32_t(m_bytes[1]) << 8 | std::uint32_t(m_bytes[2]) << 16;
    }
    ThreeByteNumber &operator=(std::uint32_t value)
    {
        m_bytes[0] = std::uint8_t(value);
        m_bytes[1] = std::uint8_t(value >> 8);
        m_bytes[2] = std::uint8_t(value >> 16);
        return *this;
    }

private:
    std::uint8_t m_bytes[3];
};

/// The columns of 1,024 cards. Chunks never move, so a larger pool neither copies nor leaves slack behind.
struct CardChunk
{
    static constexpr std::size_t cards = 1024;
    static constexpr float perHundredth = 100.0f;
    static constexpr std::uint16_t noPercent = 0xFFFF;
    static constexpr std::int16_t noDegrees = -0x8000;
    static constexpr std::uint32_t manyPods = 1u << 31; ///< marks an index of the side table in `pods`

    // Bits of `live`: what the store itself knows of a card.
    static constexpr std::uint8_t used = 1, fresh = 2, sameUuid = 4, severalExporters = 8, errorReported = 16,
                                  hasSlices = 32, marked = 64;

    ThreeByteNumber node[cards];
    ThreeByteNumber ordinal[cards];
    ThreeByteNumber traits[cards];
    ThreeByteNumber workload[cards]; ///< number of a set of workloads, 0: none
    std::uint32_t pods[cards];       ///< the pod, or manyPods | index
    float memoryUsed[cards];
    float power[cards];
    std::uint32_t sampledLow[cards]; ///< milliseconds since 2020, 40 bits; 0: never
    std::uint16_t model[cards];
    std::uint16_t slot[cards];
    std::uint16_t utilization[cards]; ///< hundredths of a per cent
    std::int16_t temperature[cards];  ///< hundredths of a degree
    std::uint8_t sampledHigh[cards];
    std::uint8_t state[cards]; ///< label (3 bits), health by Kubernetes (2), health by the exporter (2)
    std::uint8_t live[cards];
    std::array<std::uint8_t, 16> uuid[cards];
};

/// One card's place in its chunk.
struct StoredCard
{
    CardChunk &chunk;
    std::size_t at;

    bool is(std::uint8_t bit) const { return chunk.live[at] & bit; }
    void set(std::uint8_t bit, bool on)
    {
        chunk.live[at] = std::uint8_t(on ? chunk.live[at] | bit : chunk.live[at] & ~bit);
    }

    BusinessLabel label() const { return BusinessLabel(chunk.state[at] & 7); }
    CardHealth kubernetesHealth() const { return CardHealth(chunk.state[at] >> 3 & 3); }
    CardHealth exporterHealth() const { return CardHealth(chunk.state[at] >> 5 & 3); }
    void setState(BusinessLabel label, CardHealth kubernetes, CardHealth exporter)
    {
        chunk.state[at] = std::uint8_t(unsigned(label) | unsigned(kubernetes) << 3 | unsigned(exporter) << 5);
    }
    CardHealth health() const
    {
        const CardHealth one = kubernetesHealth();
        const CardHealth other = exporterHealth();
        return one > other ? one
                           : other; // in order of the enumeration: the worse wins, unreported never does
    }
    bool healthContradicted() const
    {
        return kubernetesHealth() != exporterHealth() && kubernetesHealth() != CardHealth::NotReported &&
               exporterHealth() != CardHealth::NotReported;
    }

    static constexpr std::chrono::sys_days sampleEpoch{std::chrono::year{2020} / 1 / 1};
    bool sampled() const { return chunk.sampledLow[at] || chunk.sampledHigh[at]; }
    Instant sampledAt() const
    {
        return Instant(sampleEpoch) + std::chrono::milliseconds(std::int64_t(
                                          std::uint64_t(chunk.sampledHigh[at]) << 32 | chunk.sampledLow[at]));
    }
    void setSampledAt(Instant instant)
    {
        std::int64_t since = (instant - Instant(sampleEpoch)).count();
        since = since < 1 ? 1 : since >= std::int64_t(1) << 40 ? (std::int64_t(1) << 40) - 1 : since;
        chunk.sampledLow[at] = std::uint32_t(since);
        chunk.sampledHigh[at] = std::uint8_t(since >> 32);
    }

    float utilization() const
    {
        const std::uint16_t value = chunk.utilization[at];
        return value == CardChunk::noPercent ? notReported : float(value) / CardChunk::perHundredth;
    }
    float temperature() const
    {
        const std::int16_t value = chunk.temperature[at];
        return value == CardChunk::noDegrees ? notReported : float(value) / CardChunk::perHundredth;
    }
    void setUtilization(float percent)
    {
        chunk.utilization[at] = percent >= 0 && percent < 655
                                    ? std::uint16_t(percent * CardChunk::perHundredth + 0.5f)
                                    : CardChunk::noPercent;
    }
    void setTemperature(float celsius)
    {
        chunk.temperature[at] =
            celsius > -300 && celsius < 300
                ? std::int16_t(celsius * CardChunk::perHundredth + (celsius < 0 ? -0.5f : 0.5f))
                : CardChunk::noDegrees;
    }
    void forgetTelemetry()
    {
        chunk.memoryUsed[at] = chunk.power[at] = notReported;
        chunk.sampledLow[at] = 0;
        chunk.sampledHigh[at] = 0;
        chunk.utilization[at] = CardChunk::noPercent;
        chunk.temperature[at] = CardChunk::noDegrees;
    }
};

/// All cards' columns; grows a chunk at a time.
class CardColumns
{
public:
    StoredCard operator[](std::uint32_t card) const
    {
        return {*m_chunks[card / CardChunk::cards], card % CardChunk::cards};
    }
    std::uint32_t size() const { return m_size; }
    /// One more slot, all zero.
    std::uint32_t append()
    {
        if (m_size == m_chunks.size() * CardChunk::cards)
            m_chunks.push_back(std::make_unique<CardChunk>());
        return m_size++;
    }
    std::size_t bytes() const
    {
        return m_chunks.size() * sizeof(CardChunk) + m_chunks.capacity() * sizeof(m_chunks[0]);
    }

private:
    std::vector<std::unique_ptr<CardChunk>> m_chunks;
    std::uint32_t m_size = 0;
};

} // namespace tongchi
