// Every way in which cards appear on a node (facts/inventory-and-telemetry section 3), as objects -> expected
// cards.

#include "tests/inventory/assembler_fixture.h"

#include <gmock/gmock.h>

namespace tongchi {
namespace {

using test::AssemblerHarness;
using test::nodeJson;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using Texts = std::map<QString, QString>;
using Amounts = std::map<QString, std::pair<QString, QString>>;

/// What one encoding should give; empty texts and nullopt are compared too.
struct Encoding
{
    const char *name;
    Texts labels, annotations;
    Amounts amounts;
    std::size_t cards;
    const char *vendor, *model, *variant;
    std::optional<std::int64_t> memoryMiB;
    int shares = 1;
    std::size_t slices = 0;
    CardHealth health = CardHealth::Healthy;
    bool note = false;
};

std::pair<QString, QString> both(int amount)
{
    return {QString::number(amount), QString::number(amount)};
}

void PrintTo(const Encoding &encoding, std::ostream *out)
{
    *out << encoding.name;
}

class AssemblerEncodings : public ::testing::TestWithParam<Encoding>
{
};

TEST_P(AssemblerEncodings, GivesTheCardsItMeans)
{
    const Encoding &wanted = GetParam();
    StringPool pool;
    AssemblerHarness it(pool);
    it.node(nodeJson("n", wanted.labels, wanted.annotations, wanted.amounts));
    it.podsRead();
    it.settle();
    const auto cards = it.cardsOf("n");
    ASSERT_EQ(cards.size(), wanted.cards);
    std::uint16_t slot = 0;
    for (const CardRecord &card : cards) {
        EXPECT_EQ(it.text(card.vendorName), wanted.vendor);
        EXPECT_EQ(it.text(card.model), wanted.model);
        EXPECT_EQ(it.text(card.variant), wanted.variant);
        EXPECT_EQ(card.memoryBytes,
                  wanted.memoryMiB ? std::optional(*wanted.memoryMiB * bytesPerMiB) : std::nullopt);
        EXPECT_EQ(card.shares, wanted.shares);
        EXPECT_EQ(card.slices.size(), wanted.slices);
        EXPECT_EQ(card.health, wanted.health);
        EXPECT_EQ(card.slot, slot++);
        EXPECT_EQ(card.label, BusinessLabel::Idle);
    }
    const StoredNode *node = it.nodeNamed("n");
    if (!cards.empty()) {
        EXPECT_EQ(node->facts.cards, wanted.cards);
        EXPECT_EQ(node->facts.withdrawn, 0);
        EXPECT_EQ(node->facts.free, wanted.cards);
    }
    EXPECT_EQ(node && node->facts.note != 0, wanted.note);
}

const QString gpu = u"nvidia.com/gpu"_qs;
const Texts gfdA100{{u"nvidia.com/gpu.product"_qs, u"NVIDIA-A100-SXM4-80GB"_qs},
                    {u"nvidia.com/gpu.memory"_qs, u"81920"_qs},
                    {u"nvidia.com/gpu.count"_qs, u"8"_qs},
                    {u"nvidia.com/gpu.replicas"_qs, u"1"_qs}};

Texts with(Texts texts, const Texts &more)
{
    for (const auto &[key, value] : more)
        texts[key] = value;
    return texts;
}

INSTANTIATE_TEST_SUITE_P(
    Nvidia, AssemblerEncodings,
    ::testing::Values(
        Encoding{"plain", {}, {}, {{gpu, both(8)}}, 8, "nvidia", "", "", {}},
        Encoding{"labels", gfdA100, {}, {{gpu, both(8)}}, 8, "nvidia", "A100", "SXM4-80GB", 81920},
        Encoding{"labels without the vendor in front",
                 with(gfdA100, {{u"nvidia.com/gpu.product"_qs, u"A100-SXM4-40GB"_qs},
                                {u"nvidia.com/gpu.memory"_qs, u"40960"_qs}}),
                 {},
                 {{gpu, both(8)}},
                 8,
                 "nvidia",
                 "A100",
                 "SXM4-40GB",
                 40960},
        Encoding{"time slicing",
                 with(gfdA100, {{u"nvidia.com/gpu.product"_qs, u"NVIDIA-A100-SXM4-80GB-SHARED"_qs},
                                {u"nvidia.com/gpu.replicas"_qs, u"4"_qs},
                                {u"nvidia.com/gpu.sharing-strategy"_qs, u"time-slicing"_qs}}),
                 {},
                 {{gpu, both(32)}},
                 8,
                 "nvidia",
                 "A100",
                 "SXM4-80GB",
                 81920,
                 4},
        Encoding{"time slicing renamed",
                 with(gfdA100, {{u"nvidia.com/gpu.replicas"_qs, u"4"_qs}}),
                 {},
                 {{gpu, both(0)}, {u"nvidia.com/gpu.shared"_qs, both(32)}},
                 8,
                 "nvidia",
                 "A100",
                 "SXM4-80GB",
                 81920,
                 4},
        Encoding{"time slicing without a count of cards",
                 {{u"nvidia.com/gpu.replicas"_qs, u"4"_qs}},
                 {},
                 {{gpu, both(8)}},
                 2,
                 "nvidia",
                 "",
                 "",
                 {},
                 4},
        Encoding{"MIG single",
                 with(gfdA100, {{u"nvidia.com/gpu.product"_qs, u"NVIDIA-A100-SXM4-80GB-MIG-1g.10gb"_qs},
                                {u"nvidia.com/gpu.count"_qs, u"56"_qs},
                                {u"nvidia.com/gpu.memory"_qs, u"9728"_qs},
                                {u"nvidia.com/mig.strategy"_qs, u"single"_qs}}),
                 {},
                 {{gpu, both(56)}},
                 8,
                 "nvidia",
                 "A100",
                 "SXM4-80GB",
                 {},
                 1,
                 7},
        Encoding{"MIG single bound by memory",
                 with(gfdA100, {{u"nvidia.com/gpu.product"_qs, u"A100-SXM4-40GB-MIG-1g.10gb"_qs},
                                {u"nvidia.com/gpu.count"_qs, u"8"_qs},
                                {u"nvidia.com/gpu.memory"_qs, u"9728"_qs}}),
                 {},
                 {{gpu, both(8)}},
                 2,
                 "nvidia",
                 "A100",
                 "SXM4-40GB",
                 {},
                 1,
                 4},
        Encoding{"MIG mixed",
                 with(gfdA100, {{u"nvidia.com/mig.strategy"_qs, u"mixed"_qs}}),
                 {},
                 {{gpu, both(0)},
                  {u"nvidia.com/mig-1g.10gb"_qs, both(16)},
                  {u"nvidia.com/mig-2g.20gb"_qs, both(8)},
                  {u"nvidia.com/mig-3g.40gb"_qs, both(8)}},
                 8,
                 "nvidia",
                 "A100",
                 "SXM4-80GB",
                 81920,
                 1,
                 4},
        Encoding{
            "HAMi, seven fields",
            {},
            {{u"hami.io/node-nvidia-register"_qs,
              u"GPU-00552014-5c87-89ac-b1a6-7b53aa24b0ec,10,32768,100,NVIDIA-Tesla V100-PCIE-32GB,0,true:"_qs}},
            {{gpu, both(10)}},
            1,
            "nvidia",
            "V100",
            "PCIe-32GB",
            32768,
            10},
        Encoding{
            "HAMi, nine fields",
            {},
            {{u"hami.io/node-nvidia-register"_qs,
              u"GPU-ebe7c3f7-303d-558d-435e-99a160631fe4,10,7680,100,NVIDIA-Tesla P4,0,true,0,hami-core:"_qs}},
            {{gpu, both(10)}},
            1,
            "nvidia",
            "P4",
            "",
            7680,
            10},
        Encoding{"HAMi, JSON with what Go leaves out",
                 {},
                 {{u"hami.io/node-nvidia-register"_qs,
                   u"[{\"id\":\"GPU-3cef3724-8228-5a66-b391-b0901788f5d0\",\"count\":10,\"devmem\":11441,"
                   u"\"devcore\":100,\"type\":\"NVIDIA-Tesla-K80\","
                   "\"mode\":\"hami-core\",\"health\":true},{\"id\":\"GPU-3cef3724-8228-5a66-b391-"
                   "b0901788f5d1\",\"index\":1,\"count\":10,"
                   "\"devmem\":11441,\"devcore\":100,\"type\":\"NVIDIA-Tesla-K80\",\"health\":true}]"_qs}},
                 {{gpu, both(20)}},
                 2,
                 "nvidia",
                 "K80",
                 "",
                 11441,
                 10},
        Encoding{
            "HAMi with scaled memory and labels that know it",
            gfdA100,
            {{u"hami.io/node-nvidia-register"_qs,
              u"GPU-00552014-5c87-89ac-b1a6-7b53aa24b0ec,10,122880,100,NVIDIA-NVIDIA A100-SXM4-80GB,0,true,0,hami-core:"_qs}},
            {{gpu, both(10)}},
            1,
            "nvidia",
            "A100",
            "SXM4-80GB",
            81920,
            10},
        Encoding{
            "HAMi with scaled memory alone",
            {},
            {{u"hami.io/node-nvidia-register"_qs,
              u"GPU-00552014-5c87-89ac-b1a6-7b53aa24b0ec,10,49152,100,NVIDIA-NVIDIA GeForce RTX 4090,0,true,0,hami-core:"_qs}},
            {{gpu, both(10)}},
            1,
            "nvidia",
            "RTX 4090",
            "",
            {},
            10},
        Encoding{"labels whose cards are gone", gfdA100, {}, {}, 0, "", "", "", {}}));

QString ascendRegister(const char *type, int memory, int cards)
{
    QString text = u"["_qs;
    for (int i = 0; i < cards; ++i) {
        text +=
            (i ? u","_qs : QString()) + u"{\"id\":\"A0B1C2D3-0000-4000-8000-00000000000%1\","_qs.arg(i) +
            (i ? u"\"index\":%1,"_qs.arg(i) : QString()) +
            u"\"count\":4,\"devmem\":%1,\"devcore\":20,\"type\":\"%2\",\"health\":true,\"custominfo\":{\"NetworkID\":0}}"_qs
                .arg(memory)
                .arg(QLatin1String(type));
    }
    return text + u"]"_qs;
}

const Texts ascendLabels{{u"accelerator"_qs, u"huawei-Ascend910"_qs},
                         {u"node.kubernetes.io/npu.chip.name"_qs, u"910B3"_qs},
                         {u"mind-cluster/npu-chip-memory"_qs, u"64G"_qs}};

INSTANTIATE_TEST_SUITE_P(
    Ascend, AssemblerEncodings,
    ::testing::Values(
        Encoding{"vendor plug-in",
                 ascendLabels,
                 {},
                 {{u"huawei.com/Ascend910"_qs, both(8)}},
                 8,
                 "huawei",
                 "Ascend 910B",
                 "910B3",
                 65536},
        Encoding{"vendor plug-in without labels",
                 {},
                 {},
                 {{u"huawei.com/Ascend910"_qs, both(8)}},
                 8,
                 "huawei",
                 "Ascend 910",
                 "",
                 {}},
        Encoding{"910B4 is not a 910B3",
                 with(ascendLabels, {{u"node.kubernetes.io/npu.chip.name"_qs, u"910B4"_qs},
                                     {u"mind-cluster/npu-chip-memory"_qs, u"32G"_qs}}),
                 {},
                 {{u"huawei.com/Ascend910"_qs, both(8)}},
                 8,
                 "huawei",
                 "Ascend 910B",
                 "910B4",
                 32768},
        Encoding{
            "310P", {}, {}, {{u"huawei.com/Ascend310P"_qs, both(4)}}, 4, "huawei", "Ascend 310P", "", {}},
        Encoding{"static vNPU templates",
                 ascendLabels,
                 {},
                 {{u"huawei.com/Ascend910"_qs, both(0)}, {u"huawei.com/Ascend910-10c.3cpu.32g"_qs, both(16)}},
                 8,
                 "huawei",
                 "Ascend 910B",
                 "910B3",
                 65536,
                 1,
                 2},
        Encoding{
            "HAMi",
            {},
            {{u"hami.io/node-register-Ascend910B3"_qs, ascendRegister("Ascend910B3", 65536, 2)}},
            {{u"huawei.com/Ascend910B3"_qs, both(8)}, {u"huawei.com/Ascend910B3-memory"_qs, both(131072)}},
            2,
            "huawei",
            "Ascend 910B",
            "910B3",
            65536,
            4},
        Encoding{"HAMi's old word for the 910B3",
                 {},
                 {{u"hami.io/node-register-Ascend910B"_qs, ascendRegister("Ascend910B", 65536, 2)}},
                 {{u"huawei.com/Ascend910B"_qs, both(8)}},
                 2,
                 "huawei",
                 "Ascend 910B",
                 "910B3",
                 65536,
                 4},
        Encoding{"HAMi, 910B4-1",
                 {},
                 {{u"hami.io/node-register-Ascend910B4-1"_qs, ascendRegister("Ascend910B4-1", 65536, 2)}},
                 {{u"huawei.com/Ascend910B4-1"_qs, both(8)}},
                 2,
                 "huawei",
                 "Ascend 910B",
                 "910B4-1",
                 65536,
                 4}));

const Texts mluLabels{{u"Model"_qs, u"MLU370-X8"_qs}, {u"DriverVersion"_qs, u"v5.10.29"_qs}};
const QString real = u"cambricon.com/real-mlu-counts"_qs;

INSTANTIATE_TEST_SUITE_P(
    Cambricon, AssemblerEncodings,
    ::testing::Values(Encoding{"default",
                               mluLabels,
                               {},
                               {{u"cambricon.com/mlu"_qs, both(4)}, {real, both(4)}},
                               4,
                               "cambricon",
                               "MLU370-X8",
                               "",
                               {}},
                      Encoding{"typed, without labels",
                               {},
                               {},
                               {{u"cambricon.com/mlu370"_qs, both(4)}},
                               4,
                               "cambricon",
                               "MLU370",
                               "",
                               {}},
                      Encoding{"chips of an X8",
                               mluLabels,
                               {},
                               {{u"cambricon.com/mlu"_qs, both(8)}, {real, both(4)}},
                               4,
                               "cambricon",
                               "MLU370-X8",
                               "",
                               {},
                               1,
                               2},
                      Encoding{"environment share",
                               mluLabels,
                               {},
                               {{u"cambricon.com/mlu.share"_qs, both(16)}, {real, both(4)}},
                               4,
                               "cambricon",
                               "MLU370-X8",
                               "",
                               {},
                               4},
                      Encoding{"shares alone",
                               mluLabels,
                               {},
                               {{u"cambricon.com/mlu.share"_qs, both(16)}},
                               0,
                               "",
                               "",
                               "",
                               {},
                               1,
                               0,
                               CardHealth::NotReported,
                               true},
                      Encoding{"MIM",
                               mluLabels,
                               {},
                               {{u"cambricon.com/mlu.mim-2m.8gb"_qs, both(8)}, {real, both(4)}},
                               4,
                               "cambricon",
                               "MLU370-X8",
                               "",
                               {},
                               1,
                               2},
                      Encoding{"dynamic sMLU",
                               mluLabels,
                               {},
                               {{u"cambricon.com/mlu.smlu.vcore"_qs, both(400)},
                                {u"cambricon.com/mlu.smlu.vmemory"_qs, both(400)},
                                {real, both(4)}},
                               4,
                               "cambricon",
                               "MLU370-X8",
                               "",
                               {}},
                      Encoding{"dynamic sMLU in HAMi's units",
                               mluLabels,
                               {},
                               {{u"cambricon.com/mlu.smlu.vcore"_qs, both(400)},
                                {u"cambricon.com/mlu.smlu.vmemory"_qs, both(768)}},
                               4,
                               "cambricon",
                               "MLU370-X8",
                               "",
                               49152}));

Encoding otherVendor(const char *name, const char *resource, const char *vendor, const char *model)
{
    return {name, {}, {}, {{QLatin1String(resource), both(4)}}, 4, vendor, model, "", {}};
}

INSTANTIATE_TEST_SUITE_P(
    Others, AssemblerEncodings,
    ::testing::Values(
        otherVendor("Hygon", "hygon.com/dcunum", "hygon", "Hygon DCU"),
        otherVendor("MetaX", "metax-tech.com/gpu", "metax", "MetaX GPU"),
        otherVendor("Iluvatar", "iluvatar.ai/BI-V150-vgpu", "iluvatar", "BI-V150"),
        otherVendor("Moore Threads", "mthreads.com/vgpu", "mthreads", "Moore Threads GPU"),
        otherVendor("Kunlunxin", "kunlunxin.com/xpu", "kunlunxin", "Kunlunxin XPU"),
        otherVendor("Enflame", "enflame.com/gcu", "enflame", "Enflame GCU"),
        otherVendor("Biren", "birentech.com/gpu", "biren", "Biren GPU"),
        otherVendor("Vastai", "vastaitech.com/va", "vastai", "Vastai VA"),
        otherVendor("AMD", "amd.com/gpu", "amd", "AMD GPU"),
        otherVendor("Neuron", "aws.amazon.com/neuron", "aws", "AWS Neuron"),
        otherVendor("nobody we know", "example.com/npu9", "example.com", "example.com/npu9"),
        otherVendor("nobody we know, a plain word", "sophgo.com/thing", "sophgo.com", "sophgo.com/thing"),
        Encoding{"Hygon by HAMi",
                 {},
                 {{u"hami.io/node-dcu-register"_qs, u"DCU-TM8T4A3,4,65520,100,DCU-K100_AI,0,true:"_qs}},
                 {{u"hygon.com/dcunum"_qs, both(4)}, {u"hygon.com/dcumem"_qs, both(65520)}},
                 1,
                 "hygon",
                 "K100_AI",
                 "",
                 65520,
                 4},
        Encoding{
            "MetaX' own register",
            {},
            {{u"metax-tech.com/node-gpu-devices"_qs,
              u"[{\"uuid\":\"GPU-aa\",\"bdf\":\"0000:0e:00.0\",\"model\":\"MXC500\",\"totalDevCount\":1,"
              u"\"totalVRam\":65536,\"healthy\":true},"
              "{\"uuid\":\"GPU-bb\",\"model\":\"MXC500\",\"totalDevCount\":1,\"totalVRam\":65536,\"healthy\":true}]"_qs}},
            {{u"metax-tech.com/gpu"_qs, both(2)}},
            2,
            "metax",
            "MXC500",
            "",
            65536},
        Encoding{"no accelerators",
                 {},
                 {},
                 {{u"rdma/hca"_qs, both(63)},
                  {u"devices.kubevirt.io/kvm"_qs, both(1000)},
                  {u"smarter-devices/fuse"_qs, both(20)},
                  {u"nvidia.com/gpumem"_qs, both(81920)},
                  {u"intel.com/mellanox_sriov_netdevice"_qs, both(8)},
                  {u"example.com/gpu-memory"_qs, both(80)}},
                 0,
                 "",
                 "",
                 "",
                 {}},
        Encoding{"too many to be cards",
                 {},
                 {},
                 {{u"example.com/token"_qs, both(100000)}},
                 0,
                 "",
                 "",
                 "",
                 {},
                 1,
                 0,
                 CardHealth::NotReported,
                 true}));

} // namespace
} // namespace tongchi
