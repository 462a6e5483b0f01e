#include "platform/simulator/promql_range_functions.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>

namespace tongchi {

namespace {

/// rate, increase and delta, with Prometheus' extrapolation to the ends of the window.
bool extrapolated(std::span<const PromPoint> points, const PromWindow &window, bool counter, bool perSecond,
                  double &result)
{
    if (points.size() < 2)
        return false;
    const PromPoint &first = points.front();
    const PromPoint &last = points.back();
    double change = last.value - first.value;
    if (counter) {
        for (std::size_t i = 1; i < points.size(); ++i) {
            if (points[i].value < points[i - 1].value)
                change += points[i - 1].value;
        }
    }
    double toStart = double(first.ms - window.fromMs) / 1000;
    const double toEnd = double(window.toMs - last.ms) / 1000;
    const double sampled = double(last.ms - first.ms) / 1000;
    const double average = sampled / double(points.size() - 1);
    if (counter && change > 0 && first.value >= 0) {
        // A counter cannot have been below zero.
        const double toZero = sampled * (first.value / change);
        toStart = std::min(toStart, toZero);
    }
    const double threshold = average * 1.1;
    double length = sampled;
    length += toStart < threshold ? toStart : average / 2;
    length += toEnd < threshold ? toEnd : average / 2;
    result = change * (length / sampled);
    if (perSecond)
        result /= double(window.toMs - window.fromMs) / 1000;
    return true;
}

/// Least squares; the intercept is at `originMs`.
void regression(std::span<const PromPoint> points, qint64 originMs, double &slope, double &intercept)
{
    double n = 0;
    double sumX = 0;
    double sumY = 0;
    double sumXY = 0;
    double sumXX = 0;
    for (const PromPoint &point : points) {
        const double x = double(point.ms - originMs) / 1000;
        n += 1;
        sumX += x;
        sumY += point.value;
        sumXY += x * point.value;
        sumXX += x * x;
    }
    const double covariance = sumXY - sumX * sumY / n;
    const double variance = sumXX - sumX * sumX / n;
    slope = covariance / variance;
    intercept = sumY / n - slope * sumX / n;
}

double varianceOf(std::span<const PromPoint> points)
{
    double mean = 0;
    double sum = 0;
    double count = 0;
    for (const PromPoint &point : points) {
        count += 1;
        const double delta = point.value - mean;
        mean += delta / count;
        sum += delta * (point.value - mean);
    }
    return sum / count;
}

} // namespace

double promQuantile(double quantile, std::vector<double> &values)
{
    if (values.empty() || std::isnan(quantile))
        return std::numeric_limits<double>::quiet_NaN();
    if (quantile < 0)
        return -std::numeric_limits<double>::infinity();
    if (quantile > 1)
        return std::numeric_limits<double>::infinity();
    std::sort(values.begin(), values.end());
    const double rank = quantile * double(values.size() - 1);
    const auto lower = std::size_t(std::max(0.0, std::floor(rank)));
    const std::size_t upper = std::min(values.size() - 1, lower + 1);
    const double weight = rank - std::floor(rank);
    return values[lower] * (1 - weight) + values[upper] * weight;
}

QByteArray promNumber(double value)
{
    if (std::isnan(value))
        return "NaN";
    if (std::isinf(value))
        return value > 0 ? "+Inf" : "-Inf";
    if (value == std::trunc(value) && std::abs(value) < 1e15 && !(value == 0 && std::signbit(value)))
        return QByteArray::number(qlonglong(value));
    // Never an exponent: the shortest digits, filled up with zeros where to_chars would write the exact
    // number.
    std::array<char, 64> text{};
    const auto [end, fault] =
        std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::scientific);
    const QByteArray scientific(text.data(), end - text.data());
    const qsizetype e = scientific.indexOf('e');
    const int exponent = scientific.mid(e + 1).toInt();
    QByteArray digits = scientific.left(e);
    const QByteArray sign = digits.startsWith('-') ? "-" : "";
    digits.remove(0, sign.size()).replace('.', "");
    const qsizetype whole = exponent + 1;
    if (whole <= 0)
        return digits == "0" ? QByteArray(sign + '0')
                             : QByteArray(sign + "0." + QByteArray(-whole, '0') + digits);
    if (digits.size() <= whole)
        return sign + digits + QByteArray(whole - digits.size(), '0');
    return sign + digits.left(whole) + '.' + digits.mid(whole);
}

bool evaluateRangeFunction(PromCall call, std::span<const PromPoint> points, const PromWindow &window,
                           double parameter, double &result)
{
    if (points.empty())
        return false;
    const auto fold = [&](auto step) {
        result = points.front().value;
        for (const PromPoint &point : points.subspan(1))
            result = step(result, point.value);
        return true;
    };
    switch (call) {
    case PromCall::Rate:
        return extrapolated(points, window, true, true, result);
    case PromCall::Increase:
        return extrapolated(points, window, true, false, result);
    case PromCall::Delta:
        return extrapolated(points, window, false, false, result);
    case PromCall::Irate:
    case PromCall::Idelta: {
        if (points.size() < 2)
            return false;
        const PromPoint &last = points[points.size() - 1];
        const PromPoint &before = points[points.size() - 2];
        if (last.ms == before.ms)
            return false;
        result =
            call == PromCall::Irate && last.value < before.value ? last.value : last.value - before.value;
        if (call == PromCall::Irate)
            result /= double(last.ms - before.ms) / 1000;
        return true;
    }
    case PromCall::Deriv:
    case PromCall::PredictLinear: {
        if (points.size() < 2)
            return false;
        double slope = 0;
        double intercept = 0;
        regression(points, call == PromCall::Deriv ? points.front().ms : window.toMs, slope, intercept);
        result = call == PromCall::Deriv ? slope : slope * parameter + intercept;
        return true;
    }
    case PromCall::Changes:
    case PromCall::Resets: {
        result = 0;
        for (std::size_t i = 1; i < points.size(); ++i) {
            const double a = points[i - 1].value;
            const double b = points[i].value;
            const bool hit = call == PromCall::Resets ? b < a : b != a && !(std::isnan(a) && std::isnan(b));
            result += hit ? 1 : 0;
        }
        return true;
    }
    case PromCall::SumOverTime:
        return fold([](double a, double b) { return a + b; });
    case PromCall::AvgOverTime:
        fold([](double a, double b) { return a + b; });
        result /= double(points.size());
        return true;
    case PromCall::MinOverTime:
        return fold([](double a, double b) { return b < a || std::isnan(a) ? b : a; });
    case PromCall::MaxOverTime:
        return fold([](double a, double b) { return b > a || std::isnan(a) ? b : a; });
    case PromCall::CountOverTime:
        result = double(points.size());
        return true;
    case PromCall::PresentOverTime:
        result = 1;
        return true;
    case PromCall::LastOverTime:
        result = points.back().value;
        return true;
    case PromCall::StddevOverTime:
        result = std::sqrt(varianceOf(points));
        return true;
    case PromCall::StdvarOverTime:
        result = varianceOf(points);
        return true;
    case PromCall::QuantileOverTime: {
        std::vector<double> values;
        values.reserve(points.size());
        for (const PromPoint &point : points)
            values.push_back(point.value);
        result = promQuantile(parameter, values);
        return true;
    }
    default:
        return false;
    }
}

} // namespace tongchi
