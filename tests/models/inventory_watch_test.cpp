#include "models/inventory/card_filter.h"
#include "models/inventory/inventory_watch.h"
#include "tests/models/pool_builder.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <gtest/gtest.h>

namespace tongchi {
namespace {

const Instant watchedAt{std::chrono::milliseconds{1'798'612'928'000}};

class InventoryWatchTest : public ::testing::Test
{
protected:
    StringPool strings;
    CardStore store{strings};
    test::PoolBuilder builder{strings};
    InventoryWatch watch{store};

    void apply(const std::vector<test::PoolBuilder::Node> &nodes, const std::vector<std::string> &gone = {})
    {
        InventoryDelta delta = builder.delta(nodes);
        for (const std::string &name : gone)
            delta.removedNodes.push_back(strings.intern("uid-" + name));
        delta.status = builder.status();
        store.apply(delta, watchedAt);
    }
    std::vector<CardIndex> listed() { return CardFilter(store, {}, watchedAt).run().cards; }
    InventoryWatch::Changes take() { return watch.take(listed()); }
};

TEST_F(InventoryWatchTest, TellsOnlyWhatDiffersFromTheCallBefore)
{
    apply({{.name = "a", .cards = 2}, {.name = "b", .cards = 1}});
    EXPECT_EQ(take().changed.size(), 3u);
    EXPECT_TRUE(take().isEmpty());
    apply({{.name = "b", .cards = 1, .usability = NodeUsability::Cordoned}});
    const auto changes = take();
    ASSERT_EQ(changes.changed.size(), 1u);
    EXPECT_EQ(strings.utf8(store.node(store.nodeIndexOf(changes.changed[0])).facts.name), "b");
    EXPECT_TRUE(changes.removed.empty());
    EXPECT_EQ(changes.cards, 3u);
}

TEST_F(InventoryWatchTest, NamesTheCardsThatAreGone)
{
    apply({{.name = "a", .cards = 2}, {.name = "b", .cards = 1}});
    (void)take();
    apply({}, {"a"});
    const auto changes = take();
    EXPECT_TRUE(changes.changed.empty());
    const QJsonObject line = QJsonDocument::fromJson(watchLine(store, changes, watchedAt)).object();
    EXPECT_EQ(line.value(QStringLiteral("removed")).toInt(), 2);
    EXPECT_EQ(line.value(QStringLiteral("cards")).toInt(), 1);
    const QJsonArray gone = line.value(QStringLiteral("removed_cards")).toArray();
    ASSERT_EQ(gone.size(), 2);
    EXPECT_EQ(gone.at(1).toObject(), (QJsonObject{{QStringLiteral("cluster"), QStringLiteral("bj-prod")},
                                                  {QStringLiteral("node"), QStringLiteral("a")},
                                                  {QStringLiteral("vendor"), QStringLiteral("nvidia")},
                                                  {QStringLiteral("slot"), 1}}));
}

TEST_F(InventoryWatchTest, SeesANewCardBehindAnIndexThatIsUsedAgain)
{
    apply({{.name = "a", .cards = 1}});
    const auto before = listed();
    (void)take();
    apply({}, {"a"});
    apply({{.name = "b", .cards = 1}});
    ASSERT_EQ(listed(), before) << "the store uses the index again; otherwise this test shows nothing";
    const auto changes = take();
    EXPECT_EQ(changes.changed.size(), 1u);
    ASSERT_EQ(changes.removed.size(), 1u);
    EXPECT_TRUE(changes.removed[0].contains("\"node\":\"a\""));
}

TEST_F(InventoryWatchTest, WritesNoNewLineInsideALine)
{
    apply({{.name = "a", .cards = 2, .pod = "ns/strange\nname"}});
    const QByteArray line = watchLine(store, take(), watchedAt);
    EXPECT_EQ(line.count('\n'), 1);
    EXPECT_TRUE(line.endsWith('\n'));
    EXPECT_EQ(QJsonDocument::fromJson(line).object().value(QStringLiteral("changed")).toArray().size(), 2);
}

} // namespace
} // namespace tongchi
