#pragma once

#include "platform/simulator/promql_evaluator.h"

#include <map>

namespace tongchi {

/// What the evaluator remembers of one node from step to step.
struct PromEvaluator::State
{
    using Map = std::unordered_map<const PromLabels *, const PromLabels *>;
    struct PairHash
    {
        std::size_t operator()(const std::pair<const PromLabels *, const PromLabels *> &pair) const
        {
            return std::hash<const void *>()(pair.first) * 31 + std::hash<const void *>()(pair.second);
        }
    };

    qint64 fromMs = 0; ///< instants the node is asked for
    qint64 toMs = 0;
    bool selected = false;
    std::vector<PromSeries> series;
    std::vector<const PromLabels *> seriesLabels;
    /// By series: another one of the same labels, at another time, which a window sees as one with it; or
    /// itself.
    std::vector<std::size_t> continuedBy;
    std::vector<std::uint8_t> continues; ///< 1: is some other's continuation
    Map renamed;
    Map signatures;
    std::unordered_map<std::pair<const PromLabels *, const PromLabels *>, const PromLabels *, PairHash> pairs;
    std::vector<StringId> names; ///< of by, without, on, ignoring
    std::vector<StringId> included;
    bool namesKnown = false;
    std::map<qint64, PromVector> subquery;
    const PromLabels *absent = nullptr;
    std::vector<PromPoint> points;
};

} // namespace tongchi
