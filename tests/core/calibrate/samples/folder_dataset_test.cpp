// SPDX-License-Identifier: Apache-2.0
#include "core/calibrate/samples/dataset.h"

#include "core/calibrate/samples/data_folder.h"
#include "tests/support/model_builder.h"
#include "tests/support/temporary_folder.h"

#include <cstdint>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <png.h>

namespace duo {
namespace {

using testing::ElementsAre;

/// Pixels in the format given, one byte per channel.
void writePng(const std::filesystem::path& path, std::uint32_t height, std::uint32_t width, std::uint32_t format,
    const std::vector<std::uint8_t>& pixels)
{
    png_image image{};
    image.version = PNG_IMAGE_VERSION;
    image.height = height;
    image.width = width;
    image.format = format;
    ASSERT_NE(png_image_write_to_file(&image, path.c_str(), 0, pixels.data(), 0, nullptr), 0);
}

std::shared_ptr<const Model> imageModel(std::vector<std::int64_t> dims, ElementType type = ElementType::Float32)
{
    return test::ModelBuilder().input("x", std::move(dims), type).node("Relu", "r", {"x"}, {"y"}).output("y").build();
}

class FolderDatasetTest : public testing::Test
{
protected:
    void SetUp() override
    {
        writePng(m_folder / "a.png", 1, 2, PNG_FORMAT_RGB, {255, 0, 0, 0, 51, 102});
        writePng(m_folder / "b.png", 1, 2, PNG_FORMAT_GRAY, {0, 255});
    }
    [[nodiscard]] Result<std::shared_ptr<const Dataset>> open(
        const Model& model, const DatasetOptions& options = {}) const
    {
        return openDataset(m_folder.path().string(), model, options);
    }
    [[nodiscard]] std::string openError(const Model& model, const DatasetOptions& options = {}) const
    {
        const auto data = open(model, options);
        return data ? "no error" : m_folder.withoutPath(data.error().line());
    }
    test::TemporaryFolder m_folder;
};

TEST_F(FolderDatasetTest, GivesImagesInTheModelsLayout)
{
    const auto data = open(*imageModel({1, 3, 1, 2}));
    ASSERT_TRUE(data) << data.error().line();
    EXPECT_EQ((*data)->size(), 2);
    const auto first = *(*data)->sample(0);
    EXPECT_THAT(first[0].dims, ElementsAre(1, 3, 1, 2));
    EXPECT_THAT(first[0].floats(), ElementsAre(1, 0, 0, 0.2F, 0, 0.4F));
    EXPECT_THAT((*(*data)->sample(1))[0].floats(), ElementsAre(0, 1, 0, 1, 0, 1));
}

TEST_F(FolderDatasetTest, PassesOverWhatIsHidden)
{
    m_folder.write("._a.png", "of a file manager");
    m_folder.write("._a.npy", "of a file manager");
    std::filesystem::create_directory(m_folder / ".ipynb_checkpoints");
    std::filesystem::copy_file(m_folder / "a.png", m_folder / ".ipynb_checkpoints" / "a-checkpoint.png");
    const auto data = open(*imageModel({1, 3, 1, 2}));
    ASSERT_TRUE(data) << data.error().line();
    EXPECT_EQ((*data)->size(), 2);
}

TEST_F(FolderDatasetTest, NormalizesReversesAndInterleaves)
{
    DatasetOptions options;
    options.layout = "nhwc";
    options.channels = "bgr";
    options.mean = {0.5F};
    options.std = {0.5F, 1, 0.25F};
    const auto data = open(*imageModel({-1, 1, 2, 3}), options);
    ASSERT_TRUE(data) << data.error().line();
    const auto first = *(*data)->sample(0);
    EXPECT_THAT(
        first[0].floats(), testing::Pointwise(testing::FloatEq(), std::vector<float>{-1, -0.5F, 2, -0.2F, -0.3F, -2}));
}

TEST_F(FolderDatasetTest, TakesChannelsLastWhereTheInputHasThem)
{
    const auto data = open(*imageModel({-1, 1, 2, 3}));
    ASSERT_TRUE(data) << data.error().line();
    const auto first = *(*data)->sample(0);
    EXPECT_THAT(first[0].dims, ElementsAre(1, 1, 2, 3));
    EXPECT_THAT(first[0].floats(), ElementsAre(1, 0, 0, 0, 0.2F, 0.4F));
    ASSERT_EQ((*data)->notes().size(), 1U);
    EXPECT_EQ((*data)->notes()[0].text,
        "pictures are fed with channels last (nhwc), as the input's shape [N, 1, 2, 3] tells; --layout nchw says "
        "otherwise");
}

TEST_F(FolderDatasetTest, TakesChannelsLastWhereOnlyTheTransposeTells)
{
    const auto model
        = test::ModelBuilder()
              .input("x", {-1, -1, -1, -1})
              .node("Transpose", "t", {"x"}, {"y"}, {Attribute{"perm", std::vector<std::int64_t>{0, 3, 1, 2}}})
              .output("y")
              .build();
    const auto data = open(*model);
    ASSERT_TRUE(data) << data.error().line();
    EXPECT_THAT((*(*data)->sample(0))[0].dims, ElementsAre(1, 1, 2, 3));
    EXPECT_THAT((*(*open(*imageModel({-1, -1, -1, -1})))->sample(0))[0].dims, ElementsAre(1, 3, 1, 2));
}

TEST_F(FolderDatasetTest, GivesBytesToAModelThatTakesBytes)
{
    const auto data = open(*imageModel({2, 3, 1, 2}, ElementType::UInt8));
    ASSERT_TRUE(data) << data.error().line();
    EXPECT_EQ((*data)->size(), 1);
    const auto bytes = (*(*data)->sample(0))[0].bytes;
    ASSERT_EQ(bytes.size(), 12U);
    EXPECT_EQ(bytes[0], std::byte{255});
    EXPECT_EQ(bytes[7], std::byte{255});
}

TEST_F(FolderDatasetTest, ResizesToTheSizeTheInputFixes)
{
    const auto data = open(*imageModel({1, 3, 2, 4}));
    ASSERT_TRUE(data) << data.error().line();
    const auto second = *(*data)->sample(1);
    const auto red = second[0].floats().first(4);
    EXPECT_THAT(red, testing::Pointwise(testing::FloatEq(), std::vector<float>{0, 0.25F, 0.75F, 1}));
}

TEST_F(FolderDatasetTest, SaysWhichOptionsDoNotFit)
{
    const auto model = imageModel({1, 3, 1, 2});
    DatasetOptions options;
    options.channels = "gray";
    EXPECT_EQ(openError(*model, options),
        "size, layout or channels do not fit the input: image options: input 'x' takes [1, 3, 1, 2], the images are 1 "
        "channels in nchw");
    options = {};
    options.mean = {1, 2};
    EXPECT_EQ(openError(*model, options),
        "mean has 2 numbers for 3 channels: image options: give one number, or one per channel");
    EXPECT_EQ(openError(*imageModel({1, 3})),
        "the model takes no images: x: images serve a model with one input of 4 axes, float32 or uint8; give data as "
        ".npz");
    EXPECT_EQ(openError(*imageModel({5, 3, 1, 2})),
        "there are too few images: x: the input takes 5 at once, the folder holds 2");
}

TEST_F(FolderDatasetTest, NamesAnImageThatDoesNotFit)
{
    DatasetOptions options;
    options.layout = "nhwc"; // the input fixes what is then the height, to three
    const auto data = open(*imageModel({-1, 3, -1, -1}), options);
    ASSERT_TRUE(data) << data.error().line();
    const auto first = (*data)->sample(0);
    ASSERT_FALSE(first);
    EXPECT_EQ(first.error().what, "image does not fit the input");
    EXPECT_EQ(first.error().whatToDo,
        "as a feed it is [1, 1, 2, 3], input 'x' takes [N, 3, N, N]; give a size, or another layout");
}

TEST_F(FolderDatasetTest, NamesAnImageThatCannotBeRead)
{
    m_folder.write("c.jpg", "hello");
    m_folder.write("d.jpg", "\xFF\xD8\xFF");
    const auto data = open(*imageModel({1, 3, 1, 2}));
    ASSERT_TRUE(data);
    EXPECT_EQ(m_folder.withoutPath((*data)->sample(2).error().line()),
        "image cannot be read: DIR/c.jpg: it is neither PNG nor JPEG");
    EXPECT_EQ((*data)->sample(3).error().code, ErrorCode::BadData);
}

TEST(TestDataDataset, FeedsATensorPerInput)
{
    const test::TemporaryFolder folder;
    // TensorProto: dims 1 (1) = 2, data_type (2) = FLOAT, raw_data (9)
    const std::string tensor("\x08\x02\x10\x01\x4A\x08\x00\x00\x80\x3F\x00\x00\x00\x40", 14);
    folder.write("test_data_set_0/input_0.pb", tensor);
    folder.write("test_data_set_10/input_0.pb", tensor);
    folder.write("test_data_set_9/input_0.pb", tensor.substr(0, 9) + tensor.substr(10));
    const auto model = imageModel({-1});
    const auto data = openDataset(folder.path().string(), *model);
    ASSERT_TRUE(data) << data.error().line();
    EXPECT_EQ((*data)->size(), 3);
    const auto sample = *(*data)->sample(0);
    EXPECT_EQ(sample[0].name, "x");
    EXPECT_THAT(sample[0].floats(), ElementsAre(1, 2));
    const auto damaged = (*data)->sample(1);
    ASSERT_FALSE(damaged);
    EXPECT_EQ(damaged.error().what, "no ONNX tensor can be read");
    EXPECT_EQ(folder.withoutPath(damaged.error().where), "DIR/test_data_set_9/input_0.pb");
    const auto misfit = openDataset(folder.path().string(), *imageModel({3}));
    ASSERT_FALSE(misfit);
    EXPECT_EQ(folder.withoutPath(misfit.error().line()),
        "tensor does not fit input 'x': DIR/test_data_set_0/input_0.pb: it is float32 [2], the input float32 [3]");
}

TEST(NaturalOrder, CountsDigitsAsNumbers)
{
    EXPECT_TRUE(naturalLess("a2", "a10"));
    EXPECT_FALSE(naturalLess("a10", "a2"));
    EXPECT_TRUE(naturalLess("a", "a1"));
    EXPECT_TRUE(naturalLess("a01b", "a1c"));
    EXPECT_NE(naturalLess("a01", "a1"), naturalLess("a1", "a01"));
    EXPECT_FALSE(naturalLess("a", "a"));
}

} // namespace
} // namespace duo
