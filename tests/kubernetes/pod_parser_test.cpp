#include "platform/kubernetes/pod_parser.h"

#include "tests/kubernetes/case_data.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tongchi {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;
using testing::UnorderedElementsAre;

PodRecord podOf(std::string_view json)
{
    return test::parseOne<PodRecord, PodParser>(json);
}

std::int64_t requested(const PodRecord &pod, std::string_view name)
{
    for (const auto &[known, amount] : pod.requests) {
        if (known == name)
            return amount;
    }
    return 0;
}

TEST(PodParser, ReadsWhereAPodRunsAndWhatItHolds)
{
    const PodRecord pod = podOf(R"({"metadata":{"name":"p","namespace":"ml","uid":"u","resourceVersion":"9",
        "labels":{"app":"plain","app.kubernetes.io/name":"qwen","tongchi.io/business":"inference"},
        "annotations":{"hami.io/vgpu-devices-allocated":"GPU-1,NVIDIA,500,3:;","huawei.com/AscendReal":"Ascend910-0","prometheus.io/scrape":"true"},
        "ownerReferences":[{"kind":"X","name":"no"},{"kind":"ReplicaSet","name":"qwen-7","controller":true}],
        "managedFields":[{"fieldsV1":{"f:x":{}}}]},
        "spec":{"nodeName":"n1","resourceClaims":[{"name":"gpu","resourceClaimTemplateName":"t"},{"name":"x","resourceClaimName":"direct"}],
          "containers":[{"name":"c","resources":{"requests":{"cpu":"1","nvidia.com/gpu":"2"}}}]},
        "status":{"phase":"Running","resourceClaimStatuses":[{"name":"gpu","resourceClaimName":"p-gpu-x7"}],
          "containerStatuses":[{"name":"c","allocatedResourcesStatus":[{"name":"nvidia.com/gpu","resources":[{"resourceID":"GPU-1","health":"Unhealthy"},{"resourceID":"GPU-2","health":"Healthy"},{"resourceID":"GPU-3","health":"Unknown"}]}]}]}})");
    EXPECT_EQ(pod.key.nameSpace, "ml");
    EXPECT_EQ(pod.node, "n1");
    EXPECT_EQ(pod.phase, PodPhase::Running);
    EXPECT_TRUE(pod.holdsCards());
    EXPECT_FALSE(pod.terminating);
    EXPECT_EQ(pod.businessLabel, "inference");
    EXPECT_EQ(pod.ownerKind, "ReplicaSet");
    EXPECT_EQ(pod.ownerName, "qwen-7");
    EXPECT_EQ(pod.appName, "qwen");
    EXPECT_THAT(pod.cardAnnotations,
                ElementsAre(Pair("hami.io/vgpu-devices-allocated", "GPU-1,NVIDIA,500,3:;"),
                            Pair("huawei.com/AscendReal", "Ascend910-0")));
    EXPECT_THAT(pod.requests, ElementsAre(Pair("nvidia.com/gpu", 2)));
    EXPECT_THAT(pod.claims, UnorderedElementsAre("direct", "p-gpu-x7"));
    EXPECT_THAT(pod.unhealthyDevices, ElementsAre("GPU-1"));
}

TEST(PodParser, CountsInitContainersAndSidecarsAsTheSchedulerDoes)
{
    const PodRecord pod = podOf(R"({"metadata":{"name":"p"},"spec":{
        "initContainers":[{"resources":{"requests":{"x/a":"3","x/b":"1"}}},
                          {"restartPolicy":"Always","resources":{"requests":{"x/a":"2"}}},
                          {"resources":{"requests":{"x/a":"4","x/c":"9"}}}],
        "containers":[{"resources":{"requests":{"x/a":"1"},"limits":{"x/a":"8","x/d":"5"}}},{"resources":{"requests":{"x/a":"2"}}},{"resources":null},{}]}})");
    EXPECT_EQ(requested(pod, "x/a"), 6) << "the third init container runs beside the sidecar";
    EXPECT_EQ(requested(pod, "x/b"), 1);
    EXPECT_EQ(requested(pod, "x/c"), 9);
    EXPECT_EQ(requested(pod, "x/d"), 5) << "a limit stands in for the request";

    const PodRecord reversed = podOf(
        R"({"spec":{"containers":[{"resources":{"requests":{"x/a":"3"}}},{"resources":{"requests":{"x/a":"3"}}}],
        "initContainers":[{"restartPolicy":"Always","resources":{"requests":{"x/a":"2"}}}]},"metadata":{"name":"p"}})");
    EXPECT_EQ(requested(reversed, "x/a"), 8);
}

TEST(PodParser, LeavesOutAmountsThatAreNone)
{
    const PodRecord pod = podOf(
        R"({"metadata":{"name":"p"},"spec":{"containers":[{"resources":{"requests":{"a/x":"-1","b/x":"many","c/x":null,"d/x":"500m","e/x":9223372036854775807}}},{"resources":{"requests":{"e/x":5}}}]}})");
    EXPECT_EQ(requested(pod, "a/x"), 0);
    EXPECT_EQ(requested(pod, "b/x"), 0);
    EXPECT_EQ(requested(pod, "d/x"), 1);
    EXPECT_EQ(requested(pod, "e/x"), INT64_MAX);
}

// CI-03
TEST(PodParser, KnowsWhichPodsHoldCards)
{
    const auto pods = test::parseList<PodRecord, PodParser>(
        test::caseAnswers(QStringLiteral("CI-03"), QStringLiteral("pods")).front());
    EXPECT_THAT(pods.unreadable, IsEmpty());
    std::map<std::string, std::int64_t> held;
    for (const PodRecord &pod : pods.records) {
        if (pod.holdsCards())
            held[pod.node] += requested(pod, "nvidia.com/gpu");
    }
    EXPECT_EQ(held["gpu-dead"], 2);
    EXPECT_EQ(held["gpu-part"], 4);
    EXPECT_EQ(held["gpu-over"], 4);
    EXPECT_EQ(held["gpu-good"], 0);
}

// WT-07
TEST(PodParser, TakesNullItemsForNoPods)
{
    const auto pods = test::parseList<PodRecord, PodParser>(
        test::caseAnswers(QStringLiteral("WT-07"), QStringLiteral("pods")).front());
    EXPECT_THAT(pods.records, IsEmpty());
    EXPECT_THAT(pods.unreadable, IsEmpty());
}

TEST(PodParser, TakesUnknownPhasesAndOddKindsForUnknown)
{
    const PodRecord pod = podOf(
        R"({"metadata":{"name":"p","deletionTimestamp":"2026-03-02T08:00:00Z","labels":null,"annotations":{"hami.io/x":7}},"spec":{"nodeName":5,"containers":null},"status":{"phase":"Hovering","containerStatuses":null}})");
    EXPECT_EQ(pod.phase, PodPhase::Unknown);
    EXPECT_TRUE(pod.terminating);
    EXPECT_EQ(pod.node, "");
    EXPECT_FALSE(pod.holdsCards());

    PodParser parser;
    PodRecord record;
    UnreadableObject why;
    EXPECT_FALSE(parser.parse(
        test::PaddedText(R"({"metadata":{"name":"q","namespace":"ml"},"spec":{"containers":"two"}})").view(),
        record, why));
    EXPECT_EQ(why.key.name, "q");
    EXPECT_EQ(why.key.nameSpace, "ml");
}

TEST(PodParser, LeavesNothingOfThePodBefore)
{
    PodParser parser;
    PodRecord record;
    UnreadableObject why;
    ASSERT_TRUE(parser.parse(
        test::PaddedText(
            R"({"metadata":{"name":"a","labels":{"app":"x","tongchi.io/business":"b"},"annotations":{"hami.io/x":"1"},"deletionTimestamp":"2026-03-02T08:00:00Z"},"spec":{"nodeName":"n","containers":[{"resources":{"requests":{"a/b":"1"}}}],"initContainers":[{"resources":{"requests":{"a/b":"9"}}}]},"status":{"phase":"Running"}})")
            .view(),
        record, why));
    EXPECT_EQ(requested(record, "a/b"), 9);
    ASSERT_TRUE(parser.parse(test::PaddedText(R"({"metadata":{"name":"b"}})").view(), record, why));
    EXPECT_TRUE(record.node.empty() && record.appName.empty() && record.businessLabel.empty() &&
                record.cardAnnotations.empty() && record.requests.empty() && !record.terminating &&
                record.phase == PodPhase::Unknown);
}

} // namespace
} // namespace tongchi
