// SPDX-License-Identifier: Apache-2.0
// transform as a user runs it.
#include "tests/app/cli/run_cli.h"
#include "tests/support/file_bytes.h"
#include "tests/support/schema_check.h"
#include "tests/support/temporary_folder.h"

#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace duo::test {
namespace {

using testing::HasSubstr;
using testing::Not;

class CliTransform : public testing::Test
{
protected:
    [[nodiscard]] std::string out() const { return (m_folder.path() / "out.onnx").string(); }

private:
    TemporaryFolder m_folder;
};

/// Quantized for tensorrt and halved, a model has casts at its ends only and loses nothing besides.
void expectTypedInHalf(const std::string& model, const std::string& out, std::size_t casts)
{
    SCOPED_TRACE(model);
    const TemporaryFolder folder;
    const std::string quantized = (folder / "q.onnx").string();
    const std::string data = sample("digits_calibration.npz");
    const CliRun first = runCli({"quantize", model, "--profile", "tensorrt", "--data", data, "-o", quantized});
    ASSERT_LE(first.exitCode, 1) << first.err;
    const CliRun run = runCli({"transform", quantized, "--half", "float16", "--data", data, "-o", out, "--json"});
    ASSERT_EQ(run.exitCode, 0) << run.err;
    const auto half = run.json()["passes"].back();
    EXPECT_GT(half["sqnr_db"], 48);
    EXPECT_EQ(runCli({"find", out, "type:Cast", "--json"}).json()["found"].size(), casts);
    const CliRun compared = runCli({"compare", model, out, "--data", data, "--min-sqnr", "38"});
    EXPECT_EQ(compared.exitCode, 0) << compared.out << compared.err;
}

/// The same in one command.
TEST_F(CliTransform, AnExportForTensorRtIsHalvedWhereItIsAsked)
{
    const std::string data = sample("digits_calibration.npz");
    const CliRun run = runCli({"quantize", sample("digits_conv.dynamo.onnx"), "--profile", "tensorrt", "--half",
        "float16", "--data", data, "-o", out()});
    ASSERT_EQ(run.exitCode, 0) << run.err;
    EXPECT_THAT(run.err, HasSubstr("23 nodes compute in float16, 1 node with floats stays in 32 bits"));
    EXPECT_EQ(runCli({"find", out(), "type:Cast", "--json"}).json()["found"].size(), 2U);
    const CliRun refused = runCli({"quantize", sample("digits_conv.dynamo.onnx"), "--profile", "tensorrt", "--half",
        "float16", "--no-transform", "--data", data, "-o", out()});
    EXPECT_EQ(refused.exitCode, 2);
    EXPECT_THAT(refused.err, HasSubstr("error: floats of 16 bits are made by a pass, and passes are switched off"));
}

TEST_F(CliTransform, WritesAModelThatComputesTheSame)
{
    const CliRun run = runCli({"transform", sample("digits_transformer.onnx"), "-o", out(), "--json"});
    EXPECT_EQ(run.exitCode, 0) << run.err;
    EXPECT_EQ(schemaComplaints(run.json(), "transform"), "");
    EXPECT_LT(run.json()["nodes_after"], run.json()["nodes_before"]);
    EXPECT_EQ(run.json()["files"].size(), 1U);
    const CliRun compared
        = runCli({"compare", sample("digits_transformer.onnx"), out(), "--data", "random:2", "--min-sqnr", "120"});
    EXPECT_EQ(compared.exitCode, 0) << compared.out << compared.err;
}

TEST_F(CliTransform, SaysWhatItWouldDoAndWritesNothing)
{
    const CliRun run = runCli({"transform", sample("digits_conv.onnx"), "--dry-run"});
    EXPECT_EQ(run.exitCode, 0) << run.err;
    EXPECT_THAT(run.out, HasSubstr("28 nodes before, 24 nodes after\n"));
    EXPECT_THAT(run.out, HasSubstr("  identity: 4 nodes in encoder (4)\n"));
    EXPECT_THAT(run.out, HasSubstr("  same-size: not run, needs the sizes of values"));
    EXPECT_FALSE(std::filesystem::exists(out()));
}

TEST_F(CliTransform, KeepsWhatItIsToKeep)
{
    const CliRun run
        = runCli({"transform", sample("digits_conv.onnx"), "--dry-run", "--keep", "encoder", "--disable", "no-op"});
    EXPECT_EQ(run.exitCode, 0) << run.err;
    EXPECT_THAT(run.out, HasSubstr("28 nodes before, 28 nodes after, 23 kept as they are\n"));
    EXPECT_THAT(run.out, HasSubstr("  no-op: not run, switched off\n"));
}

TEST_F(CliTransform, TakesSwitchesAndRulesOfARecipe)
{
    const TemporaryFolder folder;
    const std::string recipe = folder.write("r.recipe.json", R"({"format": "duoscope-recipe", "version": 1, "rules": [],
        "transforms": {"disable": ["no-op"], "keep": [{"action": "ignore", "kind": "type", "value": "Conv"}]}})");
    const CliRun run = runCli({"transform", sample("digits_conv.onnx"), "--recipe", recipe, "--dry-run"});
    EXPECT_EQ(run.exitCode, 0) << run.err;
    EXPECT_THAT(run.out, HasSubstr(" kept as they are\n"));
    EXPECT_THAT(run.out, HasSubstr("  no-op: not run, switched off\n"));
    const CliRun half = runCli({"transform", sample("digits_conv.onnx"), "--recipe", recipe, "--half", "float16",
        "--data", sample("digits_calibration.npz"), "-o", out(), "--json"});
    ASSERT_EQ(half.exitCode, 0) << half.err;
    const auto skipped = half.json()["passes"].back()["skipped"];
    EXPECT_GT(
        std::ranges::count_if(skipped, [](const auto& node) { return node["why"] == "it is to stay as it is"; }), 3);
}

TEST_F(CliTransform, PrecisionRulesOfARecipeSayWhatStaysInThirtyTwoBits)
{
    const TemporaryFolder folder;
    const std::string recipe = folder.write("r.recipe.json", R"({"format": "duoscope-recipe", "version": 1, "rules": [
        {"action": "precision", "kind": "type", "value": "MatMul", "float_bits": 32},
        {"action": "precision", "kind": "name", "value": "nowhere", "float_bits": 32}],
        "transforms": {"half": "float16"}})");
    const std::vector<std::string> call{"transform", sample("digits_transformer.onnx"), "--recipe", recipe, "--data",
        sample("digits_calibration.npz"), "--dry-run", "--json"};
    const CliRun run = runCli(call);
    ASSERT_EQ(run.exitCode, 0) << run.err;
    EXPECT_EQ(schemaComplaints(run.json(), "transform"), "");
    const auto half = run.json()["passes"].back();
    EXPECT_EQ(half["id"], "half");
    EXPECT_GT(half["applied"], 10);
    EXPECT_GT(std::ranges::count_if(half["skipped"],
                  [](const auto& node) { return node["why"] == "rule 'precision type MatMul: floats of 32 bits'"; }),
        3);
    EXPECT_EQ(run.json()["kept_nothing"].size(), 1U);
    const CliRun why = runCli({"explain", sample("digits_transformer.onnx"), "--recipe", recipe,
        half["skipped"][0]["node"].get<std::string>()});
    EXPECT_THAT(why.out, HasSubstr("floats of 32 bits")) << half["skipped"][0];
}

TEST_F(CliTransform, ListsSixteenBitsAsAPassThatCanBeSwitched)
{
    const TemporaryFolder folder;
    const std::string recipe = folder.write("r.recipe.json",
        R"({"format": "duoscope-recipe", "version": 1, "rules": [], "transforms": {"half": "bfloat16"}})");
    const CliRun off
        = runCli({"transform", sample("digits_conv.onnx"), "--recipe", recipe, "--disable", "half", "--dry-run"});
    EXPECT_EQ(off.exitCode, 0) << off.err;
    EXPECT_THAT(off.out, HasSubstr("  half: not run, switched off\n"));
    const CliRun on = runCli({"transform", sample("digits_conv.onnx"), "--enable", "half", "--data",
        sample("digits_calibration.npz"), "--dry-run"});
    EXPECT_EQ(on.exitCode, 0) << on.err;
    EXPECT_THAT(on.out, HasSubstr("\n  half: "));
    const CliRun plan = runCli({"plan", sample("digits_conv.onnx"), "--recipe", recipe});
    EXPECT_THAT(plan.err, HasSubstr("pass half, which the recipe asks for, is left out here"));
}

/// What was written is opened with the scopes of the model that it was made of.
TEST_F(CliTransform, WritesTheScopesThatTheModelShows)
{
    const std::string model = sample("digits_transformer.onnx");
    ASSERT_EQ(runCli({"transform", model, "-o", out()}).exitCode, 0);
    const auto before = runCli({"scopes", model, "--json"}).json()["nodes"];
    const auto after = runCli({"scopes", out(), "--json"}).json()["nodes"];
    ASSERT_FALSE(after.empty());
    for (const auto& node : after) {
        const auto same
            = std::ranges::find_if(before, [&](const auto& other) { return other["name"] == node["name"]; });
        ASSERT_NE(same, before.end()) << node;
        EXPECT_EQ(node["execution"], (*same)["execution"]) << node;
    }
}

/// Owners that only the checkpoint tells are in the file, for whoever opens it without one.
TEST_F(CliTransform, TellsWhatACheckpointAdds)
{
    const auto model = [&](const char* option) {
        std::vector<std::string> call{"transform", sample("digits_conv.onnx"), "-o", out(), option};
        if (std::string(option) == "--checkpoint")
            call.push_back(sample("digits_conv.safetensors"));
        EXPECT_EQ(runCli(call).exitCode, 0);
        return runCli({"scopes", out(), "--json", "--no-checkpoint"}).json();
    };
    const auto with = model("--checkpoint");
    const auto known
        = runCli({"scopes", sample("digits_conv.onnx"), "--json", "--checkpoint", sample("digits_conv.safetensors")})
              .json();
    EXPECT_EQ(with["never_executed"], known["never_executed"]);
    EXPECT_NE(with["never_executed"], model("--no-checkpoint")["never_executed"]);
}

TEST_F(CliTransform, RefusesToKeepAScopeThatNobodyRunsIn)
{
    const CliRun run = runCli({"transform", sample("digits_conv.onnx"), "--dry-run", "--keep", "enoder"});
    EXPECT_EQ(run.exitCode, 2);
    EXPECT_THAT(run.err, HasSubstr("error: no node runs in this scope: --keep enoder: "));
}

TEST_F(CliTransform, HalvesWhatFits)
{
    const CliRun run = runCli({"transform", sample("digits_transformer.onnx"), "--half", "float16", "--data",
        sample("digits_calibration.npz"), "-o", out(), "--json"});
    EXPECT_EQ(run.exitCode, 0) << run.err;
    EXPECT_EQ(schemaComplaints(run.json(), "transform"), "");
    const auto half = run.json()["passes"].back();
    EXPECT_EQ(half["id"], "half");
    EXPECT_GT(half["applied"], 30);
    const CliRun compared = runCli({"compare", sample("digits_transformer.onnx"), out(), "--data",
        sample("digits_calibration.npz"), "--min-sqnr", "45"});
    EXPECT_EQ(compared.exitCode, 0) << compared.out << compared.err;
}

TEST_F(CliTransform, GivesInputsAndOutputsSixteenBitsWhereThatIsAskedFor)
{
    const CliRun run = runCli({"transform", sample("digits_conv.onnx"), "--half", "float16", "--half-ports", "--data",
        sample("digits_calibration.npz"), "-o", out(), "--json"});
    ASSERT_EQ(run.exitCode, 0) << run.err;
    EXPECT_EQ(schemaComplaints(run.json(), "transform"), "");
    const auto told = runCli({"inspect", out(), "--json"}).json();
    for (const char* list : {"inputs", "outputs"}) {
        for (const auto& port : told[list])
            EXPECT_EQ(port["type"], "float16") << list;
    }
}

TEST_F(CliTransform, SaysHowFarBfloatMovesOutputs)
{
    const std::vector<std::string> call{"transform", sample("digits_transformer.onnx"), "--half", "bfloat16", "--data",
        sample("digits_calibration.npz"), "-o", out()};
    const CliRun told = runCli(call);
    EXPECT_EQ(told.exitCode, 0) << told.err;
    EXPECT_THAT(told.out, Not(HasSubstr("same to rounding")));
    EXPECT_THAT(told.out, HasSubstr(" dB or more, measured with values rounded to bfloat16"));
    std::vector<std::string> asked = call;
    asked.emplace_back("--json");
    const CliRun run = runCli(asked);
    EXPECT_EQ(schemaComplaints(run.json(), "transform"), "");
    EXPECT_GT(run.json()["passes"].back()["sqnr_db"], 40);
    EXPECT_LT(run.json()["passes"].back()["sqnr_db"], 60);
}

TEST_F(CliTransform, KeepsInFloatWhatCostsTooMuchInSixteenBits)
{
    const auto halve = [&](const std::string& least) {
        return runCli({"transform", sample("digits_transformer.onnx"), "--half", "float16", "--data",
            sample("digits_calibration.npz"), "--min-sqnr", least, "-o", out(), "--json"});
    };
    const auto whole = halve("45").json()["passes"].back();
    const double reached = whole["sqnr_db"];
    EXPECT_GT(reached, 48);
    const CliRun run = halve(std::to_string(reached + 3));
    EXPECT_EQ(run.exitCode, 0) << run.err;
    EXPECT_EQ(schemaComplaints(run.json(), "transform"), "");
    const auto half = run.json()["passes"].back();
    EXPECT_GE(half["sqnr_db"], reached + 3);
    EXPECT_GT(half["applied"], 5);
    EXPECT_LT(half["applied"], whole["applied"]);
    const auto& skipped = half["skipped"];
    EXPECT_TRUE(std::ranges::any_of(skipped, [](const auto& node) {
        return node["why"].template get<std::string>().find("in 16 bits outputs keep") != std::string::npos;
    })) << skipped;
    const CliRun compared = runCli({"compare", sample("digits_transformer.onnx"), out(), "--data",
        sample("digits_calibration.npz"), "--min-sqnr", std::to_string(reached + 1)});
    EXPECT_EQ(compared.exitCode, 0) << compared.out << compared.err;
}

/// Of opset 20, and of opset 17, whose quantizers have no scales of 16 bits: it becomes 19.
TEST_F(CliTransform, AQuantizedModelIsTypedInSixteenBitsAndLosesNothingBesides)
{
    expectTypedInHalf(sample("digits_conv.dynamo.onnx"), out(), 2); // before the mean, which stays, and the output
    expectTypedInHalf(sample("digits_conv.onnx"), out(), 1); // before the output
}

TEST_F(CliTransform, HalvesNothingWithoutData)
{
    const CliRun run = runCli({"transform", sample("digits_conv.onnx"), "--half", "float16", "-o", out()});
    EXPECT_EQ(run.exitCode, 2);
    EXPECT_EQ(run.err, "error: whether values fit into 16 bits is told by data: --half: give --data\n");
}

TEST_F(CliTransform, BeforeQuantizingIsInTheStateAndResumesToTheSameBytes)
{
    const TemporaryFolder folder;
    const std::string model = sample("digits_conv.onnx");
    const std::string target = (folder / "q.onnx").string();
    const CliRun run = runCli({"quantize", model, "--data", "random:4", "--transform", "-o", target, "--no-cache"});
    EXPECT_LE(run.exitCode, 1) << run.err;
    EXPECT_THAT(run.err, HasSubstr("the model was simplified before anything was placed: 28 nodes became 24"));
    const std::string again = (folder / "again.onnx").string();
    const CliRun resumed
        = runCli({"resume", model, "--state", (folder / "q.state.json").string(), "--strict", "-o", again});
    EXPECT_LE(resumed.exitCode, 1) << resumed.err;
    EXPECT_TRUE(bytesOf(again) == bytesOf(target));
    const CliRun plain = runCli({"plan", model, "--recipe", (folder / "q.state.json").string(), "--no-transform"});
    EXPECT_EQ(plain.exitCode, 0) << plain.err;
    EXPECT_THAT(plain.err, Not(HasSubstr("simplified")));
}

TEST_F(CliTransform, RunsWhatATargetWantsBehindStageCommon)
{
    const CliRun run = runCli(
        {"transform", sample("digits_conv.onnx"), "--stage", "target", "--profile", "ort-cpu", "--dry-run", "--json"});
    EXPECT_EQ(run.exitCode, 0) << run.err;
    EXPECT_EQ(schemaComplaints(run.json(), "transform"), "");
    EXPECT_EQ(run.json()["stage"], "target");
    EXPECT_EQ(run.json()["passes"].back()["id"], "quantizers");
    const CliRun alone = runCli({"transform", sample("digits_conv.onnx"), "--stage", "target", "--dry-run"});
    EXPECT_EQ(alone.exitCode, 2);
    EXPECT_THAT(alone.err, HasSubstr("a profile is for stage target, and that needs one"));
}

TEST_F(CliTransform, WritesForARuntimeThatReadsNoNewerOpset)
{
    const CliRun run
        = runCli({"transform", sample("digits_transformer.dynamo.onnx"), "--opset", "16", "-o", out(), "--json"});
    EXPECT_EQ(run.exitCode, 0) << run.err;
    EXPECT_EQ(schemaComplaints(run.json(), "transform"), "");
    EXPECT_EQ(run.json()["passes"].back()["id"], "lower-opset");
    EXPECT_GT(run.json()["passes"].back()["applied"], 0);
    const CliRun read = runCli({"inspect", out()});
    EXPECT_THAT(read.out, HasSubstr("opset 16"));
    const CliRun compared = runCli(
        {"compare", sample("digits_transformer.dynamo.onnx"), out(), "--data", "random:2", "--min-sqnr", "100"});
    EXPECT_EQ(compared.exitCode, 0) << compared.out << compared.err;
}

TEST_F(CliTransform, RaisesTheOpsetAndSwitchesPassesOn)
{
    const CliRun run = runCli({"transform", sample("digits_conv.onnx"), "--least-opset", "21", "--enable", "split-gemm",
        "-o", out(), "--json"});
    EXPECT_EQ(run.exitCode, 0) << run.err;
    EXPECT_EQ(schemaComplaints(run.json(), "transform"), "");
    EXPECT_THAT(runCli({"inspect", out()}).out, HasSubstr("opset 21"));
    EXPECT_TRUE(runCli({"find", out(), "type:Gemm", "--json"}).json()["found"].empty());
    const CliRun compared
        = runCli({"compare", sample("digits_conv.onnx"), out(), "--data", "random:2", "--min-sqnr", "100"});
    EXPECT_EQ(compared.exitCode, 0) << compared.out << compared.err;
    const CliRun wrong = runCli({"transform", sample("digits_conv.onnx"), "--enable", "identity", "-o", out()});
    EXPECT_EQ(wrong.exitCode, 2);
    EXPECT_THAT(wrong.err, HasSubstr("no pass that could be switched on has this id: identity"));
}

TEST_F(CliTransform, RefusesInOneLine)
{
    const CliRun nowhere = runCli({"transform", sample("digits_conv.onnx")});
    EXPECT_EQ(nowhere.exitCode, 2);
    EXPECT_EQ(nowhere.err, "error: nothing says where to write: -o: name a file, or ask for --dry-run\n");
    const CliRun unknown = runCli({"transform", sample("digits_conv.onnx"), "-o", out(), "--disable", "x"});
    EXPECT_EQ(unknown.exitCode, 2);
    EXPECT_THAT(unknown.err, HasSubstr("no pass has this id: x"));
    const CliRun itself = runCli({"transform", sample("digits_conv.onnx"), "-o", sample("digits_conv.onnx")});
    EXPECT_EQ(itself.exitCode, 5) << itself.err;
}

} // namespace
} // namespace duo::test
