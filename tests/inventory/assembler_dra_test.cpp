// Cards out of ResourceSlices and ResourceClaims (facts/inventory-and-telemetry 3.8).

#include "tests/inventory/assembler_fixture.h"

#include <gmock/gmock.h>

namespace tongchi {
namespace {

using test::AssemblerHarness;
using test::nodeJson;

const QString draGpu = u"nvidia.com/gpu"_qs;
const std::map<QString, QString> draLabels{{u"nvidia.com/gpu.product"_qs, u"NVIDIA-A100-SXM4-80GB"_qs},
                                           {u"nvidia.com/gpu.memory"_qs, u"81920"_qs},
                                           {u"nvidia.com/gpu.count"_qs, u"8"_qs},
                                           {u"nvidia.com/gpu.replicas"_qs, u"1"_qs}};

std::pair<QString, QString> amountOfBoth(int amount)
{
    return {QString::number(amount), QString::number(amount)};
}

QByteArray draSlice(const char *name, int generation, int slices, const QByteArray &devices,
                    const char *node = "n")
{
    return QByteArray("{\"metadata\":{\"name\":\"") + name + "\",\"uid\":\"slice-" + name +
           "\"},\"spec\":{\"driver\":\"gpu.nvidia.com\",\"nodeName\":\"" + node + "\",\"pool\":{\"name\":\"" +
           node + "\",\"generation\":" + QByteArray::number(generation) +
           ",\"resourceSliceCount\":" + QByteArray::number(slices) + "},\"devices\":[" + devices + "]}}";
}

QByteArray draCard(int number, const QByteArray &extra = {})
{
    const QByteArray n = QByteArray::number(number);
    return "{\"name\":\"gpu-" + n +
           "\",\"attributes\":{\"type\":{\"string\":\"gpu\"},\"uuid\":{\"string\":\"GPU-1c0ffee0-0000-4000-"
           "8000-00000000000" +
           n +
           "\"},\"productName\":{\"string\":\"NVIDIA H100 80GB "
           "HBM3\"},\"driverVersion\":{\"version\":\"570.86.15\"},"
           "\"resource.kubernetes.io/"
           "numaNode\":{\"int\":1}},\"capacity\":{\"memory\":{\"value\":\"81559Mi\"}}" +
           extra + "}";
}

QByteArray draMig(int number, const char *profile, int start, bool possible = true)
{
    const QByteArray n = QByteArray::number(number);
    return "{\"name\":\"gpu-" + n + "-mig-" + QByteArray(profile).replace(".", "") + "-9-" +
           QByteArray::number(start) +
           "\",\"attributes\":{\"type\":{\"string\":\"mig\"},\"uuid\":{\"string\":\"MIG-1c0ffee0-0000-4000-"
           "8000-0000000000" +
           n + QByteArray::number(start) +
           "\"},\"parentUUID\":{\"string\":\"GPU-1c0ffee0-0000-4000-8000-00000000000" + n +
           "\"},\"profile\":{\"string\":\"" + profile +
           "\"},\"productName\":{\"string\":\"NVIDIA H100 80GB "
           "HBM3\"}},\"capacity\":{\"memory\":{\"value\":\"40448Mi\"}}" +
           (possible ? ",\"consumesCounters\":[{\"counterSet\":\"gpu-" + n +
                           "-counter-set\",\"counters\":{\"memory\":{\"value\":\"1\"}}}]"
                     : QByteArray()) +
           "}";
}

class AssemblerDra : public ::testing::Test
{
protected:
    StringPool pool;
    AssemblerHarness it{pool};
};

TEST_F(AssemblerDra, ListsTheDevicesOfASlice)
{
    it.node(nodeJson("n", {}, {}, {}));
    it.slice(draSlice("s", 4, 1,
                      draCard(0) + ',' +
                          draCard(1, ",\"taints\":[{\"key\":\"gpu.nvidia.com/"
                                     "xid\",\"value\":\"79\",\"effect\":\"NoSchedule\"}]")));
    it.podsRead();
    it.settle();
    const auto cards = it.cardsOf("n");
    ASSERT_EQ(cards.size(), 2u);
    EXPECT_EQ(it.text(cards[0].model), "H100");
    EXPECT_EQ(it.text(cards[0].variant), "SXM5-80GB");
    EXPECT_EQ(it.text(cards[0].modelReported), "H100 80GB HBM3");
    EXPECT_EQ(cards[0].memoryBytes, 81559 * bytesPerMiB);
    EXPECT_EQ(cards[0].numaNode, 1);
    EXPECT_EQ(it.text(cards[0].driver), "570.86.15");
    EXPECT_EQ(cards[0].health, CardHealth::Healthy);
    EXPECT_EQ(cards[1].health, CardHealth::Unhealthy);
    EXPECT_EQ(it.text(cards[1].healthReason), "gpu.nvidia.com/xid=79");
    EXPECT_TRUE(cards[1].flags.testFlag(CardFlag::DeviceTaint));
    EXPECT_EQ(it.uuid(cards[1]), "GPU-1c0ffee0-0000-4000-8000-000000000001");
    EXPECT_EQ(cards[0].label, BusinessLabel::Idle);
}

TEST_F(AssemblerDra, CountsCardsAndNotTheirPossiblePartitions)
{
    it.node(nodeJson("n", {}, {}, {}));
    it.slice(draSlice("s", 1, 1, draCard(0) + ',' + draMig(0, "3g.40gb", 0) + ',' + draMig(0, "3g.40gb", 4)));
    it.pod(test::podJson(
        {.name = u"a"_qs, .node = u"n"_qs, .business = u"training"_qs, .claim = u"claim-a"_qs}));
    it.claim("{\"metadata\":{\"name\":\"claim-a\",\"namespace\":\"ns\",\"uid\":\"c1\"},\"status\":{"
             "\"allocation\":{\"devices\":{\"results\":["
             "{\"request\":\"r\",\"driver\":\"gpu.nvidia.com\",\"pool\":\"n\",\"device\":\"gpu-0-mig-3g40gb-"
             "9-4\"}]}},"
             "\"reservedFor\":[{\"resource\":\"pods\",\"name\":\"a\",\"uid\":\"pod-a\"}]}}");
    it.settle();
    const auto cards = it.cardsOf("n");
    ASSERT_EQ(cards.size(), 1u);
    ASSERT_EQ(cards[0].slices.size(), 1u) << "only what is lent exists";
    EXPECT_EQ(it.text(cards[0].slices[0].profile), "3g.40gb");
    EXPECT_EQ(it.text(cards[0].slices[0].workload), "ns/a");
    EXPECT_EQ(cards[0].label, BusinessLabel::Training);
    EXPECT_EQ(it.nodeNamed("n")->facts.held, 1);
    EXPECT_EQ(it.nodeNamed("n")->facts.free, 0);
    const auto slice = it.assembler.byUuid("MIG-1c0ffee0-0000-4000-8000-000000000004");
    ASSERT_EQ(slice.size(), 1u);
    EXPECT_TRUE(slice[0].slice);
    EXPECT_EQ(slice[0].ordinal, cards[0].ordinal);
}

TEST_F(AssemblerDra, FindsTheCardBehindInstancesThatAreListedAlone)
{
    it.node(nodeJson("n", {}, {}, {}));
    it.slice(draSlice(
        "s", 1, 1, draMig(0, "3g.40gb", 0, false) + ',' + draMig(0, "3g.40gb", 4, false) + ',' + draCard(1)));
    it.settle();
    const auto cards = it.cardsOf("n");
    ASSERT_EQ(cards.size(), 2u);
    EXPECT_EQ(it.uuid(cards[0]), "GPU-1c0ffee0-0000-4000-8000-000000000000");
    EXPECT_EQ(cards[0].slices.size(), 2u);
    EXPECT_EQ(cards[0].memoryBytes, std::nullopt) << "an instance's memory is not the card's";
}

TEST_F(AssemblerDra, KeepsThePreviousPoolUntilTheNextIsComplete)
{
    it.node(nodeJson("n", {}, {}, {}));
    it.slice(draSlice("old", 1, 1, draCard(0) + ',' + draCard(1)));
    it.settle();
    const auto before = it.cardsOf("n");
    it.slice(draSlice("new1", 2, 2, draCard(0)));
    it.settle();
    EXPECT_EQ(it.cardsOf("n").size(), 2u);
    it.slice(draSlice("new2", 2, 2, draCard(1) + ',' + draCard(2)));
    it.settle();
    const auto after = it.cardsOf("n");
    ASSERT_EQ(after.size(), 3u);
    EXPECT_EQ(after[0].ordinal, before[0].ordinal);
    EXPECT_EQ(after[1].ordinal, before[1].ordinal);
    it.assembler.slices().removed({.name = "old", .uid = "slice-old"});
    it.settle();
    EXPECT_EQ(it.cardsOf("n").size(), 3u);
    it.assembler.slices().listStarted();
    it.assembler.slices().listFinished();
    it.settle();
    EXPECT_EQ(it.nodeNamed("n"), nullptr);
}

TEST_F(AssemblerDra, DoublesNothingWhenAnExtendedResourceCountsTheSameCards)
{
    it.slice(draSlice("s", 1, 1, draCard(0) + ',' + draCard(1))); // before its node
    it.node(nodeJson("n", draLabels, {}, {{draGpu, amountOfBoth(2)}}));
    it.settle();
    auto cards = it.cardsOf("n");
    ASSERT_EQ(cards.size(), 2u);
    EXPECT_TRUE(cards[0].sources.testFlag(CardSource::Dra));
    EXPECT_TRUE(cards[0].sources.testFlag(CardSource::Capacity));
    EXPECT_TRUE(cards[0].flags.testFlag(CardFlag::ModelsDiffer));
    it.assembler.slices().removed({.name = "s", .uid = "slice-s"});
    it.settle();
    cards = it.cardsOf("n");
    ASSERT_EQ(cards.size(), 8u) << "without DRA the labels speak";
    EXPECT_FALSE(cards[0].sources.testFlag(CardSource::Dra));
}

TEST_F(AssemblerDra, JoinsHamiCardsByTheirUuid)
{
    it.node(nodeJson(
        "n", {},
        {{u"hami.io/node-nvidia-register"_qs,
          u"GPU-1c0ffee0-0000-4000-8000-000000000001,10,81559,100,NVIDIA-NVIDIA H100 80GB HBM3,0,true,5,hami-core:"_qs}},
        {{draGpu, amountOfBoth(10)}}));
    it.slice(draSlice("s", 1, 1, draCard(0) + ',' + draCard(1)));
    it.settle();
    const auto cards = it.cardsOf("n");
    ASSERT_EQ(cards.size(), 2u);
    EXPECT_EQ(cards[0].shares, 1);
    EXPECT_EQ(cards[1].shares, 10);
    EXPECT_FALSE(cards[1].flags.testFlag(CardFlag::ModelsDiffer));
}

TEST_F(AssemblerDra, IgnoresDriversOfOtherThingsAndWatchingClaims)
{
    it.node(nodeJson("n", {}, {}, {}));
    QByteArray channels =
        draSlice("c", 1, 1, "{\"name\":\"channel-0\",\"attributes\":{\"type\":{\"string\":\"channel\"}}}");
    channels.replace("gpu.nvidia.com", "compute-domain.nvidia.com");
    it.slice(channels);
    it.slice(draSlice("s", 1, 1, draCard(0)));
    it.claim("{\"metadata\":{\"name\":\"w\",\"namespace\":\"ns\",\"uid\":\"c2\"},\"status\":{\"allocation\":{"
             "\"devices\":{\"results\":["
             "{\"request\":\"r\",\"driver\":\"gpu.nvidia.com\",\"pool\":\"n\",\"device\":\"gpu-0\","
             "\"adminAccess\":true}]}}}}");
    it.podsRead();
    it.settle();
    ASSERT_EQ(it.cardsOf("n").size(), 1u);
    EXPECT_EQ(it.cardsOf("n")[0].label, BusinessLabel::Idle);
    EXPECT_EQ(it.nodeNamed("n")->facts.free, 1);
}

} // namespace
} // namespace tongchi
