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

} // namespace
} // namespace tongchi
