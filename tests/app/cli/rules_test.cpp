// SPDX-License-Identifier: Apache-2.0
// match and convert-rules as a user runs them.
#include "tests/app/cli/run_cli.h"
#include "tests/support/schema_check.h"
#include "tests/support/temporary_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace duo::test {
namespace {

using testing::HasSubstr;

TEST(CliMatch, SaysWhatEachRuleDoes)
{
    const TemporaryFolder folder;
    const std::string file
        = writeRecipe(folder / "effects.json", {.rules = R"({"action": "ignore", "kind": "type", "value": "Conv"},
            {"action": "ignore", "kind": "pattern", "value": ".*Conv"},
            {"action": "ignore", "kind": "type", "value": "Conw"})"});
    const CliRun run = runCli({"match", sample("digits_conv.onnx"), "--recipe", file, "--json"});
    EXPECT_EQ(run.exitCode, 1) << run.err;
    EXPECT_EQ(schemaComplaints(run.json(), "match"), "");
    const auto rules = run.json()["rules"];
    EXPECT_EQ(rules[0]["verdict"], "works");
    EXPECT_EQ(rules[0]["effective"], rules[0]["nodes"]);
    EXPECT_EQ(rules[1]["verdict"], "shadowed");
    EXPECT_EQ(rules[1]["shadowed_by"], 0);
    EXPECT_EQ(rules[2]["verdict"], "matches-nothing");
    EXPECT_EQ(rules[2]["suggestions"][0]["value"], "Conv");
}

TEST(CliPlan, APrecisionRuleChangesTheQuantizersOfTheNodesItCatches)
{
    const TemporaryFolder folder;
    const std::string file
        = writeRecipe(folder / "precision.json", {.rules = R"({"action": "precision", "kind": "type", "value": "Gemm",
            "activations_quantization_params": {"num_bits": 16}})"});
    const CliRun run = runCli({"plan", sample("digits_conv.onnx"), "--recipe", file, "--json"});
    EXPECT_EQ(run.exitCode, 0) << run.err;
    EXPECT_EQ(schemaComplaints(run.json(), "plan"), "");
    const auto plan = run.json();
    int wide = 0;
    for (const auto& [id, point] : plan["quantization_points"].items())
        wide += point["qconfig"]["num_bits"] == 16 ? 1 : 0;
    EXPECT_GT(wide, 0);
    const CliRun matched = runCli({"match", sample("digits_conv.onnx"), "--recipe", file, "--json"});
    EXPECT_EQ(matched.exitCode, 0) << matched.err;
    EXPECT_EQ(schemaComplaints(matched.json(), "match"), "");
    EXPECT_EQ(matched.json()["rules"][0]["effective"], matched.json()["rules"][0]["nodes"]);
    const CliRun converted = runCli({"convert-rules", file, "--to", "list", "--model", sample("digits_conv.onnx")});
    EXPECT_THAT(converted.err, HasSubstr("there are no precision rules in this form"));
}

TEST(CliMatch, ABadPatternIsRefused)
{
    const TemporaryFolder folder;
    const std::string file
        = writeRecipe(folder / "bad.json", {.rules = R"({"action": "ignore", "kind": "pattern", "value": "a("})"});
    const CliRun run = runCli({"match", sample("digits_conv.onnx"), "--recipe", file, "--json"});
    EXPECT_EQ(run.exitCode, 3);
    EXPECT_EQ(run.out, "");
    EXPECT_EQ(run.err,
        "error: pattern is not valid at 1, missing ), unterminated subpattern: " + file
            + " rules[0].value 'a(': correct it as Python's re has it, or disable the rule\n");
    const std::string off = writeRecipe(
        folder / "off.json", {.rules = R"({"action": "ignore", "kind": "pattern", "value": "a(", "enabled": false})"});
    EXPECT_EQ(runCli({"match", sample("digits_conv.onnx"), "--recipe", off}).exitCode, 0);
}

TEST(CliMatch, KeysWithoutEffectAreNoted)
{
    const TemporaryFolder folder;
    const std::string file = writeRecipe(folder / "notes.json", {.settings = R"("fast_bias_correctoin": true)"});
    const CliRun run = runCli({"match", sample("digits_conv.onnx"), "--recipe", file});
    EXPECT_EQ(run.exitCode, 0);
    EXPECT_THAT(
        run.err, HasSubstr("a key that is not known: kept, but without effect: quantization.fast_bias_correctoin"));
}

TEST(CliConvertRules, WritesOtherFormsAndSaysWhatIsLost)
{
    const TemporaryFolder folder;
    const std::string file
        = folder.write("scope.py", "nncf.IgnoredScope(names=['/fc/Gemm'], patterns=['.*Conv'])\n").string();
    const CliRun run = runCli({"convert-rules", file, "--to", "ort", "--json"});
    EXPECT_EQ(run.exitCode, 0) << run.err;
    EXPECT_EQ(schemaComplaints(run.json(), "convert-rules"), "");
    EXPECT_EQ(run.json()["from"], "nncf-python");
    EXPECT_EQ(run.json()["text"], "nodes_to_exclude=[\n    \"/fc/Gemm\",\n]\n");
    EXPECT_EQ(run.json()["losses"][0]["rule"], 1);
    const CliRun expanded = runCli({"convert-rules", file, "--to", "list", "--model", sample("digits_conv.onnx")});
    EXPECT_EQ(expanded.exitCode, 0) << expanded.err;
    EXPECT_THAT(expanded.out, HasSubstr("/Conv\n"));
    EXPECT_THAT(expanded.err, HasSubstr("rule 2: written as the names of "));
}

TEST(CliConvertRules, RefusesWhatItCannotRead)
{
    const TemporaryFolder folder;
    const std::string file = folder.write("bad.py", "nncf.IgnoredScope(names=[f'{x}'])\n").string();
    const CliRun run = runCli({"convert-rules", file, "--to", "list"});
    EXPECT_EQ(run.exitCode, 3);
    EXPECT_EQ(
        run.err, "error: bytes and f-strings are not read: " + file + " line 1 column 26: write Python literals\n");
    EXPECT_EQ(runCli({"convert-rules", file, "--to", "yaml"}).exitCode, 2);
    EXPECT_EQ(runCli({"convert-rules", file + ".none", "--to", "list"}).exitCode, 3);
}

} // namespace
} // namespace duo::test
