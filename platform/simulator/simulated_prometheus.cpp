#include "platform/simulator/simulated_prometheus.h"

#include "platform/simulator/exporter_series.h"
#include "platform/simulator/fleet_encoding.h"
#include "platform/simulator/fleet_json.h"
#include "platform/simulator/simulated_prometheus_answer.h"
#include "platform/simulator/simulated_prometheus_form.h"

#include <algorithm>
#include <map>
#include <set>

namespace tongchi {

using Answer = MetricsSource::Answer;

namespace {

Answer badParameter(const char *name, const QByteArray &text)
{
    return prometheusFailure("bad_data", QByteArray("invalid parameter \"") + name + "\": " + text);
}

QByteArray notATime(const QByteArray &text)
{
    return "cannot parse \"" + text + "\" to a valid timestamp";
}

QByteArray notADuration(const QByteArray &text)
{
    return "cannot parse \"" + text + "\" to a valid duration";
}

std::string_view viewOf(const QByteArray &text)
{
    return {text.constData(), std::size_t(text.size())};
}

/// The evaluator's limits from `timeout`; an answer: it cannot be read.
std::optional<Answer> readLimits(const PrometheusForm &form, PromEvaluator::Limits &limits)
{
    if (const QByteArray text = form.value("timeout"); !text.isEmpty()) {
        const auto timeout = parsePrometheusDuration(text);
        if (!timeout)
            return badParameter("timeout", notADuration(text));
        limits.timeout = std::min(limits.timeout, std::chrono::milliseconds(*timeout));
    }
    return std::nullopt;
}

/// Questions that may also come as a form.
bool takesForms(const QByteArray &what)
{
    return what == "query" || what == "query_range" || what == "series" || what == "labels" ||
           what == "query_exemplars";
}

Answer methodNotAllowed(const char *allowed)
{
    Answer answer = prometheusText(405, "Method Not Allowed\n");
    answer.headers.emplace_back("Allow", allowed);
    return answer;
}

/// The server's own pages, outside the API.
Answer healthPage(const QByteArray &method, const QByteArray &text)
{
    if (method == "GET" || method == "HEAD")
        return {200, "text/plain; charset=utf-8", text};
    if (method != "OPTIONS")
        return methodNotAllowed("GET, HEAD, OPTIONS");
    Answer answer{200, {}, {}};
    answer.headers.emplace_back("Allow", "GET, HEAD, OPTIONS");
    return answer;
}

} // namespace

SimulatedPrometheus::SimulatedPrometheus(const Fleet &fleet, const SimulatedClock &clock)
    : m_plan(fleet.sharedPlan()), m_clock(clock)
{
    for (int cluster = 0; cluster < int(m_plan->clusters().size()); ++cluster)
        m_series.push_back(std::make_unique<ExporterSeries>(m_plan, m_symbols, cluster));
}

SimulatedPrometheus::~SimulatedPrometheus() = default;

qint64 SimulatedPrometheus::nowMs() const
{
    return m_clock.now().time_since_epoch().count();
}

Answer SimulatedPrometheus::handle(int cluster, const QByteArray &method, const QByteArray &path,
                                   const QByteArray &queryString, const QByteArray &body)
{
    const Answer unknown = prometheusText(404, "404 page not found\n");
    if (cluster < 0 || std::size_t(cluster) >= m_series.size())
        return unknown;
    const ExporterSeries &series = *m_series[std::size_t(cluster)];
    if (path == "/-/ready")
        return healthPage(method, "Prometheus Server is Ready.\n");
    if (path == "/-/healthy")
        return healthPage(method, "Prometheus Server is Healthy.\n");
    if (path.startsWith("/metrics/"))
        return exporterPage(series, path.mid(9));
    static const QByteArray base("/api/v1/");
    if (!path.startsWith(base))
        return unknown;
    const QByteArray what = path.mid(base.size());
    const bool forms = takesForms(what);
    const bool post = method == "POST";
    if (method == "GET" || (post && forms))
        return answerTo(what, cluster, PrometheusForm(queryString, post ? body : QByteArray()))
            .value_or(unknown);
    // The router looks for the path first, then for the method.
    if (!isPath(what))
        return unknown;
    if (method == "OPTIONS")
        return {204, {}, {}};
    return methodNotAllowed(forms ? "GET, OPTIONS, POST" : "GET, OPTIONS");
}

bool SimulatedPrometheus::isPath(const QByteArray &what)
{
    static const QByteArrayList paths{"query",           "query_range",      "series",
                                      "labels",          "metadata",         "targets",
                                      "rules",           "alerts",           "alertmanagers",
                                      "query_exemplars", "status/buildinfo", "status/runtimeinfo",
                                      "status/config",   "status/flags",     "status/tsdb",
                                      "status/walreplay"};
    return paths.contains(what) || (what.startsWith("label/") && what.endsWith("/values"));
}

std::optional<Answer> SimulatedPrometheus::answerTo(const QByteArray &what, int cluster,
                                                    const PrometheusForm &form)
{
    const ExporterSeries &series = *m_series[std::size_t(cluster)];
    if (!isPath(what))
        return std::nullopt;
    if (what == "query")
        return query(series, form);
    if (what == "query_range")
        return queryRange(series, form);
    if (what == "series")
        return seriesList(series, form);
    if (what == "labels")
        return labelNames(series, form, {});
    if (what.startsWith("label/"))
        return labelNames(series, form, QByteArray::fromPercentEncoding(what.mid(6, what.size() - 13)));
    if (what == "metadata")
        return metadata(form);
    if (what == "targets")
        return targets(cluster, form);
    if (what == "rules") {
        const QByteArray type = form.value("type").toLower();
        if (!type.isEmpty() && type != "alert" && type != "record")
            return badParameter("type", "not supported value \"" + type + '"');
        return prometheusSuccess("{\"groups\":[]}");
    }
    if (what == "alerts")
        return prometheusSuccess("{\"alerts\":[]}");
    if (what == "alertmanagers")
        return prometheusSuccess("{\"activeAlertmanagers\":[],\"droppedAlertmanagers\":[]}");
    if (what == "query_exemplars")
        return exemplars(form);
    return status(what.mid(7));
}

Answer SimulatedPrometheus::exemplars(const PrometheusForm &form) const
{
    std::string error;
    const QByteArray text = form.value("query");
    if (!parsePromql(viewOf(text), error))
        return prometheusFailure("bad_data", QByteArray::fromStdString(error));
    return prometheusSuccess("[]");
}

Answer SimulatedPrometheus::evaluationFailure(const PromEvaluator &evaluator) const
{
    return prometheusFailure(evaluator.fault() == PromEvaluator::Fault::Timeout ? "timeout" : "execution",
                             evaluator.error());
}

Answer SimulatedPrometheus::query(const ExporterSeries &series, const PrometheusForm &form)
{
    qint64 atMs = nowMs();
    if (const QByteArray text = form.value("time"); !text.isEmpty()) {
        const auto time = parsePrometheusTime(text);
        if (!time)
            return badParameter("time", "Invalid time value for 'time': " + notATime(text));
        atMs = *time;
    }
    PromEvaluator::Limits limits;
    if (auto failed = readLimits(form, limits))
        return *failed;
    std::string error;
    const QByteArray text = form.value("query");
    const auto expression = parsePromql(viewOf(text), error);
    if (!expression)
        return badParameter("query", QByteArray::fromStdString(error));
    PromEvaluator evaluator(series, m_symbols, limits);
    PromResult result;
    if (!evaluator.instant(*expression, atMs, result))
        return evaluationFailure(evaluator);
    return prometheusInstant(m_symbols, result, atMs);
}

Answer SimulatedPrometheus::queryRange(const ExporterSeries &series, const PrometheusForm &form)
{
    const auto start = parsePrometheusTime(form.value("start"));
    if (!start)
        return badParameter("start", notATime(form.value("start")));
    const auto end = parsePrometheusTime(form.value("end"));
    if (!end)
        return badParameter("end", notATime(form.value("end")));
    if (*end < *start)
        return badParameter("end", "end timestamp must not be before start time");
    const auto step = parsePrometheusDuration(form.value("step"));
    if (!step)
        return badParameter("step", notADuration(form.value("step")));
    if (*step <= 0)
        return badParameter(
            "step", "zero or negative query resolution step widths are not accepted. Try a positive integer");
    constexpr qint64 mostPoints = 11'000;
    if ((*end - *start) / *step > mostPoints) {
        return prometheusFailure("bad_data", "exceeded maximum resolution of 11,000 points per timeseries. "
                                             "Try decreasing the query resolution (?step=XX)");
    }
    PromEvaluator::Limits limits;
    if (auto failed = readLimits(form, limits))
        return *failed;
    std::string error;
    const QByteArray text = form.value("query");
    const auto expression = parsePromql(viewOf(text), error);
    if (!expression)
        return prometheusFailure("bad_data",
                                 QByteArray::fromStdString(error)); // without the parameter's name
    if (expression->type != PromType::Scalar && expression->type != PromType::Vector) {
        const std::string_view type = promTypeName(expression->type);
        return prometheusFailure("bad_data", "invalid expression type \"" +
                                                 QByteArray(type.data(), qsizetype(type.size())) +
                                                 "\" for range query, must be Scalar or instant Vector");
    }
    PromEvaluator evaluator(series, m_symbols, limits);
    PromResult result;
    if (!evaluator.range(*expression, *start, *end, *step, result))
        return evaluationFailure(evaluator);
    return prometheusRange(m_symbols, result);
}

bool SimulatedPrometheus::readSelection(const PrometheusForm &form, Selection &selection, Answer &failed,
                                        bool namesParameter) const
{
    selection.fromMs = nowMs() - 300'000;
    selection.toMs = nowMs();
    if (const QByteArray text = form.value("start"); !text.isEmpty()) {
        const auto time = parsePrometheusTime(text);
        if (!time) {
            failed = badParameter("start", "Invalid time value for 'start': " + notATime(text));
            return false;
        }
        selection.fromMs = *time;
    }
    if (const QByteArray text = form.value("end"); !text.isEmpty()) {
        const auto time = parsePrometheusTime(text);
        if (!time) {
            failed = badParameter("end", "Invalid time value for 'end': " + notATime(text));
            return false;
        }
        selection.toMs = *time;
    }
    for (const QByteArray &selector : form.values("match[]")) {
        std::string error;
        if (!parsePromSelector(viewOf(selector), selection.selectors.emplace_back(), error)) {
            // Only the list of series names the parameter.
            failed = namesParameter ? badParameter("match[]", QByteArray::fromStdString(error))
                                    : prometheusFailure("bad_data", QByteArray::fromStdString(error));
            return false;
        }
    }
    if (selection.selectors.empty())
        selection.selectors.emplace_back();
    return true;
}

bool SimulatedPrometheus::selectFor(const ExporterSeries &series, const PrometheusForm &form,
                                    std::vector<PromSeries> &found, Answer &failed, bool namesParameter) const
{
    Selection selection;
    if (!readSelection(form, selection, failed, namesParameter))
        return false;
    for (const std::vector<PromMatcher> &matchers : selection.selectors) {
        for (PromSeries &one : series.select(matchers, selection.fromMs, selection.toMs)) {
            if (one.fromMs <= selection.toMs && one.toMs > selection.fromMs)
                found.push_back(std::move(one));
        }
    }
    return true;
}

Answer SimulatedPrometheus::seriesList(const ExporterSeries &series, const PrometheusForm &form)
{
    if (form.values("match[]").empty())
        return prometheusFailure("bad_data", "no match[] parameter provided");
    std::vector<PromSeries> found;
    Answer failed;
    if (!selectFor(series, form, found, failed, true))
        return failed;
    std::sort(found.begin(), found.end(), [this](const PromSeries &a, const PromSeries &b) {
        return m_symbols.less(*a.labels, *b.labels);
    });
    QByteArray out("[");
    const PromLabels *before = nullptr;
    for (const PromSeries &one : found) {
        if (before != nullptr && *before == *one.labels)
            continue;
        before = one.labels.get();
        if (out.size() > 1)
            out.append(',');
        appendPrometheusLabels(out, m_symbols, *one.labels);
    }
    out.append(']');
    return prometheusSuccess(out);
}

Answer SimulatedPrometheus::labelNames(const ExporterSeries &series, const PrometheusForm &form,
                                       const QByteArray &wanted)
{
    std::set<std::string_view> names;
    static const QRegularExpression labelName(QStringLiteral("\\A[a-zA-Z_][a-zA-Z0-9_]*\\z"));
    if (!wanted.isEmpty() && !labelName.match(QString::fromUtf8(wanted)).hasMatch())
        return prometheusFailure("bad_data", "invalid label name: \"" + wanted + '"');
    if (wanted == "__name__" && form.values("match[]").empty()) {
        for (const ExporterMetric &metric : exporterMetrics())
            names.insert(metric.name);
    } else if (wanted == "__name__") {
        Selection selection;
        Answer failed;
        if (!readSelection(form, selection, failed, false))
            return failed;
        for (const std::vector<PromMatcher> &matchers : selection.selectors) {
            for (const quint16 metric : series.metricsOf(matchers, selection.fromMs, selection.toMs))
                names.insert(exporterMetrics()[metric].name);
        }
    } else {
        std::vector<PromSeries> found;
        Answer failed;
        if (!selectFor(series, form, found, failed, false))
            return failed;
        const StringId name = wanted.isEmpty() ? 0 : m_symbols.intern(wanted);
        std::set<StringId> ids;
        for (const PromSeries &one : found) {
            for (const PromLabel &label : one.labels->all()) {
                if (wanted.isEmpty())
                    ids.insert(label.name);
                else if (label.name == name)
                    ids.insert(label.value);
            }
        }
        for (const StringId id : ids)
            names.insert(m_symbols.text(id));
    }
    FleetJson json(names.size() * 24 + 16);
    json.array();
    for (const std::string_view name : names)
        json.value(name);
    json.endArray();
    return prometheusSuccess(json.bytes());
}

Answer SimulatedPrometheus::metadata(const PrometheusForm &form) const
{
    const QByteArray wanted = form.value("metric");
    qint64 most = -1;
    if (const QByteArray limit = form.value("limit"); !limit.isEmpty()) {
        bool isNumber = false;
        most = limit.toLongLong(&isNumber);
        if (!isNumber)
            return prometheusFailure("bad_data", "limit must be a number");
    }
    FleetJson json(8192);
    json.object();
    qint64 taken = 0;
    for (const ExporterMetric &metric : exporterMetrics()) {
        if (most >= 0 && taken >= most)
            break;
        if ((!wanted.isEmpty() && viewOf(wanted) != metric.name) || metric.help.empty())
            continue;
        ++taken;
        json.key(metric.name)
            .array()
            .object()
            .key("type")
            .value(metric.type)
            .key("help")
            .value(metric.help)
            .text("unit", "");
        json.endObject().endArray();
    }
    json.endObject();
    return prometheusSuccess(json.bytes());
}

Answer SimulatedPrometheus::exporterPage(const ExporterSeries &series, const QByteArray &node)
{
    // The page of one node's exporters, as a scrape would see it, with the target's labels left in.
    const qint64 atMs = nowMs();
    const SimulatedNode *home = nullptr;
    for (const SimulatedNode &candidate : m_plan->nodes()) {
        if (candidate.cluster == series.cluster() && candidate.name == node)
            home = &candidate;
    }
    if (home == nullptr)
        return prometheusText(404, "404 page not found\n");
    const std::string instance = m_plan->nodeAddress(*home).replace('.', "[.]").toStdString() + ":.*";
    const auto found =
        series.select({PromMatcher("instance", PromMatcher::Kind::Matches, instance)}, atMs, atMs);
    std::map<std::string_view, QByteArray> pages;
    for (const PromSeries &one : found) {
        PromPoint point;
        const ExporterMetric &metric = exporterMetrics()[one.metric];
        if (metric.family == ExporterFamily::Target || !series.newestAt(one, atMs, 300'000, point))
            continue;
        QByteArray &page = pages[metric.name];
        if (page.isEmpty()) {
            const QByteArray name(metric.name.data(), qsizetype(metric.name.size()));
            page = "# HELP " + name + ' ' + QByteArray(metric.help.data(), qsizetype(metric.help.size())) +
                   "\n# TYPE " + name + ' ' + QByteArray(metric.type.data(), qsizetype(metric.type.size())) +
                   '\n';
        }
        page.append(metric.name.data(), qsizetype(metric.name.size())).append('{');
        bool first = true;
        for (const PromLabel &label : one.labels->all()) {
            if (label.name == m_symbols.metricName())
                continue;
            if (!first)
                page.append(',');
            first = false;
            const std::string_view name = m_symbols.text(label.name);
            page.append(name.data(), qsizetype(name.size())).append('=');
            appendJsonString(page, m_symbols.text(label.value));
        }
        page.append("} ").append(promNumber(point.value)).append('\n');
    }
    QByteArray text;
    for (const auto &[name, page] : pages)
        text.append(page);
    return {200, "text/plain; version=0.0.4; charset=utf-8", text};
}

} // namespace tongchi
