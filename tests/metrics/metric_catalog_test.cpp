#include "platform/metrics/metric_catalog.h"
#include "tests/support/qt_printers.h"

#include <gmock/gmock.h>

namespace tongchi {
namespace {

using ::testing::ElementsAre;

TEST(MetricCatalog, KnowsTheExportersOfTheThreeVendorsFirst)
{
    const MetricCatalog catalog = MetricCatalog::builtIn();
    EXPECT_EQ(catalog.indexOf("dcgm"), 0);
    EXPECT_EQ(catalog.indexOf("npu"), 1);
    EXPECT_EQ(catalog.indexOf("mlu"), 2);
    EXPECT_FALSE(catalog.indexOf("nothing"));
    const TelemetrySource &dcgm = catalog.sources()[0];
    EXPECT_EQ(dcgm.vendor, "nvidia");
    ASSERT_NE(dcgm.find("DCGM_FI_DEV_FB_USED"), nullptr);
    EXPECT_EQ(dcgm.find("DCGM_FI_DEV_FB_USED")->unit, MetricUnit::MiB);
    EXPECT_EQ(dcgm.find("npu_chip_info_power"), nullptr);
    EXPECT_THAT(dcgm.labelsFor(CardLabel::Host), ElementsAre("Hostname", "hostname", "exported_hostname"));
    EXPECT_EQ(dcgm.labelsFor(CardLabel::Pod).front(), "exported_pod");
}

TEST(MetricCatalog, RanksAlternativesOfOneQuantity)
{
    const MetricCatalog catalog = MetricCatalog::builtIn();
    const TelemetrySource &mlu = catalog.sources()[2];
    EXPECT_EQ(mlu.find("mlu_chip_temperature")->rank, 0);
    EXPECT_EQ(mlu.find("mlu_temperature")->rank, 1);
}

TEST(MetricCatalog, AsksForAllOfOneExporterInOneQuery)
{
    const MetricCatalog catalog = MetricCatalog::builtIn();
    const QByteArray query = catalog.query(2, R"(cluster="bj")");
    EXPECT_TRUE(query.startsWith(R"({__name__=~"mlu_utilization|mlu_memory_used|)")) << query.toStdString();
    EXPECT_TRUE(query.endsWith(R"(,vf="",cluster="bj"})")) << query.toStdString();
    EXPECT_EQ(catalog.query(0).count('{'), 1);
    EXPECT_EQ(catalog.splitQueries(2).front(), R"(mlu_utilization{vf=""})");
    EXPECT_EQ(catalog.splitQueries(0).size(), catalog.sources()[0].metrics.size());
    EXPECT_EQ(
        catalog.sampleTimeQuery(2),
        R"(timestamp(mlu_memory_used{vf=""}) or timestamp(mlu_chip_temperature{vf=""}) or timestamp(mlu_temperature{vf=""}))");
    EXPECT_TRUE(catalog.presenceSelector().contains("DCGM_FI_DEV_GPU_UTIL|"));
}

TEST(MetricCatalog, AsksForTheHourOfOneCard)
{
    const MetricCatalog catalog = MetricCatalog::builtIn();
    const auto query = [&catalog](const char *source, std::vector<std::pair<CardLabel, std::string>> labels) {
        return catalog.cardHistoryQuery(*catalog.indexOf(source), labels);
    };
    const QByteArray mlu = query("mlu", {{CardLabel::Slot, "1"}, {CardLabel::Uuid, "a\"b\\c\n"}});
    EXPECT_TRUE(mlu.startsWith("last_over_time({__name__=~\"")) << mlu.constData();
    EXPECT_TRUE(mlu.endsWith(",uuid=\"a\\\"b\\\\c\\n\"}[1m])")) << mlu.constData();
    EXPECT_TRUE(mlu.contains("mlu_temperature") && mlu.contains("mlu_power_usage")) << mlu.constData();
    EXPECT_FALSE(mlu.contains("mlu_health"));
    // Under one name or the other.
    const QByteArray dcgm = query("dcgm", {{CardLabel::Uuid, "GPU-1"}});
    EXPECT_TRUE(dcgm.contains(",UUID=\"GPU-1\"}[1m]) or last_over_time({")) << dcgm.constData();
    EXPECT_TRUE(dcgm.endsWith(",gpu_uuid=\"GPU-1\"}[1m])")) << dcgm.constData();
    // By its number, where the node is known.
    const QByteArray npu = query(
        "npu", {{CardLabel::Slot, "3"}, {CardLabel::Host, "n1"}, {CardLabel::Address, "10.0.0.1:8082"}});
    EXPECT_TRUE(npu.contains(",id=\"3\",Hostname=\"n1\"}")) << npu.constData();
    EXPECT_FALSE(npu.contains("10.0.0.1"));
    EXPECT_EQ(query("npu", {{CardLabel::Slot, "3"}}), QByteArray());
    EXPECT_EQ(query("npu", {}), QByteArray());
}

TEST(MetricCatalog, AsksOnlyExportersThatAreThere)
{
    const MetricCatalog catalog = MetricCatalog::builtIn();
    EXPECT_THAT(catalog.presentSources({"up", "npu_chip_info_power", "mlu_health"}), ElementsAre(1u, 2u));
    EXPECT_THAT(catalog.presentSources({}), ElementsAre());
}

TEST(MetricCatalog, SaysWhereEachNumberComesFrom)
{
    const MetricCatalog catalog = MetricCatalog::builtIn();
    const auto total = catalog.origin(0, CardQuantity::MemoryTotal);
    ASSERT_TRUE(total);
    EXPECT_EQ(total->source, QStringLiteral("NVIDIA dcgm-exporter"));
    EXPECT_EQ(total->series, (QStringList{QStringLiteral("DCGM_FI_DEV_FB_TOTAL"),
                                          QStringLiteral("DCGM_FI_DEV_FB_USED + DCGM_FI_DEV_FB_FREE + "
                                                         "DCGM_FI_DEV_FB_RESERVED")}));
    EXPECT_EQ(total->unit, QStringLiteral("MiB"));
    EXPECT_EQ(total->query, QString::fromUtf8(catalog.query(0)));
    EXPECT_EQ(catalog.origin(2, CardQuantity::Temperature)->series,
              (QStringList{QStringLiteral("mlu_chip_temperature"), QStringLiteral("mlu_temperature")}));
    EXPECT_FALSE(catalog.origin(0, CardQuantity::Health));
    EXPECT_FALSE(catalog.origin(99, CardQuantity::Power));
}

TEST(MetricCatalog, TakesTheNamesThatASiteGave)
{
    const MetricCatalog catalog = MetricCatalog::builtIn().renamed(
        QStringLiteral("mlu"), {{QStringLiteral("mlu_utilization"), QStringLiteral("cambricon_util")},
                                {QStringLiteral("uuid"), QStringLiteral("card_uuid")},
                                {QStringLiteral("vf"), QStringLiteral("virtual_function")},
                                {QStringLiteral("nosuch"), QStringLiteral("x")},
                                {QStringLiteral("mlu_health"), QStringLiteral("not a name\"}")}});
    const TelemetrySource &mlu = catalog.sources()[2];
    EXPECT_NE(mlu.find("cambricon_util"), nullptr);
    EXPECT_EQ(mlu.find("mlu_utilization"), nullptr);
    EXPECT_NE(mlu.find("mlu_health"), nullptr);
    EXPECT_THAT(mlu.labelsFor(CardLabel::Uuid), ElementsAre("card_uuid"));
    EXPECT_TRUE(catalog.query(2).endsWith(R"(,virtual_function=""})")) << catalog.query(2).toStdString();
    EXPECT_TRUE(catalog.query(2).contains("cambricon_util"));
    EXPECT_EQ(MetricCatalog::builtIn().sources()[0].labelsFor(CardLabel::Uuid),
              catalog.sources()[0].labelsFor(CardLabel::Uuid));
}

TEST(MetricCatalog, RefusesATableOfAnotherForm)
{
    for (
        const char *json :
        {"", "[]", "{}", R"({"sources":null})", R"({"sources":[null]})", R"({"sources":[{"key":"a"}]})",
         R"({"sources":[{"key":"a","name":"A","vendor":"v","metrics":[]}]})",
         R"({"sources":[{"key":"a","name":"A","vendor":"v","metrics":[{"name":"x","quantity":"charm","unit":"percent"}]}]})",
         R"({"sources":[{"key":"a","name":"A","vendor":"v","metrics":[{"name":"x","quantity":"power","unit":"hp"}]}]})",
         R"({"sources":[{"key":"a","name":"A","vendor":"v","metrics":[{"name":"x\"}","quantity":"power","unit":"watt"}]}]})",
         R"({"sources":[{"key":"a","name":"A","vendor":"v","metrics":[{"name":"x","quantity":"power","unit":"watt"}],"labels":{"colour":["c"]}}]})"}) {
        const auto catalog = MetricCatalog::fromJson(json);
        ASSERT_FALSE(catalog) << json;
        EXPECT_EQ(catalog.error().code, ErrorCode::Invalid);
    }
}

} // namespace
} // namespace tongchi
