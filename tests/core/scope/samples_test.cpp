// SPDX-License-Identifier: Apache-2.0
// The sample models: both exporters must show the same calls.
#include "tests/core/scope/found_scopes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace duo::test {
namespace {

using testing::ElementsAre;

TEST(Samples, BothExportersShowTheSameCallsOfTheTransformer)
{
    const auto named = FoundScopes::ofSample("digits_transformer.onnx");
    const auto recorded = FoundScopes::ofSample("digits_transformer.dynamo.onnx");
    EXPECT_EQ(named.paths(named.scopes.execution), recorded.paths(recorded.scopes.execution));
    EXPECT_EQ(named.scopes.execution.scopes[0].totalParameters, recorded.scopes.execution.scopes[0].totalParameters);
    EXPECT_TRUE(named.scopes.execution.find("encoder/feed_forward#1/mlp#1/2#1").valid());
    EXPECT_TRUE(named.scopes.execution.find("head/@encoder.bridge").valid());
}

TEST(Samples, ConvolutionalModelRunsItsSharedBlockTwice)
{
    const auto named = FoundScopes::ofSample("digits_conv.onnx");
    const auto recorded = FoundScopes::ofSample("digits_conv.dynamo.onnx");
    for (const FoundScopes* found : {&named, &recorded}) {
        for (const char* path : {"encoder/stem/conv", "encoder/layer1/0/first/act", "encoder/refine/first/conv",
                 "encoder/refine#1/first#1/conv#1", "encoder/refine#1/act#1", "head/fc"})
            EXPECT_TRUE(found->scopes.execution.find(path).valid()) << path;
    }
    EXPECT_EQ(recorded.scopes.storage.scope(recorded.scopes.storage.find("encoder.refine")).calls, 2);
}

TEST(Samples, RecordShowsForeignCallAndFoldedNormsAndTheUnusedHead)
{
    const auto found = FoundScopes::ofSample("digits_conv.dynamo.onnx");
    EXPECT_TRUE(found.scopes.execution.find("head/@encoder.squeeze/conv").valid());
    EXPECT_THAT(found.scopes.neverExecuted, ElementsAre("aux"));
    const Scope& aux = found.scopes.storage.scope(found.scopes.storage.find("aux"));
    EXPECT_EQ(aux.calls, 0);
    EXPECT_EQ(aux.totalNodes, 0);
    for (const NodeScope& node : found.scopes.nodes) {
        if (node.execution == "encoder/stem/conv") {
            EXPECT_THAT(node.storage, ElementsAre("encoder.stem.conv", "encoder.stem.norm"));
        }
    }
}

TEST(Samples, EveryDifferenceHasAReason)
{
    for (const char* file :
        {"digits_conv.onnx", "digits_conv.dynamo.onnx", "digits_transformer.onnx", "digits_transformer.dynamo.onnx"}) {
        for (const NodeScope& node : FoundScopes::ofSample(file).scopes.nodes)
            EXPECT_TRUE(!node.differs || !node.reasons.empty()) << file << " " << node.execution;
    }
}

} // namespace
} // namespace duo::test
