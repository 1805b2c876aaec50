// SPDX-License-Identifier: Apache-2.0
#include "core/graph/reach.h"

#include "core/onnx/reader.h"
#include "tests/support/model_builder.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace duo {
namespace {

/// x -> a -> b -> d, a -> c -> d -> e, and apart from all: x -> f
std::shared_ptr<const Model> diamond()
{
    return test::ModelBuilder()
        .input("x")
        .node("Relu", "a", {"x"}, {"va"})
        .node("Relu", "b", {"va"}, {"vb"})
        .node("Relu", "c", {"va"}, {"vc"})
        .node("Add", "d", {"vb", "vc"}, {"vd"})
        .node("Relu", "e", {"vd"}, {"ve"})
        .node("Relu", "f", {"x"}, {"vf"})
        .output("ve")
        .output("vf")
        .build();
}

std::string namesOf(const Model& model, const std::vector<NodeId>& nodes)
{
    std::string names;
    for (const NodeId node : nodes)
        names += (names.empty() ? "" : " ") + model.node(node).name;
    return names;
}

TEST(Reach, UpstreamIsWhatFeedsANode)
{
    const auto model = diamond();
    const std::vector<NodeId> d{NodeId(3)};
    EXPECT_EQ(namesOf(*model, upstreamOf(*model, d)), "a b c d");
    EXPECT_EQ(namesOf(*model, downstreamOf(*model, d)), "d e");
    EXPECT_TRUE(upstreamOf(*model, {}).empty());
}

TEST(Reach, BetweenIsEveryWayFromOneToAnother)
{
    const auto model = diamond();
    EXPECT_EQ(namesOf(*model, between(*model, std::vector{NodeId(4), NodeId(0)})), "a b c d e"); // in any order
    EXPECT_EQ(namesOf(*model, between(*model, std::vector{NodeId(1), NodeId(4)})), "b d e");
    EXPECT_EQ(namesOf(*model, between(*model, std::vector{NodeId(1), NodeId(5)})), "b f"); // no way: only these
}

TEST(Reach, BodiesFeedTheirOwner)
{
    const auto model = readModel(DUO_TEST_DATA "/models/branches.onnx");
    ASSERT_TRUE(model) << model.error().line();
    for (std::size_t r = 0; r < (*model)->regions.size(); ++r) {
        const Region& region = (*model)->regions[r];
        if (!region.owner.valid())
            continue;
        const auto feeding = upstreamOf(**model, std::vector{region.owner});
        for (const ValueId output : region.outputs) {
            const NodeId maker = (*model)->value(output).producer;
            EXPECT_TRUE(!maker.valid() || std::ranges::binary_search(feeding, maker));
        }
    }
}

} // namespace
} // namespace duo
