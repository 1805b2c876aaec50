// SPDX-License-Identifier: Apache-2.0
#include "tests/app/cli/run_cli.h"
#include "tests/support/proto_builder.h"
#include "tests/support/schema_check.h"
#include "tests/support/temporary_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using testing::HasSubstr;

namespace duo::test {
namespace {

TEST(CliExplain, SaysWhereANodeRunsWhatItReadsAndWhatHappensToIt)
{
    const CliRun run = runCli({"explain", data("cases/a_sibling.onnx"), "/dec/proj/Gemm"});
    ASSERT_EQ(run.exitCode, 0) << run.err;
    EXPECT_THAT(run.out, HasSubstr("  runs in   dec/@enc.proj#1  [name]\n"));
    EXPECT_THAT(run.out, HasSubstr("  reads     enc.proj  [name]\n"));
    EXPECT_THAT(run.out, HasSubstr("    foreign-call: 'dec' calls 'enc.proj', which it does not contain\n"));
    EXPECT_THAT(run.out, HasSubstr("  is        quantized: "));
}

TEST(CliExplain, ExplainsTheWholeModelByTheEmptyName)
{
    const CliRun run = runCli({"explain", sample("digits_conv.dynamo.onnx"), "", "--json"});
    ASSERT_EQ(run.exitCode, 0) << run.err;
    EXPECT_EQ(schemaComplaints(run.json(), "explain"), "");
    EXPECT_EQ(run.json()["storage_scope"]["never_executed"], nlohmann::ordered_json::array({"aux"}));
}

TEST(CliExplain, TheRuleBehindADecisionIsNamed)
{
    const TemporaryFolder folder;
    const std::string recipe = writeRecipe(
        folder / "r.recipe.json", {.rules = R"({"action": "ignore", "kind": "name", "value": "/dec/proj/Gemm"})"});
    const CliRun run
        = runCli({"explain", data("cases/a_sibling.onnx"), "/dec/proj/Gemm", "--recipe", recipe, "--json"});
    ASSERT_EQ(run.exitCode, 0) << run.err;
    EXPECT_EQ(schemaComplaints(run.json(), "explain"), "");
    EXPECT_EQ(run.json()["node"]["decision"]["state"], "ignored");
    EXPECT_EQ(run.json()["node"]["decision"]["rule"], "ignore name /dec/proj/Gemm");
}

TEST(CliExplain, TellsWhichPassTookANodeAway)
{
    const TemporaryFolder folder;
    ProtoBuilder model;
    model.input("x", {1, 4}).output("y", {1, 4});
    model.node("Relu", "/enc/relu/Relu", {"x"}, {"r"});
    model.node("Identity", "/drop/out/Identity", {"r"}, {"i"});
    model.node("Sigmoid", "/enc/gate/Sigmoid", {"i"}, {"y"});
    const std::string file = folder.write("m.onnx", model.text()).string();
    const CliRun run = runCli({"explain", file, "/drop/out/Identity"});
    EXPECT_EQ(run.exitCode, 0) << run.err;
    EXPECT_EQ(run.out,
        "Node /drop/out/Identity (Identity)\n  ran in    drop/out\n"
        "  is        not there any more: the model was simplified before anything was placed\n"
        "    identity: Identity nodes go.\n");
    const CliRun json = runCli({"explain", file, "/drop/out/Identity", "--json"});
    EXPECT_EQ(schemaComplaints(json.json(), "explain"), "");
    EXPECT_EQ(json.json()["gone"]["passes"][0]["id"], "identity");
    EXPECT_EQ(runCli({"explain", file, "drop"}).err,
        "error: all nodes of this scope went when the model was simplified: drop: give --no-transform to see it as it "
        "was\n");
    EXPECT_THAT(runCli({"explain", file, "/drop/out/Identity", "--no-transform"}).out, HasSubstr("  is        "));
}

TEST(CliExplain, TakesTheNameThatANodeHasInAFunction)
{
    const CliRun run = runCli({"explain", data("exports/functions.onnxscript.onnx"), "n1::n2::n0"});
    ASSERT_EQ(run.exitCode, 0) << run.err;
    EXPECT_THAT(run.out, HasSubstr("Node n1/n2/n0 (MatMul)\n  runs in   Block_1/Linear_1  [name]\n"));
}

TEST(CliExplain, WhatDoesNotExistIsAUsageErrorWithTheNearestNames)
{
    const CliRun run = runCli({"explain", data("cases/a_sibling.onnx"), "enc/porj"});
    EXPECT_EQ(run.exitCode, 2);
    EXPECT_EQ(run.out, "");
    EXPECT_EQ(run.err, "error: no such node or scope: enc/porj: nearest: 'enc/proj' and 'enc/norm'\n");
}

} // namespace
} // namespace duo::test
