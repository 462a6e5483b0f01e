#include "models/inventory/inventory_controller.h"
#include "tests/models/fake_source.h"
#include "tests/models/pool_builder.h"
#include "tests/support/qt_printers.h"
#include "tests/support/wait.h"

#include <QSignalSpy>
#include <gtest/gtest.h>

namespace tongchi {
namespace {

using test::FakeSource;
using test::PoolBuilder;
using namespace std::chrono_literals;

class InventoryControllerTest : public ::testing::Test
{
protected:
    ManualClock clock;
    StringPool strings;
    InventoryController inventory{strings, clock, {.applyInterval = 0ms, .loadingInterval = 0ms}};
    PoolBuilder builder{strings, 1};
    PoolBuilder other{strings, 2, QStringLiteral("wlcb-train")};

    FakeSource *add(quint32 id, QString name = QStringLiteral("bj-prod"))
    {
        auto source = std::make_unique<FakeSource>(id, std::move(name));
        FakeSource *raw = source.get();
        inventory.addSource(std::move(source));
        return raw;
    }
};

TEST_F(InventoryControllerTest, AppliesDeltasAndAcknowledgesEach)
{
    FakeSource *source = add(1);
    EXPECT_TRUE(source->started);
    QSignalSpy completed(&inventory, &InventoryController::completed);
    source->send(builder.delta({{.name = "a"}}));
    source->send(builder.delta({{.name = "b"}}));
    ASSERT_TRUE(test::waitUntil([&] { return source->acknowledged == 2; }));
    EXPECT_EQ(inventory.table().rowCount(), 16);
    ASSERT_TRUE(test::waitUntil([&] { return completed.count() == 1; }));
    EXPECT_TRUE(inventory.isComplete());
    EXPECT_FALSE(inventory.isPartial());
    EXPECT_EQ(inventory.summary().cards, 16U);
}

TEST_F(InventoryControllerTest, KeepsTheCardsOfALostClusterAndSaysSo)
{
    FakeSource *first = add(1);
    FakeSource *second = add(2, QStringLiteral("wlcb-train"));
    first->send(builder.delta({{.name = "a"}}));
    second->send(other.delta({{.name = "x"}}));
    ASSERT_TRUE(test::waitUntil([&] { return inventory.isComplete(); }));
    auto lost = other.status();
    lost->kubernetes.state = SourceState::Lost;
    lost->kubernetes.error = Error{.code = ErrorCode::Network};
    InventoryDelta delta;
    delta.clusterId = 2;
    delta.status = lost;
    second->send(delta);
    ASSERT_TRUE(test::waitUntil([&] { return inventory.isPartial(); }));
    EXPECT_EQ(inventory.table().rowCount(), 16);
    ASSERT_TRUE(test::waitUntil(
        [&] { return inventory.summary().clustersSilent == 1 || (Q_EMIT inventory.cardsChanged(), true); }));
    inventory.removeSource(2);
    EXPECT_EQ(inventory.table().rowCount(), 8);
    EXPECT_FALSE(inventory.isPartial());
}

TEST_F(InventoryControllerTest, AppliesNothingWhilePaused)
{
    FakeSource *source = add(1);
    source->send(builder.delta({{.name = "a"}}));
    ASSERT_TRUE(test::waitUntil([&] { return source->acknowledged == 1; }));
    inventory.setPaused(true);
    source->send(builder.delta({{.name = "b"}}));
    QCoreApplication::processEvents();
    QCoreApplication::processEvents();
    EXPECT_EQ(source->acknowledged, 1);
    EXPECT_EQ(inventory.table().rowCount(), 8);
    inventory.setPaused(false);
    ASSERT_TRUE(test::waitUntil([&] { return inventory.table().rowCount() == 16; }));
}

TEST_F(InventoryControllerTest, CountsAForbiddenClusterAsAnAnswer)
{
    FakeSource *source = add(1);
    auto status = builder.status(false);
    status->kubernetes.state = SourceState::Forbidden;
    InventoryDelta delta;
    delta.clusterId = 1;
    delta.status = status;
    source->send(delta);
    ASSERT_TRUE(test::waitUntil([&] { return inventory.isComplete(); }));
    EXPECT_TRUE(inventory.isPartial());
}

TEST_F(InventoryControllerTest, IsPartialWhereAResourceMayNotBeRead)
{
    FakeSource *source = add(1);
    auto status = builder.status(true);
    status->metrics.state = SourceState::Missing;
    InventoryDelta delta;
    delta.clusterId = 1;
    delta.status = status;
    source->send(delta);
    ASSERT_TRUE(test::waitUntil([&] { return inventory.isComplete(); }));
    EXPECT_FALSE(inventory.isPartial());
    status = builder.status(true);
    status->metrics.state = SourceState::Missing;
    status->denied = {{QStringLiteral("resourceslices"), {.code = ErrorCode::Forbidden}}};
    delta.status = status;
    source->send(delta);
    EXPECT_TRUE(test::waitUntil([&] { return inventory.isPartial(); }));
}

TEST_F(InventoryControllerTest, KeepsIndicesApartWhenNodesComeAndGoInOneBatch)
{
    FakeSource *source = add(1);
    source->send(builder.delta({{.name = "a"}, {.name = "b"}}));
    ASSERT_TRUE(test::waitUntil([&] { return inventory.table().rowCount() == 16; }));
    InventoryDelta gone;
    gone.clusterId = 1;
    gone.removedNodes = {strings.intern(std::string_view("uid-a"))};
    source->send(gone);
    source->send(builder.delta({{.name = "c"}}));
    gone.removedNodes = {strings.intern(std::string_view("uid-b"))};
    source->send(gone);
    source->send(builder.delta({{.name = "d"}}));
    ASSERT_TRUE(test::waitUntil([&] { return source->acknowledged == 5; }));
    ASSERT_TRUE(test::waitUntil([&] { return inventory.table().rowCount() == 16; }));
    EXPECT_EQ(inventory.table().index(0, int(CardColumn::Node)).data().toString(), QStringLiteral("c / 0"));
    EXPECT_EQ(inventory.table().index(15, int(CardColumn::Node)).data().toString(), QStringLiteral("d / 7"));
}

} // namespace
} // namespace tongchi
