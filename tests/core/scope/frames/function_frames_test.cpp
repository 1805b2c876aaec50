// SPDX-License-Identifier: Apache-2.0
#include "tests/core/scope/found_scopes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace duo::test {
namespace {

using testing::ElementsAre;

TEST(FunctionFrames, AFileOfOnnxscriptHasTheScopesOfItsFunctions)
{
    const auto found = FoundScopes::ofFile("exports/functions.onnxscript.onnx");
    EXPECT_THAT(found.paths(found.scopes.execution),
        ElementsAre("Block", "Block/Linear", "Block/Gelu", "Block/Linear_1", "Block/Leaky", "Block_1", "Block_1/Linear",
            "Block_1/Gelu", "Block_1/Linear_1", "Block_1/Leaky"));
    EXPECT_EQ(found.node("n1::n2::n0").execution, "Block_1/Linear_1");
    EXPECT_EQ(found.at("n1::n2::n0"), (Expected{"Block_1/Linear_1", {"Block_1.Linear_1"}, {}, false}));
    EXPECT_EQ(found.provenance("n1::n2::n0"), "name/guess");
}

TEST(FunctionFrames, WhatTwoCallsAreGivenBelongsToTheModelAroundThem)
{
    const auto found = FoundScopes::ofFile("exports/functions.onnxscript.onnx");
    EXPECT_EQ(found.at("n0::n0::n1"), (Expected{"Block/Linear", {""}, {"functional-use"}, true}));
}

TEST(FunctionFrames, WhatStandsInNoFunctionRunsInTheModel)
{
    const auto found = FoundScopes::ofFile("exports/functions.onnxscript.onnx");
    EXPECT_EQ(found.node("n2").execution, "");
    EXPECT_EQ(found.node("n0::n4").execution, "Block");
}

} // namespace
} // namespace duo::test
