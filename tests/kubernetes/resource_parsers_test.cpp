#include "platform/kubernetes/ascend_info_parser.h"
#include "platform/kubernetes/resource_claim_parser.h"
#include "platform/kubernetes/resource_slice_parser.h"

#include "tests/kubernetes/case_data.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tongchi {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pair;

ResourceSliceRecord sliceOf(std::string_view json)
{
    return test::parseOne<ResourceSliceRecord, ResourceSliceParser>(json);
}

const std::string kAttributes =
    R"("attributes":{"type":{"string":"gpu"},"gpu.nvidia.com/uuid":{"string":"GPU-1"},
  "resource.kubernetes.io/pciBusID":{"string":"0000:1b:00.0"},"driverVersion":{"version":"570.86.15"},"minor":{"int":3},"mig":{"bool":false},
  "list":{"ints":[1,2]},"odd":null,"odder":{"string":null}},"capacity":{"memory":{"value":"81559Mi"},"bad":{"value":"many"},"gpu.nvidia.com/cores":{"value":"132"}},
  "consumesCounters":[{"counterSet":"gpu-0-counter-set","counters":{"memory":{"value":"1Gi"}}}],
  "taints":[{"key":"gpu.nvidia.com/xid","value":"79","effect":"NoSchedule","timeAdded":"2026-03-02T08:11:00Z"}])";

std::string sliceJson(const std::string &version, const std::string &device)
{
    return R"({"apiVersion":"resource.k8s.io/)" + version +
           R"(","kind":"ResourceSlice","metadata":{"name":"s","uid":"u","resourceVersion":"5"},
      "spec":{"devices":[)" +
           device +
           R"(,null],"driver":"gpu.nvidia.com","nodeName":"sh-h100-03","pool":{"name":"sh-h100-03","generation":4,"resourceSliceCount":2}}})";
}

TEST(ResourceSliceParser, ReadsTheThreeVersionsAlike)
{
    const std::string flat = R"({"name":"gpu-0",)" + kAttributes + "}";
    const std::string nested = R"({"name":"gpu-0","basic":{)" + kAttributes + "}}";
    for (const auto &[version, device] :
         {std::pair(std::string("v1"), flat), std::pair(std::string("v1beta2"), flat),
          std::pair(std::string("v1beta1"), nested)}) {
        const ResourceSliceRecord slice = sliceOf(sliceJson(version, device));
        EXPECT_EQ(slice.driver, "gpu.nvidia.com");
        EXPECT_EQ(slice.pool, "sh-h100-03");
        EXPECT_EQ(slice.poolGeneration, 4);
        EXPECT_EQ(slice.poolSliceCount, 2);
        ASSERT_EQ(slice.devices.size(), 1u);
        const DeviceRecord &gpu = slice.devices[0];
        EXPECT_EQ(gpu.name, "gpu-0");
        EXPECT_EQ(gpu.node, "sh-h100-03");
        EXPECT_EQ(gpu.attribute("type"), "gpu");
        EXPECT_EQ(gpu.attribute("uuid"), "GPU-1") << "the driver's own domain is left out";
        EXPECT_EQ(gpu.attribute("resource.kubernetes.io/pciBusID"), "0000:1b:00.0");
        EXPECT_EQ(gpu.attribute("driverVersion"), "570.86.15");
        EXPECT_EQ(gpu.attribute("minor"), "3");
        EXPECT_EQ(gpu.attribute("mig"), "false");
        EXPECT_EQ(gpu.attribute("list"), "1,2");
        ASSERT_EQ(gpu.capacity.size(), 2u);
        EXPECT_EQ(gpu.capacity[0].second.units(), 81559LL << 20);
        EXPECT_EQ(gpu.capacity[1].first, "cores");
        EXPECT_THAT(gpu.counterSets, ElementsAre("gpu-0-counter-set"));
        ASSERT_EQ(gpu.taints.size(), 1u);
        EXPECT_EQ(gpu.taints[0].value, "79");
    }
}

TEST(ResourceSliceParser, LetsADeviceNameItsOwnNode)
{
    const ResourceSliceRecord slice = sliceOf(
        R"({"metadata":{"name":"s"},"spec":{"driver":"d","perDeviceNodeSelection":true,"devices":[{"name":"a","nodeName":"n1"},{"name":"b"}],"nodeName":null,"pool":null}})");
    EXPECT_EQ(slice.devices[0].node, "n1");
    EXPECT_EQ(slice.devices[1].node, "");
    EXPECT_EQ(slice.poolSliceCount, 1);
}

TEST(ResourceSliceParser, NamesASliceOfAWrongShape)
{
    ResourceSliceParser parser;
    ResourceSliceRecord record;
    UnreadableObject why;
    for (const char *spec :
         {R"("none")", R"({"devices":"none"})", R"({"devices":[{"attributes":[]}]})", R"({"devices":[7]})"}) {
        EXPECT_FALSE(parser.parse(
            test::PaddedText(std::string(R"({"metadata":{"name":"s-1"},"spec":)") + spec + "}").view(),
            record, why))
            << spec;
        EXPECT_EQ(why.key.name, "s-1");
    }
}

TEST(ResourceClaimParser, ReadsWhoHoldsWhat)
{
    const auto claim = test::parseOne<ResourceClaimRecord, ResourceClaimParser>(
        R"({"metadata":{"name":"c","namespace":"ml","uid":"u"},
      "spec":{"devices":{"requests":[{"name":"card"}]}},
      "status":{"allocation":{"devices":{"results":[{"request":"card","driver":"gpu.nvidia.com","pool":"p","device":"gpu-0"},
        {"request":"main/sub","driver":"gpu.nvidia.com","pool":"p","device":"gpu-1","adminAccess":true},null],"config":[]},"nodeSelector":{}},
        "reservedFor":[{"resource":"pods","name":"llama-0","uid":"x"},{"apiGroup":"other.example","resource":"pods","name":"no"},{"resource":"jobs","name":"no"},{"apiGroup":"","resource":"pods","name":"llama-1"}],
        "devices":[{"driver":"gpu.nvidia.com"}]}})");
    ASSERT_EQ(claim.results.size(), 2u);
    EXPECT_EQ(claim.results[0].device, "gpu-0");
    EXPECT_FALSE(claim.results[0].adminAccess);
    EXPECT_TRUE(claim.results[1].adminAccess);
    EXPECT_EQ(claim.results[1].request, "main/sub");
    EXPECT_THAT(claim.reservedForPods, ElementsAre("llama-0", "llama-1"));
    const auto pending = test::parseOne<ResourceClaimRecord, ResourceClaimParser>(
        R"({"metadata":{"name":"c"},"status":{"allocation":null,"reservedFor":null}})");
    EXPECT_THAT(pending.results, IsEmpty());
}

AscendDeviceInfoRecord ascendOf(const QJsonObject &data,
                                const QString &name = QStringLiteral("mindx-dl-deviceinfo-sh-910b-01"))
{
    const QJsonObject map{{QStringLiteral("metadata"),
                           QJsonObject{{QStringLiteral("name"), name},
                                       {QStringLiteral("namespace"), QStringLiteral("kube-system")}}},
                          {QStringLiteral("data"), data}};
    return test::parseOne<AscendDeviceInfoRecord, AscendInfoParser>(
        QJsonDocument(map).toJson(QJsonDocument::Compact).toStdString());
}

QJsonObject deviceInfo(const QString &faults)
{
    return {
        {QStringLiteral("DeviceList"),
         QJsonObject{
             {QStringLiteral("huawei.com/Ascend910"), QStringLiteral("Ascend910-0,Ascend910-1")},
             {QStringLiteral("huawei.com/Ascend910-Unhealthy"), QStringLiteral("Ascend910-4, Ascend910-5")},
             {QStringLiteral("huawei.com/Ascend910-NetworkUnhealthy"), QStringLiteral("Ascend910-6")},
             {QStringLiteral("huawei.com/Ascend910-Recovering"), QString()},
             {QStringLiteral("huawei.com/Ascend910-Fault"), faults}}},
        {QStringLiteral("UpdateTime"), 1772441000}};
}

QString compact(const QJsonObject &object)
{
    return QString::fromUtf8(QJsonDocument(object).toJson(QJsonDocument::Compact));
}

const QString kFaults = QStringLiteral(
    R"([{"fault_type":"CardUnhealthy","npu_name":"Ascend910-4","large_model_fault_level":"RestartNPU","fault_level":"RestartNPU","fault_handling":"RestartNPU","fault_code":"80E18005","fault_time_and_level_map":{"80E18005":{"fault_time":1772440000123,"fault_level":"RestartNPU"}}}])");

TEST(AscendInfoParser, UndoesThreeLevelsOfText)
{
    const AscendDeviceInfoRecord record = ascendOf(
        {{QStringLiteral("DeviceInfoCfg"),
          compact({{QStringLiteral("DeviceInfo"), deviceInfo(kFaults)}, {QStringLiteral("SuperPodID"), -2}})},
         {QStringLiteral("SwitchInfoCfg"), QStringLiteral("no JSON")},
         {QStringLiteral("ManuallySeparateNPU"), QString()}});
    ASSERT_EQ(record.nodes.size(), 1u);
    const AscendDeviceInfo &node = record.nodes[0];
    EXPECT_EQ(node.node, "sh-910b-01");
    EXPECT_EQ(node.updated, Instant(std::chrono::seconds(1772441000)));
    EXPECT_THAT(node.unhealthy, ElementsAre("Ascend910-4", "Ascend910-5"));
    EXPECT_THAT(node.networkUnhealthy, ElementsAre("Ascend910-6"));
    EXPECT_THAT(node.faults, ElementsAre(Pair("Ascend910-4", "80E18005 RestartNPU")));
}

TEST(AscendInfoParser, ReadsManyNodesOutOfOneMapOfClusterD)
{
    QJsonObject all;
    for (const QString &node : {QStringLiteral("a"), QStringLiteral("b")})
        all.insert(QStringLiteral("mindx-dl-deviceinfo-") + node,
                   deviceInfo(node == u"a" ? kFaults : QStringLiteral("[]")));
    const AscendDeviceInfoRecord record =
        ascendOf({{QStringLiteral("DeviceInfo"), compact(all)}}, QStringLiteral("cluster-info-device-0"));
    ASSERT_EQ(record.nodes.size(), 2u);
    EXPECT_EQ(record.nodes[0].node, "a");
    EXPECT_EQ(record.nodes[0].faults.size(), 1u);
    EXPECT_EQ(record.nodes[1].node, "b");
    EXPECT_THAT(record.nodes[1].faults, IsEmpty());
}

TEST(AscendInfoParser, ReadsOtherMapsAsNothingAndNamesBrokenOnes)
{
    EXPECT_THAT(ascendOf({{QStringLiteral("ca.crt"), QStringLiteral("-----BEGIN")}}).nodes, IsEmpty());
    EXPECT_THAT(ascendOf({}).nodes, IsEmpty());
    AscendInfoParser parser;
    AscendDeviceInfoRecord record;
    UnreadableObject why;
    EXPECT_FALSE(parser.parse(
        test::PaddedText(
            R"({"metadata":{"name":"mindx-dl-deviceinfo-x"},"data":{"DeviceInfoCfg":"{\"DeviceInfo\":{\"DeviceList\":["}})")
            .view(),
        record, why));
    EXPECT_EQ(why.key.name, "mindx-dl-deviceinfo-x");
    EXPECT_THAT(why.reason, HasSubstr("inside"));
}

} // namespace
} // namespace tongchi
