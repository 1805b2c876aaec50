// SPDX-License-Identifier: Apache-2.0
// Models of old opsets through planning, export and resume.
#include "core/pipeline/snapshot/opened_model.h"

#include "core/onnx/reader.h"
#include "core/pipeline/export.h"
#include "core/pipeline/resume.h"
#include "core/state/model_hash.h"
#include "tests/core/pipeline/normal_samples.h"
#include "tests/core/pipeline/quantized_case.h"
#include "tests/core/transform/old_file.h"
#include "tests/support/file_bytes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace duo {
namespace {

using test::OldFile;
using test::QuantizedCase;
using testing::Contains;
using testing::Field;
using testing::HasSubstr;

/// Of sixteen channels one has weights a hundred times as large: one scale for all leaves the others two codes.
std::vector<float> spreadWeights()
{
    std::vector<float> weights;
    for (int channel = 0; channel < 16; ++channel) {
        for (int i = 0; i < 4 * 9; ++i)
            weights.push_back((channel == 0 ? 30.0F : 0.3F) * static_cast<float>((i * 7 + channel) % 11 - 5) / 5);
    }
    return weights;
}

/// A convolution and an activation that bounds what the large channel gives.
OldFile& addNetwork(OldFile& file)
{
    file.input("x", {1, 4, 12, 12}).output("y", {1, 16, 10, 10}).weight("w", {16, 4, 3, 3}, spreadWeights());
    if (file.model().ir_version() < 4)
        file.input("w", {16, 4, 3, 3});
    file.op("Conv", {"x", "w"}, {"c"});
    if (file.model().opset_import(0).version() < 11)
        return file.op("Clip", {"c"}, {"y"}, {{"min", 0.0F}, {"max", 6.0F}});
    file.weight("min", {}, {0}).weight("max", {}, {6});
    return file.op("Clip", {"c", "min", "max"}, {"y"});
}

std::vector<std::vector<float>> samples()
{
    return test::normalSamples(8, 4 * 12 * 12, 100, 0);
}

double sqnrOf(std::int64_t opset, const char* settings = "")
{
    OldFile file(opset);
    QuantizedCase tested(addNetwork(file), {1, 4, 12, 12}, samples());
    tested.quantize(settings);
    EXPECT_EQ(tested.written()->opset(), 13);
    EXPECT_GE(tested.written()->irVersion, opset < 13 ? 7 : 6);
    return test::sqnrDb(tested.floatOutput(0), tested.output(0));
}

TEST(OldOpset, IsQuantizedPerChannelLikeANewOne)
{
    const double newest = sqnrOf(13);
    EXPECT_GT(newest, 25);
    for (const std::int64_t opset : {7, 9, 10, 12})
        EXPECT_NEAR(sqnrOf(opset), newest, 0.5) << opset;
    const char* perTensor = R"("advanced_parameters": {"weights_quantization_params": {"per_channel": false}})";
    EXPECT_LT(sqnrOf(13, perTensor), newest - 10); // what this is about
}

TEST(OldOpset, IsSaidInOneLine)
{
    OldFile file(9);
    QuantizedCase tested(addNetwork(file), {1, 4, 12, 12}, samples());
    const ExportReport report = tested.quantize("");
    EXPECT_THAT(report.notes, Contains(Field(&Note::text, "opset 9 is read as opset 13, rewritten: 1 Clip")));
    EXPECT_EQ(opsetInFile(*tested.opened().model), 9);
    EXPECT_TRUE(tested.opened().model->findNode("clip").valid());
}

TEST(OldOpset, ResumesToTheSameBytesFromTheHashesOfItsFile)
{
    OldFile file(9);
    QuantizedCase tested(addNetwork(file), {1, 4, 12, 12}, samples());
    tested.quantize("");
    const auto resumed = resumeFrom(tested.opened(), statePathFor(tested.exported()), true, {});
    ASSERT_TRUE(resumed) << resumed.error().line();
    EXPECT_TRUE(resumed->identicalSetup);
    const test::TemporaryFolder folder;
    const auto again = exportModel(resumed->snapshot, resumed->compression, nullptr, folder / "q.onnx", 1, {});
    ASSERT_TRUE(again) << again.error().line();
    EXPECT_TRUE(test::bytesOf(folder / "q.onnx") == test::bytesOf(tested.exported()));
    const auto asInFile = readModel(tested.opened().model->path);
    EXPECT_THAT(test::bytesOf(statePathFor(tested.exported())), HasSubstr(hashModel(**asInFile)->graph));
}

TEST(OldOpset, CorrectionsStartFromTheConvertedModel)
{
    OldFile file(9);
    QuantizedCase tested(addNetwork(file), {1, 4, 12, 12}, samples());
    tested.quantize(R"("advanced_parameters": {"smooth_quant_alphas": {"convolution": 0.5}})");
    EXPECT_EQ(tested.written()->opset(), 13);
    EXPECT_GT(test::sqnrDb(tested.floatOutput(0), tested.output(0)), 20);
}

TEST(OldOpset, WithoutConversionIsQuantizedPerTensorAndSaysSo)
{
    OldFile file(11);
    file.graphOutput("mask").input("x", {1, 4, 12, 12}).output("y", {1, 16, 10, 10});
    file.weight("w", {16, 4, 3, 3}, spreadWeights());
    file.op("Conv", {"x", "w"}, {"c"}).op("Dropout", {"c"}, {"y", "mask"});
    const test::TemporaryFolder folder;
    const auto opened = openSnapshot(folder.write("m.onnx", file.text()));
    ASSERT_TRUE(opened) << opened.error().line();
    ASSERT_TRUE(opened->placement);
    for (const auto& [id, point] : opened->placement->setup.points)
        EXPECT_FALSE(point.config.perChannel);
    EXPECT_THAT(opened->placement->notes,
        Contains(Field(&Note::text,
            "opset 11 is not converted to 13: Dropout 'dropout': its mask is read; scales are per tensor")));
}

TEST(OldOpset, BelowQuantizationWithoutConversionIsRefusedWithTheReason)
{
    OldFile file(9);
    file.input("x", {1, 4}).output("y", {1, 4});
    file.op("Identity", {"x"}, {"i"}).op("ImageScaler", {"i"}, {"y"}); // the Identity goes as the model is simplified
    const test::TemporaryFolder folder;
    const auto opened = openSnapshot(folder.write("m.onnx", file.text()));
    ASSERT_TRUE(opened) << opened.error().line();
    ASSERT_TRUE(opened->refusal);
    EXPECT_EQ(opened->refusal->what,
        "opset 9 is not converted to 13: ImageScaler 'imagescaler': it is no operator of opset 9");
}

} // namespace
} // namespace duo
