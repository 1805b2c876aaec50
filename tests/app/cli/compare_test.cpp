// SPDX-License-Identifier: Apache-2.0
#include "tests/app/cli/run_cli.h"
#include "tests/support/schema_check.h"
#include "tests/support/temporary_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using testing::HasSubstr;

namespace duo::test {
namespace {

std::vector<std::string> compareCall(
    const std::string& a, const std::string& b, const std::vector<std::string>& more = {})
{
    std::vector<std::string> call{"compare", sample(a), sample(b), "--data", sample("digits_test.npz")};
    call.insert(call.end(), more.begin(), more.end());
    return call;
}

TEST(CliCompare, SaysThatASampleIsIdenticalToItself)
{
    for (const std::string model : {"digits_conv.onnx", "digits_transformer.onnx"}) {
        const CliRun run = runCli(compareCall(model, model, {"--labels", "labels", "--min-sqnr", "100", "--json"}));
        ASSERT_EQ(run.exitCode, 0) << run.out << run.err;
        const auto json = run.json();
        EXPECT_EQ(schemaComplaints(json, "compare"), "");
        EXPECT_TRUE(json["outputs"][0]["identical"]);
        EXPECT_EQ(json["outputs"][0]["sqnr_db"], nullptr);
        EXPECT_EQ(json["top1"]["agreement"], 1.0);
        EXPECT_GT(json["top1"]["a"], 0.9);
        EXPECT_EQ(json["bytes"]["a"], json["bytes"]["b"]);
        EXPECT_FALSE(json["values"].empty());
    }
}

TEST(CliCompare, EndsWithOneWhenTheSqnrIsMissed)
{
    const CliRun run = runCli(compareCall("digits_conv.onnx", "digits_transformer.onnx", {"--min-sqnr", "40"}));
    EXPECT_EQ(run.exitCode, 1) << run.err;
    EXPECT_THAT(run.out, HasSubstr("findings\n"));
    EXPECT_THAT(run.out, HasSubstr("40 dB are wanted"));
}

TEST(CliCompare, EndsWithOneWhenInputsDoNotCorrespond)
{
    const CliRun run
        = runCli({"compare", data("models/opset13.onnx"), sample("digits_conv.onnx"), "--data", "random:1", "--json"});
    ASSERT_EQ(run.exitCode, 1) << run.err;
    EXPECT_EQ(schemaComplaints(run.json(), "compare"), "");
    EXPECT_EQ(run.json()["latency_ms"], nullptr);
    EXPECT_FALSE(run.json()["findings"].empty());
}

TEST(CliCompare, ConvertsPortsOfSixteenBits)
{
    const TemporaryFolder folder;
    const std::string half = (folder / "half.onnx").string();
    ASSERT_EQ(runCli({"transform", sample("digits_conv.onnx"), "--half", "float16", "--half-ports", "--data",
                         sample("digits_calibration.npz"), "-o", half})
                  .exitCode,
        0);
    for (const auto& [a, b, letter] :
        {std::tuple(sample("digits_conv.onnx"), half, "B"), std::tuple(half, sample("digits_conv.onnx"), "A")}) {
        const CliRun run = runCli({"compare", a, b, "--data", sample("digits_test.npz"), "--min-sqnr", "45", "--json"});
        ASSERT_EQ(run.exitCode, 0) << run.out << run.err;
        EXPECT_EQ(schemaComplaints(run.json(), "compare"), "");
        EXPECT_THAT(run.err, HasSubstr(std::string("float16 inputs and outputs of ") + letter + " are converted"));
    }
}

TEST(CliCompare, NamesTheModelItCannotRead)
{
    const CliRun run = runCli({"compare", sample("digits_conv.onnx"), "/no/such.onnx", "--data", "random:1"});
    EXPECT_EQ(run.exitCode, 3);
    EXPECT_EQ(run.out, "");
    EXPECT_THAT(run.err, HasSubstr("/no/such.onnx"));
}

CliRun setups(const std::string& a, const std::string& b)
{
    return runCli({"compare", a, b, "--setup", "--json"});
}

TEST(CliCompareSetup, AStateIsTheSameAsItself)
{
    const CliRun run = setups(data("states/v2.state.json"), data("states/v2.state.json"));
    ASSERT_EQ(run.exitCode, 0) << run.err;
    EXPECT_EQ(schemaComplaints(run.json(), "compare-setup"), "");
    EXPECT_TRUE(run.json()["same"]);
    EXPECT_GT(run.json()["equal_quantizers"], 0);
}

TEST(CliCompareSetup, SaysWhichQuantizersOfTwoExportsDiffer)
{
    const TemporaryFolder folder;
    const std::string one = (folder / "one.onnx").string();
    const std::string other = (folder / "other.onnx").string();
    const std::vector<std::string> made{
        "quantize", sample("digits_conv.onnx"), "--data", "random:4", "--no-cache", "-o"};
    const auto quantize = [&](const std::string& target, const std::vector<std::string>& more) {
        std::vector<std::string> call = made;
        call.push_back(target);
        call.insert(call.end(), more.begin(), more.end());
        EXPECT_LE(runCli(call).exitCode, 1);
    };
    const auto recipe = folder.write("ignoring.recipe.json",
        R"({"format": "duoscope-recipe", "version": 1, "rules": [{"kind": "type", "value": "Gemm", "action": "ignore"}]})");
    quantize(one, {});
    quantize(other, {"--recipe", recipe.string()});
    for (const auto& [first, second] : {std::pair{one, other},
             std::pair{(folder / "one.state.json").string(), (folder / "other.state.json").string()}}) {
        const CliRun run = setups(first, second);
        ASSERT_EQ(run.exitCode, 1) << run.err;
        EXPECT_EQ(schemaComplaints(run.json(), "compare-setup"), "");
        const auto quantizers = run.json()["quantizers"];
        ASSERT_FALSE(quantizers.empty());
        EXPECT_EQ(quantizers[0]["change"], "only-first");
        EXPECT_GT(run.json()["equal_quantizers"], 0);
    }
    const CliRun states = setups((folder / "one.state.json").string(), (folder / "other.state.json").string());
    EXPECT_EQ(states.json()["rules"]["only_second"].size(), 1U);
    const CliRun ofRecipe = setups(recipe.string(), (folder / "other.state.json").string());
    EXPECT_EQ(ofRecipe.json()["rules"]["only_first"].size(), 0U) << "a state holds its recipe";
}

TEST(CliCompareSetup, AModelIsNotComparedWithAState)
{
    const CliRun run = setups(sample("digits_conv.onnx"), data("states/v2.state.json"));
    EXPECT_EQ(run.exitCode, 2);
    EXPECT_THAT(run.err, HasSubstr("a model is not comparable with a recipe or state"));
}

TEST(CliCompare, AsksForSamplesWhereItRunsTheModels)
{
    const CliRun run = runCli({"compare", sample("digits_conv.onnx"), sample("digits_conv.onnx")});
    EXPECT_EQ(run.exitCode, 2);
    EXPECT_THAT(run.err, HasSubstr("nothing says what to run the models on"));
}

} // namespace
} // namespace duo::test
