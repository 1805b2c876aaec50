// SPDX-License-Identifier: Apache-2.0
// What ONNX Runtime 1.30 runs in int8, and why not (reference/engine.md 2.3): a tiny network per row, loaded for real.
// The kernels hold for the version the table was measured on; the reasons are told for any.
#include "core/analysis/fusion/fallback.h"

#include "core/engine/session.h"
#include "tests/core/analysis/quantized_graph.h"

#include <gtest/gtest.h>

#include <functional>

using duo::test::Codes;
using duo::test::kS8;
using duo::test::kU16;
using duo::test::kU8;
using duo::test::kU8Shifted;
using duo::test::QuantizedGraph;

namespace duo {
namespace {

using Graph = QuantizedGraph;
using Build = std::function<std::string(Graph&)>; // @return the result of the network

struct Row {
    const char* name;
    Build build;
    const char* kernels; // all that runs besides quantizers
    std::optional<Fallback> fallback{}; // of the node "op"; nothing: it runs in int8
    int opset = 17;
};

void PrintTo(const Row& row, std::ostream* out)
{
    *out << row.name;
}

std::string image(Graph& g, Codes codes = kU8)
{
    return g.input8("x", {1, 4, 8, 8}, codes);
}

std::string conv(Graph& g, const std::string& x, const std::string& name = "op")
{
    return g.node("Conv", {x, g.weight({4, 4, 1, 1}, 0), g.bias(4)}, name);
}

/// One operator between quantizers of equal parameters.
Build between(const char* opType, std::vector<std::pair<std::string, std::int64_t>> attributes = {})
{
    return [=](Graph& g) { return g.dq(g.node(opType, {image(g)}, "op", attributes)); };
}

Build twoInputs(const char* opType, std::vector<std::pair<std::string, std::int64_t>> attributes = {})
{
    return [=](Graph& g) {
        const std::string x = image(g);
        return g.dq(g.node(opType, {x, g.input8("z", {1, 4, 8, 8})}, "op", attributes));
    };
}

const Codes kSixth{onnx::TensorProto::UINT8, 6.0F / 255.0F, 0};
const Codes kBeyondSix{onnx::TensorProto::UINT8, 6.2F / 255.0F, 0};

std::string clipped(Graph& g, Codes behind)
{
    const std::string x = image(g);
    return g.dq(g.node("Clip", {conv(g, x), g.floats({}, {0.0F}), g.floats({}, {6.0F})}), behind);
}

const Row kConvRows[] = {
    {"ConvPerChannelInt32Bias", [](Graph& g) { return g.dq(conv(g, image(g))); }, "QLinearConv"},
    {"ConvPerTensor",
        [](Graph& g) {
            return g.dq(g.node("Conv", {image(g), g.weight({4, 4, 1, 1})}, "op"));
        },
        "QLinearConv"},
    {"ConvFloatBias",
        [](Graph& g) {
            return g.dq(g.node("Conv", {image(g), g.weight({4, 4, 1, 1}, 0), g.floats({4})}, "op"));
        },
        "QLinearConv"},
    {"ConvUnsignedWeights",
        [](Graph& g) {
            return g.dq(g.node("Conv", {image(g), g.weight({4, 4, 1, 1}, {}, onnx::TensorProto::UINT8, 120)}, "op"));
        },
        "QLinearConv"},
    {"ConvDepthwise",
        [](Graph& g) {
            return g.dq(g.node("Conv", {image(g), g.weight({4, 1, 3, 3}, 0)}, "op", {{"group", 4}}));
        },
        "QLinearConv"},
    {"ConvSignedAlone", [](Graph& g) { return g.dq(conv(g, image(g, kS8)), kS8); }, "QLinearConv"},
    {"ConvReluAtZero", [](Graph& g) { return g.dq(g.node("Relu", {conv(g, image(g))})); }, "QLinearConv"},
    {"ConvReluShifted", [](Graph& g) { return g.dq(g.node("Relu", {conv(g, image(g))}), kU8Shifted); }, "FusedConv",
        Fallback::ClampNotImplied},
    {"ConvClipInside", [](Graph& g) { return clipped(g, kSixth); }, "QLinearConv"},
    {"ConvClipBeyond", [](Graph& g) { return clipped(g, kBeyondSix); }, "FusedConv", Fallback::ClampNotImplied},
    {"ConvNothingBehind", [](Graph& g) { return conv(g, image(g)); }, "Conv", Fallback::NoQuantizerBehind},
    {"ConvWeightOnly",
        [](Graph& g) {
            return g.node("Conv", {g.input("x", {1, 4, 8, 8}), g.weight({4, 4, 1, 1}, 0)}, "op");
        },
        "Conv", Fallback::FloatInput},
    {"ConvSixteenBits", [](Graph& g) { return g.dq(conv(g, image(g, kU16)), kU16); }, "Conv", Fallback::WideCodes},
    {"ConvTranspose",
        [](Graph& g) {
            return g.dq(g.node("ConvTranspose", {image(g), g.weight({4, 4, 1, 1})}, "op"));
        },
        "ConvTranspose", Fallback::FloatOperator},
    {"ConvSwishWithoutInnerQuantizers",
        [](Graph& g) {
            const std::string c = conv(g, image(g));
            return g.dq(g.node("Mul", {c, g.node("Sigmoid", {c})}));
        },
        "Conv QuickGelu", Fallback::NoQuantizerBehind},
    {"ConvSwishWithInnerQuantizers",
        [](Graph& g) {
            const std::string c = g.dq(conv(g, image(g)));
            return g.dq(g.node("Mul", {c, g.dq(g.node("Sigmoid", {c}))}));
        },
        "QLinearConv QLinearSigmoid QLinearMul"},
    {"ResidualWithoutQuantizer",
        [](Graph& g) {
            const std::string x = image(g);
            return g.dq(g.node("Relu", {g.node("Add", {conv(g, x), x})}));
        },
        "Conv Add", Fallback::FloatAddition},
    {"ResidualWithQuantizer",
        [](Graph& g) {
            const std::string x = image(g);
            return g.dq(g.node("Relu", {g.node("Add", {g.dq(conv(g, x)), x})}));
        },
        "QLinearConv QLinearAdd"},
};

std::string rows(Graph& g)
{
    return g.input8("x", {2, 8});
}

std::string product(Graph& g, const char* opType = "MatMul")
{
    return g.node(opType, {rows(g), g.weight({8, 8}, 1)}, "op");
}

const Row kProductRows[] = {
    {"MatMul", [](Graph& g) { return g.dq(product(g)); }, "QLinearMatMul"},
    {"MatMulNothingBehind", [](Graph& g) { return product(g); }, "MatMulIntegerToFloat"},
    {"MatMulOfActivations",
        [](Graph& g) {
            const std::string x = rows(g);
            return g.dq(g.node("MatMul", {x, g.input8("z", {8, 4})}, "op"));
        },
        "QLinearMatMul"},
    {"MatMulBias",
        [](Graph& g) {
            return g.dq(g.node("Add", {product(g), g.floats({8})}));
        },
        "QGemm"},
    {"MatMulBiasRelu",
        [](Graph& g) {
            return g.node("Relu", {g.node("Add", {product(g), g.floats({8})})});
        },
        "FusedGemm", Fallback::FusedActivation},
    {"Gemm", [](Graph& g) { return g.dq(product(g, "Gemm")); }, "QGemm"},
    {"GemmNothingBehind", [](Graph& g) { return product(g, "Gemm"); }, "QGemm"},
    {"GemmTransposed",
        [](Graph& g) {
            return g.dq(g.node("Gemm", {rows(g), g.weight({4, 8}, 0), g.floats({4})}, "op", {{"transB", 1}}));
        },
        "QGemm"},
    {"GemmScaledBias",
        [](Graph& g) {
            const std::string y = g.node("Gemm", {rows(g), g.weight({8, 8}, 1), g.floats({8})}, "op");
            auto* beta = g.last().add_attribute();
            beta->set_name("beta");
            beta->set_type(onnx::AttributeProto::FLOAT);
            beta->set_f(2.0F);
            return g.dq(y);
        },
        "Gemm", Fallback::ScaledBias},
    {"Int8Table",
        [](Graph& g) {
            return g.node("Gather", {g.weight({8, 4}, 0), g.ints({1, 2})}, "op");
        },
        "Gather", Fallback::NoQuantizerBehind},
};

const Row kOtherRows[] = {
    {"Add", twoInputs("Add"), "QLinearAdd"},
    {"Mul", twoInputs("Mul"), "QLinearMul"},
    {"Sub", twoInputs("Sub"), "Sub", Fallback::FloatOperator},
    {"Div", twoInputs("Div"), "Div", Fallback::FloatOperator},
    {"AveragePool",
        [](Graph& g) {
            const std::string y = g.node("AveragePool", {image(g)}, "op");
            auto* shape = g.last().add_attribute();
            shape->set_name("kernel_shape");
            shape->set_type(onnx::AttributeProto::INTS);
            shape->add_ints(2);
            shape->add_ints(2);
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
    {"ReshapeSameScale",
        [](Graph& g) {
            return g.dq(g.node("Reshape", {image(g), g.ints({1, -1})}, "op"));
        },
        "Reshape"},
    {"LayerNormalization",
        [](Graph& g) {
            return g.dq(g.node("LayerNormalization", {image(g), g.floats({8})}, "op"));
        },
        "LayerNormalization", Fallback::FloatOperator},
    {"DepthToSpaceSameScale", between("DepthToSpace", {{"blocksize", 2}}), "DepthToSpace"},
    {"FlattenSameScale", between("Flatten"), "Flatten"},
    {"TransposeSameScale", between("Transpose"), "Transpose"},
    {"TransposeOtherScale", [](Graph& g) { return g.dq(g.node("Transpose", {image(g)}, "op"), kSixth); }, "Transpose",
        Fallback::OtherParameters},
};

class Fusion : public testing::TestWithParam<Row>
{
};

TEST_P(Fusion, IsAsTheTableSays)
{
    const Row& row = GetParam();
    QuantizedGraph graph(row.opset);
    graph.output(row.build(graph));
    const auto model = graph.model();
    ASSERT_NE(model, nullptr);
    if (row.fallback) {
        EXPECT_EQ(fallbackName(fallbackOf(*model, model->findNode("op"))), fallbackName(*row.fallback));
    }
    if (!engineVersion().starts_with(fallbackTableVersion()))
        GTEST_SKIP() << "kernels were measured on ONNX Runtime " << fallbackTableVersion();
    EXPECT_EQ(graph.kernels(), row.kernels);
}

std::string nameOf(const testing::TestParamInfo<Row>& info)
{
    return info.param.name;
}

INSTANTIATE_TEST_SUITE_P(Convolution, Fusion, testing::ValuesIn(kConvRows), nameOf);
INSTANTIATE_TEST_SUITE_P(Product, Fusion, testing::ValuesIn(kProductRows), nameOf);
INSTANTIATE_TEST_SUITE_P(Other, Fusion, testing::ValuesIn(kOtherRows), nameOf);

} // namespace
} // namespace duo
