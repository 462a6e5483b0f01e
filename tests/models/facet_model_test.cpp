#include "models/inventory/facet_model.h"
#include "tests/models/pool_builder.h"
#include "tests/support/qt_printers.h"

#include <gtest/gtest.h>

namespace tongchi {
namespace {

class FacetModelTest : public ::testing::Test
{
protected:
    ManualClock clock;
    StringPool strings;
    CardStore store{strings};
    test::PoolBuilder builder{strings};
    CardTableModel table{store, clock};
    FacetModel facets{table};

    void SetUp() override
    {
        table.storeChanged(store.apply(
            builder.delta({
                {.name = "a", .vendor = Vendor::Ascend, .model = "Ascend 910B", .variant = "910B3"},
                {.name = "b", .vendor = Vendor::Ascend, .model = "Ascend 910B", .variant = "910B4"},
                {.name = "c", .region = "guiyang", .label = BusinessLabel::Training},
            }),
            clock.now()));
    }

    const FacetRow *row(FilterKey key, const QString &value) const
    {
        for (const FacetGroup &group : facets.groups()) {
            for (const FacetRow &candidate : group.rows) {
                if (group.key == key && candidate.key == value)
                    return &candidate;
            }
        }
        return nullptr;
    }
};

TEST_F(FacetModelTest, ListsVariantsBelowTheirModel)
{
    ASSERT_TRUE(row(FilterKey::Model, QStringLiteral("ascend 910b")));
    EXPECT_EQ(row(FilterKey::Model, QStringLiteral("ascend 910b"))->count, 16U);
    ASSERT_TRUE(row(FilterKey::Model, QStringLiteral("910b4")));
    EXPECT_TRUE(row(FilterKey::Model, QStringLiteral("910b4"))->isVariant);
    EXPECT_EQ(row(FilterKey::Model, QStringLiteral("910b4"))->count, 8U);
}

TEST_F(FacetModelTest, TurnsClicksIntoTokens)
{
    EXPECT_EQ(facets.filterAfter(FilterKey::Region, QStringLiteral("beijing"), FacetClick::Only),
              QStringLiteral("region:beijing"));
    table.setFilter(parseFilter(QStringLiteral("region:beijing")));
    EXPECT_TRUE(row(FilterKey::Region, QStringLiteral("beijing"))->chosen);
    EXPECT_EQ(row(FilterKey::Region, QStringLiteral("guiyang"))->count, 8U);
    EXPECT_EQ(facets.filterAfter(FilterKey::Region, QStringLiteral("guiyang"), FacetClick::Add),
              QStringLiteral("region:beijing,guiyang"));
    EXPECT_EQ(facets.filterAfter(FilterKey::Region, QStringLiteral("guiyang"), FacetClick::Only),
              QStringLiteral("region:guiyang"));
    EXPECT_EQ(facets.filterAfter(FilterKey::Region, QStringLiteral("beijing"), FacetClick::Only), QString());
    EXPECT_EQ(facets.filterAfter(FilterKey::Label, QStringLiteral("idle"), FacetClick::Exclude),
              QStringLiteral("region:beijing -label:idle"));
    EXPECT_EQ(facets.filterAfter(FilterKey::Model, QStringLiteral("ascend 910b"), FacetClick::Only),
              QStringLiteral("region:beijing model:\"ascend 910b\""));
}

TEST_F(FacetModelTest, KeepsAChosenValueInSightWhenNothingIsLeft)
{
    table.setFilter(parseFilter(QStringLiteral("region:guiyang vendor:ascend")));
    ASSERT_TRUE(row(FilterKey::Vendor, QStringLiteral("ascend")));
    EXPECT_EQ(row(FilterKey::Vendor, QStringLiteral("ascend"))->count, 0U);
    EXPECT_TRUE(row(FilterKey::Vendor, QStringLiteral("ascend"))->chosen);
}

} // namespace
} // namespace tongchi
