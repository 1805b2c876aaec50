// SPDX-License-Identifier: Apache-2.0
// graph as a user runs it: the model before it is quantized, after, and as it is run.
#include "tests/app/cli/run_cli.h"
#include "tests/support/temporary_folder.h"

#include <cstdio>
#include <fstream>
#include <iterator>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace duo::test {
namespace {

using testing::HasSubstr;
using testing::Not;

class CliGraph : public testing::Test
{
protected:
    CliRun graph(const std::string& form, std::vector<std::string> more = {})
    {
        std::vector<std::string> arguments{
            "graph", sample("digits_conv.onnx"), "--as", form, "-o", file("g.svg"), "--all", "--json"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        return runCli(arguments);
    }
    [[nodiscard]] std::string file(const std::string& name) const { return (m_folder.path() / name).string(); }
    [[nodiscard]] std::string drawing() const
    {
        std::ifstream stream(file("g.svg"));
        return {std::istreambuf_iterator<char>(stream), {}};
    }

    TemporaryFolder m_folder;
};

TEST_F(CliGraph, OriginalHasNoQuantizersAndCompressedHas)
{
    const CliRun original = graph("original");
    ASSERT_EQ(original.exitCode, 0) << original.err;
    EXPECT_EQ(original.json()["as"], "original");
    EXPECT_FALSE(original.json().contains("run"));
    EXPECT_THAT(drawing(), Not(HasSubstr("weight s8")));
    const CliRun compressed = graph("compressed");
    ASSERT_EQ(compressed.exitCode, 0) << compressed.err;
    EXPECT_THAT(drawing(), HasSubstr("weight s8"));
}

TEST_F(CliGraph, OriginalSaysWhatBecomesOfNodesAsTheWindowDoes)
{
    const auto drawn = [&](const std::string& transform) {
        const CliRun run = runCli({"graph", sample("digits_transformer.onnx"), "--as", "original", "-o", file("g.svg"),
            "--all", "--json", "--no-checkpoint", transform});
        EXPECT_EQ(run.exitCode, 0) << run.err;
        return drawing();
    };
    EXPECT_THAT(drawn("--transform"), HasSubstr("goes: "));
    EXPECT_THAT(drawn("--no-transform"), Not(HasSubstr("goes")));
}

TEST_F(CliGraph, EqualNeighboursAreFolded)
{
    const auto drawn = [&](std::vector<std::string> more) {
        std::vector<std::string> arguments{"graph", DUO_FILLED_MODELS "/resnet18.onnx", "-o", file("g.svg"), "--json"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        const CliRun run = runCli(arguments);
        EXPECT_EQ(run.exitCode, 0) << run.err;
        return run.json()["files"][0]["nodes"].get<int>();
    };
    const int whole = drawn({"--all"});
    EXPECT_LT(drawn({"--all", "--fold"}), whole);
    EXPECT_THAT(drawing(), HasSubstr("0–1 ×2"));
}

TEST_F(CliGraph, APictureIsWrappedForThePaneItIsToFill)
{
    const auto shape = [&](const char* aspect) {
        const CliRun run = runCli({"graph", sample("digits_conv.onnx"), "-o", file("g.svg"), "--aspect", aspect});
        EXPECT_EQ(run.exitCode, 0) << run.err;
        double width = 0;
        double height = 0;
        const std::string svg = drawing();
        std::sscanf(svg.c_str() + svg.find("width=\""), "width=\"%lfpt\" height=\"%lfpt\"", &width, &height);
        return width / height;
    };
    EXPECT_LT(shape("0.5"), 0.9);
    EXPECT_GT(shape("3"), 1.8);
    const CliRun none = runCli({"graph", sample("digits_conv.onnx"), "-o", file("g.svg"), "--aspect", "0"});
    EXPECT_EQ(none.exitCode, 2);
    EXPECT_THAT(none.err, HasSubstr("--aspect"));
}

TEST_F(CliGraph, AsRunIsWhatTheEngineMakesOfTheModelOrOfItsExport)
{
    const CliRun floats = graph("run");
    ASSERT_EQ(floats.exitCode, 0) << floats.err;
    EXPECT_EQ(floats.json()["run"]["of"], "digits_conv.onnx");
    EXPECT_EQ(floats.json()["run"]["int8"], 0);
    EXPECT_THAT(drawing(), HasSubstr("FusedConv"));
    const CliRun exported = runCli(
        {"quantize", sample("digits_conv.onnx"), "--data", sample("digits_calibration.npz"), "-o", file("m.onnx")});
    ASSERT_EQ(exported.exitCode, 0) << exported.err;
    const CliRun run = graph("run", {"--exported", file("m.onnx")});
    ASSERT_EQ(run.exitCode, 0) << run.err;
    EXPECT_EQ(run.json()["run"]["of"], "m.onnx");
    EXPECT_GT(run.json()["run"]["int8"], 10);
    EXPECT_THAT(drawing(), HasSubstr("QLinearConv"));
    EXPECT_THAT(drawing(), HasSubstr("int8, 2 nodes"));
}

TEST_F(CliGraph, AnOverlayColoursTheDrawingOfEachForm)
{
    const CliRun bytes = graph("run", {"--overlay", "bytes"});
    ASSERT_EQ(bytes.exitCode, 0) << bytes.err;
    EXPECT_THAT(drawing(), HasSubstr(">Size of parameters<"));
    const CliRun precision = graph("compressed", {"--overlay", "precision"});
    ASSERT_EQ(precision.exitCode, 0) << precision.err;
    EXPECT_THAT(drawing(), HasSubstr(">Precision<"));
    const CliRun time = graph("run", {"--overlay", "time", "--data", "random:1"});
    ASSERT_EQ(time.exitCode, 0) << time.err;
    EXPECT_THAT(drawing(), HasSubstr(">Time<"));
    EXPECT_EQ(graph("original", {"--overlay", "precision", "--no-checkpoint"}).err,
        "error: only the compressed graph has these values: precision: leave --as out\n");
    EXPECT_EQ(
        graph("run", {"--overlay", "time", "--quiet"}).err, "error: times are measured on data: time: give --data\n");
}

TEST_F(CliGraph, WhatIsMeasuredColoursTheDrawing)
{
    for (const auto& [kind, title] : {std::pair{"range", ">Range<"}, std::pair{"error", ">Foreseen error<"},
             std::pair{"sensitivity", ">Sensitivity<"}, std::pair{"half", ">16&#45;bit floats<"}}) {
        const CliRun run = graph("compressed", {"--overlay", kind, "--data", "random:2"});
        ASSERT_EQ(run.exitCode, 0) << run.err;
        EXPECT_THAT(drawing(), HasSubstr(title));
    }
    EXPECT_EQ(graph("original", {"--overlay", "range", "--data", "random:2"}).exitCode, 0);
    EXPECT_EQ(graph("original", {"--overlay", "error", "--data", "random:2", "--no-checkpoint"}).err,
        "error: only the compressed graph has these values: error: leave --as out\n");
    EXPECT_EQ(graph("compressed", {"--overlay", "error", "--quiet"}).err,
        "error: ranges are measured on data: error: give --statistics or --data\n");
    EXPECT_EQ(graph("compressed", {"--overlay", "sensitivity", "--statistics", "s", "--quiet"}).err,
        "error: sensitivity is measured on data: sensitivity: give --data\n");
    EXPECT_THAT(graph("compressed", {"--overlay", "range", "--statistics", "/nowhere/s"}).err,
        HasSubstr("error: cannot read file: /nowhere/s"));
}

TEST_F(CliGraph, DrawsWhatAStateChangedInTheFloatModel)
{
    m_folder.write("r.recipe.json", R"({"format": "duoscope-recipe", "version": 1, "quantization": {
        "model_type": "transformer", "smooth_quant_alphas": {"matmul": 0.5}}})");
    const CliRun quantized = runCli({"quantize", sample("digits_transformer.onnx"), "--data", "random:4", "--recipe",
        file("r.recipe.json"), "-o", file("s.onnx")});
    ASSERT_LE(quantized.exitCode, 1) << quantized.err;
    const CliRun run = runCli(
        {"graph", sample("digits_transformer.onnx"), "--state", file("s.state.json"), "--all", "-o", file("g.svg")});
    EXPECT_EQ(run.exitCode, 0) << run.err;
    EXPECT_THAT(drawing(), HasSubstr("_smooth_quant"));
}

TEST_F(CliGraph, RefusesWhatIsNotToBeHadInOneLine)
{
    const auto refusal = [&](const CliRun& run) { return std::pair(run.exitCode, run.err); };
    EXPECT_EQ(refusal(graph("original", {"--exported", "m.onnx"})),
        std::pair(2, std::string("error: --exported names what is run: m.onnx: give --as run with it\n")));
    EXPECT_THAT(
        graph("run", {"--exported", "/nowhere/m.onnx"}).err, HasSubstr("error: cannot read file: /nowhere/m.onnx"));
    EXPECT_THAT(graph("run", {"--exported", sample("digits_transformer.onnx")}).err,
        HasSubstr("error: no export of this model: it lacks most of its nodes: "));
    EXPECT_THAT(graph("original", {"--state", "m.json"}).err,
        HasSubstr("error: only the compressed graph has quantizers that a recipe or a state puts in: leave it out"));
    EXPECT_EQ(graph("backwards").exitCode, 2);
}

} // namespace
} // namespace duo::test
