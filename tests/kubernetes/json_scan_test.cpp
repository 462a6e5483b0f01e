#include "platform/kubernetes/json_scan.h"

#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <string>

namespace tongchi {
namespace {

// Byte by byte, as slowly as one can: the measure for the blocks. A backslash outside a string is no JSON;
// what counts then is only that it means the same wherever the text is cut.
std::size_t endOfContainer(const std::string &text, int &deepest)
{
    int depth = 0;
    deepest = 0;
    bool inString = false;
    bool escaped = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (c == '"' && !escaped)
            inString = !inString;
        else if (!inString && (c == '{' || c == '['))
            deepest = std::max(deepest, ++depth);
        else if (!inString && (c == '}' || c == ']') && --depth == 0)
            return i + 1;
        escaped = c == '\\' && !escaped;
    }
    return 0;
}

TEST(JsonScan, VectorAndPortableMasksAgreeOnEveryByte)
{
    std::mt19937 random(7);
    char block[64];
    for (int round = 0; round < 2000; ++round) {
        for (char &c : block) {
            const unsigned pick = random();
            c = pick % 3 == 0 ? "\"\\{}[]"[pick / 3 % 6] : char(pick >> 8);
        }
        const JsonBlockMasks fast = jsonBlockMasks(block);
        const JsonBlockMasks portable = jsonBlockMasksPortable(block);
        ASSERT_EQ(fast.quotes, portable.quotes);
        ASSERT_EQ(fast.backslashes, portable.backslashes);
        ASSERT_EQ(fast.opens, portable.opens);
        ASSERT_EQ(fast.closes, portable.closes);
        for (int i = 0; i < 64; ++i) {
            ASSERT_EQ(bool(portable.quotes >> i & 1), block[i] == '"');
            ASSERT_EQ(bool(portable.opens >> i & 1), block[i] == '{' || block[i] == '[');
            ASSERT_EQ(bool(portable.closes >> i & 1), block[i] == '}' || block[i] == ']');
        }
    }
}

TEST(JsonScan, FindsTheEndOfAnyContainerWhereverItIsCut)
{
    std::mt19937 random(11);
    for (int round = 0; round < 3000; ++round) {
        std::string text = "{";
        const std::size_t length = random() % 300;
        for (std::size_t i = 0; i < length; ++i)
            text += "ab\"\\\\{}[],: \\\""[random() % 14];
        text += "\"}}}}]]]";
        int deepest = 0;
        const std::size_t expected = endOfContainer(text, deepest);

        for (const bool plain : {false, true}) {
            JsonValueScanner scanner;
            if (plain)
                scanner.usePlainBlocks();
            const int limit = int(random() % 8);
            scanner.start(text[0], limit);
            std::size_t found = 0;
            for (std::size_t at = 0; at < text.size() && found == 0;) {
                const std::size_t size = std::min<std::size_t>(1 + random() % 200, text.size() - at);
                if (const char *stop = scanner.scan(text.data() + at, text.data() + at + size))
                    found = std::size_t(stop - text.data());
                at += size;
            }
            ASSERT_EQ(found, expected) << text;
            ASSERT_EQ(scanner.isTooDeep(), deepest > limit) << text;
        }
    }
}

TEST(JsonScan, KnowsHowDeepAValueWentAlsoInsideOneBlock)
{
    const std::string text = "[[[[]]],[]]";
    JsonValueScanner scanner;
    scanner.start('[', 3);
    ASSERT_EQ(scanner.scan(text.data(), text.data() + text.size()), text.data() + text.size());
    EXPECT_TRUE(scanner.isTooDeep());
    scanner.start('[', 4);
    ASSERT_EQ(scanner.scan(text.data(), text.data() + text.size()), text.data() + text.size());
    EXPECT_FALSE(scanner.isTooDeep());
}

} // namespace
} // namespace tongchi
