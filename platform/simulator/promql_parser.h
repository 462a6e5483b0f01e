#pragma once

#include "platform/simulator/promql_functions.h"
#include "platform/simulator/promql_lexer.h"
#include "platform/simulator/promql_matcher.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tongchi {

enum class PromOperator : unsigned char {
    Add,
    Subtract,
    Multiply,
    Divide,
    Modulo,
    Power,
    Atan2,
    Equal,
    NotEqual,
    Greater,
    Less,
    GreaterEqual,
    LessEqual,
    And,
    Or,
    Unless,
};

enum class PromAggregate : unsigned char {
    Sum,
    Avg,
    Min,
    Max,
    Count,
    Group,
    Stddev,
    Stdvar,
    TopK,
    BottomK,
    Quantile,
    CountValues
};

/// One node of a query's tree.
struct PromExpression
{
    enum class Kind : unsigned char {
        Number,
        Text,
        Selector,
        Range,
        Subquery,
        Call,
        Aggregate,
        Binary,
        Negate
    };
    enum class At : unsigned char { None, Time, Start, End };
    enum class Grouping : unsigned char { OneToOne, ManyToOne, OneToMany };

    Kind kind = Kind::Number;
    PromType type = PromType::Scalar;
    std::size_t position = 0;
    std::size_t operatorPosition = 0; ///< Binary
    bool parenthesized = false;
    double number = 0;
    std::string text;

    std::vector<PromMatcher> matchers; ///< Selector; Range has the selector as its only argument
    qint64 rangeMs = 0;
    qint64 stepMs = 0; ///< Subquery; 0: the default
    qint64 offsetMs = 0;
    At at = At::None;
    qint64 atMs = 0;

    const PromFunction *function = nullptr;
    PromAggregate aggregate = PromAggregate::Sum;
    bool without = false;            ///< Aggregate; Binary: ignoring
    bool grouped = false;            ///< by or without was written
    std::vector<std::string> labels; ///< of by, without, on, ignoring

    PromOperator operation = PromOperator::Add;
    bool asBool = false;
    bool matched = false; ///< Binary: on or ignoring was written
    Grouping grouping = Grouping::OneToOne;
    std::vector<std::string> include; ///< of group_left, group_right

    std::vector<std::unique_ptr<PromExpression>> arguments;
};

bool isSetOperator(PromOperator operation);
bool isComparison(PromOperator operation);
std::string_view promOperatorName(PromOperator operation);

/// Reads and type-checks a query. Null and `error` filled: it is none. The text of an error is complete
/// ("1:17: parse error: unclosed left parenthesis").
std::unique_ptr<PromExpression> parsePromql(std::string_view query, std::string &error);

/// A metric selector alone, as match[] takes it.
bool parsePromSelector(std::string_view text, std::vector<PromMatcher> &matchers, std::string &error);

} // namespace tongchi
