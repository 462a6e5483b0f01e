#pragma once

#include "platform/simulator/promql_parser.h"

#include <optional>
#include <string>

namespace tongchi {

struct PromqlOperatorRow
{
    std::string_view name;
    PromOperator operation;
    int precedence; ///< higher binds tighter
};

/// Null: the token is no binary operator.
const PromqlOperatorRow *promqlOperatorOf(const PromqlToken &token);
std::optional<PromAggregate> promqlAggregateOf(const PromqlToken &token);
std::optional<PromMatcher::Kind> promqlMatcherKind(const PromqlToken &token);

std::string promqlLowered(std::string text);
/// In double quotes, escaped.
std::string promqlQuoted(std::string_view text);
/// How an error text names a token: `identifier "x"`, `<op:+>`, `end of input`.
std::string promqlTokenText(const PromqlToken &token);

/// "1:17: parse error: unclosed left parenthesis"
std::string promqlLocated(std::string_view query, const PromqlError &fault);
/// What is wrong with an operation whose operands have their types; nothing: it is right.
std::optional<PromqlError> promqlBinaryFault(const PromExpression &node);
/// Why a function cannot take that many arguments; empty: it can.
std::string promqlArgumentFault(const PromFunction &function, int count);

} // namespace tongchi
