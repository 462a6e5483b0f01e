#include "platform/inventory/telemetry_join.h"

#include "platform/metrics/metric_catalog.h"
#include "tests/inventory/telemetry_fakes.h"
#include "tests/support/paths.h"
#include "tests/support/qt_printers.h"

#include <cmath>
#include <gmock/gmock.h>

namespace tongchi {
namespace {

using namespace std::chrono_literals;
using test::dcgm;
using test::FakeIdentities;
using test::SeriesLine;
using ::testing::ElementsAre;

const std::string uuid0 = "GPU-00000000-aaaa-4bbb-8ccc-000000000001";
const std::string uuid1 = "GPU-00000001-aaaa-4bbb-8ccc-000000000001";
const std::string mebi80 = "81920";

class TelemetryJoinTest : public ::testing::Test
{
protected:
    const TelemetryRecord *record(std::uint32_t ordinal) const
    {
        for (const TelemetryRecord &each : result.records) {
            if (each.ordinal == ordinal)
                return &each;
        }
        return nullptr;
    }
    std::vector<std::string> pods(std::uint32_t ordinal) const
    {
        std::vector<std::string> names;
        for (const PodAttachment &each : result.pods) {
            if (each.ordinal == ordinal)
                names.emplace_back(pool.utf8(each.pod));
        }
        return names;
    }
    /// Series of one source, sampled when asked.
    void add(const char *source, const std::vector<SeriesLine> &lines)
    {
        const auto collect = join.collectValues(*catalog.indexOf(source));
        for (const SeriesLine &line : lines)
            line.handTo(collect, now + skew);
    }
    void addTimes(const char *source, const std::vector<SeriesLine> &lines)
    {
        const auto collect = join.collectSampleTimes(*catalog.indexOf(source));
        for (const SeriesLine &line : lines)
            line.handTo(collect, now + skew);
    }
    /// Exposition text, to whichever source has the metric.
    void addText(const QByteArray &text)
    {
        for (const SeriesLine &line : test::seriesOfText(text)) {
            for (std::size_t source = 0; source < catalog.sources().size(); ++source)
                line.handTo(join.collectValues(source), now);
        }
    }
    void finish() { join.finish(cards, now, result); }

    MetricCatalog catalog = MetricCatalog::builtIn();
    StringPool pool;
    FakeIdentities cards;
    Instant now{1'796'068'345'000ms};
    std::chrono::milliseconds skew{};
    TelemetryJoin join{&catalog, &pool};
    TelemetryResult result;
};

TEST_F(TelemetryJoinTest, SentinelsAreNotReportedAndTakeNoPart)
{
    for (int i = 0; i < 4; ++i)
        cards.addCard("gpu-01", Vendor::Nvidia, std::uint16_t(i),
                      "GPU-0000000" + std::to_string(i) + "-aaaa-4bbb-8ccc-000000000001");
    join.begin();
    addText(test::readData(QStringLiteral("metrics/tm-01.prom")));
    finish();
    ASSERT_EQ(result.records.size(), 4u);
    EXPECT_EQ(record(0)->temperatureCelsius, 41);
    EXPECT_EQ(record(1)->temperatureCelsius, 43);
    EXPECT_TRUE(std::isnan(record(2)->temperatureCelsius));
    EXPECT_TRUE(std::isnan(record(3)->temperatureCelsius));
    EXPECT_EQ(record(0)->powerWatts, 302.5f);
    for (std::uint32_t i = 1; i < 4; ++i)
        EXPECT_TRUE(std::isnan(record(i)->powerWatts));
    EXPECT_EQ(result.unassignedSeries, 0);
}

TEST_F(TelemetryJoinTest, ZeroThatMeansNothingAndZeroThatIsReal)
{
    const std::string uuid = "GPU-00000000-aaaa-4bbb-8ccc-000000000001";
    const auto virtualCard = cards.addCard("vgpu-01", Vendor::Nvidia, 0, uuid);
    const auto workstation = cards.addCard("ws-01", Vendor::Nvidia, 0, uuid);
    const auto ascend = cards.addCard("asc-1", Vendor::Ascend, 0, {});
    join.begin();
    addText(test::readData(QStringLiteral("metrics/tm-11.prom")));
    finish();
    ASSERT_EQ(result.records.size(), 3u);
    EXPECT_TRUE(std::isnan(record(virtualCard)->temperatureCelsius));
    EXPECT_TRUE(std::isnan(record(virtualCard)->powerWatts));
    EXPECT_EQ(record(workstation)->temperatureCelsius, 38);
    EXPECT_EQ(record(workstation)->utilizationPercent, 0);
    EXPECT_TRUE(std::isnan(record(workstation)->powerWatts));
    EXPECT_FLOAT_EQ(record(ascend)->powerWatts, 158.4f); // once, though a second die reports beside it
    EXPECT_EQ(record(ascend)->temperatureCelsius, 35);
    EXPECT_FALSE(record(ascend)->severalExporters);
}

TEST_F(TelemetryJoinTest, SeveralSeriesOfOneCardAreOneReading)
{
    const auto card0 = cards.addCard("gpu-01", Vendor::Nvidia, 0, uuid0);
    const auto card1 = cards.addCard("gpu-01", Vendor::Nvidia, 1, uuid1);
    join.begin();
    const auto lines = test::seriesOfText(test::readData(QStringLiteral("metrics/tm-05.prom")));
    ASSERT_EQ(lines.size(), 6u);
    add("dcgm", lines);
    std::vector<SeriesLine> times;
    for (const SeriesLine &line : lines) {
        const bool ended = line.label("exported_pod") == "old-pod";
        times.push_back(
            line.withoutName(double((now - (ended ? 240s : 0s)).time_since_epoch().count()) / 1000));
    }
    addTimes("dcgm", times);
    finish();
    ASSERT_EQ(result.records.size(), 2u);
    EXPECT_EQ(record(card0)->utilizationPercent, 92);
    EXPECT_FALSE(record(card0)->severalExporters);
    EXPECT_THAT(pods(card0), ElementsAre("team-b/train-7"));
    EXPECT_TRUE(record(card1)->utilizationPercent == 40 || record(card1)->utilizationPercent == 41);
    EXPECT_TRUE(record(card1)->severalExporters);
    EXPECT_TRUE(pods(card1).empty());
    EXPECT_EQ(result.unassignedSeries, 0);
}

TEST_F(TelemetryJoinTest, WithoutAnyCardKnownTheSeriesAreCountedByCard)
{
    join.begin();
    add("dcgm", test::seriesOfText(test::readData(QStringLiteral("metrics/tm-05.prom"))));
    finish();
    EXPECT_TRUE(result.records.empty());
    EXPECT_EQ(result.unassignedSeries, 6);
    EXPECT_EQ(result.unassignedCards, 2u);
    ASSERT_EQ(result.notes.size(), 1);
    EXPECT_TRUE(result.notes.front().contains(QString::fromStdString(uuid0)));
}

TEST_F(TelemetryJoinTest, OneUuidOnTwoNodesIsToldApartByTheHost)
{
    const std::string uuid = "GPU-a000001e-1111-4222-8333-000000000001";
    const auto a = cards.addCard("vm-a", Vendor::Nvidia, 0, uuid);
    const auto b = cards.addCard("vm-b", Vendor::Nvidia, 0, uuid);
    join.begin();
    const std::vector<SeriesLine> lines{
        dcgm("DCGM_FI_DEV_GPU_UTIL", 91, {{"gpu", "0"}, {"UUID", uuid}, {"Hostname", "vm-a"}}),
        dcgm("DCGM_FI_DEV_GPU_UTIL", 3, {{"gpu", "0"}, {"UUID", uuid}, {"Hostname", "vm-b"}}),
        dcgm("DCGM_FI_DEV_GPU_UTIL", 55, {{"gpu", "0"}, {"UUID", uuid}, {"instance", "10.20.0.9:9400"}})};
    add("dcgm", lines);
    add("npu", lines); // a server that answers every query alike
    add("hami", lines);
    finish();
    ASSERT_EQ(result.records.size(), 2u);
    EXPECT_EQ(record(a)->utilizationPercent, 91);
    EXPECT_EQ(record(b)->utilizationPercent, 3);
    EXPECT_EQ(result.unassignedSeries, 1);
    ASSERT_EQ(result.notes.size(), 1);
    EXPECT_TRUE(result.notes.front().contains(QStringLiteral("10.20.0.9:9400")))
        << result.notes.front().toStdString();

    // The node label, or the address, where that is what the source gives; the older and the newer spelling.
    cards.addHost("vm-a", "10.20.0.9");
    join.begin();
    add("dcgm",
        {dcgm("DCGM_FI_DEV_GPU_UTIL", 55, {{"gpu", "0"}, {"UUID", uuid}, {"instance", "10.20.0.9:9400"}}),
         dcgm("DCGM_FI_DEV_GPU_UTIL", 4,
              {{"gpu", "0"},
               {"UUID", uuid},
               {"hostname", "vm-b.example.com"},
               {"instance", "10.99.0.1:9400"}})});
    finish();
    EXPECT_EQ(record(a)->utilizationPercent, 55);
    EXPECT_EQ(record(b)->utilizationPercent, 4);
    EXPECT_EQ(result.unassignedSeries, 0);
}

TEST_F(TelemetryJoinTest, ASeriesFromAnotherHostIsNotTheCards)
{
    const auto a = cards.addCard("vm-a", Vendor::Nvidia, 0, uuid0);
    const auto b = cards.addCard("vm-b", Vendor::Nvidia, 0, {});
    cards.addCard("vm-c", Vendor::Nvidia, 0, uuid1);
    join.begin();
    add("dcgm", {dcgm("DCGM_FI_DEV_GPU_UTIL", 7,
                      {{"gpu", "0"}, {"UUID", uuid0}, {"Hostname", "vm-b"}}), // moved: vm-b's own card 0
                 dcgm("DCGM_FI_DEV_GPU_UTIL", 9,
                      {{"gpu", "0"},
                       {"UUID", uuid0},
                       {"Hostname", "vm-c"}})}); // but not vm-c's, known by another UUID
    finish();
    EXPECT_EQ(record(a), nullptr);
    ASSERT_NE(record(b), nullptr);
    EXPECT_EQ(record(b)->utilizationPercent, 7);
    EXPECT_EQ(result.records.size(), 1u);
    EXPECT_EQ(result.unassignedSeries, 1);
}

TEST_F(TelemetryJoinTest, CardsWithoutAUuidAreFoundByNodeAndNumber)
{
    const auto nvidia = cards.addCard("node-1", Vendor::Nvidia, 3, {});
    const auto ascend = cards.addCard("node-1", Vendor::Ascend, 3, {});
    const auto mlu = cards.addCard("node-2", Vendor::Cambricon, 0, {});
    const auto hygon = cards.addCard("node-3", Vendor::Other, 1, {});
    cards.addHost("node-1", "fd00::1");
    join.begin();
    add("dcgm", {dcgm("DCGM_FI_DEV_GPU_TEMP", 50, {{"gpu", "3"}, {"UUID", uuid0}, {"Hostname", "node-1"}})});
    add("npu", {dcgm("npu_chip_info_temperature", 51,
                     {{"id", "3"}, {"vdie_id", "1-2-3"}, {"instance", "[fd00::1]:8082"}})});
    add("mlu",
        {dcgm("mlu_utilization", 12, {{"mlu", "0"}, {"uuid", "MLU-1"}, {"node", "node-2"}}),
         dcgm("mlu_utilization", 99, {{"mlu", "0"}, {"uuid", "MLU-1-vf"}, {"node", "node-2"}, {"vf", "1"}}),
         dcgm("mlu_temperature", 40, {{"mlu", "0"}, {"uuid", "MLU-1"}, {"node", "node-2"}}),
         dcgm("mlu_chip_temperature", 44, {{"mlu", "0"}, {"uuid", "MLU-1"}, {"node", "node-2"}})});
    add("dcu",
        {dcgm("dcu_utilizationrate", 5, {{"minor_number", "1"}, {"device_id", "x"}, {"node", "node-3"}})});
    finish();
    EXPECT_EQ(record(nvidia)->temperatureCelsius, 50);
    EXPECT_EQ(record(ascend)->temperatureCelsius, 51);
    EXPECT_EQ(record(mlu)->utilizationPercent, 12);
    EXPECT_EQ(record(mlu)->temperatureCelsius, 44); // the chip's before the board's
    EXPECT_EQ(record(hygon)->utilizationPercent, 5);
    EXPECT_EQ(record(nvidia)->source, 0);
    EXPECT_EQ(record(ascend)->source, 1);
    EXPECT_EQ(result.unassignedSeries, 0);
}

TEST_F(TelemetryJoinTest, AscendCardsOfHamiAreFoundByTheirDie)
{
    const auto card = cards.addDie("node-1", 5, "F6C0E200 21C0A0 9F000000 0 0");
    join.begin();
    add("npu", {dcgm("npu_chip_info_utilization", 71,
                     {{"id", "0"},
                      {"vdie_id", "F6C0E200 21C0A0 9F000000 0 0"},
                      {"instance", "10.0.0.1:8082"},
                      {"pod_name", "llama-0"},
                      {"namespace", "serving"}}),
                dcgm("npu_chip_info_health_status", -1,
                     {{"id", "0"},
                      {"vdie_id", "F6C0E200 21C0A0 9F000000 0 0"},
                      {"instance", "10.0.0.1:8082"},
                      {"pod_name", "llama-0"},
                      {"namespace", "serving"}})});
    finish();
    ASSERT_NE(record(card), nullptr);
    EXPECT_EQ(record(card)->utilizationPercent, 71);
    EXPECT_EQ(record(card)->health, CardHealth::NotReported);
    EXPECT_THAT(pods(card), ElementsAre("serving/llama-0"));
}

TEST_F(TelemetryJoinTest, HealthAndErrorsAreKept)
{
    const auto bad = cards.addCard("n", Vendor::Ascend, 0, {});
    const auto good = cards.addCard("n", Vendor::Ascend, 1, {});
    const auto xid = cards.addCard("n", Vendor::Nvidia, 0, uuid0);
    join.begin();
    add("npu", {dcgm("npu_chip_info_health_status", 0, {{"id", "0"}, {"node", "n"}}),
                dcgm("npu_chip_info_error_code", 2161639429, {{"id", "0"}, {"node", "n"}}),
                dcgm("npu_chip_info_health_status", 1, {{"id", "1"}, {"node", "n"}})});
    add("dcgm", {dcgm("DCGM_FI_DEV_XID_ERRORS", 79, {{"gpu", "0"}, {"UUID", uuid0}, {"err_code", "79"}})});
    finish();
    EXPECT_EQ(record(bad)->health, CardHealth::Unhealthy);
    EXPECT_TRUE(record(bad)->errorReported);
    EXPECT_EQ(record(good)->health, CardHealth::Healthy);
    EXPECT_FALSE(record(good)->errorReported);
    EXPECT_TRUE(record(xid)->errorReported);
    EXPECT_EQ(record(xid)->health, CardHealth::NotReported);
}

TEST_F(TelemetryJoinTest, MemoryTotalOfNvidiaIsAddedUpAndReservedMayBeMissing)
{
    const auto a = cards.addCard("n", Vendor::Nvidia, 0, uuid0);
    const auto b = cards.addCard("n", Vendor::Nvidia, 1, uuid1);
    join.begin();
    add("dcgm", {dcgm("DCGM_FI_DEV_FB_USED", 1000, {{"UUID", uuid0}}),
                 dcgm("DCGM_FI_DEV_FB_FREE", 80000, {{"UUID", uuid0}}),
                 dcgm("DCGM_FI_DEV_FB_RESERVED", 559, {{"UUID", uuid0}}),
                 dcgm("DCGM_FI_DEV_FB_USED", 0, {{"UUID", uuid1}}),
                 dcgm("DCGM_FI_DEV_FB_FREE", 16384, {{"UUID", uuid1}})});
    finish();
    EXPECT_FLOAT_EQ(record(a)->memoryTotalBytes, 81559.0f * 1048576);
    EXPECT_FLOAT_EQ(record(a)->memoryUsedBytes, 1000.0f * 1048576);
    EXPECT_FLOAT_EQ(record(b)->memoryTotalBytes, 16384.0f * 1048576);
    EXPECT_EQ(record(b)->memoryUsedBytes, 0);
}

TEST_F(TelemetryJoinTest, MigInstancesNeverMakeUpTheCardsUtilization)
{
    const auto card = cards.addCard("n", Vendor::Nvidia, 0, uuid0);
    const auto instance = [&](const char *name, double value, const char *id, const char *pod) {
        return dcgm(name, value,
                    {{"UUID", uuid0},
                     {"gpu", "0"},
                     {"GPU_I_ID", id},
                     {"GPU_I_PROFILE", "1g.10gb"},
                     {"exported_pod", pod},
                     {"exported_namespace", "team"}});
    };
    const std::vector<SeriesLine> instances{instance("DCGM_FI_PROF_GR_ENGINE_ACTIVE", 0.9, "7", "a"),
                                            instance("DCGM_FI_PROF_GR_ENGINE_ACTIVE", 0.1, "8", "b"),
                                            instance("DCGM_FI_DEV_FB_USED", 1024, "7", "a"),
                                            instance("DCGM_FI_DEV_FB_USED", 512, "8", "b"),
                                            instance("DCGM_FI_DEV_GPU_TEMP", 40, "7", "a"),
                                            instance("DCGM_FI_DEV_POWER_USAGE", 150, "7", "a"),
                                            instance("DCGM_FI_DEV_POWER_USAGE", 150, "8", "b")};
    join.begin();
    add("dcgm", instances);
    finish();
    ASSERT_EQ(result.records.size(), 1u);
    EXPECT_TRUE(std::isnan(record(card)->utilizationPercent));
    EXPECT_EQ(record(card)->temperatureCelsius, 40);
    EXPECT_EQ(record(card)->powerWatts, 150);
    EXPECT_FLOAT_EQ(record(card)->memoryUsedBytes, 1536.0f * 1048576);
    EXPECT_TRUE(std::isnan(record(card)->memoryTotalBytes));
    EXPECT_THAT(pods(card), ::testing::UnorderedElementsAre("team/a", "team/b"));

    // A whole-card series counts; its 0 only when the engine says so too.
    join.begin();
    add("dcgm", instances);
    add("dcgm", {dcgm("DCGM_FI_DEV_GPU_UTIL", 0, {{"UUID", uuid0}, {"gpu", "0"}})});
    finish();
    EXPECT_TRUE(std::isnan(record(card)->utilizationPercent));
    join.begin();
    add("dcgm", instances);
    add("dcgm", {dcgm("DCGM_FI_DEV_GPU_UTIL", 0, {{"UUID", uuid0}, {"gpu", "0"}}),
                 dcgm("DCGM_FI_PROF_GR_ENGINE_ACTIVE", 0.25, {{"UUID", uuid0}, {"gpu", "0"}})});
    finish();
    EXPECT_EQ(record(card)->utilizationPercent, 25);
    // Without instances a 0 is a 0.
    join.begin();
    add("dcgm", {dcgm("DCGM_FI_DEV_GPU_UTIL", 0, {{"UUID", uuid0}, {"gpu", "0"}})});
    finish();
    EXPECT_EQ(record(card)->utilizationPercent, 0);
}

TEST_F(TelemetryJoinTest, TheChipsOfOneCardAreOneReading)
{
    const auto card = cards.addChips("n", Vendor::Cambricon, 0, {"MLU-a", "MLU-b"});
    const auto chip = [](const char *name, double value, const char *uuid, const char *slot) {
        return dcgm(name, value, {{"uuid", uuid}, {"mlu", slot}, {"node", "n"}});
    };
    join.begin();
    add("mlu",
        {chip("mlu_utilization", 80, "MLU-a", "0"), chip("mlu_utilization", 20, "MLU-b", "1"),
         chip("mlu_memory_used", 1e9, "MLU-a", "0"), chip("mlu_memory_used", 2e9, "MLU-b", "1"),
         chip("mlu_memory_total", 24e9, "MLU-a", "0"), chip("mlu_memory_total", 24e9, "MLU-b", "1"),
         chip("mlu_chip_temperature", 60, "MLU-a", "0"), chip("mlu_chip_temperature", 45, "MLU-b", "1"),
         chip("mlu_power_usage", 70, "MLU-a", "0"), chip("mlu_power_usage", 50, "MLU-b", "1"),
         chip("mlu_health", 1, "MLU-a", "0"), chip("mlu_health", 0, "MLU-b", "1")});
    finish();
    ASSERT_EQ(result.records.size(), 1u);
    EXPECT_EQ(record(card)->utilizationPercent, 50);
    EXPECT_FLOAT_EQ(record(card)->memoryUsedBytes, 3e9f);
    EXPECT_FLOAT_EQ(record(card)->memoryTotalBytes, 48e9f);
    EXPECT_EQ(record(card)->temperatureCelsius, 60);
    EXPECT_EQ(record(card)->powerWatts, 120);
    EXPECT_EQ(record(card)->health, CardHealth::Unhealthy);
    EXPECT_FALSE(record(card)->severalExporters);
}

TEST_F(TelemetryJoinTest, TheHolderOfAnMluComesFromItsOwnMetric)
{
    const auto busy = cards.addCard("n", Vendor::Cambricon, 0, "MLU-a");
    const auto idle = cards.addCard("n", Vendor::Cambricon, 1, "MLU-b");
    join.begin();
    add("mlu", {dcgm("mlu_utilization", 80, {{"uuid", "MLU-a"}, {"node", "n"}}),
                dcgm("mlu_utilization", 0, {{"uuid", "MLU-b"}, {"node", "n"}}),
                dcgm("mlu_container", 1,
                     {{"uuid", "MLU-a"},
                      {"node", "n"},
                      {"namespace", "team"},
                      {"pod", "train-0"},
                      {"container", "c"}}),
                dcgm("mlu_container", 0, {{"uuid", "MLU-b"}, {"node", "n"}})});
    addTimes("mlu", {SeriesLine{{{"uuid", "MLU-a"}, {"node", "n"}},
                                double((now - 20s).time_since_epoch().count()) / 1000}});
    finish();
    EXPECT_THAT(pods(busy), ElementsAre("team/train-0"));
    EXPECT_EQ(record(busy)->utilizationPercent, 80);
    EXPECT_EQ(record(busy)->sampledAt, now - 20s);
    EXPECT_FALSE(record(busy)->severalExporters);
    EXPECT_TRUE(pods(idle).empty());
    EXPECT_EQ(record(idle)->utilizationPercent, 0);
}

TEST_F(TelemetryJoinTest, TheExportersOwnPodHoldsNoCard)
{
    const auto card = cards.addCard("n", Vendor::Nvidia, 0, uuid0);
    for (const std::vector<std::pair<std::string, std::string>> &labels :
         {std::vector<std::pair<std::string, std::string>>{{"pod", "nvidia-dcgm-exporter-x7k2p"},
                                                           {"namespace", "gpu-operator"},
                                                           {"job", "nvidia-dcgm-exporter"}},
          {{"pod", "dcgm-abc"}, {"namespace", "gpu"}, {"container", "dcgm-exporter"}},
          {{"pod", "q7x1z"}, {"Hostname", "q7x1z"}}}) {
        auto all = labels;
        all.emplace_back("UUID", uuid0);
        join.begin();
        add("dcgm", {dcgm("DCGM_FI_DEV_GPU_UTIL", 1, all)});
        finish();
        EXPECT_TRUE(pods(card).empty());
    }
    join.begin();
    add("dcgm", {dcgm("DCGM_FI_DEV_GPU_UTIL", 1,
                      {{"UUID", uuid0},
                       {"pod", "vllm-0"},
                       {"namespace", "serving"},
                       {"container", "vllm"},
                       {"job", "dcgm"}})});
    finish();
    EXPECT_THAT(pods(card), ElementsAre("serving/vllm-0"));
    join.begin(); // moved out of the way by the exporter's own labels
    add("dcgm", {dcgm("DCGM_FI_DEV_GPU_UTIL", 1,
                      {{"UUID", uuid0},
                       {"exported_pod", "dcgm-test"},
                       {"exported_namespace", "team"},
                       {"pod", "dcgm-x"},
                       {"container", "dcgm-exporter"},
                       {"job", "dcgm"}})});
    finish();
    EXPECT_THAT(pods(card), ElementsAre("team/dcgm-test"));
}

TEST_F(TelemetryJoinTest, AgesAreByOurClockAndNeverNegative)
{
    const auto card = cards.addCard("n", Vendor::Nvidia, 0, uuid0);
    const auto seconds = [](Instant instant) { return double(instant.time_since_epoch().count()) / 1000; };
    for (const auto apart : {-421s, 421s}) {
        skew = apart;
        join.begin();
        add("dcgm", {dcgm("DCGM_FI_DEV_GPU_UTIL", 60, {{"UUID", uuid0}})});
        addTimes("dcgm", {SeriesLine{{{"UUID", uuid0}}, seconds(now + skew - 15s)}});
        join.answered(0, {}, skew);
        finish();
        EXPECT_EQ(record(card)->sampledAt, now - 15s);
        EXPECT_TRUE(result.notes.isEmpty());
    }
    // An exporter that stamps its series by a clock of its own, two minutes ahead.
    skew = 0s;
    join.begin();
    add("dcgm", {dcgm("DCGM_FI_DEV_GPU_UTIL", 60, {{"UUID", uuid0}})});
    addTimes("dcgm", {SeriesLine{{{"UUID", uuid0}}, seconds(now + 120s)}});
    join.answered(0, {}, 0s);
    finish();
    EXPECT_EQ(record(card)->sampledAt, now);
    ASSERT_EQ(result.notes.size(), 1);
    EXPECT_TRUE(result.notes.front().contains(QStringLiteral("120 seconds")));
}

TEST_F(TelemetryJoinTest, AVanishedNpuShowsItsLastSampleAndNotNow)
{
    const auto card = cards.addCard("n", Vendor::Ascend, 0, {});
    const std::vector<std::pair<std::string, std::string>> labels{{"id", "0"}, {"node", "n"}};
    join.begin();
    add("npu", {dcgm("npu_chip_info_utilization", 60, labels)});
    addTimes("npu", {SeriesLine{labels, double((now - 250s).time_since_epoch().count()) / 1000}});
    finish();
    EXPECT_EQ(record(card)->sampledAt, now - 250s);
    // What answers to the sample-time query with a name is no timestamp.
    join.begin();
    add("npu", {dcgm("npu_chip_info_utilization", 60, labels)});
    addTimes("npu", {dcgm("npu_chip_info_utilization", 60, labels)});
    finish();
    EXPECT_EQ(record(card)->sampledAt, now);
}

TEST_F(TelemetryJoinTest, AnswersWithWarningsMakeTheResultIncomplete)
{
    join.begin();
    join.answered(0, {.warnings = {QStringLiteral("region xibei: store-3 gave no answer")}}, {});
    join.answered(1, {.warnings = {QStringLiteral("region xibei: store-3 gave no answer")}}, {});
    finish();
    EXPECT_TRUE(result.incomplete);
    EXPECT_EQ(result.warnings.size(), 1);
    join.begin();
    join.answered(0, {}, {});
    finish();
    EXPECT_FALSE(result.incomplete);
    EXPECT_TRUE(result.warnings.isEmpty());
}

TEST_F(TelemetryJoinTest, ABrokenAnswerIsThrownAwayWhole)
{
    const auto nvidia = cards.addCard("n", Vendor::Nvidia, 0, uuid0);
    const auto ascend = cards.addCard("n", Vendor::Ascend, 0, {});
    join.begin();
    add("dcgm", {dcgm("DCGM_FI_DEV_GPU_UTIL", 60, {{"UUID", uuid0}})});
    add("npu", {dcgm("npu_chip_info_utilization", 50, {{"id", "0"}, {"node", "n"}})});
    join.failed(0);
    finish();
    EXPECT_EQ(record(nvidia), nullptr);
    ASSERT_NE(record(ascend), nullptr);
    EXPECT_TRUE(result.incomplete);
    join.begin();
    add("dcgm", {dcgm("DCGM_FI_DEV_GPU_UTIL", 60, {{"UUID", uuid0}})});
    finish();
    EXPECT_NE(record(nvidia), nullptr);
    EXPECT_FALSE(result.incomplete);
}

TEST_F(TelemetryJoinTest, HamiFillsInWhereNoVendorExporterIs)
{
    const auto both = cards.addCard("n", Vendor::Nvidia, 0, uuid0);
    const auto only = cards.addCard("n", Vendor::Nvidia, 1, uuid1);
    join.begin();
    add("dcgm", {dcgm("DCGM_FI_DEV_GPU_UTIL", 60, {{"UUID", uuid0}})});
    add("hami", {dcgm("hami_host_gpu_utilization_ratio", 61, {{"device_uuid", uuid0}, {"node", "n"}}),
                 dcgm("HostCoreUtilization", 33, {{"deviceuuid", uuid1}, {"nodeid", "n"}})});
    finish();
    EXPECT_EQ(record(both)->utilizationPercent, 60);
    EXPECT_EQ(record(both)->source, 0);
    EXPECT_EQ(record(only)->utilizationPercent, 33);
    EXPECT_EQ(catalog.sources()[record(only)->source].key, "hami");
}

TEST_F(TelemetryJoinTest, OddLabelsBreakNothing)
{
    cards.addCard("n", Vendor::Nvidia, 0, uuid0);
    const std::string longText(100'000, 'x');
    join.begin();
    add("dcgm",
        {dcgm("DCGM_FI_DEV_GPU_UTIL", 1, {}),
         dcgm("DCGM_FI_DEV_GPU_UTIL", 1, {{"UUID", ""}, {"gpu", ""}, {"Hostname", ""}}),
         dcgm("DCGM_FI_DEV_GPU_UTIL", 1,
              {{"UUID", longText},
               {"Hostname", longText},
               {"instance", "["},
               {"gpu", "99999999999999999999"}}),
         dcgm("DCGM_FI_DEV_GPU_UTIL", 1, {{"UUID", "<b>x</b>"}, {"instance", ":::"}, {"gpu", "-1"}}),
         dcgm("DCGM_FI_DEV_GPU_UTIL", 1, {{"gpu", "0"}, {"node", "unknown"}, {"UUID", "u"}, {"UUID", "v"}})});
    finish();
    EXPECT_TRUE(result.records.empty());
    EXPECT_EQ(result.unassignedSeries, 5);
    for (const QString &note : result.notes)
        EXPECT_LT(note.size(), 1500);
}

} // namespace
} // namespace tongchi
