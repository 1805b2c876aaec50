// SPDX-License-Identifier: Apache-2.0
// Rows of operators that move codes, or take their largest: in int8 only if both sides have the same parameters.
#include "tests/core/analysis/fusion_rows.h"

namespace duo::test {
namespace {

constexpr const char* kPooled = "MaxPool";

std::string pooled(Graph& g, Codes behind)
{
    const std::string y = g.node(kPooled, {image(g)}, "op");
    g.addInts("kernel_shape", {2, 2});
    return g.dq(y, behind);
}

std::string sliced(Graph& g, Codes behind)
{
    return g.dq(g.node("Slice", {image(g), g.ints({0}), g.ints({4}), g.ints({2})}, "op"), behind);
}

std::string resized(Graph& g, Codes behind)
{
    return g.dq(g.node("Resize", {image(g), "", g.floats({4}, {1, 1, 2, 2})}, "op"), behind);
}

/// Both halves joined again.
std::string split(Graph& g, bool quantizesBoth)
{
    const std::string first = g.node("Split", {image(g)}, "op", {{"axis", 1}});
    const std::string second = g.anotherOutput();
    const std::string both = quantizesBoth ? g.dq(second) : second;
    return g.dq(g.node("Concat", {g.dq(first), both}, "", {{"axis", 1}}));
}

} // namespace

std::vector<FusionRow> movementRows()
{
    const Codes other{onnx::TensorProto::UINT8, 6.0F / 255.0F, 0};
    return {
        {"ReshapeSameScale",
            [](Graph& g) {
                return g.dq(g.node("Reshape", {image(g), g.ints({1, -1})}, "op"));
            },
            "Reshape"},
        {"DepthToSpaceSameScale", between("DepthToSpace", {{"blocksize", 2}}), "DepthToSpace"},
        {"FlattenSameScale", between("Flatten"), "Flatten"},
        {"TransposeSameScale", between("Transpose"), "Transpose"},
        {"TransposeOtherScale", betweenOther("Transpose"), "Transpose", Fallback::OtherParameters},
        {"FlattenOtherScale", betweenOther("Flatten"), "Flatten", Fallback::OtherParameters},
        {"DepthToSpaceOtherScale", betweenOther("DepthToSpace", {{"blocksize", 2}}), "DepthToSpace",
            Fallback::OtherParameters},
        {"MaxPoolSameScale", [](Graph& g) { return pooled(g, kU8); }, "MaxPool"},
        {"MaxPoolOtherScale", [=](Graph& g) { return pooled(g, other); }, "MaxPool", Fallback::OtherParameters},
        {"SliceSameScale", [](Graph& g) { return sliced(g, kU8); }, "Slice"},
        {"SliceOtherScale", [=](Graph& g) { return sliced(g, other); }, "Slice", Fallback::OtherParameters},
        {"ResizeSameScale", [](Graph& g) { return resized(g, kU8); }, "Resize"},
        {"ResizeOtherScale", [=](Graph& g) { return resized(g, other); }, "Resize", Fallback::OtherParameters},
        {"SplitAllOutputs", [](Graph& g) { return split(g, true); }, "Split QLinearConcat"},
        {"SplitOneOutput", [](Graph& g) { return split(g, false); }, "Split Concat"},
    };
}

} // namespace duo::test
