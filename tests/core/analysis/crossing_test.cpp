// SPDX-License-Identifier: Apache-2.0
// What the table of operator facts says of quantizers that move across an operator, as ONNX Runtime does it.
#include "core/engine/session.h"
#include "core/model/op_facts.h"
#include "tests/core/analysis/fusion_rows.h"

#include <gtest/gtest.h>

namespace duo::test {
namespace {

struct Mover {
    const char* opType;
    std::vector<std::int64_t> settings = {}; // its second input
    Attributes attributes = {};
};

/// Whether a convolution with the operator between it and its quantizer runs in int8.
bool isCrossed(const Mover& mover)
{
    QuantizedGraph graph;
    std::vector<std::string> inputs{conv(graph, image(graph))};
    if (!mover.settings.empty())
        inputs.push_back(graph.ints(mover.settings));
    if (std::string(mover.opType) == "Slice")
        inputs.insert(inputs.end(), {graph.ints({4}), graph.ints({2})});
    const std::string moved = graph.node(mover.opType, inputs, {}, mover.attributes);
    if (std::string(mover.opType) == "MaxPool")
        graph.addInts("kernel_shape", {2, 2});
    graph.output(graph.dq(moved));
    return graph.kernels().starts_with("QLinearConv");
}

TEST(Crossing, IsAsTheTableOfOperatorFactsSays)
{
    if (!engineVersion().starts_with(kMeasuredRuntime))
        GTEST_SKIP() << "kernels were measured on ONNX Runtime " << kMeasuredRuntime;
    const std::vector<Mover> movers{{"DepthToSpace", {}, {{"blocksize", 2}}}, {"Dropout"}, {"Flatten"}, {"Gather", {0}},
        {"Identity"}, {"MaxPool"}, {"Reshape", {-1}}, {"Slice", {0}}, {"SpaceToDepth", {}, {{"blocksize", 2}}},
        {"Squeeze", {0}}, {"Tile", {1, 1, 1, 2}}, {"Transpose"}, {"Unsqueeze", {0}}};
    for (const Mover& mover : movers) {
        Node node;
        node.opType = mover.opType;
        EXPECT_EQ(isCrossed(mover), has(node, mark::kQuantizersCross | mark::kDropped)) << mover.opType;
    }
    for (const OpFacts& facts : onnxOpFacts()) {
        const bool isMarked = (facts.marks & (mark::kQuantizersCross | mark::kDropped)) != 0;
        const bool isTried
            = std::ranges::any_of(movers, [&](const Mover& mover) { return mover.opType == facts.opType; });
        EXPECT_TRUE(!isMarked || isTried) << "an example of " << facts.opType << " in this test";
    }
}

} // namespace
} // namespace duo::test
