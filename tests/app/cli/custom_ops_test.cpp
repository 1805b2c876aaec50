// SPDX-License-Identifier: Apache-2.0
#include "tests/app/cli/run_cli.h"
#include "tests/support/proto_builder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

namespace duo::test {
namespace {

/// x -> MatMul -> Twice -> MatMul -> y, where Twice is no operator of ONNX.
std::string modelWithOwnOperator(const std::filesystem::path& folder)
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
    const std::filesystem::path path = folder / "own.onnx";
    std::ofstream(path, std::ios::binary) << builder.text();
    return path.string();
}

/// With weights of seven bits results are those of any CPU, with VNNI or without.
std::string writeRecipe(const std::filesystem::path& folder, const std::string& settings)
{
    const std::filesystem::path path = folder / "r.recipe.json";
    std::ofstream(path) << R"({"format": "duoscope-recipe", "version": 1, "quantization": {"overflow_fix": "enable")"
                        << settings << "}}";
    return path.string();
}

TEST(CliCustomOps, AModelWithOperatorsOfItsOwnIsQuantizedWithTheirLibrary)
{
    const auto folder = freshFolder("custom_ops");
    const std::string model = modelWithOwnOperator(folder);
    const std::string target = (folder / "q.onnx").string();
    const CliRun run = runCli({"quantize", model, "--data", "random:8", "--custom-ops", DUO_CUSTOM_OPS, "-o", target,
        "--recipe", writeRecipe(folder, ""), "--no-cache", "--json"});
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
    const auto folder = freshFolder("custom_ops_corrected");
    const std::string recipe
        = writeRecipe(folder, R"(, "smooth_quant_alphas": {"matmul": 0.5}, "fast_bias_correction": false)");
    const CliRun run = runCli({"quantize", modelWithOwnOperator(folder), "--data", "random:8", "--custom-ops",
        DUO_CUSTOM_OPS, "--recipe", recipe, "-o", (folder / "q.onnx").string(), "--no-cache"});
    EXPECT_EQ(run.exitCode, 0) << run.err;
    EXPECT_THAT(run.out, testing::HasSubstr("smooth-quant"));
}

TEST(CliCustomOps, WithoutTheirLibraryTheErrorSaysWhatToDo)
{
    const auto folder = freshFolder("no_custom_ops");
    const CliRun run = runCli({"quantize", modelWithOwnOperator(folder), "--data", "random:8", "-o",
        (folder / "q.onnx").string(), "--no-cache", "--quiet"});
    EXPECT_EQ(run.exitCode, 4);
    EXPECT_THAT(run.err,
        testing::AllOf(testing::StartsWith("error: "), testing::HasSubstr("duo.test:Twice"),
            testing::HasSubstr("name the library that has it with --custom-ops")));
}

TEST(CliCustomOps, WhatIsNoLibraryIsRefusedInOneLine)
{
    const auto folder = freshFolder("bad_custom_ops");
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
