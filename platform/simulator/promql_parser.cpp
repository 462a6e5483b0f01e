#include "platform/simulator/promql_parser.h"

#include "platform/simulator/promql_grammar.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace tongchi {

namespace {

using Node = std::unique_ptr<PromExpression>;
using Kind = PromExpression::Kind;

/// Recursive descent; every function returns null or false once m_error is set.
class PromqlParser
{
public:
    explicit PromqlParser(std::string_view query) : m_query(query) {}

    Node parseQuery(std::string &error)
    {
        Node node;
        lexPromql(m_query, m_tokens, m_lexFault);
        if (peek().kind == PromqlToken::Kind::End) {
            fail(0, "no expression found in input");
        } else {
            node = parseBinary(1);
            if (node && peek().kind != PromqlToken::Kind::End)
                unexpected(peek());
        }
        if (!m_failed)
            return node;
        error = promqlLocated(m_query, m_fault);
        return nullptr;
    }

    /// A metric name or braces, and nothing behind them.
    bool parseSelectorOnly(std::vector<PromMatcher> &matchers, std::string &error)
    {
        lexPromql(m_query, m_tokens, m_lexFault);
        Node node;
        if (peek().kind == PromqlToken::Kind::End) {
            fail(0, "no expression found in input");
        } else if (peek().kind == PromqlToken::Kind::Word) {
            const PromqlToken name = next();
            node = parseSelector(name.text, name.position, false);
        } else if (isOperator("{")) {
            node = parseSelector({}, peek().position, false);
        }
        if (!m_failed && (!node || peek().kind != PromqlToken::Kind::End))
            unexpected(peek());
        if (m_failed) {
            error = promqlLocated(m_query, m_fault);
            return false;
        }
        if (!hasSome(*node)) {
            error = "match[] must contain at least one non-empty matcher";
            return false;
        }
        matchers = std::move(node->matchers);
        return true;
    }

private:
    const PromqlToken &peek(std::size_t ahead = 0) const
    {
        return m_tokens[std::min(m_at + ahead, m_tokens.size() - 1)];
    }
    const PromqlToken &next() { return m_tokens[m_at < m_tokens.size() - 1 ? m_at++ : m_at]; }
    bool isOperator(std::string_view text, std::size_t ahead = 0) const
    {
        return peek(ahead).kind == PromqlToken::Kind::Operator && peek(ahead).text == text;
    }
    bool isWord(std::string_view text, std::size_t ahead = 0) const
    {
        return peek(ahead).kind == PromqlToken::Kind::Word && promqlLowered(peek(ahead).text) == text;
    }

    std::nullptr_t fail(std::size_t position, std::string text)
    {
        if (!m_failed)
            m_fault = {position, std::move(text)};
        m_failed = true;
        return nullptr;
    }

    std::nullptr_t unexpected(const PromqlToken &token, std::string_view context = {},
                              std::string_view expected = {})
    {
        if (token.kind == PromqlToken::Kind::Broken)
            return fail(m_lexFault.position, m_lexFault.text);
        if (token.kind == PromqlToken::Kind::End && m_braces > 0)
            return fail(token.position, "unexpected end of input inside braces");
        if (token.kind == PromqlToken::Kind::End && m_parentheses > 0)
            return fail(token.position, "unclosed left parenthesis");
        if (token.kind == PromqlToken::Kind::Operator && token.text == ")" && m_parentheses == 0)
            return fail(token.position + 1, "unexpected right parenthesis ')'");
        std::string message = "unexpected " + promqlTokenText(token);
        if (!context.empty())
            message += " in " + std::string(context);
        if (!expected.empty())
            message += ", expected " + std::string(expected);
        return fail(token.position, std::move(message));
    }

    bool take(std::string_view text, std::string_view context = {})
    {
        if (!isOperator(text)) {
            unexpected(peek(), context, context.empty() ? std::string() : promqlQuoted(text));
            return false;
        }
        next();
        return true;
    }

    Node make(Kind kind, PromType type, std::size_t position)
    {
        Node node = std::make_unique<PromExpression>();
        node->kind = kind;
        node->type = type;
        node->position = position;
        return node;
    }

    Node parseBinary(int least)
    {
        if (++m_depth > 200)
            return fail(peek().position, "expression nested too deeply");
        Node left = parseUnary();
        while (left) {
            const PromqlOperatorRow *row = promqlOperatorOf(peek());
            if (row == nullptr || row->precedence < least)
                break;
            Node node = make(Kind::Binary, PromType::Scalar, left->position);
            node->operation = row->operation;
            node->operatorPosition = peek().position;
            next();
            if (!parseModifiers(*node))
                return nullptr;
            Node right =
                parseBinary(row->operation == PromOperator::Power ? row->precedence : row->precedence + 1);
            if (!right)
                return nullptr;
            node->arguments.push_back(std::move(left));
            node->arguments.push_back(std::move(right));
            left = checkBinary(std::move(node));
        }
        --m_depth;
        return left;
    }

    bool parseModifiers(PromExpression &node)
    {
        if (isWord("bool")) {
            if (!isComparison(node.operation)) {
                fail(node.operatorPosition, "bool modifier can only be used on comparison operators");
                return false;
            }
            next();
            node.asBool = true;
        }
        if (isWord("on") || isWord("ignoring")) {
            node.without = isWord("ignoring");
            node.matched = true;
            next();
            if (!parseLabelNames(node.labels))
                return false;
        }
        if (isWord("group_left") || isWord("group_right")) {
            if (!node.matched) {
                unexpected(peek());
                return false;
            }
            if (isSetOperator(node.operation)) {
                fail(node.position, "no grouping allowed for " +
                                        promqlQuoted(promOperatorName(node.operation)) + " operation");
                return false;
            }
            node.grouping = isWord("group_left") ? PromExpression::Grouping::ManyToOne
                                                 : PromExpression::Grouping::OneToMany;
            next();
            if (isOperator("(") && !parseLabelNames(node.include))
                return false;
        }
        return true;
    }

    Node checkBinary(Node node)
    {
        if (const std::optional<PromqlError> fault = promqlBinaryFault(*node))
            return fail(fault->position, fault->text);
        const bool scalars =
            node->arguments[0]->type == PromType::Scalar && node->arguments[1]->type == PromType::Scalar;
        node->type = scalars ? PromType::Scalar : PromType::Vector;
        return node;
    }

    bool parseLabelNames(std::vector<std::string> &names)
    {
        if (!take("(", "grouping opts"))
            return false;
        ++m_parentheses;
        while (!isOperator(")")) {
            if (peek().kind != PromqlToken::Kind::Word) {
                unexpected(peek(), "grouping opts", "label");
                return false;
            }
            names.push_back(next().text);
            if (isOperator(","))
                next();
            else if (!isOperator(")")) {
                unexpected(peek(), "grouping opts", "\",\" or \")\"");
                return false;
            }
        }
        next();
        --m_parentheses;
        return true;
    }

    Node parseUnary()
    {
        const std::size_t position = peek().position;
        if (!isOperator("+") && !isOperator("-"))
            return parsePostfix();
        const bool negative = next().text == "-";
        Node operand = parseBinary(6);
        if (!operand)
            return nullptr;
        if (operand->type != PromType::Scalar && operand->type != PromType::Vector)
            return fail(
                position,
                "unary expression only allowed on expressions of type scalar or instant vector, got " +
                    promqlQuoted(promTypeName(operand->type)));
        if (!negative)
            return operand;
        if (operand->kind == Kind::Number) {
            operand->number = -operand->number;
            return operand;
        }
        Node node = make(Kind::Negate, operand->type, position);
        node->arguments.push_back(std::move(operand));
        return node;
    }

    Node parsePostfix()
    {
        Node node = parsePrimary();
        while (node && !m_failed) {
            if (isOperator("[")) {
                node = parseBracket(std::move(node));
            } else if (isWord("offset")) {
                next();
                bool negative = false;
                if (isOperator("-")) {
                    negative = true;
                    next();
                }
                if (peek().kind != PromqlToken::Kind::Duration)
                    return unexpected(peek(), "offset", "duration");
                const qint64 offset = next().durationMs;
                PromExpression *target = timed(*node, "offset");
                if (target == nullptr)
                    return nullptr;
                if (target->offsetMs != 0)
                    return fail(node->position, "offset may not be set multiple times");
                target->offsetMs = negative ? -offset : offset;
            } else if (isOperator("@")) {
                next();
                PromExpression *target = timed(*node, "@");
                if (target == nullptr || !parseAt(*target))
                    return nullptr;
            } else {
                break;
            }
        }
        return m_failed ? nullptr : std::move(node);
    }

    /// The node whose time a modifier moves.
    PromExpression *timed(PromExpression &node, std::string_view modifier)
    {
        switch (node.kind) {
        case Kind::Selector:
        case Kind::Subquery:
            return &node;
        case Kind::Range:
            return node.arguments[0].get();
        default:
            fail(node.position, std::string(modifier) + " modifier must be preceded by an instant vector "
                                                        "selector or range vector selector or a subquery");
            return nullptr;
        }
    }

    bool parseAt(PromExpression &target)
    {
        if (target.at != PromExpression::At::None) {
            fail(target.position, "@ <timestamp> may not be set multiple times");
            return false;
        }
        if ((isWord("start") || isWord("end")) && isOperator("(", 1) && isOperator(")", 2)) {
            target.at = isWord("start") ? PromExpression::At::Start : PromExpression::At::End;
            next();
            next();
            next();
            return true;
        }
        const bool negative = isOperator("-");
        if (negative)
            next();
        if (peek().kind != PromqlToken::Kind::Number) {
            unexpected(peek(), "@", "timestamp");
            return false;
        }
        const double seconds = next().number;
        target.at = PromExpression::At::Time;
        target.atMs = qint64((negative ? -seconds : seconds) * 1000);
        return true;
    }

    Node parseBracket(Node inner)
    {
        const std::size_t position = peek().position;
        next();
        if (peek().kind == PromqlToken::Kind::End)
            return fail(peek().position, "unclosed left bracket");
        if (peek().kind != PromqlToken::Kind::Duration)
            return unexpected(peek());
        const qint64 range = next().durationMs;
        if (peek().kind == PromqlToken::Kind::End)
            return fail(peek().position, "unclosed left bracket");
        if (range == 0)
            return fail(position + 1, "duration must be greater than 0");
        if (isOperator(":")) {
            next();
            qint64 step = 0;
            if (peek().kind == PromqlToken::Kind::Duration)
                step = next().durationMs;
            if (!take("]", "subquery selector"))
                return nullptr;
            if (inner->type != PromType::Vector)
                return fail(inner->position, "subquery is only allowed on instant vector, got " +
                                                 std::string(promTypeName(inner->type)) + " instead");
            Node node = make(Kind::Subquery, PromType::Matrix, inner->position);
            node->rangeMs = range;
            node->stepMs = step;
            node->arguments.push_back(std::move(inner));
            return node;
        }
        if (!take("]", "matrix selector"))
            return nullptr;
        if (inner->kind != Kind::Selector || inner->parenthesized)
            return fail(position, "ranges only allowed for vector selectors");
        if (inner->offsetMs != 0)
            return fail(inner->position, "no offset modifiers allowed before range");
        if (inner->at != PromExpression::At::None)
            return fail(inner->position, "no @ modifiers allowed before range");
        Node node = make(Kind::Range, PromType::Matrix, inner->position);
        node->rangeMs = range;
        node->arguments.push_back(std::move(inner));
        return node;
    }

    Node parsePrimary()
    {
        const PromqlToken token = peek();
        switch (token.kind) {
        case PromqlToken::Kind::Number: {
            next();
            Node node = make(Kind::Number, PromType::Scalar, token.position);
            node->number = token.number;
            return node;
        }
        case PromqlToken::Kind::Text: {
            next();
            Node node = make(Kind::Text, PromType::Text, token.position);
            node->text = token.text;
            return node;
        }
        case PromqlToken::Kind::Operator:
            if (token.text == "(") {
                next();
                ++m_parentheses;
                Node node = parseBinary(1);
                if (!node || !take(")"))
                    return nullptr;
                --m_parentheses;
                node->parenthesized = true;
                return node;
            }
            if (token.text == "{")
                return parseSelector({}, token.position);
            return unexpected(token);
        case PromqlToken::Kind::Word:
            break;
        default:
            return unexpected(token);
        }
        const std::string lower = promqlLowered(token.text);
        if (lower == "inf" || lower == "nan") {
            next();
            Node node = make(Kind::Number, PromType::Scalar, token.position);
            node->number = lower == "inf" ? std::numeric_limits<double>::infinity()
                                          : std::numeric_limits<double>::quiet_NaN();
            return node;
        }
        if (const auto aggregate = promqlAggregateOf(token);
            aggregate && (isOperator("(", 1) || isWord("by", 1) || isWord("without", 1)))
            return parseAggregate(*aggregate);
        if (isOperator("(", 1))
            return parseCall();
        if (promqlOperatorOf(token) != nullptr)
            return unexpected(token);
        next();
        return parseSelector(token.text, token.position);
    }

    static bool hasSome(const PromExpression &selector)
    {
        return std::any_of(selector.matchers.begin(), selector.matchers.end(),
                           [](const PromMatcher &matcher) { return !matcher.matchesEmpty(); });
    }

    Node parseSelector(const std::string &metric, std::size_t position, bool mustSelect = true)
    {
        Node node = make(Kind::Selector, PromType::Vector, position);
        node->text = metric;
        if (!metric.empty())
            node->matchers.emplace_back("__name__", PromMatcher::Kind::Equal, metric);
        if (isOperator("{")) {
            next();
            ++m_braces;
            while (!isOperator("}")) {
                if (!parseMatcher(*node))
                    return nullptr;
                if (isOperator(","))
                    next();
                else if (!isOperator("}"))
                    return unexpected(peek(), "label matching", "\",\" or \"}\"");
            }
            next();
            --m_braces;
        }
        if (mustSelect && !hasSome(*node))
            return fail(position, "vector selector must contain at least one non-empty matcher");
        return node;
    }

    bool parseMatcher(PromExpression &node)
    {
        if (peek().kind != PromqlToken::Kind::Word) {
            unexpected(peek(), "label matching", "identifier or \"}\"");
            return false;
        }
        const PromqlToken name = next();
        const auto kind = promqlMatcherKind(peek());
        if (!kind) {
            unexpected(peek(), "label matching", "label matching operator");
            return false;
        }
        next();
        if (peek().kind != PromqlToken::Kind::Text) {
            unexpected(peek(), "label matching", "string");
            return false;
        }
        const PromqlToken value = next();
        if (name.text == "__name__" && !node.text.empty()) {
            fail(node.position, "metric name must not be set twice: " + promqlQuoted(node.text) + " or " +
                                    promqlQuoted(value.text));
            return false;
        }
        node.matchers.emplace_back(name.text, *kind, value.text);
        const QString fault = node.matchers.back().patternError();
        if (fault.isEmpty())
            return true;
        fail(name.position, "error parsing regexp: " + fault.toStdString() + ": `^(?:" + value.text + ")$`");
        return false;
    }

    bool parseArguments(std::vector<Node> &arguments)
    {
        if (!take("("))
            return false;
        ++m_parentheses;
        while (!isOperator(")")) {
            Node argument = parseBinary(1);
            if (!argument)
                return false;
            arguments.push_back(std::move(argument));
            if (isOperator(",")) {
                next();
                if (isOperator(")")) {
                    fail(peek().position, "trailing commas not allowed in function call args");
                    return false;
                }
            } else if (!isOperator(")")) {
                unexpected(peek());
                return false;
            }
        }
        next();
        --m_parentheses;
        return true;
    }

    Node parseCall()
    {
        const PromqlToken name = next();
        const PromFunction *function = findPromFunction(name.text);
        Node node = make(Kind::Call, function ? function->result : PromType::Scalar, name.position);
        node->function = function;
        if (!parseArguments(node->arguments)) // what is wrong in there is found first
            return nullptr;
        if (function == nullptr)
            return fail(name.position, "unknown function with name " + promqlQuoted(name.text));
        const std::string fault = promqlArgumentFault(*function, int(node->arguments.size()));
        if (!fault.empty())
            return fail(name.position, fault);
        for (std::size_t i = 0; i < node->arguments.size(); ++i) {
            const PromType wanted =
                function->types[std::min<std::size_t>(i, function->mostArguments < 0 ? 3 : 4)];
            if (!expect(*node->arguments[i], wanted, "call to function " + promqlQuoted(function->name)))
                return nullptr;
        }
        return node;
    }

    bool expect(const PromExpression &node, PromType wanted, const std::string &where)
    {
        if (node.type == wanted)
            return true;
        fail(node.position, "expected type " + std::string(promTypeName(wanted)) + " in " + where + ", got " +
                                std::string(promTypeName(node.type)));
        return false;
    }

    bool parseGroupingClause(PromExpression &node)
    {
        if (node.grouped || (!isWord("by") && !isWord("without")))
            return true;
        node.grouped = true;
        node.without = isWord("without");
        next();
        return parseLabelNames(node.labels);
    }

    Node parseAggregate(PromAggregate aggregate)
    {
        const PromqlToken name = next();
        Node node = make(Kind::Aggregate, PromType::Vector, name.position);
        node->aggregate = aggregate;
        if (!parseGroupingClause(*node) || !parseArguments(node->arguments) || !parseGroupingClause(*node))
            return nullptr;
        const bool parametric = aggregate >= PromAggregate::TopK;
        const std::size_t wanted = parametric ? 2 : 1;
        if (node->arguments.empty())
            return fail(name.position, "no arguments for aggregate expression provided");
        if (node->arguments.size() != wanted)
            return fail(name.position,
                        "wrong number of arguments for aggregate expression provided, expected " +
                            std::to_string(wanted) + ", got " + std::to_string(node->arguments.size()));
        if (!expect(*node->arguments.back(), PromType::Vector, "aggregation expression"))
            return nullptr;
        if (parametric && !expect(*node->arguments.front(),
                                  aggregate == PromAggregate::CountValues ? PromType::Text : PromType::Scalar,
                                  "aggregation parameter"))
            return nullptr;
        return node;
    }

    std::string_view m_query;
    std::vector<PromqlToken> m_tokens;
    std::size_t m_at = 0;
    int m_parentheses = 0;
    int m_braces = 0;
    int m_depth = 0;
    bool m_failed = false;
    PromqlError m_fault;
    PromqlError m_lexFault;
};

} // namespace

std::unique_ptr<PromExpression> parsePromql(std::string_view query, std::string &error)
{
    return PromqlParser(query).parseQuery(error);
}

bool parsePromSelector(std::string_view text, std::vector<PromMatcher> &matchers, std::string &error)
{
    return PromqlParser(text).parseSelectorOnly(matchers, error);
}

} // namespace tongchi
