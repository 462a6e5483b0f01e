#include "platform/http/answer_words.h"
#include "tests/support/qt_printers.h"

#include <gtest/gtest.h>

namespace tongchi {
namespace {

TEST(AnswerWordsTest, ReadsEveryShapeThatServersWriteErrorsIn)
{
    const std::pair<const char *, const char *> table[] = {
        {"404 page not found\n", "404 page not found"},
        {"Service Unavailable", "Service Unavailable"},
        {"\"silence not found\"", "silence not found"}, // as Alertmanager does
        {R"({"code":601,"message":"silenceID in path must be of type uuid"})",
         "silenceID in path must be of type uuid"},
        {R"({"type":"error","status":"401","message":"must authenticate"})", "must authenticate"},
        {R"({"error":"model says no"})", "model says no"},
        {R"({"error":{"code":400,"message":"too long","type":"x"}})", "too long"},
        {R"({"detail":"Not Found"})", "Not Found"},
        {R"({"kind":"Status","status":"Failure","message":"nodes is forbidden"})", "nodes is forbidden"},
        {"two\nlines \x01 here", "two lines \xE2\x90\x81 here"}};
    for (const auto &[body, words] : table)
        EXPECT_EQ(wordsOfAnswer(body), QString::fromUtf8(words)) << body;
}

TEST(AnswerWordsTest, QuotesNothingOfPagesAndOfWhatHoldsNoWords)
{
    for (const char *body :
         {"", " \n", "<html><body>secret</body></html>", "<?xml version='1.0'?><a>secret</a>",
          "Sign in:</p> secret", "{}", "[]", "[\"secret\"]", "{\"message\":5}", "{\"message\":\" \"}",
          "{\"error\":", "\"cut", "\xff\xfe secret", "{\"error\":[\"secret\"]}"})
        EXPECT_EQ(wordsOfAnswer(body), QString()) << body;
    EXPECT_EQ(wordsOfAnswer(std::string(1001, 'a')), QString());
    EXPECT_EQ(wordsOfAnswer("{\"message\":\"" + std::string(70'000, 'a') + "\"}"), QString());
    EXPECT_EQ(wordsOfAnswer("{\"message\":\"" + std::string(2000, 'a') + "\"}").size(), 501);
}

} // namespace
} // namespace tongchi
