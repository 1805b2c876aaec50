// SPDX-License-Identifier: Apache-2.0
// What inliners put in front of names: spox, ONNX's and ONNX Runtime's.
#include "core/scope/producers/inlined_names.h"

#include "core/report/execution_doubt.h"
#include "tests/core/scope/found_scopes.h"
#include "tests/support/model_builder.h"

#include <gtest/gtest.h>

namespace duo::test {
namespace {

/// Linear layers in a row, their node and weight behind each prefix.
FoundScopes inlinedBehind(const std::vector<std::string>& prefixes, const std::string& producer = "spox")
{
    ModelBuilder builder;
    builder.input("x", {1, 4}).producer(producer);
    std::string value = "x";
    for (const std::string& prefix : prefixes) {
        const std::string weight = prefix + "encoder.fc.weight";
        builder.weight(weight, {4, 4}, {0.5F, 0.25F, 1});
        builder.node("Gemm", prefix + "/encoder/fc/Gemm", {value, weight}, {prefix + "y"});
        value = prefix + "y";
    }
    builder.output(value);
    return FoundScopes(builder.build());
}

TEST(InlinedNames, ThePrefixOfOneModelSaysNothing)
{
    const std::string prefix = "F0::If_0_then_branch__Inline_0__";
    const auto found = inlinedBehind({prefix});
    EXPECT_EQ(found.at(prefix + "/encoder/fc/Gemm"), (Expected{"encoder/fc", {"encoder.fc"}, {}, false}));
    EXPECT_EQ(found.provenance(prefix + "/encoder/fc/Gemm"), "name/name");
}

TEST(InlinedNames, EachOfSeveralModelsIsAModuleByGuess)
{
    const auto found = inlinedBehind({"If_0_then_branch__Inline_0__", "If_0_else_branch__Inline_0__"});
    const std::string node = "If_0_else_branch__Inline_0__/encoder/fc/Gemm";
    EXPECT_EQ(found.provenance(node), "guess/guess");
    EXPECT_EQ(executionDoubt(*found.model, found.scopes, found.model->findNode(node)),
        "'If_0_else_branch__Inline_0' is no module but what an inliner put in front of the names of one of several "
        "models; the models before they were inlined would tell");
    EXPECT_EQ(found.at("If_0_else_branch__Inline_0__/encoder/fc/Gemm"),
        (Expected{"If_0_else_branch__Inline_0/encoder/fc", {"If_0_else_branch__Inline_0.encoder.fc"}, {}, false}));
}

TEST(InlinedNames, ModelsThatWereMergedAreModulesByGuess)
{
    const auto found = inlinedBehind({"g_", "v_"}, "onnx.compose.merge_models");
    EXPECT_EQ(found.at("g_/encoder/fc/Gemm"), (Expected{"g/encoder/fc", {"g.encoder.fc"}, {}, false}));
    EXPECT_EQ(found.provenance("g_/encoder/fc/Gemm"), "guess/guess");
}

TEST(InlinedNames, PrefixesEndAtTheMarkOfTheirTool)
{
    EXPECT_EQ(inlinedName("F0::F12::x").prefix, "F0::F12::");
    EXPECT_EQ(inlinedName("a_Inline_3__b.weight").name, "b.weight");
    EXPECT_EQ(inlinedName("F::x").prefix, "");
    EXPECT_EQ(inlinedName("Inline_layer__x").prefix, "");
    EXPECT_EQ(inlinedName("Inline_0__").prefix, "");
}

} // namespace
} // namespace duo::test
