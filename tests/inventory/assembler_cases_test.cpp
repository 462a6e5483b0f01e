// The shared cases of the card inventory and of identity across watches.

#include "tests/inventory/assembler_fixture.h"

#include <gmock/gmock.h>

namespace tongchi {
namespace {

using test::AssemblerHarness;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

class AssemblerCases : public ::testing::Test
{
protected:
    StringPool pool;
    AssemblerHarness it{pool};
};

TEST_F(AssemblerCases, CI01_EveryFormOfARegisterCountsItsEntries)
{
    const QJsonObject expect = it.readCase(QStringLiteral("CI-01"));
    const QJsonObject cards = expect[QLatin1String("cards")].toObject();
    for (auto each = cards.begin(); each != cards.end(); ++each)
        EXPECT_EQ(int(it.cardsOf(each.key().toStdString()).size()), each.value().toInt())
            << each.key().toStdString();
    EXPECT_EQ(int(it.store.cardCount()), expect[QLatin1String("total_cards")].toInt());

    std::vector<std::string> unhealthy;
    for (const char *name : {"hami-csv9", "hami-csv7", "hami-json"}) {
        int shares = 0;
        std::uint16_t slot = 0;
        for (const CardRecord &card : it.cardsOf(name)) {
            EXPECT_EQ(card.slot, slot++);
            shares += card.shares;
            if (card.health == CardHealth::Unhealthy)
                unhealthy.push_back(it.uuid(card));
        }
        EXPECT_EQ(shares, expect[QLatin1String("shares")][QLatin1String(name)].toInt()) << name;
    }
    std::vector<std::string> expected;
    for (const QJsonValue &uuid : expect[QLatin1String("unhealthy")].toArray())
        expected.push_back(uuid.toString().toStdString());
    EXPECT_EQ(unhealthy, expected);

    const auto csv9 = it.cardsOf("hami-csv9");
    const auto json = it.cardsOf("hami-json");
    ASSERT_EQ(csv9.size(), 8u);
    ASSERT_EQ(json.size(), 8u);
    EXPECT_EQ(csv9[0].memoryBytes, 81559 * bytesPerMiB);
    EXPECT_EQ(csv9[3].numaNode, 0);
    EXPECT_EQ(csv9[4].numaNode, 1);
    EXPECT_EQ(json[0].numaNode, 0);
    EXPECT_EQ(it.text(csv9[0].modelReported), "H100 80GB HBM3");
    EXPECT_EQ(csv9[0].modelReported, json[7].modelReported);
    EXPECT_EQ(it.text(json[0].model), "H100");
    EXPECT_EQ(it.text(it.cardsOf("hami-csv7")[0].model), "T4");

    const StoredNode *broken = it.nodeNamed("hami-broken");
    ASSERT_NE(broken, nullptr);
    EXPECT_THAT(it.text(broken->facts.note), HasSubstr("registration could not be read"));
}

TEST_F(AssemblerCases, CI03_CountsWithdrawnHeldAndFree)
{
    const QJsonObject expect = it.readCase(QStringLiteral("CI-03"));
    int cards = 0, withdrawn = 0, free = 0;
    for (auto each = expect.begin(); each != expect.end(); ++each) {
        if (each.key() == QLatin1String("pool"))
            continue;
        const StoredNode *node = it.nodeNamed(each.key().toStdString());
        ASSERT_NE(node, nullptr);
        const NodeFacts &facts = node->facts;
        EXPECT_EQ(facts.cards, each.value()[QLatin1String("cards")].toInt()) << each.key().toStdString();
        EXPECT_EQ(facts.withdrawn, each.value()[QLatin1String("withdrawn")].toInt())
            << each.key().toStdString();
        EXPECT_EQ(facts.held, each.value()[QLatin1String("held")].toInt()) << each.key().toStdString();
        EXPECT_EQ(facts.free, each.value()[QLatin1String("free")].toInt()) << each.key().toStdString();
        cards += facts.cards;
        withdrawn += facts.withdrawn;
        free += facts.free;
        const CardFlags flags = it.cardsOf(each.key().toStdString()).front().flags;
        EXPECT_EQ(flags.testFlag(CardFlag::Withdrawn), facts.withdrawn > 0);
    }
    EXPECT_EQ(cards, expect[QLatin1String("pool")][QLatin1String("cards")].toInt());
    EXPECT_EQ(withdrawn, expect[QLatin1String("pool")][QLatin1String("withdrawn")].toInt());
    EXPECT_EQ(free, expect[QLatin1String("pool")][QLatin1String("free")].toInt());
    EXPECT_TRUE(it.cardsOf("gpu-over").front().flags.testFlag(CardFlag::MoreHeldThanAllocatable));
    EXPECT_FALSE(it.cardsOf("gpu-part").front().flags.testFlag(CardFlag::MoreHeldThanAllocatable));
    EXPECT_EQ(it.cardsOf("gpu-good").front().label, BusinessLabel::Idle);
    EXPECT_EQ(it.cardsOf("gpu-part").front().label, BusinessLabel::Unknown)
        << "nobody says which four of the eight";
}

TEST_F(AssemblerCases, CI05_AnUnreadableAmountIsANoteAndNoCards)
{
    using Resources = std::map<QString, std::pair<QString, QString>>;
    const QString gpu = QStringLiteral("nvidia.com/gpu");
    it.node(test::nodeJson("words", {}, {},
                           Resources{{gpu, {QStringLiteral("eight"), QStringLiteral("eight")}}}));
    it.node(
        test::nodeJson("thousand", {}, {}, Resources{{gpu, {QStringLiteral("1k"), QStringLiteral("1k")}}}));
    it.node(
        test::nodeJson("negative", {}, {}, Resources{{gpu, {QStringLiteral("-4"), QStringLiteral("-4")}}}));
    it.node(test::nodeJson("half", {}, {}, Resources{{gpu, {QStringLiteral("8"), QStringLiteral("many")}}}));
    it.settle();
    EXPECT_EQ(it.cardsOf("thousand").size(), 1000u);
    EXPECT_EQ(it.cardsOf("words").size(), 0u);
    ASSERT_NE(it.nodeNamed("words"), nullptr);
    EXPECT_THAT(it.text(it.nodeNamed("words")->facts.note), HasSubstr("\"eight\""));
    EXPECT_EQ(it.cardsOf("negative").size(), 0u);
    ASSERT_NE(it.nodeNamed("negative"), nullptr);
    ASSERT_EQ(it.cardsOf("half").size(), 8u);
    EXPECT_TRUE(it.cardsOf("half").front().flags.testFlag(CardFlag::AmountUnreadable));
    EXPECT_EQ(it.store.cardCount(), 1008u);
}

TEST_F(AssemblerCases, CI07_OneUuidOnTwoNodesIsTwoCards)
{
    it.readCase(QStringLiteral("CI-07"));
    EXPECT_EQ(it.store.cardCount(), 2u);
    for (const char *name : {"vm-a", "vm-b"}) {
        ASSERT_EQ(it.cardsOf(name).size(), 1u);
        EXPECT_TRUE(it.cardsOf(name)[0].flags.testFlag(CardFlag::SameUuidElsewhere));
    }
    const auto matches = it.assembler.byUuid("GPU-A000001E-1111-4222-8333-000000000001");
    ASSERT_EQ(matches.size(), 2u);
    EXPECT_NE(matches[0].node, matches[1].node);
    const auto a = it.assembler.nodeByHost("VM-A");
    EXPECT_EQ(it.assembler.nodeName(a), "vm-a");
    EXPECT_EQ(it.assembler.nodeByHost("10.20.0.9"), CardIdentities::none);
    EXPECT_EQ(it.assembler.bySlot(a, Vendor::Nvidia, 0).node, a);
    EXPECT_EQ(it.assembler.bySlot(a, Vendor::Nvidia, 1).ordinal, CardIdentities::none);
}

TEST_F(AssemblerCases, CI09_SaysWhyANodeTakesNoNewWork)
{
    const QJsonObject expect = it.readCase(QStringLiteral("CI-09"));
    int usable = 0;
    for (const char *name : {"n-ok", "n-cordoned", "n-drain", "n-notready", "n-unknown", "n-pressure"}) {
        const StoredNode *node = it.nodeNamed(name);
        ASSERT_NE(node, nullptr);
        usable += node->facts.usability == NodeUsability::Usable ? node->facts.cards : 0;
    }
    EXPECT_EQ(usable, expect[QLatin1String("usable")].toInt());
    EXPECT_EQ(int(it.store.cardCount()), expect[QLatin1String("total")].toInt());
    EXPECT_EQ(it.nodeNamed("n-cordoned")->facts.usability, NodeUsability::Cordoned);
    EXPECT_EQ(it.nodeNamed("n-drain")->facts.usability, NodeUsability::Tainted);
    EXPECT_EQ(it.text(it.nodeNamed("n-drain")->facts.usabilityReason), "maintenance");
    EXPECT_EQ(it.nodeNamed("n-notready")->facts.usability, NodeUsability::NotReady);
    EXPECT_EQ(it.nodeNamed("n-unknown")->facts.usability, NodeUsability::NoContact);
    EXPECT_EQ(it.nodeNamed("n-pressure")->facts.usability, NodeUsability::Tainted);
}

TEST_F(AssemblerCases, CI09_ATaintOfTheAcceleratorItselfIsNoReason)
{
    QByteArray json = test::nodeJson(
        "tainted", {}, {}, {{QStringLiteral("nvidia.com/gpu"), {QStringLiteral("2"), QStringLiteral("2")}}});
    json.replace("{\"metadata\"",
                 "{\"spec\":{\"taints\":[{\"key\":\"nvidia.com/gpu\",\"effect\":\"NoSchedule\"},"
                 "{\"key\":\"soft\",\"effect\":\"PreferNoSchedule\"}]},\"metadata\"");
    it.node(json);
    it.settle();
    EXPECT_EQ(it.nodeNamed("tainted")->facts.usability, NodeUsability::Usable);
}

TEST_F(AssemblerCases, CI11_NamesThatTryToBeMarkupStayAsTheyAre)
{
    it.readCase(QStringLiteral("CI-11"));
    const auto cards = it.cardsOf("rack7-n1");
    ASSERT_EQ(cards.size(), 1u);
    EXPECT_THAT(it.text(cards[0].modelReported), HasSubstr("<img src="));
    EXPECT_EQ(cards[0].model, cards[0].modelReported);
}

TEST_F(AssemblerCases, CI11_ALongRegisterThatCannotBeReadIsCutInItsNote)
{
    it.node(test::nodeJson(
        "long", {}, {{QStringLiteral("hami.io/node-nvidia-register"), QString(200'000, QLatin1Char('x'))}},
        {}));
    it.settle();
    ASSERT_NE(it.nodeNamed("long"), nullptr);
    EXPECT_LT(it.text(it.nodeNamed("long")->facts.note).size(), 700u);
}

TEST_F(AssemblerCases, WT07_ANodeWithoutStateIsThereWithANote)
{
    it.readCase(QStringLiteral("WT-07"));
    EXPECT_EQ(it.cardsOf("gpu-01").size(), 8u);
    EXPECT_EQ(it.cardsOf("gpu-02").size(), 8u);
    const StoredNode *empty = it.nodeNamed("gpu-03");
    ASSERT_NE(empty, nullptr);
    EXPECT_EQ(empty->cards.size(), 0u);
    EXPECT_EQ(empty->facts.usability, NodeUsability::NoContact);
    EXPECT_EQ(it.store.cardCount(), 16u);
    EXPECT_EQ(it.assembler.unreadableNodes().count, 1);
    EXPECT_EQ(it.assembler.unreadableNodes().objects.front().key.name, "gpu-04");
}

NodeRecord plainNode(const char *name, const char *uid, const char *gpus)
{
    NodeRecord record;
    record.key = {.name = name, .uid = uid};
    record.ready = ConditionStatus::True;
    record.resources.push_back({.name = "nvidia.com/gpu",
                                .capacity = Quantity::parse(gpus),
                                .allocatable = Quantity::parse(gpus),
                                .rawCapacity = gpus,
                                .rawAllocatable = gpus});
    return record;
}

TEST_F(AssemblerCases, WT09_IdentityOfANodeIsItsUid)
{
    auto &nodes = it.assembler.nodes();
    nodes.listStarted();
    nodes.upsert(plainNode("gpu-07", "uid-07-A", "8"));
    nodes.upsert(plainNode("gpu-08", "uid-08-A", "8"));
    nodes.listFinished();
    it.settle();
    EXPECT_EQ(it.store.cardCount(), 16u);

    nodes.removed({.name = "gpu-07", .uid = "uid-07-A"});
    nodes.upsert(plainNode("gpu-07", "uid-07-B", "4"));
    nodes.removed({.name = "gpu-07", .uid = "uid-07-A"}); // late, and again
    it.settle();
    EXPECT_EQ(it.cardsOf("gpu-07").size(), 4u);
    EXPECT_EQ(it.store.cardCount(), 12u);
    nodes.removed({.name = "gpu-07", .uid = "uid-07-A"});
    it.settle();
    EXPECT_EQ(it.cardsOf("gpu-07").size(), 4u);

    nodes.listStarted(); // the farewell of the other one was missed
    nodes.upsert(plainNode("gpu-07", "uid-07-B", "4"));
    nodes.upsert(plainNode("gpu-08", "uid-08-B", "2"));
    nodes.listFinished();
    it.settle();
    EXPECT_EQ(it.cardsOf("gpu-08").size(), 2u);
    EXPECT_EQ(it.text(it.nodeNamed("gpu-08")->facts.uid), "uid-08-B");
    EXPECT_EQ(it.store.cardCount(), 6u);
    EXPECT_EQ(it.assembler.cardCount(), 6u);
}

TEST_F(AssemblerCases, WT09_AListSweepsWhatItDoesNotName)
{
    auto &nodes = it.assembler.nodes();
    nodes.listStarted();
    nodes.upsert(plainNode("a", "A", "2"));
    nodes.upsert(plainNode("b", "B", "2"));
    nodes.listFinished();
    it.settle();
    nodes.listStarted();
    nodes.upsert(plainNode("b", "B", "2"));
    nodes.listStarted(); // broken off and begun anew
    nodes.upsert(plainNode("b", "B", "2"));
    EXPECT_EQ(it.settle(), 0u) << "until the list is whole nothing is missing";
    nodes.listFinished();
    it.settle();
    EXPECT_EQ(it.nodeNamed("a"), nullptr);
    EXPECT_EQ(it.store.cardCount(), 2u);
}

} // namespace
} // namespace tongchi
