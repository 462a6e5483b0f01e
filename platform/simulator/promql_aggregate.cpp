#include "platform/simulator/promql_evaluator.h"
#include "platform/simulator/promql_evaluator_state.h"

#include <algorithm>
#include <cmath>

namespace tongchi {

namespace {

struct AggregateGroup
{
    const PromLabels *labels = nullptr;
    double value = 0;
    double mean = 0;
    double squares = 0;
    double count = 0;
    std::vector<PromVectorSample> members; ///< topk, bottomk, quantile only
};

void addToGroup(PromAggregate aggregate, AggregateGroup &group, double value)
{
    group.count += 1;
    const double delta = value - group.mean;
    group.mean += delta / group.count;
    group.squares += delta * (value - group.mean);
    const bool first = group.count == 1;
    switch (aggregate) {
    case PromAggregate::Min:
        group.value = first || value < group.value || std::isnan(group.value) ? value : group.value;
        break;
    case PromAggregate::Max:
        group.value = first || value > group.value || std::isnan(group.value) ? value : group.value;
        break;
    default:
        group.value += value;
    }
}

double groupResult(PromAggregate aggregate, const AggregateGroup &group)
{
    switch (aggregate) {
    case PromAggregate::Avg:
        return group.value / group.count;
    case PromAggregate::Count:
        return group.count;
    case PromAggregate::Group:
        return 1;
    case PromAggregate::Stddev:
        return std::sqrt(group.squares / group.count);
    case PromAggregate::Stdvar:
        return group.squares / group.count;
    default:
        return group.value;
    }
}

} // namespace

bool PromEvaluator::evaluateAggregate(const PromExpression &node, qint64 atMs, Value &value)
{
    Value input;
    Value parameter;
    const bool parametric = node.arguments.size() == 2;
    if (parametric && !evaluate(*node.arguments[0], atMs, parameter))
        return false;
    if (!evaluate(*node.arguments.back(), atMs, input))
        return false;
    State &state = stateOf(node);
    if (!state.namesKnown) {
        if (node.without)
            state.names.push_back(m_symbols.metricName());
        state.namesKnown = true;
    }
    const StringId counted = node.aggregate == PromAggregate::CountValues ? symbol(parameter.text) : 0;
    std::vector<AggregateGroup> groups;
    std::unordered_map<const PromLabels *, std::size_t> places;
    for (const PromVectorSample &sample : input.vector) {
        const PromLabels *&key = state.signatures[sample.labels];
        if (key == nullptr)
            key = node.grouped ? unique(m_symbols.without(*sample.labels, state.names, !node.without))
                               : emptyLabels();
        const PromLabels *labels = key;
        if (counted != 0)
            labels = unique(m_symbols.with(*labels, counted, m_symbols.intern(promNumber(sample.value))));
        const auto [place, fresh] = places.emplace(labels, groups.size());
        if (fresh) {
            groups.emplace_back();
            groups.back().labels = labels;
        }
        AggregateGroup &group = groups[place->second];
        addToGroup(counted != 0 ? PromAggregate::Count : node.aggregate, group, sample.value);
        if (node.aggregate == PromAggregate::TopK || node.aggregate == PromAggregate::BottomK ||
            node.aggregate == PromAggregate::Quantile)
            group.members.push_back(sample);
    }
    for (AggregateGroup &group : groups) {
        switch (node.aggregate) {
        case PromAggregate::TopK:
        case PromAggregate::BottomK: {
            const bool top = node.aggregate == PromAggregate::TopK;
            const double wanted = std::clamp(std::trunc(parameter.scalar), 0.0, double(group.members.size()));
            // NaN ranks last either way.
            std::stable_sort(group.members.begin(), group.members.end(),
                             [top](const PromVectorSample &a, const PromVectorSample &b) {
                                 if (std::isnan(a.value) || std::isnan(b.value))
                                     return !std::isnan(a.value) && std::isnan(b.value);
                                 return top ? a.value > b.value : a.value < b.value;
                             });
            value.vector.insert(value.vector.end(), group.members.begin(),
                                group.members.begin() + std::ptrdiff_t(std::isnan(wanted) ? 0 : wanted));
            break;
        }
        case PromAggregate::Quantile: {
            std::vector<double> values;
            for (const PromVectorSample &sample : group.members)
                values.push_back(sample.value);
            value.vector.push_back({group.labels, promQuantile(parameter.scalar, values), atMs});
            break;
        }
        case PromAggregate::CountValues:
            value.vector.push_back({group.labels, group.count, atMs});
            break;
        default:
            value.vector.push_back({group.labels, groupResult(node.aggregate, group), atMs});
        }
    }
    return true;
}

} // namespace tongchi
