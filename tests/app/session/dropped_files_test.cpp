// SPDX-License-Identifier: Apache-2.0
#include "app/session/dropped_files.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace duo::app {
namespace {

/// "model checkpoint recipe", "-" for none.
std::string kinds(const std::vector<std::filesystem::path>& files, bool isOnnxOpen = false)
{
    const DroppedFiles dropped = droppedFiles(files, isOnnxOpen);
    const auto text = [](const std::filesystem::path& file) { return file.empty() ? std::string("-") : file.string(); };
    return text(dropped.model) + " " + text(dropped.checkpoint) + " " + text(dropped.recipe);
}

TEST(DroppedFiles, AreToldApartWhateverTheirOrder)
{
    EXPECT_EQ(kinds({"m.onnx", "w.safetensors", "r.recipe.json"}), "m.onnx w.safetensors r.recipe.json");
    EXPECT_EQ(kinds({"r.recipe.json", "w.safetensors", "m.onnx"}), "m.onnx w.safetensors r.recipe.json");
    EXPECT_EQ(kinds({"w.safetensors"}), "- w.safetensors -");
    EXPECT_EQ(kinds({"rules.py"}), "- - rules.py");
    EXPECT_EQ(kinds({}), "- - -");
}

TEST(DroppedFiles, AProgramIsTheCheckpointOfAnOnnxModelElseTheModel)
{
    EXPECT_EQ(kinds({"p.pt2"}), "p.pt2 - -");
    EXPECT_EQ(kinds({"p.pt2", "m.onnx"}), "m.onnx p.pt2 -");
    EXPECT_EQ(kinds({"p.pt2"}, true), "- p.pt2 -");
}

TEST(DroppedFiles, WhatNobodyKnowsIsTriedAsAModel)
{
    EXPECT_EQ(kinds({"m.unknown"}), "m.unknown - -");
    EXPECT_EQ(kinds({"m.onnx", "m.unknown"}), "m.onnx - -");
    EXPECT_EQ(kinds({"a.onnx", "b.onnx"}), "a.onnx - -");
}

} // namespace
} // namespace duo::app
