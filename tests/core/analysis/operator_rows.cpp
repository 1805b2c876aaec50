// SPDX-License-Identifier: Apache-2.0
// Rows of operators that compute without weights.
#include "tests/core/analysis/fusion_rows.h"

namespace duo::test {
namespace {

std::string withConstant(Graph& g, const char* opType)
{
    return g.dq(g.node(opType, {image(g), g.weight({4, 1, 1}, {}, onnx::TensorProto::UINT8, 3)}, "op"));
}

} // namespace

std::vector<FusionRow> operatorRows()
{
    return {
        {"Add", twoInputs("Add"), "QLinearAdd"},
        {"Mul", twoInputs("Mul"), "QLinearMul"},
        {"Sub", twoInputs("Sub"), "Sub", Fallback::FloatOperator},
        {"Div", twoInputs("Div"), "Div", Fallback::FloatOperator},
        {"AveragePool",
            [](Graph& g) {
                const std::string y = g.node("AveragePool", {image(g)}, "op");
                g.addInts("kernel_shape", {2, 2});
                return g.dq(y);
            },
            "QLinearAveragePool"},
        {"GlobalAveragePool", between("GlobalAveragePool"), "QLinearGlobalAveragePool"},
        {"LeakyRelu", between("LeakyRelu"), "QLinearLeakyRelu"},
        {"Sigmoid", between("Sigmoid"), "QLinearSigmoid"},
        {"Softmax", between("Softmax"), "QLinearSoftmax"},
        {"ReduceMean", between("ReduceMean"), "ReduceMean", Fallback::FloatOperator},
        {"Tanh", between("Tanh"), "Tanh", Fallback::FloatOperator},
        {"Erf", between("Erf"), "Erf", Fallback::FloatOperator},
        {"HardSwish", between("HardSwish"), "HardSigmoid Mul", Fallback::FloatOperator},
        {"Gelu", between("Gelu"), "Gelu", Fallback::FloatOperator, 20},
        {"Concat", twoInputs("Concat", {{"axis", 1}}), "QLinearConcat"},
        {"LayerNormalization",
            [](Graph& g) {
                return g.dq(g.node("LayerNormalization", {image(g), g.floats({8})}, "op"));
            },
            "LayerNormalization", Fallback::FloatOperator},
        {"AddConstant", [](Graph& g) { return withConstant(g, "Add"); }, "QLinearAdd"},
        {"MulConstant", [](Graph& g) { return withConstant(g, "Mul"); }, "QLinearMul"},
        {"ConcatOtherScales",
            [](Graph& g) {
                const std::string x = image(g);
                return g.dq(g.node("Concat", {x, g.input8("z", {1, 4, 8, 8}, kU8Shifted)}, "op", {{"axis", 1}}));
            },
            "QLinearConcat"},
        {"Where",
            [](Graph& g) {
                const std::string x = image(g);
                return g.dq(g.node("Where", {g.flags({1, 4, 8, 8}), x, g.input8("z", {1, 4, 8, 8})}, "op"));
            },
            "QLinearWhere"},
        {"LoneReluShifted", [](Graph& g) { return g.dq(g.node("Relu", {image(g, kU8Shifted)}, "op"), kU8Shifted); },
            "Relu", Fallback::FloatOperator},
        {"LoneClip",
            [](Graph& g) {
                const std::string x = image(g, kU8Shifted);
                return g.dq(g.node("Clip", {x, g.floats({}, {-1.0F}), g.floats({}, {1.0F})}, "op"), kU8Shifted);
            },
            "Clip", Fallback::FloatOperator},
        {"Pad",
            [](Graph& g) {
                return g.dq(g.node("Pad", {image(g), g.ints({0, 0, 1, 1, 0, 0, 1, 1})}, "op"));
            },
            "Pad", Fallback::FloatOperator},
    };
}

} // namespace duo::test
