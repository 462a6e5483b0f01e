#include "platform/simulator/load_model.h"

#include "platform/simulator/fleet_hash.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace tongchi {

namespace {

constexpr qint64 dayMs = 86'400'000;
constexpr qint64 beijingOffsetMs = 8 * 3'600'000;

/// Smooth noise in [-1, 1]: random values every `period`, eased between them.
double smoothNoise(std::uint64_t key, qint64 unixMs, qint64 period)
{
    const qint64 knot = unixMs / period;
    const double part = double(unixMs % period) / double(period);
    const double a = fleetUnit(fleetMix(key + std::uint64_t(knot)));
    const double b = fleetUnit(fleetMix(key + std::uint64_t(knot) + 1));
    const double eased = part * part * (3 - 2 * part);
    return 2 * (a + (b - a) * eased) - 1;
}

} // namespace

double LoadModel::dayCurve(qint64 unixMs)
{
    // Cached per thread: every card of a scrape asks for nearly the same instant.
    thread_local qint64 lastSecond = -1;
    thread_local double last = 0;
    const qint64 second = unixMs / 1000;
    if (second == lastSecond)
        return last;
    const double hour = double((unixMs + beijingOffsetMs) % dayMs) / 3'600'000.0;
    const double wave = (1 + std::cos(2 * std::numbers::pi * (hour - 15.0) / 24)) / 2;
    last = 0.125 + 0.875 * std::pow(wave, 0.8);
    lastSecond = second;
    return last;
}

bool LoadModel::isHot(const SimulatedNode &node, int slot) const
{
    return fleetHash(m_plan.seed(), 700, node.firstCard + quint64(slot)) % 23 == 0;
}

CardSample LoadModel::sample(const SimulatedNode &node, int slot, qint64 unixMs) const
{
    const CardSpec &spec = cardSpec(node.model);
    const std::uint64_t key = fleetHash(m_plan.seed(), 701, node.firstCard + quint64(slot));
    const double taste = fleetUnit(key); // this card's place among its kind
    const double second = fleetUnit(fleetMix(key));
    const double slow = smoothNoise(key ^ 0x51, unixMs, 420'000);
    const double quick = smoothNoise(key ^ 0xa7, unixMs, 20'000);

    double load = 0;
    double memory = 0;
    switch (node.business) {
    case Business::Inference:
        load = dayCurve(unixMs) * (0.31 + 0.522 * taste) * (1 + 0.10 * slow + 0.05 * quick);
        memory = 0.44 + 0.40 * second;
        break;
    case Business::Training:
        load = 0.93 + 0.035 * taste + 0.02 * quick;
        // A checkpoint or evaluation now and then.
        if (fleetMix(key + std::uint64_t(unixMs / 30'000)) % 37 == 0)
            load *= 0.35 + 0.4 * second;
        memory = 0.80 + 0.13 * second;
        break;
    case Business::Mixed:
        load =
            0.42 + 0.42 * dayCurve(unixMs) * (0.5 + 0.6 * taste) + 0.16 * taste + 0.05 * slow + 0.03 * quick;
        memory = 0.74 + 0.20 * second;
        break;
    case Business::Idle:
        load = std::max(0.0, 0.018 + 0.014 * slow + 0.008 * quick);
        memory = 0.012 + 0.04 * second;
        break;
    }
    memory += 0.008 * slow;
    if (node.faultySlot == slot) {
        load = 0;
        memory = 0.005;
    }
    load = std::clamp(load, 0.0, 1.0);

    CardSample sample;
    sample.utilization = std::round(load * 100);
    sample.memoryMiB = std::round(node.memoryMiB() * std::clamp(memory, 0.0, 0.985));
    // Heat lags behind load, so it follows the slow part only.
    const double heat = std::clamp(load - 0.03 * quick, 0.0, 1.0);
    const double hot = isHot(node, slot) ? 9 : 0;
    sample.celsius =
        std::round(spec.idleCelsius + (spec.peakCelsius - spec.idleCelsius) * std::sqrt(heat) * 0.97 +
                   4 * (second - 0.5) + hot * std::sqrt(heat));
    sample.memoryCelsius = sample.celsius + 6 + std::round(6 * heat);
    sample.watts = spec.idleWatts +
                   (spec.peakWatts - spec.idleWatts) * std::pow(load, 0.87) * (0.90 + 0.08 * taste) +
                   1.5 * quick;
    return sample;
}

double LoadModel::shareOf(const SimulatedNode &node, int slot, int share, qint64 unixMs) const
{
    const std::uint64_t key = fleetHash(m_plan.seed(), 702, node.firstCard + quint64(slot));
    const double first = 0.5 + 0.12 * smoothNoise(key, unixMs, 600'000);
    return share == 0 ? first : share == 1 ? (1 - first) * 0.8 : (1 - first) * 0.2;
}

double LoadModel::joules(const SimulatedNode &node, int slot, qint64 unixMs) const
{
    // The mean draw times the age: close enough for a rate over hours, and monotonic at any speed.
    const CardSpec &spec = cardSpec(node.model);
    const double busy = node.business == Business::Training ? 0.93
                        : node.business == Business::Idle   ? 0.02
                                                            : 0.45;
    const double watts = spec.idleWatts + (spec.peakWatts - spec.idleWatts) * busy;
    const std::uint64_t key = fleetHash(m_plan.seed(), 703, node.firstCard + quint64(slot));
    const qint64 bootMs =
        std::chrono::duration_cast<std::chrono::milliseconds>(m_plan.start().time_since_epoch()).count() -
        90 * dayMs - qint64(key % std::uint64_t(200 * dayMs));
    return watts * double(unixMs - bootMs) / 1000;
}

} // namespace tongchi
