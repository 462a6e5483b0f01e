#include "platform/simulator/promql_grammar.h"

#include <algorithm>
#include <array>
#include <utility>

namespace tongchi {

namespace {

constexpr std::array<PromqlOperatorRow, 16> operatorRows{{
    {"or", PromOperator::Or, 1},
    {"and", PromOperator::And, 2},
    {"unless", PromOperator::Unless, 2},
    {"==", PromOperator::Equal, 3},
    {"!=", PromOperator::NotEqual, 3},
    {">=", PromOperator::GreaterEqual, 3},
    {"<=", PromOperator::LessEqual, 3},
    {">", PromOperator::Greater, 3},
    {"<", PromOperator::Less, 3},
    {"+", PromOperator::Add, 4},
    {"-", PromOperator::Subtract, 4},
    {"*", PromOperator::Multiply, 5},
    {"/", PromOperator::Divide, 5},
    {"%", PromOperator::Modulo, 5},
    {"atan2", PromOperator::Atan2, 5},
    {"^", PromOperator::Power, 6},
}};

constexpr std::array<std::pair<std::string_view, PromAggregate>, 12> aggregateNames{{
    {"sum", PromAggregate::Sum},
    {"avg", PromAggregate::Avg},
    {"min", PromAggregate::Min},
    {"max", PromAggregate::Max},
    {"count", PromAggregate::Count},
    {"group", PromAggregate::Group},
    {"stddev", PromAggregate::Stddev},
    {"stdvar", PromAggregate::Stdvar},
    {"topk", PromAggregate::TopK},
    {"bottomk", PromAggregate::BottomK},
    {"quantile", PromAggregate::Quantile},
    {"count_values", PromAggregate::CountValues},
}};

} // namespace

std::optional<PromqlError> promqlBinaryFault(const PromExpression &node)
{
    const PromType left = node.arguments[0]->type;
    const PromType right = node.arguments[1]->type;
    const auto plain = [](PromType type) { return type == PromType::Scalar || type == PromType::Vector; };
    const bool scalars = left == PromType::Scalar && right == PromType::Scalar;
    const bool oneScalar = left == PromType::Scalar || right == PromType::Scalar;
    if (!plain(left) || !plain(right))
        return PromqlError{plain(left) ? node.arguments[1]->position : node.position,
                           "binary expression must contain only scalar and instant vector types"};
    if (scalars && isComparison(node.operation) && !node.asBool)
        return PromqlError{node.operatorPosition, "comparisons between scalars must use BOOL modifier"};
    if (oneScalar && isSetOperator(node.operation))
        return PromqlError{node.position, "set operator " + promqlQuoted(promOperatorName(node.operation)) +
                                              " not allowed in binary scalar expression"};
    if (oneScalar && node.matched && !node.labels.empty())
        return PromqlError{node.position, "vector matching only allowed between instant vectors"};
    for (const std::string &name : node.include) {
        if (!node.without && std::find(node.labels.begin(), node.labels.end(), name) != node.labels.end())
            return PromqlError{node.operatorPosition, "label " + promqlQuoted(name) +
                                                          " must not occur in ON and GROUP clause at once"};
    }
    return std::nullopt;
}

std::optional<PromMatcher::Kind> promqlMatcherKind(const PromqlToken &token)
{
    if (token.kind != PromqlToken::Kind::Operator)
        return std::nullopt;
    if (token.text == "=")
        return PromMatcher::Kind::Equal;
    if (token.text == "!=")
        return PromMatcher::Kind::NotEqual;
    if (token.text == "=~")
        return PromMatcher::Kind::Matches;
    return token.text == "!~" ? std::optional(PromMatcher::Kind::NotMatches) : std::nullopt;
}

std::string promqlLowered(std::string text)
{
    for (char &c : text)
        c = c >= 'A' && c <= 'Z' ? char(c + 32) : c;
    return text;
}

const PromqlOperatorRow *promqlOperatorOf(const PromqlToken &token)
{
    if (token.kind != PromqlToken::Kind::Operator && token.kind != PromqlToken::Kind::Word)
        return nullptr;
    const std::string name = token.kind == PromqlToken::Kind::Word ? promqlLowered(token.text) : token.text;
    for (const PromqlOperatorRow &row : operatorRows) {
        if (row.name == name)
            return &row;
    }
    return nullptr;
}

std::optional<PromAggregate> promqlAggregateOf(const PromqlToken &token)
{
    if (token.kind != PromqlToken::Kind::Word)
        return std::nullopt;
    const std::string name = promqlLowered(token.text);
    for (const auto &[text, aggregate] : aggregateNames) {
        if (text == name)
            return aggregate;
    }
    return std::nullopt;
}

std::string promqlQuoted(std::string_view text)
{
    std::string out("\"");
    for (const char c : text) {
        if (c == '"' || c == '\\')
            out += '\\';
        out += c;
    }
    return out + '"';
}

std::string promqlTokenText(const PromqlToken &token)
{
    switch (token.kind) {
    case PromqlToken::Kind::Broken: // says itself what is wrong
    case PromqlToken::Kind::End:
        return "end of input";
    case PromqlToken::Kind::Number:
        return "number " + promqlQuoted(token.text);
    case PromqlToken::Kind::Duration:
        return "duration " + promqlQuoted(token.text);
    case PromqlToken::Kind::Text:
        return "string " + promqlQuoted(promqlQuoted(token.text));
    case PromqlToken::Kind::Word:
        if (promqlAggregateOf(token))
            return "<aggr:" + promqlLowered(token.text) + ">";
        if (promqlOperatorOf(token) != nullptr)
            return "<op:" + promqlLowered(token.text) + ">";
        for (const std::string_view keyword : {"bool", "by", "without", "on", "ignoring", "group_left",
                                               "group_right", "offset", "start", "end"}) {
            if (promqlLowered(token.text) == keyword)
                return "<" + std::string(keyword) + ">";
        }
        return "identifier " + promqlQuoted(token.text);
    case PromqlToken::Kind::Operator:
        break;
    }
    return promqlOperatorOf(token) != nullptr || token.text == "=" ? "<op:" + token.text + ">"
                                                                   : promqlQuoted(token.text);
}

std::string promqlLocated(std::string_view query, const PromqlError &fault)
{
    std::size_t line = 1;
    std::size_t column = fault.position + 1;
    for (std::size_t i = 0; i < std::min(fault.position, query.size()); ++i) {
        if (query[i] == '\n') {
            ++line;
            column = fault.position - i;
        }
    }
    return std::to_string(line) + ':' + std::to_string(column) + ": parse error: " + fault.text;
}

std::string promqlArgumentFault(const PromFunction &function, int count)
{
    const std::string call =
        " argument(s) in call to " + promqlQuoted(function.name) + ", got " + std::to_string(count);
    if (function.leastArguments == function.mostArguments && count != function.leastArguments)
        return "expected " + std::to_string(function.leastArguments) + call;
    if (count < function.leastArguments)
        return "expected at least " + std::to_string(function.leastArguments) + call;
    if (function.mostArguments >= 0 && count > function.mostArguments)
        return "expected at most " + std::to_string(function.mostArguments) + call;
    return {};
}

bool isSetOperator(PromOperator operation)
{
    return operation == PromOperator::And || operation == PromOperator::Or ||
           operation == PromOperator::Unless;
}

bool isComparison(PromOperator operation)
{
    return operation >= PromOperator::Equal && operation <= PromOperator::LessEqual;
}

std::string_view promOperatorName(PromOperator operation)
{
    for (const PromqlOperatorRow &row : operatorRows) {
        if (row.operation == operation)
            return row.name;
    }
    return {};
}

} // namespace tongchi
