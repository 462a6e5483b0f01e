#pragma once

#include "platform/simulator/promql_labels.h"
#include "platform/simulator/promql_matcher.h"

#include <vector>

namespace tongchi {

/// One time series of a source. What the numbers mean is the source's affair.
struct PromSeries
{
    PromLabelsPtr labels;
    qint64 fromMs = 0; ///< exists from here
    qint64 toMs = 0;   ///< to before here; a staleness marker follows at once
    quint32 entity = 0;
    quint16 metric = 0;
    quint16 part = 0;
    qint32 phaseMs = 0;   ///< scraped at phase + n * interval
    bool stuck = false;   ///< its exporter serves a cache that is over two minutes old
    bool lingers = false; ///< carries its own timestamps, so it is found for the full look-back after its end
};

struct PromPoint
{
    qint64 ms = 0;
    double value = 0;
};

/// Where PromQL's samples come from. Thread-safe.
class SeriesSource
{
public:
    virtual ~SeriesSource();
    /// Series that match and may have a sample in [fromMs, toMs].
    virtual std::vector<PromSeries> select(const std::vector<PromMatcher> &matchers, qint64 fromMs,
                                           qint64 toMs) const = 0;
    /// The newest sample in (atMs - lookbackMs, atMs]; false: none.
    virtual bool newestAt(const PromSeries &series, qint64 atMs, qint64 lookbackMs,
                          PromPoint &point) const = 0;
    /// Appends the samples in [fromMs, toMs] in order.
    virtual void samplesIn(const PromSeries &series, qint64 fromMs, qint64 toMs,
                           std::vector<PromPoint> &points) const = 0;
    /// The newest sample between the two, both included; false: there is none.
    virtual bool newestIn(const PromSeries &series, qint64 fromMs, qint64 toMs, PromPoint &point) const
    {
        std::vector<PromPoint> points;
        samplesIn(series, fromMs, toMs, points);
        if (points.empty())
            return false;
        point = points.back();
        return true;
    }
};

} // namespace tongchi
