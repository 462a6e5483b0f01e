// What the console writes, on a real API server: TONGCHI_REAL_KUBECONFIG with the contexts "real"
// (administrator) and "viewer", and a node "hygon" with cards that nobody else changes. Every test leaves
// that node as it was.

#include "app/services.h"
#include "models/inventory/node_action_controller.h"
#include "platform/kubernetes/kubeconfig_loader.h"
#include "tests/support/wait.h"

#include <QElapsedTimer>
#include <QFile>
#include <gtest/gtest.h>

namespace tongchi {
namespace {

using Phase = NodeActionController::Phase;
using State = NodeActionLine::State;

class ConsoleActions : public ::testing::Test
{
protected:
    void SetUp() override
    {
        const QString file = qEnvironmentVariable("TONGCHI_REAL_KUBECONFIG");
        ASSERT_FALSE(file.isEmpty()) << "started by cards_check.py alone";
        kubeconfig = loadKubeconfig({.explicitFiles = {QFile::encodeName(file)}});
    }

    void open(const QString &context)
    {
        const KubeContext *found = kubeconfig.find(context);
        ASSERT_TRUE(found) << context.toStdString();
        inventory.addSource(std::make_unique<ClusterSession>(
            services.nextClusterId(), services.sessionFor(*found, {}), services.sessionEnvironment()));
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
    Kubeconfig kubeconfig;
    InventoryController inventory{services.strings, services.clock, {}};
    std::vector<AuditEntry> written;
    NodeActionController actions{inventory, [this](const AuditEntry &entry) { written.push_back(entry); }};
};

TEST_F(ConsoleActions, CordonsAndUndoes)
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

TEST_F(ConsoleActions, LabelsAndUndoes)
{
    open(QStringLiteral("real"));
    carryOut("label", {.businessLabel = BusinessLabel::Training},
             [this] { return facts().businessLabel == BusinessLabel::Training; });
    actions.undo();
    EXPECT_TRUE(test::waitUntil([this] { return facts().businessLabel == BusinessLabel::Unknown; }));
    ASSERT_TRUE(reach(Phase::Finished));
    EXPECT_EQ(actions.lines()[0].state, State::Undone);
}

TEST_F(ConsoleActions, RefusesToUndoWhatSomebodyElseChangedSince)
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

TEST_F(ConsoleActions, AViewerIsToldThatHeMayNot)
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
