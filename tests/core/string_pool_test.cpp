#include "platform/core/string_pool.h"
#include "tests/support/qt_printers.h"

#include <gtest/gtest.h>
#include <thread>
#include <vector>

namespace tongchi {
namespace {

TEST(StringPoolTest, GivesOneIdToOneString)
{
    StringPool pool;
    const StringId a = pool.intern("bj-a100-001");
    EXPECT_EQ(pool.intern("bj-a100-001"), a);
    EXPECT_NE(pool.intern("bj-a100-002"), a);
    EXPECT_EQ(pool.utf8(a), "bj-a100-001");
    EXPECT_EQ(pool.find("bj-a100-001"), a);
    EXPECT_EQ(pool.find("nobody"), 0U);
    EXPECT_EQ(pool.intern(""), 0U);
}

TEST(StringPoolTest, KeepsViewsValidWhileItGrows)
{
    StringPool pool;
    const std::string_view first = pool.utf8(pool.intern("first"));
    const std::string_view large = pool.utf8(pool.intern(std::string(100'000, 'x')));
    for (int i = 0; i < 50'000; ++i)
        pool.intern("name-" + std::to_string(i));
    EXPECT_EQ(first, "first");
    EXPECT_EQ(large.size(), 100'000U);
    EXPECT_EQ(large.back(), 'x');
    EXPECT_EQ(pool.utf8(pool.find("name-49999")), "name-49999");
}

TEST(StringPoolTest, GivesBackStringsOfEveryLength)
{
    StringPool pool;
    std::vector<std::pair<StringId, std::string>> strings;
    for (const std::size_t length :
         {1, 126, 127, 128, 129, 16'381, 16'382, 16'383, 16'384, 16'385, 65'535, 65'536, 3'000'000}) {
        for (const char fill : {'a', 'b'}) {
            const std::string text(length, fill);
            strings.emplace_back(pool.intern(text), text);
        }
    }
    for (int i = 0; i < 20'000; ++i)
        pool.intern("filler-" + std::to_string(i));
    for (const auto &[id, text] : strings) {
        EXPECT_EQ(pool.utf8(id), text);
        EXPECT_EQ(pool.find(text), id);
    }
}

TEST(StringPoolTest, TakesLittleMoreThanTheTextItself)
{
    StringPool pool;
    for (int i = 0; i < 100'000; ++i)
        pool.intern("inference/qwen2-72b-7d9f8c6b5d-" + std::to_string(100'000 + i));
    EXPECT_LT(pool.bytes(), 100'000u * (37 + 16));
}

TEST(StringPoolTest, ServesSeveralThreads)
{
    StringPool pool;
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t) {
        threads.emplace_back([&pool] {
            for (int i = 0; i < 5'000; ++i) {
                const std::string name = "node-" + std::to_string(i);
                ASSERT_EQ(pool.utf8(pool.intern(name)), name);
            }
        });
    }
    for (auto &thread : threads)
        thread.join();
    EXPECT_EQ(pool.size(), 5'001U);
}

TEST(StringPoolTest, KeepsNulBytesOfQStrings)
{
    StringPool pool;
    const QString text = QStringLiteral("a") + QChar(0) + QStringLiteral("b");
    EXPECT_EQ(pool.text(pool.internText(text)), text);
}

TEST(StringPool, IsFullWithoutHarm)
{
    StringPool pool(4); // the empty string, two more, and the one that says so
    const StringId a = pool.intern("a");
    const StringId b = pool.intern("b");
    const StringId c = pool.intern("c");
    EXPECT_EQ(pool.intern("d"), c);
    EXPECT_EQ(pool.intern("a"), a);
    EXPECT_EQ(pool.intern("b"), b);
    EXPECT_EQ(pool.find("d"), 0u);
    EXPECT_TRUE(pool.utf8(c).find("too many") != std::string_view::npos);
    EXPECT_EQ(pool.size(), 4u);
}

} // namespace
} // namespace tongchi
