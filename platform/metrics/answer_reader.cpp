#include "platform/metrics/answer_reader.h"

// As in every room that uses simdjson, so that its inline classes are the same everywhere.
#define SIMDJSON_EXCEPTIONS 0
#ifndef SIMDJSON_DEVELOPMENT_CHECKS
#define SIMDJSON_DEVELOPMENT_CHECKS 0
#endif
#include <simdjson.h>

#include "platform/metrics/answer_error.h"
#include "platform/metrics/sample_text.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <optional>
#include <string>
#include <vector>

namespace tongchi {

namespace ondemand = simdjson::ondemand;

namespace {

// Ends one series and begins the next. Cannot occur inside a JSON string, where the quote would be escaped.
constexpr std::string_view seriesSeparator = R"(},{"metric":)";
constexpr std::string_view resultStart = R"("result":[)";
constexpr std::string_view labelsEnd = R"(},"value":[)"; // the same holds for this
constexpr std::size_t longestLabels = 4096;              // of a series that is worth recognising
constexpr qsizetype longestPrefix = 1024;

std::optional<Instant> instantOfSeconds(double seconds)
{
    if (!(std::abs(seconds) < 1e11)) // beyond the year 5000
        return std::nullopt;
    return Instant(std::chrono::milliseconds(std::llround(seconds * 1000)));
}

QString plainText(std::string_view utf8)
{
    constexpr std::size_t longest = 1000;
    return QString::fromUtf8(utf8.data(), qsizetype(std::min(utf8.size(), longest)));
}

/// The characters between the quotes without copying them; nothing when an escape has to be undone. `begin`
/// is behind the opening quote. Cheaper than simdjson's own copy, whose portable path goes byte by byte.
std::optional<std::string_view> plainString(const char *begin, const char *end)
{
    const char *const quote = static_cast<const char *>(std::memchr(begin, '"', std::size_t(end - begin)));
    if (!quote || std::memchr(begin, '\\', std::size_t(quote - begin)))
        return std::nullopt;
    return std::string_view(begin, std::size_t(quote - begin));
}

simdjson::error_code stringOf(ondemand::value value, const char *end, std::string_view &text)
{
    const std::string_view token = value.raw_json_token();
    if (token.empty() || token.front() != '"')
        return simdjson::INCORRECT_TYPE;
    if (const auto plain = plainString(token.data() + 1, end)) {
        text = *plain;
        return simdjson::SUCCESS;
    }
    return value.get_string().get(text);
}

/// The object that begins at `begin` and ends before a value, as it stands there; empty when it cannot be
/// told.
std::string_view rawLabels(const char *begin, const char *end)
{
    const std::string_view text(begin, std::min(std::size_t(end - begin), longestLabels));
    const std::size_t at = text.find(labelsEnd);
    return at == std::string_view::npos || text.front() != '{' ? std::string_view() : text.substr(0, at + 1);
}

simdjson::error_code endOfDocument(ondemand::document &document)
{
    const char *location = nullptr;
    return document.current_location().get(location) == simdjson::OUT_OF_BOUNDS ? simdjson::SUCCESS
                                                                                : simdjson::TRAILING_CONTENT;
}

/// What simdjson reports when the bytes are not JSON, as opposed to JSON of an unexpected shape.
bool isBroken(simdjson::error_code code)
{
    return code != simdjson::SUCCESS && code != simdjson::INCORRECT_TYPE && code != simdjson::NUMBER_ERROR &&
           code != simdjson::STRING_ERROR && code != simdjson::NO_SUCH_FIELD &&
           code != simdjson::N_ATOM_ERROR;
}

} // namespace

struct AnswerReader::Private
{
    explicit Private(qsizetype window_) : window(window_) {}

    simdjson::error_code readEnvelope(char *json, std::size_t size, std::size_t capacity);
    simdjson::error_code readWindow(char *json, std::size_t size, std::size_t capacity);
    simdjson::error_code readData(ondemand::object data);
    simdjson::error_code readResult(ondemand::array result);
    simdjson::error_code readSeries(ondemand::object element);
    simdjson::error_code readLabels(ondemand::object metric);
    simdjson::error_code readPoint(ondemand::array point);
    simdjson::error_code readTexts(ondemand::value list, QStringList &texts);
    bool isPrefix(std::string_view prefix);
    void deliver(bool known = false);

    const qsizetype window;
    ondemand::parser parser;
    std::vector<LabelView> labels;
    std::vector<Sample> samples;
    std::string prefixCopy;

    const char *documentEnd = nullptr;
    SeriesSink *sink = nullptr;
    PrometheusAnswer answer;
    std::string status, errorType, errorText;
    bool sawData = false;
};

void AnswerReader::Private::deliver(bool known)
{
    if (samples.empty())
        return;
    ++answer.series;
    if (known)
        sink->knownSeries(samples);
    else
        sink->series(labels, samples);
}

simdjson::error_code AnswerReader::Private::readLabels(ondemand::object metric)
{
    for (auto field : metric) {
        std::string_view name, value;
        ondemand::field label;
        if (const auto error = std::move(field).get(label))
            return error;
        if (const auto plain = plainString(label.key().raw(), documentEnd))
            name = *plain;
        else if (const auto error = label.unescaped_key().get(name))
            return error;
        if (const auto error = stringOf(label.value(), documentEnd, value)) {
            if (isBroken(error))
                return error;
            continue; // null or a number: as good as no such label
        }
        labels.push_back({name, value});
    }
    return simdjson::SUCCESS;
}

/// [seconds, "value"] to the end of `samples`; a point that is something else is counted and left out.
simdjson::error_code AnswerReader::Private::readPoint(ondemand::array point)
{
    int index = 0;
    std::optional<Instant> time;
    std::optional<double> value;
    for (auto element : point) {
        simdjson::error_code error = simdjson::SUCCESS;
        if (index == 0) {
            double seconds = 0;
            error = element.get_double().get(seconds);
            if (!error)
                time = instantOfSeconds(seconds);
        } else if (index == 1) {
            std::string_view text;
            ondemand::value item;
            error = std::move(element).get(item);
            if (!error)
                error = stringOf(item, documentEnd, text);
            if (!error)
                value = parseSampleText(text);
        } else {
            error = element.error();
        }
        if (isBroken(error))
            return error;
        ++index;
    }
    if (time && value && index == 2)
        samples.push_back({*time, *value});
    else
        ++answer.unreadable;
    return simdjson::SUCCESS;
}

simdjson::error_code AnswerReader::Private::readSeries(ondemand::object element)
{
    labels.clear();
    samples.clear();
    bool histogram = false;
    bool known = false;
    const auto unreadableBefore = answer.unreadable;
    for (auto entry : element) {
        ondemand::field field;
        if (const auto error = std::move(entry).get(field))
            return error;
        const ondemand::raw_json_string key = field.key();
        if (key == "metric") {
            ondemand::value value = field.value();
            const std::string_view raw = samples.empty()
                                             ? rawLabels(value.raw_json_token().data(), documentEnd)
                                             : std::string_view(); // the value stood in front
            known = !raw.empty() && sink->recognise(raw);
            if (known)
                continue;
            ondemand::object metric;
            auto error = value.get_object().get(metric);
            if (!error)
                error = readLabels(metric);
            if (isBroken(error))
                return error;
        } else if (key == "value") {
            ondemand::array point;
            auto error = field.value().get_array().get(point);
            if (!error) {
                answer.type = PrometheusResultType::Vector;
                error = readPoint(point);
            }
            if (isBroken(error))
                return error;
        } else if (key == "values") {
            ondemand::array points;
            if (const auto error = field.value().get_array().get(points)) {
                if (isBroken(error))
                    return error;
                continue;
            }
            answer.type = PrometheusResultType::Matrix;
            for (auto item : points) {
                ondemand::array point;
                auto error = item.get_array().get(point);
                if (!error)
                    error = readPoint(point);
                else if (!isBroken(error))
                    ++answer.unreadable;
                if (isBroken(error))
                    return error;
            }
        } else if (key == "histogram" || key == "histograms") {
            histogram = true;
        }
    }
    if (samples.empty() && histogram)
        ++answer.histograms;
    else if (samples.empty() && answer.unreadable == unreadableBefore)
        ++answer.unreadable;
    deliver(known);
    return simdjson::SUCCESS;
}

simdjson::error_code AnswerReader::Private::readResult(ondemand::array result)
{
    // A vector or matrix is a list of objects; a scalar or string is [seconds, "text"] itself.
    int index = 0;
    std::optional<Instant> time;
    for (auto entry : result) {
        ondemand::value element;
        if (const auto error = std::move(entry).get(element))
            return error;
        ondemand::json_type type{};
        if (const auto error = element.type().get(type))
            return error;
        simdjson::error_code error = simdjson::SUCCESS;
        if (type == ondemand::json_type::object) {
            ondemand::object object;
            error = element.get_object().get(object);
            if (!error)
                error = readSeries(object);
        } else if (type == ondemand::json_type::number && index == 0) {
            double seconds = 0;
            error = element.get_double().get(seconds);
            if (!error)
                time = instantOfSeconds(seconds);
        } else if (type == ondemand::json_type::string && index == 1 && time) {
            std::string_view text;
            error = element.get_string().get(text);
            if (!error) {
                answer.text = plainText(text);
                const auto value = parseSampleText(text);
                if (answer.type != PrometheusResultType::String && value) {
                    answer.type = PrometheusResultType::Scalar;
                    labels.clear();
                    samples.assign(1, {*time, *value});
                    deliver();
                } else {
                    answer.type = PrometheusResultType::String;
                }
            }
        } else {
            ++answer.unreadable;
        }
        if (isBroken(error))
            return error;
        ++index;
    }
    return simdjson::SUCCESS;
}

simdjson::error_code AnswerReader::Private::readData(ondemand::object data)
{
    for (auto entry : data) {
        ondemand::field field;
        if (const auto error = std::move(entry).get(field))
            return error;
        const ondemand::raw_json_string key = field.key();
        if (key == "resultType") {
            std::string_view type;
            const auto error = field.value().get_string().get(type);
            if (isBroken(error))
                return error;
            if (!error && type == "vector")
                answer.type = PrometheusResultType::Vector;
            else if (!error && type == "matrix")
                answer.type = PrometheusResultType::Matrix;
            else if (!error && type == "scalar")
                answer.type = PrometheusResultType::Scalar;
            else if (!error && type == "string")
                answer.type = PrometheusResultType::String;
        } else if (key == "result") {
            ondemand::value value = field.value();
            ondemand::array result;
            auto error = value.get_array().get(result);
            if (!error) {
                sawData = true;
                error = readResult(result);
            } else if (error == simdjson::INCORRECT_TYPE) {
                bool null = false;
                error = value.is_null().get(null);
                sawData = sawData || (!error && null); // an empty Go slice
            }
            if (isBroken(error))
                return error;
        }
    }
    return simdjson::SUCCESS;
}

simdjson::error_code AnswerReader::Private::readTexts(ondemand::value list, QStringList &texts)
{
    constexpr qsizetype mostTexts = 100;
    ondemand::array array;
    if (const auto error = list.get_array().get(array))
        return error;
    for (auto item : array) {
        std::string_view text;
        const auto error = item.get_string().get(text);
        if (isBroken(error))
            return error;
        if (!error && texts.size() < mostTexts)
            texts << plainText(text);
    }
    return simdjson::SUCCESS;
}

simdjson::error_code AnswerReader::Private::readEnvelope(char *json, std::size_t size, std::size_t capacity)
{
    documentEnd = json + size;
    ondemand::document document;
    if (const auto error = parser.iterate(json, size, capacity).get(document))
        return error;
    ondemand::object envelope;
    if (const auto error = document.get_object().get(envelope))
        return error;
    const auto keepText = [](ondemand::value value, std::string &to) {
        std::string_view text;
        const auto error = value.get_string().get(text);
        if (!error)
            to = text.substr(0, 4096);
        return error;
    };
    for (auto entry : envelope) {
        ondemand::field field;
        if (const auto error = std::move(entry).get(field))
            return error;
        const ondemand::raw_json_string key = field.key();
        simdjson::error_code error = simdjson::SUCCESS;
        if (key == "status") {
            error = keepText(field.value(), status);
        } else if (key == "errorType") {
            error = keepText(field.value(), errorType);
        } else if (key == "error") {
            error = keepText(field.value(), errorText);
        } else if (key == "warnings") {
            error = readTexts(field.value(), answer.warnings);
        } else if (key == "infos") {
            error = readTexts(field.value(), answer.infos);
        } else if (key == "data") {
            ondemand::object data;
            error = field.value().get_object().get(data);
            if (!error)
                error = readData(data);
        }
        if (isBroken(error))
            return error;
    }
    return endOfDocument(document);
}

simdjson::error_code AnswerReader::Private::readWindow(char *json, std::size_t size, std::size_t capacity)
{
    documentEnd = json + size;
    ondemand::document document;
    if (const auto error = parser.iterate(json, size, capacity).get(document))
        return error;
    ondemand::array array;
    if (const auto error = document.get_array().get(array))
        return error;
    if (const auto error = readResult(array))
        return error;
    return endOfDocument(document);
}

/// Whether what stands before the first series is the start of an envelope and nothing else.
bool AnswerReader::Private::isPrefix(std::string_view prefix)
{
    std::string json(prefix);
    json += "]}}";
    json.append(simdjson::SIMDJSON_PADDING, ' ');
    ondemand::document document;
    ondemand::array array;
    if (parser.iterate(json.data(), json.size() - simdjson::SIMDJSON_PADDING, json.size()).get(document))
        return false;
    if (document["data"]["result"].get_array().get(array))
        return false;
    bool empty = false;
    return !array.is_empty().get(empty) && empty;
}

AnswerReader::AnswerReader(qsizetype window) : d(std::make_unique<Private>(window)) {}
AnswerReader::~AnswerReader() = default;

Result<PrometheusAnswer> AnswerReader::read(QByteArray body, SeriesSink &sink)
{
    d->sink = &sink;
    d->answer = {};
    d->status.clear();
    d->errorType.clear();
    d->errorText.clear();
    d->sawData = false;
    const auto first = std::find_if_not(
        body.cbegin(), body.cend(), [](char c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; });
    if (first == body.cend() || *first != '{')
        return failure(notPrometheusError(body, "not a JSON object"));

    const qsizetype size = body.size();
    body.reserve(size +
                 qsizetype(simdjson::SIMDJSON_PADDING)); // the tail of the buffer is realloc'ed, not copied
    char *const begin = body.data();
    std::memset(begin + size, 0, simdjson::SIMDJSON_PADDING);
    char *const end = begin + size;
    const std::size_t padding = simdjson::SIMDJSON_PADDING;

    simdjson::error_code error = simdjson::SUCCESS;
    char *position = begin;
    qsizetype prefixLength = 0;
    if (size > d->window) {
        const std::string_view head(begin, std::size_t(std::min(size, longestPrefix)));
        const std::size_t found = head.find(resultStart);
        if (found != std::string_view::npos && d->isPrefix(head.substr(0, found + resultStart.size()))) {
            prefixLength = qsizetype(found + resultStart.size());
            d->prefixCopy.assign(begin, std::size_t(prefixLength));
            position = begin + prefixLength;
        }
    }
    qsizetype window = d->window;
    while (prefixLength > 0 && end - position > window) {
        const std::string_view part(position, std::size_t(window));
        const std::size_t separator = part.rfind(seriesSeparator);
        if (separator ==
            std::string_view::npos) { // one very long series, or blanks that the pattern does not know
            window *= 2;
            continue;
        }
        // The window becomes a list of its own: its brackets take the places of the commas around it.
        char *const listEnd = position + separator + 1;
        position[-1] = '[';
        *listEnd = ']';
        error = d->readWindow(position - 1, std::size_t(listEnd - position) + 2,
                              std::size_t(end - position) + 1 + padding);
        if (error)
            break;
        position = listEnd + 1;
        window = d->window;
    }
    if (!error) {
        // The rest becomes an envelope of its own: its start is put in front, over what has been read
        // already.
        char *const rest = position - prefixLength;
        std::memcpy(rest, d->prefixCopy.data(), std::size_t(prefixLength));
        error = d->readEnvelope(rest, std::size_t(end - rest), std::size_t(end - rest) + padding);
    }
    d->sink = nullptr;
    if (error)
        return failure(notPrometheusError(body, simdjson::error_message(error)));
    if (d->status == "error")
        return failure(prometheusError(d->errorType, d->errorText));
    if (d->status != "success" || !d->sawData)
        return failure(notPrometheusError(body, "no status \"success\" with a result"));
    return std::move(d->answer);
}

} // namespace tongchi
