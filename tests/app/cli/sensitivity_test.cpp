// SPDX-License-Identifier: Apache-2.0
#include "tests/app/cli/run_cli.h"
#include "tests/support/file_bytes.h"
#include "tests/support/half_range.h"
#include "tests/support/numpy_files.h"
#include "tests/support/schema_check.h"
#include "tests/support/temporary_folder.h"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace duo::test {
namespace {

using testing::HasSubstr;

std::vector<std::string> sensitivityCall(const std::vector<std::string>& more = {})
{
    std::vector<std::string> call{
        "sensitivity", sample("digits_conv.onnx"), "--data", sample("digits_calibration.npz"), "--samples", "3"};
    call.insert(call.end(), more.begin(), more.end());
    return call;
}

TEST(CliSensitivity, RanksScopesAndSuggestsRules)
{
    const CliRun run = runCli(sensitivityCall({"--json"}));
    ASSERT_EQ(run.exitCode, 0) << run.err;
    const auto json = run.json();
    EXPECT_EQ(schemaComplaints(json, "sensitivity"), "");
    EXPECT_EQ(json["samples"], 3);
    EXPECT_GT(json["all"]["sqnr_db"], 10);
    ASSERT_FALSE(json["suggestions"].empty());
    EXPECT_EQ(json["suggestions"][0]["rules"][0]["action"], "ignore");
    double last = 2;
    for (const auto& group : json["groups"]) { // most sensitive first
        EXPECT_LE(group["score"], last);
        last = group["score"];
    }
}

TEST(CliSensitivity, MeasuresEveryNode)
{
    const CliRun run = runCli(sensitivityCall({"--json", "--by", "node"}));
    ASSERT_EQ(run.exitCode, 0) << run.err;
    EXPECT_EQ(schemaComplaints(run.json(), "sensitivity"), "");
    const auto found = run.json();
    for (const auto& group : found["groups"])
        EXPECT_EQ(group["kind"], "node");
}

TEST(CliSensitivity, RefusesAnotherWayOfGrouping)
{
    const CliRun run = runCli(sensitivityCall({"--by", "layer"}));
    EXPECT_EQ(run.exitCode, 2);
    EXPECT_THAT(run.err, HasSubstr("error: --by"));
}

TEST(CliQuantize, KeepsScopesInFloatUntilTheBoundHolds)
{
    const TemporaryFolder folder;
    const std::string recipe = writeRecipe(folder / "half.recipe.json", {.settings = kHalfRange});
    const auto quantize = [&](const std::string& name, const std::vector<std::string>& more) {
        std::vector<std::string> call{"quantize", sample("digits_conv.onnx"), "--data",
            sample("digits_calibration.npz"), "--recipe", recipe, "-o", (folder / name).string(), "--json"};
        call.insert(call.end(), more.begin(), more.end());
        return runCli(call);
    };
    const CliRun plain = quantize("a.onnx", {});
    ASSERT_EQ(plain.exitCode, 0) << plain.err;
    const double reached = plain.json()["outputs"][0]["sqnr_db"];
    const std::string more = std::to_string(reached + 2);
    const CliRun bounded = quantize("b.onnx", {"--min-sqnr", more, "--min-agreement", "0.9"});
    ASSERT_EQ(bounded.exitCode, 0) << bounded.err;
    EXPECT_EQ(schemaComplaints(bounded.json(), "quantize"), "");
    EXPECT_GE(bounded.json()["outputs"][0]["sqnr_db"], reached + 2);
    EXPECT_GT(bounded.json()["ignored"], 0);
    EXPECT_THAT(bounded.err, HasSubstr("kept in float for the bounds: "));

    // What was kept is in the state: resuming gives the same model.
    const CliRun resumed = runCli({"resume", sample("digits_conv.onnx"), "--state", (folder / "b.state.json").string(),
        "-o", (folder / "c.onnx").string()});
    ASSERT_EQ(resumed.exitCode, 0) << resumed.err;
    EXPECT_EQ(bytesOf(folder / "b.onnx"), bytesOf(folder / "c.onnx"));
}

TEST(CliQuantize, SaysThatABoundIsOutOfReach)
{
    const TemporaryFolder folder;
    const CliRun run = runCli({"quantize", sample("digits_conv.onnx"), "--data", sample("digits_calibration.npz"), "-o",
        (folder / "a.onnx").string(), "--min-agreement", "0.5", "--min-sqnr", "1000"});
    EXPECT_EQ(run.exitCode, 1);
    EXPECT_THAT(run.out, HasSubstr("of 1000.0 dB wanted"));
}

/// The metric is the size of the file: scopes in float make it larger.
CliRun quantizeBySize(const TemporaryFolder& folder, const std::string& maxDrop, const std::string& metric)
{
    return runCli({"quantize", sample("digits_conv.onnx"), "--data", sample("digits_calibration.npz"), "-o",
        (folder / (maxDrop + ".onnx")).string(), "--json", "--metric", metric, "--max-drop", maxDrop});
}

TEST(CliQuantize, KeepsTheFewestScopesInFloatForAMetric)
{
    const TemporaryFolder folder;
    const std::string size = "wc -c < {model}";
    const CliRun loose = quantizeBySize(folder, "0.9", size);
    ASSERT_EQ(loose.exitCode, 0) << loose.err;
    EXPECT_EQ(loose.json()["ignored"], 0);
    const CliRun strict = quantizeBySize(folder, "0.5", size);
    EXPECT_EQ(schemaComplaints(strict.json(), "quantize"), "");
    const auto quality = strict.json()["verdict"]["quality"];
    EXPECT_GE(quality["int8"], 0.5 * quality["float"].get<double>());
    EXPECT_GT(strict.json()["ignored"], 0);
    EXPECT_THAT(strict.err, HasSubstr("kept in float for the bounds: "));
    EXPECT_EQ(std::filesystem::file_size(folder / "0.5.onnx"), quality["int8"]); // the file is the one that held
}

TEST(CliQuantize, ABoundJustAboveWhatTheFileHoldsIsReached)
{
    const TemporaryFolder folder;
    const CliRun run = runCli({"quantize", sample("digits_conv.onnx"), "--data", sample("digits_test.npz"), "-o",
        (folder / "a.onnx").string(), "--json", "--min-sqnr", "48.6"});
    EXPECT_TRUE(run.json()["checks"].back()["ok"]) << run.err;
    EXPECT_GE(run.json()["outputs"][0]["sqnr_db"], 48.6);
    EXPECT_TRUE(run.json()["verdict"]["held_back"]); // 300 of 700 samples were calibrated with
}

TEST(CliQuantize, AnErrorOnTheWayLeavesEarlierFilesAsTheyWere)
{
    const TemporaryFolder folder;
    const std::string target = folder.write("m.onnx", "earlier").string();
    const std::string count = (folder / "count").string();
    const std::string metric = "echo x >> '" + count + "'; case $(wc -l < '" + count
        + "') in 1) echo 1;; 2) echo 0;; *) exit 7;; esac; : {model}";
    const CliRun run = runCli({"quantize", sample("digits_conv.onnx"), "--data", sample("digits_calibration.npz"), "-o",
        target, "--metric", metric});
    EXPECT_EQ(run.exitCode, 3) << run.err;
    EXPECT_EQ(bytesOf(target), "earlier");
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 2); // nothing else was left
}

TEST(CliQuantize, SaysThatAMetricIsOutOfReach)
{
    const TemporaryFolder folder;
    // Every file has another number: no choice of scopes brings the float model's back.
    const CliRun run
        = quantizeBySize(folder, "0", "test {model} -ef " + sample("digits_conv.onnx") + " && echo 1 || echo 0");
    EXPECT_EQ(run.exitCode, 1);
    EXPECT_EQ(run.json()["verdict"]["verdict"], "nothing quantized");
    EXPECT_THAT(run.json()["checks"].back()["message"].get<std::string>(),
        HasSubstr("metric 0 of 1; nothing is left quantized"));
}

TEST(CliQuantize, AMetricNeedsNoData)
{
    const TemporaryFolder folder;
    ASSERT_EQ(runCli({"statistics", sample("digits_conv.onnx"), "--data", sample("digits_calibration.npz"), "-o",
                         (folder / "s").string()})
                  .exitCode,
        0);
    const CliRun run = runCli({"quantize", sample("digits_conv.onnx"), "--statistics", (folder / "s").string(), "-o",
        (folder / "a.onnx").string(), "--json", "--metric", "wc -c < {model}", "--max-drop", "0.5"});
    EXPECT_EQ(run.exitCode, 1);
    EXPECT_EQ(run.json()["verdict"]["verdict"], "regression");
    EXPECT_THAT(run.err, HasSubstr("no scope was kept in float for the metric"));
}

/// Sixteen pictures of the digits model, all different, with these labels.
std::string writeLabelled(const TemporaryFolder& folder, const std::vector<std::int64_t>& labels, float bad = 0)
{
    std::vector<float> pixels(16 * 64);
    for (std::size_t i = 0; i < pixels.size(); ++i)
        pixels[i] = static_cast<float>(i * 7919 % 1000) / 1000.0F;
    pixels[5] += bad;
    writeNpz(folder / "d.npz", {{"image.npy", npy({16, 1, 8, 8}, pixels)}, {"labels.npy", npy({16}, labels)}});
    return (folder / "d.npz").string();
}

TEST(CliQuantize, LabelsThatTellNothingOfTheFloatModelDoNotDecide)
{
    const TemporaryFolder folder;
    const std::string data = writeLabelled(folder, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 1, 2, 3, 4, 5});
    const CliRun run = runCli({"quantize", sample("digits_conv.onnx"), "--data", data, "--labels", "labels", "-o",
        (folder / "a.onnx").string(), "--json"});
    EXPECT_TRUE(run.json()["verdict"]["quality"].is_null());
    EXPECT_THAT(run.err, HasSubstr("warning: the float model is right in"));
    EXPECT_THAT(run.err,
        HasSubstr("no more than chance: labels 'labels' or the preprocessing of the data probably do not fit"));
    EXPECT_EQ(run.exitCode == 0, run.json()["verdict"]["accepted"]) << run.err;
}

TEST(CliQuantize, SaysThatTheDataHoldNaNInItsVerdictToo)
{
    const TemporaryFolder folder;
    const std::string data = writeLabelled(folder, std::vector<std::int64_t>(16, 0), NAN);
    const CliRun run = runCli(
        {"quantize", sample("digits_conv.onnx"), "--data", data, "-o", (folder / "a.onnx").string(), "--json"});
    EXPECT_EQ(run.exitCode, 1);
    EXPECT_EQ(schemaComplaints(run.json(), "quantize"), "");
    EXPECT_FALSE(run.json()["verdict"]["accepted"]);
    EXPECT_NE(run.json()["verdict"]["verdict"], "accepted");
}

TEST(CliQuantize, AMetricThatIsNaNOfTheQuantizedModelIsAFinding)
{
    const TemporaryFolder folder;
    const std::string original = sample("digits_conv.onnx");
    const CliRun run = quantizeBySize(folder, "0.5", "test {model} -ef " + original + " && echo 1 || echo nan");
    EXPECT_EQ(run.exitCode, 1) << run.err;
    EXPECT_TRUE(run.json()["verdict"]["quality"].is_null() || run.json()["verdict"]["quality"]["int8"].is_null());
    const CliRun ofFloat = quantizeBySize(folder, "0.4", "test {model} -ef " + original + " && echo nan || echo 1");
    EXPECT_EQ(ofFloat.exitCode, 3);
    EXPECT_THAT(ofFloat.err, HasSubstr("gives no finite number for the float model"));
}

TEST(CliQuantize, BoundsAreFiniteNumbers)
{
    for (const std::string option : {"--min-sqnr", "--min-agreement", "--max-drop"}) {
        const CliRun run
            = runCli({"quantize", sample("digits_conv.onnx"), "--data", "random:2", "-o", "never.onnx", option, "nan"});
        EXPECT_EQ(run.exitCode, 2) << option;
        EXPECT_THAT(run.err, HasSubstr("a finite number is wanted, not nan"));
    }
}

TEST(CliQuantize, BoundsNeedData)
{
    const TemporaryFolder folder;
    ASSERT_EQ(runCli({"statistics", sample("digits_conv.onnx"), "--data", sample("digits_calibration.npz"), "-o",
                         (folder / "s").string()})
                  .exitCode,
        0);
    const CliRun run = runCli({"quantize", sample("digits_conv.onnx"), "--statistics", (folder / "s").string(), "-o",
        (folder / "a.onnx").string(), "--min-sqnr", "20", "--no-checkpoint"});
    EXPECT_EQ(run.exitCode, 2);
    EXPECT_EQ(run.err,
        "error: bounds and labels need samples to compare outputs on: give data (--data), not statistics alone\n");
}

} // namespace
} // namespace duo::test
