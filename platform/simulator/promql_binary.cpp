#include "platform/simulator/promql_evaluator.h"
#include "platform/simulator/promql_evaluator_state.h"

#include <algorithm>
#include <cmath>

namespace tongchi {

namespace {

using Grouping = PromExpression::Grouping;

/// Comparison: `keep` tells whether it holds; the value stays the left one.
double applyOperator(PromOperator operation, double a, double b, bool &keep)
{
    keep = true;
    switch (operation) {
    case PromOperator::Add:
        return a + b;
    case PromOperator::Subtract:
        return a - b;
    case PromOperator::Multiply:
        return a * b;
    case PromOperator::Divide:
        return a / b;
    case PromOperator::Modulo:
        return std::fmod(a, b);
    case PromOperator::Power:
        return std::pow(a, b);
    case PromOperator::Atan2:
        return std::atan2(a, b);
    case PromOperator::Equal:
        keep = a == b;
        return a;
    case PromOperator::NotEqual:
        keep = a != b;
        return a;
    case PromOperator::Greater:
        keep = a > b;
        return a;
    case PromOperator::Less:
        keep = a < b;
        return a;
    case PromOperator::GreaterEqual:
        keep = a >= b;
        return a;
    case PromOperator::LessEqual:
        keep = a <= b;
        return a;
    case PromOperator::And:
    case PromOperator::Or:
    case PromOperator::Unless:
        break;
    }
    return a;
}

} // namespace

const PromLabels *PromEvaluator::signature(const PromExpression &node, State &state, const PromLabels *labels)
{
    const PromLabels *&known = state.signatures[labels];
    if (known == nullptr) {
        if (node.matched && !node.without) {
            known = unique(m_symbols.without(*labels, state.names, true));
        } else {
            std::vector<StringId> dropped = state.names;
            dropped.push_back(m_symbols.metricName());
            known = unique(m_symbols.without(*labels, dropped, false));
        }
    }
    return known;
}

/// The labels of a result from a sample of the "many" side (the left one of one-to-one) and its partner.
const PromLabels *PromEvaluator::joined(const PromExpression &node, State &state, const PromLabels *many,
                                        const PromLabels *one)
{
    const PromLabels *&known = state.pairs[{many, node.grouping == Grouping::OneToOne ? nullptr : one}];
    if (known != nullptr)
        return known;
    const bool dropsName = !isComparison(node.operation) || node.asBool;
    std::vector<PromLabel> labels;
    const auto listed = [&state](StringId name) {
        return std::find(state.names.begin(), state.names.end(), name) != state.names.end();
    };
    for (const PromLabel &label : many->all()) {
        if (dropsName && label.name == m_symbols.metricName())
            continue;
        if (node.grouping == Grouping::OneToOne && node.matched && listed(label.name) == node.without)
            continue;
        labels.push_back(label);
    }
    if (node.grouping != Grouping::OneToOne) {
        for (const StringId name : state.included)
            labels.push_back({name, one->value(name)});
    }
    known = unique(m_symbols.share(std::move(labels)));
    return known;
}

bool PromEvaluator::evaluateBinary(const PromExpression &node, qint64 atMs, Value &value)
{
    Value left;
    Value right;
    if (!evaluate(*node.arguments[0], atMs, left) || !evaluate(*node.arguments[1], atMs, right))
        return false;
    State &state = stateOf(node);
    const bool leftScalar = left.type == PromType::Scalar;
    const bool rightScalar = right.type == PromType::Scalar;
    bool keep = true;
    if (leftScalar && rightScalar) {
        value.scalar = applyOperator(node.operation, left.scalar, right.scalar, keep);
        if (isComparison(node.operation))
            value.scalar = keep ? 1 : 0;
        return true;
    }
    if (!leftScalar && !rightScalar) {
        if (!isSetOperator(node.operation))
            return combineVectors(node, state, left.vector, right.vector, value.vector);
        combineSets(node, state, left.vector, right.vector, value.vector);
        return true;
    }
    const bool dropsName = !isComparison(node.operation) || node.asBool;
    value.vector = std::move(leftScalar ? right.vector : left.vector);
    std::size_t kept = 0;
    for (PromVectorSample sample : value.vector) {
        const double own = sample.value;
        const double result = leftScalar ? applyOperator(node.operation, left.scalar, own, keep)
                                         : applyOperator(node.operation, own, right.scalar, keep);
        if (isComparison(node.operation)) {
            if (node.asBool)
                sample.value = keep ? 1 : 0;
            else if (!keep)
                continue;
        } else {
            sample.value = result;
        }
        if (dropsName)
            sample.labels = nameless(state, sample.labels);
        value.vector[kept++] = sample;
    }
    value.vector.resize(kept);
    return true;
}

void PromEvaluator::combineSets(const PromExpression &node, State &state, const PromVector &left,
                                const PromVector &right, PromVector &out)
{
    std::unordered_set<const PromLabels *> known;
    const bool unite = node.operation == PromOperator::Or;
    for (const PromVectorSample &sample : unite ? left : right)
        known.insert(signature(node, state, sample.labels));
    if (unite)
        out = left;
    for (const PromVectorSample &sample : unite ? right : left) {
        const bool found = known.contains(signature(node, state, sample.labels));
        if (node.operation == PromOperator::And ? found : !found)
            out.push_back(sample);
    }
}

bool PromEvaluator::combineVectors(const PromExpression &node, State &state, const PromVector &left,
                                   const PromVector &right, PromVector &out)
{
    // "one" has each match group at most once; with group_right that is the left side.
    const bool swapped = node.grouping == Grouping::OneToMany;
    const PromVector &one = swapped ? left : right;
    const PromVector &many = swapped ? right : left;
    std::unordered_map<const PromLabels *, const PromVectorSample *> partners;
    partners.reserve(one.size());
    for (const PromVectorSample &sample : one) {
        const PromLabels *group = signature(node, state, sample.labels);
        const auto [known, fresh] = partners.emplace(group, &sample);
        if (fresh)
            continue;
        const QByteArray groupText = m_symbols.describe(
            node.matched && !node.without ? *m_symbols.without(*sample.labels, state.names, true) : *group);
        return fail(QByteArray("found duplicate series for the match group ") + groupText + " on the " +
                    (swapped ? "left" : "right") + " hand-side of the operation: [" +
                    m_symbols.describe(*sample.labels) + ", " + m_symbols.describe(*known->second->labels) +
                    "];many-to-many matching not allowed: matching labels must be unique on one side");
    }
    std::unordered_set<const PromLabels *> used;
    for (const PromVectorSample &sample : many) {
        const PromLabels *group = signature(node, state, sample.labels);
        const auto partner = partners.find(group);
        if (partner == partners.end())
            continue;
        bool keep = true;
        const double a = swapped ? partner->second->value : sample.value;
        const double b = swapped ? sample.value : partner->second->value;
        double result = applyOperator(node.operation, a, b, keep);
        if (node.asBool)
            result = keep ? 1 : 0;
        else if (!keep)
            continue;
        const PromLabels *labels = joined(node, state, sample.labels, partner->second->labels);
        if (!used.insert(node.grouping == Grouping::OneToOne ? group : labels).second) {
            return fail(node.grouping == Grouping::OneToOne
                            ? "multiple matches for labels: many-to-one matching must be explicit "
                              "(group_left/group_right)"
                            : "multiple matches for labels: grouping labels must ensure unique matches");
        }
        out.push_back({labels, result, sample.ms});
    }
    return true;
}

} // namespace tongchi
