#include "platform/inventory/server_pulse.h"

#include <gtest/gtest.h>

namespace tongchi {
namespace {

using PulseAnswer = ServerPulse::Answer;

class Pulse : public ::testing::Test
{
protected:
    void pass(std::chrono::milliseconds time)
    {
        clock.advance(time);
        pulse.check();
    }
    static Error timeout() { return {.code = ErrorCode::Timeout}; }

    ManualClock clock;
    int asked = 0;
    ServerPulse pulse{clock,
                      {.quietFor = std::chrono::seconds(5),
                       .again = std::chrono::seconds(1),
                       .refusedFor = std::chrono::seconds(60)},
                      [this] { ++asked; }};
};

TEST_F(Pulse, WhoeverSpeaksIsNotAsked)
{
    for (int i = 0; i < 10; ++i) {
        pass(std::chrono::seconds(4));
        pulse.heard();
    }
    EXPECT_EQ(asked, 0);
    EXPECT_EQ(pulse.lastHeard(), clock.now());
}

TEST_F(Pulse, AQuietServerIsAskedOnceAndItsWordCounts)
{
    pass(std::chrono::seconds(5));
    pass(std::chrono::seconds(1));
    EXPECT_EQ(asked, 1) << "one question at a time";
    pulse.answered(PulseAnswer::Word);
    EXPECT_FALSE(pulse.error());
    EXPECT_EQ(pulse.silence(), std::chrono::milliseconds(0));
    pass(std::chrono::seconds(4));
    EXPECT_EQ(asked, 1);
    pass(std::chrono::seconds(1));
    EXPECT_EQ(asked, 2);
}

TEST_F(Pulse, WhoeverDoesNotAnswerIsSilentUntilAWordComes)
{
    pass(std::chrono::seconds(5));
    clock.advance(std::chrono::seconds(5));
    pulse.answered(PulseAnswer::None, timeout());
    ASSERT_TRUE(pulse.error());
    EXPECT_EQ(pulse.error()->code, ErrorCode::Timeout);
    EXPECT_EQ(pulse.silence(), std::chrono::seconds(10));
    pass(std::chrono::milliseconds(900));
    EXPECT_EQ(asked, 1);
    pass(std::chrono::milliseconds(100));
    EXPECT_EQ(asked, 2) << "asked again soon";
    pulse.answered(PulseAnswer::Word);
    EXPECT_FALSE(pulse.error());
}

TEST_F(Pulse, AnEventIsAWordToo)
{
    pass(std::chrono::seconds(5));
    clock.advance(std::chrono::seconds(1));
    pulse.heard();
    clock.advance(std::chrono::seconds(4));
    pulse.answered(PulseAnswer::None, timeout());
    EXPECT_FALSE(pulse.error()) << "it spoke while the question was under way";
    pass(std::chrono::seconds(1));
    EXPECT_EQ(asked, 2);
    pulse.answered(PulseAnswer::None, timeout());
    ASSERT_TRUE(pulse.error());
    pulse.heard(std::chrono::milliseconds(300));
    EXPECT_FALSE(pulse.error());
    EXPECT_EQ(pulse.lastHeard(), clock.now() - std::chrono::milliseconds(300));
}

TEST_F(Pulse, WhoeverIsRefusedAsksSeldom)
{
    pass(std::chrono::seconds(5));
    pulse.answered(PulseAnswer::Refused);
    EXPECT_FALSE(pulse.error()) << "it has answered";
    pulse.heard();
    pass(std::chrono::seconds(59));
    EXPECT_EQ(asked, 1);
    pass(std::chrono::seconds(1));
    EXPECT_EQ(asked, 2);
}

TEST_F(Pulse, AfterAResetItAsksWithoutTheOldAnswer)
{
    pass(std::chrono::seconds(5));
    pulse.reset();
    EXPECT_FALSE(pulse.lastHeard());
    pass(std::chrono::seconds(5));
    EXPECT_EQ(asked, 2);
}

} // namespace
} // namespace tongchi
