// SPDX-License-Identifier: Apache-2.0
#include "core/pipeline/outline_model.h"

#include "core/scope/scope.h"

#include <gtest/gtest.h>

#include <string>

namespace duo {
namespace {

/// Rows with their classes and parameters; nodes that call functions count as nodes, so these are left out.
std::string treeText(const ScopeTree& tree)
{
    std::string text;
    for (const Scope& scope : tree.scopes)
        text += scope.path + " [" + scope.className + "] " + std::to_string(scope.totalParameters) + "\n";
    return text;
}

class OutlinedFiles : public testing::TestWithParam<const char*>
{
};

TEST_P(OutlinedFiles, HaveTheTreesTheyHad)
{
    const std::filesystem::path file = std::filesystem::path(DUO_TEST_DATA) / "exports" / GetParam();
    const auto outlined = outlineFile(file, {}, {.all = true}, false);
    ASSERT_TRUE(outlined) << outlined.error().line();
    const Scopes before = findScopes(*outlined->original);
    const Scopes after = findScopes(*outlined->model);
    EXPECT_EQ(treeText(after.execution), treeText(before.execution));
    EXPECT_EQ(treeText(after.storage), treeText(before.storage));
}

INSTANTIATE_TEST_SUITE_P(Exports, OutlinedFiles,
    testing::Values("bert.script.onnx", "bert.dynamo.onnx", "encoder.script.onnx", "encoder.dynamo.onnx",
        "gpt2.script.onnx", "gpt2.dynamo.onnx", "keywords.dynamo.onnx", "keywords.script.onnx", "levels.script.onnx",
        "two_levels.dynamo.onnx"));

/// Signatures of the functions of all modules called `name`, with how their order is known.
std::string signaturesOf(const OutlinePlan& plan, const std::string& name)
{
    std::string text;
    for (std::size_t f = 0; f < plan.functions.size(); ++f) {
        if (plan.edits.functions[f].name == name)
            text += std::string(orderText(plan.functions[f].order)) + " "
                + signatureText(plan.edits.functions[f], plan.functions[f]) + "\n";
    }
    return text;
}

/// `forward(bias, hidden, mask=None, *, scale)`, called with `scale=…, mask=…`; returns weights and result.
class RecordedSignatures : public testing::TestWithParam<const char*>
{
protected:
    const std::filesystem::path m_exports = std::filesystem::path(DUO_TEST_DATA) / "exports";
};

TEST_P(RecordedSignatures, AreTakenFromTheProgramBesideTheModel)
{
    OpenOptions options;
    options.checkpoint = m_exports / "keywords.pt2";
    const auto outlined = outlineFile(m_exports / GetParam(), options, {.all = true}, false);
    ASSERT_TRUE(outlined) << outlined.error().line();
    const std::string signature = signaturesOf(outlined->plan, "SecondFirst");
    EXPECT_EQ(signature.substr(0, signature.find(';')), "recorded SecondFirst(x, x_1, scale, mask");
    EXPECT_EQ(signature.substr(signature.find(" ->")), " -> (y, y_1)\n");
    const std::string block = signaturesOf(outlined->plan, "Block");
    EXPECT_TRUE(block.starts_with("recorded Block(")) << block;
}

TEST_P(RecordedSignatures, AreAGuessWithoutIt)
{
    const auto outlined = outlineFile(m_exports / GetParam(), {}, {.all = true}, true);
    ASSERT_TRUE(outlined) << outlined.error().line();
    EXPECT_TRUE(signaturesOf(outlined->plan, "SecondFirst").starts_with("first-use "));
}

INSTANTIATE_TEST_SUITE_P(Exports, RecordedSignatures, testing::Values("keywords.dynamo.onnx", "keywords.script.onnx"));

} // namespace
} // namespace duo
