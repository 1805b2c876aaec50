// SPDX-License-Identifier: Apache-2.0
#include "core/support/result.h"

#include <gtest/gtest.h>

namespace duo {
namespace {

Result<int> half(int value)
{
    if (value % 2 != 0)
        return Error{ErrorCode::BadData, "odd number", std::to_string(value), "use an even one"};
    return value / 2;
}

Result<int> quarter(int value)
{
    DUO_TRY(once, half(value));
    DUO_TRY(twice, half(once));
    return twice;
}

TEST(Result, TryPassesValuesAndErrorsOn)
{
    EXPECT_EQ(*quarter(8), 2);
    EXPECT_EQ(quarter(6).error().line(), "odd number: 3: use an even one");
}

TEST(Error, LineStaysOneLineWhateverTheFileSays)
{
    const Error error{ErrorCode::MalformedModel, "bad name", "a\nb\x1b[31m", ""};
    EXPECT_EQ(error.line(), "bad name: a\\nb?[31m");
    EXPECT_EQ(
        (Error{ErrorCode::MalformedModel, "bad name", "\u009b31m\u202ered\u2028", ""}.line()), "bad name: ?31m?red?");
}

TEST(Error, LineLeavesOutTheMiddleOfWhatNobodyWouldRead)
{
    std::string name = "x";
    for (int i = 0; i < 1'000'000; ++i)
        name += "\u00fc"; // two bytes: it is cut between letters
    const std::string line
        = Error{ErrorCode::MalformedModel, "value '" + name + "' is defined twice", "m.onnx", ""}.line();
    EXPECT_LT(line.size(), 2100U);
    EXPECT_TRUE(line.starts_with("value 'x\u00fc")) << line;
    EXPECT_TRUE(line.ends_with("\u00fc' is defined twice: m.onnx")) << line;
    EXPECT_NE(line.find("\u00fc [...] \u00fc"), line.npos) << line;
}

} // namespace
} // namespace duo
