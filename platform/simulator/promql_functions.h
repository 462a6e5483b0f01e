#pragma once

#include <array>
#include <string_view>

namespace tongchi {

enum class PromType : unsigned char { Scalar, Vector, Matrix, Text };

/// "instant vector", as error texts call it.
std::string_view promTypeName(PromType type);

enum class PromCall : unsigned char {
    Abs,
    Absent,
    AbsentOverTime,
    AvgOverTime,
    Ceil,
    Changes,
    Clamp,
    ClampMax,
    ClampMin,
    CountOverTime,
    DayOfMonth,
    DayOfWeek,
    DaysInMonth,
    Delta,
    Deriv,
    Exp,
    Floor,
    HistogramQuantile,
    Hour,
    Idelta,
    Increase,
    Irate,
    LabelJoin,
    LabelReplace,
    LastOverTime,
    Ln,
    Log10,
    Log2,
    MaxOverTime,
    MinOverTime,
    Minute,
    Month,
    PredictLinear,
    PresentOverTime,
    QuantileOverTime,
    Rate,
    Resets,
    Round,
    Scalar,
    Sgn,
    Sort,
    SortDesc,
    Sqrt,
    StddevOverTime,
    StdvarOverTime,
    SumOverTime,
    Time,
    Timestamp,
    Vector,
    Year,
};

struct PromFunction
{
    std::string_view name;
    PromCall call;
    PromType result;
    int leastArguments;
    int mostArguments; ///< -1: any number, the last type repeated
    std::array<PromType, 5> types;
};

/// Null: there is no such function.
const PromFunction *findPromFunction(std::string_view name);

} // namespace tongchi
