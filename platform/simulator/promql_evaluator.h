#pragma once

#include "platform/simulator/promql_parser.h"
#include "platform/simulator/promql_range_functions.h"
#include "platform/simulator/series_source.h"

#include <chrono>
#include <unordered_map>
#include <unordered_set>

namespace tongchi {

struct PromVectorSample
{
    const PromLabels *labels = nullptr; ///< owned by the evaluator
    double value = 0;
    qint64 ms = 0; ///< when it was sampled
};

using PromVector = std::vector<PromVectorSample>;

struct PromMatrixSeries
{
    const PromLabels *labels = nullptr;
    std::vector<PromPoint> points;
};

/// What a query came to. Label sets belong to the evaluator that made it.
struct PromResult
{
    PromType type = PromType::Vector;
    double scalar = 0;
    std::string text;
    PromVector vector;
    std::vector<PromMatrixSeries> matrix;
};

/// Evaluates one query over a source, at one instant or over a range. Made for one query, used by one thread.
///
/// Label sets are made unique by content, so that equal sets are equal pointers: matching and grouping at
/// each step of a range are then look-ups of pointers that were worked out at the first step.
class PromEvaluator
{
public:
    enum class Fault : unsigned char { None, Execution, Timeout };
    struct Limits
    {
        qint64 lookbackMs = 300'000;
        qint64 subqueryStepMs = 60'000;
        qint64 mostSamples = 50'000'000;
        std::chrono::milliseconds timeout{120'000};
    };

    PromEvaluator(const SeriesSource &source, PromSymbols &symbols) : PromEvaluator(source, symbols, Limits{})
    {
    }
    PromEvaluator(const SeriesSource &source, PromSymbols &symbols, Limits limits);
    ~PromEvaluator();

    /// False: see fault() and error().
    bool instant(const PromExpression &expression, qint64 atMs, PromResult &result);
    /// The result is a matrix, sorted by labels.
    bool range(const PromExpression &expression, qint64 startMs, qint64 endMs, qint64 stepMs,
               PromResult &result);
    Fault fault() const { return m_fault; }
    const QByteArray &error() const { return m_error; }

private:
    struct State;
    struct Value
    {
        PromType type = PromType::Vector;
        double scalar = 0;
        std::string text;
        PromVector vector;
    };
    struct ByContent
    {
        std::size_t operator()(const PromLabelsPtr &labels) const { return std::size_t(labels->hash()); }
        bool operator()(const PromLabelsPtr &a, const PromLabelsPtr &b) const { return *a == *b; }
    };

    State &stateOf(const PromExpression &node);
    void prepare(const PromExpression &node, qint64 fromMs, qint64 toMs);
    qint64 movedTo(const PromExpression &node, qint64 atMs) const;
    bool fail(QByteArray text, Fault fault = Fault::Execution);
    bool countSamples(std::size_t number);
    const PromLabels *unique(PromLabelsPtr labels);
    const PromLabels *emptyLabels();
    StringId symbol(const std::string &text) { return m_symbols.intern(std::string_view(text)); }

    bool evaluate(const PromExpression &node, qint64 atMs, Value &value);
    bool evaluateSelector(const PromExpression &node, qint64 atMs, PromVector &out);
    void linkParts(State &state);
    /// Calls take(labels, points, window) for every series of a Range or Subquery.
    /// `newestOnly`: a window has its newest sample and no other.
    template <typename Take>
    bool forEachWindow(const PromExpression &node, qint64 atMs, Take take, bool newestOnly = false);
    bool subqueryPoints(const PromExpression &node, qint64 atMs, std::vector<PromMatrixSeries> &series,
                        PromWindow &window);

    bool evaluateBinary(const PromExpression &node, qint64 atMs, Value &value);
    bool combineVectors(const PromExpression &node, State &state, const PromVector &left,
                        const PromVector &right, PromVector &out);
    void combineSets(const PromExpression &node, State &state, const PromVector &left,
                     const PromVector &right, PromVector &out);
    const PromLabels *signature(const PromExpression &node, State &state, const PromLabels *labels);
    const PromLabels *joined(const PromExpression &node, State &state, const PromLabels *many,
                             const PromLabels *one);

    bool evaluateAggregate(const PromExpression &node, qint64 atMs, Value &value);
    bool evaluateCall(const PromExpression &node, qint64 atMs, Value &value);
    bool evaluateRangeCall(const PromExpression &node, qint64 atMs, Value &value);
    bool evaluateRelabel(const PromExpression &node, PromVector &vector,
                         const std::vector<std::string> &texts);
    bool forEachAny(const PromExpression &node, qint64 atMs, bool &present);
    bool evaluateAbsent(const PromExpression &node, bool present, Value &value);
    void evaluateHistogram(State &state, double quantile, const PromVector &buckets, PromVector &out);
    const PromLabels *nameless(State &state, const PromLabels *labels);

    const SeriesSource &m_source;
    PromSymbols &m_symbols;
    Limits m_limits;
    qint64 m_startMs = 0;
    qint64 m_endMs = 0;
    qint64 m_samples = 0;
    std::chrono::steady_clock::time_point m_deadline;
    std::unordered_map<const PromExpression *, std::unique_ptr<State>> m_states;
    std::unordered_set<PromLabelsPtr, ByContent, ByContent> m_labels;
    const PromLabels *m_empty = nullptr;
    Fault m_fault = Fault::None;
    QByteArray m_error;
};

} // namespace tongchi
