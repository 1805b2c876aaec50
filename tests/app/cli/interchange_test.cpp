// SPDX-License-Identifier: Apache-2.0
// dequantize and convert-state as a user runs them.
#include "tests/app/cli/run_cli.h"
#include "tests/support/file_bytes.h"
#include "tests/support/proto_builder.h"
#include "tests/support/schema_check.h"
#include "tests/support/temporary_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace duo::test {
namespace {

using testing::HasSubstr;

class CliInterchange : public testing::Test
{
protected:
    [[nodiscard]] std::string path(const std::string& name) const { return (m_folder.path() / name).string(); }
    void write(const std::string& name, const std::string& text) { m_folder.write(name, text); }
    /// digits_conv.onnx, quantized.
    [[nodiscard]] std::string quantized() const
    {
        const std::string out = path("q.onnx");
        const CliRun run = runCli({"quantize", sample("digits_conv.onnx"), "--data", "random:2", "-o", out, "--quiet"});
        EXPECT_LE(run.exitCode, 1) << run.err;
        return out;
    }

private:
    TemporaryFolder m_folder;
};

TEST_F(CliInterchange, DequantizesAnExportToTheFloatModelWithRoundedWeights)
{
    const std::string file = quantized();
    const CliRun run = runCli({"dequantize", file, "-o", path("f.onnx"), "--json"});
    EXPECT_EQ(run.exitCode, 0) << run.err;
    EXPECT_EQ(schemaComplaints(run.json(), "dequantize"), "");
    EXPECT_TRUE(run.json()["not_recovered"].empty());
    EXPECT_TRUE(run.json()["kept"].empty());
    const CliRun compared
        = runCli({"compare", sample("digits_conv.onnx"), path("f.onnx"), "--data", "random:4", "--min-sqnr", "30"});
    EXPECT_EQ(compared.exitCode, 0) << compared.out << compared.err;
    const CliRun again = runCli({"dequantize", path("f.onnx"), "--dry-run"});
    EXPECT_EQ(again.exitCode, 1) << "nothing is left to take out";
    EXPECT_THAT(again.out, HasSubstr("0 quantizers found\n"));
}

/// Rows of a table in blocks of four bits, which only ONNX Runtime takes; beside an input in codes.
std::string tableInBlocks(float scale)
{
    ProtoBuilder model;
    model.model().mutable_opset_import(0)->set_version(21);
    onnx::OperatorSetIdProto& contrib = *model.model().add_opset_import();
    contrib.set_domain("com.microsoft");
    contrib.set_version(1);
    model.input("x", {2}).output("y", {2, 32}).weight("x_scale", {}, {1}).weight("scales", {4, 1}, {scale});
    model.tensor("table", {4, 16}, onnx::TensorProto::UINT8).set_raw_data(std::string(64, '\x9A'));
    model.node("QuantizeLinear", "quantize", {"x", "x_scale"}, {"x_q"});
    model.node("DequantizeLinear", "dequantize", {"x_q", "x_scale"}, {"x_dq"});
    addInt(model.node("Cast", "cast", {"x_dq"}, {"rows"}), "to", onnx::TensorProto::INT64);
    onnx::NodeProto& gather = model.node("GatherBlockQuantized", "gather", {"table", "rows", "scales"}, {"y"});
    gather.set_domain("com.microsoft");
    addInt(gather, "bits", 4);
    addInt(gather, "block_size", 32);
    addInt(gather, "quantize_axis", 1);
    return model.text();
}

TEST_F(CliInterchange, SaysByItsExitCodeThatNodesStayInCodes)
{
    write("t.onnx", tableInBlocks(1));
    const CliRun run = runCli({"dequantize", path("t.onnx"), "-o", path("f.onnx")});
    EXPECT_EQ(run.exitCode, 1) << run.err;
    EXPECT_THAT(run.out, HasSubstr("not recovered, 1 node: what GatherBlockQuantized computes on codes is not known"));
}

TEST_F(CliInterchange, ComparesNodesThatAreNotRecoveredByTheirConstants)
{
    write("a.onnx", tableInBlocks(1));
    write("b.onnx", tableInBlocks(2));
    EXPECT_EQ(runCli({"compare", path("a.onnx"), path("a.onnx"), "--setup"}).exitCode, 0);
    const CliRun run = runCli({"compare", path("a.onnx"), path("b.onnx"), "--setup", "--json"});
    EXPECT_EQ(run.exitCode, 1) << run.err;
    EXPECT_EQ(schemaComplaints(run.json(), "compare-setup"), "");
    EXPECT_EQ(run.json()["not_recovered"][0]["name"], "gather");
}

TEST_F(CliInterchange, SaysWhereToWriteOrNothing)
{
    const CliRun run = runCli({"dequantize", sample("digits_conv.onnx")});
    EXPECT_EQ(run.exitCode, 2);
    EXPECT_THAT(run.err, HasSubstr("error: nothing says where to write: -o: name a file, or ask for --dry-run"));
}

TEST_F(CliInterchange, WritesQuantizersForOtherTools)
{
    const std::string file = quantized();
    for (const char* form :
        {"aimet-0.6.1", "aimet-1.0.0", "aimet-2.0.0", "ort-overrides", "ort-calibration", "netron"}) {
        const CliRun run = runCli({"convert-state", file, "--to", form, "--json"});
        EXPECT_EQ(run.exitCode, 0) << run.err;
        EXPECT_EQ(schemaComplaints(run.json(), "convert-state"), "") << form;
        EXPECT_GT(run.json()["tensors"], 14) << form;
        EXPECT_TRUE(nlohmann::json::accept(run.json()["text"].get<std::string>())) << form;
    }
}

TEST_F(CliInterchange, SaysThatAFloatModelHasNothingToConvert)
{
    const CliRun run = runCli({"convert-state", sample("digits_conv.onnx"), "--to", "netron"});
    EXPECT_EQ(run.exitCode, 3);
    EXPECT_THAT(run.err, HasSubstr("error: the model has no quantizers"));
}

TEST_F(CliInterchange, PlacesNothingInAModelThatIsQuantized)
{
    const std::string file = quantized();
    for (const char* form : {"nncf-setup", "nncf-state", "olive", "winml", "state"}) {
        const CliRun run = runCli({"convert-state", file, "--to", form});
        EXPECT_EQ(run.exitCode, 2) << form;
        EXPECT_THAT(run.err, HasSubstr("error: a setup is of a float model")) << form;
    }
}

TEST_F(CliInterchange, ReadsWhatItWroteAndResumesIt)
{
    const std::string file = quantized();
    for (const char* form : {"aimet-0.6.1", "aimet-1.0.0", "aimet-2.0.0", "ort-overrides", "ort-calibration"}) {
        const std::string encodings = path(std::string(form) + ".json");
        EXPECT_EQ(runCli({"convert-state", file, "--to", form, "-o", encodings}).exitCode, 0);
        const CliRun run = runCli({"convert-state", sample("digits_conv.onnx"), "--from", encodings, "--to", "state",
            "-o", path("m.state.json"), "--json"});
        EXPECT_EQ(run.exitCode, 0) << form << run.err;
        EXPECT_EQ(schemaComplaints(run.json(), "convert-state"), "") << form;
        EXPECT_EQ(run.json()["from"]["form"], form);
        EXPECT_TRUE(run.json()["from"]["without"].empty()) << form;
        const CliRun resumed = runCli({"resume", sample("digits_conv.onnx"), "--state", path("m.state.json"), "-o",
            path("again.onnx"), "--strict", "--json"});
        EXPECT_EQ(resumed.exitCode, 0) << form << resumed.err;
        EXPECT_EQ(resumed.json()["quantizers"], run.json()["tensors"]) << form;
    }
}

/// Of every value, whether a quantizer stands at it or not.
TEST_F(CliInterchange, PassesRangesOnAsTheyAre)
{
    const std::string statistics = path("s.safetensors");
    const std::string model = sample("digits_conv.onnx");
    const auto file = [&](const char* name) { return path(name); };
    ASSERT_EQ(runCli({"statistics", model, "--data", "random:2", "--every-value", "--no-transform", "-o", statistics})
                  .exitCode,
        0);
    ASSERT_EQ(runCli({"convert-state", model, "--statistics", statistics, "--to", "ort-calibration", "--no-transform",
                         "-o", file("first.json")})
                  .exitCode,
        0);
    const CliRun run = runCli({"convert-state", model, "--from", file("first.json"), "--to", "ort-calibration",
        "--no-transform", "-o", file("second.json"), "--json"});
    EXPECT_EQ(run.exitCode, 0) << run.err;
    EXPECT_FALSE(run.json()["from"]["unused"].empty());
    EXPECT_EQ(bytesOf(file("second.json")), bytesOf(file("first.json")));
}

TEST_F(CliInterchange, WritesSetupsForNncfAndReadsThemWithStatistics)
{
    ASSERT_NE(quantized(), "");
    const std::string statistics = path("s.safetensors");
    ASSERT_EQ(runCli({"statistics", sample("digits_conv.onnx"), "--data", "random:2", "-o", statistics}).exitCode, 0);
    for (const char* form : {"nncf-setup", "nncf-state"}) {
        const std::string setup = path(std::string(form) + ".json");
        CliRun run = runCli(
            {"convert-state", sample("digits_conv.onnx"), "--from", path("q.state.json"), "--to", form, "-o", setup});
        EXPECT_EQ(run.exitCode, 0) << run.err;
        run = runCli({"convert-state", sample("digits_conv.onnx"), "--from", setup, "--to", "state"});
        EXPECT_EQ(run.exitCode, 2);
        EXPECT_THAT(run.err, HasSubstr("error: a quantizer setup has no scales"));
        run = runCli({"convert-state", sample("digits_conv.onnx"), "--from", setup, "--statistics", statistics, "--to",
            "state", "-o", path("n.state.json"), "--json"});
        EXPECT_EQ(run.exitCode, 0) << run.err;
        EXPECT_EQ(schemaComplaints(run.json(), "convert-state"), "");
        const CliRun compared = runCli({"compare", path("q.state.json"), path("n.state.json"), "--setup"});
        EXPECT_EQ(compared.exitCode, 0) << compared.out;
    }
}

TEST_F(CliInterchange, WritesWhatAPlanAloneTells)
{
    for (const char* form : {"nncf-setup", "nncf-state", "olive", "winml", "model-explorer-data",
             "model-explorer-graph", "model-explorer-sync"}) {
        const CliRun run
            = runCli({"convert-state", sample("digits_conv.onnx"), "--to", form, "-o", path(form), "--json"});
        EXPECT_EQ(run.exitCode, 0) << run.err;
        EXPECT_EQ(schemaComplaints(run.json(), "convert-state"), "") << form;
        EXPECT_GT(run.json()["tensors"], 14) << form;
        EXPECT_TRUE(nlohmann::json::accept(bytesOf(path(form)))) << form;
    }
    const CliRun run = runCli({"convert-state", sample("digits_conv.onnx"), "--to", "olive", "-o", path("o.json")});
    EXPECT_THAT(run.out, testing::MatchesRegex("olive: [0-9]+ quantizers\n"));
    const CliRun read = runCli({"convert-rules", path("o.json"), "--to", "recipe"});
    EXPECT_EQ(read.exitCode, 0) << read.err;
    EXPECT_THAT(read.out, HasSubstr("Conv"));
}

TEST_F(CliInterchange, GivesMeasuredRangesToOnnxRuntimesQuantizer)
{
    const std::string statistics = path("s.safetensors");
    ASSERT_EQ(runCli({"statistics", sample("digits_conv.onnx"), "--data", "random:2", "-o", statistics}).exitCode, 0);
    const CliRun run = runCli(
        {"convert-state", sample("digits_conv.onnx"), "--statistics", statistics, "--to", "ort-calibration", "--json"});
    EXPECT_EQ(run.exitCode, 0) << run.err;
    EXPECT_GT(run.json()["tensors"], 15);
    EXPECT_TRUE(run.json()["without"].empty()) << "its tool needs every value";
    const CliRun wrong
        = runCli({"convert-state", sample("digits_conv.onnx"), "--statistics", statistics, "--to", "netron"});
    EXPECT_THAT(wrong.err, HasSubstr("error: statistics alone are ranges, and no quantizers: --to netron"));
}

/// The float model has other numbers under those names, or no such value.
TEST_F(CliInterchange, LeavesOutWhatAStateRescaled)
{
    write("r.recipe.json", R"({"format": "duoscope-recipe", "version": 1, "quantization": {
        "model_type": "transformer", "smooth_quant_alphas": {"matmul": 0.5}}})");
    const CliRun quantized = runCli({"quantize", sample("digits_transformer.onnx"), "--data", "random:4", "--recipe",
        path("r.recipe.json"), "-o", path("s.onnx")});
    ASSERT_LE(quantized.exitCode, 1) << quantized.err;
    const CliRun run = runCli(
        {"convert-state", sample("digits_transformer.onnx"), "--from", path("s.state.json"), "--to", "aimet-1.0.0"});
    EXPECT_EQ(run.exitCode, 0) << run.err;
    EXPECT_THAT(run.err,
        HasSubstr(" tensors of numbers that SmoothQuant or equalization rescaled: the float model has "
                  "others there: "));
    EXPECT_THAT(run.out, testing::Not(HasSubstr("_smooth_quant")));
    EXPECT_THAT(run.out, HasSubstr("/head/bridge/Add_output_0"));
}

TEST_F(CliInterchange, SaysWhatOfAFileItCouldNotExpress)
{
    write("e.json", R"({"version": "2.0.0", "encodings": [
        {"name": "image", "output_dtype": "uint8", "y_scale": 0.5},
        {"name": "gone", "output_dtype": "float8e4m3fn", "y_scale": 1}]})");
    const CliRun run = runCli({"convert-state", sample("digits_conv.onnx"), "--from", path("e.json"), "--to", "state",
        "-o", path("m.state.json")});
    EXPECT_EQ(run.exitCode, 1);
    EXPECT_THAT(run.err, HasSubstr("warning: tensor 'gone' has codes of the type float8e4m3fn"));
    EXPECT_THAT(run.out, HasSubstr("read as aimet-2.0.0: 1 of 2 entries"));
    EXPECT_THAT(run.out, HasSubstr("values without an entry, left in float: "));
}

} // namespace
} // namespace duo::test
