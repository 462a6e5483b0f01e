// A card's last hour from a real Prometheus that scrapes the exporters of the cluster's cards.

#include "app/services.h"
#include "models/inventory/inventory_controller.h"
#include "tests/real/support/bed.h"
#include "tests/real/support/real_test.h"
#include "tests/support/wait.h"

#include <cmath>
#include <gtest/gtest.h>

namespace tongchi {
namespace {

REAL_TEST(CardHour, IsReadForTheCardsOfEachVendor, "4: an hour of a card from the real Prometheus")
{
    const real::Bed bed;
    Services services;
    InventoryController inventory(services.strings, services.clock, {});
    inventory.addSource(std::make_unique<ClusterSession>(
        services.nextClusterId(),
        services.sessionFor(bed.context(QStringLiteral("real")), {}, {bed.url(QStringLiteral("prometheus"))}),
        services.sessionEnvironment()));
    ASSERT_TRUE(test::waitUntil([&] { return inventory.isComplete(); }, std::chrono::seconds(20)));
    const CardStore &store = inventory.store();
    std::set<Vendor> asked;
    for (const CardIndex card : inventory.table().rows()) {
        const Vendor vendor = store.model(store.modelIndexOf(card)).vendor;
        if (std::isnan(store.temperatureOf(card)) || !asked.insert(vendor).second)
            continue;
        // Its points are half a minute apart: the first may come only after the server has scraped so long.
        std::optional<InventoryController::Hour> answer;
        bool asking = false;
        ASSERT_TRUE(test::waitUntil(
            [&] {
                if (answer && (!*answer || !(*answer)->empty()))
                    return true;
                if (!asking) {
                    asking = true;
                    inventory.readHour(card, &inventory, [&](const InventoryController::Hour &hour) {
                        answer = hour;
                        asking = false;
                    });
                }
                return false;
            },
            std::chrono::seconds(60)))
            << vendorKey(vendor);
        ASSERT_TRUE(answer->has_value()) << englishText(answer->error()).toStdString();
        for (const TelemetryRecord &record : **answer) {
            EXPECT_FALSE(std::isnan(record.temperatureCelsius)) << vendorKey(vendor);
            EXPECT_FALSE(std::isnan(record.powerWatts)) << vendorKey(vendor);
        }
    }
    EXPECT_EQ(asked.size(), 3u);
}

REAL_TEST(CardHour, StandsAtTheEndOfFourteenDays, "4: history back-filled with promtool, of the same series")
{
    const real::Bed bed;
    const real::Finished done =
        real::runProgram(QStringLiteral("curl"),
                         {QStringLiteral("-sSG"), QStringLiteral("--noproxy"), QStringLiteral("*"),
                          bed.url(QStringLiteral("prometheus")) + QStringLiteral("/api/v1/query"),
                          QStringLiteral("--data-urlencode"),
                          QStringLiteral("query=count(count_over_time({__name__=~\"DCGM_FI_DEV_GPU_UTIL|"
                                         "npu_chip_info_utilization|mlu_utilization\"}[13d] offset 1d) "
                                         "> 4000 and last_over_time({__name__=~\".+_UTIL|.+utilization\"}"
                                         "[1m]))")});
    ASSERT_EQ(done.code, 0) << done.messages.toStdString();
    const QJsonArray result =
        done.object().value(QLatin1String("data")).toObject().value(QLatin1String("result")).toArray();
    ASSERT_EQ(result.size(), 1) << done.output.toStdString();
    // The series that go on are the ones that an exporter tells now.
    int seen = 0;
    for (const QJsonValue &node : bed.expectedCards().value(QLatin1String("nodes")).toArray()) {
        for (const QJsonValue &card : node.toObject().value(QLatin1String("cards")).toArray())
            seen += card.toObject().value(QLatin1String("utilization_percent")).isDouble() ? 1 : 0;
    }
    EXPECT_GT(seen, 50);
    EXPECT_EQ(result.first().toObject().value(QLatin1String("value")).toArray().at(1).toString().toInt(),
              seen);
}

} // namespace
} // namespace tongchi
