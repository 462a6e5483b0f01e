// The last hour of one card, from a Prometheus to the model.

#include "tests/app/running_pool.h"

#include <cmath>

namespace tongchi {
namespace {

class CardHour : public test::RunningPool
{
protected:
    CardIndex cardOf(Vendor vendor) const
    {
        const CardStore &store = inventory->store();
        for (const CardIndex card : inventory->table().rows()) {
            const bool reports =
                !std::isnan(store.temperatureOf(card)) && !std::isnan(store.utilizationOf(card));
            if (reports && store.model(store.modelIndexOf(card)).vendor == vendor)
                return card;
        }
        return noCard;
    }
};

TEST_F(CardHour, IsReadForTheCardsOfEachVendor)
{
    addSessions();
    ASSERT_TRUE(waitUntilWhole());
    for (const Vendor vendor : {Vendor::Nvidia, Vendor::Ascend, Vendor::Cambricon}) {
        const CardIndex card = cardOf(vendor);
        ASSERT_NE(card, noCard);
        std::optional<InventoryController::Hour> answer;
        inventory->readHour(card, inventory.get(),
                            [&answer](const InventoryController::Hour &hour) { answer = hour; });
        ASSERT_TRUE(test::waitUntil([&answer] { return answer.has_value(); }));
        ASSERT_TRUE(answer->has_value()) << englishText(answer->error()).toStdString();
        const std::vector<TelemetryRecord> &hour = **answer;
        EXPECT_GT(hour.size(), 100u);
        const std::uint32_t ordinal = inventory->store().details(card).ordinal;
        Instant before{};
        int withTemperature = 0;
        for (const TelemetryRecord &record : hour) {
            EXPECT_EQ(record.ordinal, ordinal);
            EXPECT_GT(record.sampledAt, before);
            before = record.sampledAt;
            withTemperature += !std::isnan(record.temperatureCelsius) && !std::isnan(record.powerWatts);
        }
        EXPECT_GE(clock.now() - hour.front().sampledAt, std::chrono::minutes(58));
        EXPECT_LE(clock.now() - hour.back().sampledAt, std::chrono::minutes(2));
        EXPECT_GT(withTemperature, 100);
    }
}

TEST_F(CardHour, ANewerQuestionEndsTheOneUnderWay)
{
    addSessions();
    ASSERT_TRUE(waitUntilWhole());
    const CardIndex card = cardOf(Vendor::Nvidia);
    std::vector<std::pair<int, ErrorCode>> ends;
    for (int i = 0; i < 3; ++i) {
        inventory->readHour(card, inventory.get(), [&ends, i](const InventoryController::Hour &hour) {
            ends.emplace_back(i, hour ? ErrorCode::Server : hour.error().code);
        });
    }
    ASSERT_TRUE(test::waitUntil([&ends] { return ends.size() == 3; }));
    EXPECT_EQ(ends, (std::vector<std::pair<int, ErrorCode>>{
                        {0, ErrorCode::Cancelled}, {1, ErrorCode::Cancelled}, {2, ErrorCode::Server}}));
}

TEST_F(CardHour, ACardThatNobodyReportsSaysSo)
{
    addSessions();
    ASSERT_TRUE(waitUntilWhole());
    const CardStore &store = inventory->store();
    CardIndex silent = noCard;
    for (const CardIndex card : inventory->table().rows()) {
        if (!store.sampledAt(card))
            silent = card;
    }
    ASSERT_NE(silent, noCard) << "every card of this pool reports";
    std::optional<InventoryController::Hour> answer;
    inventory->readHour(silent, inventory.get(),
                        [&answer](const InventoryController::Hour &hour) { answer = hour; });
    ASSERT_TRUE(test::waitUntil([&answer] { return answer.has_value(); }));
    ASSERT_FALSE(answer->has_value());
    EXPECT_EQ(answer->error().code, ErrorCode::NotFound);
}

} // namespace
} // namespace tongchi
