// SPDX-License-Identifier: Apache-2.0
#include "core/engine/open_model.h"

#include "core/engine/tap_domain.h"
#include "core/onnx/reader.h"
#include "tests/support/model_builder.h"
#include "tests/support/proto_builder.h"
#include "tests/support/temporary_folder.h"

#include <cmath>
#include <cstring>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace duo {
namespace {

const std::filesystem::path kExternal = std::filesystem::path(DUO_TEST_DATA) / "models" / "external";

TEST(OpenModel, TakesAModelThatIsALinkAsModelCachesKeepThem)
{
    const test::TemporaryFolder folder;
    std::filesystem::create_directories(folder / "blobs");
    std::filesystem::create_directories(folder / "snapshot");
    for (const std::string name : {"external.onnx", "first.bin", "second.bin"}) {
        std::filesystem::copy_file(kExternal / name, folder / ("blobs/of-" + name));
        std::filesystem::create_symlink("../blobs/of-" + name, folder / ("snapshot/" + name));
    }
    const auto model = readModel(folder / "snapshot/external.onnx");
    ASSERT_TRUE(model) << model.error().line();
    const auto session = openModel(**model);
    EXPECT_TRUE(session) << session.error().line();
}

/// A file too large to be copied as it is read: y = x + w, a megabyte of one value.
std::string addition(float value)
{
    constexpr std::int64_t kCount = 1 << 18;
    test::ProtoBuilder file;
    file.input("x", {1}).output("y", {kCount});
    file.weight("w", {kCount}, std::vector<float>(kCount, value));
    file.node("Add", "add", {"x", "w"}, {"y"});
    return file.text();
}

float sumOf(const Session& session)
{
    HostTensor feed{"x", ElementType::Float32, {1}, std::vector<std::byte>(sizeof(float))};
    const auto results = session.run({&feed, 1}, {});
    EXPECT_TRUE(results) << results.error().line();
    return results ? results->front().floats().front() : -1;
}

TEST(OpenModel, TakesTheFileThatWasReadWhateverLiesInItsPlaceNow)
{
    const test::TemporaryFolder folder;
    const auto path = folder.write("m.onnx", addition(1));
    const auto model = readModel(path);
    ASSERT_TRUE(model) << model.error().line();
    std::filesystem::rename(folder.write("other.onnx", addition(2)), path);
    const auto replaced = openModel(**model);
    ASSERT_TRUE(replaced) << replaced.error().line();
    EXPECT_EQ(sumOf(*replaced), 1);
    std::filesystem::remove(path);
    const auto removed = openModel(**model);
    ASSERT_TRUE(removed) << removed.error().line();
    EXPECT_EQ(sumOf(*removed), 1);
}

TEST(OpenModel, RefusesABodyThatTakesLessThanItsLoopGives)
{
    const auto model
        = readModel(std::filesystem::path(DUO_TEST_DATA) / "hostile" / "loop_body_input_is_initializer.onnx");
    ASSERT_TRUE(model) << model.error().line();
    const auto session = openModel(**model);
    ASSERT_FALSE(session);
    EXPECT_EQ(session.error().code, ErrorCode::EngineFailed);
    EXPECT_THAT(session.error().line(), testing::HasSubstr("on which ONNX Runtime crashes"));
    EXPECT_FALSE(openModel(**model, {"y"}));
}

TEST(OpenModel, RefusesAModelWithoutOutputs)
{
    const auto model = test::ModelBuilder().input("x", {1}).node("Relu", "r", {"x"}, {"y"}).build();
    const auto session = openModel(*model);
    ASSERT_FALSE(session);
    EXPECT_EQ(session.error().line(),
        "the model has no outputs, so that there is nothing to run: export the model again, with its outputs");
}

TEST(OpenModel, ValuesOfABodyAreSeenEachTimeItRuns)
{
    test::ProtoBuilder file;
    file.input("x").output("y");
    auto body = test::addLoop(file, 3);
    body.node("Add", "twice", {"s", "s"}, {"t"});
    body.node("Relu", "relu", {"t"}, {"next"});
    const auto model = readModelBytes(file.bytes(), "test.onnx");
    ASSERT_TRUE(model) << model.error().line();
    const auto session = openTappedModel(**model, {"loop::body::s", "y", "loop::body::t"});
    ASSERT_TRUE(session) << session.error().line();
    HostTensor x{"x", ElementType::Float32, {2}, std::vector<std::byte>(8)};
    const std::vector<float> values{1, 2};
    std::memcpy(x.bytes.data(), values.data(), x.bytes.size());
    std::vector<std::vector<float>> seen(3);
    const auto status = session->runTapped(
        std::span(&x, 1), [&](std::size_t tap, const TensorView& view) { seen[tap].push_back(view.floats()[1]); });
    ASSERT_TRUE(status) << status.error().line();
    EXPECT_EQ(seen[0], (std::vector<float>{2, 4, 8}));
    EXPECT_EQ(seen[1], (std::vector<float>{16}));
    EXPECT_EQ(seen[2], (std::vector<float>{4, 8, 16}));
}

TEST(OpenModel, SmallValuesAreSeenAsTheyWereAndInTheOrderOfTheRunThoughManyAreShownAtOnce)
{
    constexpr std::size_t kValues = 40;
    test::ProtoBuilder file;
    file.input("x", {8}).output("s39", {});
    file.weight("small", {8}, std::vector<float>(8, 2)).weight("large", {2048, 8}, std::vector<float>(16384, 2));
    std::vector<std::string> names;
    for (std::size_t i = 0; i < kValues; ++i) {
        names.push_back("v" + std::to_string(i));
        file.node("Mul", "mul" + names.back(),
            {i == 0 ? "x" : "s" + std::to_string(i - 1), i % 3 == 2 ? "large" : "small"}, {names.back()});
        test::addInt(
            file.node("ReduceMax", "max" + names.back(), {names.back()}, {"s" + std::to_string(i)}), "keepdims", 0);
    }
    const auto model = readModelBytes(file.bytes(), "test.onnx");
    ASSERT_TRUE(model) << model.error().line();
    const auto session = openTappedModel(**model, names);
    ASSERT_TRUE(session) << session.error().line();
    const std::vector<float> ones(8, 1);
    HostTensor x{"x", ElementType::Float32, {8}, std::vector<std::byte>(32)};
    std::memcpy(x.bytes.data(), ones.data(), x.bytes.size());
    std::vector<float> seen;
    const auto status = session->runTapped(std::span(&x, 1), [&](std::size_t tap, const TensorView& view) {
        EXPECT_EQ(tap, seen.size());
        EXPECT_EQ(view.floats().size(), tap % 3 == 2 ? 16384U : 8U);
        seen.push_back(view.floats().back());
    });
    ASSERT_TRUE(status) << status.error().line();
    ASSERT_EQ(seen.size(), kValues);
    for (std::size_t i = 0; i < kValues; ++i)
        EXPECT_EQ(seen[i], std::ldexp(1.0F, static_cast<int>(i) + 1)) << i;
}

} // namespace
} // namespace duo
