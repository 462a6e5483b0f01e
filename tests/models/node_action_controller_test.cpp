#include "models/inventory/node_action_controller.h"
#include "tests/models/fake_source.h"
#include "tests/models/pool_builder.h"
#include "tests/support/qt_printers.h"
#include "tests/support/wait.h"

#include <gtest/gtest.h>

namespace tongchi {
namespace {

using test::FakeSource;
using test::PoolBuilder;
using namespace std::chrono_literals;
using Phase = NodeActionController::Phase;
using State = NodeActionLine::State;

class NodeActionControllerTest : public ::testing::Test
{
protected:
    ManualClock clock;
    StringPool strings;
    InventoryController inventory{strings, clock, {.applyInterval = 0ms, .loadingInterval = 0ms}};
    PoolBuilder builder{strings};
    FakeSource *source = nullptr;
    std::vector<AuditEntry> written;
    NodeActionController actions{inventory, [this](const AuditEntry &entry) { written.push_back(entry); }};

    void SetUp() override
    {
        auto owned = std::make_unique<FakeSource>(1);
        source = owned.get();
        source->answer = [](const FakeSource::Call &call, const QString &uid) -> Result<NodeChangeResult> {
            NodeChange before;
            if (call.change.unschedulable)
                before.unschedulable = false;
            if (call.change.businessLabel)
                before.businessLabel = BusinessLabel::Unknown;
            return NodeChangeResult{call.node, uid, before, call.change, {}};
        };
        inventory.addSource(std::move(owned));
        source->send(builder.delta({{.name = "a"}, {.name = "b"}, {.name = "c"}}));
        ASSERT_TRUE(test::waitUntil([this] { return inventory.table().rowCount() == 24; }));
    }

    std::vector<CardIndex> cards(int first, int last)
    {
        std::vector<CardIndex> list;
        for (int row = first; row <= last; ++row)
            list.push_back(inventory.table().cardAt(row));
        return list;
    }
    bool reach(Phase phase)
    {
        return test::waitUntil([this, phase] { return actions.phase() == phase; });
    }
};

TEST_F(NodeActionControllerTest, SaysHowManyMoreCardsAreMeantBeforeAnythingIsWritten)
{
    ASSERT_TRUE(actions.prepare(cards(0, 11), {.unschedulable = true}));
    ASSERT_TRUE(reach(Phase::Confirm));
    EXPECT_EQ(actions.readyNodes(), 2);
    EXPECT_EQ(actions.readyCards(), 16);
    EXPECT_EQ(actions.chosenCards(), 12);
    for (const auto &call : source->calls)
        EXPECT_TRUE(call.dryRun);
    EXPECT_TRUE(written.empty());
}

TEST_F(NodeActionControllerTest, AppliesWithAGuardStaysPendingUntilTheWatchAndUndoes)
{
    actions.prepare(cards(0, 0), {.unschedulable = true});
    ASSERT_TRUE(reach(Phase::Confirm));
    actions.confirm();
    ASSERT_TRUE(reach(Phase::Finished));
    ASSERT_EQ(source->calls.size(), 2U);
    EXPECT_FALSE(source->calls[1].dryRun);
    ASSERT_TRUE(source->calls[1].guard);
    EXPECT_EQ(source->calls[1].guard->unschedulable, false);
    EXPECT_TRUE(inventory.table().cell(0, CardColumn::Health).pending);
    ASSERT_EQ(written.size(), 1U);
    EXPECT_EQ(written[0].object, QStringLiteral("nodes/a"));
    EXPECT_EQ(written[0].after, QStringLiteral("spec.unschedulable=true"));

    source->send(builder.delta({{.name = "a", .usability = NodeUsability::Cordoned, .unschedulable = true}}));
    ASSERT_TRUE(test::waitUntil([this] { return !inventory.table().cell(0, CardColumn::Health).pending; }));

    ASSERT_TRUE(actions.canUndo());
    actions.undo();
    ASSERT_TRUE(test::waitUntil(
        [this] { return actions.phase() == Phase::Finished && actions.lines()[0].state == State::Undone; }));
    EXPECT_EQ(source->calls.back().change.unschedulable, false);
    EXPECT_EQ(source->calls.back().guard->unschedulable, true);
    EXPECT_EQ(written.back().verb, QStringLiteral("undo"));
}

TEST_F(NodeActionControllerTest, ReportsARefusedUndo)
{
    actions.prepare(cards(0, 0), {.businessLabel = BusinessLabel::Training});
    ASSERT_TRUE(reach(Phase::Confirm));
    actions.confirm();
    ASSERT_TRUE(reach(Phase::Finished));
    source->answer = [](const FakeSource::Call &, const QString &) -> Result<NodeChangeResult> {
        return failure({.code = ErrorCode::Conflict});
    };
    actions.undo();
    ASSERT_TRUE(test::waitUntil([this] { return actions.phase() == Phase::Finished; }));
    EXPECT_EQ(actions.lines()[0].state, State::Failed);
    EXPECT_EQ(actions.lines()[0].error->code, ErrorCode::Conflict);
    EXPECT_EQ(written.back().result, QStringLiteral("conflict"));
}

TEST_F(NodeActionControllerTest, LeavesRefusedNodesOutAndAppliesTheRest)
{
    source->answer = [](const FakeSource::Call &call, const QString &uid) -> Result<NodeChangeResult> {
        if (call.node == QLatin1String("b"))
            return failure({.code = ErrorCode::Forbidden});
        return NodeChangeResult{call.node, uid, {.unschedulable = false}, call.change, {}};
    };
    actions.prepare(cards(0, 23), {.unschedulable = true});
    ASSERT_TRUE(reach(Phase::Confirm));
    EXPECT_EQ(actions.readyNodes(), 2);
    actions.confirm();
    ASSERT_TRUE(reach(Phase::Finished));
    EXPECT_EQ(source->calls.size(), 5U);
    EXPECT_EQ(written.size(), 2U);
}

TEST_F(NodeActionControllerTest, AsksForPermissionOnceACluster)
{
    source->permission = {false, QStringLiteral("RBAC: no")};
    EXPECT_FALSE(actions.allowed(cards(0, 3)).known);
    ASSERT_TRUE(test::waitUntil([this] { return actions.allowed(cards(0, 3)).known; }));
    EXPECT_FALSE(actions.allowed(cards(0, 3)).allowed);
    EXPECT_EQ(actions.allowed(cards(0, 3)).reason, QStringLiteral("RBAC: no"));
}

} // namespace
} // namespace tongchi
