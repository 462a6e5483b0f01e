#include "models/inventory/card_filter.h"
#include "tests/models/pool_builder.h"
#include "tests/support/qt_printers.h"

#include <gtest/gtest.h>

namespace tongchi {
namespace {

const Instant at{std::chrono::milliseconds{1'798'612'928'000}};

struct Pool
{
    StringPool strings;
    CardStore store{strings};
    test::PoolBuilder builder{strings};

    Pool()
    {
        InventoryDelta delta = builder.delta({
            {.name = "bj-a100-001",
             .label = BusinessLabel::Inference,
             .workload = "qwen2.5-7b-instruct",
             .pod = "serving/qwen-1"},
            {.name = "bj-910b-001",
             .vendor = Vendor::Ascend,
             .model = "Ascend 910B",
             .variant = "910B3",
             .memoryBytes = 64LL << 30},
            {.name = "gy-910b-001",
             .region = "guiyang",
             .vendor = Vendor::Ascend,
             .model = "Ascend 910B",
             .variant = "910B4",
             .label = BusinessLabel::Training,
             .workload = "sft-kefu-13b",
             .memoryBytes = 32LL << 30},
            {.name = "gy-4090-001",
             .region = "guiyang",
             .model = "RTX 4090",
             .variant = "",
             .usability = NodeUsability::NotReady,
             .label = BusinessLabel::Unknown},
        });
        for (std::uint32_t i = 0; i < 16; ++i)
            delta.telemetry.push_back(builder.telemetry(i, float(i), at - std::chrono::seconds(i)));
        store.apply(delta, at);
    }

    std::size_t count(const char16_t *filter)
    {
        return CardFilter(store, parseFilter(QString::fromUtf16(filter)), at).run().cards.size();
    }
};

TEST(CardFilterTest, FindsByEachKindOfKey)
{
    Pool pool;
    ASSERT_EQ(pool.store.cardCount(), 32U);
    EXPECT_EQ(pool.count(u""), 32U);
    EXPECT_EQ(pool.count(u"vendor:ascend"), 16U);
    EXPECT_EQ(pool.count(u"vendor:huawei"), 16U);
    EXPECT_EQ(pool.count(u"model:910b"), 16U);
    EXPECT_EQ(pool.count(u"model:910b3"), 8U);
    EXPECT_EQ(pool.count(u"variant:910b4"), 8U);
    EXPECT_EQ(pool.count(u"model:rtx4090"), 8U);
    EXPECT_EQ(pool.count(u"region:guiyang"), 16U);
    EXPECT_EQ(pool.count(u"region:beijing,guiyang"), 32U);
    EXPECT_EQ(pool.count(u"node:bj-*"), 16U);
    EXPECT_EQ(pool.count(u"node:bj"), 0U);
    EXPECT_EQ(pool.count(u"pool:bj-prod"), 32U);
    EXPECT_EQ(pool.count(u"label:idle"), 8U);
    EXPECT_EQ(pool.count(u"-label:idle"), 24U);
    EXPECT_EQ(pool.count(u"label:unknown"), 8U);
    EXPECT_EQ(pool.count(u"workload:qwen*"), 8U);
    EXPECT_EQ(pool.count(u"health:offline"), 8U);
    EXPECT_EQ(pool.count(u"mem=64"), 8U);
    EXPECT_EQ(pool.count(u"pod:serving/qwen-1"), 8U);
    EXPECT_EQ(pool.count(u"pod:qwen-1"), 8U);
    EXPECT_EQ(pool.count(u"qwen"), 8U);
    EXPECT_EQ(pool.count(u"910b"), 16U);
    EXPECT_EQ(pool.count(u"GPU-00000001-0000"), 1U);
}

TEST(CardFilterTest, LeavesOutWhatIsNotReportedEvenWhenNegated)
{
    Pool pool;
    EXPECT_EQ(pool.count(u"util<4"), 4U);
    EXPECT_EQ(pool.count(u"-util<4"), 12U); // sixteen cards never reported
    EXPECT_EQ(pool.count(u"util>=0"), 16U);
    EXPECT_EQ(pool.count(u"age>10s"), 5U);
    EXPECT_EQ(pool.count(u"memfree>=50"), 16U); // used and total both known
}

TEST(CardFilterTest, CountsEachFacetWithoutItsOwnTokens)
{
    Pool pool;
    const FilterResult result =
        CardFilter(pool.store, parseFilter(QStringLiteral("vendor:ascend region:guiyang")), at).run();
    EXPECT_EQ(result.cards.size(), 8U);
    std::uint32_t nvidiaInGuiyang = 0;
    for (std::uint16_t i = 0; i < pool.store.modelCount(); ++i)
        nvidiaInGuiyang +=
            pool.store.model(i).vendor == Vendor::Nvidia ? result.facets.byModelAsVendor[i] : 0;
    EXPECT_EQ(nvidiaInGuiyang, 8U);
    for (const auto &[region, count] : result.facets.byRegion)
        EXPECT_EQ(count, 8U) << pool.strings.utf8(region);
    EXPECT_EQ(result.facets.byLabel[std::size_t(BusinessLabel::Training)], 8U);
    EXPECT_EQ(result.facets.byLabel[std::size_t(BusinessLabel::Idle)], 0U);
}

TEST(CardFilterTest, MatchesPatternsInLinearTime)
{
    EXPECT_TRUE(matchesPattern("NVIDIA-A100", "nvidia*"));
    EXPECT_TRUE(matchesPattern("abc", "*b*"));
    EXPECT_FALSE(matchesPattern("abc", "*d*"));
    EXPECT_TRUE(matchesPattern("", "*"));
    EXPECT_FALSE(matchesPattern("", "a"));
    EXPECT_FALSE(matchesPattern(std::string(2000, 'a'), std::string(50, '*') + "a*a*a*a*a*b"));
}

} // namespace
} // namespace tongchi
