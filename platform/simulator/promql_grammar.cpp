#include "platform/simulator/promql_grammar.h"

#include <array>
#include <utility>

namespace tongchi {

namespace {

constexpr std::array<PromqlOperatorRow, 16> operatorRows{{
    {"or", PromOperator::Or, 1}, {"and", PromOperator::And, 2}, {"unless", PromOperator::Unless, 2},
    {"==", PromOperator::Equal, 3}, {"!=", PromOperator::NotEqual, 3}, {">=", PromOperator::GreaterEqual, 3},
    {"<=", PromOperator::LessEqual, 3}, {">", PromOperator::Greater, 3}, {"<", PromOperator::Less, 3},
    {"+", PromOperator::Add, 4}, {"-", PromOperator::Subtract, 4}, {"*", PromOperator::Multiply, 5},
    {"/", PromOperator::Divide, 5}, {"%", PromOperator::Modulo, 5}, {"atan2", PromOperator::Atan2, 5},
    {"^", PromOperator::Power, 6},
}};

constexpr std::array<std::pair<std::string_view, PromAggregate>, 12> aggregateNames{{
    {"sum", PromAggregate::Sum}, {"avg", PromAggregate::Avg}, {"min", PromAggregate::Min}, {"max", PromAggregate::Max},
    {"count", PromAggregate::Count}, {"group", PromAggregate::Group}, {"stddev", PromAggregate::Stddev},
    {"stdvar", PromAggregate::Stdvar}, {"topk", PromAggregate::TopK}, {"bottomk", PromAggregate::BottomK},
    {"quantile", PromAggregate::Quantile}, {"count_values", PromAggregate::CountValues},
}};

} // namespace

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
    case PromqlToken::Kind::End: return "end of input";
    case PromqlToken::Kind::Number: return "number " + promqlQuoted(token.text);
    case PromqlToken::Kind::Duration: return "duration " + promqlQuoted(token.text);
    case PromqlToken::Kind::Text: return "string " + promqlQuoted(promqlQuoted(token.text));
    case PromqlToken::Kind::Word:
        if (promqlAggregateOf(token))
            return "<aggr:" + promqlLowered(token.text) + ">";
        if (promqlOperatorOf(token) != nullptr)
            return "<op:" + promqlLowered(token.text) + ">";
        for (const std::string_view keyword : {"bool", "by", "without", "on", "ignoring", "group_left", "group_right", "offset", "start", "end"}) {
            if (promqlLowered(token.text) == keyword)
                return "<" + std::string(keyword) + ">";
        }
        return "identifier " + promqlQuoted(token.text);
    case PromqlToken::Kind::Operator: break;
    }
    return promqlOperatorOf(token) != nullptr || token.text == "=" ? "<op:" + token.text + ">" : promqlQuoted(token.text);
}

bool isSetOperator(PromOperator operation)
{
    return operation == PromOperator::And || operation == PromOperator::Or || operation == PromOperator::Unless;
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
