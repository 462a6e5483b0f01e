#pragma once

#include "platform/inventory/card_assembler.h"
#include "platform/inventory/card_store.h"
#include "platform/inventory/node_draft.h"
#include "platform/kubernetes/ascend_info_parser.h"
#include "platform/kubernetes/json_scan.h"
#include "platform/kubernetes/node_parser.h"
#include "platform/kubernetes/pod_parser.h"
#include "platform/kubernetes/resource_claim_parser.h"
#include "platform/kubernetes/resource_slice_parser.h"
#include "tests/support/paths.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <gtest/gtest.h>
#include <map>

namespace tongchi::test {

/// Objects as JSON in, cards of a store out: through the real parsers, assembler and store.
class AssemblerHarness
{
public:
    static constexpr Instant noon{std::chrono::milliseconds{1'798'612'928'000}};

    explicit AssemblerHarness(StringPool &strings)
        : pool(strings), store(strings), assembler(strings, catalog, clock)
    {
    }

    template <typename Record, typename Parser> static Record parsed(const QByteArray &json)
    {
        Parser parser;
        Record record;
        UnreadableObject why;
        QByteArray padded = json;
        padded.append(QByteArray(int(kJsonPadding), ' '));
        EXPECT_TRUE(parser.parse(std::string_view(padded.constData(), std::size_t(json.size())), record, why))
            << why.reason;
        return record;
    }
    static NodeRecord nodeRecord(const QByteArray &json) { return parsed<NodeRecord, NodeParser>(json); }
    static PodRecord podRecord(const QByteArray &json) { return parsed<PodRecord, PodParser>(json); }

    void node(const QByteArray &json) { assembler.nodes().upsert(nodeRecord(json)); }
    void pod(const QByteArray &json) { assembler.pods().upsert(podRecord(json)); }
    void slice(const QByteArray &json)
    {
        assembler.slices().upsert(parsed<ResourceSliceRecord, ResourceSliceParser>(json));
    }
    void claim(const QByteArray &json)
    {
        assembler.claims().upsert(parsed<ResourceClaimRecord, ResourceClaimParser>(json));
    }
    void deviceInfo(const QByteArray &json)
    {
        assembler.deviceInfo().upsert(parsed<AscendDeviceInfoRecord, AscendInfoParser>(json));
    }
    void podsRead()
    {
        assembler.pods().listStarted();
        assembler.pods().listFinished();
    }

    /// Reads tests/data/inventory/NAME.json: nodes, then pods, as lists.
    QJsonObject readCase(const QString &name)
    {
        const QJsonObject root =
            QJsonDocument::fromJson(readData(QStringLiteral("inventory/") + name + QStringLiteral(".json")))
                .object();
        const auto items = [&](const char *kind) {
            return root[QLatin1String("lists")][QLatin1String(kind)][QLatin1String("items")].toArray();
        };
        assembler.nodes().listStarted();
        const QJsonArray nodes = items("nodes");
        for (const QJsonValue &each : nodes) {
            NodeParser parser;
            NodeRecord record;
            UnreadableObject why;
            const QByteArray json = QJsonDocument(each.toObject()).toJson(QJsonDocument::Compact);
            const QByteArray padded = json + QByteArray(int(kJsonPadding), ' ');
            if (parser.parse(std::string_view(padded.constData(), std::size_t(json.size())), record, why))
                assembler.nodes().upsert(record);
            else
                assembler.nodes().unreadable(why);
        }
        assembler.nodes().listFinished();
        assembler.pods().listStarted();
        const QJsonArray pods = items("pods");
        for (const QJsonValue &each : pods)
            pod(QJsonDocument(each.toObject()).toJson(QJsonDocument::Compact));
        assembler.pods().listFinished();
        settle();
        return root[QLatin1String("expect")].toObject();
    }

    /// Hands everything that changed to the store; the number of node updates that took.
    std::size_t settle(std::size_t limit = 1000)
    {
        std::size_t updates = 0;
        while (auto delta = assembler.takeDelta(limit)) {
            EXPECT_LE(delta->upserts.size(), limit);
            updates += delta->upserts.size() + delta->removedNodes.size();
            delta->clusterId = 1;
            store.apply(*delta, noon);
        }
        return updates;
    }

    const StoredNode *nodeNamed(std::string_view name) const
    {
        for (std::uint32_t i = 0; i < store.nodeSlots(); ++i) {
            if (store.node(i).facts.uid != 0 && pool.utf8(store.node(i).facts.name) == name)
                return &store.node(i);
        }
        return nullptr;
    }
    std::vector<CardRecord> cardsOf(std::string_view node) const
    {
        std::vector<CardRecord> cards;
        if (const StoredNode *stored = nodeNamed(node)) {
            for (const CardIndex card : stored->cards)
                cards.push_back(store.details(card));
        }
        return cards;
    }
    std::string text(StringId id) const { return std::string(pool.utf8(id)); }
    std::string uuid(const CardRecord &card) const { return card.uuid.toText(pool); }

    StringPool &pool;
    CardStore store;
    DeviceCatalog catalog = DeviceCatalog::builtIn();
    ManualClock clock{noon};
    CardAssembler assembler;
};

/// A Node with these labels, annotations and resources ("nvidia.com/gpu" -> capacity, allocatable).
inline QByteArray nodeJson(const char *name, const std::map<QString, QString> &labels,
                           const std::map<QString, QString> &annotations,
                           const std::map<QString, std::pair<QString, QString>> &resources)
{
    QJsonObject labelObject, annotationObject, capacity, allocatable;
    for (const auto &[key, value] : labels)
        labelObject[key] = value;
    for (const auto &[key, value] : annotations)
        annotationObject[key] = value;
    for (const auto &[key, amounts] : resources) {
        capacity[key] = amounts.first;
        allocatable[key] = amounts.second;
    }
    const QString text = QString::fromUtf8(name);
    const QJsonObject object{
        {QStringLiteral("metadata"),
         QJsonObject{{QStringLiteral("name"), text},
                     {QStringLiteral("uid"), QString(QStringLiteral("uid-") + text)},
                     {QStringLiteral("resourceVersion"), QStringLiteral("7")},
                     {QStringLiteral("labels"), labelObject},
                     {QStringLiteral("annotations"), annotationObject}}},
        {QStringLiteral("status"),
         QJsonObject{{QStringLiteral("capacity"), capacity},
                     {QStringLiteral("allocatable"), allocatable},
                     {QStringLiteral("conditions"),
                      QJsonArray{QJsonObject{{QStringLiteral("type"), QStringLiteral("Ready")},
                                             {QStringLiteral("status"), QStringLiteral("True")}}}}}}};
    return QJsonDocument(object).toJson(QJsonDocument::Compact);
}

struct PodSpec
{
    QString name, node;
    std::map<QString, int> requests;
    std::map<QString, QString> annotations;
    QString business, ownerKind, ownerName;
    QString phase = QStringLiteral("Running");
    QString claim;
};

inline QByteArray podJson(const PodSpec &spec)
{
    QJsonObject requests, annotations;
    for (const auto &[key, amount] : spec.requests)
        requests[key] = QString::number(amount);
    for (const auto &[key, value] : spec.annotations)
        annotations[key] = value;
    QJsonObject metadata{{QStringLiteral("name"), spec.name},
                         {QStringLiteral("namespace"), QStringLiteral("ns")},
                         {QStringLiteral("uid"), QString(QStringLiteral("pod-") + spec.name)},
                         {QStringLiteral("annotations"), annotations}};
    if (!spec.business.isEmpty())
        metadata[QStringLiteral("labels")] =
            QJsonObject{{QStringLiteral("tongchi.io/business"), spec.business}};
    if (!spec.ownerKind.isEmpty()) {
        metadata[QStringLiteral("ownerReferences")] =
            QJsonArray{QJsonObject{{QStringLiteral("kind"), spec.ownerKind},
                                   {QStringLiteral("name"), spec.ownerName},
                                   {QStringLiteral("controller"), true}}};
    }
    QJsonObject podSpec{{QStringLiteral("nodeName"), spec.node},
                        {QStringLiteral("containers"),
                         QJsonArray{QJsonObject{{QStringLiteral("name"), QStringLiteral("c")},
                                                {QStringLiteral("resources"),
                                                 QJsonObject{{QStringLiteral("requests"), requests}}}}}}};
    if (!spec.claim.isEmpty()) {
        podSpec[QStringLiteral("resourceClaims")] =
            QJsonArray{QJsonObject{{QStringLiteral("name"), QStringLiteral("gpu")},
                                   {QStringLiteral("resourceClaimName"), spec.claim}}};
    }
    return QJsonDocument(
               QJsonObject{{QStringLiteral("metadata"), metadata},
                           {QStringLiteral("spec"), podSpec},
                           {QStringLiteral("status"), QJsonObject{{QStringLiteral("phase"), spec.phase}}}})
        .toJson(QJsonDocument::Compact);
}

} // namespace tongchi::test
