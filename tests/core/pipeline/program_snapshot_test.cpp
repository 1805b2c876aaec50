// SPDX-License-Identifier: Apache-2.0
// A program of torch.export in a snapshot: everything but quantization.
#include "core/pipeline/snapshot/read_model_file.h"
#include "core/pipeline/snapshot/snapshot.h"
#include "core/quantize/rule_effects.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/zip_file.h"

#include <gtest/gtest.h>

namespace duo {
namespace {

std::filesystem::path program(const std::string& name)
{
    return std::filesystem::path(DUO_TEST_DATA) / "pt2" / (name + ".pt2");
}

TEST(ProgramSnapshot, IsLookedAtAndNotQuantized)
{
    const auto snapshot = openSnapshot(program("archive/a_sibling"));
    ASSERT_TRUE(snapshot) << snapshot.error().line();
    EXPECT_EQ(snapshot->scopes->nodes.size(), 5U);
    EXPECT_EQ(snapshot->placement, nullptr);
    ASSERT_TRUE(snapshot->refusal);
    EXPECT_EQ(snapshot->refusal->code, ErrorCode::Unsupported);
    EXPECT_EQ(snapshot->refusal->what, "a program of torch.export can be looked at, not quantized or run");
    EXPECT_EQ(snapshot->refusal->whatToDo,
        "export it to ONNX first: torch.onnx.export(program, f=\"model.onnx\", dynamo=True)");
}

TEST(ProgramSnapshot, AnyOtherFormatSaysOfItselfWhyItIsNotRun)
{
    static constexpr ModelFormat kDrawing{
        .name = "drawing", .text = "a drawing", .refusal = "a drawing cannot be run", .remedy = "write a program"};
    Model model;
    model.format = &kDrawing;
    EXPECT_EQ(checkCanRun(model).error().line(), "a drawing cannot be run: write a program");
}

TEST(ProgramSnapshot, RulesMatchItsScopes)
{
    const auto snapshot = openSnapshot(program("flat/g_modulelist"));
    ASSERT_TRUE(snapshot) << snapshot.error().line();
    Recipe recipe;
    Rule rule;
    rule.kind = RuleKind::StorageScope;
    rule.value = "layers.1";
    recipe.rules.rules.push_back(rule);
    const auto ruled = withRecipe(*snapshot, recipe);
    ASSERT_TRUE(ruled) << ruled.error().line();
    EXPECT_EQ(ruled->hits->hits[0].nodes.size(), 1U);
    EXPECT_TRUE(ruleEffects(*ruled->model, *ruled->hits, nullptr, nullptr)[0].effective.empty());
    EXPECT_TRUE(ruled->refusal);
}

TEST(ProgramSnapshot, FormatsAreToldByContent)
{
    const test::TemporaryFolder folder;
    std::filesystem::copy_file(program("archive/c_tied"), folder / "named.onnx");
    const auto model = readModelFile(folder / "named.onnx");
    ASSERT_TRUE(model) << model.error().line();
    EXPECT_EQ((*model)->format->name, "torch-export");
    test::writeZip(folder / "other.pt2", {{"a/b", "c"}});
    EXPECT_EQ(folder.withoutPath(readModelFile(folder / "other.pt2").error().line()),
        "not an ONNX model: DIR/other.pt2: this is a zip archive, unpack it, or export a PyTorch model to ONNX");
    EXPECT_EQ(folder.withoutPath(readModelFile(folder / "absent.pt2").error().line()).rfind("cannot", 0), 0U);
}

} // namespace
} // namespace duo
