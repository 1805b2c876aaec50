// SPDX-License-Identifier: Apache-2.0
#include "tests/app/cli/run_cli.h"
#include "tests/support/file_bytes.h"
#include "tests/support/half_range.h"
#include "tests/support/proto_builder.h"
#include "tests/support/temporary_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace duo::test {
namespace {

/// x -> MatMul -> Twice -> MatMul -> y, where Twice is no operator of ONNX.
std::string modelWithOwnOperator(const TemporaryFolder& folder)
{
    ProtoBuilder builder;
    builder.input("x", {4, 8}).output("y", {4, 8});
    builder.weight("w1", {8, 8}, {0.5F, -0.25F, 0.125F}).weight("w2", {8, 8}, {0.25F, 0.5F, -0.375F, 1});
    builder.node("MatMul", "first", {"x", "w1"}, {"a"});
    builder.node("Twice", "own", {"a"}, {"b"}).set_domain("duo.test");
    builder.node("MatMul", "second", {"b", "w2"}, {"y"});
    auto* import = builder.model().add_opset_import();
    import->set_domain("duo.test");
    import->set_version(1);
    return folder.write("own.onnx", builder.text()).string();
}

TEST(CliCustomOps, AModelWithOperatorsOfItsOwnIsQuantizedWithTheirLibrary)
{
    const TemporaryFolder folder;
    const std::string model = modelWithOwnOperator(folder);
    const std::string target = (folder / "q.onnx").string();
    const CliRun run = runCli({"quantize", model, "--data", "random:8", "--custom-ops", DUO_CUSTOM_OPS, "-o", target,
        "--recipe", writeRecipe(folder / "r.recipe.json", {.settings = kHalfRange}), "--no-cache", "--json"});
    ASSERT_EQ(run.exitCode, 0) << run.err;
    EXPECT_GT(run.json()["outputs"][0]["sqnr_db"].get<double>(), 30);
    const CliRun compared
        = runCli({"compare", model, target, "--data", "random:4", "--custom-ops", DUO_CUSTOM_OPS, "--json"});
    EXPECT_EQ(compared.exitCode, 0) << compared.err;
    const std::string again = (folder / "again.onnx").string();
    const CliRun resumed = runCli(
        {"resume", model, "--state", (folder / "q.state.json").string(), "--custom-ops", DUO_CUSTOM_OPS, "-o", again});
    ASSERT_EQ(resumed.exitCode, 0) << resumed.err;
    EXPECT_EQ(bytesOf(target), bytesOf(again));
}

TEST(CliCustomOps, CorrectionsKeepTheLibrary)
{
    const TemporaryFolder folder;
    const std::string recipe = writeRecipe(folder / "r.recipe.json",
        {.settings = kHalfRange + R"(, "smooth_quant_alphas": {"matmul": 0.5}, "fast_bias_correction": false)"});
    const CliRun run = runCli({"quantize", modelWithOwnOperator(folder), "--data", "random:8", "--custom-ops",
        DUO_CUSTOM_OPS, "--recipe", recipe, "-o", (folder / "q.onnx").string(), "--no-cache"});
    EXPECT_EQ(run.exitCode, 0) << run.err;
    EXPECT_THAT(run.out, testing::HasSubstr("smooth-quant"));
}

TEST(CliCustomOps, WithoutTheirLibraryTheErrorSaysWhatToDo)
{
    const TemporaryFolder folder;
    const CliRun run = runCli({"quantize", modelWithOwnOperator(folder), "--data", "random:8", "-o",
        (folder / "q.onnx").string(), "--no-cache", "--quiet"});
    EXPECT_EQ(run.exitCode, 4);
    EXPECT_THAT(run.err,
        testing::AllOf(testing::StartsWith("error: "), testing::HasSubstr("duo.test:Twice"),
            testing::HasSubstr("name the library that has it with --custom-ops")));
}

TEST(CliCustomOps, WhatIsNoLibraryIsRefusedInOneLine)
{
    const TemporaryFolder folder;
    const std::string model = modelWithOwnOperator(folder);
    const CliRun run = runCli({"quantize", model, "--data", "random:8", "--custom-ops", model, "-o",
        (folder / "q.onnx").string(), "--no-cache", "--quiet"});
    EXPECT_EQ(run.exitCode, 4);
    EXPECT_THAT(run.err, testing::AllOf(testing::StartsWith("error: "), testing::HasSubstr("own.onnx")));
    EXPECT_EQ(std::count(run.err.begin(), run.err.end(), '\n'), 1);
    const CliRun missing = runCli({"quantize", model, "--data", "random:8", "--custom-ops", "no.so", "-o", "q.onnx"});
    EXPECT_EQ(missing.exitCode, 2);
}

} // namespace
} // namespace duo::test
