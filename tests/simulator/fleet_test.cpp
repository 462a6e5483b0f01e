#include "platform/simulator/fleet.h"

#include "platform/simulator/load_model.h"

#include <gtest/gtest.h>
#include <map>
#include <set>
#include <simdjson.h>

namespace tongchi {
namespace {

using simdjson::dom::element;

std::string textAt(const element &object, std::string_view pointer)
{
    std::string_view text;
    return object.at_pointer(pointer).get(text) == simdjson::SUCCESS ? std::string(text) : std::string();
}

/// What one cluster's objects say, read the way facts section 3 tells.
struct ReadFleet
{
    simdjson::dom::parser parser;
    std::map<std::string, int> cardsOfNode;
    std::map<std::string, int> draCards;
    std::map<std::string, int> objects;
    std::set<std::string> names;
    std::set<std::string> ways;
    int draTaints = 0;
    int cordoned = 0;
    int notReady = 0;
    int podsRunning = 0;

    void take(const SimulatedObject &object)
    {
        const std::string resource = object.resource.toStdString();
        ++objects[resource];
        EXPECT_TRUE(
            names.insert(resource + '/' + object.nameSpace.toStdString() + '/' + object.name.toStdString())
                .second)
            << object.name.toStdString();
        element json;
        ASSERT_EQ(parser.parse(object.json.toStdString()).get(json), simdjson::SUCCESS)
            << object.json.toStdString();
        EXPECT_EQ(textAt(json, "/metadata/name"), object.name.toStdString());
        EXPECT_EQ(textAt(json, "/apiVersion"), object.apiVersion.toStdString());
        EXPECT_EQ(textAt(json, "/metadata/uid").size(), 36u);
        EXPECT_EQ(textAt(json, "/metadata/creationTimestamp").size(), 20u);
        if (resource == "nodes")
            takeNode(json);
        else if (resource == "resourceslices")
            takeSlice(json);
        else if (resource == "pods")
            podsRunning += textAt(json, "/status/phase") == "Running" ? 1 : 0;
    }

    void takeSlice(const element &json)
    {
        simdjson::dom::array devices;
        if (json.at_pointer("/spec/devices").get(devices) != simdjson::SUCCESS)
            return;
        EXPECT_LE(devices.size(), 64u);
        for (const element device : devices) {
            if (textAt(device, "/attributes/type/string") == "gpu")
                ++draCards[textAt(json, "/spec/nodeName")];
            draTaints += device["taints"].error() == simdjson::SUCCESS ? 1 : 0;
        }
    }

    void takeNode(const element &json)
    {
        const std::string name = textAt(json, "/metadata/name");
        bool unschedulable = false;
        const int own =
            json.at_pointer("/spec/unschedulable").get(unschedulable) == simdjson::SUCCESS ? 1 : 0;
        for (const element condition : json.at_pointer("/status/conditions").get_array()) {
            if (textAt(condition, "/type") == "Ready" && textAt(condition, "/status") != "True")
                notReady += 1;
        }
        int &cards = cardsOfNode[name];
        for (const auto &[key, value] : json.at_pointer("/metadata/annotations").get_object()) {
            const std::string text(value.get_string().value());
            const std::string annotation(key);
            if (annotation == "hami.io/node-nvidia-register" && text[0] != '[') {
                cards = int(std::count(text.begin(), text.end(), ':'));
                ways.insert("hami text " +
                            std::to_string(std::count(text.begin(), text.end(), ',') / cards + 1));
            } else if (annotation.starts_with("hami.io/node-") &&
                       annotation.find("register") != std::string::npos) {
                simdjson::dom::parser inner;
                cards = int(inner.parse(text).get_array().size());
                ways.insert(annotation);
            }
        }
        if (cards == 0)
            cards = cardsByLabels(json);
        cordoned += own * cards;
    }

    int cardsByLabels(const element &json)
    {
        int count = 0;
        const auto labels = json.at_pointer("/metadata/labels").get_object();
        std::string_view label;
        if (labels.at_key("nvidia.com/gpu.count").get(label) == simdjson::SUCCESS) {
            const std::string product(labels.at_key("nvidia.com/gpu.product").get_string().value());
            ways.insert(product.find("-MIG-") != std::string::npos ? "mig single"
                        : product.ends_with("-SHARED")             ? "shared"
                                                                   : "labels");
            return std::stoi(std::string(label)) /
                   (product.find("-MIG-1g.10gb") != std::string::npos ? 7 : 1);
        }
        for (const auto &[key, value] : json.at_pointer("/status/capacity").get_object()) {
            const std::string resource(key);
            const int amount = std::atoi(std::string(value.get_string().value()).c_str());
            if (resource == "huawei.com/Ascend910" || resource == "cambricon.com/real-mlu-counts")
                count += amount;
            else if (resource.starts_with("huawei.com/Ascend910-10c"))
                count += amount / 2;
            if (resource.find("nvidia") == std::string::npos && resource.find('/') != std::string::npos)
                ways.insert(resource);
        }
        return count;
    }
};

TEST(FleetTest, HasEveryCardOfTheDesignWhateverWayItIsReported)
{
    const SimulatedClock clock;
    Fleet fleet(PoolOptions{}, clock);
    ASSERT_EQ(fleet.clusters(), QStringList({QStringLiteral("bj-prod"), QStringLiteral("wlcb-train"),
                                             QStringLiteral("south-prod")}));
    int cards = 0;
    int nodes = 0;
    int cordoned = 0;
    int notReady = 0;
    int taints = 0;
    std::set<std::string> ways;
    for (int cluster = 0; cluster < 3; ++cluster) {
        ReadFleet read;
        fleet.forEachObject(cluster, [&read](SimulatedObject &&object) { read.take(object); });
        for (const auto &[node, own] : read.cardsOfNode) {
            const auto dra = read.draCards.find(node);
            const int found = dra != read.draCards.end() ? dra->second : own;
            EXPECT_TRUE(found == 8 || (found == 4 && node.starts_with("sz-mlu"))) << node << ' ' << found;
            cards += found;
            ++nodes;
        }
        cordoned += read.cordoned;
        notReady += read.notReady;
        taints += read.draTaints;
        ways.merge(read.ways);
        EXPECT_GT(read.podsRunning, 1000);
        EXPECT_GT(read.objects["resourceclaims"], 10);
        EXPECT_EQ(read.objects["deviceclasses"], 2);
    }
    EXPECT_EQ(cards, 7500);
    EXPECT_EQ(nodes, 938);
    EXPECT_EQ(cordoned, 56);
    EXPECT_EQ(notReady, 5);
    EXPECT_EQ(taints, 1);
    for (const char *way :
         {"labels", "shared", "mig single", "hami text 7", "hami text 9", "hami.io/node-nvidia-register",
          "hami.io/node-register-Ascend910B3", "hami.io/node-register-Ascend910B4",
          "hami.io/node-register-Ascend910B", "huawei.com/Ascend910-10c.3cpu.32g", "cambricon.com/mlu",
          "cambricon.com/mlu370", "cambricon.com/mlu.smlu.vcore"})
        EXPECT_TRUE(ways.contains(way)) << way;
}

TEST(FleetTest, CountsRegionsModelsAndLabelsLikeTheDesign)
{
    const FleetPlan plan(PoolOptions{}, Instant{});
    std::map<FleetRegion, int> regions;
    std::map<CardModel, int> models;
    std::map<Business, int> labels;
    std::map<bool, int> small;
    int faulty = 0;
    int silent = 0;
    for (const SimulatedNode &node : plan.nodes()) {
        regions[node.region] += node.cards;
        models[node.model] += node.cards;
        labels[node.business] += node.cards;
        small[node.smallMemory] += node.cards;
        faulty += node.faultySlot >= 0 ? 1 : 0;
        silent += node.silent ? node.cards : 0;
    }
    EXPECT_EQ(regions, (std::map<FleetRegion, int>{{FleetRegion::Beijing, 2608},
                                                   {FleetRegion::Ulanqab, 2176},
                                                   {FleetRegion::Guiyang, 1664},
                                                   {FleetRegion::Shenzhen, 1052}}));
    EXPECT_EQ(models, (std::map<CardModel, int>{{CardModel::H100, 768},
                                                {CardModel::A100, 1280},
                                                {CardModel::Rtx4090, 1856},
                                                {CardModel::A10, 640},
                                                {CardModel::T4, 416},
                                                {CardModel::Ascend910B, 2048},
                                                {CardModel::Mlu370X8, 492}}));
    EXPECT_EQ(labels, (std::map<Business, int>{{Business::Inference, 4344},
                                               {Business::Training, 1536},
                                               {Business::Mixed, 828},
                                               {Business::Idle, 792}}));
    EXPECT_EQ(small[true], 512);
    EXPECT_EQ(faulty, 5);
    EXPECT_EQ(silent, 16);
}

TEST(FleetTest, IsTheSameForTheSameSeedAndAnotherForAnother)
{
    PoolOptions options;
    options.cards = 200;
    options.clusters = 1;
    const auto bytes = [](const PoolOptions &wanted) {
        const FleetPlan plan(wanted, Instant{});
        QByteArray all;
        for (const SimulatedNode &node : plan.nodes())
            all += node.name + plan.cardUuid(node, 0) + QByteArray::number(int(node.encoding));
        return all;
    };
    const QByteArray first = bytes(options);
    EXPECT_EQ(first, bytes(options));
    options.seed = 2;
    EXPECT_NE(first, bytes(options));
}

TEST(FleetTest, KeepsItsPlacesFilledWhilePodsComeAndGo)
{
    const SimulatedClock clock;
    Fleet fleet(PoolOptions{}, clock);
    std::set<std::string> pods;
    const auto key = [](const SimulatedObject &object) {
        return object.nameSpace.toStdString() + '/' + object.name.toStdString();
    };
    fleet.forEachObject(0, [&](SimulatedObject &&object) {
        if (object.resource == "pods")
            pods.insert(key(object));
    });
    const std::size_t before = pods.size();
    int replaced = 0;
    int handshakes = 0;
    for (int minute = 1; minute <= 60; ++minute) {
        for (const ObjectChange &change : fleet.advance(0, clock.start() + std::chrono::minutes(minute))) {
            if (change.object.resource == "nodes") {
                EXPECT_TRUE(change.object.json.contains("hami.io/node-handshake"));
                ++handshakes;
            }
            if (change.object.resource != "pods")
                continue;
            if (change.kind == ObjectChange::Kind::Delete) {
                EXPECT_EQ(pods.erase(key(change.object)), 1u) << key(change.object);
                ++replaced;
            } else {
                pods.insert(key(change.object));
            }
        }
    }
    EXPECT_EQ(pods.size(), before);
    EXPECT_GE(replaced, 30);
    EXPECT_LE(replaced, 1500);
    EXPECT_GE(handshakes, 60);
}

TEST(FleetTest, GrowsToOnePodACardOnALargePool)
{
    PoolOptions options;
    options.cards = 100'000;
    options.clusters = 1;
    const FleetPlan plan(options, Instant{});
    EXPECT_EQ(plan.cardCount(), 100'000u);
    EXPECT_EQ(plan.nodes().size(), 12'500u);
    EXPECT_EQ(plan.seats().size(), 100'000u);
    EXPECT_EQ(plan.clusters().size(), 1);
}

TEST(FleetTest, TakesAnySizeDownToOneCard)
{
    for (const int cards : {1, 7, 8, 9, 60, 500, 3000}) {
        for (const int clusters : {1, 2, 3, 5}) {
            PoolOptions options;
            options.cards = cards;
            options.clusters = clusters;
            const FleetPlan plan(options, Instant{});
            EXPECT_EQ(plan.cardCount(), quint32(cards));
            EXPECT_EQ(plan.clusters().size(), clusters);
        }
    }
}

struct FleetMeans
{
    double utilization = 0;
    double memoryShare = 0;
    double megawatts = 0;
    double inference = 0;
};

FleetMeans meansAt(const FleetPlan &plan, qint64 unixMs)
{
    const LoadModel load(plan);
    FleetMeans means;
    double used = 0;
    double total = 0;
    int serving = 0;
    for (const SimulatedNode &node : plan.nodes()) {
        for (int slot = 0; slot < node.cards; ++slot) {
            const CardSample sample = load.sample(node, slot, unixMs);
            EXPECT_GE(sample.utilization, 0);
            EXPECT_LE(sample.utilization, 100);
            EXPECT_LE(sample.memoryMiB, node.memoryMiB());
            EXPECT_GT(sample.watts, 0);
            EXPECT_LT(sample.celsius, 92);
            means.utilization += sample.utilization / 7500;
            means.megawatts += sample.watts / 1e6;
            used += sample.memoryMiB;
            total += node.memoryMiB();
            if (node.business == Business::Inference) {
                means.inference += sample.utilization;
                ++serving;
            }
        }
    }
    means.memoryShare = used / total;
    means.inference /= serving;
    return means;
}

TEST(LoadModelTest, MatchesThePicturesInTheEarlyAfternoonAndFallsToAnEighthAtNight)
{
    const FleetPlan plan(PoolOptions{}, Instant{});
    constexpr qint64 picture = 1'798'612'928'000; // 30 Dec 2026, 14:42:08, UTC+8
    const FleetMeans day = meansAt(plan, picture);
    EXPECT_NEAR(day.utilization, 61.8, 0.8);
    EXPECT_NEAR(day.memoryShare, 242.9 / 368.7, 0.006);
    EXPECT_NEAR(day.megawatts, 1.73, 0.03);
    const FleetMeans night = meansAt(plan, picture - (11 * 60 + 42) * 60'000);
    EXPECT_NEAR(day.inference / night.inference, 8, 0.4);
}

} // namespace
} // namespace tongchi
