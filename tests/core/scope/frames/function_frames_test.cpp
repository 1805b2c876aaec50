// SPDX-License-Identifier: Apache-2.0
#include "core/onnx/reader.h"
#include "tests/core/scope/found_scopes.h"
#include "tests/support/proto_builder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <utility>
#include <vector>

namespace duo::test {
namespace {

using testing::ElementsAre;

/// A call of one function for each name, one behind the other, each with the weight of this name.
std::vector<std::string> scopesOfCalls(const std::vector<std::pair<std::string, std::string>>& callsWithWeights)
{
    ProtoBuilder file;
    auto& dense = file.function("Dense", {"data", "w"}, {"result"});
    addNode(dense, "MatMul", "m", {"data", "w"}, {"result"});
    auto& import = *file.model().add_opset_import();
    import.set_domain("local");
    import.set_version(1);
    file.input("x", {2, 2});
    std::string from = "x";
    std::set<std::string> weights;
    for (const auto& [name, weight] : callsWithWeights) {
        if (weights.insert(weight).second)
            file.weight(weight, {2, 2}, {1, 2, 3, 4});
        const std::string to = "h" + std::to_string(file.proto().node_size());
        file.node("Dense", name, {from, weight}, {to}).set_domain("local");
        from = to;
    }
    file.output(from, {2, 2});
    const auto model = readModelBytes(file.bytes(), "model");
    EXPECT_TRUE(model);
    const FoundScopes found(*model);
    return found.paths(found.scopes.execution);
}

TEST(FunctionFrames, ACallIsNamedAsItsNodeOrAfterItsFunction)
{
    EXPECT_THAT(scopesOfCalls({{"", "a"}, {"n7", "b"}, {"node_Dense_3", "c"}, {"stem", "d"}, {"enc.layer.0", "e"}}),
        ElementsAre("Dense", "Dense_1", "Dense_2", "stem", "enc.layer.0"));
}

TEST(FunctionFrames, NamesThatAreNoPathsAreNotUsed)
{
    EXPECT_THAT(scopesOfCalls({{"/enc/blk", "a"}, {"..", "b"}, {"a..b", "c"}, {".", "d"}}),
        ElementsAre("enc.blk", "Dense", "Dense_1", "Dense_2"));
    EXPECT_THAT(scopesOfCalls({{std::string(5000, 'n'), "a"}}), ElementsAre());
}

TEST(FunctionFrames, CallsWithTheSameWeightsRunOneModuleAgain)
{
    EXPECT_THAT(scopesOfCalls({{"", "a"}, {"", "a"}, {"", "b"}}), ElementsAre("Dense", "Dense#1", "Dense_1"));
}

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
