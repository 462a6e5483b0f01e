#include "platform/simulator/promql_evaluator.h"

#include "platform/simulator/promql_evaluator_state.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <unordered_map>

namespace tongchi {

using Kind = PromExpression::Kind;

PromEvaluator::PromEvaluator(const SeriesSource &source, PromSymbols &symbols, Limits limits)
    : m_source(source), m_symbols(symbols), m_limits(limits)
{
}

PromEvaluator::~PromEvaluator() = default;

PromEvaluator::State &PromEvaluator::stateOf(const PromExpression &node)
{
    std::unique_ptr<State> &state = m_states[&node];
    if (!state) {
        state = std::make_unique<State>();
        for (const std::string &name : node.labels)
            state->names.push_back(symbol(name));
        for (const std::string &name : node.include)
            state->included.push_back(symbol(name));
    }
    return *state;
}

bool PromEvaluator::fail(QByteArray text, Fault fault)
{
    if (m_fault == Fault::None) {
        m_fault = fault;
        m_error = std::move(text);
    }
    return false;
}

bool PromEvaluator::countSamples(std::size_t number)
{
    m_samples += qint64(number);
    if (m_samples > m_limits.mostSamples)
        return fail("query processing would load too many samples into memory in query execution");
    return true;
}

const PromLabels *PromEvaluator::unique(PromLabelsPtr labels)
{
    return m_labels.insert(std::move(labels)).first->get();
}

const PromLabels *PromEvaluator::emptyLabels()
{
    if (m_empty == nullptr)
        m_empty = unique(std::make_shared<const PromLabels>());
    return m_empty;
}

qint64 PromEvaluator::movedTo(const PromExpression &node, qint64 atMs) const
{
    switch (node.at) {
    case PromExpression::At::None:
        break;
    case PromExpression::At::Time:
        atMs = node.atMs;
        break;
    case PromExpression::At::Start:
        atMs = m_startMs;
        break;
    case PromExpression::At::End:
        atMs = m_endMs;
        break;
    }
    return atMs - node.offsetMs;
}

/// Tells every selector which instants it will be asked for, so that it selects once.
void PromEvaluator::prepare(const PromExpression &node, qint64 fromMs, qint64 toMs)
{
    State &state = stateOf(node);
    if (node.kind == Kind::Selector || node.kind == Kind::Subquery) {
        fromMs = movedTo(node, fromMs);
        toMs = movedTo(node, toMs);
    }
    state.fromMs = fromMs;
    state.toMs = toMs;
    qint64 childFromMs = fromMs;
    if (node.kind == Kind::Subquery)
        childFromMs -= node.rangeMs + (node.stepMs > 0 ? node.stepMs : m_limits.subqueryStepMs);
    for (const auto &argument : node.arguments)
        prepare(*argument, childFromMs, toMs);
    if (node.kind == Kind::Range)
        stateOf(*node.arguments[0]).fromMs -= node.rangeMs;
}

bool PromEvaluator::evaluate(const PromExpression &node, qint64 atMs, Value &value)
{
    value.type = node.type;
    switch (node.kind) {
    case Kind::Number:
        value.scalar = node.number;
        return true;
    case Kind::Text:
        value.text = node.text;
        return true;
    case Kind::Selector:
        return evaluateSelector(node, atMs, value.vector);
    case Kind::Call:
        return evaluateCall(node, atMs, value);
    case Kind::Aggregate:
        return evaluateAggregate(node, atMs, value);
    case Kind::Binary:
        return evaluateBinary(node, atMs, value);
    case Kind::Negate: {
        if (!evaluate(*node.arguments[0], atMs, value))
            return false;
        value.scalar = -value.scalar;
        State &state = stateOf(node);
        for (PromVectorSample &sample : value.vector) {
            sample.value = -sample.value;
            sample.labels = nameless(state, sample.labels);
        }
        return true;
    }
    case Kind::Range:
    case Kind::Subquery:
        break;
    }
    return fail("unexpected range vector");
}

bool PromEvaluator::evaluateSelector(const PromExpression &node, qint64 atMs, PromVector &out)
{
    State &state = stateOf(node);
    if (!state.selected) {
        state.series = m_source.select(node.matchers, state.fromMs - m_limits.lookbackMs, state.toMs);
        linkParts(state);
    }
    const qint64 moved = movedTo(node, atMs);
    out.reserve(state.series.size());
    for (std::size_t i = 0; i < state.series.size(); ++i) {
        if (state.continues[i])
            continue; // seen with the one it continues
        std::optional<PromPoint> newest;
        for (std::size_t part = i;; part = state.continuedBy[part]) {
            PromPoint point;
            if (m_source.newestAt(state.series[part], moved, m_limits.lookbackMs, point) &&
                (!newest || point.ms > newest->ms))
                newest = point;
            if (state.continuedBy[part] == part)
                break;
        }
        if (newest)
            out.push_back({state.seriesLabels[i], newest->value, newest->ms});
    }
    return countSamples(out.size());
}

/// Series of the same labels are one: a pod that came back under its name, of which the source makes another.
void PromEvaluator::linkParts(State &state)
{
    state.selected = true;
    std::unordered_map<const PromLabels *, std::size_t> newestOf;
    newestOf.reserve(state.series.size());
    state.seriesLabels.reserve(state.series.size());
    state.continuedBy.reserve(state.series.size());
    state.continues.assign(state.series.size(), 0);
    for (std::size_t i = 0; i < state.series.size(); ++i) {
        state.seriesLabels.push_back(unique(state.series[i].labels));
        state.continuedBy.push_back(i);
        const auto [earlier, isNew] = newestOf.try_emplace(state.seriesLabels[i], i);
        if (!isNew) {
            state.continuedBy[earlier->second] = i;
            state.continues[i] = 1;
            earlier->second = i;
        }
    }
}

template <typename Take>
bool PromEvaluator::forEachWindow(const PromExpression &node, qint64 atMs, Take take, bool newestOnly)
{
    PromWindow window;
    if (node.kind == Kind::Subquery) {
        std::vector<PromMatrixSeries> series;
        if (!subqueryPoints(node, atMs, series, window))
            return false;
        for (const PromMatrixSeries &one : series)
            take(one.labels, std::span<const PromPoint>(one.points), window);
        return true;
    }
    const PromExpression &selector = *node.arguments[0];
    State &state = stateOf(selector);
    if (!state.selected) {
        state.series = m_source.select(selector.matchers, state.fromMs, state.toMs);
        linkParts(state);
    }
    window.toMs = movedTo(selector, atMs);
    window.fromMs = window.toMs - node.rangeMs;
    for (std::size_t i = 0; i < state.series.size(); ++i) {
        state.points.clear();
        if (state.continues[i])
            continue; // seen with the one it continues
        for (std::size_t part = i;; part = state.continuedBy[part]) {
            PromPoint point;
            if (!newestOnly)
                m_source.samplesIn(state.series[part], window.fromMs, window.toMs, state.points);
            else if (m_source.newestIn(state.series[part], window.fromMs, window.toMs, point))
                state.points.push_back(point);
            if (state.continuedBy[part] == part)
                break;
        }
        if (state.continuedBy[i] != i) {
            std::sort(state.points.begin(), state.points.end(),
                      [](const PromPoint &a, const PromPoint &b) { return a.ms < b.ms; });
        }
        if (state.points.empty())
            continue;
        if (!countSamples(state.points.size()))
            return false;
        if (i % 64 == 0 && std::chrono::steady_clock::now() > m_deadline)
            return fail("query timed out in expression evaluation", Fault::Timeout);
        take(state.seriesLabels[i], std::span<const PromPoint>(state.points), window);
    }
    return true;
}

bool PromEvaluator::subqueryPoints(const PromExpression &node, qint64 atMs,
                                   std::vector<PromMatrixSeries> &series, PromWindow &window)
{
    State &state = stateOf(node);
    const qint64 step = node.stepMs > 0 ? node.stepMs : m_limits.subqueryStepMs;
    window.toMs = movedTo(node, atMs);
    window.fromMs = window.toMs - node.rangeMs;
    qint64 first = window.fromMs / step * step;
    if (first < window.fromMs)
        first += step;
    // Steps are aligned to the clock, so neighbouring windows share them.
    state.subquery.erase(state.subquery.begin(), state.subquery.lower_bound(first));
    std::unordered_map<const PromLabels *, std::size_t> places;
    for (qint64 ms = first; ms <= window.toMs; ms += step) {
        auto known = state.subquery.find(ms);
        if (known == state.subquery.end()) {
            if (std::chrono::steady_clock::now() > m_deadline)
                return fail("query timed out in expression evaluation", Fault::Timeout);
            Value value;
            if (!evaluate(*node.arguments[0], ms, value))
                return false;
            known = state.subquery.emplace(ms, std::move(value.vector)).first;
        }
        for (const PromVectorSample &sample : known->second) {
            const auto [place, fresh] = places.emplace(sample.labels, series.size());
            if (fresh)
                series.push_back({sample.labels, {}});
            series[place->second].points.push_back({ms, sample.value});
        }
    }
    return true;
}

bool PromEvaluator::evaluateRangeCall(const PromExpression &node, qint64 atMs, Value &value)
{
    const PromCall call = node.function->call;
    const bool quantile = call == PromCall::QuantileOverTime;
    double parameter = 0;
    if (node.arguments.size() == 2) {
        Value scalar;
        if (!evaluate(*node.arguments[quantile ? 0 : 1], atMs, scalar))
            return false;
        parameter = scalar.scalar;
    }
    State &state = stateOf(node);
    const bool keepsName = call == PromCall::LastOverTime;
    return forEachWindow(
        *node.arguments[quantile ? 1 : 0], atMs,
        [&](const PromLabels *labels, std::span<const PromPoint> points, const PromWindow &window) {
            double result = 0;
            if (evaluateRangeFunction(call, points, window, parameter, result))
                value.vector.push_back({keepsName ? labels : nameless(state, labels), result, atMs});
        },
        /*newestOnly=*/call == PromCall::LastOverTime);
}

bool PromEvaluator::forEachAny(const PromExpression &node, qint64 atMs, bool &present)
{
    return forEachWindow(
        node, atMs,
        [&present](const PromLabels *, std::span<const PromPoint>, const PromWindow &) { present = true; });
}

const PromLabels *PromEvaluator::nameless(State &state, const PromLabels *labels)
{
    const PromLabels *&known = state.renamed[labels];
    if (known == nullptr)
        known = unique(m_symbols.withoutName(*labels));
    return known;
}

bool PromEvaluator::instant(const PromExpression &expression, qint64 atMs, PromResult &result)
{
    m_startMs = atMs;
    m_endMs = atMs;
    m_deadline = std::chrono::steady_clock::now() + m_limits.timeout;
    prepare(expression, atMs, atMs);
    result.type = expression.type;
    if (expression.type == PromType::Matrix) {
        return forEachWindow(
            expression, atMs,
            [&](const PromLabels *labels, std::span<const PromPoint> points, const PromWindow &) {
                result.matrix.push_back({labels, {points.begin(), points.end()}});
            });
    }
    Value value;
    if (!evaluate(expression, atMs, value))
        return false;
    std::unordered_set<const PromLabels *> seen;
    for (const PromVectorSample &sample : value.vector) {
        if (!seen.insert(sample.labels).second)
            return fail("vector cannot contain metrics with the same labelset");
    }
    result.scalar = value.scalar;
    result.text = std::move(value.text);
    result.vector = std::move(value.vector);
    return true;
}

bool PromEvaluator::range(const PromExpression &expression, qint64 startMs, qint64 endMs, qint64 stepMs,
                          PromResult &result)
{
    m_startMs = startMs;
    m_endMs = endMs;
    m_deadline = std::chrono::steady_clock::now() + m_limits.timeout;
    prepare(expression, startMs, endMs);
    result.type = PromType::Matrix;
    std::unordered_map<const PromLabels *, std::size_t> places;
    const auto steps = std::size_t((endMs - startMs) / stepMs + 1);
    Value value;
    for (qint64 ms = startMs; ms <= endMs; ms += stepMs) {
        value.vector.clear();
        if (!evaluate(expression, ms, value))
            return false;
        if (std::chrono::steady_clock::now() > m_deadline)
            return fail("query timed out in expression evaluation", Fault::Timeout);
        if (expression.type == PromType::Scalar)
            value.vector.push_back({emptyLabels(), value.scalar, ms});
        for (std::size_t i = 0; i < value.vector.size(); ++i) {
            const PromVectorSample &sample = value.vector[i];
            // Mostly the same series come in the same order at each step.
            std::size_t place = i;
            if (place >= result.matrix.size() || result.matrix[place].labels != sample.labels) {
                const auto [known, fresh] = places.emplace(sample.labels, result.matrix.size());
                place = known->second;
                if (fresh) {
                    result.matrix.push_back({sample.labels, {}});
                    result.matrix.back().points.reserve(std::min<std::size_t>(steps, 1024));
                }
            }
            std::vector<PromPoint> &points = result.matrix[place].points;
            if (!points.empty() && points.back().ms == ms)
                return fail("vector cannot contain metrics with the same labelset");
            points.push_back({ms, sample.value});
        }
    }
    std::sort(result.matrix.begin(), result.matrix.end(),
              [this](const PromMatrixSeries &a, const PromMatrixSeries &b) {
                  return m_symbols.less(*a.labels, *b.labels);
              });
    return true;
}

SeriesSource::~SeriesSource() = default;

} // namespace tongchi
