// SPDX-License-Identifier: Apache-2.0
#include "tests/app/cli/run_cli.h"
#include "tests/support/file_bytes.h"
#include "tests/support/half_range.h"
#include "tests/support/schema_check.h"
#include "tests/support/temporary_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

using testing::AnyOf;
using testing::HasSubstr;
using testing::SizeIs;

namespace duo::test {
namespace {

std::vector<std::string> quantizeCall(
    const std::string& model, const std::filesystem::path& output, const std::vector<std::string>& more = {})
{
    std::vector<std::string> call{
        "quantize", sample(model), "--data", sample("digits_calibration.npz"), "-o", output.string(), "--json"};
    call.insert(call.end(), more.begin(), more.end());
    return call;
}

bool isOk(const nlohmann::ordered_json& report, const std::string& id)
{
    for (const auto& check : report["checks"]) {
        if (check["id"] == id)
            return check["ok"];
    }
    return false;
}

TEST(CliQuantize, QuantizesTheSampleAndEveryCheckPasses)
{
    const TemporaryFolder folder;
    const CliRun run = runCli(quantizeCall("digits_conv.onnx", folder / "m.int8.onnx"));
    ASSERT_EQ(run.exitCode, 0) << run.err;
    const auto json = run.json();
    EXPECT_EQ(schemaComplaints(json, "quantize"), "");
    EXPECT_GE(json["bytes_before"].get<double>() / json["bytes_after"].get<double>(), 3.0);
    EXPECT_TRUE(isOk(json, "int8-kernels")) << json["checks"].dump(2);
    EXPECT_THAT(json["files"], SizeIs(2));
    EXPECT_TRUE(std::filesystem::exists(folder / "m.int8.state.json"));
}

TEST(CliQuantize, WritesAndReadsWhereItIsStartedIfOnlyANameIsGiven)
{
    const TemporaryFolder folder;
    std::filesystem::copy(sample("digits_conv.onnx"), folder / "m.onnx");
    const auto runHere = [&](const std::vector<std::string>& call) {
        const CliRun run = runCli(call, {.folder = folder.path()});
        EXPECT_EQ(run.exitCode, 0) << run.err;
    };
    runHere({"quantize", "m.onnx", "--data", sample("digits_calibration.npz"), "-o", "q.onnx"});
    runHere({"resume", "m.onnx", "--state", "q.state.json", "-o", "again.onnx"});
    EXPECT_EQ(bytesOf(folder / "q.onnx"), bytesOf(folder / "again.onnx"));
    runHere({"quantize", "m.onnx", "--data", sample("digits_calibration.npz"), "--deploy", "d"});
    EXPECT_TRUE(std::filesystem::exists(folder / "d" / "m.onnx"));
    runHere({"graph", "m.onnx", "-o", "g.svg"});
    EXPECT_TRUE(std::filesystem::exists(folder / "g.svg"));
}

/// Processors with VNNI add up what others do not: there it is accepted.
TEST(CliQuantize, WhatKernelsAddUpWronglyIsNotSaidToBeMendedByAScopeInFloat)
{
    const TemporaryFolder folder;
    const CliRun run = runCli({"quantize", data("cases/n3_functions_mlist.onnx"), "--data", "random:8", "-o",
        (folder / "m.int8.onnx").string(), "--json"});
    const auto json = run.json();
    EXPECT_EQ(schemaComplaints(json, "quantize"), "");
    if (json["verdict"]["verdict"] != "regression")
        GTEST_SKIP() << "this processor has VNNI";
    const auto way = json["verdict"]["way_out"].get<std::string>();
    EXPECT_THAT(way, testing::StartsWith("its quantizers alone leave "));
    EXPECT_THAT(way, HasSubstr("overflow_fix: enable"));
    EXPECT_THAT(json["verdict"]["suggested_floats"], SizeIs(0));
}

/// Its probabilities are a sequence of maps (ZipMap), which is no tensor; its classes are.
TEST(CliQuantize, AClassifierOfScikitLearnIsJudgedByItsClasses)
{
    const TemporaryFolder folder;
    const std::string output = (folder / "m.int8.onnx").string();
    std::vector<std::string> call{"quantize", data("models/skl_digits.onnx"), "--data", data("models/skl_digits.npz"),
        "-o", output, "--json", "--no-cache"};
    const CliRun plain = runCli(call);
    ASSERT_EQ(plain.exitCode, 0) << plain.err << plain.out;
    const auto outputs = plain.json()["verdict"]["outputs"];
    ASSERT_THAT(outputs, SizeIs(2));
    EXPECT_THAT(outputs[0]["text"].get<std::string>(), AnyOf("identical", HasSubstr("equal in ")));
    EXPECT_EQ(outputs[1]["text"], "not compared: it is no tensor of numbers");
    EXPECT_TRUE(isOk(plain.json(), "int8-kernels"));
    call.insert(call.end(), {"--labels", "label"});
    const CliRun labelled = runCli(call);
    EXPECT_EQ(labelled.exitCode, 0) << labelled.err << labelled.out;
    EXPECT_GT(labelled.json()["verdict"]["quality"]["float"], 0.9) << "as scikit-learn itself";
    EXPECT_GT(labelled.json()["verdict"]["quality"]["int8"], 0.9);
    const CliRun compared = runCli(
        {"compare", data("models/skl_digits.onnx"), output, "--data", data("models/skl_digits.npz"), "--json"});
    EXPECT_EQ(compared.exitCode, 0) << compared.err << compared.out;
}

TEST(CliQuantize, PlacesForTheProfileNamed)
{
    const TemporaryFolder folder;
    for (const std::string profile : {"ort-cpu", "tensorrt", "openvino", "qnn"}) {
        const CliRun run
            = runCli(quantizeCall("digits_conv.onnx", folder / (profile + ".onnx"), {"--profile", profile}));
        EXPECT_EQ(run.exitCode, 0) << profile << run.err << run.out;
        EXPECT_THAT(
            run.json()["defaults"].dump(), profile == "ort-cpu" ? HasSubstr("profile: ort-cpu") : HasSubstr("preset"));
    }
    const CliRun run = runCli(quantizeCall("digits_conv.onnx", folder / "m.onnx", {"--profile", "coreml"}));
    EXPECT_EQ(run.exitCode, 2) << run.err;
}

/// What `scopes` says of the nodes called `names`, without how it is known.
nlohmann::ordered_json scopeFacts(const CliRun& scopes, const std::set<std::string>& names)
{
    auto facts = nlohmann::ordered_json::array();
    const auto json = scopes.json();
    for (auto node : json["nodes"]) {
        node.erase("provenance");
        if (names.contains(node["name"]))
            facts.push_back(node);
    }
    return facts;
}

std::set<std::string> nodeNames(const CliRun& scopes)
{
    std::set<std::string> names;
    const auto json = scopes.json();
    for (const auto& node : json["nodes"])
        names.insert(node["name"]);
    return names;
}

TEST(CliQuantize, TheExportTellsLaterWhatTheCheckpointShowed)
{
    const TemporaryFolder folder;
    const auto checkpoint = sample("digits_conv.safetensors");
    const CliRun run = runCli(quantizeCall("digits_conv.onnx", folder / "m.int8.onnx", {"--checkpoint", checkpoint}));
    ASSERT_EQ(run.exitCode, 0) << run.err;
    const CliRun before = runCli({"scopes", sample("digits_conv.onnx"), "--checkpoint", checkpoint, "--json"});
    const CliRun after = runCli({"scopes", folder / "m.int8.onnx", "--json"});
    const auto names = nodeNames(after);
    EXPECT_GT(scopeFacts(before, names).size(), 10U);
    EXPECT_EQ(scopeFacts(after, nodeNames(before)), scopeFacts(before, names));
    EXPECT_EQ(after.json()["never_executed"], before.json()["never_executed"]);
}

TEST(CliQuantize, DoesNotWriteOverTheCheckpoint)
{
    const TemporaryFolder folder;
    const auto checkpoint = folder / "m.state.json";
    std::filesystem::copy_file(sample("digits_conv.safetensors"), checkpoint);
    const CliRun run = runCli(quantizeCall("digits_conv.onnx", folder / "m.onnx", {"--checkpoint", checkpoint}));
    EXPECT_EQ(run.exitCode, 5);
    EXPECT_THAT(run.err,
        HasSubstr(
            "error: the output would replace a file that is read: " + checkpoint.string() + ": name another file\n"));
}

TEST(CliQuantize, ReadsBackWhatTheEngineMakesOfAModelWithDataOutside)
{
    // An ignored node keeps its weight in float, so the engine leaves it where it lies.
    const TemporaryFolder folder;
    const auto recipe
        = writeRecipe(folder / "r.recipe.json", {.rules = R"({"action": "ignore", "kind": "type", "value": "Conv"})"});
    const CliRun run = runCli({"quantize", data("models/external/external.onnx"), "--data", "random:2", "--recipe",
        recipe, "-o", (folder / "m.onnx").string(), "--json"});
    ASSERT_EQ(run.exitCode, 0) << run.err;
    EXPECT_TRUE(isOk(run.json(), "ignored-float")) << run.out;
}

TEST(CliQuantize, RefusesToReplaceItsDataBeforeItMeasuresAnything)
{
    const TemporaryFolder folder;
    const auto calibration = folder / "d.npz";
    std::filesystem::copy_file(sample("digits_calibration.npz"), calibration);
    const CliRun run = runCli({"quantize", sample("digits_conv.onnx"), "--no-checkpoint", "--data",
        calibration.string(), "-o", calibration.string()});
    EXPECT_EQ(run.exitCode, 5);
    EXPECT_EQ(run.err,
        "error: the output would replace a file that is read: " + calibration.string() + ": name another file\n");
}

TEST(CliQuantize, GivesTheSameBytesTwiceOnAnyNumberOfThreadsAndAfterResume)
{
    for (const std::string model : {"digits_conv.onnx", "digits_transformer.onnx"}) {
        const TemporaryFolder folder;
        // 1: written, and on a loaded machine perhaps measured as no faster
        ASSERT_LE(runCli(quantizeCall(model, folder / "a.onnx", {"--threads", "1"})).exitCode, 1);
        ASSERT_LE(runCli(quantizeCall(model, folder / "b.onnx", {"--threads", "2"})).exitCode, 1);
        EXPECT_EQ(bytesOf(folder / "a.onnx"), bytesOf(folder / "b.onnx"));
        EXPECT_EQ(bytesOf(folder / "a.state.json"), bytesOf(folder / "b.state.json"));
        const CliRun resumed = runCli({"resume", sample(model), "--state", (folder / "a.state.json").string(), "-o",
            (folder / "c.onnx").string(), "--strict", "--json"});
        ASSERT_EQ(resumed.exitCode, 0) << resumed.err;
        EXPECT_EQ(schemaComplaints(resumed.json(), "resume"), "");
        EXPECT_TRUE(resumed.json()["identical_setup"]);
        EXPECT_EQ(bytesOf(folder / "a.onnx"), bytesOf(folder / "c.onnx"));
        EXPECT_EQ(bytesOf(folder / "a.state.json"), bytesOf(folder / "c.state.json"));
    }
}

TEST(CliQuantize, LosesAtMostHalfAPointOfAccuracyOnBothSamples)
{
    for (const std::string model : {"digits_conv.onnx", "digits_transformer.onnx"}) {
        const TemporaryFolder folder;
        const std::string recipe = writeRecipe(folder / "half.recipe.json", {.settings = kHalfRange});
        ASSERT_LE(runCli(quantizeCall(model, folder / "q.onnx", {"--recipe", recipe})).exitCode, 1); // 1: perhaps slow
        const CliRun run = runCli({"compare", sample(model), (folder / "q.onnx").string(), "--data",
            sample("digits_test.npz"), "--labels", "labels", "--json"});
        ASSERT_EQ(run.exitCode, 0) << run.err;
        EXPECT_EQ(schemaComplaints(run.json(), "compare"), "");
        const auto top1 = run.json()["top1"];
        EXPECT_LE(top1["a"].get<double>() - top1["b"].get<double>(), 0.005) << model;
    }
}

TEST(CliQuantize, LabelsInTheDataAreFoundByThemselvesAndSaid)
{
    const TemporaryFolder folder;
    const auto quantized = [&](const std::vector<std::string>& more) {
        std::vector<std::string> call{"quantize", sample("digits_conv.onnx"), "--data", sample("digits_test.npz"), "-o",
            (folder / "q.onnx").string(), "--recipe",
            writeRecipe(folder / "half.recipe.json", {.settings = kHalfRange}), "--json"};
        call.insert(call.end(), more.begin(), more.end());
        return runCli(call);
    };
    const CliRun run = quantized({});
    ASSERT_EQ(run.exitCode, 0) << run.err;
    EXPECT_EQ(run.json()["verdict"]["quality"]["what"], "top-1 accuracy");
    EXPECT_GT(run.json()["verdict"]["quality"]["int8"].get<double>(), 0.98);
    EXPECT_THAT(run.err,
        HasSubstr("note: accuracy is by labels found with the data, array 'labels' of digits_test.npz (\"none\" for "
                  "labels leaves them out)"));
    EXPECT_EQ(schemaComplaints(run.json(), "quantize"), "");
    const CliRun without = quantized({"--labels", "none"});
    ASSERT_EQ(without.exitCode, 0) << without.err;
    EXPECT_TRUE(without.json()["verdict"]["quality"].is_null());
    const CliRun compared = runCli({"compare", sample("digits_conv.onnx"), (folder / "q.onnx").string(), "--data",
        sample("digits_test.npz"), "--json"});
    EXPECT_EQ(compared.json()["top1"]["samples"], 700);
    EXPECT_THAT(compared.err, HasSubstr("array 'labels' of digits_test.npz"));
}

TEST(CliQuantize, LabelsThatAreNoArrayOfTheDataStopItBeforeItCalibrates)
{
    const TemporaryFolder folder;
    const CliRun run = runCli({"quantize", sample("digits_conv.onnx"), "--data", sample("digits_test.npz"), "-o",
        (folder / "q.onnx").string(), "--labels", "digits_test.npz"});
    EXPECT_EQ(run.exitCode, 3);
    EXPECT_THAT(run.err, HasSubstr("error: there is no array 'digits_test.npz'"));
    EXPECT_THAT(run.err, testing::Not(HasSubstr("alibrat")));
    EXPECT_FALSE(std::filesystem::exists(folder / "q.onnx"));
}

TEST(CliQuantize, AnUnmatchedRuleStopsItBeforeAnythingIsWritten)
{
    const TemporaryFolder folder;
    const auto recipe = writeRecipe(
        folder / "r.recipe.json", {.rules = R"({"action": "ignore", "kind": "execution-scope", "value": "nowhere"})"});
    const CliRun run = runCli(quantizeCall("digits_conv.onnx", folder / "q.onnx", {"--recipe", recipe}));
    EXPECT_EQ(run.exitCode, 1);
    EXPECT_EQ(run.out, "");
    EXPECT_THAT(run.err, HasSubstr("warning: rule 'ignore execution-scope nowhere' matches nothing"));
    EXPECT_FALSE(std::filesystem::exists(folder / "q.onnx"));
}

TEST(CliQuantize, RefusesToWriteOverItsInput)
{
    const TemporaryFolder folder;
    std::filesystem::copy(sample("digits_conv.onnx"), folder / "m.onnx");
    const std::string before = bytesOf(folder / "m.onnx");
    const CliRun run
        = runCli({"quantize", (folder / "m.onnx").string(), "--data", "random:2", "-o", (folder / "m.onnx").string()});
    EXPECT_EQ(run.exitCode, 5);
    EXPECT_EQ(bytesOf(folder / "m.onnx"), before);
}

TEST(CliQuantize, SaysInOneLineThatTheOutputCannotBeWritten)
{
    const CliRun run = runCli(
        {"quantize", sample("digits_conv.onnx"), "--data", "random:2", "-o", "/no-such-folder/q.onnx", "--quiet"});
    EXPECT_EQ(run.exitCode, 5);
    EXPECT_EQ(run.err, "error: cannot write file: /no-such-folder/q.onnx: No such file or directory\n");
}

TEST(CliQuantize, IsQuietWhereThatIsAskedFor)
{
    const TemporaryFolder folder;
    const std::string target = (folder / "q.onnx").string();
    const CliRun run
        = runCli({"quantize", sample("digits_conv.onnx"), "--data", "random:2", "-o", target, "--no-cache", "--quiet"});
    EXPECT_LE(run.exitCode, 1);
    EXPECT_EQ(run.out, "");
    EXPECT_EQ(run.err, "");
    EXPECT_TRUE(std::filesystem::exists(target));
}

TEST(CliQuantize, QuantizingNothingIsAFinding)
{
    const TemporaryFolder folder;
    const std::string recipe
        = writeRecipe(folder / "r.recipe.json", {.rules = R"({"action": "ignore", "kind": "pattern", "value": ".*"})"});
    const CliRun run = runCli({"quantize", sample("digits_conv.onnx"), "--data", "random:2", "--recipe", recipe, "-o",
        (folder / "q.onnx").string(), "--no-cache", "--quiet"});
    EXPECT_EQ(run.exitCode, 1);
    EXPECT_THAT(run.err, testing::StartsWith("warning: 0 of "));
    const CliRun loud = runCli({"quantize", sample("digits_conv.onnx"), "--data", "random:2", "--recipe", recipe, "-o",
        (folder / "q.onnx").string(), "--no-cache"});
    EXPECT_THAT(loud.err, HasSubstr("warning: 0 of "));
    EXPECT_THAT(loud.err, testing::Not(HasSubstr("note: 0 of "))) << "once is enough";
    EXPECT_EQ(runCli({"plan", sample("digits_conv.onnx"), "--recipe", recipe}).exitCode, 1);
}

} // namespace
} // namespace duo::test
