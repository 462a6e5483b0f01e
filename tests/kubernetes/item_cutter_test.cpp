#include "platform/kubernetes/item_cutter.h"

#include "tests/kubernetes/list_collector.h"
#include "tests/support/qt_printers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

namespace tongchi {
namespace {

using test::feedExactly;
using test::feedInPieces;
using test::ListCollector;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const std::string kTrickyList = R"( { "kind" : "PodList", "apiVersion":"v1",
  "metadata": {"resourceVersion":"748","continue":"eyJ2\"}","remainingItemCount":4, "x": [1, {"items": []}]},
  "items": [ {"a":"}]\"\\"} , {"b":{"items":[{"c":"\\\\"}]}},{},
   {"long":")" + std::string(200, '{') +
                                R"("} ] , "future" : {"items":["no"]}, "n": -1.5e3 } )";

struct Outcome
{
    std::vector<std::string> items;
    std::string version, next, kind, header, error;
    std::vector<std::pair<std::string, std::string>> skipped;
    bool operator==(const Outcome &) const = default;
};

Outcome cutInPieces(const std::string &body, std::size_t size, ItemCutter::Limits limits = {})
{
    ItemCutter cutter(limits);
    ListCollector collector;
    feedInPieces(cutter, body, size, collector);
    const Status status = cutter.finish();
    return {collector.items,
            cutter.header().resourceVersion,
            cutter.header().continueToken,
            cutter.header().kind,
            cutter.headerJson(),
            status ? std::string() : status.error().detail.toStdString(),
            collector.skipped};
}

std::string errorOf(const std::string &body)
{
    const Outcome whole = cutInPieces(body, body.size() + 1);
    const Outcome bytes = cutInPieces(body, 1);
    EXPECT_EQ(whole.error.empty(), bytes.error.empty()) << body;
    return whole.error;
}

TEST(ItemCutter, CutsElementsAndReadsWhatTheListSaysAboutItself)
{
    const Outcome outcome = cutInPieces(kTrickyList, kTrickyList.size());
    EXPECT_EQ(outcome.error, "");
    ASSERT_EQ(outcome.items.size(), 4u);
    EXPECT_EQ(outcome.items[0], R"({"a":"}]\"\\"})");
    EXPECT_EQ(outcome.items[1], R"({"b":{"items":[{"c":"\\\\"}]}})");
    EXPECT_EQ(outcome.items[2], "{}");
    EXPECT_EQ(outcome.version, "748");
    EXPECT_EQ(outcome.next, "eyJ2\"}");
    EXPECT_EQ(outcome.kind, "PodList");
}

TEST(ItemCutter, GivesTheSameWhereverTheBodyIsCut)
{
    const Outcome whole = cutInPieces(kTrickyList, kTrickyList.size());
    for (std::size_t at = 1; at < kTrickyList.size(); ++at) {
        ItemCutter cutter;
        ListCollector collector;
        feedExactly(cutter, std::string_view(kTrickyList).substr(0, at), collector);
        feedExactly(cutter, std::string_view(kTrickyList).substr(at), collector);
        ASSERT_OK(cutter.finish());
        ASSERT_EQ(collector.items, whole.items) << "cut at " << at;
        ASSERT_EQ(cutter.header().continueToken, whole.next) << "cut at " << at;
    }
    for (const std::size_t size : {1u, 2u, 3u, 7u, 63u, 64u, 65u, 128u})
        EXPECT_EQ(cutInPieces(kTrickyList, size), whole) << "pieces of " << size;
}

TEST(ItemCutter, GivesTheSameForRandomCuts)
{
    const Outcome whole = cutInPieces(kTrickyList, kTrickyList.size());
    std::mt19937 random(3);
    for (int round = 0; round < 500; ++round) {
        ItemCutter cutter;
        ListCollector collector;
        for (std::size_t at = 0; at < kTrickyList.size();) {
            const std::size_t size = random() % 5 == 0 ? 0 : 1 + random() % 150;
            feedExactly(cutter, std::string_view(kTrickyList).substr(at, size), collector);
            at += size;
        }
        ASSERT_OK(cutter.finish());
        ASSERT_EQ(collector.items, whole.items);
    }
}

TEST(ItemCutter, FindsMetadataBehindTheItemsToo)
{
    const Outcome outcome =
        cutInPieces(R"({"items":[{"a":1}],"metadata":{"resourceVersion":"9"},"kind":"NodeList"})", 5);
    EXPECT_EQ(outcome.error, "");
    EXPECT_EQ(outcome.version, "9");
    EXPECT_THAT(outcome.items, ElementsAre(R"({"a":1})"));
}

TEST(ItemCutter, ReadsNullItemsAsAnEmptyList)
{
    EXPECT_EQ(
        errorOf(R"({"kind":"PodList","metadata":{"resourceVersion":"6000","continue":""},"items":null})"),
        "");
    EXPECT_EQ(errorOf(R"({"kind":"PodList","metadata":null,"items":[]})"), "");
    EXPECT_EQ(errorOf(R"({"kind":"PodList","metadata":{}})"), "") << "a list without items is empty";
}

TEST(ItemCutter, KeepsTheEstimateOfWhatIsStillToCome)
{
    ItemCutter cutter;
    ListCollector collector;
    feedExactly(cutter, R"({"metadata":{"remainingItemCount":12499},"items":[)", collector);
    EXPECT_EQ(cutter.header().remainingItemCount, 12499);
    cutter.reset();
    EXPECT_EQ(cutter.header().remainingItemCount, std::nullopt);
}

TEST(ItemCutter, RecognisesAStatusInPlaceOfAList)
{
    const std::string body =
        R"({"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","reason":"Expired","code":410})";
    ItemCutter cutter;
    ListCollector collector;
    feedInPieces(cutter, body, 9, collector);
    EXPECT_OK(cutter.finish());
    EXPECT_TRUE(cutter.isStatus());
    EXPECT_EQ(cutter.headerJson(), body);
    EXPECT_THAT(collector.items, IsEmpty());
}

TEST(ItemCutter, SaysWhatIsWrongWithABodyThatIsNoList)
{
    EXPECT_THAT(errorOf(""), HasSubstr("empty"));
    EXPECT_THAT(errorOf("<html>502</html>"), HasSubstr("not a JSON object"));
    EXPECT_THAT(errorOf("[]"), HasSubstr("not a JSON object"));
    EXPECT_THAT(errorOf("404 page not found"), HasSubstr("not a JSON object"));
    EXPECT_THAT(errorOf(R"({"a":1})"), HasSubstr("no items"));
    EXPECT_THAT(errorOf(R"({"items":"none"})"), HasSubstr("not a list"));
    EXPECT_THAT(errorOf(R"({"items":{}})"), HasSubstr("not a list"));
    EXPECT_THAT(errorOf(R"({"items":[]}x)"), HasSubstr("after the end"));
    EXPECT_THAT(errorOf(R"({"items":[]}{"items":[]})"), HasSubstr("after the end"));
    EXPECT_THAT(errorOf(R"({"items":[{}{}]})"), HasSubstr("comma"));
    EXPECT_THAT(errorOf(R"({"items":[{},]})"), HasSubstr("element"));
    EXPECT_THAT(errorOf(R"({"items" []})"), HasSubstr("colon"));
    EXPECT_THAT(errorOf(R"({items:[]})"), HasSubstr("name of a field"));
}

TEST(ItemCutter, CallsEveryBeginningOfAListCutOff)
{
    const std::string_view list = std::string_view(kTrickyList).substr(0, kTrickyList.rfind('}'));
    for (std::size_t size = 2; size < list.size(); ++size) {
        ItemCutter cutter;
        ListCollector collector;
        feedExactly(cutter, list.substr(0, size), collector);
        ASSERT_FALSE(cutter.finish().has_value()) << size;
        ASSERT_EQ(cutter.finish().error().code, ErrorCode::Protocol);
        ASSERT_LE(collector.items.size(), 4u);
    }
}

TEST(ItemCutter, LeavesOutElementsThatAreTooLargeTooDeepOrNoObjects)
{
    const ItemCutter::Limits limits{.itemBytes = 100, .headerBytes = 1000, .depth = 4};
    const std::string body = R"({"kind":"NodeList","items":[{"metadata":{"name":"big"},"x":")" +
                             std::string(200, 'y') + R"("},null,{"a":[[[[1]]]]},7,"{}",[1],{"fine":1}]})";
    const Outcome whole = cutInPieces(body, body.size(), limits);
    EXPECT_EQ(whole.error, "");
    EXPECT_THAT(whole.items, ElementsAre(R"({"fine":1})"));
    ASSERT_EQ(whole.skipped.size(), 6u);
    EXPECT_THAT(whole.skipped[0].first, HasSubstr("big"));
    EXPECT_THAT(whole.skipped[0].second, HasSubstr("larger"));
    EXPECT_THAT(whole.skipped[1].second, HasSubstr("not an object"));
    EXPECT_THAT(whole.skipped[2].second, HasSubstr("deeply"));
    for (const std::size_t size : {1u, 17u, 64u})
        EXPECT_EQ(cutInPieces(body, size, limits), whole);
}

TEST(ItemCutter, TakesNoMoreMemoryForAFieldThatNobodyKnows)
{
    const std::string body = R"({"kind":"NodeList","secret":")" + std::string(100'000, 'x') +
                             R"(","metadata":{"resourceVersion":"3"},"items":[]})";
    const Outcome outcome = cutInPieces(body, 4096);
    EXPECT_EQ(outcome.error, "");
    EXPECT_EQ(outcome.version, "3");
    EXPECT_LT(outcome.header.size(), 1000u);
    EXPECT_THAT(errorOf(R"({"metadata":{"x":")" + std::string(100'000, 'x') + R"("},"items":[]})"),
                HasSubstr("too large"));
}

TEST(ItemCutter, SurvivesAThousandLevelsOfNesting)
{
    const std::string body = R"({"kind":"NodeList","items":[{"a":)" + std::string(100'000, '[') +
                             std::string(100'000, ']') + R"(},{"b":1}]})";
    const Outcome outcome = cutInPieces(body, 1000);
    EXPECT_EQ(outcome.error, "");
    EXPECT_THAT(outcome.items, ElementsAre(R"({"b":1})"));
}

TEST(ItemCutter, IsReadyForTheNextBodyAfterAReset)
{
    ItemCutter cutter;
    ListCollector collector;
    feedExactly(cutter, R"({"items":[{"a":)", collector);
    cutter.reset();
    feedExactly(cutter, R"({"kind":"NodeList","items":[{"b":2}]})", collector);
    EXPECT_OK(cutter.finish());
    EXPECT_THAT(collector.items, ElementsAre(R"({"b":2})"));
}

} // namespace
} // namespace tongchi
