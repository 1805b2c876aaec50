// SPDX-License-Identifier: Apache-2.0
#include "core/formats/file_formats.h"

#include "core/formats/read_checkpoint.h"
#include "tests/support/temporary_folder.h"

#include <filesystem>
#include <set>

#include <gtest/gtest.h>

namespace duo {
namespace {

TEST(FileFormats, EveryRowCanBeToldAndRead)
{
    std::set<std::string_view> titles;
    for (const FileFormat& format : fileFormats()) {
        EXPECT_TRUE(titles.insert(format.title).second) << format.title;
        EXPECT_TRUE(format.isCheckpoint || format.isRecipe || !format.asModel.empty() || !format.asData.empty())
            << format.title;
        EXPECT_EQ(format.isCheckpoint, format.readCheckpoint != nullptr) << format.title;
        EXPECT_TRUE(format.isOf != nullptr || format.readModel == nullptr) << format.title;
        for (const std::string_view ending : format.endings)
            EXPECT_TRUE(ending.starts_with('.')) << ending;
    }
}

TEST(FileFormats, ACheckpointBearsTheNameOfItsFormat)
{
    const std::filesystem::path folder = std::filesystem::path(DUO_TEST_DATA) / "checkpoints";
    for (const char* file :
        {"model.safetensors", "sharded.safetensors.index.json", "state_dict.pth", "exported.pt2", "scripted.pt"}) {
        const auto opened = OpenedFile::open(folder / file);
        ASSERT_TRUE(opened) << file;
        const FileFormat* format = formatOf(*opened);
        ASSERT_NE(format, nullptr) << file;
        const auto checkpoint = readCheckpoint(*opened, {});
        ASSERT_TRUE(checkpoint) << checkpoint.error().line();
        const bool isOfParts = format->name.empty();
        EXPECT_EQ((*checkpoint)->format, isOfParts ? "safetensors" : format->name) << file;
        EXPECT_EQ(sortsKeys((*checkpoint)->format), format->sortsKeys || isOfParts) << file;
    }
    EXPECT_FALSE(sortsKeys("a format nobody reads"));
}

TEST(FileFormats, NamesTellModelsAndCheckpoints)
{
    for (const char* name : {"a.onnx", "A.ONNX", "b.pt2"})
        EXPECT_TRUE(isModelName(name)) << name;
    for (const char* name :
        {"a.safetensors", "a.safetensors.index.json", "a.index.json", "A.PTH", "a.pt", "a.bin", "a.ckpt", "a.pt2"})
        EXPECT_TRUE(isCheckpointName(name)) << name;
    EXPECT_FALSE(isModelName("a.pt"));
    for (const char* name : {"a.json", "a.recipe.json", "A.JSON", "a.py"})
        EXPECT_TRUE(isRecipeName(name)) << name;
    EXPECT_FALSE(isRecipeName("a.index.json"));
    ASSERT_NE(dataFormatOf("a.NPZ"), nullptr);
    EXPECT_TRUE(dataFormatOf("a.npz")->namesInputs);
    EXPECT_FALSE(dataFormatOf("a.npy")->namesInputs);
    EXPECT_EQ(dataFormatOf("a.json"), nullptr);
    for (const char* name : {"a.onnx", "a.json", "a.recipe.json", "a.npz", "pt2", ""})
        EXPECT_FALSE(isCheckpointName(name)) << name;
}

TEST(FileFormats, TheCheckpointBesideAModelHasItsName)
{
    const test::TemporaryFolder folder;
    const auto touch = [&](const char* name) { (void)folder.write(name, name); };
    EXPECT_TRUE(checkpointBeside(folder.path() / "m.onnx").empty());
    touch("m.pth");
    touch("other.safetensors");
    EXPECT_EQ(checkpointBeside(folder.path() / "m.onnx").filename(), "m.pth");
    touch("m.safetensors.index.json");
    EXPECT_EQ(checkpointBeside(folder.path() / "m.onnx").filename(), "m.safetensors.index.json");
    touch("m.safetensors"); // says most about itself
    EXPECT_EQ(checkpointBeside(folder.path() / "m.onnx").filename(), "m.safetensors");
    EXPECT_TRUE(checkpointBeside(folder.path() / "m.pt2").empty()); // which brings its own keys
}

TEST(FileFormats, TextsNameEveryFormat)
{
    EXPECT_EQ(modelFormatsText(), "an ONNX model, or a .pt2 of torch.export");
    EXPECT_EQ(checkpointFormatsText(), ".safetensors, torch.save, .pt2, TorchScript");
    EXPECT_EQ(dataFormatsText(), ".npz or .npy");
}

} // namespace
} // namespace duo
