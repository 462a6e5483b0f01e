#include "models/inventory/inventory_export.h"

#include "models/common/error_text.h"
#include "models/common/json_text.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <cmath>

namespace tongchi {
namespace {

std::string_view latin(const char *text)
{
    return text;
}

void writeCard(JsonText &json, const CardStore &store, CardIndex card)
{
    const StringPool &strings = store.strings();
    const CardRecord record = store.details(card);
    const StoredNode &node = store.node(store.nodeIndexOf(card));
    const ClusterStatus *status = store.status(node.clusterId);
    json.beginObject();
    json.key("cluster").string(status ? status->name : QString());
    json.key("region").stringOrNull(strings.utf8(node.facts.region));
    json.key("node").string(strings.utf8(node.facts.name));
    json.key("vendor").string(strings.utf8(record.vendorName));
    json.key("model").stringOrNull(strings.utf8(record.model));
    json.key("model_reported").stringOrNull(strings.utf8(record.modelReported));
    json.key("variant").stringOrNull(strings.utf8(record.variant));
    json.key("slot").integer(record.slot);
    json.key("uuid").stringOrNull(store.uuidOf(card));
    json.key("memory_bytes").integerOrNull(store.memoryBytesOf(card));
    json.key("memory_used_bytes").integerOrNull(store.memoryUsedBytesOf(card));
    json.key("utilization_percent").number(double(store.utilizationOf(card)), 1);
    json.key("temperature_celsius").number(double(store.temperatureOf(card)), 1);
    json.key("power_watts").number(double(store.powerOf(card)), 1);
    json.key("numa_node")
        .integerOrNull(record.numaNode ? std::optional<std::int64_t>(*record.numaNode) : std::nullopt);
    json.key("health").string(latin(healthKey(store.healthOf(card))));
    json.key("condition").string(latin(conditionKey(conditionOf(store, card))));
    json.key("schedulable").boolean(node.facts.usability == NodeUsability::Usable);
    json.key("not_usable_because")
        .stringOrNull(node.facts.usability == NodeUsability::Usable
                          ? std::string_view()
                          : latin(usabilityKey(node.facts.usability)));
    json.key("out_of_service").boolean(store.flagsOf(card).testFlag(CardFlag::OutOfService));
    const BusinessLabel label = store.labelOf(card);
    json.key("business_label");
    if (label == BusinessLabel::Unknown || label == BusinessLabel::Idle)
        json.null();
    else
        json.string(latin(labelKey(label)));
    json.key("idle");
    if (label == BusinessLabel::Unknown)
        json.null();
    else
        json.boolean(label == BusinessLabel::Idle);
    json.key("node_business_label").stringOrNull(latin(labelKey(node.facts.businessLabel)));
    json.key("shares").integer(store.sharesOf(card));
    json.key("slices").beginArray();
    for (const CardSlice &slice : store.slicesOf(card)) {
        json.beginObject();
        json.key("name").string(strings.utf8(slice.name));
        json.key("kind").stringOrNull(strings.utf8(slice.kind));
        json.key("profile").stringOrNull(strings.utf8(slice.profile));
        json.key("memory_bytes").integerOrNull(slice.memoryBytes);
        json.key("workload").stringOrNull(strings.utf8(slice.workload));
        json.endObject();
    }
    json.endArray();
    json.key("workloads").beginArray();
    for (const StringId pod : store.podsOf(card))
        json.string(strings.utf8(pod));
    json.endArray();
    json.key("sources").beginArray();
    constexpr std::pair<CardSource, const char *> sourceNames[] = {
        {CardSource::Dra, "dra"},
        {CardSource::Hami, "hami"},
        {CardSource::VendorLabels, "vendor_labels"},
        {CardSource::Capacity, "capacity"},
        {CardSource::DeviceInfo, "device_info"},
        {CardSource::Exporter, "exporter"}};
    const CardSources sources = store.sourcesOf(card);
    for (const auto &[source, name] : sourceNames) {
        if (sources.testFlag(source))
            json.string(latin(name));
    }
    json.endArray();
    json.key("flags").beginArray();
    const CardFlags flags = store.flagsOf(card);
    for (int bit = 0; bit < 16; ++bit) {
        if (flags.testFlag(CardFlag(1U << bit)))
            json.string(latin(flagName(CardFlag(1U << bit))));
    }
    json.endArray();
    json.key("as_of");
    if (const auto at = store.sampledAt(card))
        json.string(QString::fromLatin1(rfc3339(at->time_since_epoch().count())));
    else
        json.null();
    json.endObject();
}

void writeClusters(JsonText &json, const CardStore &store, Instant now)
{
    json.key("clusters").beginArray();
    for (const quint32 id : store.clusters()) {
        const ClusterStatus *status = store.status(id);
        if (!status)
            continue;
        const SourceStatus &source = status->kubernetes;
        json.beginObject();
        json.key("name").string(status->name);
        json.key("state").string(latin(sourceStateKey(source.state)));
        json.key("age_seconds");
        if (source.lastHeard)
            json.number(std::max(0.0, double((now - *source.lastHeard).count()) / 1000.0), 3);
        else
            json.null();
        json.key("error");
        if (source.error)
            json.string(englishText(*source.error));
        else
            json.null();
        json.key("kubernetes_version").stringOrNull(status->kubernetesVersion.toStdString());
        json.key("simulated").boolean(status->simulated);
        json.key("complete").boolean(status->complete);
        json.key("forbidden").beginArray();
        for (const DeniedPart &part : status->denied)
            json.string(part.resource);
        json.endArray();
        json.key("metrics").beginObject();
        json.key("state").string(latin(sourceStateKey(status->metrics.state)));
        json.key("via").stringOrNull(status->metricsVia.toStdString());
        json.key("error");
        if (status->metrics.error)
            json.string(englishText(*status->metrics.error));
        else
            json.null();
        json.key("warnings").beginArray();
        for (const QString &warning : status->metrics.warnings)
            json.string(warning);
        json.endArray();
        json.endObject();
        json.key("unreadable_objects").integer(status->kubernetes.unreadable);
        json.key("notes").beginArray();
        for (const QString &note : status->notes)
            json.string(note);
        json.endArray();
        json.endObject();
    }
    json.endArray();
}

/// Readings count here whatever their age: the entry says as_of.
void writeTotals(JsonText &json, const CardStore &store, std::span<const CardIndex> cards)
{
    std::uint32_t utilization = 0, used = 0, memory = 0, temperature = 0, power = 0, health = 0,
                  schedulable = 0, label = 0;
    double usedBytes = 0, memoryBytes = 0, utilizationSum = 0, powerSum = 0;
    for (const CardIndex card : cards) {
        if (!std::isnan(store.utilizationOf(card))) {
            ++utilization;
            utilizationSum += double(store.utilizationOf(card));
        }
        if (const auto bytes = store.memoryUsedBytesOf(card)) {
            ++used;
            usedBytes += double(*bytes);
        }
        if (const auto bytes = store.memoryBytesOf(card)) {
            ++memory;
            memoryBytes += double(*bytes);
        }
        temperature += !std::isnan(store.temperatureOf(card));
        if (!std::isnan(store.powerOf(card))) {
            ++power;
            powerSum += double(store.powerOf(card));
        }
        health += store.healthOf(card) != CardHealth::NotReported;
        label += store.labelOf(card) != BusinessLabel::Unknown;
        schedulable += store.node(store.nodeIndexOf(card)).facts.usability == NodeUsability::Usable;
    }
    json.key("totals").beginObject();
    json.key("cards").integer(std::int64_t(cards.size()));
    json.key("schedulable").integer(schedulable);
    json.key("reported").beginObject();
    json.key("utilization_percent").integer(utilization);
    json.key("memory_used_bytes").integer(used);
    json.key("memory_bytes").integer(memory);
    json.key("temperature_celsius").integer(temperature);
    json.key("power_watts").integer(power);
    json.key("health").integer(health);
    json.key("business_label").integer(label);
    json.endObject();
    json.key("utilization_percent_mean")
        .number(utilization ? utilizationSum / utilization : double(notReported), 2);
    json.key("memory_used_bytes").number(used ? usedBytes : double(notReported), 0);
    json.key("memory_bytes").number(memory ? memoryBytes : double(notReported), 0);
    json.key("power_watts").number(power ? powerSum : double(notReported), 1);
    json.endObject();
}

void writeNodes(JsonText &json, const CardStore &store)
{
    const StringPool &strings = store.strings();
    json.key("nodes").beginArray();
    for (std::uint32_t i = 0; i < store.nodeSlots(); ++i) {
        const StoredNode &node = store.node(i);
        if (node.facts.uid == 0)
            continue;
        const ClusterStatus *status = store.status(node.clusterId);
        json.newLine().beginObject();
        json.key("cluster").string(status ? status->name : QString());
        json.key("name").string(strings.utf8(node.facts.name));
        json.key("region").stringOrNull(strings.utf8(node.facts.region));
        json.key("cards").integer(node.facts.cards);
        json.key("withdrawn").integer(node.facts.withdrawn);
        const bool heldKnown = status && status->isHeldKnown();
        json.key("held").integerOrNull(heldKnown ? std::optional<std::int64_t>(node.facts.held)
                                                 : std::nullopt);
        json.key("free").integerOrNull(heldKnown ? std::optional<std::int64_t>(node.facts.free)
                                                 : std::nullopt);
        json.key("schedulable").boolean(node.facts.usability == NodeUsability::Usable);
        json.key("not_usable_because")
            .stringOrNull(node.facts.usability == NodeUsability::Usable
                              ? std::string_view()
                              : latin(usabilityKey(node.facts.usability)));
        json.key("reason").stringOrNull(strings.utf8(node.facts.usabilityReason));
        json.key("business_label").stringOrNull(latin(labelKey(node.facts.businessLabel)));
        json.key("note").stringOrNull(strings.utf8(node.facts.note));
        json.endObject();
    }
    json.endArray();
}

void yamlValue(QByteArray &out, const QJsonValue &value, int depth)
{
    const QByteArray indent(qsizetype(depth) * 2, ' ');
    const auto scalar = [](const QJsonValue &v) {
        QByteArray text;
        JsonText json(&text);
        switch (v.type()) {
        case QJsonValue::Bool:
            json.boolean(v.toBool());
            break;
        case QJsonValue::Double:
            json.number(v.toDouble(), 3);
            break;
        case QJsonValue::String:
            json.string(v.toString());
            break;
        default:
            json.null();
            break;
        }
        return text;
    };
    if (value.isObject()) {
        const QJsonObject object = value.toObject();
        for (auto it = object.begin(); it != object.end(); ++it) {
            const QJsonValue inner = it.value();
            const bool nested = (inner.isObject() && !inner.toObject().isEmpty()) ||
                                (inner.isArray() && !inner.toArray().isEmpty());
            out += indent + it.key().toUtf8() + ':';
            if (nested) {
                out += '\n';
                yamlValue(out, inner, depth + 1);
            } else {
                out += ' ' +
                       (inner.isArray()    ? QByteArray("[]")
                        : inner.isObject() ? QByteArray("{}")
                                           : scalar(inner)) +
                       '\n';
            }
        }
    } else if (value.isArray()) {
        for (const QJsonValue &inner : value.toArray()) {
            if (inner.isObject() || inner.isArray()) {
                QByteArray block;
                yamlValue(block, inner, depth + 1);
                if (block.size() > (depth + 1) * 2)
                    block.replace(qsizetype(depth) * 2, 2, "- ");
                out += block;
            } else {
                out += indent + "- " + scalar(inner) + '\n';
            }
        }
    }
}

int displayWidth(const QString &text)
{
    int width = 0;
    for (const QChar c : text) {
        const ushort u = c.unicode();
        const bool wide = (u >= 0x1100 && u <= 0x115F) || (u >= 0x2E80 && u <= 0xA4CF) ||
                          (u >= 0xAC00 && u <= 0xD7A3) || (u >= 0xF900 && u <= 0xFAFF) ||
                          (u >= 0xFE30 && u <= 0xFE6F) || (u >= 0xFF00 && u <= 0xFF60) ||
                          (u >= 0xFFE0 && u <= 0xFFE6);
        width += wide ? 2 : 1;
    }
    return width;
}

/// The bare value of a cell for a file: no grouping, no unit.
QString plainValue(const CardStore &store, CardIndex card, CardColumn column)
{
    const auto number = [](double value, int decimals) {
        return std::isnan(value) ? QString() : QString::number(value, 'f', decimals);
    };
    const Formatting c(QLocale::c());
    switch (column) {
    case CardColumn::Utilization:
        return number(double(store.utilizationOf(card)), 1);
    case CardColumn::Temperature:
        return number(double(store.temperatureOf(card)), 1);
    case CardColumn::Power:
        return number(double(store.powerOf(card)), 1);
    case CardColumn::Memory: {
        const auto used = store.memoryUsedBytesOf(card);
        return used ? QString::number(*used) : QString();
    }
    case CardColumn::Age: {
        const auto at = store.sampledAt(card);
        return at ? QString::fromLatin1(rfc3339(at->time_since_epoch().count())) : QString();
    }
    case CardColumn::Label:
        return QString::fromLatin1(labelKey(store.labelOf(card)));
    case CardColumn::Health:
        return QString::fromLatin1(conditionKey(conditionOf(store, card)));
    case CardColumn::Region:
        return store.strings().text(store.node(store.nodeIndexOf(card)).facts.region);
    case CardColumn::Workload:
        return store.strings().text(store.workloadText(card));
    case CardColumn::Card:
        return store.strings().text(store.model(store.modelIndexOf(card)).model);
    case CardColumn::Shares:
        return QString::number(store.sharesOf(card));
    default:
        return cardCell({store, c, Instant{}, {}}, card, column).text;
    }
}

} // namespace

QByteArray cardJson(const CardStore &store, CardIndex card)
{
    QByteArray out;
    JsonText json(&out);
    writeCard(json, store, card);
    return out;
}

QByteArray inventoryJson(const CardStore &store, std::span<const CardIndex> cards, Instant now)
{
    QByteArray out;
    out.reserve(qsizetype(cards.size()) * 700 + 4096);
    JsonText json(&out);
    json.beginObject();
    writeClusters(json, store, now);
    writeTotals(json, store, cards);
    writeNodes(json, store);
    json.key("cards").beginArray();
    for (const CardIndex card : cards) {
        json.newLine();
        writeCard(json, store, card);
    }
    json.endArray();
    json.endObject();
    out += '\n';
    return out;
}

QByteArray inventoryCsv(const CardStore &store, std::span<const CardIndex> cards)
{
    const StringPool &strings = store.strings();
    QByteArray out = "cluster,region,node,vendor,model,variant,slot,uuid,memory_bytes,memory_used_bytes,"
                     "utilization_percent,"
                     "temperature_celsius,power_watts,health,condition,schedulable,business_label,shares,"
                     "workloads,as_of\r\n";
    const auto number = [](double value) {
        return std::isnan(value) ? QByteArray() : QByteArray::number(value, 'f', 1);
    };
    for (const CardIndex card : cards) {
        const StoredNode &node = store.node(store.nodeIndexOf(card));
        const ModelFacts &model = store.model(store.modelIndexOf(card));
        const ClusterStatus *status = store.status(node.clusterId);
        const auto text = [&](StringId id) { return csvField(strings.text(id)); };
        QStringList pods;
        for (const StringId pod : store.podsOf(card))
            pods << strings.text(pod);
        const auto memory = store.memoryBytesOf(card);
        const auto used = store.memoryUsedBytesOf(card);
        const auto at = store.sampledAt(card);
        const QList<QByteArray> fields{csvField(status ? status->name : QString()),
                                       text(node.facts.region),
                                       text(node.facts.name),
                                       text(model.vendorName),
                                       text(model.model),
                                       text(model.variant),
                                       QByteArray::number(store.slotOf(card)),
                                       csvField(QString::fromStdString(store.uuidOf(card))),
                                       memory ? QByteArray::number(qint64(*memory)) : QByteArray(),
                                       used ? QByteArray::number(qint64(*used)) : QByteArray(),
                                       number(double(store.utilizationOf(card))),
                                       number(double(store.temperatureOf(card))),
                                       number(double(store.powerOf(card))),
                                       healthKey(store.healthOf(card)),
                                       conditionKey(conditionOf(store, card)),
                                       node.facts.usability == NodeUsability::Usable ? "true" : "false",
                                       labelKey(store.labelOf(card)),
                                       QByteArray::number(store.sharesOf(card)),
                                       csvField(pods.join(u' ')),
                                       at ? rfc3339(at->time_since_epoch().count()) : QByteArray()};
        out += fields.join(',') + "\r\n";
    }
    return out;
}

QByteArray screenCsv(const CardStore &store, std::span<const CardIndex> cards,
                     std::span<const CardColumn> columns)
{
    QByteArray out;
    QList<QByteArray> fields;
    for (const CardColumn column : columns)
        fields << csvField(columnTitle(column));
    out += fields.join(',') + "\r\n";
    for (const CardIndex card : cards) {
        fields.clear();
        for (const CardColumn column : columns)
            fields << csvField(plainValue(store, card, column));
        out += fields.join(',') + "\r\n";
    }
    return out;
}

QByteArray inventoryYaml(const CardStore &store, std::span<const CardIndex> cards, Instant now)
{
    QByteArray out;
    yamlValue(out, QJsonDocument::fromJson(inventoryJson(store, cards, now)).object(), 0);
    return out;
}

QByteArray inventoryTable(const CardStore &store, std::span<const CardIndex> cards,
                          const Formatting &formatting, Instant now)
{
    constexpr std::array columns{CardColumn::Cluster,     CardColumn::Node,   CardColumn::Card,
                                 CardColumn::Variant,     CardColumn::Region, CardColumn::Label,
                                 CardColumn::Utilization, CardColumn::Memory, CardColumn::Temperature,
                                 CardColumn::Power,       CardColumn::Health, CardColumn::Workload,
                                 CardColumn::Age};
    std::vector<QStringList> lines;
    lines.reserve(cards.size() + 1);
    QStringList head;
    for (const CardColumn column : columns)
        head << columnTitle(column);
    lines.push_back(head);
    for (const CardIndex card : cards) {
        QStringList line;
        for (const CardColumn column : columns) {
            const CardCell cell = cardCell({store, formatting, now, {}}, card, column);
            QString text = cell.text.isEmpty() ? Formatting::missing() : cell.text;
            if (!cell.unit.isEmpty())
                text += u' ' + cell.unit;
            line << text;
        }
        lines.push_back(line);
    }
    std::array<int, columns.size()> widths{};
    for (const QStringList &line : lines) {
        for (std::size_t i = 0; i < columns.size(); ++i)
            widths[i] = std::max(widths[i], displayWidth(line.at(qsizetype(i))));
    }
    QByteArray out;
    for (const QStringList &line : lines) {
        QString text;
        for (std::size_t i = 0; i < columns.size(); ++i) {
            const QString &cell = line.at(qsizetype(i));
            text += cell;
            if (i + 1 < columns.size())
                text += QString(widths[i] - displayWidth(cell) + 2, u' ');
        }
        out += text.toUtf8() + '\n';
    }
    return out;
}

QByteArray clustersLine(const CardStore &store, std::size_t cards, Instant now)
{
    QByteArray line;
    JsonText json(&line);
    json.beginObject();
    json.key("changed").beginArray();
    json.endArray();
    json.key("removed").integer(0);
    json.key("removed_cards").beginArray();
    json.endArray();
    json.key("cards").integer(qint64(cards));
    writeClusters(json, store, now);
    json.key("as_of").string(QString::fromLatin1(rfc3339(now.time_since_epoch().count())));
    json.endObject();
    return line + '\n';
}

} // namespace tongchi
