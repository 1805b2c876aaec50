// SPDX-License-Identifier: Apache-2.0
// The samples with their checkpoints: who owns what the exporter folded, renamed and wrote down once for two calls.
#include "core/pipeline/snapshot/snapshot.h"

#include <gtest/gtest.h>

namespace duo {
namespace {

TEST(CheckpointScopes, BothCallsOfASharedBlockReadTheSameModules)
{
    const std::string folder = DUO_SAMPLES;
    OpenOptions options;
    options.checkpoint = folder + "/digits_conv.safetensors";
    const auto opened = openScopes(folder + "/digits_conv.onnx", options);
    ASSERT_TRUE(opened) << opened.error().line();
    const auto of = [&](const char* name) { return opened->scopes->nodes[opened->model->findNode(name).index]; };
    const NodeScope first = of("/encoder/refine/first/conv/Conv");
    const NodeScope second = of("/encoder/refine/first/conv_1/Conv");
    EXPECT_EQ(first.storage, (std::vector<std::string>{"encoder.refine.first.conv", "encoder.refine.first.norm"}));
    EXPECT_EQ(second.storage, first.storage);
    EXPECT_EQ(second.keys, first.keys);
    EXPECT_EQ(second.storageFrom, Provenance::Content);
    EXPECT_EQ(second.reasons, first.reasons);
}

} // namespace
} // namespace duo
