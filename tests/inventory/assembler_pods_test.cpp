// Which pod has which card, and what that makes of labels, workloads and counts.

#include "tests/inventory/assembler_fixture.h"

#include <gmock/gmock.h>

namespace tongchi {
namespace {

using test::AssemblerHarness;
using test::nodeJson;
using test::podJson;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

const QString plainGpu = u"nvidia.com/gpu"_qs;

class AssemblerPods : public ::testing::Test
{
protected:
    void plainNode(const char *name, int cards, const std::map<QString, QString> &labels = {})
    {
        it.node(nodeJson(name, labels, {}, {{plainGpu, {QString::number(cards), QString::number(cards)}}}));
    }
    std::vector<BusinessLabel> labels(const char *node)
    {
        it.settle();
        std::vector<BusinessLabel> result;
        for (const CardRecord &card : it.cardsOf(node))
            result.push_back(card.label);
        return result;
    }
    std::vector<std::string> pods(const CardRecord &card)
    {
        std::vector<std::string> result;
        for (const StringId pod : card.pods)
            result.push_back(it.text(pod));
        return result;
    }

    StringPool pool;
    AssemblerHarness it{pool};
    static constexpr auto unknown = BusinessLabel::Unknown;
    static constexpr auto idle = BusinessLabel::Idle;
    static constexpr auto inference = BusinessLabel::Inference;
    static constexpr auto training = BusinessLabel::Training;
    static constexpr auto mixed = BusinessLabel::Mixed;
};

TEST_F(AssemblerPods, CallsNothingIdleBeforeThePodsAreRead)
{
    plainNode("n", 2);
    EXPECT_THAT(labels("n"), ElementsAre(unknown, unknown));
    it.podsRead();
    EXPECT_THAT(labels("n"), ElementsAre(idle, idle));
}

TEST_F(AssemblerPods, PutsANodeTogetherOnceWhileItsFirstPodsCome)
{
    plainNode("n", 2);
    it.assembler.pods().listStarted();
    EXPECT_EQ(it.settle(), 1u);
    it.pod(podJson({.name = u"p1"_qs, .node = u"n"_qs, .requests = {{plainGpu, 1}}}));
    it.pod(podJson({.name = u"p2"_qs, .node = u"n"_qs, .requests = {{plainGpu, 1}}}));
    EXPECT_FALSE(it.assembler.hasChanges()) << "more of them may come";
    it.clock.advance(std::chrono::seconds(2));
    EXPECT_TRUE(it.assembler.hasChanges()) << "but a slow list shows what it has";
    EXPECT_EQ(it.settle(), 1u);
    EXPECT_EQ(it.nodeNamed("n")->facts.held, 2);

    it.pod(podJson({.name = u"p2"_qs, .node = u"n"_qs, .phase = u"Succeeded"_qs}));
    EXPECT_FALSE(it.assembler.hasChanges());
    it.assembler.pods().listFinished();
    EXPECT_TRUE(it.assembler.hasChanges()) << "the whole list shows everything at once";
    it.settle();
    EXPECT_EQ(it.nodeNamed("n")->facts.held, 1);
    it.pod(podJson({.name = u"p3"_qs, .node = u"n"_qs, .requests = {{plainGpu, 1}}}));
    EXPECT_EQ(it.settle(), 1u) << "events are not put off";
}

TEST_F(AssemblerPods, KnowsTheLabelWhereOnePodHasTheWholeNode)
{
    plainNode("n", 2);
    it.podsRead();
    it.pod(podJson({.name = u"a"_qs,
                    .node = u"n"_qs,
                    .requests = {{plainGpu, 2}},
                    .ownerKind = u"Job"_qs,
                    .ownerName = u"sft"_qs}));
    EXPECT_THAT(labels("n"), ElementsAre(training, training));
    EXPECT_THAT(pods(it.cardsOf("n")[1]), ElementsAre("ns/a"));
    EXPECT_EQ(it.text(it.cardsOf("n")[0].workloads[0]), "sft");
    EXPECT_EQ(it.nodeNamed("n")->facts.held, 2);
    EXPECT_EQ(it.nodeNamed("n")->facts.free, 0);
}

TEST_F(AssemblerPods, KnowsTheLabelButNotThePodWhereAlikePodsFillTheNode)
{
    plainNode("n", 2);
    it.podsRead();
    it.pod(podJson(
        {.name = u"a"_qs, .node = u"n"_qs, .requests = {{plainGpu, 1}}, .business = u"inference"_qs}));
    EXPECT_THAT(labels("n"), ElementsAre(unknown, unknown)) << "one of the two, nobody says which";
    it.pod(podJson(
        {.name = u"b"_qs, .node = u"n"_qs, .requests = {{plainGpu, 1}}, .business = u"inference"_qs}));
    EXPECT_THAT(labels("n"), ElementsAre(inference, inference));
    EXPECT_THAT(pods(it.cardsOf("n")[0]), IsEmpty());
    it.pod(
        podJson({.name = u"b"_qs, .node = u"n"_qs, .requests = {{plainGpu, 1}}, .business = u"training"_qs}));
    EXPECT_THAT(labels("n"), ElementsAre(unknown, unknown));
}

TEST_F(AssemblerPods, KnowsThePodOfAnOnlyCard)
{
    plainNode("n", 1, {{u"tongchi.io/business"_qs, u"training"_qs}});
    it.podsRead();
    it.pod(podJson({.name = u"a"_qs,
                    .node = u"n"_qs,
                    .requests = {{plainGpu, 1}},
                    .ownerKind = u"ReplicaSet"_qs,
                    .ownerName = u"qwen-7d9f8c6b5d"_qs}));
    EXPECT_THAT(labels("n"), ElementsAre(inference));
    const CardRecord card = it.cardsOf("n")[0];
    EXPECT_THAT(pods(card), ElementsAre("ns/a"));
    EXPECT_EQ(it.text(card.workloads[0]), "qwen");
    EXPECT_TRUE(card.flags.testFlag(CardFlag::LabelDiffers));
}

TEST_F(AssemblerPods, TakesAnExportersWordWhereTheApiServerSaysNothing)
{
    plainNode("n", 4);
    it.podsRead();
    it.pod(podJson(
        {.name = u"a"_qs, .node = u"n"_qs, .requests = {{plainGpu, 1}}, .business = u"inference"_qs}));
    it.pod(
        podJson({.name = u"b"_qs, .node = u"n"_qs, .requests = {{plainGpu, 2}}, .business = u"training"_qs}));
    EXPECT_THAT(labels("n"), ElementsAre(unknown, unknown, unknown, unknown));
    const auto cards = it.cardsOf("n");
    const auto attach = [&](std::vector<std::pair<int, const char *>> all) {
        it.assembler.beginAttachments();
        for (const auto &[card, pod] : all)
            it.assembler.attachFromTelemetry(cards[std::size_t(card)].ordinal, "ns", pod);
        it.assembler.endAttachments();
    };
    attach({{2, "a"}});
    EXPECT_THAT(labels("n"), ElementsAre(unknown, unknown, inference, unknown));
    attach({{2, "a"}, {0, "b"}, {1, "b"}});
    EXPECT_THAT(labels("n"), ElementsAre(training, training, inference, idle));
    EXPECT_EQ(it.nodeNamed("n")->facts.held, 3);
    EXPECT_EQ(it.nodeNamed("n")->facts.free, 1);
    attach({{2, "a"}, {0, "b"}, {1, "b"}, {3, "gone"}});
    EXPECT_THAT(labels("n"), ElementsAre(training, training, inference, idle))
        << "a pod that is gone holds nothing";
    attach({});
    EXPECT_THAT(labels("n"), ElementsAre(unknown, unknown, unknown, unknown));
}

TEST_F(AssemblerPods, FinishedAndWaitingPodsHoldNothing)
{
    plainNode("n", 1);
    it.podsRead();
    for (const QString &phase : {u"Succeeded"_qs, u"Failed"_qs})
        it.pod(podJson({.name = u"a"_qs, .node = u"n"_qs, .requests = {{plainGpu, 1}}, .phase = phase}));
    it.pod(
        podJson({.name = u"b"_qs, .node = QString(), .requests = {{plainGpu, 1}}, .phase = u"Pending"_qs}));
    EXPECT_THAT(labels("n"), ElementsAre(idle));
    it.pod(podJson({.name = u"a"_qs, .node = u"n"_qs, .requests = {{plainGpu, 1}}}));
    EXPECT_THAT(labels("n"), ElementsAre(unknown)) << "somebody's, of no label";
    EXPECT_EQ(it.nodeNamed("n")->facts.free, 0);
    it.pod(
        podJson({.name = u"a"_qs, .node = u"n"_qs, .requests = {{plainGpu, 1}}, .phase = u"Succeeded"_qs}));
    EXPECT_THAT(labels("n"), ElementsAre(idle));
}

TEST_F(AssemblerPods, ReadsHamisAllocations)
{
    const QString a = u"GPU-8dcd427f-483b-b48f-d7e5-75fb19a52b76"_qs;
    const QString b = u"GPU-ebe7c3f7-303d-558d-435e-99a160631fe4"_qs;
    it.node(nodeJson("n", {},
                     {{u"hami.io/node-nvidia-register"_qs,
                       a + u",10,24564,100,NVIDIA-NVIDIA GeForce RTX 4090,0,true,0,hami-core:"_qs + b +
                           u",10,24564,100,NVIDIA-NVIDIA GeForce RTX 4090,0,true,1,hami-core:"_qs}},
                     {{plainGpu, {u"20"_qs, u"20"_qs}}}));
    it.podsRead();
    it.pod(podJson({.name = u"two"_qs,
                    .node = u"n"_qs,
                    .requests = {{plainGpu, 2}},
                    .annotations = {{u"hami.io/vgpu-devices-allocated"_qs,
                                     a + u",NVIDIA,500,3:;"_qs + b + u"[7-9],NVIDIA,24564,100:;"_qs}},
                    .business = u"inference"_qs}));
    it.pod(podJson({.name = u"one"_qs,
                    .node = u"n"_qs,
                    .requests = {{plainGpu, 1}},
                    .annotations = {{u"hami.io/vgpu-devices-allocated"_qs, a + u",NVIDIA,8000,30:;"_qs}},
                    .business = u"training"_qs}));
    EXPECT_THAT(labels("n"), ElementsAre(mixed, inference));
    const auto cards = it.cardsOf("n");
    EXPECT_THAT(pods(cards[0]), ElementsAre("ns/one", "ns/two"));
    ASSERT_EQ(cards[0].slices.size(), 2u);
    EXPECT_EQ(cards[0].slices[0].memoryBytes, 8000 * bytesPerMiB);
    EXPECT_EQ(it.text(cards[0].slices[1].workload), "ns/two");
    EXPECT_EQ(it.text(cards[0].slices[1].kind), "share");
    EXPECT_THAT(cards[1].slices, IsEmpty()) << "all of the card is no part of it";
    EXPECT_EQ(it.nodeNamed("n")->facts.held, 2);
    EXPECT_EQ(it.nodeNamed("n")->facts.free, 0);
}

TEST_F(AssemblerPods, ReadsAscendsAnnotations)
{
    it.node(nodeJson("n", {}, {}, {{u"huawei.com/Ascend910"_qs, {u"4"_qs, u"4"_qs}}}));
    it.podsRead();
    it.pod(podJson({.name = u"a"_qs,
                    .node = u"n"_qs,
                    .requests = {{u"huawei.com/Ascend910"_qs, 2}},
                    .annotations = {{u"huawei.com/AscendReal"_qs, u"Ascend910-1,Ascend910-3"_qs},
                                    {u"huawei.com/Ascend910"_qs, u"Ascend910-0,Ascend910-2"_qs}},
                    .business = u"training"_qs}));
    EXPECT_THAT(labels("n"), ElementsAre(idle, training, idle, training))
        << "what is mounted, not what was chosen";
    EXPECT_EQ(it.nodeNamed("n")->facts.free, 2);
}

TEST_F(AssemblerPods, PutsVnpusBelowTheirCard)
{
    const QString resource = u"huawei.com/Ascend910-10c.3cpu.32g"_qs;
    it.node(nodeJson("n", {{u"node.kubernetes.io/npu.chip.name"_qs, u"910B3"_qs}}, {},
                     {{resource, {u"4"_qs, u"4"_qs}}}));
    it.podsRead();
    it.pod(podJson({.name = u"a"_qs,
                    .node = u"n"_qs,
                    .requests = {{resource, 1}},
                    .annotations = {{u"huawei.com/AscendReal"_qs, u"Ascend910-10c.3cpu.32g-102-1"_qs}},
                    .business = u"inference"_qs}));
    EXPECT_THAT(labels("n"), ElementsAre(idle, inference));
    const auto cards = it.cardsOf("n");
    ASSERT_EQ(cards[1].slices.size(), 2u);
    EXPECT_EQ(it.text(cards[1].slices[0].workload), "ns/a");
    EXPECT_EQ(cards[1].slices[1].workload, 0u);
    EXPECT_EQ(cards[1].slices[0].memoryBytes, 32768 * bytesPerMiB);
    EXPECT_EQ(it.text(cards[1].slices[0].kind), "vnpu");
}

TEST_F(AssemblerPods, ReadsHamisTemplatesOnAscend)
{
    it.node(nodeJson(
        "n", {},
        {{u"hami.io/node-register-Ascend910B3"_qs,
          u"[{\"id\":\"V0\",\"count\":4,\"devmem\":65536,\"devcore\":20,\"type\":\"Ascend910B3\",\"health\":true}]"_qs}},
        {{u"huawei.com/Ascend910B3"_qs, {u"4"_qs, u"4"_qs}}}));
    it.podsRead();
    it.pod(podJson(
        {.name = u"a"_qs,
         .node = u"n"_qs,
         .requests = {{u"huawei.com/Ascend910B3"_qs, 1}},
         .annotations = {{u"hami.io/Ascend910B3-devices-allocated"_qs, u"V0,Ascend910B3,32768,0:;"_qs},
                         {u"huawei.com/Ascend910B3"_qs,
                          u"[{\"UUID\":\"V0\",\"temp\":\"vir10_3c_32g\",\"memory\":32768}]"_qs}},
         .business = u"inference"_qs}));
    it.settle();
    const auto cards = it.cardsOf("n");
    ASSERT_EQ(cards[0].slices.size(), 1u);
    EXPECT_EQ(it.text(cards[0].slices[0].profile), "vir10_3c_32g");
    EXPECT_EQ(it.assembler.byVdieId("V0").size(), 1u);
}

TEST_F(AssemblerPods, ReadsCambriconsProfileAndHamisMadeUpIds)
{
    it.node(nodeJson("n", {{u"Model"_qs, u"MLU370-X8"_qs}}, {},
                     {{u"cambricon.com/mlu.smlu.vcore"_qs, {u"300"_qs, u"300"_qs}},
                      {u"cambricon.com/real-mlu-counts"_qs, {u"3"_qs, u"3"_qs}}}));
    it.podsRead();
    it.pod(podJson({.name = u"a"_qs,
                    .node = u"n"_qs,
                    .requests = {{u"cambricon.com/mlu.smlu.vcore"_qs, 40}},
                    .annotations = {{u"CAMBRICON_DSMLU_PROFILE"_qs, u"2_40_48"_qs},
                                    {u"CAMBRICON_DSMLU_ASSIGHED"_qs, u"true"_qs}},
                    .business = u"inference"_qs}));
    it.pod(podJson({.name = u"b"_qs,
                    .node = u"n"_qs,
                    .requests = {{u"cambricon.com/mlu.smlu.vcore"_qs, 100}},
                    .annotations = {{u"hami.io/cambricon-mlu-devices-allocated"_qs,
                                     u"n-cambricon-mlu-0,MLU,49152,100:;"_qs}},
                    .business = u"training"_qs}));
    EXPECT_THAT(labels("n"), ElementsAre(training, idle, inference));
    EXPECT_EQ(it.text(it.cardsOf("n")[2].slices.at(0).kind), "smlu");
    EXPECT_EQ(it.nodeNamed("n")->facts.free, 1);
}

TEST_F(AssemblerPods, ReadsAscendsFaultsFromTheConfigMap)
{
    it.deviceInfo(
        "{\"metadata\":{\"name\":\"mindx-dl-deviceinfo-n\",\"namespace\":\"kube-system\",\"uid\":\"cm\"},"
        "\"data\":{\"DeviceInfoCfg\":"
        "\"{\\\"DeviceInfo\\\":{\\\"DeviceList\\\":{\\\"huawei.com/Ascend910\\\":\\\"Ascend910-0\\\","
        "\\\"huawei.com/Ascend910-Unhealthy\\\":\\\"Ascend910-1\\\",\\\"huawei.com/"
        "Ascend910-NetworkUnhealthy\\\":\\\"\\\"},"
        "\\\"UpdateTime\\\":1772441000}}\"}}");
    it.node(nodeJson("n", {}, {}, {{u"huawei.com/Ascend910"_qs, {u"2"_qs, u"1"_qs}}}));
    it.settle();
    auto cards = it.cardsOf("n");
    ASSERT_EQ(cards.size(), 2u);
    EXPECT_EQ(cards[0].health, CardHealth::Healthy);
    EXPECT_EQ(cards[1].health, CardHealth::Unhealthy);
    EXPECT_TRUE(cards[1].sources.testFlag(CardSource::DeviceInfo));
    it.assembler.deviceInfo().removed(
        {.nameSpace = "kube-system", .name = "mindx-dl-deviceinfo-n", .uid = "cm"});
    it.settle();
    EXPECT_EQ(it.cardsOf("n")[1].health, CardHealth::NotReported);
}

TEST_F(AssemblerPods, HandshakesCostNothingWhileThePluginWorks)
{
    const auto node = [&](const QString &handshake, int allocatable) {
        it.node(nodeJson(
            "n", {},
            {{u"hami.io/node-register-Ascend910B3"_qs,
              u"[{\"id\":\"V0\",\"count\":4,\"devmem\":65536,\"devcore\":20,\"type\":\"Ascend910B3\",\"health\":true}]"_qs},
             {u"hami.io/node-handshake-Ascend910B3"_qs, handshake}},
            {{u"huawei.com/Ascend910B3"_qs, {u"4"_qs, QString::number(allocatable)}}}));
    };
    node(u"Reported_2026.03.02 09:00:05"_qs, 4);
    EXPECT_EQ(it.settle(), 1u);
    for (int i = 10; i < 60; ++i) {
        node((i % 2 ? u"Requesting_2026-03-02 09:00:"_qs : u"Reported_2026.03.02 09:00:"_qs) +
                 QString::number(i),
             4);
        EXPECT_FALSE(it.assembler.hasChanges());
    }
    node(u"Requesting_2026-03-02 09:01:00"_qs, 0);
    it.settle();
    EXPECT_FALSE(it.cardsOf("n")[0].flags.testFlag(CardFlag::RegistrationStale));
    it.clock.advance(std::chrono::seconds(61));
    it.settle();
    EXPECT_TRUE(it.cardsOf("n")[0].flags.testFlag(CardFlag::RegistrationStale));
    node(u"Reported_2026.03.02 09:02:05"_qs, 4);
    it.settle();
    EXPECT_FALSE(it.cardsOf("n")[0].flags.testFlag(CardFlag::RegistrationStale));
    node(u"Deleted_2026.03.02 09:02:05"_qs, 4);
    it.settle();
    EXPECT_TRUE(it.cardsOf("n")[0].flags.testFlag(CardFlag::RegistrationStale));
}

TEST_F(AssemblerPods, ACardKeepsItsNumberWhileItIsTheSame)
{
    const auto node = [&](const QString &value) {
        it.node(nodeJson("n", {}, {{u"hami.io/node-nvidia-register"_qs, value}},
                         {{plainGpu, {u"20"_qs, u"20"_qs}}}));
        it.settle();
        return it.cardsOf("n");
    };
    const QString form =
        u"GPU-0000000%1-0000-4000-8000-000000000000,10,81559,100,NVIDIA-NVIDIA H100 80GB HBM3,0,true,%2,hami-core:"_qs;
    const auto before = node(form.arg(1).arg(0) + form.arg(2).arg(1));
    const auto after = node(form.arg(2).arg(0) + form.arg(3).arg(1));
    EXPECT_EQ(after[0].ordinal, before[1].ordinal) << "moved to another place";
    EXPECT_EQ(it.uuid(after[0]), it.uuid(before[1]));
    EXPECT_EQ(it.assembler.cardCount(), 2u);
    EXPECT_TRUE(it.assembler.hasUuid(after[1].ordinal));
}

TEST_F(AssemblerPods, InstancesOfSeveralProfilesLieOnTheSameCards)
{
    const QString small = u"nvidia.com/mig-1g.10gb"_qs;
    const QString large = u"nvidia.com/mig-3g.40gb"_qs;
    it.node(
        nodeJson("n", {{u"nvidia.com/gpu.count"_qs, u"2"_qs}}, {},
                 {{plainGpu, {u"0"_qs, u"0"_qs}}, {small, {u"4"_qs, u"4"_qs}}, {large, {u"2"_qs, u"2"_qs}}}));
    it.podsRead();
    for (int i = 0; i < 4; ++i)
        it.pod(podJson({.name = u"s%1"_qs.arg(i),
                        .node = u"n"_qs,
                        .requests = {{small, 1}},
                        .business = u"inference"_qs}));
    EXPECT_THAT(labels("n"), ElementsAre(unknown, unknown));
    EXPECT_EQ(it.nodeNamed("n")->facts.held, 2);
    for (int i = 0; i < 2; ++i)
        it.pod(podJson({.name = u"l%1"_qs.arg(i),
                        .node = u"n"_qs,
                        .requests = {{large, 1}},
                        .business = u"inference"_qs}));
    EXPECT_THAT(labels("n"), ElementsAre(inference, inference));
    EXPECT_EQ(it.nodeNamed("n")->facts.held, 2);
    EXPECT_FALSE(it.cardsOf("n")[0].flags.testFlag(CardFlag::MoreHeldThanAllocatable));
}

TEST_F(AssemblerPods, AFaultyCardThatIsStillHeldIsMoreThanAllocatableOnlyInUnits)
{
    it.node(nodeJson("n", {}, {}, {{u"huawei.com/Ascend910"_qs, {u"2"_qs, u"1"_qs}}}));
    it.podsRead();
    it.pod(podJson({.name = u"a"_qs,
                    .node = u"n"_qs,
                    .requests = {{u"huawei.com/Ascend910"_qs, 1}},
                    .annotations = {{u"huawei.com/AscendReal"_qs, u"Ascend910-1"_qs}}}));
    it.settle();
    EXPECT_FALSE(it.cardsOf("n")[0].flags.testFlag(CardFlag::MoreHeldThanAllocatable));
    it.pod(podJson({.name = u"b"_qs,
                    .node = u"n"_qs,
                    .requests = {{u"huawei.com/Ascend910"_qs, 1}},
                    .annotations = {{u"huawei.com/AscendReal"_qs, u"Ascend910-0"_qs}}}));
    it.settle();
    EXPECT_TRUE(it.cardsOf("n")[0].flags.testFlag(CardFlag::MoreHeldThanAllocatable));
    EXPECT_EQ(it.nodeNamed("n")->facts.free, 0);
}

TEST_F(AssemblerPods, KeepsOnlyPodsThatHoldCards)
{
    plainNode("n", 8);
    it.podsRead();
    it.settle();
    const std::size_t before = it.assembler.bytes();
    for (int i = 0; i < 1000; ++i)
        it.pod(podJson({.name = QString::number(i), .node = u"n"_qs}));
    EXPECT_EQ(it.assembler.bytes(), before);
    EXPECT_FALSE(it.assembler.hasChanges());
}

} // namespace
} // namespace tongchi
