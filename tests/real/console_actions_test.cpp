// What the console writes, on a real API server with a node "hygon" whose cards nobody else changes. Every
// test leaves that node as it was.

#include "app/services.h"
#include "models/inventory/node_action_controller.h"
#include "tests/real/support/bed.h"
#include "tests/real/support/real_test.h"
#include "tests/support/wait.h"

#include <QElapsedTimer>
#include <gtest/gtest.h>

namespace tongchi {
namespace {

using Phase = NodeActionController::Phase;
using State = NodeActionLine::State;

class ConsoleActions : public ::testing::Test
{
protected:
    void open(const QString &context)
    {
        inventory.addSource(std::make_unique<ClusterSession>(services.nextClusterId(),
                                                             services.sessionFor(bed.context(context), {}),
                                                             services.sessionEnvironment()));
        ASSERT_TRUE(test::waitUntil([this] { return inventory.isComplete(); }, std::chrono::seconds(10)));
        ASSERT_FALSE(cards().empty());
    }
    std::vector<CardIndex> cards() const
    {
        std::vector<CardIndex> list;
        for (const CardIndex card : inventory.table().rows()) {
            const CardStore &store = inventory.store();
            if (services.strings.utf8(store.node(store.nodeIndexOf(card)).facts.name) == "hygon")
                list.push_back(card);
        }
        return list;
    }
    const NodeFacts &facts() const
    {
        const CardStore &store = inventory.store();
        return store.node(store.nodeIndexOf(cards().front())).facts;
    }
    bool reach(Phase phase)
    {
        return test::waitUntil([this, phase] { return actions.phase() == phase; });
    }
    /// Dry run, confirmation, and what the watch shows; says how long the last took.
    template <typename Shown> void carryOut(const char *what, const NodeChange &change, Shown shown)
    {
        ASSERT_TRUE(actions.prepare(cards(), change));
        ASSERT_TRUE(reach(Phase::Confirm));
        ASSERT_EQ(actions.readyNodes(), 1)
            << (actions.lines()[0].error ? englishText(*actions.lines()[0].error).toStdString()
                                         : "not ready");
        EXPECT_FALSE(shown()) << "the dry run changed the node";
        QElapsedTimer timer;
        timer.start();
        actions.confirm();
        ASSERT_TRUE(test::waitUntil(shown));
        std::printf("     %s: shown %lld ms after the confirmation\n", what,
                    static_cast<long long>(timer.elapsed()));
        EXPECT_LT(timer.elapsed(), 1'000);
        ASSERT_TRUE(reach(Phase::Finished));
        EXPECT_EQ(actions.lines()[0].state, State::Done);
    }

    Services services;
    real::Bed bed;
    InventoryController inventory{services.strings, services.clock, {}};
    std::vector<AuditEntry> written;
    NodeActionController actions{inventory, [this](const AuditEntry &entry) { written.push_back(entry); }};
};

REAL_TEST_F(ConsoleActions, CordonsAndUndoes, "5: cordon and its undo show in the watch")
{
    open(QStringLiteral("real"));
    const auto cordoned = [this] { return facts().usability == NodeUsability::Cordoned; };
    carryOut("cordon", {.unschedulable = true}, cordoned);
    ASSERT_TRUE(actions.canUndo());
    actions.undo();
    EXPECT_TRUE(test::waitUntil([&] { return !cordoned(); }));
    ASSERT_TRUE(reach(Phase::Finished));
    EXPECT_EQ(actions.lines()[0].state, State::Undone);
    ASSERT_EQ(written.size(), 2u);
    EXPECT_EQ(written[0].clusterUser, QStringLiteral("admin"));
}

REAL_TEST_F(ConsoleActions, LabelsAndUndoes, "5: a label and its undo show in the watch")
{
    open(QStringLiteral("real"));
    carryOut("label", {.businessLabel = BusinessLabel::Training},
             [this] { return facts().businessLabel == BusinessLabel::Training; });
    actions.undo();
    EXPECT_TRUE(test::waitUntil([this] { return facts().businessLabel == BusinessLabel::Unknown; }));
    ASSERT_TRUE(reach(Phase::Finished));
    EXPECT_EQ(actions.lines()[0].state, State::Undone);
}

REAL_TEST_F(ConsoleActions, RefusesToUndoWhatSomebodyElseChangedSince,
            "5: an undo never overwrites somebody else")
{
    open(QStringLiteral("real"));
    carryOut("label", {.businessLabel = BusinessLabel::Training},
             [this] { return facts().businessLabel == BusinessLabel::Training; });
    InventorySource *source = inventory.sources().first();
    const QString uid = services.strings.text(facts().uid);
    const auto change = [&](BusinessLabel label) {
        const auto future =
            source->changeNode(QStringLiteral("hygon"), uid, {.businessLabel = label}, false, std::nullopt);
        EXPECT_TRUE(test::waitFor(future));
        EXPECT_TRUE(future.result().has_value());
    };
    change(BusinessLabel::Mixed); // past the action: somebody else's
    actions.undo();
    ASSERT_TRUE(reach(Phase::Finished));
    ASSERT_TRUE(actions.lines()[0].error);
    EXPECT_EQ(actions.lines()[0].error->code, ErrorCode::Conflict);
    EXPECT_TRUE(test::waitUntil([this] { return facts().businessLabel == BusinessLabel::Mixed; }));
    change(BusinessLabel::Unknown);
}

REAL_TEST_F(ConsoleActions, AViewerIsToldThatHeMayNot, "5: a viewer may not write and is told")
{
    open(QStringLiteral("viewer"));
    ASSERT_TRUE(test::waitUntil([this] { return actions.allowed(cards()).known; }));
    EXPECT_FALSE(actions.allowed(cards()).allowed);
    EXPECT_FALSE(actions.allowed(cards()).reason.isEmpty());
    ASSERT_TRUE(actions.prepare(cards(), {.unschedulable = true}));
    ASSERT_TRUE(test::waitUntil([this] { return actions.lines()[0].state == State::Refused; }));
    EXPECT_EQ(actions.lines()[0].error->code, ErrorCode::Forbidden);
}

} // namespace
} // namespace tongchi
