#pragma once

#include "platform/simulator/promql_functions.h"
#include "platform/simulator/series_source.h"

#include <span>

namespace tongchi {

/// The window a range function looks at.
struct PromWindow
{
    qint64 fromMs = 0;
    qint64 toMs = 0;
};

/// Value of an ..._over_time or rate-like function over the points; false: no result for this series.
/// `parameter` is the quantile or, for predict_linear, the seconds ahead.
bool evaluateRangeFunction(PromCall call, std::span<const PromPoint> points, const PromWindow &window,
                           double parameter, double &result);

/// Linear interpolation between ranks; sorts its argument.
double promQuantile(double quantile, std::vector<double> &values);

/// Prometheus' number text: no exponent between 1e-6 and 1e21.
QByteArray promNumber(double value);

} // namespace tongchi
