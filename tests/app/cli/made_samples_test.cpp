// SPDX-License-Identifier: Apache-2.0
// Models run on samples that are made: sizes tried on the engine, states, values without a range.
#include "tests/app/cli/run_cli.h"
#include "tests/support/file_bytes.h"
#include "tests/support/numpy_files.h"
#include "tests/support/proto_builder.h"
#include "tests/support/temporary_folder.h"

#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace duo::test {
namespace {

using testing::HasSubstr;

void name(ProtoBuilder& builder, int input, int axis, const std::string& symbol)
{
    auto* shape = builder.proto().mutable_input(input)->mutable_type()->mutable_tensor_type()->mutable_shape();
    shape->mutable_dim(axis)->set_dim_param(symbol);
}

/// image -> positions of `side` x `side` are added: only pictures of that size will do.
std::string modelForSide(const TemporaryFolder& folder, std::int64_t side)
{
    ProtoBuilder builder;
    builder.input("image", {-1, 3, -1, -1}).output("y", {-1, 4, -1, -1});
    name(builder, 0, 2, "height");
    name(builder, 0, 3, "width");
    builder.weight("w", {4, 3, 1, 1}, {0.5F, -0.25F, 0.125F}).weight("grid", {1, 4, side, side}, {0.25F, 0.5F});
    builder.node("Conv", "conv", {"image", "w"}, {"a"});
    builder.node("Mul", "mul", {"a", "grid"}, {"y"});
    return folder.write("side.onnx", builder.text()).string();
}

/// y = x W + h, hn = y: a state that is fed back.
std::string recurrentModel(const TemporaryFolder& folder)
{
    ProtoBuilder builder;
    builder.input("x", {1, 4}).input("h", {1, 4}).output("hn", {1, 4});
    builder.weight("w", {4, 4}, {0.5F, -0.25F, 0.125F, 1});
    builder.node("MatMul", "mm", {"x", "w"}, {"a"});
    builder.node("Add", "add", {"a", "h"}, {"b"});
    builder.node("Tanh", "tanh", {"b"}, {"hn"});
    return folder.write("recurrent.onnx", builder.text()).string();
}

CliRun quantize(const std::string& model, const std::string& data, std::vector<std::string> more = {})
{
    std::vector<std::string> call{"quantize", model, "--data", data, "-o",
        (std::filesystem::path(model).parent_path() / "q.onnx").string(), "--no-cache", "--json"};
    call.insert(call.end(), more.begin(), more.end());
    return runCli(call);
}

std::string noteOf(const CliRun& run, const std::string& kind)
{
    const auto document = run.json();
    for (const auto& note : document["notes"]) {
        if (note["kind"] == kind)
            return note["text"];
    }
    return "no such note";
}

TEST(CliMadeSamples, TriesSizesAndSaysWhichItTook)
{
    const TemporaryFolder folder;
    const CliRun run = quantize(modelForSide(folder, 48), "random:4");
    ASSERT_EQ(run.exitCode, 0) << run.err;
    EXPECT_EQ(noteOf(run, "sample-sizes"),
        "samples are made with height=48, width=48 (the engine refused 1 other size before); --dim NAME=SIZE sets "
        "another");
    EXPECT_THAT(run.err, HasSubstr("samples are made with height=48, width=48"));
}

TEST(CliMadeSamples, NamesInputShapeAndDimensionsWhereAllSizesAreRefused)
{
    const TemporaryFolder folder;
    ProtoBuilder builder;
    builder.input("image", {1, 3, -1}).output("y", {1, 3, 7919});
    name(builder, 0, 2, "points");
    builder.weight("w", {3, 3, 1}, {0.5F, -0.25F});
    auto& shape = builder.tensor("shape", {3}, onnx::TensorProto::INT64);
    for (const std::int64_t size : {1, 3, 7919})
        shape.add_int64_data(size);
    builder.node("Conv", "conv", {"image", "w"}, {"a"});
    builder.node("Reshape", "reshape", {"a", "shape"}, {"y"});
    const std::string model = folder.write("odd.onnx", builder.text()).string();
    const CliRun run = quantize(model, "random:4");
    EXPECT_EQ(run.exitCode, 4);
    EXPECT_THAT(run.err, HasSubstr("error: the engine refuses samples of all "));
    EXPECT_THAT(run.err,
        HasSubstr(" sizes tried: input 'image' as [1, 3, 8]: pass sizes that the model takes, such as "
                  "--dim points="));
    const CliRun given = quantize(model, "random:4", {"--dim", "points=7919"});
    EXPECT_EQ(given.exitCode, 0) << given.err;
}

TEST(CliMadeSamples, SaysWhatWasFedWhereAGivenSizeIsRefused)
{
    const TemporaryFolder folder;
    const CliRun run = quantize(modelForSide(folder, 48), "random:4", {"--dim", "height=40", "--dim", "width=48"});
    EXPECT_EQ(run.exitCode, 4);
    EXPECT_THAT(run.err, HasSubstr("error: the engine cannot run the model: sample "));
    EXPECT_THAT(run.err, HasSubstr(", fed 'image' [1, 3, 40, 48]: "));
    EXPECT_THAT(run.err, HasSubstr("other sizes are passed as --dim "));
}

TEST(CliMadeSamples, FeedsStatesBackFromSampleToSample)
{
    const TemporaryFolder folder;
    const std::string model = recurrentModel(folder);
    const CliRun zero = quantize(model, "random:4");
    ASSERT_LE(zero.exitCode, 1) << zero.err;
    EXPECT_EQ(
        noteOf(zero, "states-zero"), "state 'h' is zero in every sample; --feed hn=h feeds back what the model gives");
    const CliRun fed = quantize(model, "random:4", {"--feed", "hn=h"});
    ASSERT_LE(fed.exitCode, 1) << fed.err;
    EXPECT_EQ(noteOf(fed, "states-zero"), "no such note");
    const CliRun single = runCli({"inspect", model, "--data", "random:4", "--feed", "hn=h", "--json"});
    ASSERT_EQ(single.exitCode, 0) << single.err;
    EXPECT_THAT(quantize(model, "random:4", {"--feed", "hn"}).err,
        HasSubstr("error: not an output and an input: --feed hn: write --feed OUTPUT=INPUT"));
    EXPECT_THAT(quantize(model, "random:4", {"--feed", "gn=h"}).err,
        HasSubstr("error: no output of the model is named 'gn': --feed gn=h: it has 'hn'"));
}

TEST(CliMadeSamples, FeedsDataThatHoldNoStates)
{
    const TemporaryFolder folder;
    const std::string model = recurrentModel(folder);
    writeNpz(folder / "x.npz", {{"x.npy", npy<float>({8, 4}, std::vector<float>(32, 0.5F))}});
    const CliRun run = quantize(model, (folder / "x.npz").string(), {"--feed", "hn=h"});
    ASSERT_LE(run.exitCode, 1) << run.err;
}

/// x + mask, where the mask is -inf everywhere, and both products are quantized.
TEST(CliMadeSamples, LeavesInFloatWhatNeverHoldsAFiniteNumber)
{
    const TemporaryFolder folder;
    ProtoBuilder builder;
    builder.input("x", {1, 4}).output("y", {1, 4}).output("z", {1, 4});
    builder.weight("w", {4, 4}, {0.5F, -0.25F, 0.125F, 1}).weight("v", {4, 4}, {0.25F, -0.5F, 1});
    builder.weight("mask", {1, 4}, {-std::numeric_limits<float>::infinity()});
    builder.node("MatMul", "first", {"x", "w"}, {"y"});
    builder.node("Abs", "abs", {"x"}, {"positive"});
    builder.node("Add", "masked", {"positive", "mask"}, {"a"});
    builder.node("MatMul", "second", {"a", "v"}, {"z"});
    const std::string model = folder.write("masked.onnx", builder.text()).string();
    const CliRun run = quantize(model, "random:4");
    EXPECT_LE(run.exitCode, 1) << run.err;
    EXPECT_EQ(noteOf(run, "no-range"), "it holds no finite number in any sample: what reads it stays in float");
    EXPECT_GT(run.json()["quantizers"].get<int>(), 0) << "the other product is quantized";
    const CliRun resumed = runCli(
        {"resume", model, "--state", (folder / "q.state.json").string(), "-o", (folder / "again.onnx").string()});
    EXPECT_LE(resumed.exitCode, 1) << resumed.err;
    EXPECT_EQ(bytesOf(folder / "q.onnx"), bytesOf(folder / "again.onnx"));
}

} // namespace
} // namespace duo::test
