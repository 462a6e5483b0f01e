#include "platform/inventory/card_values.h"

#include <gtest/gtest.h>

namespace tongchi {
namespace {

TEST(CardUuid, GivesBackEveryTextAsItWas)
{
    StringPool pool;
    for (const char *text :
         {"", "GPU-1c0ffee0-0000-4000-8000-00000000beef", "GPU-1C0FFEE0-0000-4000-8000-00000000BEEF",
          "GPU-1C0ffee0-0000-4000-8000-00000000beef", "MIG-9ab0cdef-1234-5678-9abc-def012345678",
          "00000000-0000-0000-0000-000000000000", "D1A5D7A2-0A20A0B0-6B3C4D5E-7F80A1B2-C3D4E5F6",
          "bj-mlu-01-cambricon-mlu-3", "a-prefix-that-is-too-long-1c0ffee0-0000-4000-8000-00000000beef",
          "GPU-1c0ffee0-0000-4000-8000-00000000beeg", "GPU-1c0ffee000000-4000-8000-00000000beef", "\xff\xfe",
          "0", "GPU-12345678-1234-1234-1234-123456789012"}) {
        EXPECT_EQ(CardUuid::fromText(text, pool).toText(pool), text);
    }
}

TEST(CardUuid, IsEqualOnlyForEqualTexts)
{
    StringPool pool;
    const auto one = CardUuid::fromText("GPU-1c0ffee0-0000-4000-8000-00000000beef", pool);
    EXPECT_EQ(one, CardUuid::fromText("GPU-1c0ffee0-0000-4000-8000-00000000beef", pool));
    EXPECT_EQ(one.hash(), CardUuid::fromText("GPU-1c0ffee0-0000-4000-8000-00000000beef", pool).hash());
    EXPECT_FALSE(one == CardUuid::fromText("1c0ffee0-0000-4000-8000-00000000beef", pool));
    EXPECT_FALSE(one == CardUuid::fromText("GPU-1c0ffee0-0000-4000-8000-00000000beee", pool));
    EXPECT_FALSE(one == CardUuid());
    EXPECT_TRUE(CardUuid::fromText("", pool).isEmpty());
    EXPECT_FALSE(CardUuid::fromText("00000000-0000-0000-0000-000000000000", pool).isEmpty());
}

TEST(CardValues, NamesEveryFlagOnce)
{
    std::vector<std::string> names;
    for (std::uint32_t bit = 0; bit < 16; ++bit)
        names.push_back(flagName(CardFlag(1u << bit)));
    std::sort(names.begin(), names.end());
    EXPECT_EQ(std::adjacent_find(names.begin(), names.end()), names.end());
    EXPECT_NE(names.front(), "");
}

} // namespace
} // namespace tongchi
