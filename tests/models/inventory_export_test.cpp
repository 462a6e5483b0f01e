#include "models/inventory/card_filter.h"
#include "models/inventory/inventory_export.h"
#include "tests/models/pool_builder.h"
#include "tests/support/qt_printers.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <gtest/gtest.h>

namespace tongchi {
namespace {

const Instant exportedAt{std::chrono::milliseconds{1'798'612'928'000}};

class InventoryExportTest : public ::testing::Test
{
protected:
    StringPool strings;
    CardStore store{strings};
    test::PoolBuilder builder{strings};

    std::vector<CardIndex> fill()
    {
        InventoryDelta delta =
            builder.delta({{.name = "a", .cards = 2, .label = BusinessLabel::Inference, .pod = "serving/x,1"},
                           {.name = "b", .cards = 1, .usability = NodeUsability::Cordoned}});
        delta.telemetry.push_back(builder.telemetry(0, 62.5F, exportedAt - std::chrono::seconds(2)));
        store.apply(delta, exportedAt);
        return CardFilter(store, {}, exportedAt).run().cards;
    }
};

TEST_F(InventoryExportTest, WritesNullForWhatNobodyReported)
{
    const auto cards = fill();
    QJsonParseError error;
    const QJsonObject document =
        QJsonDocument::fromJson(inventoryJson(store, cards, exportedAt), &error).object();
    ASSERT_EQ(error.error, QJsonParseError::NoError) << error.errorString().toStdString();
    const QJsonArray list = document.value(QStringLiteral("cards")).toArray();
    ASSERT_EQ(list.size(), 3);
    const QJsonObject first = list.at(0).toObject();
    EXPECT_EQ(first.value(QStringLiteral("utilization_percent")).toDouble(), 62.5);
    EXPECT_EQ(first.value(QStringLiteral("business_label")).toString(), QStringLiteral("inference"));
    EXPECT_EQ(first.value(QStringLiteral("as_of")).toString(), QStringLiteral("2026-12-30T06:42:06.000Z"));
    EXPECT_EQ(first.value(QStringLiteral("model")).toString(), QStringLiteral("A100"));
    const QJsonObject second = list.at(1).toObject();
    for (const char *key : {"utilization_percent", "memory_used_bytes", "temperature_celsius", "power_watts",
                            "as_of", "numa_node"}) {
        EXPECT_TRUE(second.contains(QLatin1String(key))) << key;
        EXPECT_TRUE(second.value(QLatin1String(key)).isNull()) << key;
    }
    const QJsonObject third = list.at(2).toObject();
    EXPECT_FALSE(third.value(QStringLiteral("schedulable")).toBool(true));
    EXPECT_TRUE(third.value(QStringLiteral("business_label")).isNull());
    EXPECT_EQ(document.value(QStringLiteral("totals"))
                  .toObject()
                  .value(QStringLiteral("reported"))
                  .toObject()
                  .value(QStringLiteral("utilization_percent"))
                  .toInt(),
              1);
    EXPECT_EQ(document.value(QStringLiteral("clusters"))
                  .toArray()
                  .at(0)
                  .toObject()
                  .value(QStringLiteral("state"))
                  .toString(),
              QStringLiteral("live"));
}

TEST_F(InventoryExportTest, HeldIsNotKnownWherePodsMayNotBeRead)
{
    const auto cards = fill();
    const auto exported = [&] {
        return QJsonDocument::fromJson(inventoryJson(store, cards, exportedAt)).object();
    };
    const auto firstOf = [](const QJsonObject &document, const char *list) {
        return document.value(QLatin1String(list)).toArray().first().toObject();
    };
    EXPECT_TRUE(firstOf(exported(), "nodes").value(QStringLiteral("held")).isDouble());
    EXPECT_EQ(firstOf(exported(), "clusters").value(QStringLiteral("forbidden")).toArray(), QJsonArray());
    auto status = std::make_shared<ClusterStatus>(*builder.status(true));
    status->denied = {{QStringLiteral("pods"), {.code = ErrorCode::Forbidden}}};
    InventoryDelta delta;
    delta.clusterId = 1;
    delta.status = status;
    store.apply(delta, exportedAt);
    EXPECT_TRUE(firstOf(exported(), "nodes").value(QStringLiteral("held")).isNull());
    EXPECT_TRUE(firstOf(exported(), "nodes").value(QStringLiteral("free")).isNull());
    EXPECT_EQ(firstOf(exported(), "clusters").value(QStringLiteral("forbidden")).toArray(),
              QJsonArray{QStringLiteral("pods")});
}

TEST_F(InventoryExportTest, QuotesCsvAndKeepsThePoint)
{
    const auto cards = fill();
    QLocale::setDefault(QLocale(QLocale::German));
    const QByteArray csv = inventoryCsv(store, cards);
    QLocale::setDefault(QLocale::c());
    EXPECT_TRUE(csv.contains(",62.5,")) << csv.toStdString();
    EXPECT_TRUE(csv.contains("\"serving/x,1\""));
    EXPECT_EQ(csv.count("\r\n"), 4);
}

TEST_F(InventoryExportTest, WritesYamlAndTable)
{
    const auto cards = fill();
    const QByteArray yaml = inventoryYaml(store, cards, exportedAt);
    EXPECT_TRUE(yaml.contains("cards:\n")) << yaml.toStdString();
    EXPECT_TRUE(yaml.contains("utilization_percent: 62.5")) << yaml.toStdString();
    const QByteArray table = inventoryTable(store, cards, Formatting(), exportedAt);
    EXPECT_EQ(table.count('\n'), 4);
    EXPECT_TRUE(table.contains("a / 0"));
}

} // namespace
} // namespace tongchi
