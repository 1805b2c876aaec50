// SPDX-License-Identifier: Apache-2.0
// Reasons that name a Gemm hold only where ONNX Runtime makes one.
#include "core/analysis/fallback.h"

#include "tests/core/analysis/quantized_graph.h"

#include <gtest/gtest.h>

namespace duo::test {
namespace {

/// A product of x [dims], a constant [added] behind it, and an activation.
std::string reasonOf(
    const std::vector<std::int64_t>& dims, const std::vector<std::int64_t>& added, const std::string& domainOfAdd = {})
{
    QuantizedGraph graph;
    const std::string product = graph.node("MatMul", {graph.input8("x", dims), graph.weight({8, 8}, 1)}, "op");
    const std::string sum = graph.node("Add", {product, graph.floats(added)});
    graph.last().set_domain(domainOfAdd);
    graph.output(graph.node("Sigmoid", {sum}));
    const auto model = graph.model();
    return std::string(fallbackName(fallbackOf(*model, KnownRanks(*model), model->findNode("op"))));
}

TEST(Fallback, NamesAnActivationThatIsFusedWithAGemmOnly)
{
    EXPECT_EQ(reasonOf({2, 8}, {8}), "fused-activation");
    EXPECT_EQ(reasonOf({2, 8}, {1}), "unknown"); // no Gemm adds one number
    EXPECT_EQ(reasonOf({-1, 2, 8}, {8}), "unknown"); // nor reshapes what it does not know the size of
    EXPECT_EQ(reasonOf({1, 2, 8}, {8}), "float-bias"); // the Reshape behind it keeps the activation away
    EXPECT_EQ(reasonOf({2, 8}, {8}, "org.example"), "unknown"); // somebody else's Add
}

} // namespace
} // namespace duo::test
