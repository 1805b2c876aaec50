// SPDX-License-Identifier: Apache-2.0
#include "core/calibrate/samples/dataset_preview.h"
#include "core/calibrate/samples/sample_picture.h"
#include "tests/support/model_builder.h"
#include "tests/support/numpy_files.h"
#include "tests/support/temporary_folder.h"

#include <cmath>
#include <cstring>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace duo {
namespace {

using testing::Each;
using testing::ElementsAre;

HostTensor floats(std::vector<std::int64_t> dims, const std::vector<float>& values)
{
    HostTensor tensor{"x", ElementType::Float32, std::move(dims), {}};
    tensor.bytes.resize(values.size() * sizeof(float));
    std::memcpy(tensor.bytes.data(), values.data(), tensor.bytes.size());
    return tensor;
}

TEST(SamplePicture, GrayNumbersGoFromBlackToWhite)
{
    std::vector<float> values(16, 0.5F);
    values[0] = -1;
    values[15] = 2;
    values[1] = NAN;
    const auto picture = pictureOf(floats({1, 1, 4, 4}, values));
    ASSERT_TRUE(picture);
    EXPECT_EQ(picture->height, 4);
    EXPECT_EQ(picture->rgb.size(), 48U);
    EXPECT_THAT(
        std::vector(picture->rgb.begin(), picture->rgb.begin() + 9), ElementsAre(0, 0, 0, 0, 0, 0, 128, 128, 128));
    EXPECT_EQ(picture->rgb.back(), 255);
}

TEST(SamplePicture, ChannelsAreFoundBeforeOrBehindTheSides)
{
    std::vector<float> planes(48, 0.0F);
    std::fill(planes.begin(), planes.begin() + 16, 1.0F); // red
    const auto first = pictureOf(floats({1, 3, 4, 4}, planes));
    ASSERT_TRUE(first);
    EXPECT_THAT(std::vector(first->rgb.begin(), first->rgb.begin() + 6), ElementsAre(255, 0, 0, 255, 0, 0));
    std::vector<float> pixels;
    for (int i = 0; i < 16; ++i)
        pixels.insert(pixels.end(), {0.0F, 0.0F, 1.0F}); // blue
    const auto last = pictureOf(floats({4, 4, 3}, pixels));
    ASSERT_TRUE(last);
    EXPECT_THAT(std::vector(last->rgb.begin(), last->rgb.begin() + 3), ElementsAre(0, 0, 255));
}

TEST(SamplePicture, BytesStayAsTheyAre)
{
    HostTensor bytes{"x", ElementType::UInt8, {4, 4, 3}, std::vector<std::byte>(48, std::byte{100})};
    const auto picture = pictureOf(bytes);
    ASSERT_TRUE(picture);
    EXPECT_THAT(picture->rgb, Each(100));
}

TEST(SamplePicture, EqualNumbersAreGray)
{
    EXPECT_THAT(pictureOf(floats({1, 4, 4}, std::vector<float>(16, 7.0F)))->rgb, Each(128));
}

TEST(SamplePicture, WhatIsNoPictureHasNone)
{
    EXPECT_FALSE(pictureOf(floats({16}, std::vector<float>(16, 1.0F))));
    EXPECT_FALSE(pictureOf(floats({1, 16, 4, 4}, std::vector<float>(256, 1.0F)))); // 16 channels
    EXPECT_FALSE(pictureOf(floats({1, 1, 2, 8}, std::vector<float>(16, 1.0F)))); // too low
    EXPECT_FALSE(pictureOf(floats({1, 1, 4, 4}, std::vector<float>(8, 1.0F)))); // too few numbers
}

std::shared_ptr<const Model> rowModel()
{
    return test::ModelBuilder().input("x", {-1, 2}).node("Relu", "r", {"x"}, {"y"}).output("y").build();
}

TEST(DatasetPreviewTest, LooksAtTheFirstSamplesOnly)
{
    const test::TemporaryFolder folder;
    test::writeNpz(folder / "d.npz", {{"x.npy", test::npyRange({10, 2})}}); // 0 1, 2 3, ...
    const auto dataset = openDataset((folder / "d.npz").string(), *rowModel());
    ASSERT_TRUE(dataset) << dataset.error().line();
    const auto preview = previewDataset(**dataset, {}, 2);
    ASSERT_TRUE(preview);
    EXPECT_EQ(preview->samples, 10);
    EXPECT_EQ(preview->first.size(), 2U);
    ASSERT_EQ(preview->inputs.size(), 1U);
    const InputPreview& input = preview->inputs[0];
    EXPECT_EQ(input.name, "x");
    EXPECT_EQ(input.count, 4);
    EXPECT_EQ(input.notFinite, 0);
    EXPECT_EQ(input.min, 0);
    EXPECT_EQ(input.max, 3);
    EXPECT_EQ(input.mean, 1.5);
    EXPECT_NEAR(input.deviation, std::sqrt(1.25), 1e-12);
}

TEST(DatasetPreviewTest, AStoppedJobLooksAtNothing)
{
    const auto dataset = openDataset(
        "random:4", *test::ModelBuilder().input("x", {1, 2}).node("Relu", "r", {"x"}, {"y"}).output("y").build());
    ASSERT_TRUE(dataset);
    std::stop_source source;
    source.request_stop();
    const auto preview = previewDataset(**dataset, {source.get_token(), {}});
    ASSERT_FALSE(preview);
    EXPECT_EQ(preview.error().code, ErrorCode::Cancelled);
}

} // namespace
} // namespace duo
