#include "platform/kubernetes/watch_framing.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <random>

namespace tongchi {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class EventCollector final : public WatchEventReceiver
{
public:
    bool event(WatchEventType type, std::string_view object) override
    {
        char padding[kJsonPadding];
        std::memcpy(padding, object.data() + object.size(), sizeof padding);
        static const char *const names[] = {"+", "~", "-", "b", "!"};
        seen.push_back(names[int(type)] + std::string(object));
        return seen.size() < stopAfter;
    }
    bool skippedLine(std::string_view, const char *reason) override
    {
        seen.push_back(std::string("?") + reason);
        return true;
    }
    bool damagedLine(std::string_view, const char *reason) override
    {
        seen.push_back(std::string("damaged: ") + reason);
        return true;
    }

    std::vector<std::string> seen;
    std::size_t stopAfter = 1000;
};

std::vector<std::string> frame(std::string_view body, std::size_t first, std::size_t piece,
                               std::size_t limit = 1 << 20)
{
    WatchFraming framing(limit);
    EventCollector collector;
    for (std::size_t at = 0; at < body.size();) {
        const std::size_t size = std::min(at == 0 ? first : piece, body.size() - at);
        const std::unique_ptr<char[]> copy(new char[size]);
        std::memcpy(copy.get(), body.data() + at, size);
        framing.feed({copy.get(), size}, collector);
        at += size;
    }
    framing.finish(collector);
    return collector.seen;
}

const std::string kEvents =
    "{\"type\":\"ADDED\",\"object\":{\"metadata\":{\"name\":\"a\",\"x\":\"\\n{\\\"\"}}}\n"
    "\r\n"
    "{\"object\": {\"b\":[1,{}]}, \"more\": [\"object\"], \"type\": \"MODIFIED\"}\r\n"
    "{\"type\":\"BOOKMARK\",\"object\":{\"metadata\":{\"resourceVersion\":\"6100\"}}}\n"
    "{\"type\":\"DELETED\",\"object\":{}}\n"
    "{\"type\":\"ERROR\",\"object\":{\"kind\":\"Status\"}}";

TEST(WatchFraming, SplitsEventsWhereverTheBytesAreCut)
{
    const std::vector<std::string> whole = frame(kEvents, kEvents.size(), 1);
    EXPECT_THAT(whole, ElementsAre("+{\"metadata\":{\"name\":\"a\",\"x\":\"\\n{\\\"\"}}", "~{\"b\":[1,{}]}",
                                   "b{\"metadata\":{\"resourceVersion\":\"6100\"}}", "-{}",
                                   "!{\"kind\":\"Status\"}"));
    for (std::size_t at = 1; at < kEvents.size(); ++at)
        ASSERT_EQ(frame(kEvents, at, kEvents.size()), whole) << "cut at " << at;
    for (std::size_t piece = 1; piece < 80; ++piece)
        ASSERT_EQ(frame(kEvents, piece, piece), whole) << "pieces of " << piece;
}

TEST(WatchFraming, SaysWhichLinesAreNoEventsAndGoesOn)
{
    EXPECT_THAT(frame("<html>login</html>\n{\"type\":\"ADDED\",\"object\":{}}\n", 100, 100),
                ElementsAre("damaged: the line is not a watch event", "+{}"));
    EXPECT_THAT(
        frame("{\"type\":\"ADDED\",\"object\":{\"x\":\"\xFF\"}}\n{\"type\":\"ADDED\",\"object\":{}}\n", 9, 9),
        ElementsAre("damaged: the line is not text", "+{}"));
    EXPECT_THAT(frame("{\"type\":\"SOMETHING\",\"object\":{}}\n", 100, 100),
                ElementsAre(HasSubstr("unknown type")));
    EXPECT_THAT(frame("{\"type\":\"ADDED\",\"object\":null}\n", 100, 100),
                ElementsAre(HasSubstr("no object")));
    EXPECT_THAT(frame("{\"type\":\"ADDED\"}\n", 100, 100), ElementsAre(HasSubstr("no object")));
    EXPECT_THAT(frame("{\"type\":null,\"object\":{}}\n", 100, 100), ElementsAre(HasSubstr("unknown type")));
    EXPECT_THAT(frame("{\"type\":\"ADDED\",\"object\":{}} extra\n", 100, 100),
                ElementsAre(HasSubstr("not a watch event")));
    EXPECT_THAT(frame("{\"type\":\"ADDED\",\"object\":{\n", 100, 100),
                ElementsAre(HasSubstr("not a watch event")));
}

TEST(WatchFraming, DropsALineBeyondTheLimitAndReadsTheNext)
{
    const std::string body = "{\"type\":\"ADDED\",\"object\":{\"x\":\"" + std::string(500, 'y') +
                             "\"}}\n{\"type\":\"DELETED\",\"object\":{}}\n";
    for (const std::size_t piece : {1u, 50u, 5000u})
        EXPECT_THAT(frame(body, piece, piece, 100), ElementsAre(HasSubstr("larger"), "-{}"));
}

TEST(WatchFraming, LeavesACutLastLineAlone)
{
    EXPECT_THAT(frame("{\"type\":\"ADDED\",\"object\":{}}\n{\"type\":\"ADDED\",\"obj", 7, 9),
                ElementsAre("+{}"));
}

TEST(WatchFraming, StopsWhenTheReceiverHasEnough)
{
    WatchFraming framing;
    EventCollector collector;
    collector.stopAfter = 1;
    EXPECT_FALSE(framing.feed(kEvents, collector));
    EXPECT_EQ(collector.seen.size(), 1u);
}

} // namespace
} // namespace tongchi
