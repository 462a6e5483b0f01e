#include "platform/kubernetes/node_parser.h"

#include "tests/kubernetes/case_data.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tongchi {
namespace {

using test::parseOne;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pair;

test::ParsedList<NodeRecord> nodesOf(const QString &name)
{
    return test::parseList<NodeRecord, NodeParser>(test::caseAnswers(name, QStringLiteral("list")).front());
}

NodeRecord nodeOf(std::string_view json)
{
    return parseOne<NodeRecord, NodeParser>(json);
}

const ResourceAmount *amountOf(const NodeRecord &node, std::string_view name)
{
    for (const ResourceAmount &amount : node.resources) {
        if (amount.name == name)
            return &amount;
    }
    return nullptr;
}

std::string reasonFor(std::string_view json, UnreadableObject *found = nullptr)
{
    NodeParser parser;
    NodeRecord record;
    UnreadableObject why;
    EXPECT_FALSE(parser.parse(test::PaddedText(json).view(), record, why)) << json;
    if (found)
        *found = why;
    return why.reason;
}

TEST(NodeParser, ReadsWhatTheConsoleKeepsOfANode)
{
    const NodeRecord node = nodeOf(R"({"kind":"Node","metadata":{"name":"n","uid":"u","resourceVersion":"7",
        "creationTimestamp":"2026-03-02T08:00:00.25+08:00","labels":{"a":"1","caf\u00e9/x":"\u4e2d"},
        "annotations":{"kubectl.kubernetes.io/last-applied-configuration":"{}","hami.io/x":"[{\"id\":\"GPU\"}]"}},
        "spec":{"unschedulable":true,"taints":[{"key":"k","value":"v","effect":"NoSchedule","timeAdded":null},null,{"key":"k2","effect":"NoExecute"}]},
        "status":{"capacity":{"cpu":"128","nvidia.com/gpu":"1k","hugepages-2Mi":"0","example.com/thing":3},
          "allocatable":{"nvidia.com/gpu":"7","other.org/x":"500m"},
          "conditions":[{"type":"DiskPressure","status":"True"},{"type":"Ready","status":"Unknown","reason":"NodeStatusUnknown"},{"type":"MemoryPressure","status":"False"}],
          "addresses":[{"type":"InternalIP","address":"10.0.0.1"},{"type":"ExternalIP","address":"1.2.3.4"},{"type":"Hostname","address":"n"}],
          "nodeInfo":{"kubeletVersion":"v1.34.1","operatingSystem":"linux","architecture":"arm64"}}})");
    EXPECT_EQ(node.key.name, "n");
    EXPECT_EQ(node.key.uid, "u");
    EXPECT_EQ(node.resourceVersion, "7");
    ASSERT_TRUE(node.created);
    EXPECT_EQ(node.created->time_since_epoch().count(), 1'772'409'600'250);
    EXPECT_THAT(node.labels, ElementsAre(Pair("a", "1"), Pair("caf\u00e9/x", "\u4e2d")));
    EXPECT_THAT(node.annotations, ElementsAre(Pair("hami.io/x", R"([{"id":"GPU"}])")));
    EXPECT_TRUE(node.unschedulable);
    ASSERT_EQ(node.taints.size(), 2u);
    EXPECT_EQ(node.taints[1].key, "k2");
    EXPECT_EQ(node.taints[1].value, "");
    EXPECT_EQ(node.ready, ConditionStatus::Unknown);
    EXPECT_EQ(node.readyReason, "NodeStatusUnknown");
    EXPECT_THAT(node.pressures, ElementsAre("DiskPressure"));
    EXPECT_THAT(node.addresses, ElementsAre("10.0.0.1", "n"));
    EXPECT_EQ(node.architecture, "arm64");
    EXPECT_EQ(node.resources.size(), 3u);
    EXPECT_EQ(amountOf(node, "nvidia.com/gpu")->capacity->units(), 1000);
    EXPECT_EQ(amountOf(node, "nvidia.com/gpu")->allocatable->units(), 7);
    EXPECT_EQ(amountOf(node, "example.com/thing")->capacity->units(), 3);
    EXPECT_EQ(amountOf(node, "example.com/thing")->allocatable, std::nullopt);
    EXPECT_EQ(amountOf(node, "other.org/x")->allocatable->toDouble(), 0.5);
}

// CI-05
TEST(NodeParser, KeepsTheTextOfAnAmountThatIsNone)
{
    const NodeRecord node = nodeOf(R"({"metadata":{"name":"n"},"status":{"capacity":
        {"a/x":"eight","b/x":"-1","c/x":null,"d/x":{},"e/x":"8 ","f/x":"2E6024865270001"},"allocatable":{"a/x":"8"}}})");
    for (const char *name : {"a/x", "b/x", "c/x", "d/x", "e/x", "f/x"})
        EXPECT_EQ(amountOf(node, name)->capacity, std::nullopt) << name;
    EXPECT_EQ(amountOf(node, "a/x")->rawCapacity, "eight");
    EXPECT_EQ(amountOf(node, "b/x")->rawCapacity, "-1");
    EXPECT_EQ(amountOf(node, "a/x")->allocatable->units(), 8);
}

// WT-07
TEST(NodeParser, ReadsNullAsAbsentAndRefusesOnlyWrongShapes)
{
    const auto nodes = nodesOf(QStringLiteral("WT-07"));
    ASSERT_EQ(nodes.records.size(), 3u);
    EXPECT_EQ(amountOf(*nodes.named("gpu-01"), "nvidia.com/gpu")->capacity->units(), 8);
    EXPECT_THAT(nodes.named("gpu-02")->labels, IsEmpty());
    EXPECT_THAT(nodes.named("gpu-03")->resources, IsEmpty());
    EXPECT_EQ(nodes.named("gpu-03")->ready, ConditionStatus::Missing);
    ASSERT_EQ(nodes.unreadable.size(), 1u);
    EXPECT_EQ(nodes.unreadable[0].key.name, "gpu-04");
    EXPECT_EQ(nodes.unreadable[0].key.uid, "uid-04");
    EXPECT_THAT(nodes.unreadable[0].reason, HasSubstr("another kind"));
}

TEST(NodeParser, SurvivesNullInPlaceOfEveryValue)
{
    const std::string whole =
        R"({"metadata":{"name":"n","labels":{"a":"b"},"annotations":{"c":"d"},"creationTimestamp":"x"},"spec":{"taints":[{"key":"k"}],"unschedulable":true},"status":{"capacity":{"a/b":"1"},"allocatable":{"a/b":"1"},"conditions":[{"type":"Ready","status":"True","reason":"r"}],"addresses":[{"type":"Hostname","address":"h"}],"nodeInfo":{"kubeletVersion":"v"}}})";
    // Replaces each value by null, by a text, by a list and by an object in turn.
    for (std::size_t colon = whole.find(':'); colon != std::string::npos;
         colon = whole.find(':', colon + 1)) {
        JsonValueScanner scanner;
        scanner.start(whole[colon + 1]);
        const char *const stop = scanner.scan(whole.data() + colon + 1, whole.data() + whole.size());
        ASSERT_NE(stop, nullptr);
        for (const char *other : {"null", "\"text\"", "[]", "{}", "[null]", "-1", "true"}) {
            const std::string changed =
                whole.substr(0, colon + 1) + other + std::string(stop, whole.data() + whole.size());
            NodeParser parser;
            NodeRecord record;
            UnreadableObject why;
            const bool read = parser.parse(test::PaddedText(changed).view(), record, why);
            EXPECT_TRUE(read || !why.reason.empty()) << changed;
            if (std::string_view(other) == "null" && changed.find("\"name\":\"n\"") != std::string::npos) {
                EXPECT_TRUE(read) << changed;
            }
        }
    }
}

// CI-09
TEST(NodeParser, TellsWhyANodeCannotTakeWork)
{
    const auto nodes = nodesOf(QStringLiteral("CI-09"));
    ASSERT_EQ(nodes.records.size(), 6u);
    EXPECT_EQ(nodes.named("n-ok")->ready, ConditionStatus::True);
    EXPECT_TRUE(nodes.named("n-cordoned")->unschedulable);
    EXPECT_EQ(nodes.named("n-notready")->ready, ConditionStatus::False);
    EXPECT_EQ(nodes.named("n-unknown")->ready, ConditionStatus::Unknown);
    EXPECT_THAT(nodes.named("n-pressure")->pressures, ElementsAre("DiskPressure"));
    EXPECT_EQ(nodes.named("n-drain")->taints.at(0).effect, "NoExecute");
}

// CI-11
TEST(NodeParser, KeepsTextsThatTryToBeMarkupAsTheyAre)
{
    const auto nodes = nodesOf(QStringLiteral("CI-11"));
    ASSERT_FALSE(nodes.records.empty());
    EXPECT_THAT(nodes.unreadable, IsEmpty());
    const NodeRecord *node = nodes.named("rack7-n1");
    ASSERT_TRUE(node);
    std::string nul, owner;
    for (const auto &[key, text] : node->annotations) {
        if (key == "tongchi/nul")
            nul = text;
        if (key == "tongchi/owner")
            owner = text;
    }
    EXPECT_EQ(nul, std::string("a\0b", 3)) << "stored untouched";
    EXPECT_THAT(owner, HasSubstr("<b>root</b>"));
}

TEST(NodeParser, BoundsWhatOneNodeMayTake)
{
    std::string json = R"({"metadata":{"name":"n","labels":{)";
    for (int i = 0; i < 2000; ++i)
        json += "\"label-" + std::to_string(i) + "\":\"" + std::string(60, 'x') + "\",";
    json += R"("last":"1"},"annotations":{"big":")";
    for (int i = 0; i < 200'000; ++i)
        json += "\u4e2d";
    json += "\",\"small\":\"s\"}}}";
    const NodeRecord node = nodeOf(json);
    std::size_t labelBytes = 0;
    for (const auto &[key, text] : node.labels)
        labelBytes += key.size() + text.size();
    EXPECT_LE(labelBytes, 64u * 1024);
    ASSERT_EQ(node.annotations.size(), 2u);
    EXPECT_LE(node.annotations[0].second.size(), 256u * 1024);
    EXPECT_EQ(node.annotations[0].second.size() % 3, 0u) << "cut between characters";
    EXPECT_EQ(node.annotations[1].second, "s");
}

TEST(NodeParser, LetsTheLastOfTwoEqualNamesCount)
{
    const NodeRecord node = nodeOf(R"({"metadata":{"name":"first","name":"n","labels":{"a":"1","a":"2"}}})");
    EXPECT_EQ(node.key.name, "n");
    EXPECT_THAT(node.labels, ElementsAre(Pair("a", "2")));
}

TEST(NodeParser, LeavesNothingOfTheNodeBefore)
{
    NodeParser parser;
    NodeRecord record;
    UnreadableObject why;
    ASSERT_TRUE(parser.parse(
        test::PaddedText(
            R"({"metadata":{"name":"a","labels":{"x":"1","y":"2"},"creationTimestamp":"2026-03-02T08:00:00Z"},"spec":{"unschedulable":true,"taints":[{"key":"k"}]},"status":{"capacity":{"a/b":"1"},"conditions":[{"type":"Ready","status":"True"},{"type":"X","status":"True"}],"addresses":[{"type":"Hostname","address":"h"}],"nodeInfo":{"architecture":"a"}}})")
            .view(),
        record, why));
    ASSERT_TRUE(parser.parse(test::PaddedText(R"({"metadata":{"name":"b"}})").view(), record, why));
    EXPECT_EQ(record.key.name, "b");
    EXPECT_TRUE(record.labels.empty() && record.annotations.empty() && record.taints.empty() &&
                record.resources.empty() && record.addresses.empty() && record.pressures.empty() &&
                !record.created && !record.unschedulable && record.architecture.empty() &&
                record.ready == ConditionStatus::Missing);
}

TEST(NodeParser, NamesAnObjectThatItCannotRead)
{
    UnreadableObject why;
    EXPECT_THAT(
        reasonFor("{\"metadata\":{\"name\":\"n-1\",\"uid\":\"u\",\"labels\":{\"a\":\"\xff\xfe\"}}}", &why),
        HasSubstr("JSON"));
    EXPECT_EQ(why.key.name, "n-1");
    reasonFor(R"({"spec":{"x":[}],"metadata":{"name":"n-2"}})", &why);
    reasonFor(R"({"metadata":{"name":"n-3"},"spec":{"taints":"none"}})", &why);
    EXPECT_EQ(why.key.name, "n-3");
    EXPECT_THAT(reasonFor(R"({"metadata":{"uid":"u"}})"), HasSubstr("no name"));
    EXPECT_THAT(reasonFor(R"({})"), HasSubstr("no name"));
    EXPECT_THAT(reasonFor(R"([])"), HasSubstr("JSON"));
    EXPECT_THAT(reasonFor(""), HasSubstr("JSON"));
}

TEST(FindIdentity, ReadsNamesOutOfBrokenAndCutText)
{
    EXPECT_EQ(
        findIdentity(
            R"({"a":{"metadata":{"name":"no"}},"metadata":{"labels":{"name":"no"},"name":"yes","resourceVersion":"5"},"x":[)")
            .key.name,
        "yes");
    EXPECT_EQ(findIdentity(R"({"metadata":{"name":"cut)").key.name, "cut");
    EXPECT_EQ(findIdentity("{\"metadata\":{\"name\":\"a\xff\"}}").key.name, "a\xef\xbf\xbd");
    EXPECT_EQ(findIdentity("").key.name, "");
    EXPECT_EQ(findIdentity("nonsense").key.name, "");
    EXPECT_EQ(findIdentity(R"({"metadata":null})").key.name, "");
    EXPECT_EQ(findIdentity(R"({"metadata":{"name":7,"uid":"u"}})").key.uid, "u");
}

} // namespace
} // namespace tongchi
