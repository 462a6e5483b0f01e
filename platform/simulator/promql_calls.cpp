#include "platform/simulator/promql_evaluator.h"
#include "platform/simulator/promql_evaluator_state.h"

#include <QByteArray>
#include <QRegularExpression>
#include <algorithm>
#include <cmath>
#include <limits>

namespace tongchi {

namespace {

using Kind = PromExpression::Kind;

double dateField(PromCall call, double seconds)
{
    if (std::isnan(seconds) || std::abs(seconds) > 1e11)
        return std::numeric_limits<double>::quiet_NaN();
    const std::chrono::sys_seconds at{std::chrono::seconds(qint64(std::floor(seconds)))};
    const auto day = std::chrono::floor<std::chrono::days>(at);
    const std::chrono::year_month_day date(day);
    const std::chrono::hh_mm_ss time(at - day);
    switch (call) {
    case PromCall::Hour:
        return double(time.hours().count());
    case PromCall::Minute:
        return double(time.minutes().count());
    case PromCall::DayOfWeek:
        return double(std::chrono::weekday(day).c_encoding());
    case PromCall::DayOfMonth:
        return double(unsigned(date.day()));
    case PromCall::Month:
        return double(unsigned(date.month()));
    case PromCall::Year:
        return double(int(date.year()));
    default:
        return double(
            unsigned(std::chrono::year_month_day_last(date.year() / date.month() / std::chrono::last).day()));
    }
}

/// Functions of one sample; `a` and `b` are the scalar arguments. False: the sample falls out.
bool applyCall(PromCall call, double a, double b, double &value)
{
    switch (call) {
    case PromCall::Abs:
        value = std::abs(value);
        break;
    case PromCall::Ceil:
        value = std::ceil(value);
        break;
    case PromCall::Floor:
        value = std::floor(value);
        break;
    case PromCall::Exp:
        value = std::exp(value);
        break;
    case PromCall::Ln:
        value = std::log(value);
        break;
    case PromCall::Log2:
        value = std::log2(value);
        break;
    case PromCall::Log10:
        value = std::log10(value);
        break;
    case PromCall::Sqrt:
        value = std::sqrt(value);
        break;
    case PromCall::Sgn:
        value = value > 0 ? 1 : value < 0 ? -1 : value;
        break;
    case PromCall::Clamp:
        if (b < a)
            return false;
        value = std::max(a, std::min(b, value));
        break;
    case PromCall::ClampMin:
        value = std::max(a, value);
        break;
    case PromCall::ClampMax:
        value = std::min(a, value);
        break;
    case PromCall::Round: {
        // As Prometheus does it: by the inverse, so that 0.1 does not leave a tail.
        const double inverse = 1.0 / a;
        value = std::floor(value * inverse + 0.5) / inverse;
        break;
    }
    default:
        value = dateField(call, value);
    }
    return true;
}

bool isRangeCall(PromCall call)
{
    switch (call) {
    case PromCall::AvgOverTime:
    case PromCall::Changes:
    case PromCall::CountOverTime:
    case PromCall::Delta:
    case PromCall::Deriv:
    case PromCall::Idelta:
    case PromCall::Increase:
    case PromCall::Irate:
    case PromCall::LastOverTime:
    case PromCall::MaxOverTime:
    case PromCall::MinOverTime:
    case PromCall::PredictLinear:
    case PromCall::PresentOverTime:
    case PromCall::QuantileOverTime:
    case PromCall::Rate:
    case PromCall::Resets:
    case PromCall::StddevOverTime:
    case PromCall::StdvarOverTime:
    case PromCall::SumOverTime:
        return true;
    default:
        return false;
    }
}

/// $1, ${1} and $name of a match, as Go expands them.
QString expandTemplate(const QString &pattern, const QRegularExpressionMatch &match)
{
    QString out;
    for (qsizetype i = 0; i < pattern.size(); ++i) {
        if (pattern[i] != u'$') {
            out += pattern[i];
            continue;
        }
        if (i + 1 < pattern.size() && pattern[i + 1] == u'$') {
            out += u'$';
            ++i;
            continue;
        }
        const bool braces = i + 1 < pattern.size() && pattern[i + 1] == u'{';
        qsizetype end = i + (braces ? 2 : 1);
        const qsizetype begin = end;
        while (end < pattern.size() && (pattern[end].isLetterOrNumber() || pattern[end] == u'_'))
            ++end;
        const QString name = pattern.mid(begin, end - begin);
        bool isNumber = false;
        const int number = name.toInt(&isNumber);
        out += isNumber ? match.captured(number) : match.captured(name);
        i = braces && end < pattern.size() && pattern[end] == u'}' ? end : end - 1;
    }
    return out;
}

} // namespace

bool PromEvaluator::evaluateCall(const PromExpression &node, qint64 atMs, Value &value)
{
    const PromCall call = node.function->call;
    if (isRangeCall(call))
        return evaluateRangeCall(node, atMs, value);
    State &state = stateOf(node);
    if (call == PromCall::Time) {
        value.scalar = double(atMs) / 1000;
        return true;
    }
    if (call == PromCall::AbsentOverTime) {
        bool present = false;
        if (!forEachAny(*node.arguments[0], atMs, present))
            return false;
        return evaluateAbsent(node, present, value);
    }
    std::vector<Value> arguments(node.arguments.size());
    std::vector<std::string> texts;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        if (!evaluate(*node.arguments[i], atMs, arguments[i]))
            return false;
        texts.push_back(arguments[i].text);
    }
    switch (call) {
    case PromCall::Vector:
        value.vector.push_back({emptyLabels(), arguments[0].scalar, atMs});
        return true;
    case PromCall::Scalar:
        value.scalar = arguments[0].vector.size() == 1 ? arguments[0].vector[0].value
                                                       : std::numeric_limits<double>::quiet_NaN();
        return true;
    case PromCall::Absent:
        return evaluateAbsent(node, !arguments[0].vector.empty(), value);
    case PromCall::HistogramQuantile:
        evaluateHistogram(state, arguments[0].scalar, arguments[1].vector, value.vector);
        return true;
    default:
        break;
    }
    if (arguments.empty())
        value.vector.push_back(
            {emptyLabels(), double(atMs) / 1000, atMs}); // hour() and its kind without argument
    else
        value.vector = std::move(arguments[0].vector);
    switch (call) {
    case PromCall::LabelReplace:
    case PromCall::LabelJoin:
        return evaluateRelabel(node, value.vector, texts);
    case PromCall::Sort:
    case PromCall::SortDesc:
        std::stable_sort(value.vector.begin(), value.vector.end(),
                         [call](const PromVectorSample &a, const PromVectorSample &b) {
                             if (std::isnan(a.value) || std::isnan(b.value))
                                 return !std::isnan(a.value) && std::isnan(b.value);
                             return call == PromCall::Sort ? a.value < b.value : a.value > b.value;
                         });
        return true;
    case PromCall::Timestamp: {
        const bool direct = node.arguments[0]->kind == Kind::Selector;
        for (PromVectorSample &sample : value.vector) {
            sample.value = double(direct ? sample.ms : atMs) / 1000;
            sample.labels = nameless(state, sample.labels);
        }
        return true;
    }
    default:
        break;
    }
    const double a = arguments.size() > 1 ? arguments[1].scalar : 1;
    const double b = arguments.size() > 2 ? arguments[2].scalar : 0;
    std::size_t kept = 0;
    for (PromVectorSample sample : value.vector) {
        if (!applyCall(call, a, b, sample.value))
            continue;
        sample.labels = nameless(state, sample.labels);
        value.vector[kept++] = sample;
    }
    value.vector.resize(kept);
    return true;
}

bool PromEvaluator::evaluateAbsent(const PromExpression &node, bool present, Value &value)
{
    if (present)
        return true;
    State &state = stateOf(node);
    if (state.absent == nullptr) {
        // The labels that the selector names exactly; a label named twice is no answer.
        const PromExpression *selector = node.arguments[0].get();
        if (selector->kind == Kind::Range)
            selector = selector->arguments[0].get();
        std::vector<PromLabel> labels;
        for (const PromMatcher &matcher :
             selector->kind == Kind::Selector ? selector->matchers : std::vector<PromMatcher>{}) {
            const auto same = [&matcher](const PromMatcher &other) { return other.name() == matcher.name(); };
            if (matcher.name() != "__name__" && matcher.kind() == PromMatcher::Kind::Equal &&
                std::count_if(selector->matchers.begin(), selector->matchers.end(), same) == 1)
                labels.push_back({symbol(matcher.name()), symbol(matcher.value())});
        }
        state.absent = unique(m_symbols.share(std::move(labels)));
    }
    value.vector.push_back({state.absent, 1, 0});
    return true;
}

bool PromEvaluator::evaluateRelabel(const PromExpression &node, PromVector &vector,
                                    const std::vector<std::string> &texts)
{
    State &state = stateOf(node);
    const StringId target = symbol(texts[1]);
    static const QRegularExpression labelName(QStringLiteral("\\A[a-zA-Z_][a-zA-Z0-9_]*\\z"));
    if (!labelName.match(QString::fromStdString(texts[1])).hasMatch())
        return fail("invalid destination label name in " +
                    QByteArray(node.function->name.data(), qsizetype(node.function->name.size())) +
                    "(): " + QByteArray::fromStdString(texts[1]));
    const bool replace = node.function->call == PromCall::LabelReplace;
    QRegularExpression pattern;
    if (replace) {
        pattern.setPattern(QStringLiteral("\\A(?:") + QString::fromStdString(texts[4]) +
                           QStringLiteral(")\\z"));
        if (!pattern.isValid())
            return fail("invalid regular expression in label_replace(): " +
                        QByteArray::fromStdString(texts[4]));
    }
    for (PromVectorSample &sample : vector) {
        const PromLabels *&known = state.renamed[sample.labels];
        if (known == nullptr) {
            known = sample.labels;
            QString result;
            bool changes = true;
            if (replace) {
                const std::string_view source = m_symbols.text(sample.labels->value(symbol(texts[3])));
                const auto match = pattern.match(QString::fromUtf8(source.data(), qsizetype(source.size())));
                changes = match.hasMatch();
                if (changes)
                    result = expandTemplate(QString::fromStdString(texts[2]), match);
            } else {
                for (std::size_t i = 3; i < texts.size(); ++i) {
                    const std::string_view part = m_symbols.text(sample.labels->value(symbol(texts[i])));
                    result += (i > 3 ? QString::fromStdString(texts[2]) : QString()) +
                              QString::fromUtf8(part.data(), qsizetype(part.size()));
                }
            }
            if (changes)
                known = unique(m_symbols.with(*sample.labels, target, m_symbols.intern(result.toUtf8())));
        }
        sample.labels = known;
    }
    std::unordered_set<const PromLabels *> seen;
    for (const PromVectorSample &sample : vector) {
        if (!seen.insert(sample.labels).second)
            return fail("vector cannot contain metrics with the same labelset");
    }
    return true;
}

void PromEvaluator::evaluateHistogram(State &state, double quantile, const PromVector &buckets,
                                      PromVector &out)
{
    struct Bucket
    {
        double bound;
        double count;
    };
    struct Histogram
    {
        const PromLabels *labels;
        std::vector<Bucket> buckets;
    };
    const StringId le = m_symbols.intern(std::string_view("le"));
    std::vector<Histogram> histograms;
    std::unordered_map<const PromLabels *, std::size_t> places;
    for (const PromVectorSample &sample : buckets) {
        const std::string bound(m_symbols.text(sample.labels->value(le)));
        bool isNumber = false;
        const double upper = bound == "+Inf" ? std::numeric_limits<double>::infinity()
                                             : QByteArray::fromStdString(bound).toDouble(&isNumber);
        if (!isNumber && bound != "+Inf")
            continue;
        const PromLabels *&key = state.renamed[sample.labels];
        if (key == nullptr)
            key = unique(m_symbols.without(*sample.labels, {le, m_symbols.metricName()}, false));
        const auto [place, fresh] = places.emplace(key, histograms.size());
        if (fresh)
            histograms.push_back({key, {}});
        histograms[place->second].buckets.push_back({upper, sample.value});
    }
    const auto result = [quantile](std::vector<Bucket> &list) {
        constexpr double nothing = std::numeric_limits<double>::quiet_NaN();
        std::sort(list.begin(), list.end(),
                  [](const Bucket &a, const Bucket &b) { return a.bound < b.bound; });
        if (std::isnan(quantile))
            return nothing;
        if (quantile < 0 || quantile > 1)
            return quantile < 0 ? -std::numeric_limits<double>::infinity()
                                : std::numeric_limits<double>::infinity();
        if (list.size() < 2 || !std::isinf(list.back().bound))
            return nothing;
        double most = list.front().count;
        for (Bucket &bucket : list) {
            most = std::max(most, bucket.count);
            bucket.count = most; // scrapes are not atomic: never let a bucket fall below its neighbour
        }
        const double observations = list.back().count;
        if (observations == 0 || std::isnan(observations))
            return nothing;
        const double rank = quantile * observations;
        std::size_t i = 0;
        while (i < list.size() - 1 && list[i].count < rank)
            ++i;
        if (i == list.size() - 1)
            return list[list.size() - 2].bound;
        if (i == 0 && list[0].bound <= 0)
            return list[0].bound;
        const double start = i > 0 ? list[i - 1].bound : 0;
        const double before = i > 0 ? list[i - 1].count : 0;
        return start + (list[i].bound - start) * ((rank - before) / (list[i].count - before));
    };
    for (Histogram &histogram : histograms)
        out.push_back({histogram.labels, result(histogram.buckets), 0});
}

} // namespace tongchi
