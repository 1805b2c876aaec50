// SPDX-License-Identifier: Apache-2.0
#include "core/support/utf8.h"

#include <gtest/gtest.h>

namespace duo {
namespace {

TEST(Utf8, TakesCharactersOfEveryLength)
{
    for (const char* text : {"", "plain", "caf\xC3\xA9", "\xE2\x82\xAC", "\xF0\x9F\x98\x80", "\xF4\x8F\xBF\xBF"}) {
        EXPECT_TRUE(isUtf8(text)) << text;
        EXPECT_EQ(asUtf8(text), text);
    }
}

TEST(Utf8, RefusesWhatIsCutOffOverlongASurrogateOrBeyondTheLastCharacter)
{
    for (const char* text : {"\xFF", "caf\xE9", "\xC3", "\xC0\xAF", "\xE0\x80\xAF", "\xED\xA0\x80", "\xF4\x90\x80\x80",
             "\xF0\x9F\x98", "\x80", "\xE2\x82 "})
        EXPECT_FALSE(isUtf8(text)) << text;
}

TEST(Utf8, ShowsEveryByteThatIsNoneAsOneReplacement)
{
    EXPECT_EQ(asUtf8("caf\xE9!"), "caf\xEF\xBF\xBD!");
    EXPECT_EQ(asUtf8("\xFF\xFE"), "\xEF\xBF\xBD\xEF\xBF\xBD");
}

} // namespace
} // namespace duo
