#include "platform/metrics/metric_catalog.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QtCore/qcoreapplication.h>
#include <algorithm>
#include <utility>

namespace tongchi {

namespace {

constexpr std::array<std::pair<const char *, CardQuantity>, cardQuantityCount> quantityWords{{
    {"utilization", CardQuantity::Utilization},
    {"memory_used", CardQuantity::MemoryUsed},
    {"memory_free", CardQuantity::MemoryFree},
    {"memory_reserved", CardQuantity::MemoryReserved},
    {"memory_total", CardQuantity::MemoryTotal},
    {"temperature", CardQuantity::Temperature},
    {"power", CardQuantity::Power},
    {"health", CardQuantity::Health},
    {"error_code", CardQuantity::ErrorCode},
    {"holder", CardQuantity::Holder},
}};

constexpr std::array<std::pair<const char *, MetricUnit>, 11> unitWords{{
    {"percent", MetricUnit::Percent},
    {"ratio", MetricUnit::Ratio},
    {"bytes", MetricUnit::Bytes},
    {"KiB", MetricUnit::KiB},
    {"MiB", MetricUnit::MiB},
    {"celsius", MetricUnit::Celsius},
    {"watt", MetricUnit::Watt},
    {"milliwatt", MetricUnit::Milliwatt},
    {"state", MetricUnit::State},
    {"code", MetricUnit::Code},
    {"flag", MetricUnit::Flag},
}};

constexpr std::array<std::pair<const char *, CardLabel>, cardLabelCount> labelWords{{
    {"uuid", CardLabel::Uuid},
    {"die", CardLabel::Die},
    {"slot", CardLabel::Slot},
    {"serial", CardLabel::Serial},
    {"instance_id", CardLabel::InstanceId},
    {"virtual", CardLabel::Virtual},
    {"node", CardLabel::Node},
    {"host", CardLabel::Host},
    {"address", CardLabel::Address},
    {"job", CardLabel::Job},
    {"namespace", CardLabel::Namespace},
    {"pod", CardLabel::Pod},
    {"container", CardLabel::Container},
}};

template <typename Value, std::size_t size>
std::optional<Value> valueOfWord(const std::array<std::pair<const char *, Value>, size> &words,
                                 const QString &word)
{
    for (const auto &[text, value] : words) {
        if (word == QLatin1String(text))
            return value;
    }
    return std::nullopt;
}

tl::unexpected<Error> tableFailure(const QString &what)
{
    return failure(
        {.code = ErrorCode::Invalid,
         .text = QT_TRANSLATE_NOOP("Error", "The table of metrics cannot be read: %1"),
         .arguments = {what},
         .remedy = QT_TRANSLATE_NOOP("Error", "Correct the file, or remove it to use the built-in table.")});
}

/// Names are put into regular expressions and comparisons: only what a metric or label name can be.
bool isMetricName(const std::string &name)
{
    const auto fits = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
               c == ':';
    };
    return !name.empty() && !(name.front() >= '0' && name.front() <= '9') &&
           std::all_of(name.begin(), name.end(), fits);
}

Result<std::vector<std::string>> namesOf(const QJsonValue &list, const QString &where)
{
    std::vector<std::string> names;
    for (const auto &item : list.toArray()) {
        names.push_back(item.toString().toStdString());
        if (!isMetricName(names.back()))
            return tableFailure(where);
    }
    return names;
}

Result<TelemetrySource> sourceFrom(const QJsonObject &object)
{
    TelemetrySource source;
    source.key = object.value(QLatin1String("key")).toString().toStdString();
    source.name = object.value(QLatin1String("name")).toString();
    source.vendor = object.value(QLatin1String("vendor")).toString().toStdString();
    source.selector = object.value(QLatin1String("selector")).toString().toUtf8();
    if (source.key.empty() || source.name.isEmpty() || source.vendor.empty())
        return tableFailure(QStringLiteral("a source without key, name or vendor"));
    const QString where = QString::fromStdString(source.key);
    std::array<std::uint8_t, cardQuantityCount> ranks{};
    for (const auto &item : object.value(QLatin1String("metrics")).toArray()) {
        const QJsonObject entry = item.toObject();
        const auto quantity = valueOfWord(quantityWords, entry.value(QLatin1String("quantity")).toString());
        const auto unit = valueOfWord(unitWords, entry.value(QLatin1String("unit")).toString());
        CatalogMetric metric{.name = entry.value(QLatin1String("name")).toString().toStdString()};
        if (!quantity || !unit || !isMetricName(metric.name))
            return tableFailure(where + QStringLiteral(", metric ") + QString::fromStdString(metric.name));
        metric.quantity = *quantity;
        metric.unit = *unit;
        metric.rank = ranks[std::size_t(*quantity)]++;
        source.metrics.push_back(std::move(metric));
    }
    if (source.metrics.empty())
        return tableFailure(where + QStringLiteral(", no metrics"));
    const QJsonObject labels = object.value(QLatin1String("labels")).toObject();
    for (auto label = labels.begin(); label != labels.end(); ++label) {
        const auto role = valueOfWord(labelWords, label.key());
        auto names = namesOf(label.value(), where + QStringLiteral(", label ") + label.key());
        if (!role)
            return tableFailure(where + QStringLiteral(", label ") + label.key());
        if (!names)
            return tl::unexpected(names.error());
        source.labels[std::size_t(*role)] = std::move(*names);
    }
    auto times = namesOf(object.value(QLatin1String("sample_time")), where + QStringLiteral(", sample_time"));
    if (!times)
        return tl::unexpected(times.error());
    source.sampleTimeMetrics = std::move(*times);
    return source;
}

/// Of a card's last hour, as the store keeps it.
bool isOfHistory(CardQuantity quantity)
{
    switch (quantity) {
    case CardQuantity::Utilization:
    case CardQuantity::MemoryUsed:
    case CardQuantity::MemoryFree:
    case CardQuantity::MemoryReserved:
    case CardQuantity::MemoryTotal:
        return true;
    default:
        return false;
    }
}

/// Between quotes in PromQL.
QByteArray quotedPromText(const std::string &text)
{
    QByteArray out;
    for (const char c : text) {
        if (c == '\n') {
            out += "\\n";
            continue;
        }
        if (c == '"' || c == '\\')
            out += '\\';
        out += c;
    }
    return out;
}

QByteArray joinedMatchers(const QByteArray &first, const QByteArray &second, const QByteArray &third = {})
{
    QByteArray all = first;
    for (const QByteArray &matcher : {second, third}) {
        if (!matcher.isEmpty())
            all += (all.isEmpty() ? QByteArray() : QByteArrayLiteral(",")) + matcher;
    }
    return all;
}

QByteArray nameMatcher(const std::vector<CatalogMetric> &metrics)
{
    QByteArray names;
    for (const CatalogMetric &metric : metrics)
        names += (names.isEmpty() ? "" : "|") + QByteArray::fromStdString(metric.name);
    return "__name__=~\"" + names + '"';
}

} // namespace

const CatalogMetric *TelemetrySource::find(std::string_view seriesName) const
{
    for (const CatalogMetric &metric : metrics) {
        if (metric.name == seriesName)
            return &metric;
    }
    return nullptr;
}

Result<MetricCatalog> MetricCatalog::fromJson(const QByteArray &json)
{
    QJsonParseError parseError;
    const QJsonDocument document = QJsonDocument::fromJson(json, &parseError);
    if (parseError.error != QJsonParseError::NoError)
        return tableFailure(parseError.errorString());
    MetricCatalog catalog;
    for (const auto &item : document.object().value(QLatin1String("sources")).toArray()) {
        auto source = sourceFrom(item.toObject());
        if (!source)
            return tl::unexpected(source.error());
        if (catalog.indexOf(source->key))
            return tableFailure(QString::fromStdString(source->key) + QStringLiteral(" twice"));
        catalog.m_sources.push_back(std::move(*source));
    }
    if (catalog.m_sources.empty() || catalog.m_sources.size() > 200)
        return tableFailure(QStringLiteral("no sources, or too many"));
    return catalog;
}

MetricCatalog MetricCatalog::builtIn()
{
    QFile file(QStringLiteral(":/tongchi/metrics.json"));
    if (!file.open(QIODevice::ReadOnly))
        qFatal("the table of metrics is not compiled in");
    auto catalog = fromJson(file.readAll());
    if (!catalog)
        qFatal("%s", qPrintable(englishText(catalog.error())));
    return std::move(*catalog);
}

MetricCatalog MetricCatalog::renamed(const QString &sourceKey, const QHash<QString, QString> &names) const
{
    MetricCatalog copy = *this;
    const auto rename = [&names](std::string &name) {
        const std::string other = names.value(QString::fromStdString(name)).toStdString();
        if (isMetricName(other))
            name = other;
    };
    for (TelemetrySource &source : copy.m_sources) {
        if (QString::fromStdString(source.key) != sourceKey)
            continue;
        for (const std::string &label : source.labelsFor(CardLabel::Virtual)) { // the selector names it too
            std::string other = label;
            rename(other);
            source.selector.replace(QByteArray::fromStdString(label + '='),
                                    QByteArray::fromStdString(other + '='));
        }
        for (CatalogMetric &metric : source.metrics)
            rename(metric.name);
        for (auto &labels : source.labels)
            std::for_each(labels.begin(), labels.end(), rename);
        std::for_each(source.sampleTimeMetrics.begin(), source.sampleTimeMetrics.end(), rename);
    }
    return copy;
}

std::optional<std::uint8_t> MetricCatalog::indexOf(std::string_view key) const
{
    for (std::size_t i = 0; i < m_sources.size(); ++i) {
        if (m_sources[i].key == key)
            return std::uint8_t(i);
    }
    return std::nullopt;
}

QByteArray MetricCatalog::query(std::size_t source, const QByteArray &siteSelector) const
{
    const TelemetrySource &from = m_sources.at(source);
    return '{' + joinedMatchers(nameMatcher(from.metrics), from.selector, siteSelector) + '}';
}

std::vector<QByteArray> MetricCatalog::splitQueries(std::size_t source, const QByteArray &siteSelector) const
{
    const TelemetrySource &from = m_sources.at(source);
    std::vector<QByteArray> queries;
    for (const CatalogMetric &metric : from.metrics) {
        queries.push_back(QByteArray::fromStdString(metric.name) + '{' +
                          joinedMatchers(from.selector, siteSelector) + '}');
    }
    return queries;
}

std::vector<QByteArray> MetricCatalog::historyQueries(std::size_t source, bool split,
                                                      const QByteArray &siteSelector) const
{
    const TelemetrySource &from = m_sources.at(source);
    std::vector<CatalogMetric> metrics;
    for (const CatalogMetric &metric : from.metrics) {
        if (isOfHistory(metric.quantity))
            metrics.push_back(metric);
    }
    std::vector<QByteArray> queries;
    const auto add = [&](const std::vector<CatalogMetric> &some) {
        queries.push_back("last_over_time({" +
                          joinedMatchers(nameMatcher(some), from.selector, siteSelector) + "}[1m])");
    };
    if (split) {
        for (const CatalogMetric &metric : metrics)
            add({metric});
    } else if (!metrics.empty()) {
        add(metrics);
    }
    return queries;
}

QByteArray MetricCatalog::cardHistoryQuery(std::size_t source,
                                           const std::vector<std::pair<CardLabel, std::string>> &labels) const
{
    const TelemetrySource &from = m_sources.at(source);
    std::vector<CatalogMetric> metrics;
    for (const CatalogMetric &metric : from.metrics) {
        if (isOfHistory(metric.quantity) || metric.quantity == CardQuantity::Temperature ||
            metric.quantity == CardQuantity::Power)
            metrics.push_back(metric);
    }
    // Of the first of these kinds that the card has; an exporter has it under one of several names.
    const auto matchers = [&](std::initializer_list<CardLabel> kinds) {
        std::vector<QByteArray> list;
        for (const CardLabel wanted : kinds) {
            for (const auto &[kind, text] : labels) {
                if (kind != wanted || text.empty())
                    continue;
                for (const std::string &name : from.labelsFor(kind))
                    list.push_back(QByteArray::fromStdString(name) + "=\"" + quotedPromText(text) + '"');
            }
            if (!list.empty())
                break;
        }
        return list;
    };
    std::vector<QByteArray> cards = matchers({CardLabel::Uuid, CardLabel::Die});
    if (cards.empty()) {
        const std::vector<QByteArray> places =
            matchers({CardLabel::Node, CardLabel::Host, CardLabel::Address});
        for (const QByteArray &slot : matchers({CardLabel::Slot})) {
            for (const QByteArray &place : places)
                cards.push_back(slot + ',' + place);
        }
    }
    QByteArray query;
    for (const QByteArray &card : metrics.empty() ? std::vector<QByteArray>() : cards) {
        query += (query.isEmpty() ? "" : " or ");
        query += "last_over_time({" + joinedMatchers(nameMatcher(metrics), from.selector, card) + "}[1m])";
    }
    return query;
}

QByteArray MetricCatalog::sampleTimeQuery(std::size_t source, const QByteArray &siteSelector) const
{
    const TelemetrySource &from = m_sources.at(source);
    QByteArray query;
    for (const std::string &name : from.sampleTimeMetrics) {
        query += (query.isEmpty() ? "timestamp(" : " or timestamp(") + QByteArray::fromStdString(name) + '{' +
                 joinedMatchers(from.selector, siteSelector) + "})";
    }
    return query;
}

QByteArray MetricCatalog::presenceSelector() const
{
    std::vector<CatalogMetric> all;
    for (const TelemetrySource &source : m_sources)
        all.insert(all.end(), source.metrics.begin(), source.metrics.end());
    return '{' + nameMatcher(all) + '}';
}

std::vector<std::size_t> MetricCatalog::presentSources(const std::vector<std::string> &names) const
{
    std::vector<std::size_t> present;
    for (std::size_t i = 0; i < m_sources.size(); ++i) {
        const auto isOfSource = [this, i](const std::string &name) {
            return m_sources[i].find(name) != nullptr;
        };
        if (std::any_of(names.begin(), names.end(), isOfSource))
            present.push_back(i);
    }
    return present;
}

std::optional<MetricOrigin> MetricCatalog::origin(std::size_t source, CardQuantity quantity,
                                                  const QByteArray &siteSelector) const
{
    if (source >= m_sources.size())
        return std::nullopt;
    const TelemetrySource &from = m_sources[source];
    MetricOrigin origin{.source = from.name, .query = QString::fromUtf8(query(source, siteSelector))};
    const auto add = [&origin](const CatalogMetric &metric) {
        origin.series << QString::fromStdString(metric.name);
        if (origin.unit.isEmpty()) {
            for (const auto &[text, unit] : unitWords)
                origin.unit = unit == metric.unit ? QString::fromLatin1(text) : origin.unit;
        }
    };
    for (const CatalogMetric &metric : from.metrics) {
        if (metric.quantity == quantity)
            add(metric);
    }
    if (quantity == CardQuantity::MemoryTotal && from.vendor == "nvidia") {
        QString sum;
        for (const CatalogMetric &metric : from.metrics) {
            if (metric.quantity == CardQuantity::MemoryUsed || metric.quantity == CardQuantity::MemoryFree ||
                metric.quantity == CardQuantity::MemoryReserved) {
                sum +=
                    (sum.isEmpty() ? QString() : QStringLiteral(" + ")) + QString::fromStdString(metric.name);
            }
        }
        origin.series << sum;
    }
    return origin.series.isEmpty() ? std::nullopt : std::optional(origin);
}

} // namespace tongchi
