#include "platform/simulator/selectors.h"

#include "platform/simulator/name_rules.h"
#include "platform/simulator/object_text.h"
#include "platform/simulator/resource_types.h"

#include <algorithm>
#include <optional>

namespace tongchi::simulator {

/// Words things as k8s.io/apimachinery/pkg/labels does.
class LabelSelectorParser
{
public:
    explicit LabelSelectorParser(const QByteArray &text) : m_text(text) { next(); }

    ApiResult<LabelSelector> parse()
    {
        LabelSelector selector;
        for (;;) {
            if (m_token == Token::Identifier || m_token == Token::Not) {
                LabelSelector::Requirement requirement;
                if (!parseRequirement(&requirement))
                    return apiFailure(badRequest("unable to parse requirement: " + m_problem));
                selector.m_requirements.push_back(std::move(requirement));
                if (m_token == Token::End)
                    return selector;
                if (m_token != Token::Comma)
                    return apiFailure(badRequest("found '" + m_word + "', expected: ',' or 'end of string'"));
                next();
                if (m_token != Token::Identifier && m_token != Token::Not)
                    return apiFailure(badRequest("found '" + m_word + "', expected: identifier after ','"));
            } else if (m_token == Token::End) {
                return selector;
            } else {
                return apiFailure(
                    badRequest("found '" + m_word + "', expected: !, identifier, or 'end of string'"));
            }
        }
    }

private:
    enum class Token {
        End,
        Identifier,
        Comma,
        Not,
        Equals,
        DoubleEquals,
        NotEquals,
        Open,
        Close,
        Greater,
        Less
    };

    static bool isSpecial(char c)
    {
        return c == '=' || c == '!' || c == '(' || c == ')' || c == ',' || c == '>' || c == '<';
    }

    void next()
    {
        while (m_at < m_text.size() &&
               (m_text.at(m_at) == ' ' || m_text.at(m_at) == '\t' || m_text.at(m_at) == '\n'))
            ++m_at;
        m_word.clear();
        if (m_at >= m_text.size()) {
            m_token = Token::End;
            return;
        }
        const char c = m_text.at(m_at);
        if (!isSpecial(c)) {
            const qsizetype start = m_at;
            while (m_at < m_text.size() && !isSpecial(m_text.at(m_at)) && m_text.at(m_at) != ' ' &&
                   m_text.at(m_at) != '\t')
                ++m_at;
            m_word = m_text.mid(start, m_at - start);
            m_token = Token::Identifier;
            return;
        }
        const bool doubled = (c == '=' || c == '!') && m_at + 1 < m_text.size() && m_text.at(m_at + 1) == '=';
        m_word = m_text.mid(m_at, doubled ? 2 : 1);
        m_at += m_word.size();
        switch (c) {
        case '=':
            m_token = doubled ? Token::DoubleEquals : Token::Equals;
            break;
        case '!':
            m_token = doubled ? Token::NotEquals : Token::Not;
            break;
        case '(':
            m_token = Token::Open;
            break;
        case ')':
            m_token = Token::Close;
            break;
        case ',':
            m_token = Token::Comma;
            break;
        case '>':
            m_token = Token::Greater;
            break;
        default:
            m_token = Token::Less;
            break;
        }
    }

    bool problem(const QByteArray &text)
    {
        m_problem = text;
        return false;
    }

    bool parseRequirement(LabelSelector::Requirement *requirement)
    {
        using Operator = LabelSelector::Operator;
        const bool negated = m_token == Token::Not;
        if (negated)
            next();
        if (m_token != Token::Identifier)
            return problem("found '" + m_word + "', expected: identifier");
        requirement->key = m_word;
        const std::vector<QByteArray> wrong = qualifiedNameProblems(m_word);
        if (!wrong.empty())
            return problem("<nil>: Invalid value: " + quoted(m_word) + ": " + joined(wrong));
        next();
        if (negated) {
            requirement->op = Operator::NotExists;
            return true;
        }
        switch (m_token) {
        case Token::End:
        case Token::Comma:
            requirement->op = Operator::Exists;
            return true;
        case Token::Equals:
        case Token::DoubleEquals:
            requirement->op = Operator::In;
            return parseExact(requirement);
        case Token::NotEquals:
            requirement->op = Operator::NotIn;
            return parseExact(requirement);
        case Token::Greater:
            requirement->op = Operator::Greater;
            return parseExact(requirement) && checkNumber(requirement);
        case Token::Less:
            requirement->op = Operator::Less;
            return parseExact(requirement) && checkNumber(requirement);
        default:
            break;
        }
        if (m_word != "in" && m_word != "notin")
            return problem("found '" + m_word + "', expected: in, notin, =, ==, !=, gt, lt");
        requirement->op = m_word == "in" ? Operator::In : Operator::NotIn;
        next();
        if (m_token != Token::Open)
            return problem("found '" + m_word + "' expected: '('");
        next();
        for (;;) {
            if (m_token == Token::Identifier) {
                requirement->values.push_back(m_word);
                next();
            } else {
                requirement->values.push_back({}); // "in (,a)" means the empty value too
            }
            if (m_token == Token::Close) {
                next();
                return checkValues(requirement);
            }
            if (m_token != Token::Comma)
                return problem("found '" + m_word + "', expected: ',' or ')'");
            next();
        }
    }

    bool parseExact(LabelSelector::Requirement *requirement)
    {
        next();
        if (m_token == Token::End || m_token == Token::Comma) {
            requirement->values = {QByteArray()};
            return true;
        }
        if (m_token != Token::Identifier)
            return problem("found '" + m_word + "', expected: identifier");
        requirement->values = {m_word};
        next();
        return requirement->op == LabelSelector::Operator::Greater ||
               requirement->op == LabelSelector::Operator::Less || checkValues(requirement);
    }

    static QByteArray joined(const std::vector<QByteArray> &problems)
    {
        QByteArray out;
        for (const QByteArray &each : problems)
            out += (out.isEmpty() ? "" : "; ") + each;
        return out;
    }

    bool checkValues(const LabelSelector::Requirement *requirement)
    {
        for (std::size_t i = 0; i < requirement->values.size(); ++i) {
            const QByteArray &value = requirement->values[i];
            const std::vector<QByteArray> wrong = labelValueProblems(value);
            if (!wrong.empty())
                return problem("values[" + QByteArray::number(qulonglong(i)) + "][" + requirement->key +
                               "]: Invalid value: " + quoted(value) + ": " + joined(wrong));
        }
        return true;
    }

    bool checkNumber(const LabelSelector::Requirement *requirement)
    {
        const QByteArray &value = requirement->values.front();
        bool isNumber = false;
        value.toLongLong(&isNumber);
        return isNumber || problem("values[0]: Invalid value: " + quoted(value) +
                                   ": for 'Gt', 'Lt' operators, the value must be an integer");
    }

    QByteArray m_text;
    qsizetype m_at = 0;
    Token m_token = Token::End;
    QByteArray m_word;
    QByteArray m_problem;
};

ApiResult<LabelSelector> LabelSelector::parse(const QByteArray &text)
{
    return LabelSelectorParser(text).parse();
}

bool LabelSelector::matches(QByteArrayView text) const
{
    if (m_requirements.empty())
        return true;
    const QByteArrayView labels = rawMember(rawMember(text, "metadata"), "labels");
    for (const Requirement &requirement : m_requirements) {
        const QByteArrayView raw = rawMember(labels, requirement.key);
        const bool present = !raw.isEmpty();
        const QByteArray value = rawString(raw);
        const bool listed = std::find(requirement.values.begin(), requirement.values.end(), value) !=
                            requirement.values.end();
        bool holds = false;
        switch (requirement.op) {
        case Operator::In:
            holds = present && listed;
            break;
        case Operator::NotIn:
            holds = !present || !listed;
            break;
        case Operator::Exists:
            holds = present;
            break;
        case Operator::NotExists:
            holds = !present;
            break;
        case Operator::Greater:
            holds = present && value.toLongLong() > requirement.values.front().toLongLong();
            break;
        case Operator::Less:
            holds = present && value.toLongLong() < requirement.values.front().toLongLong();
            break;
        }
        if (!holds)
            return false;
    }
    return true;
}

ApiResult<FieldSelector> FieldSelector::parse(const QByteArray &text, const ResourceType &type)
{
    FieldSelector selector;
    if (text.isEmpty())
        return selector;
    const QList<QByteArray> known = splitList(type.fieldLabels);
    for (const QByteArray &part : text.split(',')) {
        if (part.isEmpty())
            continue;
        Term term;
        qsizetype at = part.indexOf("!=");
        qsizetype length = 2;
        term.equal = at < 0;
        if (at < 0) {
            at = part.indexOf("==");
            if (at < 0) {
                at = part.indexOf('=');
                length = 1;
            }
        }
        if (at < 0)
            return apiFailure(
                badRequest("invalid selector: '" + text + "'; can't understand '" + part + "'"));
        term.field = part.left(at);
        term.value = part.mid(at + length);
        term.value.replace("\\,", ",").replace("\\=", "=").replace("\\\\", "\\");
        const bool common =
            term.field == "metadata.name" || (type.namespaced && term.field == "metadata.namespace");
        if (!common && !known.contains(term.field)) {
            if (QByteArrayView(type.group) == QByteArrayView("resource.k8s.io"))
                return apiFailure(badRequest("field label not supported for " + type.apiVersion() +
                                             ", Kind=" + type.kind + ": " + term.field));
            if (!known.isEmpty())
                return apiFailure(badRequest("field label not supported: " + term.field));
            return apiFailure(
                badRequest(quoted(term.field) +
                           " is not a known field selector: only \"metadata.name\", \"metadata.namespace\""));
        }
        if (term.equal && term.field == "spec.nodeName" && !term.value.isEmpty())
            term.needle = "\"nodeName\":\"" + term.value + '"';
        selector.m_terms.push_back(std::move(term));
    }
    return selector;
}

bool FieldSelector::matches(QByteArrayView text) const
{
    for (const Term &term : m_terms) {
        if (!term.needle.isEmpty() && !text.contains(term.needle))
            return false;
    }
    for (const Term &term : m_terms) {
        QByteArrayView value = text;
        for (const QByteArray &step : term.field.split('.'))
            value = rawMember(value, step);
        QByteArray found;
        if (value.startsWith('"'))
            found = rawString(value);
        else if (value.startsWith('{') && term.field == "source")
            found = rawString(rawMember(value, "component"));
        else
            found = value.toByteArray();
        // Go's zero values are what an absent field compares as.
        if (found.isEmpty() && (term.field == "spec.unschedulable" || term.field == "spec.hostNetwork"))
            found = "false";
        if ((found == term.value) != term.equal)
            return false;
    }
    return true;
}

QByteArray FieldSelector::onlyName() const
{
    for (const Term &term : m_terms) {
        if (term.equal && term.field == "metadata.name")
            return term.value;
    }
    return {};
}

} // namespace tongchi::simulator
