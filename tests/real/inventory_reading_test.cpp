// The ways in which a server gives a list make no difference to what is shown.

#include "models/inventory/inventory_export.h"
#include "platform/inventory/card_assembler.h"
#include "platform/inventory/resolved_pod.h"
#include "platform/kubernetes/ascend_info_parser.h"
#include "platform/kubernetes/item_cutter.h"
#include "platform/kubernetes/node_parser.h"
#include "platform/kubernetes/resource_claim_parser.h"
#include "platform/kubernetes/resource_slice_parser.h"
#include "tests/real/support/raw_api.h"
#include "tests/real/support/real_inventory.h"

#include <QJsonDocument>

namespace tongchi::real {
namespace {

class InventoryReading : public RealInventory
{
protected:
    Cards read(const char *way, const LiveInventory::Adjust &adjust) const
    {
        LiveInventory live(bed);
        live.open(QStringLiteral("real"), {}, adjust);
        EXPECT_TRUE(live.waitUntilComplete()) << way;
        EXPECT_FALSE(live.controller().isPartial()) << way;
        live.expectTruth(way);
        return cardsOf(live.document());
    }
    Cards streamed() const { return read("streamed", {}); }
};

/// What a watch-list tells of one resource, through the console's own parser and assembler.
template <typename Record>
void readWatchList(const Bed &bed, const char *path, ObjectParser<Record> &parser, ResourceSink<Record> &sink)
{
    const QString start = QString::fromUtf8(path);
    const QString query = QStringLiteral("watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&"
                                         "allowWatchBookmarks=true&timeoutSeconds=1");
    const ApiReply reply =
        askApi(bed, "GET", start + QLatin1Char(start.contains(QLatin1Char('?')) ? '&' : '?') + query);
    ASSERT_EQ(reply.status, 200) << path << reply.body.toStdString();
    bool ended = false;
    sink.listStarted();
    Record record;
    for (const QJsonObject &event : reply.events()) {
        const QJsonObject object = event.value(QLatin1String("object")).toObject();
        const QString type = event.value(QLatin1String("type")).toString();
        if (type == QLatin1String("BOOKMARK")) {
            const QJsonObject metadata = object.value(QLatin1String("metadata")).toObject();
            ended =
                ended || metadata.value(QLatin1String("annotations"))
                                 .toObject()
                                 .value(QLatin1String("k8s.io/initial-events-end")) == QStringLiteral("true");
            continue;
        }
        if (ended)
            break; // what follows is the watch
        ASSERT_EQ(type, QStringLiteral("ADDED")) << path;
        std::string text = QJsonDocument(object).toJson(QJsonDocument::Compact).toStdString();
        text.reserve(text.size() + kJsonPadding);
        UnreadableObject why;
        ASSERT_TRUE(parser.parse(text, record, why)) << why.reason;
        sink.upsert(record);
    }
    ASSERT_TRUE(ended) << path << ": the server says where its list ends";
    sink.listFinished();
}

REAL_TEST_F(InventoryReading, PagesGiveTheSameModel, "5: paged reads give the model of streamed ones")
{
    const Cards whole = streamed();
    const Cards paged = read("paged", [](SessionOptions &options) {
        options.reflector.pages = true;
        options.reflector.pageSize = 3;
    });
    EXPECT_TRUE(paged == whole) << differenceOf(paged, whole);
    const Cards plain = read("not compressed", [](SessionOptions &options) {
        options.connect = [made = options.connect] {
            auto connection = made();
            connection->compression = false;
            return connection;
        };
    });
    EXPECT_TRUE(plain == whole) << differenceOf(plain, whole);
}

REAL_TEST_F(InventoryReading, AServerTooSlowForTheWholeIsReadInPages,
            "5: the fallback to pages gives the model of streamed reads")
{
    const Cards whole = streamed();
    // No server is quick enough for this: the first byte of a whole list is late.
    const Cards slow = read("fallen back", [](SessionOptions &options) {
        options.reflector.listFirstByte = std::chrono::milliseconds(0);
        options.reflector.pageSize = 3;
    });
    EXPECT_TRUE(slow == whole) << differenceOf(slow, whole);
}

REAL_TEST_F(InventoryReading, AWatchListHoldsTheSameObjects,
            "5: watch-list reads give the model of streamed ones")
{
    Services services;
    CardAssembler assembler(services.strings, services.devices, services.clock);
    NodeParser nodes;
    ResolvingPodParser pods(services.strings, services.devices);
    ResourceSliceParser slices;
    ResourceClaimParser claims;
    AscendInfoParser deviceInfo;
    readWatchList<NodeRecord>(bed, "/api/v1/nodes", nodes, assembler.nodes());
    readWatchList<ResolvedPod>(bed, "/api/v1/pods", pods, assembler.resolvedPods());
    readWatchList<ResourceSliceRecord>(bed, "/apis/resource.k8s.io/v1/resourceslices", slices,
                                       assembler.slices());
    readWatchList<ResourceClaimRecord>(bed, "/apis/resource.k8s.io/v1/resourceclaims", claims,
                                       assembler.claims());
    readWatchList<AscendDeviceInfoRecord>(bed, "/api/v1/configmaps?labelSelector=mx-consumer-cim%3Dtrue",
                                          deviceInfo, assembler.deviceInfo());
    CardStore store(services.strings);
    while (auto delta = assembler.takeDelta(1'000)) {
        delta->clusterId = 1;
        auto status = std::make_shared<ClusterStatus>();
        status->name = QStringLiteral("real");
        status->complete = true;
        delta->status = std::move(status);
        store.apply(*delta, services.clock.now());
    }
    std::vector<CardIndex> all;
    for (CardIndex card = 0; card < store.cardSlots(); ++card) {
        if (store.isUsed(card))
            all.push_back(card);
    }
    const QJsonObject document =
        QJsonDocument::fromJson(inventoryJson(store, all, services.clock.now())).object();
    const Cards told = cardsOf(document), whole = streamed();
    EXPECT_TRUE(told == whole) << differenceOf(told, whole);
    const ClusterTruth shown = shownIn(document), truth = truthOf(bed);
    EXPECT_TRUE(shown == truth) << differenceOf(shown, truth);
}

} // namespace
} // namespace tongchi::real
