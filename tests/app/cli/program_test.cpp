// SPDX-License-Identifier: Apache-2.0
// Programs of torch.export can be looked at; what would run them says how to get a model that can.
#include "tests/app/cli/run_cli.h"
#include "tests/support/schema_check.h"
#include "tests/support/temporary_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace duo::test {
namespace {

constexpr const char* kTied = "pt2/archive/c_tied.pt2";

std::string refusalOf(const std::string& file)
{
    return "error: a program of torch.export can be looked at, not quantized or run: " + file
        + ": export it to ONNX first: torch.onnx.export(program, f=\"model.onnx\", dynamo=True)\n";
}

TEST(CliProgram, InspectSaysWhatItIs)
{
    for (const char* layout : {"archive", "flat"}) {
        const CliRun run = runCli({"inspect", data("pt2/" + std::string(layout) + "/strict_control.pt2"), "--json"});
        ASSERT_EQ(run.exitCode, 0) << run.err;
        EXPECT_EQ(schemaComplaints(run.json(), "inspect"), "");
        EXPECT_EQ(run.json()["format"], "torch-export");
        EXPECT_EQ(run.json()["opsets"]["aten"], 10);
        EXPECT_EQ(run.json()["op_types"]["torch.ops.aten.linear.default"], 3);
        EXPECT_EQ(run.json()["parameters"], 40); // two linear layers; the constant beside them was not learned
    }
}

TEST(CliProgram, ScopesListConstantsWhereTheyAreAskedFor)
{
    EXPECT_FALSE(runCli({"scopes", data("cases/a_sibling.onnx"), "--json"}).json().contains("constants"));
    const CliRun run = runCli({"scopes", data("cases/a_sibling.onnx"), "--constants", "--json"});
    ASSERT_EQ(run.exitCode, 0) << run.err;
    EXPECT_EQ(schemaComplaints(run.json(), "scopes"), "");
    const auto constants = run.json()["constants"];
    ASSERT_EQ(constants.size(), 2U); // an exponent and an epsilon
    EXPECT_EQ(constants[0]["type"], "float32");
    EXPECT_EQ(constants[0]["shape"].size(), 0U);
    EXPECT_EQ(constants[0]["readers"], 1);
    EXPECT_EQ(runCli({"inspect", data("cases/a_sibling.onnx"), "--json"}).json()["parameters"],
        run.json()["storage_tree"]["parameters"]);
}

TEST(CliProgram, ScopesShowBothTrees)
{
    const CliRun run = runCli({"scopes", data("pt2/archive/e_aux_eval.pt2"), "--json"});
    ASSERT_EQ(run.exitCode, 0) << run.err;
    EXPECT_EQ(schemaComplaints(run.json(), "scopes"), "");
    EXPECT_EQ(run.json()["never_executed"], nlohmann::ordered_json::array({"aux"}));
    EXPECT_EQ(run.json()["storage_tree"]["children"].size(), 4U);
    EXPECT_EQ(run.json()["storage_tree"]["class"], "export_cases.Aux");
}

TEST(CliProgram, WhatNeedsAnOnnxModelRefusesIt)
{
    const TemporaryFolder folder;
    const std::string target = (folder / "out.onnx").string();
    for (const std::vector<std::string>& arguments : {
             std::vector<std::string>{"quantize", data(kTied), "--data", "random:1", "-o", target, "--quiet"},
             std::vector<std::string>{"plan", data(kTied), "--quiet"},
             std::vector<std::string>{"resume", data(kTied), "--state", target, "-o", target, "--quiet"},
             std::vector<std::string>{"compare", data(kTied), data(kTied), "--data", "random:1", "--quiet"},
         }) {
        const CliRun run = runCli(arguments);
        EXPECT_EQ(run.exitCode, 3) << arguments.front();
        EXPECT_EQ(run.err, refusalOf(data(kTied))) << arguments.front();
        EXPECT_EQ(run.out, "") << arguments.front();
    }
    EXPECT_FALSE(std::filesystem::exists(target));
}

TEST(CliProgram, ADamagedOneIsRefusedInOneLine)
{
    const TemporaryFolder folder;
    std::filesystem::copy_file(data(kTied), folder / "cut.pt2");
    std::filesystem::resize_file(folder / "cut.pt2", 5000);
    const CliRun run = runCli({"inspect", (folder / "cut.pt2").string()});
    EXPECT_EQ(run.exitCode, 3);
    EXPECT_THAT(run.err, testing::StartsWith("error: "));
    EXPECT_THAT(run.err, testing::HasSubstr("cut.pt2"));
}

} // namespace
} // namespace duo::test
