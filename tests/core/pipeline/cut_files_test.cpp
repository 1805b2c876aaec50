// SPDX-License-Identifier: Apache-2.0
// Models, data, statistics and checkpoints that are cut off or written to while they are open: one line, no harm.
#include "core/formats/read_checkpoint.h"
#include "core/onnx/writer.h"
#include "core/pipeline/calibration/calibrate.h"
#include "core/pipeline/calibration/known_statistics.h"
#include "core/pipeline/export.h"
#include "core/pipeline/snapshot/snapshot.h"
#include "core/support/file.h"
#include "tests/support/numpy_files.h"
#include "tests/support/proto_builder.h"
#include "tests/support/temporary_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace duo {
namespace {

namespace fs = std::filesystem;
using testing::StartsWith;

constexpr std::int64_t kSide = 512; // a weight of 1 MB: mapped, not copied

class CutWhileOpen : public testing::Test
{
protected:
    void SetUp() override
    {
        test::ProtoBuilder file;
        file.input("x", {1, kSide}).output("y", {1, kSide});
        file.external("w", {kSide, kSide}, "weights.bin");
        file.node("Relu", "relu", {"x"}, {"r"});
        file.node("MatMul", "product", {"r", "w"}, {"y"});
        m_weights = m_folder.write("weights.bin", floats(kSide * kSide));
        auto opened = openSnapshot(m_folder.write("model.onnx", file.text()));
        ASSERT_TRUE(opened) << opened.error().line();
        m_opened = *std::move(opened);
    }
    static std::string floats(std::int64_t count)
    {
        const std::vector<float> values(static_cast<std::size_t>(count), 0.5F);
        return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(float)};
    }
    /// 1,000 samples, 2 MB.
    std::shared_ptr<const Dataset> data()
    {
        const std::vector<float> values(static_cast<std::size_t>(1000 * kSide), 0.25F);
        m_data = m_folder.write("x.npy", test::npy({1000, kSide}, values));
        auto dataset = openDataset(m_data.string(), *m_opened.model);
        EXPECT_TRUE(dataset) << dataset.error().line();
        return *dataset;
    }
    template <typename T> [[nodiscard]] std::string lineOf(const Result<T>& result) const
    {
        return result ? "" : m_folder.withoutPath(result.error().line());
    }

    test::TemporaryFolder m_folder;
    fs::path m_weights;
    fs::path m_data;
    Snapshot m_opened;
};

constexpr const char* kLostWeights = "the file lost its end, or its drive, while it was open: DIR/weights.bin: ";

TEST_F(CutWhileOpen, WeightsAreAnErrorOfCalibration)
{
    const auto dataset = data();
    fs::resize_file(m_weights, 100);
    EXPECT_THAT(lineOf(calibrate(m_opened, *dataset, 1, {})), StartsWith(kLostWeights));
}

TEST_F(CutWhileOpen, WeightsAreAnErrorOfTheExportThatLeavesNothingBehind)
{
    const auto dataset = data();
    const auto compression = calibrate(m_opened, *dataset, 1, {});
    ASSERT_TRUE(compression) << compression.error().line();
    const fs::path target = m_folder.write("out.onnx", "the old one");
    fs::resize_file(m_weights, 100);
    EXPECT_THAT(lineOf(exportModel(m_opened, *compression, nullptr, target, 1, {})), StartsWith(kLostWeights));
    EXPECT_EQ(fs::file_size(target), 11U);
    EXPECT_FALSE(fs::exists(m_folder / "out.state.json"));
}

TEST_F(CutWhileOpen, WeightsAreAnErrorOfQuantizersMadeFromWhatWasMeasuredBefore)
{
    const auto dataset = data();
    const DataSource source{m_data.string(), {}};
    const auto first = calibrateFrom(m_opened, {.data = source, .dataset = dataset.get()}, 1, {});
    ASSERT_TRUE(first) << first.error().line();
    fs::resize_file(m_weights, 100);
    EXPECT_THAT(
        lineOf(calibrateFrom(m_opened, {.known = first->statistics, .data = source, .dataset = dataset.get()}, 1, {})),
        StartsWith(kLostWeights));
}

TEST_F(CutWhileOpen, WhatIsInMemoryStaysUsable)
{
    fs::resize_file(m_weights, 0);
    Recipe recipe;
    recipe.rules.rules.push_back({});
    recipe.rules.rules.back().value = "product";
    const auto edited = withRecipe(m_opened, recipe);
    ASSERT_TRUE(edited);
    EXPECT_TRUE(edited->placement);
    EXPECT_EQ(edited->scopes->nodes.size(), 2U);
}

TEST_F(CutWhileOpen, ANewSettingSaysWhyNothingCanBePlaced)
{
    fs::resize_file(m_weights, 0);
    Recipe recipe;
    recipe.quantization.profile = Profile::Qnn;
    const auto edited = withRecipe(m_opened, recipe);
    ASSERT_TRUE(edited);
    ASSERT_TRUE(edited->refusal);
    EXPECT_THAT(m_folder.withoutPath(edited->refusal->line()), StartsWith(kLostWeights));
}

TEST_F(CutWhileOpen, WeightsThatAreWrittenToAreAnErrorToo)
{
    const auto dataset = data();
    fs::last_write_time(m_weights, fs::last_write_time(m_weights) + std::chrono::seconds(5));
    EXPECT_EQ(lineOf(calibrate(m_opened, *dataset, 1, {})),
        "the file was written to while it was open: DIR/weights.bin: open it again");
}

TEST_F(CutWhileOpen, WeightsThatAreWrittenToAreAnErrorOfWhateverWritesThem)
{
    const fs::path target = m_folder.write("out.onnx", "the old one");
    fs::last_write_time(m_weights, fs::last_write_time(m_weights) + std::chrono::seconds(5));
    EXPECT_EQ(lineOf(writeModel(*m_opened.model, {}, target)),
        "the file was written to while it was open: DIR/weights.bin: open it again");
    EXPECT_EQ(fs::file_size(target), 11U);
    EXPECT_FALSE(fs::exists(m_folder / "out.onnx.data"));
}

TEST_F(CutWhileOpen, DataAreAnErrorOfTheSample)
{
    const auto dataset = data();
    fs::resize_file(m_data, 4096);
    EXPECT_THAT(lineOf(dataset->sample(900)),
        StartsWith("the file lost its end, or its drive, while it was open: DIR/x.npy: "));
}

TEST_F(CutWhileOpen, OneFileOfAFolderIsNoErrorOfSamplesOfTheOthers)
{
    const std::vector<float> values(static_cast<std::size_t>(200 * kSide), 0.25F); // 400 kB each
    fs::create_directory(m_folder / "data");
    for (const char* name : {"data/a.npy", "data/b.npy"})
        m_data = m_folder.write(name, test::npy({200, kSide}, values));
    const auto dataset = openDataset((m_folder / "data").string(), *m_opened.model);
    ASSERT_TRUE(dataset) << dataset.error().line();
    fs::resize_file(m_data, 4096);
    EXPECT_EQ(lineOf((*dataset)->sample(0)), "");
    EXPECT_THAT(lineOf((*dataset)->sample(399)),
        StartsWith("the file lost its end, or its drive, while it was open: DIR/data/b.npy: "));
    EXPECT_THAT(lineOf(calibrate(m_opened, **dataset, 1, {})),
        StartsWith("the file lost its end, or its drive, while it was open: DIR/data/b.npy: "));
}

TEST_F(CutWhileOpen, ReplacedWeightsAreThoseThatWereOpened)
{
    const auto dataset = data();
    fs::rename(m_folder.write("other.bin", "short"), m_weights);
    const auto compression = calibrate(m_opened, *dataset, 1, {});
    EXPECT_TRUE(compression) << compression.error().line();
}

TEST_F(CutWhileOpen, ACheckpointIsAnErrorWhenItIsCompared)
{
    const std::string header
        = R"({"product.weight":{"dtype":"F32","shape":[512,512],"data_offsets":[0,1048576]}})" + std::string(1, ' ');
    std::string text(8, '\0');
    text[0] = static_cast<char>(header.size());
    const fs::path path = m_folder.write("model.safetensors", text + header + floats(kSide * kSide));
    const auto checkpoint = readCheckpoint(path);
    ASSERT_TRUE(checkpoint) << checkpoint.error().line();
    fs::resize_file(path, 200);
    EXPECT_EQ((*checkpoint)->tensors.size(), 1U);
    EXPECT_EQ(toFloats((*checkpoint)->tensors[0]).back(), 0);
    EXPECT_THAT(lineOf(checkMappedFiles()),
        StartsWith("the file lost its end, or its drive, while it was open: DIR/model.safetensors: "));
}

} // namespace
} // namespace duo
