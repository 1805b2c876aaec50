// SPDX-License-Identifier: Apache-2.0
// Files whose nodes are called as their layers: MXNet, Caffe, Darknet, Core ML, AIMET.
#include "core/scope/producers/layer_names.h"
#include "tests/core/scope/found_scopes.h"
#include "tests/support/model_builder.h"

#include <gtest/gtest.h>

namespace duo::test {
namespace {

FoundScopes layerThatReads(const std::string& node, const std::string& weight, const std::string& producer = "")
{
    ModelBuilder builder;
    builder.input("x", {1, 4}).weight(weight, {4, 4}).producer(producer);
    builder.node("MatMul", node, {"x", weight}, {"y"}).node("Relu", "act", {"y"}, {"z"}).output("z");
    return FoundScopes(builder.build());
}

struct Case {
    std::string node;
    std::string weight;
    Expected expected;
    std::string key;
};

TEST(LayerNames, ANodeThatReadsTensorsOfItsOwnNameIsThatLayer)
{
    const std::vector<Case> cases{
        {"stage1_unit1_conv1", "stage1_unit1_conv1_weight", {"stage1_unit1_conv1", {"stage1_unit1_conv1"}, {}, false},
            "stage1_unit1_conv1.weight"}, // MXNet
        {"resnetv10_conv0_fwd", "resnetv10_conv0_weight", {"resnetv10_conv0", {"resnetv10_conv0"}, {}, false},
            "resnetv10_conv0.weight"}, // MXNet's Gluon
        {"inception_3a/1x1", "inception_3a/1x1_W", {"inception_3a/1x1", {"inception_3a.1x1"}, {}, false},
            "inception_3a.1x1.W"}, // Caffe
        {"000_convolutional", "000_convolutional_conv_weights", {"000_convolutional", {"000_convolutional"}, {}, false},
            "000_convolutional.conv_weights"}, // Darknet
        {"conv1", "conv1/kernel:0", {"conv1", {"conv1"}, {}, false}, "conv1.kernel"}, // keras2onnx
        {"layer1.0.conv1#0", "layer1.0.conv1.weight", {"layer1/0/conv1", {"layer1.0.conv1"}, {}, false},
            "layer1.0.conv1.weight"}, // AIMET
    };
    for (const Case& one : cases) {
        const auto found = layerThatReads(one.node, one.weight);
        EXPECT_EQ(found.at(one.node), one.expected) << one.node;
        EXPECT_EQ(found.node(one.node).keys.front(), one.key);
        EXPECT_EQ(found.provenance(one.node), "name/name") << one.node;
    }
}

TEST(LayerNames, ANodeOfAnotherNameIsNone)
{
    const auto found = layerThatReads("dot0", "fc1_weight");
    EXPECT_EQ(found.at("dot0"), (Expected{"", {""}, {}, false}));
}

TEST(LayerNames, TheLongestLeafIsTaken)
{
    EXPECT_EQ(layerTensor("002_convolutional_conv_weights")->layer, "002_convolutional");
    EXPECT_EQ(layerTensor("bn0_moving_mean")->leaf, "moving_mean");
    EXPECT_FALSE(layerTensor("weight"));
    EXPECT_FALSE(layerTensor("/kernel"));
    EXPECT_FALSE(layerTensor("data_0"));
}

} // namespace
} // namespace duo::test
