#include "platform/simulator/simulated_prometheus_answer.h"

#include "platform/simulator/fleet_json.h"

#include <array>
#include <cstdio>

namespace tongchi {

namespace {

constexpr char successHead[] = "{\"status\":\"success\",\"data\":";

void appendTimestamp(QByteArray &out, qint64 ms)
{
    out.append(QByteArray::number(ms / 1000));
    if (ms % 1000 != 0) {
        const int part = int(ms % 1000);
        const std::array<char, 4> text{'.', char('0' + part / 100), char('0' + part / 10 % 10),
                                       char('0' + part % 10)};
        out.append(text.data(), 4);
    }
}

void appendPoint(QByteArray &out, qint64 ms, double value)
{
    out.append('[');
    appendTimestamp(out, ms);
    out.append(",\"").append(promNumber(value)).append("\"]");
}

void appendMatrix(QByteArray &out, const PromSymbols &symbols, const std::vector<PromMatrixSeries> &matrix)
{
    out.append("{\"resultType\":\"matrix\",\"result\":[");
    bool first = true;
    for (const PromMatrixSeries &series : matrix) {
        out.append(first ? "{\"metric\":" : ",{\"metric\":");
        first = false;
        appendPrometheusLabels(out, symbols, *series.labels);
        out.append(",\"values\":[");
        for (std::size_t i = 0; i < series.points.size(); ++i) {
            if (i > 0)
                out.append(',');
            appendPoint(out, series.points[i].ms, series.points[i].value);
        }
        out.append("]}");
    }
    out.append("]}");
}

} // namespace

void appendPrometheusLabels(QByteArray &out, const PromSymbols &symbols, const PromLabels &labels)
{
    out.append('{');
    bool first = true;
    for (const PromLabel &label : labels.all()) {
        if (!first)
            out.append(',');
        first = false;
        appendJsonString(out, symbols.text(label.name));
        out.append(':');
        appendJsonString(out, symbols.text(label.value));
    }
    out.append('}');
}

MetricsSource::Answer prometheusSuccess(const QByteArray &dataJson)
{
    QByteArray body;
    body.reserve(dataJson.size() + 40);
    body.append(successHead).append(dataJson).append('}');
    return {200, "application/json", std::move(body)};
}

MetricsSource::Answer prometheusFailure(const char *errorType, const QByteArray &error)
{
    const QByteArray type(errorType);
    const int status = type == "bad_data"    ? 400
                       : type == "execution" ? 422
                       : type == "timeout"   ? 503
                       : type == "not_found" ? 404
                                             : 500;
    FleetJson json(256);
    json.object().text("status", "error").text("errorType", errorType).text("error", error).endObject();
    return {status, "application/json", json.take()};
}

MetricsSource::Answer prometheusText(int status, const QByteArray &text)
{
    MetricsSource::Answer answer{status, "text/plain; charset=utf-8", text};
    answer.headers.emplace_back("X-Content-Type-Options", "nosniff");
    return answer;
}

MetricsSource::Answer prometheusInstant(const PromSymbols &symbols, const PromResult &result, qint64 atMs)
{
    QByteArray out(successHead);
    switch (result.type) {
    case PromType::Matrix:
        appendMatrix(out, symbols, result.matrix);
        break;
    case PromType::Scalar:
        out.append("{\"resultType\":\"scalar\",\"result\":");
        appendPoint(out, atMs, result.scalar);
        out.append('}');
        break;
    case PromType::Text:
        out.append("{\"resultType\":\"string\",\"result\":[");
        appendTimestamp(out, atMs);
        out.append(',');
        appendJsonString(out, result.text);
        out.append("]}");
        break;
    case PromType::Vector: {
        // Answers of whole pools run to 20 MB: one allocation, no second copy.
        out.reserve(qsizetype(result.vector.size()) * 760 + 128);
        out.append("{\"resultType\":\"vector\",\"result\":[");
        bool first = true;
        for (const PromVectorSample &sample : result.vector) {
            out.append(first ? "{\"metric\":" : ",{\"metric\":");
            first = false;
            appendPrometheusLabels(out, symbols, *sample.labels);
            out.append(",\"value\":");
            appendPoint(out, atMs, sample.value);
            out.append('}');
        }
        out.append("]}");
        break;
    }
    }
    out.append('}');
    return {200, "application/json", std::move(out)};
}

MetricsSource::Answer prometheusRange(const PromSymbols &symbols, const PromResult &result)
{
    QByteArray out(successHead);
    appendMatrix(out, symbols, result.matrix);
    out.append('}');
    return {200, "application/json", std::move(out)};
}

} // namespace tongchi
