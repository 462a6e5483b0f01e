#include "platform/simulator/promql_functions.h"

namespace tongchi {

namespace {

constexpr PromType S = PromType::Scalar;
constexpr PromType V = PromType::Vector;
constexpr PromType M = PromType::Matrix;
constexpr PromType T = PromType::Text;

constexpr std::array<PromFunction, 50> promFunctions{{
    {"abs", PromCall::Abs, V, 1, 1, {V}},
    {"absent", PromCall::Absent, V, 1, 1, {V}},
    {"absent_over_time", PromCall::AbsentOverTime, V, 1, 1, {M}},
    {"avg_over_time", PromCall::AvgOverTime, V, 1, 1, {M}},
    {"ceil", PromCall::Ceil, V, 1, 1, {V}},
    {"changes", PromCall::Changes, V, 1, 1, {M}},
    {"clamp", PromCall::Clamp, V, 3, 3, {V, S, S}},
    {"clamp_max", PromCall::ClampMax, V, 2, 2, {V, S}},
    {"clamp_min", PromCall::ClampMin, V, 2, 2, {V, S}},
    {"count_over_time", PromCall::CountOverTime, V, 1, 1, {M}},
    {"day_of_month", PromCall::DayOfMonth, V, 0, 1, {V}},
    {"day_of_week", PromCall::DayOfWeek, V, 0, 1, {V}},
    {"days_in_month", PromCall::DaysInMonth, V, 0, 1, {V}},
    {"delta", PromCall::Delta, V, 1, 1, {M}},
    {"deriv", PromCall::Deriv, V, 1, 1, {M}},
    {"exp", PromCall::Exp, V, 1, 1, {V}},
    {"floor", PromCall::Floor, V, 1, 1, {V}},
    {"histogram_quantile", PromCall::HistogramQuantile, V, 2, 2, {S, V}},
    {"hour", PromCall::Hour, V, 0, 1, {V}},
    {"idelta", PromCall::Idelta, V, 1, 1, {M}},
    {"increase", PromCall::Increase, V, 1, 1, {M}},
    {"irate", PromCall::Irate, V, 1, 1, {M}},
    {"label_join", PromCall::LabelJoin, V, 3, -1, {V, T, T, T}},
    {"label_replace", PromCall::LabelReplace, V, 5, 5, {V, T, T, T, T}},
    {"last_over_time", PromCall::LastOverTime, V, 1, 1, {M}},
    {"ln", PromCall::Ln, V, 1, 1, {V}},
    {"log10", PromCall::Log10, V, 1, 1, {V}},
    {"log2", PromCall::Log2, V, 1, 1, {V}},
    {"max_over_time", PromCall::MaxOverTime, V, 1, 1, {M}},
    {"min_over_time", PromCall::MinOverTime, V, 1, 1, {M}},
    {"minute", PromCall::Minute, V, 0, 1, {V}},
    {"month", PromCall::Month, V, 0, 1, {V}},
    {"predict_linear", PromCall::PredictLinear, V, 2, 2, {M, S}},
    {"present_over_time", PromCall::PresentOverTime, V, 1, 1, {M}},
    {"quantile_over_time", PromCall::QuantileOverTime, V, 2, 2, {S, M}},
    {"rate", PromCall::Rate, V, 1, 1, {M}},
    {"resets", PromCall::Resets, V, 1, 1, {M}},
    {"round", PromCall::Round, V, 1, 2, {V, S}},
    {"scalar", PromCall::Scalar, S, 1, 1, {V}},
    {"sgn", PromCall::Sgn, V, 1, 1, {V}},
    {"sort", PromCall::Sort, V, 1, 1, {V}},
    {"sort_desc", PromCall::SortDesc, V, 1, 1, {V}},
    {"sqrt", PromCall::Sqrt, V, 1, 1, {V}},
    {"stddev_over_time", PromCall::StddevOverTime, V, 1, 1, {M}},
    {"stdvar_over_time", PromCall::StdvarOverTime, V, 1, 1, {M}},
    {"sum_over_time", PromCall::SumOverTime, V, 1, 1, {M}},
    {"time", PromCall::Time, S, 0, 0, {}},
    {"timestamp", PromCall::Timestamp, V, 1, 1, {V}},
    {"vector", PromCall::Vector, V, 1, 1, {S}},
    {"year", PromCall::Year, V, 0, 1, {V}},
}};

} // namespace

std::string_view promTypeName(PromType type)
{
    switch (type) {
    case PromType::Scalar:
        return "scalar";
    case PromType::Vector:
        return "instant vector";
    case PromType::Matrix:
        return "range vector";
    case PromType::Text:
        break;
    }
    return "string";
}

const PromFunction *findPromFunction(std::string_view name)
{
    for (const PromFunction &function : promFunctions) {
        if (function.name == name)
            return &function;
    }
    return nullptr;
}

} // namespace tongchi
