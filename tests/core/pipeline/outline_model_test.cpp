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
        "gpt2.script.onnx", "gpt2.dynamo.onnx", "levels.script.onnx", "two_levels.dynamo.onnx"));

} // namespace
} // namespace duo
